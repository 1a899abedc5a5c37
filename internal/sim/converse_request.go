package sim

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// converseRequest is a call of the Converse API. What is not here the API does not know, and refuses.
type converseRequest struct {
	Messages         []converseTurn    `json:"messages"`
	System           []converseBlock   `json:"system"`
	InferenceConfig  converseInference `json:"inferenceConfig"`
	ToolConfig       *converseTools    `json:"toolConfig"`
	Additional       converseExtra     `json:"additionalModelRequestFields"`
	OutputConfig     *converseForm     `json:"outputConfig"`
	ServiceTier      json.RawMessage   `json:"serviceTier"`
	RequestMetadata  map[string]string `json:"requestMetadata"`
	GuardrailConfig  json.RawMessage   `json:"guardrailConfig"`
	PerformanceTuned json.RawMessage   `json:"performanceConfig"`
}

type (
	converseTurn struct {
		Role    string          `json:"role"`
		Content []converseBlock `json:"content"`
	}
	converseInference struct {
		MaxTokens     int      `json:"maxTokens"`
		Temperature   *float64 `json:"temperature"`
		TopP          *float64 `json:"topP"`
		StopSequences []string `json:"stopSequences"`
	}
	converseTools struct {
		Tools  []converseTool `json:"tools"`
		Choice converseChoice `json:"toolChoice"`
	}
	converseTool struct {
		Spec struct {
			Name        string `json:"name"`
			Description string `json:"description"`
			Strict      bool   `json:"strict"`
			InputSchema struct {
				JSON json.RawMessage `json:"json"`
			} `json:"inputSchema"`
		} `json:"toolSpec"`
		CachePoint *converseCache `json:"cachePoint"`
	}
	converseChoice struct {
		Auto *struct{} `json:"auto"`
		Any  *struct{} `json:"any"`
		Tool *struct {
			Name string `json:"name"`
		} `json:"tool"`
	}
	// converseForm is the form that the answer has to have. Its schema is a string of JSON.
	converseForm struct {
		Text struct {
			Type      string `json:"type"`
			Structure struct {
				JSONSchema struct {
					Schema      string `json:"schema"`
					Name        string `json:"name"`
					Description string `json:"description"`
				} `json:"jsonSchema"`
			} `json:"structure"`
		} `json:"textFormat"`
	}
	// converseExtra is what the models of several makers take beside.
	converseExtra struct {
		Thinking     claudeThinking  `json:"thinking"`
		OutputConfig json.RawMessage `json:"output_config"`
		TopK         *int            `json:"top_k"`
		ToolChoice   claudeChoice    `json:"tool_choice"`
		Effort       string          `json:"reasoning_effort"`
		Nova         json.RawMessage `json:"inferenceConfig"`
		NovaEffort   json.RawMessage `json:"reasoningConfig"`
		QwenEffort   string          `json:"reasoning_config"`
	}
	claudeThinking struct {
		Type    string `json:"type"`
		Budget  int    `json:"budget_tokens"`
		Display string `json:"display"`
	}
	claudeChoice struct {
		Type   string `json:"type"`
		Name   string `json:"name"`
		Serial bool   `json:"disable_parallel_tool_use"`
	}
	converseCache struct {
		Type string `json:"type"`
		TTL  string `json:"ttl"`
	}
	// converseBlock has one of its members.
	converseBlock struct {
		Text       *string            `json:"text,omitempty"`
		Image      json.RawMessage    `json:"image,omitempty"`
		Document   *converseDocument  `json:"document,omitempty"`
		ToolUse    *converseCall      `json:"toolUse,omitempty"`
		ToolResult *converseResult    `json:"toolResult,omitempty"`
		Reasoning  *converseReasoning `json:"reasoningContent,omitempty"`
		CachePoint *converseCache     `json:"cachePoint,omitempty"`
		JSON       json.RawMessage    `json:"json,omitempty"`
	}
	converseDocument struct {
		Format string          `json:"format"`
		Name   string          `json:"name"`
		Source json.RawMessage `json:"source"`
	}
	converseCall struct {
		ID    string          `json:"toolUseId"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input,omitempty"`
	}
	converseResult struct {
		ID      string          `json:"toolUseId"`
		Content []converseBlock `json:"content"`
		Status  string          `json:"status"`
	}
	converseReasoning struct {
		Text     *converseThought `json:"reasoningText,omitempty"`
		Redacted string           `json:"redactedContent,omitempty"`
	}
	converseThought struct {
		Text      string `json:"text"`
		Signature string `json:"signature"`
	}
)

// members is how many members of a block are set.
func (b *converseBlock) members() int {
	n := 0
	for _, set := range [...]bool{
		b.Text != nil, b.Image != nil, b.Document != nil, b.ToolUse != nil, b.ToolResult != nil, b.Reasoning != nil, b.CachePoint != nil, b.JSON != nil,
	} {
		if set {
			n++
		}
	}
	return n
}

var (
	converseID   = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	converseName = regexp.MustCompile(`^[a-zA-Z0-9()\[\]-]+( [a-zA-Z0-9()\[\]-]+)*$`)
)

// check is what the API itself says against the request, whatever the model; "" if nothing.
func (r *converseRequest) check() string {
	names := map[string]bool{}
	uses := false
	for i, turn := range r.Messages {
		switch want := [...]string{"user", "assistant"}[i%2]; {
		case i == 0 && turn.Role != want:
			return "A conversation must start with a user message. Try again with a conversation that starts with a user message."
		case turn.Role != want:
			return "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again."
		case len(turn.Content) == 0:
			return fmt.Sprintf("The content field in the Message object at messages.%d is empty. Add a ContentBlock object to the content field and try again.", i)
		}
		for j := range turn.Content {
			b := &turn.Content[j]
			if refusal := b.check(fmt.Sprintf("messages.%d.content.%d", i, j), names); refusal != "" {
				return refusal
			}
			uses = uses || b.ToolUse != nil || b.ToolResult != nil
		}
	}
	if f := r.OutputConfig; f != nil && (f.Text.Type != "json_schema" || !json.Valid([]byte(f.Text.Structure.JSONSchema.Schema))) {
		return "The textFormat field in outputConfig must be a JSON schema, and its schema a string of JSON."
	}
	if uses && (r.ToolConfig == nil || len(r.ToolConfig.Tools) == 0) {
		return "The toolConfig field must be defined when using toolUse and toolResult content blocks."
	}
	return ""
}

// check is what the API says against a block, "" if nothing. names are those of the documents so far.
func (b *converseBlock) check(at string, names map[string]bool) string {
	switch {
	case b.members() != 1:
		return fmt.Sprintf("ContentBlock object at %s must set one of the following keys: text, image, toolUse, toolResult, document, cachePoint, reasoningContent.", at)
	case b.Text != nil && strings.TrimSpace(*b.Text) == "":
		return fmt.Sprintf("The text field in the ContentBlock object at %s is blank. Add text to the text field, and try again.", at)
	case b.ToolUse != nil && !converseID.MatchString(b.ToolUse.ID), b.ToolResult != nil && !converseID.MatchString(b.ToolResult.ID):
		return fmt.Sprintf("Value at '%s.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+", at)
	case b.CachePoint != nil && b.CachePoint.Type != "default":
		return fmt.Sprintf("Value at '%s.cachePoint.type' failed to satisfy constraint: Member must satisfy enum value set: [default]", at)
	case b.Document != nil && (!converseName.MatchString(b.Document.Name) || names[b.Document.Name]):
		return fmt.Sprintf("The document file name at %s can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets, and only once.", at)
	case b.Document != nil:
		names[b.Document.Name] = true
	}
	return ""
}

// claude is the request as the model behind the API gets it.
func (r *converseRequest) claude() *claude {
	const unsaid = 64000
	m := &llm.Request{MaxToken: int64(cmp.Or(r.InferenceConfig.MaxTokens, unsaid)), Serial: r.Additional.ToolChoice.Serial}
	if t := r.InferenceConfig.Temperature; t != nil {
		m.Params = append(m.Params, llm.Param{Name: "temperature", Value: marshal(*t)})
	}
	switch x := &r.Additional; {
	case x.Effort != "" || x.QwenEffort != "" || x.NovaEffort != nil || x.Thinking.Type == "adaptive":
		m.Effort = "high"
	case x.Thinking.Type == "enabled":
		m.Effort, m.Budget = "high", int64(max(x.Thinking.Budget, 1)) // none is too little
	}
	if f := r.OutputConfig; f != nil {
		m.Format = llm.Format{Kind: llm.FormatSchema, Schema: llm.JSON(f.Text.Structure.JSONSchema.Schema)}
	}
	choice := r.Additional.ToolChoice
	if t := r.ToolConfig; t != nil {
		for _, tool := range t.Tools {
			if tool.CachePoint == nil {
				m.Tools = append(m.Tools, llm.Tool{Name: llm.Quote(tool.Spec.Name), Schema: llm.JSON(tool.Spec.InputSchema.JSON)})
			}
		}
		switch {
		case t.Choice.Any != nil:
			choice.Type = "any"
		case t.Choice.Tool != nil:
			choice.Type, choice.Name = "tool", t.Choice.Tool.Name
		}
	}
	kinds := map[string]llm.ChoiceKind{"auto": llm.ChoiceAuto, "any": llm.ChoiceAny, "tool": llm.ChoiceTool}
	m.Choice = llm.Choice{Kind: kinds[choice.Type], Name: llm.Quote(choice.Name)}
	for i, turn := range r.Messages {
		role := [...]llm.Role{llm.User, llm.Assistant}[i%2] // as check found
		m.Messages = append(m.Messages, llm.Message{Role: role, At: i, Parts: claudeParts(turn.Content)})
	}
	return &claude{Request: m}
}

func claudeParts(blocks []converseBlock) (list []llm.Part) {
	for _, b := range blocks {
		switch {
		case b.Text != nil:
			list = append(list, llm.Part{Kind: llm.Text, Text: llm.Quote(*b.Text)})
		case b.JSON != nil:
			list = append(list, llm.Part{Kind: llm.Text, Text: llm.Quote(string(b.JSON))})
		case b.ToolUse != nil:
			list = append(list, llm.Part{Kind: llm.ToolCall, ID: b.ToolUse.ID, Name: llm.Quote(b.ToolUse.Name), Args: llm.JSON(b.ToolUse.Input)})
		case b.ToolResult != nil:
			list = append(list, llm.Part{Kind: llm.Result, ID: b.ToolResult.ID, Parts: claudeParts(b.ToolResult.Content)})
		case b.Reasoning != nil && b.Reasoning.Text != nil:
			list = append(list, llm.Part{Kind: llm.Reasoning, Text: llm.Quote(b.Reasoning.Text.Text), Opaque: llm.Quote(b.Reasoning.Text.Signature)})
		case b.Reasoning != nil:
			list = append(list, llm.Part{Kind: llm.Redacted, Opaque: llm.Quote(b.Reasoning.Redacted)})
		case b.CachePoint == nil:
			list = append(list, llm.Part{Kind: llm.Image})
		}
	}
	return list
}
