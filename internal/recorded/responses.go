package recorded

import (
	"path/filepath"
	"testing"
)

// Responses runs test for every recorded call of the Responses API, of whatever provider.
func Responses(t *testing.T, least int, test func(t *testing.T, r Interaction)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(beside(t), "*", "responses.*.json"))
	if err != nil || len(files) < least {
		t.Fatalf("found only %d recordings, not %d: %v", len(files), least, err)
	}
	for _, file := range files {
		r := load(t, file)
		t.Run(r.Name, func(t *testing.T) { test(t, r) })
	}
}

type responsesItem struct {
	Type, Name, Arguments string
	Call                  string `json:"call_id"`
	Encrypted             string `json:"encrypted_content"`
	Content, Summary      []struct{ Type, Text string }
}

type responsesBody struct {
	Status  string
	Details struct{ Reason string } `json:"incomplete_details"`
	Output  []responsesItem
	Usage   struct {
		In struct {
			Cached  float64 `json:"cached_tokens"`
			Written float64 `json:"cache_write_tokens"`
		} `json:"input_tokens_details"`
		Out struct {
			Reasoning float64 `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
		Prompt     float64 `json:"input_tokens"`
		Completion float64 `json:"output_tokens"`
	}
}

// ReadResponses is an independent reading of what the Responses API answered: of a stream what its deltas say, and its last event.
func ReadResponses(t *testing.T, r Interaction) (s Told) {
	t.Helper()
	var whole responsesBody
	if !r.Stream {
		unmarshal(t, []byte(EventsOf(t, r)[0]), &whole)
		for _, i := range whole.Output {
			s.item(i)
		}
	}
	for _, p := range EventsOf(t, r) {
		if !r.Stream {
			break
		}
		var e struct {
			Type, Delta string
			Item        responsesItem
			Response    responsesBody
		}
		unmarshal(t, []byte(p), &e)
		switch e.Type {
		case "response.output_text.delta":
			s.Text += e.Delta
		case "response.reasoning_text.delta", "response.reasoning_summary_text.delta":
			s.Reasoning += e.Delta
		case "response.output_item.added":
			if e.Item.Type == "function_call" {
				s.call(e.Item.Call, e.Item.Name, "")
			}
		case "response.function_call_arguments.delta":
			s.argue(e.Delta)
		case "response.output_item.done":
			s.Opaque += e.Item.Encrypted
		case "response.completed", "response.incomplete":
			whole = e.Response
		}
	}
	switch {
	case whole.Details.Reason == "max_output_tokens":
		s.Finish = "length"
	case len(s.Calls) > 0:
		s.Finish = "tool_calls"
	default:
		s.Finish = "stop"
	}
	u := whole.Usage
	s.Prompt, s.Output, s.Cached, s.Written, s.Thoughts = u.Prompt, u.Completion, u.In.Cached, u.In.Written, u.Out.Reasoning
	s.done(t)
	return s
}

// item is what a whole item says.
func (s *Told) item(i responsesItem) {
	for _, part := range append(i.Content, i.Summary...) {
		if i.Type == "reasoning" {
			s.Reasoning += part.Text
		} else {
			s.Text += part.Text
		}
	}
	s.Opaque += i.Encrypted
	if i.Type == "function_call" {
		s.call(i.Call, i.Name, "")
		s.argue(i.Arguments)
	}
}
