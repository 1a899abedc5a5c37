package cohere_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// said is what a caller is told.
type said struct {
	Text, Reasoning, Finish string
	Calls                   []string // id, name and arguments
	Prompt, Cached, Output  float64
}

type wireUsage struct {
	Tokens struct {
		In  float64 `json:"input_tokens"`
		Out float64 `json:"output_tokens"`
	}
	Cached float64 `json:"cached_tokens"`
}

type wireCall struct {
	ID       string
	Function struct{ Name, Arguments string }
}

func (s *said) end(reason string, u wireUsage) {
	s.Finish = map[string]string{"COMPLETE": "stop", "MAX_TOKENS": "length", "TOOL_CALL": "tool_calls"}[reason]
	s.Prompt, s.Cached, s.Output = u.Tokens.In, u.Cached, u.Tokens.Out
}

func (s *said) call(c wireCall) {
	s.Calls = append(s.Calls, c.ID+" "+c.Function.Name+" "+c.Function.Arguments)
}

func parse(t *testing.T, data []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
}

// expected is an independent reading of a recording.
func expected(t *testing.T, r recorded.Interaction) (s said) {
	t.Helper()
	if r.Stream {
		return expectedOfStream(t, r.Response.Body.Bytes())
	}
	var w struct {
		Message struct {
			Content []struct{ Text, Thinking string }
			Plan    string     `json:"tool_plan"`
			Calls   []wireCall `json:"tool_calls"`
		}
		Reason string `json:"finish_reason"`
		Usage  wireUsage
	}
	parse(t, r.Response.Body.Bytes(), &w)
	s.Reasoning = w.Message.Plan
	for _, c := range w.Message.Content {
		s.Text, s.Reasoning = s.Text+c.Text, s.Reasoning+c.Thinking
	}
	for _, c := range w.Message.Calls {
		s.call(c)
	}
	s.end(w.Reason, w.Usage)
	return s
}

func expectedOfStream(t *testing.T, body []byte) (s said) {
	t.Helper()
	payloads, done := recorded.Payloads(t, body)
	if !done {
		t.Fatal("no [DONE]")
	}
	for _, p := range payloads {
		var w struct {
			Type  string
			Delta struct {
				Message struct {
					Content json.RawMessage
					Tools   json.RawMessage `json:"tool_calls"`
					Plan    string          `json:"tool_plan"`
				}
				Reason string `json:"finish_reason"`
				Usage  wireUsage
			}
		}
		parse(t, []byte(p), &w)
		m := w.Delta.Message
		switch w.Type {
		case "content-delta":
			var c struct{ Text, Thinking string }
			parse(t, m.Content, &c)
			s.Text, s.Reasoning = s.Text+c.Text, s.Reasoning+c.Thinking
		case "tool-plan-delta":
			s.Reasoning += m.Plan
		case "tool-call-start", "tool-call-delta":
			var c wireCall
			parse(t, m.Tools, &c)
			if w.Type == "tool-call-start" {
				s.call(c)
			} else {
				s.Calls[len(s.Calls)-1] += c.Function.Arguments
			}
		case "message-end":
			s.end(w.Delta.Reason, w.Delta.Usage)
		}
	}
	return s
}

// read puts together what a client is told by a completion, or by the chunks of one.
func read(t *testing.T, payloads []string) (s said) {
	t.Helper()
	type message struct {
		Content   string
		Reasoning string     `json:"reasoning_content"`
		Calls     []wireCall `json:"tool_calls"`
	}
	for _, p := range payloads {
		var c struct {
			Choices []struct {
				Message, Delta message
				Finish         string `json:"finish_reason"`
			}
			Usage struct {
				Prompt  float64 `json:"prompt_tokens"`
				Output  float64 `json:"completion_tokens"`
				Details struct {
					Cached float64 `json:"cached_tokens"`
				} `json:"prompt_tokens_details"`
			}
		}
		parse(t, []byte(p), &c)
		s.Prompt, s.Cached, s.Output = c.Usage.Prompt, c.Usage.Details.Cached, c.Usage.Output
		for _, choice := range c.Choices {
			for _, m := range []message{choice.Message, choice.Delta} {
				s.Text, s.Reasoning = s.Text+m.Content, s.Reasoning+m.Reasoning
				for _, call := range m.Calls {
					if call.ID != "" {
						s.call(call)
					} else {
						s.Calls[len(s.Calls)-1] += call.Function.Arguments
					}
				}
			}
			s.Finish += choice.Finish
		}
	}
	return s
}

// Every recorded answer and stream says to OpenAI's client what it says to one of its own; no stream that was cut passes
// for whole.
func TestRecordings(t *testing.T) {
	t.Parallel()
	recorded.Chats(t, "cohere", 7, func(t *testing.T, r recorded.Interaction) {
		t.Parallel()
		body := r.Response.Body.Bytes()
		if r.Response.Status != 200 {
			if _, err := dialect.Produce(body); !errors.Is(err, llm.ErrError) {
				t.Errorf("an error was taken for %v", err)
			}
			return
		}
		var told []string
		if r.Stream {
			payloads, whole, err := dialect.Relay(bytes.NewReader(body))
			if err != nil || !whole {
				t.Fatalf("whole: %v, %v", whole, err)
			}
			dialect.Splits(t, body, payloads)
			told = payloads
		} else {
			out, err := dialect.Produce(body)
			if err != nil {
				t.Fatal(err)
			}
			told = []string{string(out)}
		}
		if diff := cmp.Diff(expected(t, r), read(t, told)); diff != "" {
			t.Error(diff)
		}
	})
}

// What was recorded as sent to the API is what the same request becomes that is made of it in OpenAI's words.
func TestRecordedRequests(t *testing.T) {
	t.Parallel()
	recorded.Chats(t, "cohere", 7, func(t *testing.T, r recorded.Interaction) {
		t.Parallel()
		raw := string(r.Request.Body.Bytes())
		if strings.Contains(raw, `"thinking"`) {
			t.Skip("thoughts of another vendor, which OpenAI's API has no word for")
		}
		asked := strings.NewReplacer(`"REQUIRED"`, `"required"`).Replace(raw)
		body, left, refusal := dialect.Request(asked)
		if refusal != nil || len(left) > 0 {
			t.Fatalf("%v, left out %v", refusal, left)
		}
		var want, got any
		parse(t, []byte(strings.ReplaceAll(raw, `"content": null,`, ``)), &want)
		parse(t, body, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
