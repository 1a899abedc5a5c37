package passthrough

import (
	"errors"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

func TestAnswerRepairs(t *testing.T) {
	t.Parallel()
	const top = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[`
	answer := func(choice string) string { return top + choice + `]}` }
	message := func(members, finish string) string {
		return answer(`{"index":0,"message":{"role":"assistant"` + members + `},"finish_reason":` + finish + `}`)
	}
	for _, tt := range []struct{ name, in, want string }{
		{"a conventional answer passes byte for byte", message(`,"content":"a","x":1.0`, `"stop"`), message(`,"content":"a","x":1.0`, `"stop"`)},
		{"what is missing at the top is put in", `{"choices":[{"index":0,"message":{"role":"assistant"},"finish_reason":null}]}`, `{"model":"asked","object":"chat.completion","created":9,"id":"chatcmpl-r","choices":[{"index":0,"message":{"role":"assistant"},"finish_reason":null}]}`},
		{"empty and odd values at the top", `{"id":"","object":"x","created":1795235516.5,"model":"","error":null,"choices":[{"index":0,"message":{"role":"assistant"}}]}`, `{"id":"chatcmpl-r","object":"chat.completion","created":1795235516,"model":"asked","choices":[{"finish_reason":null,"index":0,"message":{"role":"assistant"}}]}`},
		{"a time that cannot be read", `{"id":"c","object":"chat.completion","created":"now","model":null,"choices":[{"index":0,"message":{"role":"assistant"},"finish_reason":null}]}`, `{"id":"c","object":"chat.completion","created":9,"model":"asked","choices":[{"index":0,"message":{"role":"assistant"},"finish_reason":null}]}`},
		{"index and role missing", answer(`{"message":{"content":"a"},"finish_reason":"stop"}`), answer(`{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}`)},
		{"role null", answer(`{"index":0,"message":{"role":null},"finish_reason":"stop"}`), message(``, `"stop"`)},
		{"a finish reason of the vendor's own", message(`,"content":"a"`, `"max_tokens"`), message(`,"content":"a"`, `"length"`)},
		{"an empty finish reason", message(`,"content":"a"`, `""`), message(`,"content":"a"`, `null`)},
		{"no tool calls", message(`,"content":"a","tool_calls":[]`, `"stop"`), message(`,"content":"a"`, `"stop"`)},
		{"stop although tools were called", message(`,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]`, `"stop"`), message(`,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]`, `"tool_calls"`)},
		{"a tool call without id and type, arguments as an object", message(`,"tool_calls":[{"function":{"name":"f","arguments":{"a":"<b>"}}}]`, `"tool_calls"`), message(`,"tool_calls":[{"type":"function","id":"call_r_0_0","function":{"name":"f","arguments":"{\"a\":\"\u003cb\u003e\"}"}}]`, `"tool_calls"`)},
		{"custom calls without a type", message(`,"tool_calls":[{"id":"t","type":null,"custom":{"name":"f","input":"x"}},{"id":"u","custom":{"name":"f","input":"x"},"type":""},{"id":"v","function":{"name":"f","arguments":""},"custom":null}]`, `"tool_calls"`), message(`,"tool_calls":[{"id":"t","type":"custom","custom":{"name":"f","input":"x"}},{"id":"u","custom":{"name":"f","input":"x"},"type":"custom"},{"type":"function","id":"v","function":{"name":"f","arguments":""},"custom":null}]`, `"tool_calls"`)},
		{"no message", answer(`{"index":0,"finish_reason":"content_filter: PROHIBITED_CONTENT"}`), answer(`{"message":{"role":"assistant","content":null},"index":0,"finish_reason":"content_filter"}`)},
		{"a message that is null", answer(`null,{"index":1,"message":null,"finish_reason":"stop"}`), answer(`null,{"index":1,"message":{"role":"assistant","content":null},"finish_reason":"stop"}`)},
		{"content in parts", message(`,"content":[{"type":"thinking","thinking":[{"text":"hm"}]},{"type":"text","text":"a"},{"type":"text","text":"b"}]`, `"stop"`), message(`,"content":"ab","reasoning_content":"hm"`, `"stop"`)},
		{"content in parts beside the reasoning", message(`,"reasoning_content":"x","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"}]`, `"stop"`), message(`,"reasoning_content":"x","content":"a"`, `"stop"`)},
		{"length is kept although tools were called", message(`,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{"}}]`, `"length"`), message(`,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{"}}]`, `"length"`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, stand := mustParse(t, llm.Chat, `{"model":"m","messages":[{}]}`), dialect.Stand{Name: "r", Now: 9, Asked: "asked"}
			a, err := r.ParseAnswer([]byte(tt.in), stand)
			if err != nil {
				t.Fatal(err)
			}
			got := string(jsonwalk.Apply(nil, []byte(tt.in), a.Edits))
			if got != tt.want {
				t.Fatalf("got  %s\nwant %s", got, tt.want)
			}
			again, err := r.ParseAnswer([]byte(got), stand)
			if err != nil || len(again.Edits) != 0 {
				t.Fatalf("what was repaired is repaired again: %+v %v", again.Edits, err)
			}
		})
	}
	r := mustParse(t, llm.Chat, `{"model":"m","messages":[{}]}`)
	nameless := []byte(`{"id":"c","object":"chat.completion","created":1,"choices":[{"index":0,"message":{"role":"assistant"},"finish_reason":"stop"}]}`)
	a, err := r.ParseAnswer(nameless, dialect.Stand{Echo: "echo", Asked: "asked"})
	if got := string(jsonwalk.Apply(nil, nameless, a.Edits)); err != nil || got != `{"model":"echo",`+string(nameless[1:]) {
		t.Errorf("%s %v", got, err)
	}
	if _, err := r.ParseAnswer([]byte(answer(`null`)), dialect.Stand{}); !errors.Is(err, openai.ErrNoAnswer) {
		t.Errorf("a null as the only choice passed: %v", err)
	}
	for body, want := range map[string]bool{
		`{"detail":"boom"}`: true, `{"message":"boom","choices":null}`: true, `{"success":false,"errors":[{"message":"boom"}]}`: true,
		`{"choices":null,"base_resp":{"status_code":1002,"status_msg":"boom"}}`: true, `{"message":null,"choices":[]}`: false,
	} {
		if a, err := r.ParseAnswer([]byte(body), dialect.Stand{}); !errors.Is(err, openai.ErrNoAnswer) || a.IsError != want {
			t.Errorf("%s: an error: %t, %v", body, a.IsError, err)
		}
	}
	if a, err := r.ParseAnswer([]byte(message(``, `"network_error"`)), dialect.Stand{}); err == nil || !a.IsError {
		t.Errorf("a failure told as a finish reason passed: %+v %v", a, err)
	}
}
