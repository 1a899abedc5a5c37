package sim

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// maxNesting is how deep a synthesised value goes before optional members and items are left out; at twice
// that a recursive schema is given up.
const maxNesting = 8

// maxSize is the approximate size in bytes of a synthesised value, and maxItems the length of a list: a schema can
// ask for more than the memory holds.
const (
	maxSize  = 64 << 10
	maxItems = 64
)

// schema is the part of JSON Schema that a synthesised value obeys.
type schema struct {
	Type             typeList          `json:"type"`
	Properties       properties        `json:"properties"`
	Required         []string          `json:"required"`
	Items            *schema           `json:"items"`
	MinItems         int               `json:"minItems"`
	Enum             []json.RawMessage `json:"enum"`
	Const            json.RawMessage   `json:"const"`
	AnyOf            []*schema         `json:"anyOf"`
	OneOf            []*schema         `json:"oneOf"`
	AllOf            []*schema         `json:"allOf"`
	Ref              string            `json:"$ref"`
	Defs             map[string]schema `json:"$defs"`
	Definitions      map[string]schema `json:"definitions"`
	Format           string            `json:"format"`
	MinLength        int               `json:"minLength"`
	MaxLength        *int              `json:"maxLength"`
	Minimum          *float64          `json:"minimum"`
	ExclusiveMinimum *float64          `json:"exclusiveMinimum"`
	Maximum          *float64          `json:"maximum"`
	ExclusiveMaximum *float64          `json:"exclusiveMaximum"`
	MultipleOf       float64           `json:"multipleOf"`
}

// typeList is one type name or several.
type typeList = stringList

// properties are members in the order of the schema: answers keep it.
type properties []property

type property struct {
	name   string
	schema schema
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *properties) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var one property
		one.name, _ = name.(string)
		if err := dec.Decode(&one.schema); err != nil {
			return err
		}
		*p = append(*p, one)
	}
	return nil
}

// synthesise makes a JSON value that fits a schema, always the same one. A schema that it cannot read gets
// an empty object.
func synthesise(raw json.RawMessage) json.RawMessage {
	root := &schema{}
	if len(raw) == 0 || json.Unmarshal(raw, root) != nil {
		return json.RawMessage("{}")
	}
	s := synthesiser{root: root}
	return s.value(nil, root, 0)
}

type synthesiser struct{ root *schema }

// value appends a value that fits n.
func (s *synthesiser) value(dst []byte, n *schema, depth int) []byte {
	if n == nil || depth > 2*maxNesting || len(dst) > maxSize {
		return append(dst, "null"...)
	}
	switch {
	case n.Ref != "":
		return s.value(dst, s.resolve(n.Ref), depth+1)
	case n.Const != nil:
		return append(dst, n.Const...)
	case len(n.Enum) > 0:
		return append(dst, n.Enum[0]...)
	case len(n.AnyOf) > 0:
		return s.value(dst, s.choose(n.AnyOf, depth), depth+1)
	case len(n.OneOf) > 0:
		return s.value(dst, s.choose(n.OneOf, depth), depth+1)
	case len(n.AllOf) > 0:
		return s.value(dst, merge(s, n), depth+1)
	}
	switch n.kind() {
	case "object":
		return s.object(dst, n, depth)
	case "array":
		return s.array(dst, n, depth)
	case "integer", "number":
		return append(dst, marshal(n.number())...)
	case "boolean":
		return append(dst, "true"...)
	case "null":
		return append(dst, "null"...)
	}
	return append(dst, marshal(n.text())...)
}

// kind is the first type that is not null; without one it is guessed.
func (n *schema) kind() string {
	for _, t := range n.Type {
		if t != "null" {
			return t
		}
	}
	switch {
	case len(n.Type) > 0:
		return "null"
	case n.Properties != nil || n.Required != nil:
		return "object"
	case n.Items != nil:
		return "array"
	}
	return "string"
}

// choose prefers the first alternative, and one without nesting when it has gone deep.
func (s *synthesiser) choose(of []*schema, depth int) *schema {
	if depth > maxNesting {
		for _, n := range of {
			if n == nil {
				continue
			}
			if k := n.kind(); n.Ref == "" && k != "object" && k != "array" {
				return n
			}
		}
	}
	return of[0]
}

// merge makes one schema of n and all that it must also be.
func merge(s *synthesiser, n *schema) *schema {
	one := *n
	one.AllOf = nil
	for _, part := range n.AllOf {
		if part == nil {
			continue
		}
		if part.Ref != "" {
			part = s.resolve(part.Ref)
		}
		one.Properties = append(one.Properties[:len(one.Properties):len(one.Properties)], part.Properties...)
		one.Required = append(one.Required[:len(one.Required):len(one.Required)], part.Required...)
		if one.Type == nil {
			one.Type = part.Type
		}
	}
	return &one
}

// resolve finds a definition. What it cannot find is any string.
func (s *synthesiser) resolve(ref string) *schema {
	if ref == "#" {
		return s.root
	}
	if name, ok := strings.CutPrefix(ref, "#/$defs/"); ok {
		n := s.root.Defs[name]
		return &n
	}
	if name, ok := strings.CutPrefix(ref, "#/definitions/"); ok {
		n := s.root.Definitions[name]
		return &n
	}
	return &schema{}
}

func (s *synthesiser) object(dst []byte, n *schema, depth int) []byte {
	dst = append(dst, '{')
	first := true
	for i := range n.Properties {
		p := &n.Properties[i]
		if depth > maxNesting && !slices.Contains(n.Required, p.name) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(dst, marshal(p.name)...), ':')
		dst = s.value(dst, &p.schema, depth+1)
	}
	return append(dst, '}')
}

func (s *synthesiser) array(dst []byte, n *schema, depth int) []byte {
	dst = append(dst, '[')
	items := max(1, n.MinItems)
	if n.Items == nil || depth > maxNesting {
		items = n.MinItems
	}
	item := n.Items
	if item == nil {
		item = &schema{}
	}
	for i := range min(items, maxItems) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = s.value(dst, item, depth+1)
	}
	return append(dst, ']')
}

// number is 1, or the number nearest to it that the bounds allow.
func (n *schema) number() float64 {
	step := 1.0
	if n.MultipleOf > 0 {
		step = n.MultipleOf
	}
	v := step
	if n.Minimum != nil && v < *n.Minimum {
		v = math.Ceil(*n.Minimum/step) * step
	}
	if n.ExclusiveMinimum != nil && v <= *n.ExclusiveMinimum {
		v = (math.Floor(*n.ExclusiveMinimum/step) + 1) * step
	}
	if n.Maximum != nil && v > *n.Maximum {
		v = math.Floor(*n.Maximum/step) * step
	}
	if n.ExclusiveMaximum != nil && v >= *n.ExclusiveMaximum {
		v = (math.Ceil(*n.ExclusiveMaximum/step) - 1) * step
	}
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return 1
	}
	return v
}

// text is a string of the format and the length that the schema wants.
func (n *schema) text() string {
	switch n.Format {
	case "date-time":
		return "2025-01-02T03:04:05Z"
	case "date":
		return "2025-01-02"
	case "time":
		return "03:04:05Z"
	case "email":
		return "simulated@example.com"
	case "uri", "url":
		return "https://example.com/"
	case "hostname":
		return "example.com"
	case "ipv4":
		return "192.0.2.1"
	case "ipv6":
		return "2001:db8::1"
	case "uuid":
		return "00000000-0000-4000-8000-000000000000"
	}
	text := "simulated"
	if missing := min(n.MinLength, maxSize) - len(text); missing > 0 {
		text += strings.Repeat(".", missing)
	}
	if n.MaxLength != nil && len(text) > *n.MaxLength {
		text = text[:max(0, *n.MaxLength)]
	}
	return text
}
