package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// cohereRequest is a call of the Chat API. What is not here the API does not know, and refuses.
type cohereRequest struct {
	Model            string          `json:"model"`
	Stream           *bool           `json:"stream"`
	Messages         []cohereTurn    `json:"messages"`
	Tools            []cohereTool    `json:"tools"`
	ToolChoice       string          `json:"tool_choice"`
	StrictTools      bool            `json:"strict_tools"`
	Documents        json.RawMessage `json:"documents"`
	CitationOptions  json.RawMessage `json:"citation_options"`
	Format           cohereFormat    `json:"response_format"`
	SafetyMode       string          `json:"safety_mode"`
	MaxTokens        int             `json:"max_tokens"`
	StopSequences    []string        `json:"stop_sequences"`
	Temperature      *float64        `json:"temperature"`
	Seed             *int            `json:"seed"`
	FrequencyPenalty *float64        `json:"frequency_penalty"`
	PresencePenalty  *float64        `json:"presence_penalty"`
	K                *float64        `json:"k"`
	P                *float64        `json:"p"`
	Logprobs         bool            `json:"logprobs"`
	Thinking         cohereThinking  `json:"thinking"`
	Priority         *int            `json:"priority"`
}

type (
	cohereTurn struct {
		Role    string         `json:"role"`
		Content cohereContents `json:"content"`
		Plan    string         `json:"tool_plan"`
		Calls   []cohereCall   `json:"tool_calls"`
		CallID  string         `json:"tool_call_id"`
	}
	cohereContent struct {
		Type     string          `json:"type,omitempty"`
		Text     string          `json:"text,omitempty"`
		Thinking string          `json:"thinking,omitempty"`
		Image    json.RawMessage `json:"image_url,omitempty"`
		Document json.RawMessage `json:"document,omitempty"`
	}
	cohereCall struct {
		ID       string       `json:"id"`
		Type     string       `json:"type"`
		Function functionCall `json:"function"`
	}
	cohereTool struct {
		Type     string `json:"type"`
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	}
	cohereFormat struct {
		Type   string          `json:"type"`
		Schema json.RawMessage `json:"json_schema"`
	}
	cohereThinking struct {
		Type   string `json:"type"`
		Budget *int   `json:"token_budget"`
	}
)

// cohereContents is a list of contents, or a string in place of one text.
type cohereContents []cohereContent

// UnmarshalJSON implements json.Unmarshaler.
func (m *cohereContents) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*m = cohereContents{{Type: "text", Text: text}}
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode((*[]cohereContent)(m))
}

// text is what the message says.
func (t *cohereTurn) text() string {
	var text string
	for _, c := range t.Content {
		text += c.Text
	}
	return text
}

// check refuses what the API refuses.
func (r *cohereRequest) check() error {
	for _, n := range []struct {
		name        string
		value       *float64
		least, most float64
	}{
		{"temperature", r.Temperature, 0, 1e9},
		{"frequency_penalty", r.FrequencyPenalty, 0, 1},
		{"presence_penalty", r.PresencePenalty, 0, 1},
		{"k", r.K, 0, 500},
		{"p", r.P, 0.01, 0.99},
	} {
		if n.value != nil && (*n.value < n.least || *n.value > n.most) {
			return fmt.Errorf("%s must be between %g and %g inclusive", n.name, n.least, n.most)
		}
	}
	switch {
	case r.Stream == nil:
		return errors.New("stream is required")
	case len(r.Messages) == 0:
		return errors.New("messages must not be empty")
	case len(r.StopSequences) > 5:
		return errors.New("no more than 5 stop sequences are allowed")
	case r.ToolChoice != "" && r.ToolChoice != "REQUIRED" && r.ToolChoice != "NONE":
		return errors.New("tool_choice must be REQUIRED or NONE")
	case r.ToolChoice == "REQUIRED" && len(r.Tools) == 0:
		return errors.New("tool_choice is REQUIRED, but there are no tools")
	case r.Format.Type == "json_object" && (len(r.Tools) > 0 || r.Documents != nil):
		return errors.New("response_format is not supported with tools or documents")
	case r.Thinking.Budget != nil && (*r.Thinking.Budget < 1 || r.Thinking.Type != "enabled"):
		return errors.New("thinking.token_budget must be a positive integer")
	}
	for _, t := range r.Tools {
		if t.Type != "function" || t.Function.Name == "" || len(t.Function.Parameters) == 0 || t.Function.Parameters[0] != '{' {
			return errors.New("a tool must be a function with a name and parameters")
		}
	}
	for i := range r.Messages {
		if err := r.checkTurn(i); err != nil {
			return fmt.Errorf("messages[%d]: %w", i, err)
		}
	}
	return nil
}

// cohereTypes are the types of contents that each role may have.
var cohereTypes = map[string]map[string]bool{
	"system":    {"text": true},
	"user":      {"text": true, "image_url": true},
	"assistant": {"text": true, "thinking": true},
	"tool":      {"text": true, "document": true},
}

func (r *cohereRequest) checkTurn(i int) error {
	turn := &r.Messages[i]
	types := cohereTypes[turn.Role]
	switch {
	case types == nil:
		return fmt.Errorf("unknown role %q", turn.Role)
	case turn.Role == "system" && i > 0:
		return errors.New("system turn must be the first in the list")
	case len(turn.Content)+len(turn.Calls) == 0:
		return errors.New("message must not be empty in a turn")
	case turn.Role == "tool" && !r.called(i, turn.CallID):
		return fmt.Errorf("tool_call_id %q is not that of a call before", turn.CallID)
	}
	for _, c := range turn.Content {
		if !types[c.Type] {
			return fmt.Errorf("content of the type %q is not for the role %s", c.Type, turn.Role)
		}
	}
	for _, c := range turn.Calls {
		if turn.Role != "assistant" || c.ID == "" || c.Type != "function" || !json.Valid([]byte(c.Function.Arguments)) {
			return errors.New("a tool call needs an id, a function and arguments in JSON")
		}
	}
	return nil
}

// called reports whether a message before the one at i called a tool with that id.
func (r *cohereRequest) called(i int, id string) bool {
	for _, turn := range r.Messages[:i] {
		for _, c := range turn.Calls {
			if c.ID == id {
				return true
			}
		}
	}
	return false
}
