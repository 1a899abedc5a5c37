package passthrough

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// A complete answer where a stream was asked: its members in every chunk, its message as a delta, each choice's end apart, usage last.
func TestStreamsOfAnswers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		endpoint llm.Endpoint
		answer   string
		want     []string
	}{
		{"a text", llm.Chat, `{"id":"a","object":"chat.completion","x":[1],"choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"logprobs":{"content":[]},"finish_reason":"stop"}],"error":null,"usage":{"prompt_tokens":1}}`, []string{
			`{"id":"a","x":[1],"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null,"logprobs":{"content":[]}}]}`,
			`{"id":"a","x":[1],"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			`{"id":"a","x":[1],"object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":1}}`,
		}},
		{"without usage", llm.Chat, `{"usage":null,"choices":[{"message":{}}]}`, []string{
			`{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":null}]}`,
			`{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":null}]}`,
		}},
		{"two choices", llm.Chat, `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"},{"message":{"content":"b"},"finish_reason":"length"}]}`, []string{
			`{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}`,
			`{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			`{"object":"chat.completion.chunk","choices":[{"index":1,"delta":{"content":"b"},"finish_reason":null}]}`,
			`{"object":"chat.completion.chunk","choices":[{"index":1,"delta":{},"finish_reason":"length"}]}`,
		}},
		{"calls of tools, which need an index", llm.Chat, `{"choices":[{"message":{"tool_calls":[{"id":"a"},{"index":7,"id":"b"},{},7,{"id":"c","function":{"index":1}}]},"finish_reason":"tool_calls"}]}`, []string{
			`{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a"},{"index":7,"id":"b"},{"index":2},7,{"index":4,"id":"c","function":{"index":1}}]},"finish_reason":null}]}`,
			`{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
		}},
		{"old completions", llm.Completions, `{"id":"a","choices":[{"text":"Hi","index":0,"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}`, []string{
			`{"id":"a","object":"text_completion","choices":[{"text":"Hi","index":0,"finish_reason":"stop"}]}`,
			`{"id":"a","object":"text_completion","choices":[],"usage":{"prompt_tokens":1}}`,
		}},
	} {
		chunks, err := (&Request{Scanned: dialect.Scanned{Endpoint: tt.endpoint}}).StreamOf([]byte(tt.answer))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var got []string
		for chunk := range chunks {
			got = append(got, string(chunk))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		for range chunks { // a reader that stops gets no more
			break
		}
	}
}

// What every chunk repeats is bounded: an answer of a megabyte does not become gigabytes.
func TestStreamsThatWouldRepeatTooMuch(t *testing.T) {
	t.Parallel()
	answer := `{"x":"` + strings.Repeat("x", 1<<20) + `","choices":[` + strings.Repeat(`{},`, 64) + `{}]}`
	if _, err := (&Request{Scanned: dialect.Scanned{Endpoint: llm.Chat}}).StreamOf([]byte(answer)); !errors.Is(err, openai.ErrNoAnswer) {
		t.Errorf("a chat: %v", err)
	}
	if _, err := (&Request{Scanned: dialect.Scanned{Endpoint: llm.Completions}}).StreamOf([]byte(answer)); err != nil {
		t.Errorf("old completions, of which all choices are in one chunk: %v", err)
	}
}

// The vectors of one of several calls: as many as were asked for, in the order of the inputs; an error is known as one.
func TestReadVectors(t *testing.T) {
	t.Parallel()
	r := mustParse(t, llm.Embeddings, `{"model":"m","input":["a","b"]}`)
	got, err := r.ReadVectors([]byte(`{"model":"up","data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[1,2]}],"usage":{"prompt_tokens":5,"total_tokens":5}}`), 2)
	if err != nil || len(got.List) != 2 || string(got.List[0]) != "[1,2]" || string(got.List[1]) != "[3,4]" || string(got.Model) != `"up"` || got.Tokens != 5 || !got.Told {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = r.ReadVectors([]byte(`{"data":[{"index":0,"embedding":[1]}]}`), 1)
	if err != nil || got.Told || got.Tokens != 0 || got.Model != nil {
		t.Errorf("without usage: %+v, %v", got, err)
	}
	if _, err := r.ReadVectors([]byte(`{"error":{"message":"no"}}`), 2); !errors.Is(err, llm.ErrError) {
		t.Errorf("an error: %v", err)
	}
	for _, bad := range []string{`{"data":[{"index":0,"embedding":[1]}]}`, `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[1]}]}`, `{"data":[{"index":0,"embedding":["1"]},{"index":1,"embedding":[1]}]}`, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, `{"data":7}`, `{}`} {
		if got, err := r.ReadVectors([]byte(bad), 2); err == nil || errors.Is(err, llm.ErrError) {
			t.Errorf("%s: %+v, %v", bad, got, err)
		}
	}
}
