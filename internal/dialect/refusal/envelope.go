package refusal

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// Told is the error; if it has no message, the whole body becomes its message, so that it is not lost. A web page or an
// empty value carries no message.
func (e Error) Told(body []byte) Error {
	body = bytes.TrimSpace(body)
	if e.Message == "" && len(body) > len("null") && !IsHTML(body) {
		e.Message = strings.ToValidUTF8(string(body[:min(len(body), maxMessage)]), "\uFFFD")
	}
	return e
}

// Envelope is the error in OpenAI's shape, with the given type and message where the upstream gave none.
func (e Error) Envelope(status int) []byte {
	typ, message := e.Type, e.Message
	if typ == "" {
		typ = "invalid_request_error"
	}
	if message == "" {
		message = "The upstream refused the request with status " + strconv.Itoa(status) + " and gave no reason."
	}
	return llm.NewEnvelope(message, typ, e.Param, e.Code)
}
