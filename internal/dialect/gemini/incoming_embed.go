package gemini

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/incoming"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// EmbedRequest is what Weir knows of a caller's body of embedContent or batchEmbedContents. It keeps the caller's bytes. It is immutable between
// Parse and Forget, and safe for concurrent use.
type EmbedRequest struct {
	incoming.Body
	batch bool
	added *llm.Added // what the target's config adds, nil for nothing
}

const requestsName = "requests"

// parseEmbed walks over raw once, strictly. The model is in the path. raw is kept and must not change.
func parseEmbed(raw []byte, batch bool, o dialect.ParseOptions) (*EmbedRequest, *llm.Error) {
	r := &EmbedRequest{batch: batch}
	if err := r.Parse(raw, o, nil, new(Request).take); err != nil {
		return nil, err
	}
	r.Endpoint, r.Inputs = llm.Embeddings, 1
	if batch {
		r.Inputs = 0
		for range jsonwalk.Elements(r.Value(requestsName)) {
			r.Inputs++
		}
	}
	return r, nil
}

// With implements dialect.Request.
func (r *EmbedRequest) With(added *llm.Added, _ llm.Endpoint, unheard []string) (dialect.Request, string, *llm.Error) {
	with := *r
	var replaced string
	with.added, replaced = incoming.Added(added, unheard, r.says)
	return &with, replaced, nil
}

// says reports whether the caller gave a parameter, which is named as in OpenAI's embeddings.
func (r *EmbedRequest) says(name string) bool { return r.find(name) != nil }

// find is the value of a parameter of the first vector, nil without one.
func (r *EmbedRequest) find(name string) llm.JSON {
	one := llm.JSON(r.Raw)
	if r.batch {
		one = nil
		for _, first := range jsonwalk.Elements(r.Value(requestsName)) {
			one = first
			break
		}
	}
	if v := inObject(one, embedName(name)); v != nil {
		return v
	}
	return inObject(inObject(one, "embedContentConfig"), embedName(name))
}

// Ours implements dialect.Request.
func (r *EmbedRequest) Ours(name string) bool {
	return r.added != nil && r.added.Has(name) && !r.says(name)
}

// Text implements dialect.Asking.
func (r *EmbedRequest) Text(name string) string { return r.find(name).Text() }

// AsksSchema implements dialect.Asking.
func (*EmbedRequest) AsksSchema() bool { return false }

// OffersTools implements dialect.Asking.
func (*EmbedRequest) OffersTools() bool { return false }

// Profile implements dialect.Request.
func (r *EmbedRequest) Profile(llm.Wants) llm.Profile { return llm.Profile{} }

// DecodeEmbeddings implements dialect.Embeddings. All of a batch has to be asked for alike.
func (r *EmbedRequest) DecodeEmbeddings(omit []string) (*llm.EmbeddingRequest, *llm.Error) {
	d := callerEmbeds{Reading: draft.ReadingOf(r.Raw), model: r.Model, omit: omit}
	if r.batch {
		for name, v := range draft.Given(r.Raw) {
			if string(name) != requestsName {
				d.unknown(string(name))
				continue
			}
			if d.Is(v, '[', requestsName) {
				for i, one := range jsonwalk.Elements(v) {
					d.request(fmt.Sprintf("requests[%d]", i), one)
				}
			}
		}
	} else {
		d.request("", r.Raw)
	}
	switch {
	case d.Bad != nil:
		return nil, d.Bad
	case len(d.out.Inputs) == 0:
		d.Missing(requestsName)
		return nil, d.Bad
	}
	d.add(r.added)
	d.out.Left = slices.Compact(d.out.Left)
	return &d.out, nil
}

// callerEmbeds is the state of reading a caller's request for vectors.
type callerEmbeds struct {
	draft.Reading
	model string // as the path names it
	omit  []string
	out   llm.EmbeddingRequest
}

// embedParams are the parameters of an embedding here, by their names in the typed model.
var embedParams = map[string]string{"taskType": "task_type", "outputDimensionality": "dimensions", "autoTruncate": "auto_truncate", "title": "title"}

// request reads the request for one vector.
func (d *callerEmbeds) request(param string, value llm.JSON) {
	if !d.Is(value, '{', param) {
		return
	}
	one := llm.EmbeddingRequest{}
	var text llm.JSON
	for name, v := range draft.Given(value) {
		at := join(param, string(name))
		switch own := string(camel(name)); own {
		case "model":
			d.named(at, v)
		case "content":
			text = d.text(at, v)
		case "embedContentConfig":
			if d.Is(v, '{', at) {
				for name, v := range draft.Given(v) {
					d.param(&one, join(at, string(name)), string(camel(name)), v)
				}
			}
		default:
			d.param(&one, at, own, v)
		}
	}
	if text == nil {
		d.Missing(join(param, "content"))
	}
	if len(d.out.Inputs) == 0 {
		d.out.Dimensions, d.out.Params = one.Dimensions, one.Params
	}
	if d.out.Dimensions != one.Dimensions || !slices.EqualFunc(d.out.Params, one.Params, same) {
		d.Wrong(llm.UnsupportedParameter, param, fmt.Sprintf("'%s' asks for something else than the first one does. Send them apart.", param))
	}
	d.out.Inputs = append(d.out.Inputs, text)
}

func same(a, b llm.Param) bool { return a.Name == b.Name && string(a.Value) == string(b.Value) }

func join(param, name string) string {
	if param == "" {
		return name
	}
	return param + "." + name
}

// named checks the name of the model, which the path says, too.
func (d *callerEmbeds) named(param string, v llm.JSON) {
	if !d.Is(v, '"', param) {
		return
	}
	name := v.Text()
	short := name
	if i := strings.LastIndex(name, "models/"); i >= 0 {
		short = name[i+len("models/"):]
	}
	if d.model != "" && name != d.model && short != d.model {
		d.Wrong(llm.InvalidValue, param, fmt.Sprintf("'%s' must be the model of the path, models/%s.", param, d.model))
	}
}

// param reads a parameter.
func (d *callerEmbeds) param(one *llm.EmbeddingRequest, at, own string, v llm.JSON) {
	name, known := embedParams[own]
	switch {
	case !known:
		d.unknown(at)
	case slices.Contains(d.omit, name), own == "title": // no other API has titles
		d.out.Left = append(d.out.Left, own)
	case own == "outputDimensionality":
		n, err := strconv.ParseInt(string(v), 10, 32)
		if one.Dimensions = n; err != nil || n < 1 {
			d.Wrong(llm.InvalidValue, at, fmt.Sprintf("'%s' must be a whole number above zero.", at))
		}
	case own == "taskType":
		if d.Is(v, '"', at) && v.Text() != "TASK_TYPE_UNSPECIFIED" {
			one.Params = append(one.Params, llm.Param{Name: name, Value: v})
		}
	case d.Is(v, 't', at):
		one.Params = append(one.Params, llm.Param{Name: name, Value: v})
	}
}

func (d *callerEmbeds) unknown(param string) {
	d.Wrong(llm.UnsupportedParameter, param, fmt.Sprintf("Unsupported parameter: '%s' is no member of a request for vectors that Weir knows.", param))
}

// text is the one text of a content.
func (d *callerEmbeds) text(param string, value llm.JSON) (text llm.JSON) {
	if value.Kind() == '"' { // short for a content with this text
		return value
	}
	parts := 0
	if d.Is(value, '{', param) {
		for name, v := range draft.Given(value) {
			switch at := join(param, string(name)); string(name) {
			case "role":
			case "parts":
				for i, part := range jsonwalk.Elements(v) {
					parts++
					text = d.part(fmt.Sprintf("%s[%d]", at, i), part)
				}
			default:
				d.unknown(at)
			}
		}
	}
	if parts != 1 {
		d.Wrong(llm.UnsupportedParameter, param+".parts", fmt.Sprintf("Unsupported parameter: '%s.parts' has %d parts, and Weir makes vectors of one text each.", param, parts))
	}
	return text
}

// part is the text of a part.
func (d *callerEmbeds) part(param string, value llm.JSON) (text llm.JSON) {
	for name, v := range draft.Given(value) {
		at := join(param, string(name))
		if string(name) != "text" {
			d.Wrong(llm.UnsupportedParameter, at, fmt.Sprintf("Unsupported parameter: '%s'. Weir makes vectors of texts alone.", at))
			continue
		}
		if d.Is(v, '"', at) {
			text = v
		}
	}
	return text
}

// add takes what the config adds, which has the names of OpenAI's embeddings.
func (d *callerEmbeds) add(added *llm.Added) {
	if added == nil {
		return
	}
	for _, p := range slices.Concat(added.Default, added.Set) {
		switch {
		case slices.Contains(d.omit, p.Name):
		case p.Name == "dimensions":
			d.out.Dimensions, _ = strconv.ParseInt(string(p.Value), 10, 32)
		default:
			d.out.Params = slices.DeleteFunc(d.out.Params, func(given llm.Param) bool { return given.Name == p.Name })
			d.out.Params = append(d.out.Params, p)
		}
	}
}

// AppendVectors implements dialect.Embeddings.
func (r *EmbedRequest) AppendVectors(dst []byte, list []llm.JSON, _ int) ([]byte, error) {
	for i, v := range list {
		if !isVector(v) {
			return nil, fmt.Errorf("%w: vector %d is missing or invalid", llm.ErrNoAnswer, i)
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValues(dst, v)
	}
	return dst, nil
}

// JoinVectors implements dialect.Embeddings. The API does not say which model answered.
func (r *EmbedRequest) JoinVectors(data [][]byte, _ llm.JSON, tokens int64) []byte {
	size := 96
	for _, d := range data {
		size += len(d) + 1
	}
	dst := make([]byte, 0, size)
	if dst = append(dst, `{"embedding":`...); r.batch {
		dst = append(dst[:0], `{"embeddings":[`...)
	}
	for i, d := range data {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, d...)
	}
	if r.batch {
		dst = append(dst, ']')
	}
	return closeEmbeddings(dst, llm.Vectors{Tokens: tokens, Told: true})
}

// isVector reports whether a value can be written as a vector: numbers, or little-endian float32s in base64, and not empty.
func isVector(v llm.JSON) bool {
	if v.Kind() == '"' {
		raw, err := base64.StdEncoding.DecodeString(v.Text())
		return err == nil && len(raw) > 0 && len(raw)%4 == 0
	}
	numbers := 0
	for _, n := range jsonwalk.Elements(v) {
		if llm.JSON(n).Kind() != '0' {
			return false
		}
		numbers++
	}
	return v.Kind() == '[' && numbers > 0
}

// embedName is the name here of a parameter of the typed model, or of OpenAI's embeddings.
func embedName(name string) string {
	if name == "input" {
		return requestsName
	}
	for own, typed := range embedParams {
		if typed == name {
			return own
		}
	}
	return name
}
