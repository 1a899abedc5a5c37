package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// chatRequest is what the simulated provider reads of a chat call; the rest has no effect on it.
type chatRequest struct {
	Messages            []chatMessage   `json:"messages"`
	Stream              *bool           `json:"stream"`
	StreamOptions       *streamOptions  `json:"stream_options"`
	N                   *int            `json:"n"`
	MaxTokens           *int            `json:"max_tokens"`
	MaxCompletionTokens *int            `json:"max_completion_tokens"`
	Stop                stringList      `json:"stop"`
	Tools               []chatTool      `json:"tools"`
	ToolChoice          toolChoice      `json:"tool_choice"`
	ParallelToolCalls   *bool           `json:"parallel_tool_calls"`
	ResponseFormat      *responseFormat `json:"response_format"`
	ReasoningEffort     string          `json:"reasoning_effort"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type chatMessage struct {
	Role      string          `json:"role"`
	Content   messageContent  `json:"content"`
	ToolCalls []chatToolCall  `json:"tool_calls"`
	Refusal   json.RawMessage `json:"refusal"`
}

// messageContent is the text of a message, and the number of its parts that are not text.
type messageContent struct {
	set    bool
	text   string
	images int
	other  int
}

// UnmarshalJSON implements json.Unmarshaler: a string, a list of parts, or null.
func (m *messageContent) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		return nil
	case b[0] == '"':
		m.set = true
		return json.Unmarshal(b, &m.text)
	case b[0] != '[':
		return bad("messages.content", "invalid_type", "Invalid type for 'messages.content': expected one of a string or array of objects, but got %s instead.", article(kindOf(b)))
	}
	m.set = true
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	for _, part := range parts {
		switch part.Type {
		case "text", "refusal":
			m.text += part.Text
		case "image_url":
			m.images++
		default:
			m.other++
		}
	}
	return nil
}

type chatTool struct {
	Type     string `json:"type"`
	Function struct {
		Name       string          `json:"name"`
		Parameters json.RawMessage `json:"parameters"`
	} `json:"function"`
	Custom struct {
		Name string `json:"name"`
	} `json:"custom"`
}

// name is the tool's own, whichever type it is of.
func (t *chatTool) name() string {
	if t.Type == "custom" {
		return t.Custom.Name
	}
	return t.Function.Name
}

type chatToolCall struct {
	ID       string        `json:"id"`
	Type     string        `json:"type"`
	Function *functionCall `json:"function,omitempty"`
	Custom   *customCall   `json:"custom,omitempty"`
}

type functionCall struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type customCall struct {
	Name  string `json:"name"`
	Input string `json:"input"`
}

// toolChoice is a mode, or the name of the one tool to call.
type toolChoice struct{ mode, name string }

// UnmarshalJSON implements json.Unmarshaler.
func (t *toolChoice) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &t.mode)
	}
	var named struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
		Custom struct {
			Name string `json:"name"`
		} `json:"custom"`
	}
	if err := json.Unmarshal(b, &named); err != nil {
		return err
	}
	t.name = named.Function.Name + named.Custom.Name
	return nil
}

type responseFormat struct {
	Type       string `json:"type"`
	JSONSchema struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

// stringList is a string or a list of them.
type stringList []string

// UnmarshalJSON implements json.Unmarshaler.
func (s *stringList) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		*s = stringList{""}
		return json.Unmarshal(b, &(*s)[0])
	}
	return json.Unmarshal(b, (*[]string)(s))
}

var chatRoles = []string{"system", "developer", "user", "assistant", "tool", "function"}

// check refuses what OpenAI refuses.
func (r *chatRequest) check() error {
	if err := checkStream(r.Stream, r.StreamOptions); err != nil {
		return err
	}
	switch {
	case r.Messages == nil:
		return bad("messages", "missing_required_parameter", "Missing required parameter: 'messages'.")
	case len(r.Messages) == 0:
		return bad("messages", "empty_array", "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.")
	case r.MaxTokens != nil && r.MaxCompletionTokens != nil:
		return bad("max_tokens", "invalid_parameter_combination", "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
	case r.ParallelToolCalls != nil && len(r.Tools) == 0:
		return bad("parallel_tool_calls", "", "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.")
	}
	for _, p := range []struct {
		name  string
		value *int
	}{{"n", r.N}, {"max_tokens", r.MaxTokens}, {"max_completion_tokens", r.MaxCompletionTokens}} {
		if err := checkMin(p.name, p.value, 1); err != nil {
			return err
		}
	}
	if r.N != nil && *r.N > 128 {
		return bad("n", "integer_above_max_value", "Invalid 'n': integer above maximum value. Expected a value <= 128, but got %d instead.", *r.N)
	}
	if err := r.checkMessages(); err != nil {
		return err
	}
	return r.checkTools()
}

func (r *chatRequest) checkMessages() error {
	open := false // a tool message may come
	for i, m := range r.Messages {
		at := fmt.Sprintf("messages[%d].", i)
		switch {
		case m.Role == "":
			return bad(at+"role", "missing_required_parameter", "Missing required parameter: '%srole'.", at)
		case !slices.Contains(chatRoles, m.Role):
			return bad(at+"role", "invalid_value", "Invalid value: '%s'. Supported values are: '%s'.", m.Role, strings.Join(chatRoles, "', '"))
		case !m.Content.set && m.Role != "assistant" && m.Role != "function":
			return bad(at+"content", "invalid_type", "Invalid value for 'content': expected a string, got null.")
		case m.Role == "tool" && !open:
			return bad(at+"role", "", "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.")
		}
		open = len(m.ToolCalls) > 0 || m.Role == "tool"
	}
	return nil
}

func (r *chatRequest) checkTools() error {
	known := r.ToolChoice.name == ""
	for i := range r.Tools {
		if r.Tools[i].name() == "" {
			at := fmt.Sprintf("tools[%d].function.name", i)
			return bad(at, "missing_required_parameter", "Missing required parameter: '%s'.", at)
		}
		known = known || r.Tools[i].name() == r.ToolChoice.name
	}
	if !known {
		return bad("tool_choice", "", "Invalid value for 'tool_choice': no tool named '%s' was specified in the 'tools' parameter.", r.ToolChoice.name)
	}
	return nil
}

// checkMin refuses a number that is too small; one that is not given is fine.
func checkMin(name string, value *int, least int) error {
	if value == nil || *value >= least {
		return nil
	}
	return bad(name, "integer_below_min_value", "Invalid '%s': integer below minimum value. Expected a value >= %d, but got %d instead.", name, least, *value)
}

func checkStream(stream *bool, options *streamOptions) error {
	if options != nil && (stream == nil || !*stream) {
		return bad("stream_options", "", "The 'stream_options' parameter is only allowed when 'stream' is enabled.")
	}
	return nil
}

// limit is the most tokens that an answer may have, 0 for any number.
func (r *chatRequest) limit() int {
	for _, n := range []*int{r.MaxCompletionTokens, r.MaxTokens} {
		if n != nil {
			return *n
		}
	}
	return 0
}

// userText is the text of the last message of the user.
func (r *chatRequest) userText() string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == "user" {
			return m.Content.text
		}
	}
	return ""
}

// imageTokens is what an image counts, as a picture in low detail does at OpenAI.
const imageTokens = 85

// promptTokens counts the text, the tool calls and the images of all messages, and the tools as spelled.
func (r *chatRequest) promptTokens() int {
	n := 0
	for _, m := range r.Messages {
		n += count(m.Content.text) + imageTokens*(m.Content.images+m.Content.other)
		for _, t := range m.ToolCalls {
			if t.Function != nil {
				n += count(t.Function.Name) + count(t.Function.Arguments)
			}
		}
	}
	for i := range r.Tools {
		n += count(r.Tools[i].name()) + count(string(r.Tools[i].Function.Parameters))
	}
	return n
}

func (r *chatRequest) images() int {
	n := 0
	for _, m := range r.Messages {
		n += m.Content.images
	}
	return n
}

// jsonKind is how OpenAI's messages call the JSON that a Go type holds.
func jsonKind(k reflect.Kind) string {
	switch k {
	case reflect.Bool:
		return "a boolean"
	case reflect.Int, reflect.Int64, reflect.Float64:
		return "an integer"
	case reflect.Slice:
		return "an array"
	case reflect.String:
		return "a string"
	}
	return "an object"
}

// article puts the article before the name of a JSON type.
func article(kind string) string {
	switch {
	case kind == "bool":
		return "a boolean"
	case strings.HasPrefix(kind, "number"):
		return "a number"
	case kind == "null":
		return "null"
	case strings.HasPrefix(kind, "a"), strings.HasPrefix(kind, "o"):
		return "an " + kind
	}
	return "a " + kind
}

// kindOf names the type of a JSON value.
func kindOf(b []byte) string {
	b = bytes.TrimSpace(b)
	switch {
	case len(b) == 0 || b[0] == 'n':
		return "null"
	case b[0] == '{':
		return "object"
	case b[0] == '[':
		return "array"
	case b[0] == '"':
		return "string"
	case b[0] == 't' || b[0] == 'f':
		return "bool"
	}
	return "number"
}
