package anthropic_test

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

// wire is what an independent reading takes of an answer or of an event.
type wire struct {
	Type       string
	Content    []wireBlock
	StopReason string `json:"stop_reason"`
	Usage      map[string]any

	Message *wire
	Index   int
	Block   wireBlock `json:"content_block"`
	Delta   struct {
		wireBlock
		StopReason string `json:"stop_reason"`
		Partial    string `json:"partial_json"`
	}
}

type wireBlock struct {
	Type, Text, Thinking, Signature, ID, Name string
	Input                                     json.RawMessage
}

// told is what a caller is told.
type told struct {
	Text, Reasoning, Finish string
	Calls                   []string // id, name and arguments as compact JSON
	Prompt, Cached, Output  float64
	Signatures              string
}

func (s *told) block(t *testing.T, b wireBlock) {
	switch b.Type {
	case "text":
		s.Text += b.Text
	case "thinking":
		s.Reasoning += b.Thinking
		s.Signatures += b.Signature
	case "tool_use":
		s.Calls = append(s.Calls, b.ID+" "+b.Name+" "+compact(t, string(b.Input)))
	}
}

func (s *told) usage(u map[string]any) {
	n := func(name string) float64 { f, _ := u[name].(float64); return f }
	s.Prompt = n("input_tokens") + n("cache_creation_input_tokens") + n("cache_read_input_tokens")
	s.Cached, s.Output = n("cache_read_input_tokens"), n("output_tokens")
}

func (s *told) finish(reason string) {
	s.Finish = map[string]string{"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "tool_use": "tool_calls"}[reason]
}

func compact(t *testing.T, text string) string {
	t.Helper()
	if text == "" {
		text = "{}"
	}
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(text)); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return out.String()
}

// expected is the independent reading of a recording.
func expected(t *testing.T, r recorded.Interaction) told {
	t.Helper()
	var s told
	if !r.Stream {
		var w wire
		if err := json.Unmarshal(r.Response.Body.Bytes(), &w); err != nil {
			t.Fatal(err)
		}
		for _, b := range w.Content {
			s.block(t, b)
		}
		s.finish(w.StopReason)
		s.usage(w.Usage)
		return s
	}
	blocks, usage := map[int]*wireBlock{}, map[string]any{}
	for line := range strings.Lines(string(r.Response.Body.Bytes())) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data:")
		if !ok {
			continue
		}
		var w wire
		if err := json.Unmarshal([]byte(data), &w); err != nil {
			t.Fatal(err)
		}
		switch w.Type {
		case "message_start":
			w.Usage = w.Message.Usage
		case "content_block_start":
			w.Block.Input = nil
			blocks[w.Index] = &w.Block
		case "content_block_delta":
			b := blocks[w.Index]
			b.Text, b.Thinking, b.Signature = b.Text+w.Delta.Text, b.Thinking+w.Delta.Thinking, b.Signature+w.Delta.Signature
			b.Input = append(b.Input, w.Delta.Partial...)
		case "content_block_stop":
			s.block(t, *blocks[w.Index])
		case "message_delta":
			s.finish(w.Delta.StopReason)
		}
		for name, n := range w.Usage {
			usage[name] = n
		}
	}
	s.usage(usage)
	return s
}

// openAI is what a client reads of a completion or of a chunk.
type openAI struct {
	Object  string
	Choices []struct {
		Message, Delta openAIMessage
		FinishReason   string `json:"finish_reason"`
	}
	Usage *struct {
		Prompt  float64 `json:"prompt_tokens"`
		Output  float64 `json:"completion_tokens"`
		Details struct {
			Cached float64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	}
}

type openAIMessage struct {
	Content   string
	Reasoning string                       `json:"reasoning_content"`
	Thoughts  []struct{ Signature string } `json:"thinking_blocks"`
	ToolCalls []struct {
		Index    int
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

// read puts together what a client is told by a completion, or by the chunks of one.
func read(t *testing.T, payloads []string) told {
	t.Helper()
	var s told
	var heads, args []string
	for _, p := range payloads {
		var c openAI
		if err := json.Unmarshal([]byte(p), &c); err != nil {
			t.Fatalf("%v in %s", err, p)
		}
		if u := c.Usage; u != nil {
			s.Prompt, s.Cached, s.Output = u.Prompt, u.Details.Cached, u.Output
		}
		for _, choice := range c.Choices {
			for _, m := range []openAIMessage{choice.Message, choice.Delta} {
				s.Text += m.Content
				s.Reasoning += m.Reasoning
				for _, b := range m.Thoughts {
					s.Signatures += b.Signature
				}
				for _, call := range m.ToolCalls {
					if call.ID != "" {
						id, _, _ := strings.Cut(call.ID, "__thought__")
						heads, args = append(heads, id+" "+call.Function.Name+" "), append(args, "")
					}
					args[len(args)-1] += call.Function.Arguments
				}
			}
			s.Finish += choice.FinishReason
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
	recorded.Messages(t, func(t *testing.T, r recorded.Interaction) {
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
