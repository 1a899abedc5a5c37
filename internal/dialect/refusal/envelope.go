package refusal

import (
	"bytes"
	"cmp"
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

// refusal is the error as the caller gets it, with a type and a message where the upstream gave none.
func (e Error) refusal(status int) *llm.Refusal {
	return &llm.Refusal{
		Status: status, Type: cmp.Or(e.Type, "invalid_request_error"), Param: e.Param, Code: e.Code,
		Message: cmp.Or(e.Message, "The upstream refused the request with status "+strconv.Itoa(status)+" and gave no reason."),
	}
}
