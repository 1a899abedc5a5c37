package draft

import (
	"fmt"
	"slices"

	"github.com/weirproxy/weir/internal/llm"
)

// Reading is a request while it is read.
type Reading struct {
	Out *llm.Request
	Bad *llm.Error // the first thing that is wrong with it; nil if nothing is
}

// Done is what a decoder returns.
func (r *Reading) Done() (*llm.Request, *llm.Error) {
	if r.Bad != nil {
		return nil, r.Bad
	}
	return r.Out, nil
}

// Leave notes something that was left out, once.
func (r *Reading) Leave(path string) {
	if !slices.Contains(r.Out.Left, path) {
		r.Out.Left = append(r.Out.Left, path)
	}
}

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

// Is reports whether a value has the kind that it must have, as llm.JSON tells it; 't' stands for both true and false.
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
