package gemini_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect/gemini"
	"github.com/weirproxy/weir/internal/llm"
)

// FuzzWrite: whatever can be read of an answer can be written, and says the same.
func FuzzWrite(f *testing.F) { unbilled(dialect).Writes(f) }

// What other vendors' models say is worded as the API has it.
func TestWriter(t *testing.T) {
	t.Parallel()
	q := llm.Quote
	start := llm.Event{Kind: llm.Start, ID: q("r"), Name: q("m")}
	begin := func(kind llm.PartKind) llm.Event {
		return llm.Event{Kind: llm.BlockStart, Part: kind, ID: q("i"), Name: q("f")}
	}
	say := func(kind llm.PartKind, text string) llm.Event {
		return llm.Event{Kind: llm.Delta, Part: kind, Text: q(text)}
	}
	stop := func(kind llm.PartKind) llm.Event { return llm.Event{Kind: llm.BlockStop, Part: kind} }
	end := func(finish string) llm.Event { return llm.Event{Kind: llm.End, Finish: finish} }
	const usage = `"usageMetadata":{"promptTokenCount":0,"candidatesTokenCount":0,"totalTokenCount":0},`
	for name, tt := range map[string]struct {
		events []llm.Event
		want   string
	}{
		"a thought that is signed": {
			[]llm.Event{start, begin(llm.Reasoning), say(llm.Reasoning, "a"), say(llm.Reasoning, "b"), {Kind: llm.Delta, Part: llm.Reasoning, Opaque: q("s")}, stop(llm.Reasoning), end("stop")},
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"ab","thought":true,"thoughtSignature":"s"}]},"finishReason":"STOP","index":0}],` + usage + `"modelVersion":"m","responseId":"r"}`,
		},
		"a thought that nobody can read": {
			[]llm.Event{start, {Kind: llm.BlockStart, Part: llm.Redacted, Opaque: q("s")}, stop(llm.Redacted), begin(llm.Text), say(llm.Text, "x"), stop(llm.Text), end("stop")},
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"","thought":true,"thoughtSignature":"s"},{"text":"x"}]},"finishReason":"STOP","index":0}],` + usage + `"modelVersion":"m","responseId":"r"}`,
		},
		"a call in pieces, and one of nothing": {
			[]llm.Event{start, begin(llm.ToolCall), say(llm.ToolCall, `{"a":"`), say(llm.ToolCall, `é"}`), stop(llm.ToolCall), begin(llm.ToolCall), stop(llm.ToolCall), end("tool_calls")},
			`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"i","name":"f","args":{"a":"é"}}},{"functionCall":{"id":"i","name":"f","args":{}}}]},"finishReason":"STOP","index":0}],` + usage + `"modelVersion":"m","responseId":"r"}`,
		},
		"a call that is cut": {
			[]llm.Event{start, begin(llm.ToolCall), say(llm.ToolCall, `{"a":`), stop(llm.ToolCall), end("length")},
			`{"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS","index":0}],` + usage + `"modelVersion":"m","responseId":"r"}`,
		},
		"a call with what is no object": {
			[]llm.Event{start, begin(llm.ToolCall), say(llm.ToolCall, `[1]`), stop(llm.ToolCall), end("tool_calls")},
			`{"candidates":[{"content":{"role":"model"},"finishReason":"MALFORMED_FUNCTION_CALL","index":0}],` + usage + `"modelVersion":"m","responseId":"r"}`,
		},
		"a refusal behind a text": {
			[]llm.Event{start, begin(llm.Text), say(llm.Text, "x"), stop(llm.Text), {Kind: llm.End, Finish: "content_filter", Refusal: q("no")}},
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"x"}]},"finishReason":"SAFETY","index":0}],"promptFeedback":{"blockReason":"OTHER","blockReasonMessage":"no"},` + usage + `"modelVersion":"m","responseId":"r"}`,
		},
		"a citation": {
			[]llm.Event{start, begin(llm.Text), say(llm.Text, "aéb"), {Kind: llm.Cited, Citation: &llm.Citation{Start: 1, End: 3, URL: q("u"), Title: q("t")}}, stop(llm.Text), end("stop")},
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"aéb"}]},"finishReason":"STOP","index":0,"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u","title":"t"}}],` +
				`"groundingSupports":[{"segment":{"startIndex":1,"endIndex":4,"text":"éb"},"groundingChunkIndices":[0]}]}}],` + usage + `"modelVersion":"m","responseId":"r"}`,
		},
		"every class of usage": {
			[]llm.Event{{Kind: llm.Start}, {Kind: llm.End, Finish: "stop", Usage: llm.Usage{Fresh: 1, CacheRead: 2, CacheWrite: 4, Text: 8, Reasoning: 16}}},
			`{"candidates":[{"content":{"role":"model"},"finishReason":"STOP","index":0}],` +
				`"usageMetadata":{"promptTokenCount":7,"cachedContentTokenCount":2,"candidatesTokenCount":8,"thoughtsTokenCount":16,"totalTokenCount":31},"modelVersion":"asked"}`,
		},
		"two candidates": {
			[]llm.Event{
				start,
				{Kind: llm.Start, Choice: 1, ID: q("r"), Name: q("m")},
				begin(llm.Text),
				{Kind: llm.BlockStart, Choice: 1},
				say(llm.Text, "x"),
				{Kind: llm.Delta, Choice: 1, Text: q("y")},
				stop(llm.Text),
				{Kind: llm.BlockStop, Choice: 1},
				{Kind: llm.ChoiceEnd, Choice: 1, Finish: "length"},
				end("stop"),
			},
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"x"}]},"finishReason":"STOP","index":0},{"content":{"role":"model","parts":[{"text":"y"}]},"finishReason":"MAX_TOKENS","index":1}],` +
				usage + `"modelVersion":"m","responseId":"r"}`,
		},
	} {
		whole, streamed := gemini.Writer{Asked: "asked"}, gemini.Writer{Asked: "asked"}
		var st gemini.Stream
		var failed error
		said := 0
		for i := range tt.events {
			whole.Collect(&tt.events[i])
			streamed.Payloads(&tt.events[i], func(piece []byte) {
				failed = errors.Join(failed, st.Read(piece, func(*llm.Event) { said++ }))
			})
		}
		if diff := cmp.Diff(tt.want, string(whole.Answer(&tt.events[len(tt.events)-1]))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if malformed := strings.Contains(tt.want, "MALFORMED"); malformed != (failed != nil) || !malformed && said == 0 {
			t.Errorf("%s: the stream has %d events, %v", name, said, failed)
		}
	}
}
