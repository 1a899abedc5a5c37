package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/llm"
)

// inPieces sends a body in pieces of these sizes, repeated.
func inPieces(body []byte, sizes ...int) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for turn, rest := 0, body; len(rest) > 0; turn++ {
			n := min(sizes[turn%len(sizes)], len(rest))
			if _, err := w.Write(rest[:n]); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
			rest = rest[n:]
		}
	}
}

// tokens is what the log says of each request's usage.
func (r *rig) tokens(t *testing.T, requests int) []map[string]any {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	lines, err := r.Requests.Wait(ctx, func(lines []json.RawMessage) bool { return len(lines) == requests })
	if err != nil {
		t.Fatal(err)
	}
	list := make([]map[string]any, requests)
	for i, line := range lines {
		var all map[string]any
		if err := json.Unmarshal(line, &all); err != nil {
			t.Fatal(err)
		}
		list[i] = map[string]any{}
		for _, name := range []string{"status", "input_tokens", "cache_read_tokens", "output_tokens", "finish_reason", "bytes_out", "cut"} {
			list[i][name] = all[name]
		}
	}
	return list
}

// An event of a megabyte is the same for the caller and for the log, however it is written and wherever its characters
// are cut.
func TestLargeEventInFragments(t *testing.T) {
	t.Parallel()
	largeEvent(t, 1<<20)
}

// The same of eight megabytes.
func TestLongLargeEventInFragments(t *testing.T) {
	long(t)
	largeEvent(t, 8<<20)
}

func largeEvent(t *testing.T, size int) {
	rig := newRigOf(t, "openai")
	text := strings.Repeat("é世👋", size/9)
	const head = `"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,`
	first := `"delta":{"role":"assistant","content":"` + text + `"},"finish_reason":null}]`
	last := `"delta":{},"finish_reason":"stop"}]`
	usage := `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":70000,"total_tokens":70005,"prompt_tokens_details":{"cached_tokens":2}}}`
	plain := "data: { " + head + first + " }\n\ndata: { " + head + last + " }\n\ndata: " + usage + "\n\ndata: [DONE]\n\n"
	broken := "\ufeff: hello\r\n\r\n" + strings.NewReplacer("data: { ", "id: 1\r\ndata:{\r\ndata:", " }\n\n", "\r\n: é\r\ndata:}\r\n\r\n").Replace(plain)
	broken = strings.TrimSuffix(broken, "\n\n") // no last blank line
	rig.player.set(whole([]byte(plain)))
	status, want := rig.ask(t, llm.Chat, withUsage)
	if status != http.StatusOK || string(want) != plain {
		t.Fatalf("%d, %d bytes of %d: %.200s … %s", status, len(want), len(plain), want, tailOf(want))
	}
	for name, answer := range map[string]func(http.ResponseWriter){
		"in small pieces":     inPieces([]byte(plain), 1, 4095, 3, 70_001, 2, 1<<20),
		"of another framing":  whole([]byte(broken)),
		"in pieces of it":     inPieces([]byte(broken), 100_003, 1, 1, 1, 16_385),
		"its last bytes late": inPieces([]byte(broken), len(broken)-7, 1),
	} {
		rig.player.set(answer)
		if status, got := rig.ask(t, llm.Chat, withUsage); status != http.StatusOK || !bytes.Equal(got, want) {
			t.Errorf("%s: %d, %d bytes of %d: %.200s … %s", name, status, len(got), len(want), got, tailOf(got))
		}
	}
	all := rig.tokens(t, 5)
	for _, one := range all {
		if diff := cmp.Diff(all[0], one); diff != "" || one["output_tokens"] != 70000.0 || one["input_tokens"] != 5.0 {
			t.Errorf("the log says %v: %s", one, diff)
		}
	}
}

// An upstream that puts a byte order mark before its JSON is understood, whether it answers or refuses.
func TestByteOrderMarks(t *testing.T) {
	t.Parallel()
	rig := newRigOf(t, "openai")
	const mark = "\ufeff"
	const answer = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"é"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`
	rig.player.set(bytewise([]byte(mark + answer)))
	if status, got := rig.ask(t, llm.Chat, complete); status != http.StatusOK || string(got) != answer {
		t.Errorf("an answer: %d %s", status, got)
	}
	if status, got := rig.ask(t, llm.Chat, streamed); status != http.StatusOK || !strings.HasSuffix(string(got), "data: [DONE]\n\n") {
		t.Errorf("an answer where a stream was asked for: %d %s", status, got)
	}
	const refusal = `{"error":{"message":"The temperature is too high.","type":"invalid_request_error","param":"temperature","code":null}}`
	rig.player.set(func(w http.ResponseWriter) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, mark+refusal)
	})
	for _, options := range []string{complete, streamed} {
		if status, got := rig.ask(t, llm.Chat, options); status != http.StatusBadRequest || string(got) != refusal {
			t.Errorf("a refusal: %d %s", status, got)
		}
	}
}

// A refusal whose body cannot be decompressed still is one: its status says what it means.
func TestRefusalsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	rig := newRigOf(t, "openai")
	for name, said := range map[string]struct{ encoding, body string }{
		"unknown":    {"br", "\x0b\x02\x80{}"},
		"mislabeled": {"gzip", `{"error":{"message":"no"}}`},
		"empty":      {"gzip", ""},
	} {
		for status, want := range map[int]struct {
			status int
			code   string
		}{401: {502, "upstream_auth"}, 429: {429, "upstream_rate_limited"}, 503: {503, "upstream_overloaded"}, 400: {400, ""}, 200: {502, "upstream_failed"}} {
			rig.player.set(func(w http.ResponseWriter) {
				w.Header().Set("Content-Encoding", said.encoding)
				w.WriteHeader(status)
				_, _ = io.WriteString(w, said.body)
			})
			for _, options := range []string{complete, streamed} {
				got, body := rig.ask(t, llm.Chat, options)
				if code := (answer{body: string(body)}).code(); got != want.status || code != want.code {
					t.Errorf("%d, %s: %d %s", status, name, got, body)
				}
			}
		}
	}
}
