package passthrough

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// repaired relays payloads as the relay does: it looks first, Tail comes last.
func repaired(t testing.TB, st *Stream, payloads ...string) []string {
	t.Helper()
	name, now, asked := st.Name, st.Now, st.Asked
	st.Name, st.Now, st.Asked = "", 0, ""
	for _, p := range payloads {
		c, err := st.Walk([]byte(p))
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if c.Content {
			break
		}
	}
	st.Restart(dialect.Stand{Name: name, Now: now, Asked: asked})
	out := walkAll(t, st, payloads...)
	if tail := st.Tail(); tail != nil {
		out = append(out, string(tail))
	}
	return out
}

const (
	pre  = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":`
	role = `{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}`
	word = `{"index":0,"delta":{"content":"a"},"finish_reason":null}`
	stop = `{"index":0,"delta":{},"finish_reason":"stop"}`
)

func chunkOf(choices ...string) string { return pre + "[" + strings.Join(choices, ",") + "]}" }

func toolDelta(call string) string {
	return chunkOf(`{"index":0,"delta":{"tool_calls":[` + call + `]},"finish_reason":null}`)
}

func TestStreamRepairs(t *testing.T) {
	t.Parallel()
	begin, text, end := chunkOf(role), chunkOf(word), chunkOf(stop)
	for _, tt := range []struct {
		name     string
		stream   Stream
		in, want []string
	}{
		{"a conventional stream passes byte for byte", Stream{}, []string{begin, text, end}, []string{begin, text, end}},
		{
			"unknown members and odd spacing pass",
			Stream{},
			[]string{` {"x" : [ 1.0 ] ,"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[ {"index":0,"delta":{"role":"assistant","y":{"a":null}},"finish_reason":null,"z":1e3} ]}`, end},
			[]string{` {"x" : [ 1.0 ] ,"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[ {"index":0,"delta":{"role":"assistant","y":{"a":null}},"finish_reason":null,"z":1e3} ]}`, end},
		},
		{
			"Azure's empty first chunk takes the id, time and model of the others",
			Stream{},
			[]string{`{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{}]}`, begin, text, end},
			[]string{`{"choices":[],"created":1,"id":"c","model":"m","object":"chat.completion.chunk","prompt_filter_results":[{}]}`, begin, text, end},
		},
		{
			"id, created, model and object are constant",
			Stream{},
			[]string{begin, `{"id":"stub","object":"chat.completion.done","created":1.5,"model":"other","choices":[` + stop + `]}`},
			[]string{begin, `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[` + stop + `]}`},
		},
		{
			"what no chunk has is put in",
			Stream{Name: "r", Now: 9, Asked: "a\"b"},
			[]string{`{"choices":[` + role + `]}`, `{"id":null,"model":"","choices":[` + word + `]}`, `{"id":"late","model":"late","created":7,"choices":[` + stop + `]}`},
			[]string{
				`{"model":"a\"b","created":9,"object":"chat.completion.chunk","id":"chatcmpl-r","choices":[` + role + `]}`,
				`{"created":9,"object":"chat.completion.chunk","id":"chatcmpl-r","model":"a\"b","choices":[` + word + `]}`,
				`{"object":"chat.completion.chunk","id":"chatcmpl-r","model":"a\"b","created":9,"choices":[` + stop + `]}`,
			},
		},
		{
			"what no chunk of a legacy completion has is put in",
			Stream{Name: "r", Now: 9, Asked: "m", EchoModel: "echo", Legacy: true},
			[]string{`{"choices":[{"index":0,"text":"a","finish_reason":"stop"}]}`},
			[]string{`{"model":"echo","created":9,"object":"text_completion","id":"cmpl-r","choices":[{"index":0,"text":"a","finish_reason":"stop"}]}`},
		},
		{
			"what one chunk lacks is put in",
			Stream{},
			[]string{`{"choices":[` + role + `]}`, end},
			[]string{`{"model":"m","created":1,"object":"chat.completion.chunk","id":"c","choices":[` + role + `]}`, end},
		},
		{
			"an id that is empty all the time",
			Stream{Name: "r", Now: 9},
			[]string{`{"id":"","object":"","created":0,"choices":[` + role + `]}`, `{"id":"","object":"","created":0,"choices":[` + stop + `]}`},
			[]string{
				`{"id":"chatcmpl-r","object":"chat.completion.chunk","created":9,"choices":[` + role + `]}`,
				`{"id":"chatcmpl-r","object":"chat.completion.chunk","created":9,"choices":[` + stop + `]}`,
			},
		},
		{"created in milliseconds", Stream{}, []string{strings.Replace(begin, `"created":1`, `"created":1795235516123`, 1), end}, []string{strings.Replace(begin, `"created":1`, `"created":1795235516`, 1), strings.Replace(end, `"created":1`, `"created":1795235516`, 1)}},
		{"created as text", Stream{}, []string{strings.Replace(begin, `"created":1`, `"created":"7"`, 1), end}, []string{strings.Replace(begin, `"created":1`, `"created":7`, 1), strings.Replace(end, `"created":1`, `"created":7`, 1)}},
		{"error null", Stream{}, []string{strings.Replace(begin, `"choices"`, `"error":null,"choices"`, 1), end}, []string{begin, end}},
		{"role only once", Stream{}, []string{begin, chunkOf(role), chunkOf(`{"index":0,"delta":{"role":"assistant"},"finish_reason":"stop"}`)}, []string{begin, chunkOf(`{"index":0,"delta":{"content":""},"finish_reason":null}`), end}},
		{"role null", Stream{}, []string{chunkOf(`{"index":0,"delta":{"role":null,"content":"a"},"finish_reason":null}`), end}, []string{chunkOf(`{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}`), end}},
		{"role missing", Stream{}, []string{text, text, end}, []string{chunkOf(`{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}`), text, end}},
		{"delta null and missing", Stream{}, []string{chunkOf(`{"index":0,"delta":null,"finish_reason":null}`), chunkOf(`{"index":0,"finish_reason":"stop"}`)}, []string{chunkOf(`{"index":0,"delta":{"role":"assistant"},"finish_reason":null}`), chunkOf(`{"delta":{},"index":0,"finish_reason":"stop"}`)}},
		{"finish_reason and index missing", Stream{}, []string{chunkOf(`{"delta":{"role":"assistant","content":"a"}}`), end}, []string{chunkOf(`{"index":0,"finish_reason":null,"delta":{"role":"assistant","content":"a"}}`), end}},
		{"finish_reason of the vendor's own", Stream{}, []string{begin, chunkOf(`{"index":0,"delta":{},"finish_reason":"eos"}`)}, []string{begin, end}},
		{"finish_reason empty until the end", Stream{}, []string{chunkOf(`{"index":0,"delta":{"role":"assistant"},"finish_reason":""}`), end}, []string{chunkOf(`{"index":0,"delta":{"role":"assistant"},"finish_reason":null}`), end}},
		{"nothing behind the finish_reason", Stream{}, []string{begin, end, text, end, chunkOf(word, `{"index":1,"delta":{"role":"assistant","content":"b"},"finish_reason":null}`)}, []string{begin, end, chunkOf(`{"index":1,"delta":{"role":"assistant","content":"b"},"finish_reason":null}`)}},
		{"choices null", Stream{}, []string{begin, `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":null,"x":1}`, end}, []string{begin, `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"x":1}`, end}},
		{"pings", Stream{}, []string{begin, `{}`, `{"id":"c","choices":null}`, end}, []string{begin, end}},
		{"content in parts", Stream{}, []string{begin, chunkOf(`{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"a\"b"}]},"finish_reason":null}`), end}, []string{begin, chunkOf(`{"index":0,"delta":{"content":"a\"b","reasoning_content":"hm"},"finish_reason":null}`), end}},
		{
			"content in parts beside the reasoning",
			Stream{},
			[]string{begin, chunkOf(`{"index":0,"delta":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"}],"reasoning_content":"x"},"finish_reason":null}`), end},
			[]string{begin, chunkOf(`{"index":0,"delta":{"content":"a","reasoning_content":"x"},"finish_reason":null}`), end},
		},
		{"no tool calls", Stream{}, []string{chunkOf(`{"index":0,"delta":{"role":"assistant","tool_calls":[]},"finish_reason":null}`), end}, []string{chunkOf(`{"index":0,"delta":{"role":"assistant"},"finish_reason":null}`), end}},
		{
			"tools: id, type and name once, index always, finish tool_calls",
			Stream{},
			[]string{begin, toolDelta(`{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":""}}`), toolDelta(`{"index":0,"id":"","type":"function","function":{"name":null,"arguments":"{"}}`), toolDelta(`{"id":"t1","function":{"name":"f","arguments":"}"}}`), end},
			[]string{begin, toolDelta(`{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":""}}`), toolDelta(`{"index":0,"function":{"arguments":"{"}}`), toolDelta(`{"index":0,"function":{"arguments":"}"}}`), chunkOf(`{"index":0,"delta":{},"finish_reason":"tool_calls"}`)},
		},
		{
			"tools: the finish_reason stands before them",
			Stream{},
			[]string{chunkOf(`{"finish_reason":"stop","index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":"{}"}}]}}`)},
			[]string{chunkOf(`{"finish_reason":"tool_calls","index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":"{}"}}]}}`)},
		},
		{
			"tools: all under index 0",
			Stream{},
			[]string{begin, toolDelta(`{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":"1"}}`), toolDelta(`{"index":0,"id":"t2","type":"function","function":{"name":"f","arguments":"2"}}`), toolDelta(`{"index":0,"function":{"arguments":"3"}}`)},
			[]string{begin, toolDelta(`{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":"1"}}`), toolDelta(`{"index":1,"id":"t2","type":"function","function":{"name":"f","arguments":"2"}}`), toolDelta(`{"index":1,"function":{"arguments":"3"}}`)},
		},
		{
			"tools: another id in every delta",
			Stream{},
			[]string{
				begin, toolDelta(`{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":""}}`), toolDelta(`{"index":0,"id":"t2","type":"function","function":{"arguments":"{"}}`),
				toolDelta(`{"index":0,"id":"t3","type":"function","function":{"name":null,"arguments":"}"}}`), toolDelta(`{"index":1,"id":"t4","type":"function","function":{"name":"f","arguments":"{"}}`),
				toolDelta(`{"index":1,"id":"t5","type":"function","function":{"name":"","arguments":"}"}}`), toolDelta(`{"id":"t6","function":{"arguments":" "}}`),
			},
			[]string{
				begin, toolDelta(`{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":""}}`), toolDelta(`{"index":0,"function":{"arguments":"{"}}`),
				toolDelta(`{"index":0,"function":{"arguments":"}"}}`), toolDelta(`{"index":1,"id":"t4","type":"function","function":{"name":"f","arguments":"{"}}`),
				toolDelta(`{"index":1,"function":{"arguments":"}"}}`), toolDelta(`{"index":1,"function":{"arguments":" "}}`),
			},
		},
		{
			"tools: all under index 0, by turns, their ids in every delta",
			Stream{},
			[]string{
				begin, toolDelta(`{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":"1"}}`), toolDelta(`{"index":0,"id":"t2","type":"function","function":{"name":"f","arguments":"2"}}`),
				toolDelta(`{"index":0,"id":"t1","function":{"arguments":"1"}}`), toolDelta(`{"index":0,"id":"t2","function":{"arguments":"2"}}`),
			},
			[]string{
				begin, toolDelta(`{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":"1"}}`), toolDelta(`{"index":1,"id":"t2","type":"function","function":{"name":"f","arguments":"2"}}`),
				toolDelta(`{"index":0,"function":{"arguments":"1"}}`), toolDelta(`{"index":1,"function":{"arguments":"2"}}`),
			},
		},
		{
			"tools: custom ones without a type",
			Stream{},
			[]string{begin, toolDelta(`{"index":0,"id":"t","type":null,"custom":{"name":"f","input":""}},{"index":1,"id":"u","custom":{"name":"f","input":""}}`)},
			[]string{begin, toolDelta(`{"index":0,"id":"t","type":"custom","custom":{"name":"f","input":""}},{"type":"custom","index":1,"id":"u","custom":{"name":"f","input":""}}`)},
		},
		{
			"tools: a name in pieces",
			Stream{},
			[]string{begin, toolDelta(`{"index":0,"id":"t","type":"function","function":{"name":"get_","arguments":""}}`), toolDelta(`{"index":0,"function":{"name":"time"}}`), toolDelta(`{"index":0,"function":{"arguments":"{}"}}`)},
			[]string{begin, toolDelta(`{"index":0,"id":"t","type":"function","function":{"name":"get_","arguments":""}}`), toolDelta(`{"index":0,"function":{"name":"time"}}`), toolDelta(`{"index":0,"function":{"arguments":"{}"}}`)},
		},
		{
			"tools: several without ids, in one delta and in several, under one index and none",
			Stream{Name: "r"},
			[]string{
				begin, toolDelta(`{"index":0,"id":"","function":{"name":"f","arguments":"{}"}},{"index":0,"id":"","function":{"name":"g","arguments":""}}`),
				toolDelta(`{"index":0,"function":{"arguments":"{"}}`), toolDelta(`{"index":0,"function":{"name":"g","arguments":"}"}}`),
				toolDelta(`{"function":{"name":"f","arguments":" {\"a\":1}"}}`), toolDelta(`{"function":{"name":"h","arguments":"{\"a\":1}"}},{"function":{"name":"h","arguments":"{\"a\":2}"}}`),
				toolDelta(`{"function":{"name":"h","arguments":""}}`), toolDelta(`{"function":{"name":"h","arguments":{}}}`),
			},
			[]string{
				begin, toolDelta(`{"type":"function","index":0,"id":"call_r_0_0","function":{"name":"f","arguments":"{}"}},{"type":"function","index":1,"id":"call_r_0_1","function":{"name":"g","arguments":""}}`),
				toolDelta(`{"index":1,"function":{"arguments":"{"}}`), toolDelta(`{"index":1,"function":{"arguments":"}"}}`),
				toolDelta(`{"type":"function","id":"call_r_0_2","index":2,"function":{"name":"f","arguments":" {\"a\":1}"}}`),
				toolDelta(`{"type":"function","id":"call_r_0_3","index":3,"function":{"name":"h","arguments":"{\"a\":1}"}},{"type":"function","id":"call_r_0_4","index":4,"function":{"name":"h","arguments":"{\"a\":2}"}}`),
				toolDelta(`{"index":4,"function":{"arguments":""}}`), toolDelta(`{"type":"function","id":"call_r_0_5","index":5,"function":{"name":"h","arguments":"{}"}}`),
			},
		},
		{
			"tools: the name comes late",
			Stream{},
			[]string{begin, toolDelta(`{"index":0,"id":"t1","type":"function"}`), toolDelta(`{"index":0,"function":{"name":"","arguments":""}}`), toolDelta(`{"index":0,"function":{"name":"f","arguments":"{}"}}`), toolDelta(`{"index":0,"function":{"name":"f"}}`)},
			[]string{begin, toolDelta(`{"index":0,"id":"t1","type":"function"}`), toolDelta(`{"index":0,"function":{"arguments":""}}`), toolDelta(`{"index":0,"function":{"name":"f","arguments":"{}"}}`), toolDelta(`{"index":0,"function":{}}`)},
		},
		{
			"tools: whole calls without index, id and type, arguments as objects",
			Stream{Name: "r"},
			[]string{begin, toolDelta(`{"function":{"name":"f","arguments":{"a": "b"}}}`), toolDelta(`{"id":"t2","function":{"name":"g"}},{"id":"t3","type":"","function":{"name":"h","arguments":null}}`)},
			[]string{begin, toolDelta(`{"type":"function","id":"call_r_0_0","index":0,"function":{"name":"f","arguments":"{\"a\": \"b\"}"}}`), toolDelta(`{"type":"function","index":1,"id":"t2","function":{"arguments":"","name":"g"}},{"index":2,"id":"t3","type":"function","function":{"name":"h","arguments":""}}`)},
		},
		{
			"interleaved calls keep their indexes",
			Stream{},
			[]string{begin, toolDelta(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}},{"index":1,"id":"b","type":"function","function":{"name":"f","arguments":""}}`), toolDelta(`{"index":1,"function":{"arguments":"1"}}`), toolDelta(`{"index":0,"function":{"arguments":"0"}}`)},
			[]string{begin, toolDelta(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}},{"index":1,"id":"b","type":"function","function":{"name":"f","arguments":""}}`), toolDelta(`{"index":1,"function":{"arguments":"1"}}`), toolDelta(`{"index":0,"function":{"arguments":"0"}}`)},
		},
		{
			"usage on the last chunk, asked for",
			Stream{WantUsage: true},
			[]string{begin, strings.Replace(end, `]}`, `],"usage":{"prompt_tokens":1}}`, 1)},
			[]string{begin, end, pre + `[],"usage":{"prompt_tokens":1}}`},
		},
		{
			"usage on every chunk, asked for: the last one counts",
			Stream{WantUsage: true},
			[]string{`{"usage":{"prompt_tokens":1},` + begin[1:], strings.Replace(end, `]}`, `],"usage":{"prompt_tokens":2}}`, 1)},
			[]string{begin, end, pre + `[],"usage":{"prompt_tokens":2}}`},
		},
		{
			"usage before the end, asked for",
			Stream{WantUsage: true},
			[]string{begin, pre + `[],"usage":{"prompt_tokens":1},"x":2}`, end},
			[]string{begin, end, pre + `[],"usage":{"prompt_tokens":1},"x":2}`},
		},
		{
			"usage that tells nothing behind one that does",
			Stream{WantUsage: true},
			[]string{begin, pre + `[],"usage":{"prompt_tokens":1}}`, strings.Replace(end, `]}`, `],"usage":{}}`, 1), pre + `[],"usage":{}}`},
			[]string{begin, end, pre + `[],"usage":{"prompt_tokens":1}}`},
		},
		{
			"usage beside null choices",
			Stream{WantUsage: true},
			[]string{begin, end, pre + `null,"usage":{"prompt_tokens":1}}`, `{"id":"c","usage":{"prompt_tokens":3}}`},
			[]string{begin, end, `{"choices":[],"model":"m","created":1,"object":"chat.completion.chunk","id":"c","usage":{"prompt_tokens":3}}`},
		},
		{"usage that nobody asked for", Stream{}, []string{begin, strings.Replace(end, `]}`, `],"usage":{"prompt_tokens":1}}`, 1), pre + `[],"usage":{"prompt_tokens":1}}`}, []string{begin, end}},
		{
			"legacy completions",
			Stream{Legacy: true},
			[]string{`{"id":"c","object":"text_completion","created":1,"model":"m","choices":[{"text":"a","index":0,"logprobs":null,"finish_reason":""}]}`, `{"id":"c","object":"x","created":1,"model":"m","choices":[{"text":"","index":0,"logprobs":null,"finish_reason":"length"}]}`},
			[]string{`{"id":"c","object":"text_completion","created":1,"model":"m","choices":[{"text":"a","index":0,"logprobs":null,"finish_reason":null}]}`, `{"id":"c","object":"text_completion","created":1,"model":"m","choices":[{"text":"","index":0,"logprobs":null,"finish_reason":"length"}]}`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			st := tt.stream
			if diff := cmp.Diff(tt.want, repaired(t, &st, tt.in...)); diff != "" {
				t.Error(diff)
			}
			// What was repaired once needs no repair.
			again := tt.stream
			again.Repairs = dialect.Repairs{}
			if diff := cmp.Diff(tt.want, repaired(t, &again, tt.want...)); diff != "" && !tt.stream.AskedUsage {
				t.Errorf("a second pass changed it:\n%s", diff)
			}
			again.Repairs.Each(func(kind string, n int) { t.Errorf("a second pass made %d repairs of %s", n, kind) })
		})
	}
}

// A choice may go on after its finish reason while that was not sent. Its last reason holds until another comes.
func TestStreamGoesOn(t *testing.T) {
	t.Parallel()
	end, tool := chunkOf(stop), toolDelta(`{"index":0,"id":"t","type":"function","function":{"name":"f","arguments":""}}`)
	for _, tt := range []struct {
		name, held, next string
		goesOn           bool
		ending           string // of the chunk after all others
	}{
		{"content", end, chunkOf(word), true, "stop"},
		{"content that ends it again", end, chunkOf(`{"index":0,"delta":{"content":"a"},"finish_reason":"length"}`), true, ""},
		{"a call", end, tool, true, "tool_calls"},
		{"reasoning", end, chunkOf(`{"index":0,"delta":{"reasoning_content":"a"},"finish_reason":null}`), true, "stop"},
		{"what only the vendor knows", end, chunkOf(`{"index":0,"delta":{"content":"","images":[{}]},"finish_reason":null}`), true, "stop"},
		{"nothing", end, chunkOf(`{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[],"refusal":null},"finish_reason":null,"x":1}`), false, ""},
		{"another reason", end, chunkOf(`{"index":0,"delta":{},"finish_reason":"length"}`), false, ""},
		{"another choice", end, chunkOf(`{"index":1,"delta":{"content":"a"},"finish_reason":null}`), false, ""},
		{"what was sent", "", chunkOf(word), false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			st := new(Stream)
			walkAll(t, st, chunkOf(role), end)
			var held []byte
			if tt.held != "" {
				held = []byte(tt.held)
			}
			c, err := st.WalkBehind(held, []byte(tt.next))
			if err != nil || (c.Reopened.End > 0) != tt.goesOn {
				t.Fatalf("%+v, %v", c, err)
			}
			if at := c.Reopened; tt.goesOn && string(at.Of(held)) != `"stop"` {
				t.Errorf("the reason is %s", at.Of(held))
			}
			if tt.goesOn && (c.Drop || st.Repairs[dialect.RepairAfterFinish] != 1 || !st.Complete(false)) {
				t.Errorf("%+v, complete %t, %v", c, st.Complete(false), st.Repairs)
			}
			want := ""
			if tt.ending != "" {
				want = chunkOf(`{"index":0,"delta":{},"finish_reason":"` + tt.ending + `"}`)
			}
			if got := string(st.Ending()); got != want {
				t.Errorf("behind it stands %s", got)
			}
			if again := st.Ending(); again != nil {
				t.Errorf("and again %s", again)
			}
		})
	}
}

// What Weir's own asking added is cut out again, but is no fault of the upstream's.
func TestStreamUsageAskedByWeirIsNoRepair(t *testing.T) {
	t.Parallel()
	st := &Stream{AskedUsage: true}
	null := func(chunk string) string { return strings.TrimSuffix(chunk, "}") + `,"usage":null}` }
	in := []string{null(chunkOf(role)), null(chunkOf(word)), strings.Replace(chunkOf(stop), `]}`, `],"usage":{"prompt_tokens":1}}`, 1), pre + `[],"usage":{"prompt_tokens":3}}`}
	if diff := cmp.Diff([]string{chunkOf(role), chunkOf(word), chunkOf(stop)}, repaired(t, st, in...)); diff != "" {
		t.Error(diff)
	}
	st.Repairs.Each(func(kind string, n int) { t.Errorf("counted as %d repairs of %s", n, kind) })
	if !st.HasUsage || st.Usage.Fresh != 3 {
		t.Errorf("the usage is %+v", st.Usage)
	}
}

// Empty usage does not count: what came before it holds. What is no call among the calls of a delta passes.
func TestCallsThatAreNone(t *testing.T) {
	t.Parallel()
	st := Stream{Name: "x", Now: 1}
	chunk := `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[null,7,{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}},"x"]},"finish_reason":null}]}`
	got, err := st.Walk([]byte(chunk))
	if err != nil || !got.Content || len(got.Edits) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestStreamUsageThatIsEmpty(t *testing.T) {
	t.Parallel()
	st := &Stream{}
	for _, payload := range []string{
		`{"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}`,
		`{"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{}}`,
		`{"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens_details":null}}`,
	} {
		if _, err := st.Walk([]byte(payload)); err != nil {
			t.Fatal(err)
		}
	}
	if want := (llm.Usage{Fresh: 3, Text: 4}); st.Usage != want || !st.HasUsage {
		t.Errorf("the usage is %+v (%v)", st.Usage, st.HasUsage)
	}
}

// Usage inside a choice counts, and is sent in its proper place if it was asked for; usage that is already there comes first.
func TestStreamUsageInAChoice(t *testing.T) {
	t.Parallel()
	inside := chunkOf(`{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":3,"x":1.0}}`)
	for _, want := range []bool{false, true} {
		st, out := &Stream{WantUsage: want}, []string{chunkOf(role), inside}
		if want {
			out = append(out, pre+`[],"usage":{"prompt_tokens":3,"x":1.0}}`)
		}
		if diff := cmp.Diff(out, repaired(t, st, chunkOf(role), inside)); diff != "" {
			t.Error(diff)
		}
		if !st.HasUsage || st.Usage.Fresh != 3 {
			t.Errorf("the usage is %+v", st.Usage)
		}
	}
	st := &Stream{WantUsage: true}
	top := pre + `[],"usage":{"prompt_tokens":4}}`
	if diff := cmp.Diff([]string{chunkOf(role), inside, top}, repaired(t, st, chunkOf(role), top, inside)); diff != "" || st.Usage.Fresh != 4 {
		t.Error(diff, st.Usage)
	}
}

// Groq reports the usage of a stream in x_groq as well, and without being asked only there. It counts, and is sent in its proper place
// if it was asked for; usage that is already there comes first.
func TestStreamUsageOfGroq(t *testing.T) {
	t.Parallel()
	groq := func(chunk, of string) string { return strings.TrimSuffix(chunk, "}") + `,"x_groq":` + of + `}` }
	const usage = `{"queue_time":0.28,"prompt_tokens":18,"completion_tokens":73,"total_tokens":91}`
	begin, end := groq(chunkOf(role), `{"id":"req_01"}`), groq(chunkOf(stop), `{"id":"req_01","usage":`+usage+`}`)
	for _, want := range []bool{false, true} {
		st, out := &Stream{WantUsage: want}, []string{begin, chunkOf(word), end}
		if want {
			out = append(out, pre+`[],"usage":`+usage+`}`)
		}
		if diff := cmp.Diff(out, repaired(t, st, begin, chunkOf(word), end)); diff != "" {
			t.Error(diff)
		}
		if !st.HasUsage || st.Usage != (llm.Usage{Fresh: 18, Text: 73}) || st.Covered != st.Said || st.Said == 0 {
			t.Errorf("the usage is %+v, of %d bytes in %d", st.Usage, st.Covered, st.Said)
		}
	}
	proper := pre + `[],"usage":{"prompt_tokens":4}}`
	st := &Stream{WantUsage: true}
	if diff := cmp.Diff([]string{begin, end, proper}, repaired(t, st, begin, end, proper)); diff != "" || st.Usage.Fresh != 4 {
		t.Error(diff, st.Usage)
	}
	for _, odd := range []string{`null`, `7`, `[{"usage":` + usage + `}]`, `{"usage":null}`, `{"usage":{}}`, `{"id":{"usage":` + usage + `}}`} {
		st, chunk := &Stream{WantUsage: true}, groq(chunkOf(stop), odd)
		if diff := cmp.Diff([]string{begin, chunk}, repaired(t, st, begin, chunk)); diff != "" || st.HasUsage {
			t.Errorf("%s: %+v %s", odd, st.Usage, diff)
		}
	}
}

// What the caller is not sent was not mended.
func TestStreamErrorsAreNotRepaired(t *testing.T) {
	t.Parallel()
	st := new(Stream)
	for _, payload := range []string{`{"id":"","error":{"message":"boom"},"choices":null}`, `{"error":null,"choices":null`} {
		if c, err := st.Walk([]byte(payload)); err == nil && !c.Error {
			t.Errorf("%s passed", payload)
		}
	}
	st.Repairs.Each(func(kind string, n int) { t.Errorf("counted %d repairs of %s", n, kind) })
}

// A chunk that is left out counts once, whatever else was odd about it.
func TestStreamDroppedChunksCountOnce(t *testing.T) {
	t.Parallel()
	st := new(Stream)
	repaired(t, st, chunkOf(role), `{"id":"d","choices":null}`, chunkOf(stop), chunkOf(word), `{"id":"d","choices":null,"usage":{"prompt_tokens":1}}`)
	got := map[string]int{}
	st.Repairs.Each(func(kind string, n int) { got[kind] = n })
	if diff := cmp.Diff(map[string]int{"empty_event": 1, "after_finish": 1, "usage": 1}, got); diff != "" {
		t.Error(diff)
	}
}

func TestStreamFailsInItsFinishReason(t *testing.T) {
	t.Parallel()
	st := new(Stream)
	c, err := st.Walk([]byte(chunkOf(`{"index":0,"delta":{},"finish_reason":"insufficient_system_resource"}`)))
	if err != nil || !c.Error || st.Complete(false) {
		t.Errorf("%+v %v", c, err)
	}
}

// An answer that was blocked or given up did not end normally.
func TestFinishReasonsThatAreNoStop(t *testing.T) {
	t.Parallel()
	for told, want := range map[string]string{
		"RECITATION": "content_filter", "PROHIBITED_CONTENT": "content_filter", "content_filter: RECITATION": "content_filter", "content_filter: OTHER": "content_filter",
		"abort": "", "cancel": "", "MALFORMED_FUNCTION_CALL": "", "function_call_filter: MALFORMED_FUNCTION_CALL": "",
		"malformed_function_call": "", "Error": "", "TIMEOUT": "", "guardrail_intervened": "content_filter", "recitation": "content_filter", "CONTENT_FILTER": "content_filter",
		"MAX_TOKENS": "length", "LENGTH": "length", "model_context_window_exceeded": "length", "TOOL_CALLS": "tool_calls",
		"STOP": "stop", "eos": "stop", "<|eot_id|>": "stop", "COMPLETE": "stop",
	} {
		if reason, fails := finishReason(told); reason != want || fails != (want == "") {
			t.Errorf("%s is %q, fails %t", told, reason, fails)
		}
	}
}

// Whatever comes, what goes out is JSON with the members that every chunk has, and roles, indexes and ends add up.
func FuzzStreamRepairs(f *testing.F) {
	f.Add([]byte(`{"choices":[{"delta":{"tool_calls":[{"id":"a"},{"index":0,"id":"b"}]}}]}` + "\n" + chunkOf(role, stop)))
	f.Add([]byte(chunkOf(`{"delta":{"content":[{"thinking":"a"}],"reasoning_content":"b"}}`)))
	f.Add([]byte(chunkOf(role) + "\n" + chunkOf(stop) + "\n" + chunkOf(word) + "\n" + `{"usage":{}}`))
	f.Add([]byte(chunkOf(role) + "\n" + chunkOf(stop) + "\n" + chunkOf(word, stop, word)))
	f.Add([]byte(`{"choices":[{"index":3,"finish_reason":"x","delta":{"role":"","content":[{"text":"a"},"b",1]}}],"error":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		st := &Stream{WantUsage: true, Name: "n", Now: 1}
		var held []byte
		for line := range strings.SplitSeq(string(data), "\n") {
			c, err := st.WalkBehind(held, []byte(line))
			if err != nil {
				return
			}
			if at := c.Reopened; at.End > 0 {
				open := jsonwalk.Apply(nil, held, []jsonwalk.Edit{{Span: at, New: "null"}})
				if err := jsonwalk.Valid(open, jsonwalk.Options{}); err != nil || held[at.Start] != '"' {
					t.Fatalf("%s became %s: %v", held, open, err)
				}
			}
			out := jsonwalk.Apply(nil, []byte(line), c.Edits)
			unique := jsonwalk.Options{Unique: jsonwalk.Valid([]byte(line), jsonwalk.Options{Unique: true}) == nil}
			if err := jsonwalk.Valid(out, unique); err != nil {
				t.Fatalf("%s became %s: %v", line, out, err)
			}
			if !c.Drop {
				held = nil
			}
			if c.Ends {
				held = out
			}
		}
		if ending := st.Ending(); ending != nil && jsonwalk.Valid(ending, jsonwalk.Options{}) != nil {
			t.Fatalf("the ending is %s", ending)
		}
		if tail := st.Tail(); tail != nil && jsonwalk.Valid(tail, jsonwalk.Options{}) != nil {
			t.Fatalf("the tail is %s", tail)
		}
	})
}

// An event whose choices are not a list is walked to its end: what follows them counts.
func TestChoicesThatAreNoList(t *testing.T) {
	t.Parallel()
	for _, choices := range []string{`null`, `{"a":[1,{"b":2}]}`, `"none"`, `7`} {
		st := &Stream{AskedUsage: true}
		if _, err := st.Walk([]byte(`{"id":"c","choices":` + choices + `,"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}`)); err != nil {
			t.Errorf("%s: %v", choices, err)
		}
		if !st.HasUsage || st.Usage.Fresh != 3 || st.Usage.Text != 4 {
			t.Errorf("%s: %+v", choices, st.Usage)
		}
	}
}

// Usage that comes only inside a choice becomes a chunk of its own, which counts as a repair. A caller that did not ask
// gets none.
func TestUsageOfAChoiceIsARepair(t *testing.T) {
	t.Parallel()
	for _, wants := range []bool{true, false} {
		st := &Stream{WantUsage: wants}
		for _, payload := range []string{
			`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}]}`,
			`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}]}`,
		} {
			if _, err := st.Walk([]byte(payload)); err != nil {
				t.Fatal(err)
			}
		}
		tail := string(st.Tail())
		if (tail != "") != wants || (st.Repairs[dialect.RepairUsage] == 1) != wants || wants && !strings.Contains(tail, `"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}`) {
			t.Errorf("wanted %v: %s, %v", wants, tail, st.Repairs)
		}
		if again := string(st.Tail()); again != tail || wants && st.Repairs[dialect.RepairUsage] != 1 {
			t.Errorf("asked again: %s, %v", again, st.Repairs)
		}
	}
}

// A stream that waits holds nothing of what walks it, which another may have meanwhile.
func TestStreamsThatRest(t *testing.T) {
	t.Parallel()
	a, b := &Stream{}, &Stream{}
	for i := range 50 {
		for name, st := range map[string]*Stream{"a": a, "b": b} {
			payload := fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":"%s%d"}}]}`, name, i)
			c, err := st.Walk([]byte(payload))
			if err != nil {
				t.Fatal(err)
			}
			got := string(jsonwalk.Apply(nil, []byte(payload), c.Edits))
			if !strings.Contains(got, fmt.Sprintf(`"%s%d"`, name, i)) || !json.Valid([]byte(got)) {
				t.Fatalf("%s became %s", payload, got)
			}
			if st.Rest(); st.e != nil {
				t.Fatal("it holds what walked it")
			}
		}
	}
}
