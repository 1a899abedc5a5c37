package converse

import (
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Decode reads a body of POST /model/{model}/converse. Texts, schemas and numbers keep their spelling and alias the body. What the
// API does not know is kept for it all the same: it is the API's to judge.
func Decode(model string, body []byte) (*llm.Request, *llm.Error) {
	d := decoder{Reading: draft.ReadingOf(body), maker: Maker(model)}
	d.Out.Model = model
	for name, v := range draft.Given(body) {
		d.member(string(name), v)
	}
	if d.choosing != nil && !d.serial(d.choosing) {
		d.extra(additional+".", toolChoice, d.choosing)
	}
	return d.Done()
}

// decoder is the state of one Decode.
type decoder struct {
	draft.Reading
	maker    string   // maker of the model, and so of the reasoning that is sent to it
	choosing llm.JSON // how Claude must call tools, in addition to toolConfig; nil if unset
}

func (d *decoder) member(name string, v llm.JSON) {
	switch name {
	case "messages":
		if d.Is(v, '[', name) {
			for i, turn := range jsonwalk.Elements(v) {
				d.turn(i, turn)
			}
		}
	case "system":
		d.Out.System = d.blocks(name, v)
	case "inferenceConfig":
		d.each(name, v, d.inference)
	case "toolConfig":
		d.each(name, v, d.toolConfig)
	case "outputConfig":
		d.form(name, v)
	case "additionalModelRequestFields":
		d.additional(name, v)
	case "serviceTier":
		if typ := only(v, "type"); typ != nil {
			d.Param("service_tier", typ)
		} else {
			d.extra("", name, v)
		}
	case "requestMetadata":
		if jsonwalk.Empty(v) {
			return
		}
		if tags(v) {
			d.Param("metadata", v)
		} else {
			d.extra("", name, v)
		}
	default:
		d.extra("", name, v)
	}
}

// each takes the members of an object, those that are not null.
func (d *decoder) each(path string, v llm.JSON, take func(path, name string, v llm.JSON)) {
	if !d.Is(v, '{', path) {
		return
	}
	for name, v := range draft.Given(v) {
		take(path+"."+string(name), string(name), v)
	}
}

// only is the one member of an object if it has that name, nil for another.
func only(object llm.JSON, name string) (value llm.JSON) {
	for n, v := range jsonwalk.Members(object) {
		if string(n) != name {
			return nil
		}
		value = v
	}
	return value
}

// extra keeps a member that other dialects do not know. above has the names around it, each followed by a dot.
func (d *decoder) extra(above, name string, v llm.JSON) {
	if strings.Contains(name, ".") { // it would look like a nested member
		d.Leave(above + name)
		return
	}
	d.Out.Extras = append(d.Out.Extras, llm.Extra{Of: llm.Converse, Name: above + name, Value: v})
}

func (d *decoder) inference(path, name string, v llm.JSON) {
	switch name {
	case "maxTokens":
		d.Out.MaxToken = d.Whole(v, path)
	case "temperature":
		d.number(name, path, v)
	case "topP":
		d.number("top_p", path, v)
	case "stopSequences":
		d.Out.Stop = d.Strings(v, path)
	default:
		d.Leave(path)
	}
}

// number takes a parameter that is a number.
func (d *decoder) number(name, path string, v llm.JSON) {
	if d.Is(v, '0', path) {
		d.Param(name, v)
	}
}

// form reads the form that the answer has to have, whose schema is a string.
func (d *decoder) form(path string, v llm.JSON) {
	text := only(v, "textFormat")
	if member(text, "type").Text() != "json_schema" {
		d.Wrong(llm.InvalidValue, path+".textFormat.type", "'outputConfig.textFormat.type' must be json_schema.")
		return
	}
	f := &d.Out.Format
	f.Kind = llm.FormatSchema
	structure := member(text, "structure")
	if count(text) > 2 || count(structure) > 1 {
		d.Leave(path + ".textFormat")
	}
	d.each(path+".textFormat.structure.jsonSchema", member(structure, "jsonSchema"), func(path, name string, v llm.JSON) {
		switch {
		case !d.Is(v, '"', path):
		case name == "schema":
			f.Schema = llm.JSON(v.Text())
		case name == "name":
			f.Name = v
		case name == "description":
			f.Description = v
		default:
			d.Leave(path)
		}
	})
	if f.Schema.Kind() != '{' || jsonwalk.Valid(f.Schema, jsonwalk.Options{}) != nil {
		d.Wrong(llm.InvalidValue, path+".textFormat.structure.jsonSchema.schema", "'outputConfig.textFormat.structure.jsonSchema.schema' must be a JSON schema, as a string.")
	}
}
