package dialect

import (
	"net/http"

	"github.com/weirproxy/weir/internal/llm"
)

// Errors is how a dialect writes answers that are errors.
type Errors struct {
	// Status is the status of the answer.
	Status func(*llm.Error) int
	// Body is the body; id is the request's, as the caller knows it.
	Body func(e *llm.Error, id string) []byte
	// ID is the header in which the dialect's clients look for the id of a request, beside X-Request-Id; "" without one. All answers
	// have it.
	ID string
}

// Own is how Weir writes errors where no other dialect is spoken: in OpenAI's envelope.
var Own = Errors{
	Status: (*llm.Error).HTTPStatus,
	Body:   func(e *llm.Error, _ string) []byte { return ErrorBody(e) },
}

// Identify puts the id of a request, which X-Request-Id has, where the dialect's clients look for it.
func (e *Errors) Identify(h http.Header) {
	if e.ID != "" {
		h[e.ID] = h["X-Request-Id"]
	}
}
