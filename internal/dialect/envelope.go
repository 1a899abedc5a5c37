package dialect

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/weirproxy/weir/internal/llm"
)

// envelope is OpenAI's error body, which Weir's own APIs have as well. All four members are always present.
type envelope struct {
	Error envelopeError `json:"error"`
}

type envelopeError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

// ErrorBody is the error as {"error":{"message","type","param","code"}} on one line, or an upstream's own body of that shape. The
// message of a rate limit ends in how long to wait, where some clients read it.
func ErrorBody(e *llm.Error) []byte {
	if e.Refusal != nil && e.Refusal.Body != nil {
		return e.Refusal.Body
	}
	return ErrorEvent(e)
}

// ErrorEvent is the error as the payload of an event. Clients recognise it by its beginning, {"error":{, so an upstream's own body
// is written again, however it is spaced and whatever else is in it.
func ErrorEvent(e *llm.Error) []byte {
	if r := e.Refusal; r != nil {
		return Envelope(r.Message, r.Type, r.Param, r.Code)
	}
	message := e.Message
	if e.HTTPStatus() == http.StatusTooManyRequests && e.RetryAfter > 0 && !e.SaysWhen() {
		message += fmt.Sprintf(" Please try again in %ds.", e.RetrySeconds())
	}
	return Envelope(message, e.Type(), e.Param, e.Code())
}

// Envelope makes an error body; an empty param or code becomes null.
func Envelope(message, typ, param, code string) []byte {
	body := envelope{envelopeError{Message: message, Type: typ, Param: orNull(param), Code: orNull(code)}}
	b, err := json.Marshal(body)
	if err != nil { // strings always marshal
		panic(err)
	}
	return b
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
