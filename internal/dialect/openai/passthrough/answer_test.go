package passthrough

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

func TestParseAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		usage      llm.Usage
		finish     string
		fails      bool
	}{
		{"OpenAI", `{"id":"x","choices":[{"index":0,"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":3},"completion_tokens_details":{"reasoning_tokens":2}}}`, llm.Usage{Fresh: 3, CacheRead: 4, CacheWrite: 3, Text: 3, Reasoning: 2}, "stop", false},
		{"DeepSeek's cache hits", `{"choices":[{}],"usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_cache_hit_tokens":6,"prompt_cache_miss_tokens":4}}`, llm.Usage{Fresh: 4, CacheRead: 6, Text: 5}, "", false},
		{"Moonshot's cached tokens", `{"choices":[{}],"usage":{"prompt_tokens":10,"completion_tokens":5,"cached_tokens":6}}`, llm.Usage{Fresh: 4, CacheRead: 6, Text: 5}, "", false},
		{"xAI's reasoning beside the completion", `{"choices":[{}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":35,"completion_tokens_details":{"reasoning_tokens":20}}}`, llm.Usage{Fresh: 10, Text: 5, Reasoning: 20}, "", false},
		{"zero stays zero", `{"choices":[{"finish_reason":null}],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}`, llm.Usage{}, "", false},
		{"figures that are none", `{"choices":[{}],"usage":{"prompt_tokens":"10","completion_tokens":-5,"total_tokens":1e999}}`, llm.Usage{Absurd: true}, "", false},
		{"an error", `{"error":{"message":"no"}}`, llm.Usage{}, "", true},
		{"an error that is null", `{"error":null,"choices":[{}]}`, llm.Usage{}, "", false},
		{"no choices", `{"id":"x","choices":[]}`, llm.Usage{}, "", true},
		{"null choices", `{"id":"x","choices":null}`, llm.Usage{}, "", true},
		{"null", `null`, llm.Usage{}, "", true},
		{"cut off", `{"choices":[{}`, llm.Usage{}, "", true},
		{"trailing garbage", `{"choices":[{}]}x`, llm.Usage{}, "", true},
		{"nothing", ``, llm.Usage{}, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, err := mustParse(t, llm.Chat, `{"model":"m","messages":[{}]}`).ParseAnswer([]byte(tt.body), dialect.Stand{})
			if (err != nil) != tt.fails {
				t.Fatalf("err = %v", err)
			}
			if err == nil && (a.Usage != tt.usage || a.Finish != tt.finish) {
				t.Fatalf("got %+v", a)
			}
		})
	}
}

// walkAll relays payloads through a Stream and returns what the caller sees.
func walkAll(t testing.TB, st *Stream, payloads ...string) []string {
	t.Helper()
	var out []string
	for _, p := range payloads {
		c, err := st.Walk([]byte(p))
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if !c.Drop {
			out = append(out, string(jsonwalk.Apply(nil, []byte(p), c.Edits)))
		}
	}
	return out
}

func TestStreamCutsOutWhatOnlyWeirAskedFor(t *testing.T) {
	t.Parallel()
	withNull := func(chunk string) string { return strings.Replace(chunk, `,"choices"`, `,"usage":null,"choices"`, 1) }
	begin, text, end := chunkOf(role), chunkOf(word), chunkOf(stop)
	usage := pre + `[],"usage":{"prompt_tokens":1,"completion_tokens":2}}`
	in := []string{withNull(begin), `{"usage":null,` + text[1:], end[:len(end)-1] + `,"usage":null}`, usage}
	st := &Stream{AskedUsage: true}
	if diff := cmp.Diff([]string{begin, text, end}, repaired(t, st, in...)); diff != "" {
		t.Error(diff)
	}
	if want := (llm.Usage{Fresh: 1, Text: 2}); !st.HasUsage || st.Usage != want {
		t.Errorf("usage %+v", st.Usage)
	}
	if diff := cmp.Diff(in, repaired(t, &Stream{WantUsage: true}, in...)); diff != "" {
		t.Errorf("a caller that asked lost something:\n%s", diff)
	}
	if diff := cmp.Diff(in[:3], repaired(t, &Stream{}, in...)); diff != "" {
		t.Errorf("nobody asked, and bytes changed:\n%s", diff)
	}
	echoed := repaired(t, &Stream{AskedUsage: true, EchoModel: "logical"}, in...)
	logical := func(chunk string) string { return strings.Replace(chunk, `"model":"m"`, `"model":"logical"`, 1) }
	if diff := cmp.Diff([]string{logical(begin), logical(text), logical(end)}, echoed); diff != "" {
		t.Error(diff)
	}
}

func TestStreamContent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		payload string
		content bool
	}{
		{`{"choices":[{"delta":{"role":"assistant","content":""}}]}`, false},
		{`{"choices":[{"delta":{"content":null,"tool_calls":[]}}]}`, false},
		{`{"choices":[],"prompt_filter_results":[{}]}`, false},
		{`{"choices":[{"delta":{"unknown":"x"}}]}`, false},
		{`{"choices":[{"delta":null}]}`, false},
		{`{"choices":[{"delta":{"content":"a"}}]}`, true},
		{`{"choices":[{"delta":{"reasoning_content":"a"}}]}`, true},
		{`{"choices":[{"delta":{"reasoning_details":[{}]}}]}`, true},
		{`{"choices":[{"delta":{"refusal":"a"}}]}`, true},
		{`{"choices":[{"delta":{"audio":{"id":"a"}}}]}`, true},
		{`{"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}`, true},
		{`{"choices":[{"text":"a"}]}`, true},
		{`{"choices":[{"text":""}]}`, false},
		{`{"choices":[{"text":null}]}`, false},
		{`{"choices":[{"delta":{},"finish_reason":"stop"}]}`, true},
		{`{"choices":[{"delta":{},"finish_reason":null}]}`, false},
		{`{"choices":[{"delta":{}},{"index":1,"delta":{"content":"b"}}]}`, true},
	} {
		c, err := new(Stream).Walk([]byte(tt.payload))
		if err != nil || c.Content != tt.content {
			t.Errorf("%s: content %v (%v)", tt.payload, c.Content, err)
		}
	}
}

func TestStreamComplete(t *testing.T) {
	t.Parallel()
	text, tool := `{"choices":[{"index":0,"delta":{"content":"a"}}]}`, `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0}]}}]}`
	end, second := `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, `{"choices":[{"index":1,"delta":{"content":"b"}}]}`
	for _, tt := range []struct {
		name     string
		payloads []string
		eof      bool // complete at the mere end of the body
		done     bool // complete at [DONE]
	}{
		{"nothing", nil, false, false},
		{"no choice", []string{`{"choices":[],"usage":{}}`}, false, false},
		{"finished", []string{text, end}, true, true},
		{"unfinished", []string{text}, false, true},
		{"unfinished tool call", []string{tool}, false, false},
		{"finished tool call", []string{tool, end}, true, true},
		{"one of two choices finished", []string{text, second, end}, false, true},
	} {
		st := new(Stream)
		walkAll(t, st, tt.payloads...)
		if st.Complete(false) != tt.eof || st.Complete(true) != tt.done {
			t.Errorf("%s: %v, %v", tt.name, st.Complete(false), st.Complete(true))
		}
	}
}

// Completions of many prompts have more choices than are remembered: that those have ended does not make the stream whole.
func TestStreamOfManyChoicesIsNotWholeEarly(t *testing.T) {
	t.Parallel()
	st := &Stream{Legacy: true}
	for i := range openai.MaxChoices {
		walkAll(t, st, fmt.Sprintf(`{"choices":[{"index":%d,"text":"a","finish_reason":"stop"}]}`, i))
	}
	if !st.Complete(false) {
		t.Error("all have ended")
	}
	walkAll(t, st, fmt.Sprintf(`{"choices":[{"index":%d,"text":"a","finish_reason":null}]}`, openai.MaxChoices))
	if st.Complete(false) || !st.Complete(true) {
		t.Error("one has not ended, which only [DONE] can tell")
	}
}

func TestStreamErrors(t *testing.T) {
	t.Parallel()
	if c, err := new(Stream).Walk([]byte(`{"error":{"message":"x"},"choices":[]}`)); err != nil || !c.Error {
		t.Error("an error inside a chunk was missed")
	}
	if c, err := new(Stream).Walk([]byte(`{"error":null,"choices":[]}`)); err != nil || c.Error {
		t.Error("a null is no error")
	}
	for payload, want := range map[string]bool{
		`{"object":"error","message":"x","type":"t","param":null,"code":500}`: true,
		`{"detail":"x"}`: true,
		`{"success":false,"errors":[{"message":"x"}]}`:      true,
		`{"choices":null,"base_resp":{"status_code":1027}}`: true,
		`{"choices":[],"base_resp":{"status_code":0}}`:      false,
		`{"choices":null,"message":null,"errors":null}`:     false,
		`{"message":"x","choices":[]}`:                      false,
		`{"message":"x","usage":{}}`:                        false,
		`{"object":"chat.completion.chunk"}`:                false,
	} {
		if c, err := new(Stream).Walk([]byte(payload)); err != nil || c.Error != want {
			t.Errorf("%s: error %v (%v)", payload, c.Error, err)
		}
	}
	if c, err := new(Stream).Walk([]byte(` { } `)); err != nil || !c.Drop {
		t.Error("a ping was passed on")
	}
	for _, bad := range []string{`{`, `[]`, `text`, `{"a":1}}`} {
		if _, err := new(Stream).Walk([]byte(bad)); err == nil {
			t.Errorf("%s passed", bad)
		}
	}
}

// An upstream may break off anywhere, and so may a caller.
func TestEveryPrefix(t *testing.T) {
	t.Parallel()
	chunk := `{"id":"x","choices":[{"index":0,"delta":{"role":"a","content":[{"a":1}],"audio":{"id":"a"},"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":"{}"}}]},"text":"a","finish_reason":"stop"}],"model":"m","error":null,"usage":{"prompt_tokens":1,"prompt_tokens_details":{"cached_tokens":1}},"detail":[]}`
	vectors := `{"object":"list","data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":"AACAPw=="}],"model":"m","usage":{"prompt_tokens":1},"error":null}`
	request := `{"model":"m","messages":[{"role":"user","content":"hi"}],"input":["a",[1]],"prompt":"p","stream":true,"stream_options":{"include_usage":true},"encoding_format":"base64"}`
	asked := mustParse(t, llm.Embeddings, `{"model":"m","input":["a","b"],"encoding_format":"base64"}`)
	chat := mustParse(t, llm.Chat, `{"model":"m","messages":[{}]}`)
	for _, text := range []string{chunk, vectors, request} {
		for i := range text { // up to the last byte: none of these counts as whole
			cut := []byte(text[:i])
			if _, err := (&Stream{AskedUsage: true, EchoModel: "e"}).Walk(cut); err == nil {
				t.Errorf("Walk took %s", cut)
			}
			if _, err := chat.ParseAnswer(cut, dialect.Stand{Echo: "e"}); err == nil {
				t.Errorf("ParseAnswer took %s", cut)
			}
			if _, _, err := asked.Pass(cut, &dialect.Changes{}, dialect.Stand{Echo: "e"}); err == nil {
				t.Errorf("Pass took %s", cut)
			}
			for _, e := range []llm.Endpoint{llm.Chat, llm.Completions, llm.Embeddings} {
				if _, err := ParseRequest(e, cut, 0); err == nil {
					t.Errorf("ParseRequest took %s", cut)
				}
			}

		}
	}
}

func TestWalkAllocatesNothing(t *testing.T) {
	payload := []byte(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"word"},"finish_reason":null}],"usage":null}`)
	st := &Stream{AskedUsage: true}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := st.Walk(payload); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Fatalf("%v allocations per event", n)
	}
}

func TestPassEmbeddings(t *testing.T) {
	t.Parallel()
	const one, half = `[1,-0.5]`, `"AACAPwAAAL8="` // little-endian float32
	answer := func(items ...string) string {
		return `{"object":"list","data":[` + strings.Join(items, ",") + `],"model":"up","usage":{"prompt_tokens":3,"total_tokens":3}}`
	}
	item := func(i int, vector string) string {
		return fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s,"x":1}`, i, vector)
	}
	for _, tt := range []struct{ name, request, body, echo, want string }{
		{"floats as asked", `{"model":"m","input":"a"}`, answer(item(0, one)), "", answer(item(0, one))},
		{"base64 as asked", `{"model":"m","input":"a","encoding_format":"base64"}`, answer(item(0, half)), "", answer(item(0, half))},
		{"floats to base64", `{"model":"m","input":"a","encoding_format":"base64"}`, answer(item(0, one)), "", answer(item(0, half))},
		{"base64 to floats", `{"model":"m","input":"a","encoding_format":"float"}`, answer(item(0, half)), "", answer(item(0, one))},
		{"out of order", `{"model":"m","input":["a","b"]}`, answer(item(1, one), item(0, `[2]`)), "", answer(item(0, `[2]`), item(1, one))},
		{"echoed name", `{"model":"m","input":"a"}`, answer(item(0, one)), "m", strings.Replace(answer(item(0, one)), `"up"`, `"m"`, 1)},
		{"echoed name and order", `{"model":"m","input":["a","b"]}`, answer(item(1, one), item(0, one)), "m", strings.Replace(answer(item(0, one), item(1, one)), `"up"`, `"m"`, 1)},
		{"too few", `{"model":"m","input":["a","b"]}`, answer(item(0, one)), "", ""},
		{"the same index twice", `{"model":"m","input":["a","b"]}`, answer(item(0, one), item(0, one)), "", ""},
		{"an index too far", `{"model":"m","input":["a","b"]}`, answer(item(0, one), item(2, one)), "", ""},
		{"no vector", `{"model":"m","input":"a"}`, answer(`{"index":0}`), "", ""},
		{"a vector of words", `{"model":"m","input":"a","encoding_format":"base64"}`, answer(item(0, `["x"]`)), "", ""},
		{"a vector of words, floats as asked", `{"model":"m","input":"a"}`, answer(item(0, `[1,"x"]`)), "", ""},
		{"no base64, base64 as asked", `{"model":"m","input":"a","encoding_format":"base64"}`, answer(item(0, `"!!!"`)), "", ""},
		{"base64 that is none", `{"model":"m","input":"a"}`, answer(item(0, `"!"`)), "", ""},
		{"an error", `{"model":"m","input":"a"}`, `{"error":"x"}`, "", ""},
		{"no data", `{"model":"m","input":"a"}`, `{"object":"list"}`, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, a, err := mustParse(t, llm.Embeddings, tt.request).Pass([]byte(tt.body), &dialect.Changes{}, dialect.Stand{Echo: tt.echo})
			if tt.want == "" {
				if !errors.Is(err, openai.ErrNoAnswer) {
					t.Fatalf("got %s, %v", got, err)
				}
				return
			}
			if err != nil || string(got) != tt.want {
				t.Fatalf("got  %s\nwant %s\n(%v)", got, tt.want, err)
			}
			if !a.HasUsage || a.Usage.Fresh != 3 {
				t.Fatalf("usage %+v", a.Usage)
			}
		})
	}
}

func TestStreamOf(t *testing.T) {
	t.Parallel()
	r := mustParse(t, llm.Chat, `{"model":"m","messages":[{}],"stream":true}`)
	body := `{"id":"c1","object":"chat.completion","created":7,"x":{"y":1},"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}},{"index":4}]},"logprobs":null,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`
	want := []string{
		`{"id":"c1","created":7,"x":{"y":1},"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"f","arguments":"{}"}},{"index":4}]},"finish_reason":null,"logprobs":null}]}`,
		`{"id":"c1","created":7,"x":{"y":1},"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
		`{"id":"c1","created":7,"x":{"y":1},"object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}`,
	}
	if diff := cmp.Diff(want, streamOf(t, r, body)); diff != "" {
		t.Error(diff)
	}
	legacy := mustParse(t, llm.Completions, `{"model":"m","prompt":"p","stream":true}`)
	want = []string{`{"id":"c","object":"text_completion","choices":[{"index":0,"text":"a","finish_reason":"stop"}]}`}
	if diff := cmp.Diff(want, streamOf(t, legacy, `{"id":"c","object":"text_completion","choices":[{"index":0,"text":"a","finish_reason":"stop"}],"usage":null}`)); diff != "" {
		t.Error(diff)
	}
}

func streamOf(t *testing.T, r *Request, body string) []string {
	t.Helper()
	payloads, err := r.StreamOf([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for p := range payloads {
		out = append(out, string(p))
	}
	return out
}

// OpenRouter says in a choice that its model failed; that is an error if the choice has no other end.
func TestErrorInAChoice(t *testing.T) {
	t.Parallel()
	for choice, fails := range map[string]bool{
		`{"index":0,"error":{"code":502,"message":"m"},"finish_reason":null,%s}`:   true,
		`{"index":0,%s,"error":{"code":502,"message":"m"}}`:                        true,
		`{"index":0,%s,"error":"m","finish_reason":"error"}`:                       true,
		`{"index":0,%s,"error":{"code":502,"message":"m"},"finish_reason":"stop"}`: false,
		`{"index":0,%s,"error":null,"finish_reason":null}`:                         false,
		`{"index":0,%s,"error":{},"finish_reason":null}`:                           false,
		`{"index":0,%s,"error":false}`:                                             false,
	} {
		body := fmt.Sprintf(`{"id":"c","choices":[`+choice+`]}`, `"message":{"role":"assistant","content":"a"}`)
		a, err := new(Request).ParseAnswer([]byte(body), dialect.Stand{})
		if a.IsError != fails || (err != nil) != fails {
			t.Errorf("%s is an error: %t, %v", body, a.IsError, err)
		}
		body = fmt.Sprintf(`{"id":"c","choices":[`+choice+`]}`, `"delta":{"role":"assistant","content":"a"}`)
		if c, err := new(Stream).Walk([]byte(body)); c.Error != fails || err != nil {
			t.Errorf("%s is an error: %t, %v", body, c.Error, err)
		}
	}
}

// What follows the convention passes as it is, and nothing is counted as mended.
func TestConventionalStreamsAreNotTouched(t *testing.T) {
	t.Parallel()
	in := []string{chunkOf(role), chunkOf(word), chunkOf(stop)}
	st := &Stream{}
	if diff := cmp.Diff(in, walkAll(t, st, in...)); diff != "" || st.Repairs != (dialect.Repairs{}) {
		t.Errorf("%v %s", st.Repairs, diff)
	}
}
