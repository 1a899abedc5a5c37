package shape

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// object is a JSON object whose members are left as they are.
type object = map[string]json.RawMessage

// load makes an oracle of a description, with the deviations in list.
func load(path string, list []tolerance) (*Oracle, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var description struct {
		Components struct{ Schemas object }
	}
	if err := json.Unmarshal(data, &description); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	schemas := description.Components.Schemas
	schemas[string(CompletionChunk)] = schemas[string(Completion)]
	for name, schema := range schemas {
		if schemas[name], err = withNull(schema); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, name, err)
		}
	}
	for _, t := range list {
		name, rest, _ := strings.Cut(t.at, "/")
		if schemas[name], err = t.apply(schemas[name], steps(rest)); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, t.at, err)
		}
	}
	return compile(schemas, forms())
}

func compile(schemas object, list []Form) (*Oracle, error) {
	text, err := json.Marshal(map[string]map[string]object{"components": {"schemas": schemas}})
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	const url = "mem:///openapi.json"
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(url, document); err != nil {
		return nil, err
	}
	o := &Oracle{schemas: map[Form]*jsonschema.Schema{}, good: map[string]bool{}}
	for _, f := range list {
		if o.schemas[f], err = compiler.Compile(url + "#/components/schemas/" + string(f)); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// withNull turns OpenAPI's old form for nullable values, "nullable": true, into JSON Schema's. The description uses
// it in places.
func withNull(raw json.RawMessage) (json.RawMessage, error) {
	switch raw = bytes.TrimSpace(raw); raw[0] {
	case '{':
		var o object
		if err := json.Unmarshal(raw, &o); err != nil {
			return nil, err
		}
		for name, value := range o {
			changed, err := withNull(value)
			if err != nil {
				return nil, err
			}
			o[name] = changed
		}
		if string(o["nullable"]) == "true" {
			delete(o, "nullable")
			return either(o, `{"type":"null"}`)
		}
		return json.Marshal(o)
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, err
		}
		for i, value := range list {
			changed, err := withNull(value)
			if err != nil {
				return nil, err
			}
			list[i] = changed
		}
		return json.Marshal(list)
	}
	return raw, nil
}

// either is the schema of what fits o or the other one.
func either(o object, other string) (json.RawMessage, error) {
	first, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string][]json.RawMessage{"anyOf": {first, json.RawMessage(other)}})
}

// steps are the parts of a pointer.
func steps(pointer string) []string {
	if pointer == "" {
		return nil
	}
	return strings.Split(pointer, "/")
}

// apply changes the schema that path leads to.
func (t tolerance) apply(raw json.RawMessage, path []string) (json.RawMessage, error) {
	if len(path) > 0 && len(raw) > 0 && raw[0] == '[' {
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, err
		}
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(list) {
			return nil, fmt.Errorf("the schema has no element %s", path[0])
		}
		if list[i], err = t.apply(list[i], path[1:]); err != nil {
			return nil, err
		}
		return json.Marshal(list)
	}
	var o object
	if err := json.Unmarshal(raw, &o); err != nil {
		return nil, fmt.Errorf("the schema has no object: %w", err)
	}
	if len(path) > 0 {
		changed, err := t.apply(o[path[0]], path[1:])
		if err != nil {
			return nil, err
		}
		o[path[0]] = changed
		return json.Marshal(o)
	}
	if t.also != "" {
		return either(o, t.also)
	}
	return withoutRequired(o, t.optional)
}

// withoutRequired is the schema o with an optional member.
func withoutRequired(o object, member string) (json.RawMessage, error) {
	var required []string
	if err := json.Unmarshal(o["required"], &required); err != nil {
		return nil, err
	}
	i := slices.Index(required, member)
	if i < 0 {
		return nil, fmt.Errorf("%s is not required", member)
	}
	changed, err := json.Marshal(slices.Delete(required, i, i+1))
	if err != nil {
		return nil, err
	}
	o["required"] = changed
	return json.Marshal(o)
}
