package converse_test

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

// told is what a caller is told.
type told struct {
	Text, Reasoning, Opaque, Finish string
	Calls                           []string // id, name and arguments as compact JSON
	Prompt, Cached, Written, Output float64
}

// wire is what an independent reading takes of an answer, or of all the events of one.
type wire struct {
	Output struct {
		Message struct{ Content []wireBlock }
	}
	StopReason string
	Usage      struct {
		InputTokens, OutputTokens, CacheReadInputTokens, CacheWriteInputTokens float64
	}

	ContentBlockIndex int
	Start             wireBlock
	Delta             struct {
		Text    string
		ToolUse struct{ Input string }

		ReasoningContent struct{ Text, Signature, RedactedContent string }
	}
}

type wireBlock struct {
	Text    *string
	ToolUse *struct {
		ToolUseID  string `json:"toolUseId"`
		Name, Type string
		Input      json.RawMessage
	}
	ReasoningContent *struct {
		ReasoningText   struct{ Text, Signature string }
		RedactedContent string
	}
}

func compact(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(text)); text != "" && err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	if out.Len() == 0 {
		return "{}"
	}
	return out.String()
}

// expected is the independent reading of a recording.
func expected(t *testing.T, r recorded.Interaction) (s told) {
	t.Helper()
	payloads := []string{string(r.Response.Body.JSON)}
	for _, e := range r.Response.Body.Events {
		payloads = append(payloads, e.Payload)
	}
	args := map[int]int{} // the call of a block, by its index
	for _, p := range payloads {
		var w wire
		if p == "" {
			continue
		}
		if err := json.Unmarshal([]byte(p), &w); err != nil {
			t.Fatal(err)
		}
		for _, b := range append(w.Output.Message.Content, w.Start) {
			switch {
			case b.Text != nil:
				s.Text += *b.Text
			case b.ToolUse != nil && b.ToolUse.Type != "server_tool_use":
				args[w.ContentBlockIndex] = len(s.Calls)
				s.Calls = append(s.Calls, b.ToolUse.ToolUseID+" "+b.ToolUse.Name+" "+string(b.ToolUse.Input))
			case b.ReasoningContent != nil:
				s.Reasoning += b.ReasoningContent.ReasoningText.Text
				s.Opaque += b.ReasoningContent.ReasoningText.Signature + b.ReasoningContent.RedactedContent
			}
		}
		s.Text += w.Delta.Text
		s.Reasoning += w.Delta.ReasoningContent.Text
		s.Opaque += w.Delta.ReasoningContent.Signature + w.Delta.ReasoningContent.RedactedContent
		if i, ok := args[w.ContentBlockIndex]; ok {
			s.Calls[i] += w.Delta.ToolUse.Input
		}
		s.Finish += map[string]string{
			"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "tool_use": "tool_calls", "guardrail_intervened": "content_filter",
		}[w.StopReason]
		u := w.Usage
		s.Prompt += u.InputTokens + u.CacheReadInputTokens + u.CacheWriteInputTokens
		s.Cached, s.Written, s.Output = s.Cached+u.CacheReadInputTokens, s.Written+u.CacheWriteInputTokens, s.Output+u.OutputTokens
	}
	for i, call := range s.Calls {
		head := strings.Join(strings.SplitN(call, " ", 3)[:2], " ") + " "
		s.Calls[i] = head + compact(t, call[len(head):])
	}
	return s
}

// openAI is what a client reads of a completion or of a chunk.
type openAI struct {
	Choices []struct {
		Message, Delta openAIMessage
		FinishReason   string `json:"finish_reason"`
	}
	Usage *struct {
		Prompt  float64 `json:"prompt_tokens"`
		Output  float64 `json:"completion_tokens"`
		Details struct {
			Cached  float64 `json:"cached_tokens"`
			Written float64 `json:"cache_write_tokens"`
		} `json:"prompt_tokens_details"`
	}
}

type openAIMessage struct {
	Content   string
	Reasoning string                             `json:"reasoning_content"`
	Thoughts  []struct{ Signature, Data string } `json:"thinking_blocks"`
	ToolCalls []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

// read puts together what a client is told by a completion, or by the chunks of one.
func read(t *testing.T, payloads []string) (s told) {
	t.Helper()
	for _, p := range payloads {
		var c openAI
		if err := json.Unmarshal([]byte(p), &c); err != nil {
			t.Fatalf("%v in %s", err, p)
		}
		if u := c.Usage; u != nil {
			s.Prompt, s.Cached, s.Written, s.Output = u.Prompt, u.Details.Cached, u.Details.Written, u.Output
		}
		for _, choice := range c.Choices {
			for _, m := range []openAIMessage{choice.Message, choice.Delta} {
				s.Text, s.Reasoning = s.Text+m.Content, s.Reasoning+m.Reasoning
				for _, b := range m.Thoughts {
					s.Opaque += b.Signature + b.Data
				}
				for _, call := range m.ToolCalls {
					if call.ID != "" {
						id, _, _ := strings.Cut(call.ID, "__thought__")
						s.Calls = append(s.Calls, id+" "+call.Function.Name+" ")
					}
					s.Calls[len(s.Calls)-1] += call.Function.Arguments
				}
			}
			s.Finish += choice.FinishReason
		}
	}
	for i, call := range s.Calls {
		head := strings.Join(strings.SplitN(call, " ", 3)[:2], " ") + " "
		s.Calls[i] = head + compact(t, call[len(head):])
	}
	return s
}

// Every recorded answer and stream says to OpenAI's client what it says to one of its own.
func TestRecordings(t *testing.T) {
	t.Parallel()
	recorded.Chats(t, "bedrock", 31, func(t *testing.T, r recorded.Interaction) {
		t.Parallel()
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
	})
}
