package openai

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/llm"
)

// decoded is what a chat with one message and the given members becomes.
func decoded(t *testing.T, members string) *llm.Request {
	t.Helper()
	if members != "" {
		members = "," + members
	}
	got, err := Decode(Members([]byte(`{"model":"m","messages":[{"role":"user","content":"hi"}]`+members+`}`)), nil)
	if err != nil {
		t.Fatalf("%s: %v", members, err)
	}
	return got
}

// Each member that the typed model has words for arrives in it: what was lost here would be lost for every dialect.
func TestMembersThatDecodeUnderstands(t *testing.T) {
	t.Parallel()
	plain := decoded(t, "")
	for _, tt := range []struct {
		members string
		want    func(*llm.Request)
	}{
		{`"stop":"END"`, func(r *llm.Request) { r.Stop = []llm.JSON{llm.JSON(`"END"`)} }},
		{`"stop":["a","b"]`, func(r *llm.Request) { r.Stop = []llm.JSON{llm.JSON(`"a"`), llm.JSON(`"b"`)} }},
		{`"stop":null`, func(*llm.Request) {}},
		{`"max_tokens":7`, func(r *llm.Request) { r.MaxToken = 7 }},
		{`"max_completion_tokens":7`, func(r *llm.Request) { r.MaxToken = 7 }},
		{`"max_completion_tokens":7,"max_tokens":9`, func(r *llm.Request) { r.MaxToken = 7 }},
		{`"max_tokens":9,"max_completion_tokens":7`, func(r *llm.Request) { r.MaxToken = 7 }},
		{`"parallel_tool_calls":false`, func(r *llm.Request) { r.Serial = true }},
		{`"parallel_tool_calls":true`, func(*llm.Request) {}},
		{`"reasoning_effort":"low"`, func(r *llm.Request) { r.Effort = "low" }},
		{`"user":"u"`, func(r *llm.Request) { r.User, r.UserName = llm.JSON(`"u"`), "user" }},
		{`"user":"u","safety_identifier":"s"`, func(r *llm.Request) { r.User, r.UserName = llm.JSON(`"s"`), "safety_identifier" }},
		{`"safety_identifier":"s","user":"u"`, func(r *llm.Request) { r.User, r.UserName = llm.JSON(`"s"`), "safety_identifier" }},
		{`"stream":true`, func(r *llm.Request) { r.Stream = true }},
		{`"response_format":{"type":"text"}`, func(*llm.Request) {}},
		{`"response_format":{"type":"json_object"}`, func(r *llm.Request) { r.Format.Kind = llm.FormatJSON }},
		{`"response_format":{"type":"json_schema","json_schema":{"name":"n","description":"d","schema":{"a":1},"strict":true}}`, func(r *llm.Request) {
			r.Format.Kind, r.Format.Name, r.Format.Description, r.Format.Schema, r.Format.Strict = llm.FormatSchema, llm.JSON(`"n"`), llm.JSON(`"d"`), llm.JSON(`{"a":1}`), true
		}},
		{`"response_format":{"json_schema":{"schema":{}},"type":"json_schema"}`, func(r *llm.Request) { r.Format.Kind, r.Format.Schema = llm.FormatSchema, llm.JSON(`{}`) }},
		{`"temperature":0.5,"x":[1]`, func(r *llm.Request) {
			r.Params = []llm.Param{{Name: "temperature", Value: llm.JSON("0.5")}, {Name: "x", Value: llm.JSON("[1]")}}
		}},
		{`"seed":0`, func(r *llm.Request) { r.Params = []llm.Param{{Name: "seed", Value: llm.JSON("0")}} }},
		{`"temperature":null`, func(*llm.Request) {}},

		// What says nothing is not carried, or it would be announced as left out.
		{`"n":1,"logprobs":false,"store":false,"top_logprobs":0,"presence_penalty":0.0,"frequency_penalty":0,"logit_bias":{},"metadata":{ },"modalities":["text"],"service_tier":"auto","verbosity":"medium"`, func(*llm.Request) {}},
		{`"n":2`, func(r *llm.Request) { r.Params = []llm.Param{{Name: "n", Value: llm.JSON("2")}} }},
		{`"store":true`, func(r *llm.Request) { r.Params = []llm.Param{{Name: "store", Value: llm.JSON("true")}} }},
		{`"frequency_penalty":0.1`, func(r *llm.Request) { r.Params = []llm.Param{{Name: "frequency_penalty", Value: llm.JSON("0.1")}} }},
		{`"metadata":{"a":"b"}`, func(r *llm.Request) { r.Params = []llm.Param{{Name: "metadata", Value: llm.JSON(`{"a":"b"}`)}} }},
		{`"service_tier":"flex"`, func(r *llm.Request) { r.Params = []llm.Param{{Name: "service_tier", Value: llm.JSON(`"flex"`)}} }},
		{`"verbosity":"low"`, func(r *llm.Request) { r.Params = []llm.Param{{Name: "verbosity", Value: llm.JSON(`"low"`)}} }},
		{`"modalities":["text","audio"]`, func(r *llm.Request) {
			r.Params = []llm.Param{{Name: "modalities", Value: llm.JSON(`["text","audio"]`)}}
		}},
	} {
		want := *plain
		tt.want(&want)
		if diff := cmp.Diff(&want, decoded(t, tt.members)); diff != "" {
			t.Errorf("%s:\n%s", tt.members, diff)
		}
	}
}

// What no dialect could carry, or what makes no sense, is refused with the member that is at fault.
func TestMembersThatDecodeRefuses(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]string{
		`"stop":7`:                                 "stop",
		`"stop":["a",7]`:                           "stop",
		`"max_tokens":"7"`:                         "max_tokens",
		`"parallel_tool_calls":1`:                  "parallel_tool_calls",
		`"reasoning_effort":"any"`:                 "reasoning_effort",
		`"reasoning_effort":1`:                     "reasoning_effort",
		`"user":7`:                                 "user",
		`"functions":[]`:                           "functions",
		`"function_call":"auto"`:                   "function_call",
		`"response_format":"text"`:                 "response_format",
		`"response_format":{"type":"xml"}`:         "response_format.type",
		`"response_format":{"type":"json_schema"}`: "response_format.json_schema.schema",
		`"response_format":{"type":"json_schema","json_schema":{"schema":[]}}`: "response_format.json_schema.schema",
	} {
		got, err := Decode(Members([]byte(`{"model":"m","messages":[{"role":"user","content":"hi"}],`+members+`}`)), nil)
		if err == nil || len(err.Param) < len(want) || err.Param[:len(want)] != want {
			t.Errorf("%s: %+v, %+v", members, got, err)
		}
	}
}

// A member that the target refuses is left out, and said to be.
func TestDecodeLeavesOut(t *testing.T) {
	t.Parallel()
	got, err := Decode(Members([]byte(`{"model":"m","messages":[{"role":"user","content":"hi"}],"stop":"x","seed":1,"top_p":null}`)), []string{"stop", "top_p"})
	if err != nil || got.Stop != nil || len(got.Params) != 1 || len(got.Left) != 1 || got.Left[0] != "stop" {
		t.Errorf("%+v, %v", got, err)
	}
}

// System messages alone become the user's: other APIs refuse a conversation without one.
func TestSystemMessagesAlone(t *testing.T) {
	t.Parallel()
	got, err := Decode(Members([]byte(`{"model":"m","messages":[{"role":"system","content":"a"},{"role":"developer","content":"b"}]}`)), nil)
	if err != nil || len(got.System) != 0 || len(got.Messages) != 1 || got.Messages[0].Role != llm.User || len(got.Messages[0].Parts) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Reasoning that a caller sends back as a text, under either name, goes before what was said, and whose it is is not known.
func TestReasoningSentBackAsText(t *testing.T) {
	t.Parallel()
	thought := llm.Part{Kind: llm.Reasoning, Text: llm.JSON(`"why"`), Maker: llm.UnsaidMaker}
	said := llm.Part{Kind: llm.Text, Text: llm.JSON(`"b"`)}
	for members, want := range map[string][]llm.Part{
		`"content":"b"`: {said},
		`"content":"b","reasoning_content":"why"`: {thought, said},
		`"content":"b","reasoning":"why"`:         {thought, said},
		`"content":"b","reasoning":null`:          {said},
	} {
		got, err := Decode(Members([]byte(`{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant",`+members+`},{"role":"user","content":"c"}]}`)), nil)
		if err != nil {
			t.Fatalf("%s: %v", members, err)
		}
		if diff := cmp.Diff(want, got.Messages[1].Parts); diff != "" {
			t.Errorf("%s:\n%s", members, diff)
		}
	}
}

// What a request takes in the typed model goes by its objects, and by the elements of lists that have no objects.
func TestTyped(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		`{"model":"m","messages":[{"role":"user","content":"hi"}]}`:                            2 * perObject,
		`{"model":"m","messages":[{"role":"user","content":"{\"a\":{"}]}`:                      3 * perObject, // in a text, an escaped character does not count
		`{"model":"m","messages":[{}],"stop":["a","b","c"]}`:                                   2*perObject + 2*perElement,
		`{"model":"m","messages":[{}],"stop":"a,b"}`:                                           2 * perObject,
		`{"model":"m","messages":[{}],"other":["a","b","c"]}`:                                  2 * perObject,
		`{"model":"m","messages":[{}],"tools":[{"type":"function","function":{"name":"f"}}] }`: 4 * perObject,
	} {
		if got := Typed([]byte(body), Members([]byte(body))); got != want {
			t.Errorf("%s: %d, want %d", body, got, want)
		}
	}
}
