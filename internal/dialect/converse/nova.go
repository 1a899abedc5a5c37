package converse

import (
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// flatten is the schema of a tool's parameters as Nova takes it: without definitions, what they define in place of the references to
// them. lost says that this was not possible everywhere. A schema without any stays as it is spelled. grown is by how much those before
// it in the request have grown.
func flatten(schema llm.JSON, grown *int) (flat llm.JSON, lost bool) {
	f := flattener{defs: map[string]llm.JSON{}, most: maxFlat + len(schema) - *grown}
	for name, v := range jsonwalk.Members(schema) {
		if defines(name) {
			for def, v := range jsonwalk.Members(v) {
				f.defs[string(def)] = v
			}
		}
	}
	if len(f.defs) == 0 {
		return schema, false
	}
	sep := "{"
	for name, v := range jsonwalk.Members(schema) {
		if !defines(name) {
			f.out = append(llm.AppendQuote(append(f.out, sep...), name), ':')
			f.value(v, nil)
			sep = ","
		}
	}
	if sep == "{" {
		f.out = append(f.out, sep...)
	}
	f.out = append(f.out, '}')
	*grown += max(len(f.out)-len(schema), 0)
	return f.out, f.lost
}

// defines reports whether a member of a schema has definitions.
func defines(name []byte) bool { return string(name) == "$defs" || string(name) == "definitions" }

// maxFlat is by how much the schemas of a request may grow, all together.
const maxFlat = 256 << 10

// flattener is the state of one flatten.
type flattener struct {
	out  []byte
	most int
	defs map[string]llm.JSON
	lost bool
}

// value writes a value with what it refers to in place of references; open are the definitions around it.
func (f *flattener) value(v llm.JSON, open []string) {
	switch v.Kind() {
	case '{':
		if def, ok := reference(v); ok {
			f.definition(def, open)
			return
		}
		sep := "{"
		for name, v := range jsonwalk.Members(v) {
			f.out = append(llm.AppendQuote(append(f.out, sep...), name), ':')
			f.value(v, open)
			sep = ","
		}
		if sep == "{" {
			f.out = append(f.out, sep...)
		}
		f.out = append(f.out, '}')
	case '[':
		f.out = append(f.out, '[')
		for i, v := range jsonwalk.Elements(v) {
			if i > 0 {
				f.out = append(f.out, ',')
			}
			f.value(v, open)
		}
		f.out = append(f.out, ']')
	default:
		f.out = append(f.out, v...)
	}
}

// definition writes what a reference refers to, any object in place of one that leads back to itself or is not there.
func (f *flattener) definition(name string, open []string) {
	def, ok := f.defs[name]
	if !ok || slices.Contains(open, name) || len(f.out)+len(def) > f.most {
		f.lost = true
		f.out = append(f.out, `{"type":"object"}`...)
		return
	}
	f.value(def, append(slices.Clip(open), name))
}

// reference is the definition that a schema refers to. A property may have that name, too: its value is no text.
func reference(schema llm.JSON) (name string, ok bool) {
	ref := member(schema, "$ref")
	if ref.Kind() != '"' {
		return "", false
	}
	text := ref.Text()
	return text[strings.LastIndexByte(text, '/')+1:], true
}
