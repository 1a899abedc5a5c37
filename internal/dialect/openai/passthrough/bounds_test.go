package passthrough

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// An upstream's answer may try to fill the memory: with a payload of millions of small things that must each be
// remembered or repaired. It is refused as no answer, or costs no more than a small part of what its bytes do.
func TestAnswersOfVeryManyThings(t *testing.T) { //nolint:paralleltest // it looks at what is allocated
	const n = 1_000_000
	many := func(first, more string) string { return first + strings.Repeat(","+more, n) }
	chat := func(choices string) string {
		return `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[` + choices + `]}`
	}
	choice := func(message string) string {
		return chat(`{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"",` + message + `}}`)
	}
	delta := func(members string) string {
		return chat(`{"index":0,"finish_reason":null,"delta":{` + members + `}}`)
	}
	answer := func(body string) error {
		_, err := mustParse(t, llm.Chat, `{"model":"m","messages":[{}]}`).ParseAnswer([]byte(body), dialect.Stand{Name: "n", Echo: "e"})
		return err
	}
	stream := func(body string) error {
		_, err := (&Stream{Name: "n", EchoModel: "e"}).Walk([]byte(body))
		return err
	}
	embeddings := func(input string) func(string) error {
		return func(body string) error {
			_, _, err := mustParse(t, llm.Embeddings, `{"model":"m","input":`+input+`}`).Pass([]byte(body), &dialect.Changes{}, dialect.Stand{Echo: "e"})
			return err
		}
	}
	for name, tt := range map[string]struct {
		read   func(string) error
		body   string
		passes bool
	}{
		"choices":                {answer, chat(many("{}", "{}")), false},
		"choices of numbers":     {answer, chat(many("0", "0")), false},
		"tool calls":             {answer, choice(`"tool_calls":[` + many("{}", "{}") + `]`), false},
		"members":                {answer, choice(many(`"a":0`, `"a":0`)), false},
		"models":                 {answer, `{"model":1` + strings.Repeat(`,"model":1`, n) + `,"choices":[{}]}`, false},
		"parts":                  {answer, choice(`"content":[` + many(`{"type":"text","text":""}`, `{}`) + `]`), true},
		"unknown things":         {answer, choice(`"other":[` + many("0", "{}") + `]`), true},
		"choices in a chunk":     {stream, chat(many("{}", "{}")), false},
		"numbers in a chunk":     {stream, chat(many("0", "0")), false},
		"tool calls in a chunk":  {stream, delta(`"tool_calls":[` + many("{}", "{}") + `]`), false},
		"members in a delta":     {stream, delta(many(`"a":0`, `"a":0`)), false},
		"models in a chunk":      {stream, `{"model":1` + strings.Repeat(`,"model":1`, n) + `,"choices":[]}`, false},
		"vectors":                {embeddings(`"x"`), `{"data":[` + many("{}", "{}") + `]}`, false},
		"vectors of numbers":     {embeddings(`"x"`), `{"data":[` + many("0", "0") + `]}`, false},
		"vectors, for who knows": {embeddings(`{}`), `{"data":[` + many("0", "0") + `]}`, false},
		"models of vectors":      {embeddings(`"x"`), `{"model":1` + strings.Repeat(`,"model":1`, n) + `,"data":[{"embedding":[1]}]}`, false},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := tt.read(tt.body)
		runtime.ReadMemStats(&after)
		if (err == nil) != tt.passes {
			t.Errorf("%s: %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
			t.Errorf("%s: %d MiB were allocated for %d", name, took>>20, len(tt.body)>>20)
		}
	}
}

// Answers that are merely large pass.
func TestAnswersOfManyThings(t *testing.T) {
	t.Parallel()
	tool := `{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}`
	body := `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[` + strings.Repeat(`{"message":{"tool_calls":[`+tool+`,`+tool+`]}},`, 2000) + `{"message":{}}]}`
	r := mustParse(t, llm.Chat, `{"model":"m","messages":[{}],"stream":true}`)
	if _, err := r.ParseAnswer([]byte(body), dialect.Stand{Name: "n"}); err != nil {
		t.Error(err)
	}
	payloads := 0
	stream, err := r.StreamOf([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	for range stream {
		payloads++
	}
	if payloads != 2*2001 {
		t.Errorf("%d payloads", payloads)
	}
	for range stream { // a reader that stops is not sent the rest
		break
	}
	vectors := `{"data":[` + strings.Repeat(`{"embedding":[1]},`, 20_000) + `{"embedding":[1]}]}`
	if _, _, err := mustParse(t, llm.Embeddings, `{"model":"m","input":["x"]}`).Pass([]byte(vectors), &dialect.Changes{}, dialect.Stand{Echo: ""}); !errors.Is(err, openai.ErrNoAnswer) {
		t.Errorf("too many vectors: %v", err)
	}
}
