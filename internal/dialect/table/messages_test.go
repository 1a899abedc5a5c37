package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// heard is what an answer says.
type heard struct {
	text, reasoning string
	calls           []string
	finish          string
	output          int64
	block           string // the arguments of the open call
}

// hear adds an event. Of several choices the first counts.
func (h *heard) hear(ev *llm.Event) {
	text := ev.Text.Text()
	switch {
	case ev.Choice > 0:
	case ev.Kind == llm.BlockStart && ev.Part == llm.ToolCall:
		h.block = ev.Name.Text() + " "
	case ev.Kind == llm.BlockStop && ev.Part == llm.ToolCall:
		if strings.HasSuffix(h.block, " ") {
			h.block += "{}"
		}
		h.calls = append(h.calls, h.block)
	case ev.Kind == llm.Delta && ev.Part == llm.ToolCall:
		h.block += text
	case ev.Kind == llm.Delta && ev.Part == llm.Reasoning:
		h.reasoning += text
	case ev.Kind == llm.Delta && ev.Part == llm.Text:
		h.text += text
	case ev.Kind == llm.End:
		h.finish, h.output = ev.Finish, ev.Usage.Output()
		if ev.Uncounted {
			h.output = -1
		}
		if h.finish == "stop" && len(h.calls) > 0 { // Google has no word for it
			h.finish = "tool_calls"
		}
	}
}

// again is what a caller of Anthropic's API reads out of the payloads that were made for it.
func again(t *testing.T, payloads []string) (h heard) {
	t.Helper()
	var reader anthropic.Stream
	for _, p := range append(payloads, `{"type":"message_stop"}`) {
		if err := reader.Read([]byte(p), h.hear); err != nil {
			t.Fatalf("%v: %s", err, p)
		}
	}
	return h
}

// messagesOf sends the events of an answer to a caller of Anthropic's API, as a stream and whole, and holds what that reads against what was sent.
func messagesOf(t *testing.T, read func(tell func(*llm.Event)) error) {
	t.Helper()
	asked, refused := anthropic.ParseRequest([]byte(`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"hi"}]}`), dialect.ParseOptions{})
	if refused != nil {
		t.Fatal(refused)
	}
	writing := dialect.Writing{Stand: dialect.Stand{Name: "r", Asked: "m"}}
	stream, whole := asked.Writer(writing), asked.Writer(writing)
	var said heard
	var payloads []string
	var body []byte
	err := read(func(ev *llm.Event) {
		said.hear(ev)
		if chunk := stream.Chunk(nil, ev); len(chunk) > 0 {
			payloads = append(payloads, strings.Split(string(chunk), "\n")...)
		}
		if ev.Kind == llm.End {
			body = whole.Answer(ev)
		} else {
			whole.Collect(ev)
		}
	})
	if err != nil || body == nil {
		t.Skipf("it is no answer: %v", err)
	}
	if said.output < 0 || said.finish == "function_call" {
		t.Skip("without usage, an estimate is written")
	}
	var once heard
	end, err := anthropic.ReadAnswer(body, once.hear)
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	once.hear(&end)
	for form, got := range map[string]heard{"stream": again(t, payloads), "whole": once} {
		if diff := cmp.Diff(said, got, cmp.AllowUnexported(heard{}), cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "block" }, cmp.Ignore())); diff != "" {
			t.Errorf("%s: sent (-) and read (+):\n%s", form, diff)
		}
	}
}

// reads is a caller's side: it is sent the events of an answer.
type reads func(t *testing.T, read func(tell func(*llm.Event)) error)

// codecOf reads a recorded answer by a codec, for a caller.
func codecOf(t *testing.T, c *dialect.Codec, r recorded.Interaction, as reads) {
	t.Helper()
	body := r.Response.Body.Bytes()
	if r.Response.Status != 200 {
		t.Skip("a refusal")
	}
	as(t, func(tell func(*llm.Event)) error {
		if !r.Stream {
			end, err := c.Answer(body, tell)
			if err == nil {
				tell(&end)
			}
			return err
		}
		reader := c.Stream()
		for frames := payloadsOf(c, body); ; {
			payload, err := frames()
			if errors.Is(err, io.EOF) {
				break
			}
			if err == nil && len(payload) > 0 && (c.Done || string(payload) != "[DONE]") {
				err = reader.Read(bytes.Clone(payload), tell)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", payload, err)
			}
		}
		if e, ok := reader.(dialect.Ender); ok {
			e.Close(tell)
		}
		return nil
	})
}

// payloadsOf splits a stream.
func payloadsOf(c *dialect.Codec, body []byte) func() ([]byte, error) {
	if c.Frames != nil {
		return c.Frames(bytes.NewReader(body), 1<<24, nil).Next
	}
	events := sse.NewReader(bytes.NewReader(body), 1<<24)
	return func() ([]byte, error) {
		ev, err := events.Next()
		return bytes.TrimSpace(ev.Data), err
	}
}

// Whatever vendor an answer was recorded of, a caller of Anthropic's API reads the same out of it: text, reasoning, calls, why it ended, and what it
// took.
func TestRecordingsAsMessages(t *testing.T) {
	t.Parallel()
	recordings(t, messagesOf)
}

// recordings has a caller read every recorded answer of another dialect.
func recordings(t *testing.T, as reads) {
	t.Helper()
	chats := func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		if e != llm.Chat {
			t.Skip("no chat")
		}
		codecOf(t, Codec(llm.OpenAI), r, as)
	}
	t.Run("openai streams", func(t *testing.T) { recorded.Streams(t, chats) })
	t.Run("openai answers", func(t *testing.T) { recorded.Answers(t, chats) })
	t.Run("responses", func(t *testing.T) {
		recorded.Responses(t, 15, func(t *testing.T, r recorded.Interaction) { codecOf(t, Codec(llm.Responses), r, as) })
	})
	for name, of := range map[string]struct {
		dialect llm.Dialect
		least   int
	}{"cohere": {llm.Cohere, 7}, "gemini": {llm.Gemini, 22}, "vertex": {llm.Vertex, 17}, "bedrock": {llm.Converse, 31}} {
		t.Run(name, func(t *testing.T) {
			recorded.Chats(t, name, of.least, func(t *testing.T, r recorded.Interaction) { codecOf(t, Codec(of.dialect), r, as) })
		})
	}
}

// What was recorded of Anthropic passes unchanged, and what it took is found on the way.
func TestMessagesPassUnchanged(t *testing.T) {
	t.Parallel()
	asked, _ := anthropic.ParseRequest([]byte(`{"model":"m","messages":[{}]}`), dialect.ParseOptions{})
	recorded.Messages(t, func(t *testing.T, r recorded.Interaction) {
		body := r.Response.Body.Bytes()
		switch {
		case r.Response.Status != 200:
			t.Skip("a refusal")
		case !r.Stream:
			out, answer, err := asked.Pass(body, nil, dialect.Stand{})
			end, _ := anthropic.ReadAnswer(body, func(*llm.Event) {})
			if err != nil || !bytes.Equal(out, body) || answer.Usage != end.Usage || answer.Finish != end.Finish {
				t.Fatalf("%v, %+v, not %+v", err, answer, end)
			}
			var once heard
			end, err = anthropic.ReadAnswer(body, once.hear)
			once.hear(&end)
			payloads, _ := asked.StreamOf(body)
			var list []string
			for p := range payloads {
				list = append(list, string(p))
			}
			if got := again(t, list); err == nil && !cmp.Equal(once, got, cmp.AllowUnexported(heard{})) {
				t.Errorf("as a stream it says %+v, not %+v", got, once)
			}
		default:
			var reader anthropic.Stream
			var end llm.Event
			walk := asked.Walk(nil, "")
			done := false
			for next := payloadsOf(Codec(llm.Anthropic), body); ; {
				payload, err := next()
				if err != nil {
					break
				}
				if err := reader.Read(payload, func(ev *llm.Event) { end = *ev }); err != nil {
					t.Skip("a failure")
				}
				if done = done || walk.Last(payload); done {
					continue
				}
				if c, err := walk.WalkBehind(nil, payload); err != nil || len(c.Edits) > 0 {
					t.Fatalf("%s: %v, %v", payload, c.Edits, err)
				}
			}
			if found := walk.Account(); !walk.Complete(done) || found.Usage != end.Usage || found.Finish != end.Finish {
				t.Errorf("%+v, not %+v", found, end)
			}
		}
	})
}
