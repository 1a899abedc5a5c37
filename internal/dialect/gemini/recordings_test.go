package gemini_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// told is what a caller is told.
type told struct {
	Text, Reasoning, Finish, Signature string
	Calls                              []string // id, name, signature and arguments
	Prompt, Cached, Output, Thoughts   float64
}

// wire is what an independent reading takes of an answer or of one of its pieces.
type wire struct {
	Candidates []struct {
		Content struct {
			Parts []struct {
				Text      string
				Thought   bool
				Signature string `json:"thoughtSignature"`
				Call      *struct {
					ID, Name string
					Args     json.RawMessage
				} `json:"functionCall"`
			}
		}
		Reason json.RawMessage `json:"finishReason"`
	}
	ID    string         `json:"responseId"`
	Usage map[string]any `json:"usageMetadata"`
}

// expected is the independent reading of a recording.
func expected(t *testing.T, r recorded.Interaction) (s told) {
	t.Helper()
	body := r.Response.Body.Bytes()
	payloads := []string{string(body)}
	if r.Stream {
		payloads, _ = recorded.Payloads(t, body)
	}
	for _, p := range payloads {
		var w wire
		if err := json.Unmarshal([]byte(p), &w); err != nil {
			t.Fatal(err)
		}
		s.wire(t, w)
	}
	return s
}

func (s *told) wire(t *testing.T, w wire) {
	t.Helper()
	n := func(name string) float64 { f, _ := w.Usage[name].(float64); return f }
	if w.Usage["promptTokenCount"] != nil {
		s.Prompt, s.Cached = n("promptTokenCount")+n("toolUsePromptTokenCount"), n("cachedContentTokenCount")
		s.Thoughts = n("thoughtsTokenCount")
		s.Output = n("candidatesTokenCount") + s.Thoughts
		if total := n("totalTokenCount"); total != s.Prompt+s.Output {
			t.Errorf("the total is %v, not %v", total, s.Prompt+s.Output)
		}
	}
	for _, c := range w.Candidates {
		for _, p := range c.Content.Parts {
			switch {
			case p.Call != nil:
				id := p.Call.ID
				if id == "" {
					id = fmt.Sprintf("call_%s_%d", w.ID, len(s.Calls))
				}
				s.Calls = append(s.Calls, id+" "+p.Call.Name+" "+p.Signature+" "+compact(t, string(p.Call.Args)))
			case p.Thought:
				s.Reasoning += p.Text
			default:
				s.Text, s.Signature = s.Text+p.Text, s.Signature+p.Signature
			}
		}
		if reason := string(c.Reason); reason == `"STOP"` || reason == "1" {
			s.Finish = "stop"
		}
	}
	if s.Finish == "stop" && len(s.Calls) > 0 {
		s.Finish = "tool_calls"
	}
}

func compact(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(text)); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return out.String()
}

type message struct {
	Content   string
	Reasoning string                             `json:"reasoning_content"`
	Thoughts  []struct{ Type, Signature string } `json:"thinking_blocks"`
	ToolCalls []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

// signed splits what is behind an id.
func signed(t *testing.T, id string) (own, signature string) {
	t.Helper()
	own, carried, _ := strings.Cut(id, "__thought__")
	var extra struct {
		Google struct {
			Signature string `json:"thought_signature"`
		}
	}
	if carried != "" {
		text, err := base64.RawURLEncoding.DecodeString(carried)
		if err != nil || json.Unmarshal(text, &extra) != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	return own, extra.Google.Signature
}

// read puts together what a client is told by a completion, or by the chunks of one.
func read(t *testing.T, payloads []string) (s told) {
	t.Helper()
	var heads, args []string
	for _, p := range payloads {
		var c struct {
			Choices []struct {
				Message, Delta message
				Reason         string `json:"finish_reason"`
			}
			Usage struct {
				Prompt  float64 `json:"prompt_tokens"`
				Output  float64 `json:"completion_tokens"`
				Details struct {
					Cached float64 `json:"cached_tokens"`
				} `json:"prompt_tokens_details"`
				Inner struct {
					Reasoning float64 `json:"reasoning_tokens"`
				} `json:"completion_tokens_details"`
			}
		}
		if err := json.Unmarshal([]byte(p), &c); err != nil {
			t.Fatalf("%v in %s", err, p)
		}
		u := c.Usage
		s.Prompt, s.Cached, s.Output, s.Thoughts = u.Prompt, u.Details.Cached, u.Output, u.Inner.Reasoning
		for _, choice := range c.Choices {
			for _, m := range []message{choice.Message, choice.Delta} {
				s.Text, s.Reasoning = s.Text+m.Content, s.Reasoning+m.Reasoning
				for _, b := range m.Thoughts {
					s.Signature += b.Signature
				}
				for _, call := range m.ToolCalls {
					if call.ID != "" {
						id, signature := signed(t, call.ID)
						heads, args = append(heads, id+" "+call.Function.Name+" "+signature+" "), append(args, "")
					}
					args[len(args)-1] += call.Function.Arguments
				}
			}
			s.Finish += choice.Reason
		}
	}
	for i := range heads {
		s.Calls = append(s.Calls, heads[i]+compact(t, args[i]))
	}
	return s
}

// Every recorded answer and stream says to OpenAI's client what it says to one of its own.
func TestRecordings(t *testing.T) {
	t.Parallel()
	for provider, least := range map[string]int{"gemini": 22, "vertex": 17} {
		recorded.Chats(t, provider, least, func(t *testing.T, r recorded.Interaction) {
			t.Parallel()
			replay(t, r)
		})
	}
}

func replay(t *testing.T, r recorded.Interaction) {
	t.Helper()
	body := r.Response.Body.Bytes()
	switch {
	case r.Response.Status != 200:
		if _, err := dialect.Produce(body); !errors.Is(err, llm.ErrError) {
			t.Errorf("an error was taken for %v", err)
		}
	case r.Stream:
		payloads, whole, err := dialect.Relay(bytes.NewReader(body))
		if err != nil || !whole {
			t.Fatalf("whole: %v, %v", whole, err)
		}
		if diff := cmp.Diff(expected(t, r), read(t, payloads)); diff != "" {
			t.Error(diff)
		}
		dialect.Splits(t, body, payloads)
	default:
		out, err := dialect.Produce(body)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(expected(t, r), read(t, []string{string(out)})); diff != "" {
			t.Error(diff)
		}
	}
}
