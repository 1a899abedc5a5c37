package table

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/gemini"
	"github.com/weirproxy/weir/internal/dialect/responses"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// written are the payloads and the body that a request's writers make of an answer, and what the answer says.
func written(t *testing.T, asked dialect.Chat, read func(tell func(*llm.Event)) error) (said heard, payloads []string, body []byte) {
	t.Helper()
	writing := dialect.Writing{Stand: dialect.Stand{Name: "r", Asked: "m"}}
	stream, whole := asked.Writer(writing), asked.Writer(writing)
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
	if said.finish == "function_call" {
		t.Skip("an older way to call")
	}
	return said, payloads, body
}

func same(t *testing.T, form string, want, got heard) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(heard{}), cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "block" }, cmp.Ignore())); diff != "" {
		t.Errorf("%s: sent (-) and read (+):\n%s", form, diff)
	}
}

// response is what clients read of a response.
type response struct {
	Status  string
	Details *struct{ Reason string } `json:"incomplete_details"`
	Output  []item
	Usage   *struct {
		Output int64 `json:"output_tokens"`
	}
}

type item struct {
	Type, Name, Arguments string
	Content, Summary      []struct{ Type, Text, Refusal string }
}

// heard is what the response says.
func (r *response) heard() (h heard) {
	for _, i := range r.Output {
		switch i.Type {
		case "function_call":
			h.calls = append(h.calls, i.Name+" "+i.Arguments)
		case "reasoning":
			for _, part := range append(i.Content, i.Summary...) {
				h.reasoning += part.Text
			}
		default:
			for _, part := range i.Content {
				h.text += part.Text
			}
		}
	}
	h.finish, h.output = "stop", -1
	switch {
	case r.Status == "incomplete" && r.Details.Reason == "max_output_tokens":
		h.finish = "length"
	case r.Status == "incomplete":
		h.finish = "content_filter"
	case len(h.calls) > 0:
		h.finish = "tool_calls"
	}
	if r.Usage != nil {
		h.output = r.Usage.Output
	}
	return h
}

// responsesOf is a caller of the Responses API.
func responsesOf(t *testing.T, read func(tell func(*llm.Event)) error) {
	t.Helper()
	asked, refused := responses.Parse([]byte(`{"model":"m","input":"hi","reasoning":{"summary":"auto"}}`), dialect.ParseOptions{})
	if refused != nil {
		t.Fatal(refused)
	}
	said, payloads, body := written(t, asked, read)
	var whole response
	if err := json.Unmarshal(body, &whole); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	same(t, "whole", said, whole.heard())
	streamed := heard{}
	for i, p := range payloads {
		var ev struct {
			Type     string
			Number   int `json:"sequence_number"`
			Delta    string
			Item     item
			Response response
		}
		if err := json.Unmarshal([]byte(p), &ev); err != nil || ev.Number != i {
			t.Fatalf("event %d: %v: %s", i, err, p)
		}
		switch ev.Type {
		case "response.output_text.delta":
			streamed.text += ev.Delta
		case "response.reasoning_summary_text.delta":
			streamed.reasoning += ev.Delta
		case "response.output_item.done":
			if ev.Item.Type == "function_call" {
				streamed.calls = append(streamed.calls, ev.Item.Name+" "+ev.Item.Arguments)
			}
		}
		if i == len(payloads)-1 {
			end := ev.Response.heard()
			same(t, "the last event", said, end)
			streamed.finish, streamed.output = end.finish, end.output
		}
	}
	same(t, "stream", said, streamed)
}

// Whatever vendor an answer was recorded of, a caller of the Responses API reads the same out of it.
func TestRecordingsAsResponses(t *testing.T) {
	t.Parallel()
	recordings(t, responsesOf)
	t.Run("anthropic", func(t *testing.T) {
		recorded.Messages(t, func(t *testing.T, r recorded.Interaction) { codecOf(t, Codec(llm.Anthropic), r, responsesOf) })
	})
}

// googleOf is a caller of generateContent.
func googleOf(t *testing.T, read func(tell func(*llm.Event)) error) {
	t.Helper()
	asked, refused := gemini.Parse([]byte(`{"contents":[{"parts":[{"text":"hi"}]}]}`), true, dialect.ParseOptions{Model: "m"})
	if refused != nil {
		t.Fatal(refused)
	}
	said, payloads, body := written(t, asked, read)
	if said.output < 0 {
		said.output = 0 // it has no way to say that nothing is known
	}
	var whole, streamed heard
	end, err := gemini.ReadAnswer(body, whole.hear)
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	whole.hear(&end)
	var reader gemini.Stream
	for _, p := range payloads {
		if err := reader.Read([]byte(p), streamed.hear); err != nil {
			t.Fatal(fmt.Errorf("%w: %s", err, p))
		}
	}
	reader.Close(streamed.hear)
	said = onOneLine(said)
	same(t, "whole", said, onOneLine(whole))
	same(t, "stream", said, onOneLine(streamed))
}

// onOneLine is what was heard, without line breaks between the members of arguments: they are an object in Google's API, on one line.
func onOneLine(h heard) heard {
	for i, call := range h.calls {
		h.calls[i] = strings.ReplaceAll(strings.ReplaceAll(call, "\r", " "), "\n", " ")
	}
	return h
}

// Whatever vendor an answer was recorded of, a caller of Google's API reads the same out of it.
func TestRecordingsAsGoogle(t *testing.T) {
	t.Parallel()
	recordings(t, googleOf)
	t.Run("anthropic", func(t *testing.T) {
		recorded.Messages(t, func(t *testing.T, r recorded.Interaction) { codecOf(t, Codec(llm.Anthropic), r, googleOf) })
	})
}
