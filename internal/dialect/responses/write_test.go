package responses

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialecttest"
	"github.com/weirproxy/weir/internal/llm"
)

// asks are what the answers of TestAnswers are to.
const asks = `{"model":"m","stream":true,"input":"x","tools":[{"type":"function","name":"f"},{"type":"namespace","name":"ns","tools":[{"type":"function","name":"close"}]},
	{"type":"custom","name":"apply_patch"},{"type":"tool_search","execution":"client"}]`

func block(kind llm.PartKind, n int, id, name string, deltas ...string) []llm.Event {
	begin := llm.Event{Kind: llm.BlockStart, Part: kind, Block: n}
	if kind == llm.ToolCall {
		begin.ID, begin.Name = llm.Quote(id), llm.Quote(name)
	}
	events := []llm.Event{begin}
	for _, text := range deltas {
		events = append(events, llm.Event{Kind: llm.Delta, Part: kind, Block: n, Text: llm.Quote(text)})
	}
	return append(events, llm.Event{Kind: llm.BlockStop, Part: kind, Block: n})
}

func answer(end llm.Event, blocks ...[]llm.Event) []llm.Event {
	events := []llm.Event{{Kind: llm.Start, ID: llm.Quote("up"), Name: llm.Quote("model-1")}}
	for _, b := range blocks {
		events = append(events, b...)
	}
	end.Kind = llm.End
	return append(events, end)
}

func signed(events []llm.Event, signature string) []llm.Event {
	last := len(events) - 1
	return append(append(events[:last:last], llm.Event{Kind: llm.Delta, Part: events[0].Part, Block: events[0].Block, Opaque: llm.Quote(signature)}), events[last])
}

// answers are by the name of their golden file.
func answers() map[string]struct {
	members string
	events  []llm.Event
} {
	used := llm.Usage{Fresh: 3, CacheRead: 2, Text: 4, Reasoning: 5}
	cite := llm.Event{Kind: llm.Cited, Citation: &llm.Citation{Start: 2, End: 5, URL: llm.Quote("https://a/b")}}
	text := block(llm.Text, 0, "", "", "Hel", "lo")
	cited := append(append([]llm.Event(nil), text[:3]...), cite, text[3])
	thought := signed(block(llm.Reasoning, 0, "", "", "Hm", "."), "sig")
	return map[string]struct {
		members string
		events  []llm.Event
	}{
		"text":                {"", answer(llm.Event{Finish: "stop", Usage: used}, text)},
		"text-cited":          {"", answer(llm.Event{Finish: "stop", Uncounted: true}, cited)},
		"nothing":             {"", answer(llm.Event{Finish: "stop"})},
		"empty-text":          {"", answer(llm.Event{Finish: "stop"}, block(llm.Text, 0, "", ""))},
		"two-texts":           {"", answer(llm.Event{Finish: "stop"}, text, block(llm.Text, 1, "", "", "Bye"))},
		"cut-by-length":       {"", answer(llm.Event{Finish: "length"}, text)},
		"filtered":            {"", answer(llm.Event{Finish: "content_filter"}, text)},
		"refused":             {"", answer(llm.Event{Finish: "stop", Refusal: llm.Quote("I will not.")})},
		"calls":               {"", answer(llm.Event{Finish: "stop"}, text, block(llm.ToolCall, 1, "c1", "f", `{"a"`, `:1}`), block(llm.ToolCall, 2, "c2", "ns__close"))},
		"custom-call":         {"", answer(llm.Event{Finish: "tool_calls"}, block(llm.ToolCall, 0, "c1", "apply_patch", `{"input":"*** Be`, `gin\n"}`))},
		"search-for-tools":    {"", answer(llm.Event{Finish: "tool_calls"}, block(llm.ToolCall, 0, "c1", "tool_search", "{\"query\":\n\"q\"}"))},
		"call-cut-off":        {"", answer(llm.Event{Finish: "length"}, block(llm.ToolCall, 0, "c1", "f", `{"a"`))},
		"form-by-a-tool":      {"", answer(llm.Event{Finish: "tool_calls"}, block(llm.ToolCall, 0, "c1", llm.FormTool, `{"a":1}`))},
		"reasoning-hidden":    {"", answer(llm.Event{Finish: "stop", Usage: used}, thought, block(llm.Text, 1, "", "", "So."))},
		"reasoning-content":   {`,"reasoning":{"effort":"low"}`, answer(llm.Event{Finish: "stop"}, thought, block(llm.Text, 1, "", "", "So."))},
		"reasoning-summary":   {`,"reasoning":{"summary":"auto"},"include":["reasoning.encrypted_content"]`, answer(llm.Event{Finish: "stop"}, thought, block(llm.Text, 1, "", "", "So."))},
		"reasoning-encrypted": {`,"include":["reasoning.encrypted_content"]`, answer(llm.Event{Finish: "stop"}, thought, signed(block(llm.Redacted, 1, "", ""), "blob"), block(llm.Text, 2, "", "", "So."))},
		"signed-call": {"", answer(llm.Event{Finish: "tool_calls"}, []llm.Event{
			{Kind: llm.BlockStart, Part: llm.ToolCall, ID: llm.Quote("c1"), Name: llm.Quote("f"), Opaque: llm.Quote("s+/")}, {Kind: llm.BlockStop, Part: llm.ToolCall},
		})},
		"summary": {`,"input":[{"role":"user","content":"x"},{"type":"compaction_trigger"}]`, answer(llm.Event{Finish: "stop"}, text, block(llm.Text, 1, "", "", " Bye"))},
	}
}

func writerOf(t testing.TB, members string) *Writer {
	t.Helper()
	body := asks + members + "}"
	if strings.Contains(members, `"input"`) {
		body = strings.Replace(body, `"input":"x",`, "", 1)
	}
	r, err := Parse([]byte(body), dialect.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Writer(dialect.Writing{Stand: dialect.Stand{Name: "N", Asked: "m", Now: 1_700_000_000}, Maker: "claude"}).(*Writer)
}

// echoes is what a response repeats of the request.
func echoes(w *Writer, text []byte) string {
	return strings.ReplaceAll(string(text), string(w.echo), "…")
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range answers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := writerOf(t, tt.members)
			var got strings.Builder
			number := 0
			for i := range tt.events {
				for _, payload := range strings.Split(string(w.Chunk(nil, &tt.events[i])), "\n") {
					if payload == "" {
						continue
					}
					var event struct {
						Number *int `json:"sequence_number"`
					}
					if err := json.Unmarshal([]byte(payload), &event); err != nil || event.Number == nil || *event.Number != number {
						t.Fatalf("event %d: %v: %s", number, err, payload)
					}
					number++
					got.WriteString(echoes(w, []byte(payload)) + "\n")
				}
			}
			whole, last := writerOf(t, tt.members), len(tt.events)-1
			for i := range tt.events[:last] {
				whole.Collect(&tt.events[i])
			}
			complete := whole.Answer(&tt.events[last])
			if !json.Valid(complete) {
				t.Errorf("the complete answer is no JSON: %s", complete)
			}
			got.WriteString("\n" + echoes(w, complete) + "\n")
			if w.FinishReason() != whole.FinishReason() || w.FinishReason() == "" {
				t.Errorf("it ends with %q and %q", w.FinishReason(), whole.FinishReason())
			}
			golden(t, name, got.String())
		})
	}
}

// A complete answer is what the last event of a stream has.
func TestStreamsEndInTheWholeAnswer(t *testing.T) {
	t.Parallel()
	for name, tt := range answers() {
		w, whole, last := writerOf(t, tt.members), writerOf(t, tt.members), len(tt.events)-1
		for i := range tt.events[:last] {
			w.Chunk(nil, &tt.events[i])
			whole.Collect(&tt.events[i])
		}
		events := strings.Split(string(w.Chunk(nil, &tt.events[last])), "\n")
		if !strings.HasSuffix(events[len(events)-1], `"response":`+string(whole.Answer(&tt.events[last]))+"}") {
			t.Errorf("%s: %s", name, events[len(events)-1])
		}
	}
}

func TestFailure(t *testing.T) {
	t.Parallel()
	w := writerOf(t, "")
	w.Chunk(nil, &llm.Event{Kind: llm.Start, Name: llm.Quote("model-1")})
	for i, tt := range []struct {
		err  *llm.Error
		want string
	}{
		{&llm.Error{Kind: llm.Overloaded, Message: "Busy."}, `"error":{"code":"server_is_overloaded","message":"Busy."}`},
		{&llm.Error{Kind: llm.UpstreamFailed, Message: "It \"broke\"."}, `"error":{"code":"server_error","message":"It \"broke\"."}`},
	} {
		got := string(w.Failure(nil, tt.err))
		if !json.Valid([]byte(got)) || !strings.Contains(got, tt.want) || !strings.Contains(got, `"id":"resp_N"`) || !strings.Contains(got, `"sequence_number":`+string(rune('2'+i))) {
			t.Error(got)
		}
		if early := failure(tt.err); !json.Valid(early) || !strings.Contains(string(early), tt.want) {
			t.Errorf("%s", early)
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if dialecttest.Update() {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("is\n%s\nand not\n%s", got, want)
	}
}

// Whatever comes as a body is refused in words or decoded, and what is decoded can be asked about.
func FuzzDecode(f *testing.F) {
	f.Add(`{"model":"m","input":"x"}`)
	f.Add(asks + `,"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"f"}]},"reasoning":{"effort":"low","summary":"auto"},"text":{"format":{"type":"json_object"}}}`)
	f.Add(`{"model":"m","input":[{"type":"reasoning","summary":[{"text":"a"}],"encrypted_content":"weir1.e30"},{"type":"function_call","call_id":"c__sig__eA","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c__sig__eA","output":[{"type":"input_image","image_url":"data:image/png;base64,aGk="}]},{"type":"compaction_trigger"}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		r, err := Parse([]byte(body), dialect.ParseOptions{MaxDepth: 64})
		if err != nil {
			return
		}
		r.Profile(llm.Wants{Needs: 0xff, Least: 1, Tokens: true, Prefix: true, User: true})
		typed, err := r.Decode(nil)
		if err != nil {
			if err.Message == "" {
				t.Error("an error without a message")
			}
			return
		}
		for i := range typed.Tools {
			if tool := &typed.Tools[i]; len(tool.Name.Text()) > longestName && len(tool.Name.Text()) != longestName {
				t.Errorf("the name of a tool is %d bytes long", len(tool.Name.Text()))
			}
		}
		w := r.Writer(dialect.Writing{Stand: dialect.Stand{Name: "N"}})
		w.Collect(&llm.Event{Kind: llm.Start})
		if out := w.Answer(&llm.Event{Kind: llm.End, Finish: "stop"}); !json.Valid(out) {
			t.Errorf("%s", out)
		}
	})
}
