package passthrough

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// lawful holds events against the order that they have to come in.
type lawful struct {
	begun, open map[int]bool
	block       map[int]int
	part        map[int]llm.PartKind
	ended       bool
	faults      []string
}

func newLawful() *lawful {
	return &lawful{begun: map[int]bool{}, open: map[int]bool{}, block: map[int]int{}, part: map[int]llm.PartKind{}}
}

func (l *lawful) hear(ev *llm.Event) {
	fault := func(what string) { l.faults = append(l.faults, what) }
	n := ev.Choice
	if l.ended {
		fault("something comes after the end")
	}
	if ev.Kind != llm.Start && ev.Kind != llm.End && !l.begun[n] {
		fault("a choice goes on before it began")
	}
	switch ev.Kind {
	case llm.Start:
		if l.begun[n] {
			fault("a choice begins twice")
		}
		l.begun[n] = true
	case llm.BlockStart:
		if l.open[n] || ev.Block != l.block[n] || ev.Nameless() {
			fault("a block begins wrongly")
		}
		l.open[n], l.part[n] = true, ev.Part
	case llm.Delta:
		if !l.open[n] || ev.Block != l.block[n] || ev.Part != l.part[n] || ev.Text.Kind() != '"' {
			fault("a delta is of no open block")
		}
	case llm.BlockStop:
		if !l.open[n] || ev.Block != l.block[n] || ev.Part != l.part[n] {
			fault("a block ends that is not open")
		}
		l.open[n] = false
		l.block[n]++
	case llm.End:
		l.ended = true
		for _, open := range l.open {
			if open {
				fault("the answer ends within a block")
			}
		}
	}
}

// writtenAgain is a stream as it is after it was read and written again.
func writtenAgain(t *testing.T, payloads []string, done bool) (out []string, usage llm.Usage, whole bool) {
	t.Helper()
	law, p := newLawful(), openai.Producer{Now: 1, Asked: "asked", Name: "r"}
	r := new(AnswerReader)
	tell := func(ev *llm.Event) {
		law.hear(ev)
		if chunk := p.Chunk(nil, ev); len(chunk) > 0 {
			out = append(out, string(chunk))
		}
		if ev.Kind == llm.End {
			whole, usage = true, ev.Usage
			if chunk := p.UsageChunk(nil, ev); len(chunk) > 0 {
				out = append(out, string(chunk))
			}
		}
	}
	for _, payload := range payloads {
		if err := r.Read([]byte(payload), tell); err != nil {
			t.Fatalf("%v: %s", err, payload)
		}
	}
	if done {
		if err := r.Read([]byte("[DONE]"), tell); err != nil {
			t.Fatal(err)
		}
	}
	r.Close(tell)
	if len(law.faults) > 0 {
		t.Error(strings.Join(law.faults, "; "))
	}
	return out, usage, whole
}

// alike leaves out the usage, which is compared separately, and the end marker if the server sent none.
func alike(want, got *recorded.Said) {
	want.Usage, got.Usage = "", ""
	maps.DeleteFunc(got.Finish, func(choice int, _ string) bool { return want.Finish[choice] == "" })
}

// Every recorded stream of chats says the same after it was read as events and written again.
func TestRereadRecordedStreams(t *testing.T) {
	t.Parallel()
	recorded.Streams(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		if e != llm.Chat || r.Failed(t) {
			return
		}
		in, done := recorded.Payloads(t, r.Response.Body.Bytes())
		out, usage, whole := writtenAgain(t, in, done)
		if !whole {
			t.Fatal("the stream counts as cut short")
		}
		recorded.CheckStream(t, out, false)
		st := &Stream{WantUsage: true, Name: "r", Now: 1}
		mended := repaired(t, st, in...)
		if diff := cmp.Diff(st.Usage, usage); diff != "" {
			t.Errorf("usage: %s", diff)
		}
		want, got := recorded.Read(t, mended), recorded.Read(t, out)
		mapFinish(want)
		alike(&want, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the recording says something else (-) than what was written again (+):\n%s", diff)
		}
	})
}

// The same holds for complete answers.
func TestRereadRecordedAnswers(t *testing.T) {
	t.Parallel()
	recorded.Answers(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		if e != llm.Chat {
			return
		}
		body := r.Response.Body.Bytes()
		law, p := newLawful(), openai.Producer{Now: 1, Asked: "asked", Name: "r"}
		end, err := ReadAnswer(body, func(ev *llm.Event) {
			law.hear(ev)
			p.Collect(ev)
		})
		if failed := r.Failed(t); failed || err != nil {
			if (err != nil) != failed || !errors.Is(err, llm.ErrError) && !errors.Is(err, llm.ErrNoAnswer) {
				t.Fatalf("counts as failed: %v, but is: %v", err, failed)
			}
			return
		}
		if len(law.faults) > 0 {
			t.Error(strings.Join(law.faults, "; "))
		}
		want, got := recorded.Read(t, []string{string(body)}), recorded.Read(t, []string{string(p.Answer(&end))})
		mapFinish(want)
		alike(&want, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the recording says something else (-) than what was written again (+):\n%s", diff)
		}
	})
}

// Tests of single rules: what is read, and the events as the caller's dialect would have them.
func TestReadStreams(t *testing.T) {
	t.Parallel()
	const head = `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,`
	deltas := func(deltas ...string) (payloads []string) {
		for _, d := range deltas {
			payloads = append(payloads, head+`"delta":`+d+`,"finish_reason":null}]}`)
		}
		return append(payloads, head+`"delta":{},"finish_reason":"stop"}]}`)
	}
	call := func(index int, id, name, args string) string {
		c := fmt.Sprintf(`{"tool_calls":[{"index":%d`, index)
		if id != "" {
			c += fmt.Sprintf(`,"id":%q,"type":"function"`, id)
		}
		c += `,"function":{`
		if name != "" {
			c += fmt.Sprintf(`"name":%q,`, name)
		}
		return c + fmt.Sprintf(`"arguments":%q}}]}`, args)
	}
	for _, tt := range []struct {
		name     string
		payloads []string
		want     string
	}{
		{
			"text", deltas(`{"role":"assistant","content":""}`, `{"content":"a"}`, `{"content":"b"}`),
			`start; text[ "a" "b" ]; end stop`,
		},
		{
			"reasoning, then text", deltas(`{"reasoning_content":"r"}`, `{"content":"a"}`),
			`start; reasoning[ "r" ]; text[ "a" ]; end stop`,
		},
		{
			"a signature after its reasoning", deltas(`{"reasoning_content":"r","thinking_blocks":[{"type":"thinking","thinking":"r","signature":null}]}`, `{"thinking_blocks":[{"type":"thinking","thinking":"","signature":"s"}]}`, `{"content":"a"}`),
			`start; reasoning[ "r" ""="s" ]; text[ "a" ]; end stop`,
		},
		{
			"a signature in OpenRouter's form", deltas(`{"reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"r"}]}`, `{"reasoning":"","reasoning_details":[{"type":"reasoning.text","signature":"s"}]}`, `{"content":"a"}`),
			`start; reasoning[ "r" ""="s" ]; text[ "a" ]; end stop`,
		},
		{
			"a signature when the text has begun is too late", deltas(`{"reasoning_content":"r"}`, `{"content":"a"}`, `{"thinking_blocks":[{"type":"thinking","thinking":"r","signature":"s"}]}`),
			`start; reasoning[ "r" ]; text[ "a" ]; end stop`,
		},
		{
			"a redacted block", deltas(`{"thinking_blocks":[{"type":"redacted_thinking","data":"x"}]}`, `{"content":"a"}`),
			`start; redacted="x"[ ]; text[ "a" ]; end stop`,
		},
		{
			"a signed text", deltas(`{"content":"a"}`, `{"thinking_blocks":[{"type":"signature","vendor":"google","signature":"s"}]}`),
			`start; text[ "a" ""="s" ]; end stop`,
		},
		{
			"calls one after the other", deltas(call(0, "c0", "f", `{"a":`), call(0, "", "", `"}"}`), call(1, "c1", "g", ``), call(1, "", "", `{}`)),
			`start; call c0 f[ "{\"a\":" "\"}\"}" ]; call c1 g[ "{}" ]; end tool_calls`,
		},
		{
			"calls in turns", deltas(call(0, "c0", "f", `{"a":`), call(1, "c1", "g", `{"b"`), call(0, "", "", `1}`), call(1, "", "", `:2}`)),
			`start; call c0 f[ "{\"a\":" "1}" ]; call c1 g[ "{\"b\"" ":2}" ]; end tool_calls`,
		},
		{
			"three calls in turns, that never end", deltas(call(0, "c0", "f", `{"a`), call(1, "c1", "g", `{"b`), call(2, "c2", "h", `{"c`)),
			`start; call c0 f[ "{\"a" ]; call c1 g[ "{\"b" ]; call c2 h[ "{\"c" ]; end tool_calls`,
		},
		{
			"a text after a call", deltas(call(0, "c0", "f", `{}`), `{"content":"a"}`),
			`start; call c0 f[ "{}" ]; text[ "a" ]; end tool_calls`,
		},
		{
			"a text between pieces of a call", deltas(call(0, "c0", "f", `{"a":`), `{"content":"x"}`, `{"reasoning_content":"r"}`, call(0, "", "", `1}`), `{"content":"y"}`),
			`start; call c0 f[ "{\"a\":" "1}" ]; text[ "x" ]; reasoning[ "r" ]; text[ "y" ]; end tool_calls`,
		},
		{
			"a text before the arguments of a call, at whose end the answer ends", deltas(call(0, "c0", "f", ``), `{"content":"x"}`, `{"content":"y"}`, call(0, "", "", `{}`)),
			`start; call c0 f[ "{}" ]; text[ "xy" ]; end tool_calls`,
		},
		{
			"Google's signature of a call", deltas(`{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]}`),
			`start; call c f="s"[ "{}" ]; end tool_calls`,
		},
		{
			"a custom tool", deltas(`{"tool_calls":[{"index":0,"id":"c","type":"custom","custom":{"name":"write","input":"a\n\"b\""}}]}`, `{"tool_calls":[{"index":0,"custom":{"input":"c\\"}}]}`),
			`start; call c write[ "{\"input\":\"a\\n\\\"b\\\"" "c\\\\" "\"}" ]; end tool_calls`,
		},
		{
			"arguments as an object, no id, no index", deltas(`{"tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]}`),
			`start; call call_xchatcmpl1_0_0 f[ "{\"a\":1}" ]; end tool_calls`,
		},
		{
			"a refusal", deltas(`{"refusal":"n"}`, `{"refusal":"o"}`),
			`start; end stop, "no"`,
		},
		{
			"a source", deltas(`{"content":"a"}`, `{"annotations":[{"type":"url_citation","url_citation":{"start_index":0,"end_index":1,"url":"u","title":"t"}}]}`),
			`start; text[ "a" cited "u" ]; end stop`,
		},
		{
			"a finish that is taken back", append([]string{head + `"delta":{"content":"a"},"finish_reason":"stop"}]}`}, deltas(`{"content":"b"}`)...),
			`start; text[ "a" "b" ]; end stop`,
		},
		{
			"two choices",
			[]string{`{"id":"1","model":"m","choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]}`, `{"choices":[{"index":1,"delta":{},"finish_reason":"length"},{"index":0,"delta":{},"finish_reason":"stop"}]}`},
			`start; text[ "a" 1:start; 1:text[ "b" ]; 1:]; 1:choice end length; end stop`,
		},
		{
			"usage, wherever it comes", append(deltas(`{"content":"a"}`), `{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}`),
			`start; text[ "a" ]; end stop, 3 in, 2 out`,
		},
		{"cut short", deltas(`{"content":"a"}`)[:1], `start; text[ "a"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var told strings.Builder
			law, r := newLawful(), new(AnswerReader)
			tell := func(ev *llm.Event) {
				law.hear(ev)
				spell(&told, ev)
			}
			for _, p := range tt.payloads {
				if err := r.Read([]byte(p), tell); err != nil {
					t.Fatal(err)
				}
			}
			r.Close(tell)
			if got := strings.TrimSpace(told.String()); got != tt.want || len(law.faults) > 0 {
				t.Errorf("%v\n%s, want\n%s", law.faults, got, tt.want)
			}
		})
	}
}

// spell writes an event for a table.
func spell(to *strings.Builder, ev *llm.Event) {
	choice := ""
	if ev.Choice > 0 {
		choice = fmt.Sprintf("%d:", ev.Choice)
	}
	opaque := ""
	if len(ev.Opaque) > 0 {
		opaque = "=" + string(ev.Opaque)
	}
	switch ev.Kind {
	case llm.Start:
		fmt.Fprintf(to, "%sstart; ", choice)
	case llm.BlockStart:
		name := map[llm.PartKind]string{llm.Text: "text", llm.Reasoning: "reasoning", llm.Redacted: "redacted"}[ev.Part]
		if ev.Part == llm.ToolCall {
			name = "call " + ev.ID.Text() + " " + ev.Name.Text()
		}
		fmt.Fprintf(to, "%s%s%s[ ", choice, name, opaque)
	case llm.Delta:
		fmt.Fprintf(to, "%s%s ", ev.Text, opaque)
	case llm.BlockStop:
		fmt.Fprintf(to, "%s]; ", choice)
	case llm.Cited:
		fmt.Fprintf(to, "cited %s ", ev.Citation.URL)
	case llm.ChoiceEnd:
		fmt.Fprintf(to, "%schoice end %s; ", choice, ev.Finish)
	case llm.End:
		fmt.Fprintf(to, "end %s", ev.Finish)
		if len(ev.Refusal) > 0 {
			fmt.Fprintf(to, ", %s", ev.Refusal)
		}
		if !ev.Uncounted {
			fmt.Fprintf(to, ", %d in, %d out", ev.Usage.Input(), ev.Usage.Output())
		}
	}
}

// What is no answer is an error, with what it took if it says so.
func TestReadNoAnswer(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]error{
		`{"error":{"message":"m"}}`: llm.ErrError, `{}`: llm.ErrNoAnswer, `[]`: llm.ErrNoAnswer, ``: llm.ErrNoAnswer, `{"detail":"x"}`: llm.ErrError,
		`{"choices":[{"message":{"tool_calls":[{"id":"c","type":"function","function":{"arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":4,"completion_tokens":1}}`: llm.ErrNameless,
	} {
		end, err := ReadAnswer([]byte(body), func(*llm.Event) {})
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", body, err, want)
		}
		if strings.Contains(body, "usage") && end.Usage.Input() != 4 {
			t.Errorf("%s: %+v", body, end.Usage)
		}
	}
	r := new(AnswerReader)
	for payload, want := range map[string]error{`{"error":{"message":"m"}}`: llm.ErrError, `{"choices":[{"index":4000,"delta":{"content":"a"}}]}`: llm.ErrNoAnswer} {
		if err := r.Read([]byte(payload), func(*llm.Event) {}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", payload, err, want)
		}
	}
}

// FuzzRead: whatever is streamed, the events come in their order, and a whole stream ends once.
func FuzzRead(f *testing.F) {
	f.Add([]byte("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\",\"reasoning\":\"b\"}}]}\n{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}},{\"index\":1,\"id\":\"d\",\"custom\":{\"name\":\"g\",\"input\":\"}\"}}]},\"finish_reason\":\"stop\"}]}\n[DONE]"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		law, p, r := newLawful(), openai.Producer{Now: 1, Asked: "m"}, new(AnswerReader)
		tell := func(ev *llm.Event) {
			law.hear(ev)
			if chunk := p.Chunk(nil, ev); len(chunk) > 0 && jsonwalk.Valid(chunk, jsonwalk.Options{}) != nil {
				t.Fatalf("no JSON: %s", chunk)
			}
		}
		for payload := range bytes.SplitSeq(stream, []byte("\n")) {
			if r.Read(payload, tell) != nil {
				break
			}
		}
		r.Close(tell)
		if len(law.faults) > 0 {
			t.Fatal(strings.Join(law.faults, "; "))
		}
	})
}
