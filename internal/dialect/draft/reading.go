package draft

import (
	"fmt"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Reading is a request while it is read.
type Reading struct {
	Out *llm.Request
	Bad *llm.Error // the first thing that is wrong with it; nil if nothing is

	left names // those of Out.Left, once there are many
}

// Done is what a decoder returns.
func (r *Reading) Done() (*llm.Request, *llm.Error) {
	if r.Bad != nil {
		return nil, r.Bad
	}
	return r.Out, nil
}

// Leave notes something that was left out, once.
func (r *Reading) Leave(path string) { r.Out.Left = r.left.add(r.Out.Left, path) }

// Wrong refuses the request.
func (r *Reading) Wrong(kind llm.Kind, param, message string) {
	if r.Bad == nil {
		r.Bad = &llm.Error{Kind: kind, Param: param, Message: message}
	}
}

// Missing refuses the request for what it does not have.
func (r *Reading) Missing(param string) {
	r.Wrong(llm.MissingParameter, param, fmt.Sprintf("Missing required parameter: '%s'.", param))
}

// Is reports whether a value has the kind that it must have, in the letters of llm.JSON; 't' is both true and false.
func (r *Reading) Is(value llm.JSON, kind byte, param string) bool {
	got := value.Kind()
	if kind == 't' && got == 'f' {
		got = 't'
	}
	if got == kind {
		return true
	}
	names := map[byte]string{'{': "an object", '[': "an array", '"': "a string", '0': "a number", 't': "true or false"}
	r.Wrong(llm.InvalidType, param, fmt.Sprintf("'%s' must be %s.", param, names[kind]))
	return false
}

// Whole is a whole number above zero; any other value is refused.
func (r *Reading) Whole(value llm.JSON, param string) int64 {
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil || n < 1 {
		r.Wrong(llm.InvalidValue, param, fmt.Sprintf("'%s' must be a whole number above zero.", param))
		return 0
	}
	return n
}

// Strings are the elements of a list of strings.
func (r *Reading) Strings(value llm.JSON, param string) (list []llm.JSON) {
	if !r.Is(value, '[', param) {
		return nil
	}
	for i, text := range jsonwalk.Elements(value) {
		if r.Is(text, '"', fmt.Sprintf("%s[%d]", param, i)) {
			list = append(list, text)
		}
	}
	return list
}

// Param takes a parameter.
func (r *Reading) Param(name string, value llm.JSON) {
	r.Out.Params = append(r.Out.Params, llm.Param{Name: name, Value: value})
}
