package config

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// section is a struct of the config file with its defaults set.
type section struct {
	v    reflect.Value
	path string
}

// sections walks the config file's structs, each once.
func sections() []section {
	cfg := &Config{Providers: make([]Provider, 1), Models: make([]Model, 1), Keys: make([]Key, 1)}
	cfg.setDefaults()
	cfg.Providers[0].setDefaults()
	cfg.Models[0].setDefaults()
	cfg.Providers[0].Entra = new(Entra)
	cfg.Providers[0].Entra.setDefaults()
	cfg.Models[0].Targets = []Target{{Price: &Price{Long: make([]LongPrice, 1), Tiers: make([]TierPrice, 1)}}}
	cfg.Models[0].Targets[0].setDefaults()
	cfg.Models[0].Targets[0].Capabilities = new(Capabilities)
	cfg.Models[0].Fallbacks.setDefaults()
	cfg.Models[0].Hedge = new(Hedge)
	cfg.Models[0].Hedge.setDefaults()
	cfg.Listen.TLS = &TLS{}
	cfg.Secrets.Vault.Kubernetes = new(VaultKubernetes)
	cfg.Secrets.Vault.Kubernetes.setDefaults()
	var list []section
	seen := map[reflect.Type]bool{}
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		switch kindOf(v) {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem(), path)
			}
		case reflect.Slice:
			if v.Len() > 0 {
				walk(v.Index(0), path)
			}
		case reflect.Struct:
			if seen[v.Type()] {
				return
			}
			seen[v.Type()] = true
			list = append(list, section{v, path})
			for _, f := range fieldsOf(v.Type()) {
				walk(v.FieldByIndex(f.index), path+"."+f.name)
			}
		}
	}
	walk(reflect.ValueOf(cfg).Elem(), "")
	return list
}

// decodeField reads text as the value of a field, with references allowed to dangle.
func decodeField(t *testing.T, text string, f field, typ reflect.Type) (reflect.Value, Errors) {
	t.Helper()
	var n yaml.Node
	if err := yaml.Load([]byte(text), &n); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	d := &decoder{
		loader: &Loader{Env: func(string) (string, bool) { return "value", true }, ReadFile: func(string) ([]byte, error) { return []byte("value"), nil }},
		at:     map[any]place{}, key: map[any]place{}, failed: map[any]bool{}, source: map[any]string{}, written: map[any]string{}, readings: map[Reference]Reading{},
	}
	v := reflect.New(typ).Elem()
	if f.named {
		d.named(n.Content[0], v, f.name)
	} else {
		d.value(n.Content[0], v, f.name)
	}
	return v, d.errs
}

// TestManual holds the comments to the code: every field has one, its examples are read without an error, and the
// default it names is the default.
func TestManual(t *testing.T) {
	t.Parallel()
	manual, err := parseComments()
	if err != nil {
		t.Fatal(err)
	}
	defaults := regexp.MustCompile("Default `([^`]+)`")
	examples := regexp.MustCompile("Example: (.*)$")
	quoted := regexp.MustCompile("`([^`]+)`")
	fields := 0
	for _, s := range sections() {
		name := s.v.Type().Name()
		if manual[name] == "" {
			t.Errorf("%s has no comment", name)
		}
		for _, f := range fieldsOf(s.v.Type()) {
			fields++
			v, path := s.v.FieldByIndex(f.index), s.path+"."+f.name
			owner := name
			if n := len(f.index) - 1; n > 0 {
				owner = s.v.Type().FieldByIndex(f.index[:n]).Type.Name()
			}
			comment := manual[owner+"."+s.v.Type().FieldByIndex(f.index).Name]
			if len(comment) < 20 || !strings.HasSuffix(comment, ".") {
				t.Errorf("%s: comment %q", path, comment)
			}
			if match := defaults.FindStringSubmatch(comment); match != nil {
				got, errs := decodeField(t, match[1], f, v.Type())
				if l, ok := v.Addr().Interface().(*Listener); ok {
					l.TLS = nil
				}
				if len(errs) > 0 || !reflect.DeepEqual(got.Interface(), v.Interface()) {
					t.Errorf("%s: the comment's default is %s, the real one %v; %v", path, match[1], v, errs)
				}
			} else if k := kindOf(v); k != reflect.Struct && k != reflect.Slice && k != reflect.Pointer && !v.IsZero() && !strings.Contains(comment, "Default: ") {
				t.Errorf("%s: the comment does not name the default %v", path, v)
			}
			if match := examples.FindStringSubmatch(comment); match != nil {
				for _, example := range quoted.FindAllStringSubmatch(match[1], -1) {
					if _, errs := decodeField(t, example[1], f, v.Type()); len(errs) > 0 {
						t.Errorf("%s: example %s: %v", path, example[1], errs)
					}
				}
			}
		}
	}
	if fields < 50 {
		t.Errorf("only %d fields seen", fields)
	}
}

// shape of a JSON Schema, as far as the tests look into it.
type schemaNode struct {
	Defs                 map[string]*schemaNode `json:"$defs"`
	Ref                  string                 `json:"$ref"`
	Description          string                 `json:"description"`
	Type                 string                 `json:"type"`
	Pattern              string                 `json:"pattern"`
	Enum                 []any                  `json:"enum"`
	Const                json.Number            `json:"const"`
	Required             []string               `json:"required"`
	Properties           map[string]*schemaNode `json:"properties"`
	AdditionalProperties json.RawMessage        `json:"additionalProperties"`
	Items                *schemaNode            `json:"items"`
	AnyOf                []*schemaNode          `json:"anyOf"`
	OneOf                []*schemaNode          `json:"oneOf"`
}

func TestSchema(t *testing.T) {
	t.Parallel()
	text, err := Schema(testKinds())
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/schema.json", string(text)+"\n")
	var root schemaNode
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	for _, s := range sections() {
		name := s.v.Type().Name()
		def := root.Defs[name]
		if name == "Config" {
			def = &root
		}
		if def == nil {
			t.Errorf("no definition of %s", name)
			continue
		}
		for _, one := range def.OneOf { // the long form
			if one.Type == "object" {
				def = one
			}
		}
		if string(def.AdditionalProperties) != "false" {
			t.Errorf("%s takes unknown fields", name)
		}
		fields := fieldsOf(s.v.Type())
		for _, f := range fields {
			if p := def.Properties[f.name]; p == nil || p.Description == "" {
				t.Errorf("%s.%s is missing or without a description", name, f.name)
			}
			if slices.Contains(def.Required, f.name) != f.required {
				t.Errorf("%s.%s: required is %v", name, f.name, f.required)
			}
		}
		if len(def.Properties) != len(fields) {
			t.Errorf("%s has %d properties, want %d", name, len(def.Properties), len(fields))
		}
	}
}

// accepts judges YAML by the schema, as far as it uses the keywords of schemaNode.
func (s *schemaNode) accepts(root *schemaNode, n *yaml.Node) bool {
	if s.Ref != "" {
		return root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")].accepts(root, n)
	}
	matches := func(list []*schemaNode) (count int) {
		for _, one := range list {
			if one.accepts(root, n) {
				count++
			}
		}
		return count
	}
	switch {
	case len(s.AnyOf) > 0:
		return matches(s.AnyOf) > 0
	case len(s.OneOf) > 0:
		return matches(s.OneOf) == 1
	case s.Const != "":
		return n.Value == string(s.Const)
	case len(s.Enum) > 0:
		return n.Kind == yaml.ScalarNode && slices.Contains(s.Enum, any(n.Value))
	}
	switch s.Type {
	case "object":
		return n.Kind == yaml.MappingNode && s.acceptsFields(root, n)
	case "array":
		return n.Kind == yaml.SequenceNode && !slices.ContainsFunc(n.Content, func(item *yaml.Node) bool { return !s.Items.accepts(root, item) })
	case "boolean":
		return n.Tag == "!!bool"
	case "integer":
		return n.Tag == "!!int"
	case "number":
		return n.Tag == "!!int" || n.Tag == "!!float"
	case "string":
		return n.Kind == yaml.ScalarNode && (n.Tag == "!!str" || n.Tag == "!!timestamp") && regexp.MustCompile(s.Pattern).MatchString(n.Value)
	}
	return true
}

func (s *schemaNode) acceptsFields(root *schemaNode, n *yaml.Node) bool {
	var others *schemaNode
	if string(s.AdditionalProperties) != "false" {
		others = &schemaNode{}
		if err := json.Unmarshal(s.AdditionalProperties, others); err != nil {
			panic(err)
		}
	}
	var seen []string
	for i := 0; i < len(n.Content); i += 2 {
		name := n.Content[i].Value
		seen = append(seen, name)
		p := s.Properties[name]
		if p == nil {
			p = others
		}
		if p == nil || !p.accepts(root, n.Content[i+1]) {
			return false
		}
	}
	return !slices.ContainsFunc(s.Required, func(name string) bool { return !slices.Contains(seen, name) })
}

// TestSchemaAgrees runs files that are good through the schema, and some that are not.
func TestSchemaAgrees(t *testing.T) {
	t.Parallel()
	text, err := Schema(testKinds())
	if err != nil {
		t.Fatal(err)
	}
	var root schemaNode
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	judge := func(text []byte) bool {
		var n yaml.Node
		if err := yaml.Load(text, &n); err != nil {
			t.Fatal(err)
		}
		return root.accepts(&root, n.Content[0])
	}
	for _, path := range []string{"testdata/good/full.yaml", "testdata/good/contract.yaml"} {
		data, err := readFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !judge(data) {
			t.Errorf("the schema refuses %s", path)
		}
	}
	for _, loader := range []Loader{{Kinds: testKinds()}, testLoader()} {
		if !judge(loader.Starter("./weir.schema.json")) {
			t.Error("the schema refuses the starter file")
		}
	}
	for _, bad := range []string{
		"polcy: x", "providers: {a: {kind: nonsense}}", "providers: {a: {}}", "models: {a: [b/c]}", "models: {a: {targets: [x]}}",
		"models: {a: {targets: [{provider: x}]}}", "listen: {}\nlimits: {depth: x}", "drain: {delay: 5}", "limits: {body: 5Q}",
		"keys: [{name: a, digest: b}]", "models: {a: {targets: [a/b], policy: fair}}", "models: {a: {targets: [a/b], sticky: true}}",
		"models: {a: {targets: [a/b], fallbacks: b}}", "models: {a: {targets: [a/b], fallbacks: {on: [errors], to: [b]}}}", "models: {a: {targets: [a/b], fallbacks: {on: [error]}}}",
		"models: {a: {targets: [a/b], retries: {budget: 10}}}", "models: {a: {targets: [{provider: a, model: b, price: {input: cheap, output: 1}}]}}",
		"models: {a: {targets: [{provider: a, model: b, price: {input: 1}}]}}", "metrics: {token: maybe}",
		"models: {a: {targets: [a/b, a/c], hedge: {after: p99}}}", "models: {a: {targets: [a/b, a/c], hedge: p95}}", "models: {a: {targets: [a/b, a/c], hedge: {budget: 5}}}",
	} {
		if judge([]byte(bad)) {
			t.Errorf("the schema accepts %s", bad)
		}
	}
}
