package gemini

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// DecodeEmbeddings is a body of batchEmbedContents in the typed model, as the API's server reads it. All of a batch has to be asked
// for alike.
func DecodeEmbeddings(body []byte) (*llm.EmbeddingRequest, *llm.Error) {
	d := embedDecoder{Reading: draft.ReadingOf(body)}
	for name, v := range d.given(body, "") {
		if string(name) != "requests" {
			d.unknown("", name)
			continue
		}
		for i, one := range jsonwalk.Elements(v) {
			d.request(i, fmt.Sprintf("requests[%d]", i), one)
		}
	}
	return d.done("requests")
}

// DecodeVertexEmbeddings is a body of :predict or of :embedContent, as Vertex AI reads it. The model is not in it but in the path.
func DecodeVertexEmbeddings(body []byte) (*llm.EmbeddingRequest, *llm.Error) {
	d := embedDecoder{Reading: draft.ReadingOf(body)}
	truncate := llm.JSON("true") // what holds unless it is said
	for name, v := range d.given(body, "") {
		switch string(camel(name)) {
		case "instances":
			for i, one := range jsonwalk.Elements(v) {
				d.instance(i, fmt.Sprintf("instances[%d]", i), one)
			}
		case "content":
			d.out.Inputs = append(d.out.Inputs, d.text("content", v))
		case "parameters", "embedContentConfig":
			for inner, v := range d.given(v, string(name)) {
				switch string(camel(inner)) {
				case "autoTruncate":
					if d.Is(v, 't', string(name)+".autoTruncate") {
						truncate = v
					}
				case "outputDimensionality":
					d.dimensions(string(name), &d.out, v)
				default:
					d.unknown(string(name), inner)
				}
			}
		default:
			d.unknown("", name)
		}
	}
	d.out.Params = append(d.out.Params, llm.Param{Name: "auto_truncate", Value: truncate})
	return d.done("instances")
}

// embedDecoder is the state of reading one call.
type embedDecoder struct {
	draft.Reading
	out llm.EmbeddingRequest
}

func (d *embedDecoder) done(inputs string) (*llm.EmbeddingRequest, *llm.Error) {
	if len(d.out.Inputs) == 0 {
		d.Missing(inputs)
	}
	if d.Bad != nil {
		return nil, d.Bad
	}
	return &d.out, nil
}

// given are the members of an object that has to be one.
func (d *embedDecoder) given(value llm.JSON, param string) func(func([]byte, llm.JSON) bool) {
	if d.Bad == nil {
		d.Is(value, '{', param)
	}
	return draft.Given(value)
}

func (d *embedDecoder) unknown(param string, name []byte) {
	if param != "" {
		param += "."
	}
	param += string(name)
	d.Wrong(llm.InvalidValue, param, fmt.Sprintf("'%s' is an unknown field.", param))
}

// request reads one request of a batch.
func (d *embedDecoder) request(i int, param string, value llm.JSON) {
	var r llm.EmbeddingRequest
	for name, v := range d.given(value, param) {
		switch own := string(camel(name)); own {
		case "model":
			var ok bool
			if r.Model, ok = strings.CutPrefix(v.Text(), "models/"); !ok {
				d.Wrong(llm.InvalidValue, param+".model", fmt.Sprintf("'%s.model' must begin with models/, as the model of a request does.", param))
			}
		case "content":
			d.out.Inputs = append(d.out.Inputs, d.text(param+".content", v))
		case "taskType":
			d.task(param, &r, v)
		case "outputDimensionality":
			d.dimensions(param, &r, v)
		default:
			d.unknown(param, name)
		}
	}
	if i == 0 {
		d.out.Model, d.out.Dimensions = r.Model, r.Dimensions
	}
	if d.out.Model != r.Model || d.out.Dimensions != r.Dimensions {
		d.differs(param)
	}
	d.alike(i, param, r)
}

// instance reads one of the inputs of :predict.
func (d *embedDecoder) instance(i int, param string, value llm.JSON) {
	var r llm.EmbeddingRequest
	var text llm.JSON
	for name, v := range d.given(value, param) {
		switch string(name) { // as it is: these are free of the rest's rules
		case "content":
			d.Is(v, '"', param+".content")
			text = v
		case "task_type":
			d.task(param, &r, v)
		default:
			d.unknown(param, name)
		}
	}
	if text == nil {
		d.Missing(param + ".content")
	}
	d.out.Inputs = append(d.out.Inputs, text)
	d.alike(i, param, r)
}

// alike takes the task of the first input, which all others must have, too.
func (d *embedDecoder) alike(i int, param string, r llm.EmbeddingRequest) {
	if i == 0 {
		d.out.Params = r.Params
		return
	}
	same := len(d.out.Params) == len(r.Params) && (len(r.Params) == 0 || bytes.Equal(d.out.Params[0].Value, r.Params[0].Value))
	if !same {
		d.differs(param)
	}
}

func (d *embedDecoder) differs(param string) {
	d.Wrong(llm.UnsupportedParameter, param, fmt.Sprintf("'%s' asks for something else than the first one does. Send them apart.", param))
}

func (d *embedDecoder) task(param string, r *llm.EmbeddingRequest, value llm.JSON) {
	if d.Is(value, '"', param+".taskType") {
		r.Params = []llm.Param{{Name: "task_type", Value: value}}
	}
}

func (d *embedDecoder) dimensions(param string, r *llm.EmbeddingRequest, value llm.JSON) {
	n, err := strconv.ParseInt(string(value), 10, 32)
	if r.Dimensions = n; err != nil || n < 1 {
		d.Wrong(llm.InvalidValue, param+".outputDimensionality", fmt.Sprintf("'%s.outputDimensionality' must be a whole number above zero.", param))
	}
}

// text is the one text of a content.
func (d *embedDecoder) text(param string, value llm.JSON) (text llm.JSON) {
	parts := 0
	for name, v := range d.given(value, param) {
		if string(name) == "role" {
			continue
		}
		for _, part := range jsonwalk.Elements(v) {
			parts++
			for name, v := range d.given(part, param+".parts[0]") {
				if string(name) != "text" {
					d.unknown(param+".parts[0]", name)
				}
				text = v
			}
		}
	}
	if parts != 1 {
		d.Wrong(llm.UnsupportedParameter, param, fmt.Sprintf("'%s' has %d parts, and must have one.", param, parts))
	}
	d.Is(text, '"', param+".parts[0].text")
	return text
}
