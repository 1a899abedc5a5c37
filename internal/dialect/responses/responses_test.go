package responses_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/responses"
	"github.com/weirproxy/weir/internal/dialecttest"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

var codec = dialecttest.Dialect{
	Encode: responses.Encode, Answer: responses.ReadAnswer, Stream: func() dialecttest.Reader { return new(responses.Stream) },
	Last: `"response.completed"`, Decode: responses.Decode, Writer: newWriter, Plain: plain,
}

// server writes what it is given, as an answer to a caller who wants all of it.
type server struct{ *responses.Writer }

func newWriter() dialecttest.Writer {
	r, err := responses.Parse([]byte(`{"model":"m","input":"x","reasoning":{"summary":"auto"},"include":["reasoning.encrypted_content","message.output_text.logprobs"],
		"tools":[{"type":"custom","name":"write"}]}`), dialect.ParseOptions{})
	if err != nil {
		panic(err)
	}
	return server{r.Serve(1_700_000_000)}
}

// unbilled reads all but what a vendor bills besides tokens, which is not written.
func unbilled() dialecttest.Dialect {
	d := codec
	d.Answer = func(body []byte, tell func(*llm.Event)) (llm.Event, error) {
		end, err := responses.ReadAnswer(body, tell)
		return *free(&end), err
	}
	d.Stream = func() dialecttest.Reader { return new(freeStream) }
	return d
}

type freeStream struct{ responses.Stream }

func (st *freeStream) Read(payload []byte, tell func(*llm.Event)) error {
	return st.Stream.Read(payload, func(ev *llm.Event) { tell(free(ev)) })
}

func free(ev *llm.Event) *llm.Event {
	ev.Usage.Cost, ev.Usage.Searches, ev.Usage.Tier = llm.Cost{}, 0, ""
	return ev
}

// plain is a request with all that can be spelled in several ways spelled in one.
func plain(request any) any {
	r := request.(map[string]any)
	for name, value := range map[string]any{"store": false, "stream": false, "truncation": "disabled"} {
		if r[name] == value {
			delete(r, name)
		}
	}
	items, ok := r["input"].([]any)
	if !ok {
		items = []any{map[string]any{"role": "user", "content": r["input"]}}
	}
	if instructions, ok := r["instructions"]; ok {
		items = append([]any{map[string]any{"role": "system", "content": instructions}}, items...)
		delete(r, "instructions")
	}
	for _, item := range items {
		plainItem(item.(map[string]any))
	}
	r["input"] = items
	delete(r, "include") // what the model needs is always asked for
	tools, _ := r["tools"].([]any)
	for _, tool := range tools {
		if tool := tool.(map[string]any); tool["type"] == "function" && tool["strict"] == nil {
			tool["strict"] = false
		}
	}
	return r
}

func plainItem(item map[string]any) {
	if item["role"] == "developer" {
		item["role"] = "system"
	}
	if item["type"] == "message" {
		delete(item, "type")
	}
	delete(item, "id")
	delete(item, "status")
	for name, value := range item {
		if value == nil {
			delete(item, name)
		}
	}
	for _, name := range [...]string{"content", "output"} {
		parts, ok := item[name].([]any)
		if !ok {
			continue
		}
		for _, part := range parts {
			part := part.(map[string]any)
			delete(part, "prompt_cache_breakpoint")
			if part["detail"] == "auto" {
				delete(part, "detail")
			}
		}
		if part := parts[0].(map[string]any); len(parts) == 1 && item["type"] != "reasoning" && part["text"] != nil {
			item[name] = part["text"]
		}
	}
	if args, ok := item["arguments"].(string); ok { // as an object, however it is spaced
		var object any
		if json.Unmarshal([]byte(args), &object) == nil {
			item["arguments"] = object
		}
	}
}

// TestGolden holds translations against files that a person can read.
func TestGolden(t *testing.T) {
	t.Parallel()
	codec.Golden(t)
}

// TestRoundTrips: what the one half writes, the other reads, and the other way round.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	unbilled().RoundTrips(t, "", 0)
	recorded.Responses(t, 15, unbilled().RoundTrip)
}

// Every recorded answer and stream says to OpenAI's client of chats what it says to one of its own.
func TestRecordings(t *testing.T) {
	t.Parallel()
	recorded.Responses(t, 15, func(t *testing.T, r recorded.Interaction) {
		t.Parallel()
		// One vendor names its events after their data: without the end of a name they are whole.
		r.Response.Body.Text = nameBehind.ReplaceAllString(r.Response.Body.Text, "$1")
		codec.Recording(t, r, recorded.ReadResponses)
	})
}

var nameBehind = regexp.MustCompile(`(?m)^(data: .*)\nevent: .*$`)

// TestBilled: what a vendor bills besides tokens is read.
func TestBilled(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]llm.Usage{
		`{"output":[{"type":"web_search_call","action":{"type":"search"}},{"type":"web_search_call","action":{"type":"open_page"}},{"type":"web_search_call"}]}`: {Searches: 2},
		`{"output":[],"usage":{"input_tokens":1,"output_tokens":2,"cost":0.0252}}`:                                                                               {Fresh: 1, Text: 2, Cost: llm.Cost{Nanodollars: 25_200_000, Known: true}},
		`{"output":[],"usage":{"input_tokens":1,"output_tokens":2,"cost_in_usd_ticks":37756000}}`:                                                                {Fresh: 1, Text: 2, Cost: llm.Cost{Nanodollars: 3_775_600, Known: true}},
		`{"output":[],"service_tier":"priority","usage":{"input_tokens":3,"input_tokens_details":{"cached_tokens":1,"cache_write_tokens":1}}}`:                   {Fresh: 1, CacheRead: 1, CacheWrite: 1, Tier: "priority"},
	} {
		if end, err := responses.ReadAnswer([]byte(body), func(*llm.Event) {}); err != nil || end.Usage != want {
			t.Errorf("%s: %+v, %v", body, end.Usage, err)
		}
	}
}

// FuzzServed: whatever is asked in this dialect, nothing of what it becomes is lost on the way back.
func FuzzServed(f *testing.F) { codec.Decodes(f) }

// FuzzRequest: whatever is asked, what goes upstream is JSON that names no member of it twice.
func FuzzRequest(f *testing.F) { codec.Requests(f) }

// FuzzAnswer: whatever is answered, what goes to the caller is an answer that needs no mending.
func FuzzAnswer(f *testing.F) { codec.Answers(f) }

// FuzzWrite: whatever is answered, what can be read of it can be written, and says the same.
func FuzzWrite(f *testing.F) { unbilled().Writes(f) }

// FuzzStream: whatever is streamed, every chunk is JSON, and a whole stream has a finish reason.
func FuzzStream(f *testing.F) { codec.Streams(f) }
