package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// messagesRequest is a call of the Messages API. What is not here the API does not know, and refuses.
type messagesRequest struct {
	Model         string          `json:"model"`
	MaxTokens     int             `json:"max_tokens"`
	System        messageBlocks   `json:"system"`
	Messages      []messagesTurn  `json:"messages"`
	Tools         []messagesTool  `json:"tools"`
	ToolChoice    messagesChoice  `json:"tool_choice"`
	StopSequences []string        `json:"stop_sequences"`
	Stream        bool            `json:"stream"`
	Temperature   *float64        `json:"temperature"`
	TopP          *float64        `json:"top_p"`
	TopK          *int            `json:"top_k"`
	Thinking      messagesThought `json:"thinking"`
	OutputConfig  messagesOutput  `json:"output_config"`
	Metadata      json.RawMessage `json:"metadata"`
	ServiceTier   string          `json:"service_tier"`
	CacheControl  json.RawMessage `json:"cache_control"`

	maker string // of the model, "" for Claude's
}

type (
	messagesTurn struct {
		Role    string        `json:"role"`
		Content messageBlocks `json:"content"`
	}
	messagesTool struct {
		Name         string          `json:"name"`
		Description  string          `json:"description"`
		InputSchema  json.RawMessage `json:"input_schema"`
		Strict       bool            `json:"strict"`
		CacheControl json.RawMessage `json:"cache_control"`
	}
	messagesChoice struct {
		Type   string `json:"type"`
		Name   string `json:"name"`
		Serial bool   `json:"disable_parallel_tool_use"`
	}
	messagesThought struct {
		Type    string `json:"type"`
		Budget  int    `json:"budget_tokens"`
		Display string `json:"display"`
	}
	messagesOutput struct {
		Effort string `json:"effort"`
		Format struct {
			Type   string          `json:"type"`
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	}
	messageBlock struct {
		Type         string          `json:"type"`
		Text         string          `json:"text"`
		Thinking     string          `json:"thinking"`
		Signature    string          `json:"signature"`
		Data         string          `json:"data"`
		ID           string          `json:"id"`
		Name         string          `json:"name"`
		Input        json.RawMessage `json:"input"`
		ToolUseID    string          `json:"tool_use_id"`
		Content      messageBlocks   `json:"content"`
		IsError      bool            `json:"is_error"`
		Source       json.RawMessage `json:"source"`
		Title        string          `json:"title"`
		CacheControl json.RawMessage `json:"cache_control"`
	}
)

// messageBlocks is a list of blocks, or a string in place of one text.
type messageBlocks []messageBlock

// UnmarshalJSON implements json.Unmarshaler.
func (m *messageBlocks) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*m = messageBlocks{{Type: "text", Text: text}}
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode((*[]messageBlock)(m))
}

var messagesID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// check refuses what the API refuses.
func (r *messagesRequest) check() error {
	thinks := r.Thinking.Type == "enabled"
	must := r.ToolChoice.Type == "any" || r.ToolChoice.Type == "tool"
	switch {
	case r.MaxTokens < 1:
		return fmt.Errorf("max_tokens: Field required")
	case len(r.Messages) == 0:
		return fmt.Errorf("messages: at least one message is required")
	case r.Temperature != nil && (*r.Temperature < 0 || *r.Temperature > 1):
		return fmt.Errorf("temperature: range: 0..1")
	case thinks && (r.Thinking.Budget < 1024 || r.Thinking.Budget >= r.MaxTokens):
		return fmt.Errorf("`max_tokens` must be greater than `thinking.budget_tokens`, which must be at least 1024")
	case thinks && r.Temperature != nil && *r.Temperature != 1:
		return fmt.Errorf("`temperature` may only be set to 1 when thinking is enabled")
	case (thinks || r.Thinking.Type == "adaptive") && must:
		return fmt.Errorf("`thinking` may not be enabled when tool_choice forces tool use")
	}
	for _, t := range r.Tools {
		if !bytes.Contains(t.InputSchema, []byte(`"type"`)) {
			return fmt.Errorf("tools: input_schema.type: Field required")
		}
	}
	for i := range r.Messages {
		if err := r.checkTurn(i); err != nil {
			return err
		}
	}
	return nil
}

func (r *messagesRequest) checkTurn(i int) error {
	turn := &r.Messages[i]
	if turn.Role != "user" && turn.Role != "assistant" || len(turn.Content) == 0 {
		return fmt.Errorf("messages.%d: a role of user or assistant and some content are required", i)
	}
	var calls []string
	for j, b := range turn.Content {
		at := fmt.Sprintf("messages.%d.content.%d", i, j)
		switch b.Type {
		case "text":
			if strings.TrimSpace(b.Text) == "" {
				return fmt.Errorf("%s: text content blocks must be non-empty", at)
			}
		case "tool_use":
			if !messagesID.MatchString(b.ID) || len(b.Input) == 0 || b.Input[0] != '{' || len(r.Tools) == 0 {
				return fmt.Errorf("%s: tool_use needs an id of letters and digits, an object as input, and tools", at)
			}
			calls = append(calls, b.ID)
		case "tool_result":
			if i == 0 || !r.Messages[i-1].calls(b.ToolUseID) {
				return fmt.Errorf("%s: unexpected `tool_use_id` found in `tool_result` blocks: %s", at, b.ToolUseID)
			}
		case "thinking":
			if b.Signature != r.sign(b.Thinking) {
				return fmt.Errorf("%s: Invalid `signature` in `thinking` block", at)
			}
		}
	}
	for _, id := range calls {
		if i+1 == len(r.Messages) || !r.Messages[i+1].answers(id) {
			return fmt.Errorf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s", i, id)
		}
	}
	if first := turn.Content[0].Type; len(calls) > 0 && i+2 == len(r.Messages) && r.Thinking.Type == "enabled" && first != "thinking" {
		return fmt.Errorf("messages.%d.content.0.type: Expected `thinking` or `redacted_thinking`, but found `%s`", i, first)
	}
	return nil
}

func (t *messagesTurn) calls(id string) bool {
	for _, b := range t.Content {
		if b.Type == "tool_use" && b.ID == id {
			return true
		}
	}
	return false
}

// answers reports whether the turn begins with results, that of the call with the id among them.
func (t *messagesTurn) answers(id string) bool {
	for _, b := range t.Content {
		if b.Type != "tool_result" {
			return false
		}
		if b.ToolUseID == id {
			return true
		}
	}
	return false
}
