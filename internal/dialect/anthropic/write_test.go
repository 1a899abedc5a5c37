package anthropic_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialecttest"
	"github.com/weirproxy/weir/internal/llm"
)

// other is an answer as another vendor may give it. Its blocks lack a signature or have a foreign state, places are missing,
// arguments are cut short, and a name is missing.
var other = []llm.Event{
	{Kind: llm.Start, Usage: llm.Usage{Fresh: 5, Text: 1}},
	{Kind: llm.BlockStart, Block: 1, Part: llm.Reasoning},
	{Kind: llm.Delta, Block: 1, Part: llm.Reasoning, Text: llm.JSON(`"hm"`)},
	{Kind: llm.BlockStop, Block: 1, Part: llm.Reasoning},
	{Kind: llm.BlockStart, Block: 3, Part: llm.Redacted},
	{Kind: llm.Delta, Block: 3, Part: llm.Redacted, Opaque: llm.JSON(`"cw=="`)},
	{Kind: llm.BlockStop, Block: 3, Part: llm.Redacted},
	{Kind: llm.BlockStart, Block: 4, Part: llm.Text},
	{Kind: llm.Delta, Block: 4, Part: llm.Text, Text: llm.JSON(`"a\u00e4"`), Opaque: llm.JSON(`"state"`)},
	{Kind: llm.BlockStop, Block: 4, Part: llm.Text},
	{Kind: llm.Cited, Citation: &llm.Citation{End: 1, URL: llm.JSON(`"https://a"`)}},
	{Kind: llm.BlockStart, Block: 5, Part: llm.ToolCall, ID: llm.JSON(`"call_1"`), Name: llm.JSON(`"f"`)},
	{Kind: llm.Delta, Block: 5, Part: llm.ToolCall, Text: llm.JSON(`"{\"a\":"`)},
	{Kind: llm.BlockStop, Block: 5, Part: llm.ToolCall},
	{Kind: llm.End, Finish: "content_filter", Refusal: llm.JSON(`"no"`), Usage: llm.Usage{Fresh: 5, CacheRead: 2, CacheWrite: 3, Text: 3, Reasoning: 4}},
}

const (
	otherUsage  = `{"input_tokens":5,"cache_creation_input_tokens":3,"cache_read_input_tokens":2,"output_tokens":7,"output_tokens_details":{"thinking_tokens":4}}`
	otherReason = `"stop_reason":"refusal","stop_sequence":null,"stop_details":{"type":"refusal","category":null,"explanation":"no"}`
)

// FuzzWrite: whatever is answered in the dialect, what can be read of it can be written, and says the same.
func FuzzWrite(f *testing.F) { dialect.Writes(f) }

// TestWritten compares what is written of an answer with files, which the vendor's own SDK reads too (sdktest/oracle). The first
// line is the complete answer, the stream follows.
func TestWritten(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob(filepath.Join("testdata", "answers", "*.txt"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no answers: %v", err)
	}
	for _, file := range inputs {
		input, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		answer, _, _ := bytes.Cut(input, []byte("-- becomes --\n"))
		got := written(answer)
		name := filepath.Join("testdata", "written", strings.TrimSuffix(filepath.Base(file), ".txt")+".jsonl")
		switch want, err := os.ReadFile(name); {
		case got == "": // an error in place of an answer
		case dialecttest.Update():
			if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		case err != nil:
			t.Error(err)
		case string(want) != got:
			t.Errorf("%s: %s\nnot %s", name, got, want)
		}
	}
}

// written is an answer written again, "" if it could not be read.
func written(answer []byte) string {
	complete, streamed := anthropic.Writer{Asked: "claude", Name: "msg_1"}, anthropic.Writer{Asked: "claude", Name: "msg_1"}
	var payloads strings.Builder
	send := func(payload []byte) { payloads.WriteString(string(payload) + "\n") }
	end, err := anthropic.ReadAnswer(answer, func(ev *llm.Event) {
		complete.Collect(ev)
		streamed.Payloads(ev, send)
	})
	if err != nil {
		return ""
	}
	streamed.Payloads(&end, send)
	return string(complete.Answer(&end)) + "\n" + payloads.String()
}

func TestAnswersOfOthers(t *testing.T) {
	t.Parallel()
	w := anthropic.Writer{Asked: "claude", Name: "msg_1"}
	for i := range len(other) - 1 {
		w.Collect(&other[i])
	}
	const want = `{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[` +
		`{"type":"thinking","thinking":"hm","signature":""},{"type":"redacted_thinking","data":"cw=="},` +
		`{"type":"text","text":"a\u00e4"},{"type":"tool_use","id":"call_1","name":"f","input":{}}],` + otherReason + `,"usage":` + otherUsage + `}`
	if got := string(w.Answer(&other[len(other)-1])); got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
}

func TestStreamsOfOthers(t *testing.T) {
	t.Parallel()
	w := anthropic.Writer{Asked: "claude", Name: "msg_1"}
	var got []string
	for i := range other {
		w.Payloads(&other[i], func(payload []byte) { got = append(got, string(payload)) })
	}
	want := []string{
		`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[],"stop_reason":null,"stop_sequence":null,"stop_details":null,"usage":{"input_tokens":5,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"cw=="}}`,
		`{"type":"content_block_stop","index":1}`,
		`{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"a\u00e4"}}`,
		`{"type":"content_block_stop","index":2}`,
		`{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"call_1","name":"f","input":{}}}`,
		`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}`,
		`{"type":"content_block_stop","index":3}`,
		`{"type":"message_delta","delta":{` + otherReason + `},"usage":` + otherUsage + `}`,
		`{"type":"message_stop"}`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nnot %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
