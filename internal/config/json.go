package config

import (
	"encoding/json"
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v4"
)

// JSON is any value, as JSON.
type JSON []byte

// MarshalJSON implements json.Marshaler.
func (j JSON) MarshalJSON() ([]byte, error) { return j, nil }

// maxNested bounds how deep a value may be nested, aliases followed.
const maxNested = 100

// json reads any value. Numbers keep their spelling.
func (d *decoder) json(n *yaml.Node, self *JSON, label string) {
	text, err := d.appendJSON(nil, n, label, 0)
	if err != nil {
		d.fail(self, n, "%s %v", label, err)
		return
	}
	*self = text
}

// appendJSON appends a value. Errors in parts of it are reported at their place.
func (d *decoder) appendJSON(dst []byte, n *yaml.Node, label string, depth int) ([]byte, error) {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if d.values++; d.values > maxValues || depth > maxNested {
		return nil, fmt.Errorf("is nested too deep, or has too many values: use fewer")
	}
	var err error
	switch n.Kind {
	case yaml.SequenceNode:
		dst = append(dst, '[')
		for i, one := range n.Content {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = d.appendJSON(dst, one, label, depth+1); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case yaml.MappingNode:
		dst = append(dst, '{')
		for i, p := range d.pairs(n) {
			if i > 0 {
				dst = append(dst, ',')
			}
			name, _ := json.Marshal(p.name) // a string
			if dst, err = d.appendJSON(append(append(dst, name...), ':'), p.value, label+"."+p.name, depth+1); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	default:
		return d.appendScalar(dst, n, label)
	}
}

// appendScalar appends a string, a number, true, false or null.
func (d *decoder) appendScalar(dst []byte, n *yaml.Node, label string) ([]byte, error) {
	switch n.Tag {
	case "!!null":
		return append(dst, "null"...), nil
	case "!!bool":
		if n.Value != "true" && n.Value != "false" {
			return nil, fmt.Errorf("must spell booleans true or false, not %s", n.Value)
		}
		return append(dst, n.Value...), nil
	case "!!int", "!!float":
		if !json.Valid([]byte(n.Value)) {
			return nil, fmt.Errorf("must spell numbers as JSON does, not %s", strconv.Quote(n.Value))
		}
		return append(dst, n.Value...), nil
	}
	text, _, problems := d.expand(n.Value, placeOf(n))
	for _, p := range problems {
		d.errorf(placeOf(n), "%s: %s", label, p)
	}
	quoted, err := json.Marshal(text)
	return append(dst, quoted...), err
}
