package responses

import (
	"bytes"
	"strconv"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// Responses is POST /v1/responses for callers of Weir.
var Responses = &dialect.Ingress{
	Name: "responses", Path: "responses", Endpoint: llm.Chat, Dialect: llm.Responses,
	Parse: func(raw []byte, o dialect.ParseOptions) (dialect.Request, *llm.Error) {
		r, err := Parse(raw, o)
		if err != nil {
			return nil, err
		}
		return r, nil
	},
	Framing: dialect.Framing{
		Name: eventOf, Error: failure,
		KeepAlive: "event: keepalive\ndata: {\"type\":\"keepalive\",\"sequence_number\":0}\n\n", // clients that wait for events go by nothing else
	},
	Errors: &dialect.Own, Param: nameOf,
	Patience: 280 * time.Second, // Codex repeats a request after 300 s without an event
}

// InputTokens is POST /v1/responses/input_tokens, which counts the tokens of a request.
var InputTokens = counting()

func counting() *dialect.Ingress {
	in := *Responses
	in.Name, in.Path = "input_tokens", "responses/input_tokens"
	in.Counting = &dialect.Counting{
		Write: func(tokens int64) []byte {
			return append(strconv.AppendInt([]byte(`{"object":"response.input_tokens","input_tokens":`), tokens, 10), '}')
		},
		Read: func(body []byte) (int64, bool) { return memberOf(body, "input_tokens").Count() },
	}
	return &in
}

// Compact is POST /v1/responses/compact, which makes a summary of the input.
var Compact = compacting()

func compacting() *dialect.Ingress {
	in := *Responses
	in.Name, in.Path = "compact", "responses/compact"
	in.Parse = func(raw []byte, o dialect.ParseOptions) (dialect.Request, *llm.Error) {
		r, err := Parse(raw, o)
		if err != nil {
			return nil, err
		}
		r.sums, r.Stream = true, false
		return r, nil
	}
	return &in
}

// eventOf is the name of the event with a payload that Writer wrote.
func eventOf(payload []byte) []byte {
	rest, _ := bytes.CutPrefix(payload, []byte(`{"type":"`))
	name, _, _ := bytes.Cut(rest, []byte(`"`))
	return name
}
