package gemini

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// The endpoints for callers of Weir, by the verb at the end of their paths.
var (
	Generate  = ingress("generate_content", "generateContent", false)
	Streaming = streaming()
	Count     = counting()
	Embed     = embedding("embedContent", false)
	EmbedAll  = embedding("batchEmbedContents", true)
)

// streaming is a stream of server-sent events with alt=sse, else one of an array. What is refused in place of an array is one, too.
func streaming() *dialect.Ingress {
	in := ingress("generate_content", "streamGenerateContent", true)
	array := *in
	array.Framing.Array = true
	array.Errors = &dialect.Errors{Status: Errors.Status, Body: func(e *llm.Error, id string) []byte {
		return append(append([]byte{'['}, errorBody(e, id)...), ']')
	}}
	in.Plain = &array
	return in
}

func ingress(name, verb string, stream bool) *dialect.Ingress {
	return &dialect.Ingress{
		Name: name, Path: verb, Endpoint: llm.Chat, Dialect: llm.Gemini,
		Parse: func(raw []byte, o dialect.ParseOptions) (dialect.Request, *llm.Error) {
			r, err := Parse(raw, stream, o)
			if err != nil {
				return nil, err
			}
			return r, nil
		},
		// Clients read a line break past, and nothing else: comments break them.
		Framing: dialect.Framing{KeepAlive: "\n", Error: func(e *llm.Error) []byte { return errorBody(e, "") }},
		Errors:  &Errors, Param: nameOf,
	}
}

func embedding(verb string, batch bool) *dialect.Ingress {
	return &dialect.Ingress{
		Name: "embed_content", Path: verb, Endpoint: llm.Embeddings, Dialect: llm.Gemini,
		Parse: func(raw []byte, o dialect.ParseOptions) (dialect.Request, *llm.Error) {
			r, err := parseEmbed(raw, batch, o)
			if err != nil {
				return nil, err
			}
			return r, nil
		},
		Errors: &Errors, Param: embedName,
	}
}

func counting() *dialect.Ingress {
	in := ingress("count_tokens", "countTokens", false)
	in.Counting = &dialect.Counting{
		Write: func(tokens int64) []byte {
			return append(strconv.AppendInt([]byte(`{"totalTokens":`), tokens, 10), '}')
		},
		Read: func(body []byte) (int64, bool) {
			return inObject(body, "totalTokens").Count()
		},
	}
	return in
}

// Errors is how the API words errors.
var Errors = dialect.Errors{Status: (*llm.Error).HTTPStatus, Body: errorBody}

// errorBody is the error as {"error":{"code","message","status"}}. An upstream's refusal keeps its words.
func errorBody(e *llm.Error, _ string) []byte {
	type inner struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Status  string `json:"status"`
	}
	said := inner{e.HTTPStatus(), e.Message, rpcStatus(e.HTTPStatus())}
	if e.Refusal != nil {
		said.Message = e.Refusal.Message
	}
	body, err := json.Marshal(struct {
		Error inner `json:"error"`
	}{said})
	if err != nil { // strings always marshal
		panic(err)
	}
	return body
}

// rpcStatus is the API's word for an HTTP status.
func rpcStatus(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "UNAUTHENTICATED"
	case http.StatusPaymentRequired, http.StatusForbidden:
		return "PERMISSION_DENIED"
	case http.StatusNotFound:
		return "NOT_FOUND"
	case http.StatusConflict:
		return "ABORTED"
	case http.StatusTooManyRequests:
		return "RESOURCE_EXHAUSTED"
	case http.StatusServiceUnavailable:
		return "UNAVAILABLE"
	case http.StatusGatewayTimeout, http.StatusRequestTimeout:
		return "DEADLINE_EXCEEDED"
	}
	if status >= http.StatusInternalServerError {
		return "INTERNAL"
	}
	return "INVALID_ARGUMENT"
}
