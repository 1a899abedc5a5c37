package recorded

import (
	"encoding/json"
	"fmt"
	"testing"
)

// EventsOf are the events of a recorded stream, or the one body of another answer.
func EventsOf(t *testing.T, r Interaction) (payloads []string) {
	t.Helper()
	if !r.Stream {
		return []string{string(r.Response.Body.Bytes())}
	}
	for _, e := range r.Response.Body.Events {
		payloads = append(payloads, e.Payload)
	}
	if payloads == nil {
		payloads, _ = Payloads(t, r.Response.Body.Bytes())
	}
	return payloads
}

type messagesBlock struct {
	Type, Text, Thinking, Signature, Data, ID, Name string
	Input                                           json.RawMessage
	Partial                                         string `json:"partial_json"`
}

// messagesEvent is an answer of the Messages API, or an event of one.
type messagesEvent struct {
	Type    string
	Content []messagesBlock
	Message *messagesEvent
	Index   int
	Block   messagesBlock `json:"content_block"`
	Delta   struct {
		messagesBlock
		Reason string `json:"stop_reason"`
	}
	Reason string `json:"stop_reason"`
	Usage  map[string]json.RawMessage
}

// ReadMessages is an independent reading of what Anthropic's Messages API answered.
func ReadMessages(t *testing.T, r Interaction) (s Told) {
	t.Helper()
	usage, calls := map[string]json.RawMessage{}, map[int]bool{} // by the indexes of their blocks
	for _, p := range EventsOf(t, r) {
		var e messagesEvent
		unmarshal(t, []byte(p), &e)
		if e.Message != nil {
			e.Usage = e.Message.Usage
		}
		for name, n := range e.Usage {
			usage[name] = n
		}
		for _, b := range append(e.Content, e.Block, e.Delta.messagesBlock) {
			s.Text, s.Reasoning, s.Opaque = s.Text+b.Text, s.Reasoning+b.Thinking, s.Opaque+b.Signature+b.Data
			if b.Type == "tool_use" {
				calls[e.Index] = true
				s.call(b.ID, b.Name, "")
				if e.Type == "message" {
					s.argue(string(b.Input))
				}
			}
			if b.Partial != "" && calls[e.Index] {
				s.argue(b.Partial)
			}
		}
		s.Finish += map[string]string{"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "tool_use": "tool_calls"}[e.Reason+e.Delta.Reason]
	}
	n := func(name string) (f float64) {
		_ = json.Unmarshal(usage[name], &f) // what is no number counts nothing
		return f
	}
	s.Cached, s.Written, s.Output = n("cache_read_input_tokens"), n("cache_creation_input_tokens"), n("output_tokens")
	s.Prompt = n("input_tokens") + s.Cached + s.Written
	var of struct {
		Thoughts float64 `json:"thinking_tokens"`
	}
	_ = json.Unmarshal(usage["output_tokens_details"], &of) // not all report it
	s.Thoughts = of.Thoughts
	s.done(t)
	return s
}

// ReadGemini is an independent reading of what Gemini answered.
func ReadGemini(t *testing.T, r Interaction) (s Told) {
	t.Helper()
	for _, p := range EventsOf(t, r) {
		var w geminiAnswer
		unmarshal(t, []byte(p), &w)
		if u := w.Usage; u.Prompt != nil {
			s.Prompt, s.Cached, s.Thoughts, s.Output = *u.Prompt+u.Tools, u.Cached, u.Thoughts, u.Candidates+u.Thoughts
			if u.Total != s.Prompt+s.Output {
				t.Errorf("the total is %v, not %v", u.Total, s.Prompt+s.Output)
			}
		}
		for _, c := range w.Candidates {
			for _, p := range c.Content.Parts {
				s.geminiPart(w.ID, p)
			}
			for _, support := range c.Grounds.Supports {
				for _, i := range support.Chunks {
					web := c.Grounds.Chunks[i].Web
					s.Cited = append(s.Cited, support.Segment.Text+" "+web.URI+" "+web.Title)
				}
			}
			if reason := string(c.Reason); reason == `"STOP"` || reason == "1" {
				s.Finish = "stop"
			}
		}
	}
	if s.Finish == "stop" && len(s.Calls) > 0 {
		s.Finish = "tool_calls"
	}
	s.done(t)
	return s
}

// geminiAnswer is an answer of generateContent, or a piece of one.
type geminiAnswer struct {
	Candidates []struct {
		Content struct{ Parts []geminiPart }
		Reason  json.RawMessage `json:"finishReason"`
		Grounds struct {
			Chunks []struct {
				Web struct{ URI, Title string }
			} `json:"groundingChunks"`
			Supports []struct {
				Segment struct{ Text string }
				Chunks  []int `json:"groundingChunkIndices"`
			} `json:"groundingSupports"`
		} `json:"groundingMetadata"`
	}
	ID    string `json:"responseId"`
	Usage struct {
		Prompt     *float64 `json:"promptTokenCount"`
		Tools      float64  `json:"toolUsePromptTokenCount"`
		Cached     float64  `json:"cachedContentTokenCount"`
		Thoughts   float64  `json:"thoughtsTokenCount"`
		Candidates float64  `json:"candidatesTokenCount"`
		Total      float64  `json:"totalTokenCount"`
	} `json:"usageMetadata"`
}

type geminiPart struct {
	Text      string
	Thought   bool
	Signature string `json:"thoughtSignature"`
	Call      *struct {
		ID, Name string
		Args     json.RawMessage
	} `json:"functionCall"`
}

func (s *Told) geminiPart(answer string, p geminiPart) {
	switch {
	case p.Call != nil:
		if p.Call.ID == "" {
			p.Call.ID = fmt.Sprintf("call_%s_%d", answer, len(s.Calls))
		}
		s.call(p.Call.ID, p.Call.Name, p.Signature)
		s.argue(string(p.Call.Args))
	case p.Thought:
		s.Reasoning += p.Text
	default:
		s.Text, s.Opaque = s.Text+p.Text, s.Opaque+p.Signature
	}
}

// converseEvent is an answer of Converse, or an event of one.
type converseEvent struct {
	Output struct {
		Message struct{ Content []converseBlock }
	}
	Reason string `json:"stopReason"`
	Usage  struct {
		InputTokens, OutputTokens, CacheReadInputTokens, CacheWriteInputTokens float64
	}
	Index int `json:"contentBlockIndex"`
	Start converseBlock
	Delta struct {
		Text    string
		ToolUse *struct{ Input string }

		ReasoningContent struct{ Text, Signature, RedactedContent string }
	}
}

type converseBlock struct {
	Text    string
	ToolUse *struct {
		ToolUseID  string `json:"toolUseId"`
		Name, Type string
		Input      json.RawMessage
	}
	ReasoningContent struct {
		ReasoningText   struct{ Text, Signature string }
		RedactedContent string
	}
}

// ReadConverse is an independent reading of what Amazon's Converse answered.
func ReadConverse(t *testing.T, r Interaction) (s Told) {
	t.Helper()
	calls := map[int]bool{} // by the indexes of their blocks
	for _, p := range EventsOf(t, r) {
		var e converseEvent
		if p == "" {
			continue
		}
		unmarshal(t, []byte(p), &e)
		for _, b := range append(e.Output.Message.Content, e.Start) {
			s.Text += b.Text
			s.Reasoning += b.ReasoningContent.ReasoningText.Text
			s.Opaque += b.ReasoningContent.ReasoningText.Signature + b.ReasoningContent.RedactedContent
			if b.ToolUse != nil && b.ToolUse.Type != "server_tool_use" {
				calls[e.Index] = true
				s.call(b.ToolUse.ToolUseID, b.ToolUse.Name, "")
				s.argue(string(b.ToolUse.Input))
			}
		}
		d := e.Delta
		s.Text, s.Reasoning = s.Text+d.Text, s.Reasoning+d.ReasoningContent.Text
		s.Opaque += d.ReasoningContent.Signature + d.ReasoningContent.RedactedContent
		if d.ToolUse != nil && calls[e.Index] {
			s.argue(d.ToolUse.Input)
		}
		s.Finish += map[string]string{
			"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "tool_use": "tool_calls", "guardrail_intervened": "content_filter",
		}[e.Reason]
		u := e.Usage
		s.Prompt += u.InputTokens + u.CacheReadInputTokens + u.CacheWriteInputTokens
		s.Cached, s.Written, s.Output = s.Cached+u.CacheReadInputTokens, s.Written+u.CacheWriteInputTokens, s.Output+u.OutputTokens
	}
	s.done(t)
	return s
}

type cohereCall struct {
	ID       string
	Function struct{ Name, Arguments string }
}

type cohereContent struct{ Text, Thinking string }

// cohereEnd is what an answer of Cohere's ends with.
type cohereEnd struct {
	Reason string `json:"finish_reason"`
	Usage  struct {
		Tokens struct {
			In  float64 `json:"input_tokens"`
			Out float64 `json:"output_tokens"`
		}
		Cached float64 `json:"cached_tokens"`
	}
}

func (s *Told) cohere(end cohereEnd) {
	s.Finish = map[string]string{"COMPLETE": "stop", "MAX_TOKENS": "length", "TOOL_CALL": "tool_calls"}[end.Reason]
	s.Prompt, s.Cached, s.Output = end.Usage.Tokens.In, end.Usage.Cached, end.Usage.Tokens.Out
}

// ReadCohere is an independent reading of what Cohere answered.
func ReadCohere(t *testing.T, r Interaction) (s Told) {
	t.Helper()
	for _, p := range EventsOf(t, r) {
		if r.Stream {
			s.cohereEvent(t, p)
			continue
		}
		var w struct {
			cohereEnd
			Message struct {
				Content []cohereContent
				Plan    string       `json:"tool_plan"`
				Calls   []cohereCall `json:"tool_calls"`
			}
		}
		unmarshal(t, []byte(p), &w)
		s.Reasoning = w.Message.Plan
		for _, c := range w.Message.Content {
			s.Text, s.Reasoning = s.Text+c.Text, s.Reasoning+c.Thinking
		}
		for _, c := range w.Message.Calls {
			s.call(c.ID, c.Function.Name, "")
			s.argue(c.Function.Arguments)
		}
		s.cohere(w.cohereEnd)
	}
	s.done(t)
	return s
}

func (s *Told) cohereEvent(t *testing.T, p string) {
	t.Helper()
	var w struct {
		Type  string
		Delta struct {
			cohereEnd
			Message struct {
				Content json.RawMessage
				Tools   json.RawMessage `json:"tool_calls"`
				Plan    string          `json:"tool_plan"`
			}
		}
	}
	unmarshal(t, []byte(p), &w)
	switch w.Type {
	case "content-delta":
		var c cohereContent
		unmarshal(t, w.Delta.Message.Content, &c)
		s.Text, s.Reasoning = s.Text+c.Text, s.Reasoning+c.Thinking
	case "tool-plan-delta":
		s.Reasoning += w.Delta.Message.Plan
	case "tool-call-start", "tool-call-delta":
		var c cohereCall
		unmarshal(t, w.Delta.Message.Tools, &c)
		if w.Type == "tool-call-start" {
			s.call(c.ID, c.Function.Name, "")
		}
		s.argue(c.Function.Arguments)
	case "message-end":
		s.cohere(w.Delta.cohereEnd)
	}
}
