package config

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/secret"
)

// replaced matches values that ${…} fills in, so that their type shows only when the file is read.
const replaced = `\$\{`

// Schema is the JSON Schema (2020-12) of the config file, as indented JSON. Its descriptions are the
// comments of the structs. It is for editors; `weir check` finds more.
func Schema(kinds []Kind) ([]byte, error) {
	manual, err := parseComments()
	if err != nil {
		return nil, fmt.Errorf("reading the field comments: %w", err)
	}
	reflector := &jsonschema.Reflector{
		Anonymous:                  true,
		ExpandedStruct:             true,
		RequiredFromJSONSchemaTags: true,
		FieldNameTag:               "yaml",
		Mapper:                     scalarSchema,
		LookupComment: func(t reflect.Type, field string) string {
			if field == "" {
				return manual[t.Name()]
			}
			return manual[t.Name()+"."+field]
		},
	}
	root := reflector.Reflect(&Config{})
	root.Title = "Weir's config file"
	root.Description = "See `weir check` for what a schema cannot say."
	nameEntries(root, "providers", "Provider", `^[^\s/*]+$`)
	nameEntries(root, "models", "Model", `^([^\s*]([^*]*[^\s*])?\*?|[^\s*][^*]*\*|\*)$`)
	allowText(root, "Listener", `^.*:[0-9]+$|`+replaced)
	allowText(root, "Target", `^[^/]+/.+$|`+replaced)
	allowText(root, "PriceUnknown", `^(deny|free)$|`+replaced)
	allow(root, "Fallbacks", &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}})
	loader := Loader{Kinds: kinds}
	setEnum(property(root.Definitions["Provider"], "kind"), loader.kindNames())
	return json.MarshalIndent(root, "", "  ")
}

// scalarSchema is the schema of the types that are written as one scalar; nil for all others.
func scalarSchema(t reflect.Type) *jsonschema.Schema {
	text := func(pattern string) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Pattern: pattern} }
	switch t {
	case reflect.TypeFor[JSON]():
		return &jsonschema.Schema{}
	case reflect.TypeFor[secret.Text](), reflect.TypeFor[Zone]():
		return text("")
	case reflect.TypeFor[time.Time]():
		return text(`^\d{4}-\d\d-\d\d|` + replaced)
	case reflect.TypeFor[Digest]():
		return text(`^sha256:[0-9a-fA-F]{64}$|` + replaced)
	case reflect.TypeFor[Duration]():
		zero := &jsonschema.Schema{Const: 0}
		return anyOf(zero, text(`^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$|`+replaced))
	case reflect.TypeFor[Size]():
		return anyOf(&jsonschema.Schema{Type: "integer", Minimum: "0"}, text(`^[0-9]+ ?([KMG]?i?B)?$|`+replaced))
	case reflect.TypeFor[API]():
		return oneOf([]API{APIChat, APIMessages, APIResponses})
	case reflect.TypeFor[StreamUsage]():
		return oneOf([]StreamUsage{StreamUsageAuto, StreamUsageAlways, StreamUsageNever})
	case reflect.TypeFor[Days]():
		return text(`^[0-9]+d$|` + replaced)
	case reflect.TypeFor[Store]():
		return text(`^(sqlite:|postgres(ql)?://)|` + replaced)
	case reflect.TypeFor[CostSource]():
		return oneOf(costSources[:])
	case reflect.TypeFor[Policy]():
		return oneOf(policies[:])
	case reflect.TypeFor[Sticky]():
		return oneOf(stickies[:])
	case reflect.TypeFor[Cause]():
		return oneOf(causes[:])
	case reflect.TypeFor[SamplingParam]():
		return oneOf(samplingParams[:])
	case reflect.TypeFor[Reasoning]():
		return oneOf(reasonings[:])
	case reflect.TypeFor[Effort]():
		return oneOf(efforts[:])
	case reflect.TypeFor[Lateness]():
		return text(`^(p95|([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+)$|` + replaced)
	case reflect.TypeFor[Percent]():
		return text(`^[0-9]+(\.[0-9]+)?%$|` + replaced)
	case reflect.TypeFor[Network]():
		return text(`^[0-9a-fA-F.:]+(/[0-9]+)?$|` + replaced)
	}
	if of := cmp.Or(spendingSchema(t), choiceSchema(t)); of != nil {
		return of
	}
	switch t.Kind() {
	case reflect.Bool:
		return anyOf(&jsonschema.Schema{Type: "boolean"}, text(replaced))
	case reflect.Int:
		return anyOf(&jsonschema.Schema{Type: "integer"}, text(replaced))
	}
	return nil
}

// choiceSchema is the schema of the types that choose what Weir itself does; nil for others.
func choiceSchema(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[Durability]():
		return oneOf(durabilities[:])
	case reflect.TypeFor[Unrecorded]():
		return oneOf(unrecorded[:])
	case reflect.TypeFor[Unanswered]():
		return oneOf(unanswered[:])
	case reflect.TypeFor[TokenLogin]():
		return oneOf(tokenLogins[:])
	}
	return nil
}

// spendingSchema is the schema of the types that say what may be spent, and of amounts; nil for others.
func spendingSchema(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[Reserve]():
		return oneOf(reserves[:])
	case reflect.TypeFor[Dollars]():
		return anyOf(&jsonschema.Schema{Type: "number", Minimum: "0"}, &jsonschema.Schema{Type: "string", Pattern: `^[0-9]+(\.[0-9]+)?$|` + replaced})
	case reflect.TypeFor[Share]():
		return &jsonschema.Schema{Type: "string", Pattern: `^[0-9]+%$|` + replaced}
	case reflect.TypeFor[budget.Spec]():
		return &jsonschema.Schema{Type: "string", Pattern: `^[0-9]+(\.[0-9]+)?(usd|tok|ktok|Mtok)/(hour|day|week|month|total)$|` + replaced}
	}
	return nil
}

func anyOf(schemas ...*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: schemas}
}

func property(s *jsonschema.Schema, name string) *jsonschema.Schema {
	p, _ := s.Properties.Get(name)
	return p
}

// oneOf is the schema of a type whose values are these words.
func oneOf[T ~string](words []T) *jsonschema.Schema {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = string(w)
	}
	s := &jsonschema.Schema{}
	setEnum(s, list)
	return s
}

// setEnum restricts a string to the given values, or to one that ${…} fills in.
func setEnum(s *jsonschema.Schema, values []string) {
	enum := make([]any, len(values))
	for i, v := range values {
		enum[i] = v
	}
	s.Type = ""
	s.AnyOf = []*jsonschema.Schema{{Enum: enum}, {Type: "string", Pattern: replaced}}
}

// nameEntries turns a list into what the file has in its place: a mapping whose keys are the names.
func nameEntries(root *jsonschema.Schema, field, definition, pattern string) {
	longest, shortest := uint64(maxName), uint64(1)
	p := property(root, field)
	p.Type, p.Items = "object", nil
	p.AdditionalProperties = &jsonschema.Schema{Ref: "#/$defs/" + definition}
	p.PropertyNames = &jsonschema.Schema{Pattern: pattern, MinLength: &shortest, MaxLength: &longest}
}

// allowText lets a definition be written in its short form too.
func allowText(root *jsonschema.Schema, definition, pattern string) {
	allow(root, definition, &jsonschema.Schema{Type: "string", Pattern: pattern})
}

// allow lets a definition be written in a short form too.
func allow(root *jsonschema.Schema, definition string, short *jsonschema.Schema) {
	object := *root.Definitions[definition]
	description := object.Description
	object.Description = ""
	root.Definitions[definition] = &jsonschema.Schema{
		Description: description,
		OneOf:       []*jsonschema.Schema{short, &object},
	}
}
