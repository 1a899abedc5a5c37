package gemini_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect/gemini"
	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// heard is what the events of an answer say, however many deltas say it.
type heard struct {
	ID, Model string
	Choices   []heardChoice
	Usage     llm.Usage
}

type heardChoice struct {
	Blocks          []heardBlock
	Tokens          string
	Finish, Refusal string
}

type heardBlock struct {
	Kind                   llm.PartKind
	ID, Name, Text, Opaque string
}

func (h *heard) take(ev *llm.Event) {
	for len(h.Choices) <= ev.Choice {
		h.Choices = append(h.Choices, heardChoice{})
	}
	c := &h.Choices[ev.Choice]
	switch ev.Kind {
	case llm.Start:
		h.ID, h.Model = ev.ID.Text(), ev.Name.Text()
	case llm.BlockStart:
		c.Blocks = append(c.Blocks, heardBlock{Kind: ev.Part, ID: ev.ID.Text(), Name: ev.Name.Text(), Opaque: ev.Opaque.Text()})
	case llm.Delta:
		b := &c.Blocks[len(c.Blocks)-1]
		b.Text, b.Opaque = b.Text+ev.Text.Text(), b.Opaque+ev.Opaque.Text()
	case llm.BlockStop: // without arguments means with none
		if b := &c.Blocks[len(c.Blocks)-1]; b.Kind == llm.ToolCall {
			var out bytes.Buffer
			if err := json.Compact(&out, []byte(cmp.Or(b.Text, "{}"))); err == nil {
				b.Text = out.String()
			}
		}
	case llm.Scored:
		for _, t := range ev.Tokens {
			c.Tokens += string(t.Text) + string(t.ID) + string(t.Logprob) + ";"
			for _, o := range t.Top {
				c.Tokens += " " + string(o.Text) + string(o.ID) + string(o.Logprob)
			}
		}
	case llm.ChoiceEnd, llm.End:
		c.Finish, c.Refusal, h.Usage = ev.Finish, ev.Refusal.Text(), ev.Usage
	}
}

// both writes what an answer tells as a whole and as a stream.
type both struct {
	heard  heard
	whole  gemini.Writer
	stream gemini.Writer
	pieces []string
	answer []byte
}

func newBoth() *both {
	return &both{whole: gemini.Writer{Asked: "asked"}, stream: gemini.Writer{Asked: "asked"}}
}

func (b *both) take(ev *llm.Event) {
	b.heard.take(ev)
	if piece := b.stream.Piece(nil, ev); len(piece) > 0 {
		b.pieces = append(b.pieces, string(piece))
	}
	if ev.Kind == llm.End {
		b.answer = b.whole.Answer(ev)
		return
	}
	b.whole.Collect(ev)
}

// check reads what was written, which must say the same.
func (b *both) check(t *testing.T) {
	t.Helper()
	if b.heard.Model == "" {
		b.heard.Model = "asked"
	}
	var whole heard
	end, err := gemini.ReadAnswer(b.answer, whole.take)
	if err != nil {
		t.Fatalf("%v: %s", err, b.answer)
	}
	whole.take(&end)
	if diff := gocmp.Diff(b.heard, whole); diff != "" {
		t.Errorf("the answer %s: %s", b.answer, diff)
	}
	var streamed heard
	var st gemini.Stream
	for _, piece := range b.pieces {
		if err := st.Read([]byte(piece), streamed.take); err != nil || strings.Contains(piece, "\n") {
			t.Fatalf("%v: %s", err, piece)
		}
	}
	st.Close(streamed.take)
	if diff := gocmp.Diff(b.heard, streamed); diff != "" {
		t.Errorf("the stream %s: %s", b.pieces, diff)
	}
}

// readBoth reads an answer, or a stream, and writes it both ways; nil if it is no whole one.
func readBoth(body string, stream bool) *both {
	b := newBoth()
	if !stream {
		end, err := gemini.ReadAnswer([]byte(body), b.take)
		if err != nil {
			return nil
		}
		b.take(&end)
		return b
	}
	var st gemini.Stream
	events := sse.NewReader(strings.NewReader(body), 1<<20)
	for {
		event, err := events.Next()
		if err != nil {
			break
		}
		if err := st.Read(event.Data, b.take); err != nil {
			return nil
		}
	}
	if st.Close(b.take); b.answer == nil {
		return nil
	}
	return b
}

// What is read of a recorded answer, written and read again says the same, as a whole and as a stream.
func TestWrittenRecordings(t *testing.T) {
	t.Parallel()
	for provider, least := range map[string]int{"gemini": 22, "vertex": 17} {
		recorded.Chats(t, provider, least, func(t *testing.T, r recorded.Interaction) {
			t.Parallel()
			b := readBoth(string(r.Response.Body.Bytes()), r.Stream)
			if b == nil {
				if r.Response.Status == 200 {
					t.Fatal("it cannot be read")
				}
				return
			}
			b.check(t)
		})
	}
}

// inputs are the golden files in a folder.
func inputs(t testing.TB, folder string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of %s: %v", folder, err)
	}
	all := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[folder+"/"+filepath.Base(file)], _, _ = strings.Cut(string(data), "-- becomes --\n")
	}
	return all
}

// The same of answers that were written by hand.
func TestWrittenAnswers(t *testing.T) {
	t.Parallel()
	n := 0
	for _, folder := range []string{"answers", "streams"} {
		for name, input := range inputs(t, folder) {
			if b := readBoth(input, folder == "streams"); b != nil {
				n++
				t.Run(name, b.check)
			}
		}
	}
	if n < 15 {
		t.Errorf("only %d answers", n)
	}
}

// FuzzWritten: whatever can be read can be written, and says the same.
func FuzzWritten(f *testing.F) {
	for _, input := range inputs(f, "answers") {
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if b := readBoth(body, false); b != nil {
			b.check(t)
		}
	})
}

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
			[]llm.Event{{Kind: llm.Start}, {Kind: llm.End, Finish: "stop", Usage: llm.Usage{Fresh: 1, CacheRead: 2, CacheWrite: 4, Output: 24, Reasoning: 16}}},
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
		b := newBoth()
		for i := range tt.events {
			b.take(&tt.events[i])
		}
		if diff := gocmp.Diff(tt.want, string(b.answer)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		var st gemini.Stream
		streamed := newBoth()
		var err error
		for _, piece := range b.pieces {
			err = errors.Join(err, st.Read([]byte(piece), streamed.take))
		}
		st.Close(streamed.take)
		if malformed := strings.Contains(tt.want, "MALFORMED"); malformed != (err != nil) || !malformed && streamed.answer == nil {
			t.Errorf("%s: the stream %s: %v", name, b.pieces, err)
		}
	}
}
