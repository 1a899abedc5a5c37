package anthropic

import (
	"bytes"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Messages is POST /v1/messages for callers of Weir.
var Messages = &dialect.Ingress{
	Name: "messages", Path: "messages", Endpoint: llm.Chat, Dialect: llm.Anthropic,
	Parse: func(raw []byte, o dialect.ParseOptions) (dialect.Request, *llm.Error) {
		r, err := ParseRequest(raw, o)
		if err != nil {
			return nil, err
		}
		return r, nil
	},
	Framing: dialect.Framing{
		Name: TypeOf, KeepAlive: "event: ping\ndata: {\"type\":\"ping\"}\n\n", Done: "event: " + typeStop + "\ndata: {\"type\":\"" + typeStop + "\"}\n\n",
		Error: func(e *llm.Error) []byte { return errorBody(e, "") },
	},
	Errors: &Errors, Param: paramOf, Betas: "Anthropic-Beta",
	Patience: 280 * time.Second, // Claude Code repeats a request after 300 s without an event, and pings do not count
}

// CountTokens is POST /v1/messages/count_tokens.
var CountTokens = &dialect.Ingress{
	Name: "count_tokens", Path: "messages/count_tokens", Endpoint: llm.Counting, Dialect: llm.Anthropic, Parse: Messages.Parse, Errors: &Errors,
	Counting: &dialect.Counting{
		Write: func(tokens int64) []byte {
			return append(strconv.AppendInt([]byte(`{"input_tokens":`), tokens, 10), '}')
		},
		Read: func(body []byte) (int64, bool) { return memberOf(body, "input_tokens").Count() },
	},
}

// Errors is how the API words errors.
var Errors = dialect.Errors{Status: statusOf, Body: errorBody, ID: "Request-Id"}

const typeStop = "message_stop"

// TypeOf is the type that a payload says it has, a part of the payload; nil if that is no word. It is the name of the event.
func TypeOf(payload []byte) []byte {
	rest := payload
	for _, token := range [...]string{"{", `"type"`, ":", `"`} { // where it is first, as a rule, nothing else is read
		rest = bytes.TrimLeft(rest, " \t\r\n")
		if len(rest) < len(token) || string(rest[:len(token)]) != token {
			return typeWithin(payload)
		}
		rest = rest[len(token):]
	}
	if end := bytes.IndexByte(rest, '"'); end >= 0 && isWord(rest[:end]) {
		return rest[:end]
	}
	return nil
}

// typeWithin is TypeOf for a payload whose type is not its first member.
func typeWithin(payload []byte) []byte {
	for name, v := range jsonwalk.Members(payload) {
		if inner := llm.JSON(v).Inner(); string(name) == "type" && isWord(inner) {
			return inner
		}
	}
	return nil
}

// isWord reports whether a text can be the name of an event.
func isWord(text []byte) bool {
	for _, c := range text {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '.') {
			return false
		}
	}
	return len(text) > 0
}

// statusOverloaded is the API's status for too much load. Its clients give up on it soon.
const statusOverloaded = 529

func statusOf(e *llm.Error) int {
	status := e.HTTPStatus()
	if status == http.StatusServiceUnavailable {
		return statusOverloaded
	}
	return status
}

// typeOfStatus is the API's word for an error of a status.
func typeOfStatus(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "authentication_error"
	case http.StatusPaymentRequired:
		return "billing_error"
	case http.StatusForbidden:
		return "permission_error"
	case http.StatusNotFound:
		return "not_found_error"
	case http.StatusConflict:
		return "conflict_error"
	case http.StatusRequestEntityTooLarge:
		return "request_too_large"
	case http.StatusTooManyRequests:
		return "rate_limit_error"
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return "timeout_error"
	case statusOverloaded:
		return "overloaded_error"
	}
	if status >= http.StatusInternalServerError {
		return "api_error"
	}
	return "invalid_request_error"
}

// errorBody is the error as {"type":"error","error":{"type","message"},"request_id"} on one line. An upstream's refusal keeps its words, but
// for a prompt that is too long: clients know that by words of the API.
func errorBody(e *llm.Error, id string) []byte {
	typ, message := typeOfStatus(statusOf(e)), e.Message
	if r := e.Refusal; r != nil {
		message = r.Message
		if Status(r.Type) != 0 {
			typ = r.Type
		}
		if r.Code == "context_length_exceeded" {
			message = tooLong(r.Message)
		}
	}
	body := llm.AppendQuote([]byte(`{"type":"error","error":{"type":`), typ)
	body = llm.AppendQuote(append(body, `,"message":`...), message)
	if id == "" {
		return append(body, `},"request_id":null}`...)
	}
	return append(llm.AppendQuote(append(body, `},"request_id":`...), id), '}')
}

const promptTooLong = "prompt is too long: "

var numbers = regexp.MustCompile(`\d[\d,]{2,}`)

// tooLong brings the words of any vendor about a prompt that is too long into those of the API: with the two numbers, where the vendor
// gave them.
func tooLong(message string) string {
	if strings.Contains(message, promptTooLong) {
		return message
	}
	var most, has int64
	for _, text := range numbers.FindAllString(message, 8) {
		n, err := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64)
		switch {
		case err != nil:
		case n > has:
			most, has = has, n
		case n > most && n < has:
			most = n
		}
	}
	if most == 0 {
		return promptTooLong + message
	}
	return promptTooLong + strconv.FormatInt(has, 10) + " tokens > " + strconv.FormatInt(most, 10) + " maximum"
}
