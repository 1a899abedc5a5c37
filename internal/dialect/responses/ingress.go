package responses

import (
	"bytes"
	"strconv"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
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
	Errors: &dialect.Own, Param: nameOf, Stored: &stored,
	Patience: 280 * time.Second, // Codex repeats a request after 300 s without an event
}

// InputTokens is POST /v1/responses/input_tokens, which counts the tokens of a request.
var InputTokens = counting()

func counting() *dialect.Ingress {
	in := *Responses
	in.Name, in.Path = "input_tokens", "responses/input_tokens"
	in.Parse = func(raw []byte, o dialect.ParseOptions) (dialect.Request, *llm.Error) {
		r, err := Parse(raw, o)
		if err != nil {
			return nil, err
		}
		r.stores = false // there is no answer
		return r, nil
	}
	in.Counting = &dialect.Counting{
		Write: func(tokens int64) []byte {
			return append(strconv.AppendInt([]byte(`{"object":"response.input_tokens","input_tokens":`), tokens, 10), '}')
		},
		Read: func(body []byte) (int64, bool) { return memberOf(body, "input_tokens").Count() },
	}
	return &in
}

// Compact is POST /v1/responses/compact, which makes a summary of the input. A target without the endpoint is asked for a summary by a chat.
var Compact = compacting()

func compacting() *dialect.Ingress {
	in := *Responses
	in.Name, in.Path = "compact", "responses/compact"
	in.Parse = func(raw []byte, o dialect.ParseOptions) (dialect.Request, *llm.Error) {
		r, err := ParseCompact(raw, o)
		if err != nil {
			return nil, err
		}
		return r, nil
	}
	return &in
}

// ParseCompact is Parse for a body of POST /v1/responses/compact.
func ParseCompact(raw []byte, o dialect.ParseOptions) (*Request, *llm.Error) {
	r, err := Parse(raw, o)
	if err != nil {
		return nil, err
	}
	r.Endpoint, r.sums, r.Stream, r.stores = llm.Compacting, true, false, false
	return r, nil
}

// eventOf is the name of the event with a payload, a part of it; nil if its type is no word.
func eventOf(payload []byte) []byte {
	var name []byte
	if rest, first := bytes.CutPrefix(payload, []byte(`{"type":"`)); first { // so Writer and OpenAI write it
		name, _, _ = bytes.Cut(rest, []byte(`"`))
	} else {
		for n, v := range jsonwalk.Members(payload) {
			if string(n) == "type" {
				name = llm.JSON(v).Inner()
			}
		}
	}
	for _, c := range name {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '.') {
			return nil
		}
	}
	return name
}
