package draft

import (
	"errors"
	"fmt"
	"iter"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// ReadingOf begins to read a body, which has to be a JSON object that names no member twice.
func ReadingOf(body []byte) Reading {
	r := Reading{Out: new(llm.Request)}
	s := jsonwalk.NewScanner(body, jsonwalk.Options{Unique: true})
	kind := s.Kind()
	s.Skip()
	var syntax *jsonwalk.SyntaxError
	switch err := s.End(); {
	case errors.As(err, &syntax):
		r.Wrong(llm.InvalidJSON, "", fmt.Sprintf("The request body is not valid JSON: %s at byte %d.", syntax.Message, syntax.Offset))
	case kind != '{':
		r.Wrong(llm.InvalidJSON, "", "The request body must be a JSON object.")
	}
	return r
}

// Given are the members of an object but for those that are null, which say nothing. The names are valid until the next step.
func Given(object llm.JSON) iter.Seq2[[]byte, llm.JSON] {
	return func(yield func([]byte, llm.JSON) bool) {
		for name, v := range jsonwalk.Members(object) {
			if llm.JSON(v).Kind() != 'n' && !yield(name, v) {
				return
			}
		}
	}
}
