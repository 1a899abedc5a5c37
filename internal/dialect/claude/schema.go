package claude

import (
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Fit is a schema in the form for structured output, with Claude and on Bedrock. Bounds are refused there, so they move into the
// description, and objects are closed. lost says that there were such bounds; ok is false for a schema that has no such form. What
// fits as it is, is returned as it is spelled. https://platform.claude.com/docs/en/build-with-claude/structured-outputs
func Fit(schema llm.JSON) (fitted llm.JSON, lost, ok bool) {
	f := fitter{uses: map[string][]string{}}
	f.schema(schema, 0)
	switch {
	case f.unfit || f.circular():
		return nil, false, false
	case !f.changed:
		return schema, false, true
	}
	return f.out, f.lost, true
}

// Fits reports whether a schema can be sent as it is spelled. That of a tool without parameters is Weir's own.
func Fits(schema llm.JSON) bool {
	if jsonwalk.Empty(schema) {
		return true
	}
	fitted, lost, ok := Fit(schema)
	return ok && !lost && len(fitted) == len(schema)
}

// Told is the form of an answer as a schema can give it to the model, without the bounds that are lost. ok is false if no schema
// can. What other vendors refuse, who have their models speak the same dialect, is not known.
func (p *Plan) Told(f llm.Format) (told llm.Format, lost, ok bool) {
	if f.Kind != llm.FormatSchema || p.prefix == "" {
		return f, false, true
	}
	f.Schema, lost, ok = Fit(f.Schema)
	return f, lost, ok
}

// Strict reports whether the model can be held to the parameters of a tool.
func (p *Plan) Strict(t *llm.Tool) bool { return p.Schema && (p.prefix == "" || Fits(t.Schema)) }

// SchemaParam is the parameter whose bounds may be lost.
const SchemaParam = "response_format.json_schema.schema"

// fitter is the state of one Fit.
type fitter struct {
	out                  []byte
	changed, lost, unfit bool
	at                   string              // the definition that is written, "" outside of all
	uses                 map[string][]string // the definitions that each refers to
}

// maxSchema is how deep a schema may be.
const maxSchema = 64

// formats are those of strings that are known.
var formats = []string{"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}

// bound reports whether a member of a schema is a bound that is refused.
func bound(name string, v llm.JSON) bool {
	switch name {
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "maxItems", "uniqueItems",
		"minProperties", "maxProperties":
		return true
	case "minItems":
		return string(v) != "0" && string(v) != "1"
	case "format":
		return !slices.Contains(formats, v.Text())
	}
	return false
}

// shape is what is looked for in a schema before it is written.
type shape struct {
	bounds                    []byte // bounds as the description has them, without quotes
	object, named, closed     bool
	described, several, forks bool
}

func (f *fitter) look(schema llm.JSON) (s shape) {
	for name, v := range jsonwalk.Members(schema) {
		v := llm.JSON(v)
		switch name := string(name); name {
		case "type":
			s.object = s.object || strings.Contains(string(v), `"object"`)
		case "properties":
			s.object, s.named = true, !jsonwalk.Empty(v)
		case "additionalProperties":
			s.closed = true
			f.unfit = f.unfit || string(v) != "false"
		case "description":
			s.described = true
			f.unfit = f.unfit || v.Kind() != '"'
		case "anyOf":
			s.several = true
		case "oneOf":
			s.forks = true
		case "not", "if", "then", "else", "patternProperties", "propertyNames", "dependentSchemas", "dependentRequired", "unevaluatedProperties",
			"unevaluatedItems", "contains", "prefixItems", "$dynamicRef":
			f.unfit = true
		default:
			if bound(name, v) {
				if len(s.bounds) > 0 {
					s.bounds = append(s.bounds, ", "...)
				}
				s.bounds = append(append(append(s.bounds, name...), ": "...), llm.JSON(llm.AppendQuote(nil, []byte(v))).Inner()...)
			}
		}
	}
	return s
}

// schema writes a schema.
func (f *fitter) schema(schema llm.JSON, depth int) {
	if depth++; schema.Kind() != '{' || depth > maxSchema {
		f.unfit = true
		return
	}
	s := f.look(schema)
	// An open object that names nothing is any object, and would be an empty one if it were closed.
	f.unfit = f.unfit || s.object && !s.closed && !s.named || s.several && s.forks
	sep := "{"
	write := func(name string) {
		f.out = append(llm.AppendQuote(append(f.out, sep...), name), ':')
		sep = ","
	}
	for name, v := range jsonwalk.Members(schema) {
		v := llm.JSON(v)
		switch name := string(name); {
		case bound(name, v):
			f.changed, f.lost = true, true
		case name == "description" && s.described && len(s.bounds) > 0:
			write(name)
			f.out = append(append(append(append(f.out, v[:len(v)-1]...), " ("...), s.bounds...), `)"`...)
		case name == "oneOf":
			f.changed = true
			write("anyOf")
			f.list(v, depth)
		default:
			write(name)
			f.member(name, v, depth)
		}
	}
	if len(s.bounds) > 0 && !s.described {
		write("description")
		f.out = append(append(append(f.out, '"'), s.bounds...), '"')
	}
	if s.object && !s.closed {
		f.changed = true
		write("additionalProperties")
		f.out = append(f.out, "false"...)
	}
	if sep == "{" {
		f.out = append(f.out, sep...)
	}
	f.out = append(f.out, '}')
}

// member writes the value of a member of a schema.
func (f *fitter) member(name string, v llm.JSON, depth int) {
	switch name {
	case "items":
		f.schema(v, depth)
	case "anyOf", "allOf":
		f.list(v, depth)
	case "properties":
		f.schemas(v, depth, false)
	case "$defs", "definitions":
		f.schemas(v, depth, depth == 1)
	case "$ref":
		ref := v.Text()
		to, ok := strings.CutPrefix(ref, "#/$defs/")
		if !ok {
			to, ok = strings.CutPrefix(ref, "#/definitions/")
		}
		f.unfit = f.unfit || !ok
		f.uses[f.at] = append(f.uses[f.at], to)
		fallthrough
	default:
		f.out = append(f.out, v...)
	}
}

// list writes a list of schemas.
func (f *fitter) list(list llm.JSON, depth int) {
	f.unfit = f.unfit || list.Kind() != '['
	f.out = append(f.out, '[')
	for i, v := range jsonwalk.Elements(list) {
		if i > 0 {
			f.out = append(f.out, ',')
		}
		f.schema(v, depth)
	}
	f.out = append(f.out, ']')
}

// schemas writes an object of schemas, whose names are the caller's, be they those of definitions.
func (f *fitter) schemas(object llm.JSON, depth int, definitions bool) {
	f.unfit = f.unfit || object.Kind() != '{'
	sep := "{"
	for name, v := range jsonwalk.Members(object) {
		if definitions {
			f.at = string(name)
		}
		f.out = append(llm.AppendQuote(append(f.out, sep...), name), ':')
		f.schema(v, depth)
		sep = ","
	}
	if definitions {
		f.at = ""
	}
	if sep == "{" {
		f.out = append(f.out, sep...)
	}
	f.out = append(f.out, '}')
}

// circular reports whether a definition refers to itself, by others or at once.
func (f *fitter) circular() bool {
	const entered, left = 1, 2
	state := map[string]int{}
	var leadsBack func(name string) bool
	leadsBack = func(name string) bool {
		switch state[name] {
		case entered:
			return true
		case left:
			return false
		}
		state[name] = entered
		back := slices.ContainsFunc(f.uses[name], leadsBack)
		state[name] = left
		return back
	}
	for name := range f.uses {
		if leadsBack(name) {
			return true
		}
	}
	return false
}
