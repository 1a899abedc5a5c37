package sim

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// claude is a model of Anthropic's, or of another maker whose host makes it behave like one.
type claude struct {
	*llm.Request
	maker string // maker of the model, "" for Claude's
}

// sign is the signature of a thought, which the model recognises.
func sign(thought string) string {
	sum := sha256.Sum256([]byte("simulated" + thought))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// sign signs a thought as the model's maker does: none can read another's.
func (m *claude) sign(thought string) string { return sign(m.maker + thought) }

// thinks reports whether the model is asked to think.
func (m *claude) thinks() bool { return m.Effort != "" && m.Effort != "none" }

// byBudget reports whether it gets a number of tokens to think with.
func (m *claude) byBudget() bool { return m.thinks() && m.Budget > 0 }

// answer is what the model says.
func (m *claude) answer(c *call) answered {
	s := speaker{
		call: c, asked: m.Request, thinks: m.thinks(), room: int(m.MaxToken - m.Budget), sign: m.sign,
		callID: func(n int, _ string) string { return c.id(fmt.Sprintf("toolu_%d", n)) },
	}
	out := s.answer()
	out.usage.Reasoning = 0 // most recorded answers do not separate it
	return out
}

var messagesID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// What structured output refuses of a schema, and what it insists on where there is an object.
var (
	bounds = regexp.MustCompile(`"(minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|minLength|maxLength|pattern|maxItems|uniqueItems)"\s*:`)
	closed = regexp.MustCompile(`"additionalProperties"\s*:\s*false`)
)

// check refuses what the API refuses.
func (m *claude) check() error {
	must := m.Choice.Kind == llm.ChoiceAny || m.Choice.Kind == llm.ChoiceTool
	warmth, warm := number(m.Request, "temperature")
	switch {
	case len(m.Messages) == 0:
		return fmt.Errorf("messages: at least one message is required")
	case warm && (warmth < 0 || warmth > 1):
		return fmt.Errorf("temperature: range: 0..1")
	case m.byBudget() && (m.Budget < 1024 || m.Budget >= m.MaxToken):
		return fmt.Errorf("`max_tokens` must be greater than `thinking.budget_tokens`, which must be at least 1024")
	case m.byBudget() && warm && warmth != 1:
		return fmt.Errorf("`temperature` may only be set to 1 when thinking is enabled")
	case bounds.Match(m.Format.Schema):
		return fmt.Errorf("output_config.format.schema: property %s is not supported", bounds.Find(m.Format.Schema))
	case bytes.Contains(m.Format.Schema, []byte(`"object"`)) && !closed.Match(m.Format.Schema):
		return fmt.Errorf("output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false")
	case m.thinks() && must:
		return fmt.Errorf("`thinking` may not be enabled when tool_choice forces tool use")
	}
	for i := range m.Tools {
		if m.Tools[i].Raw == nil && !bytes.Contains(m.Tools[i].Schema, []byte(`"type"`)) {
			return fmt.Errorf("tools: input_schema.type: Field required")
		}
	}
	for i := range m.Messages {
		if err := m.checkTurn(i); err != nil {
			return err
		}
	}
	return nil
}

func (m *claude) checkTurn(i int) error {
	turn := &m.Messages[i]
	if len(turn.Parts) == 0 {
		return fmt.Errorf("messages.%d: some content is required", i)
	}
	var calls []string
	for j := range turn.Parts {
		p := &turn.Parts[j]
		if wrong := m.checkPart(i, p); wrong != "" {
			return fmt.Errorf("messages.%d.content.%d: %s", i, j, wrong)
		}
		if p.Kind == llm.ToolCall {
			calls = append(calls, p.ID)
		}
	}
	for _, id := range calls {
		if i+1 == len(m.Messages) || !answers(&m.Messages[i+1], id) {
			return fmt.Errorf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s", i, id)
		}
	}
	if first := turn.Parts[0].Kind; len(calls) > 0 && i+2 == len(m.Messages) && m.byBudget() && first != llm.Reasoning {
		return fmt.Errorf("messages.%d.content.0.type: Expected `thinking` or `redacted_thinking`, but found another", i)
	}
	return nil
}

// checkPart is what the API says against a part of a turn, "" if nothing.
func (m *claude) checkPart(i int, p *llm.Part) string {
	switch p.Kind {
	case llm.Text:
		if strings.TrimSpace(p.Text.Text()) == "" {
			return "text content blocks must be non-empty"
		}
	case llm.ToolCall:
		if !messagesID.MatchString(p.ID) || p.Args.Kind() != '{' || len(m.Tools) == 0 {
			return "tool_use needs an id of letters and digits, an object as input, and tools"
		}
	case llm.Result:
		if i == 0 || !calls(&m.Messages[i-1], p.ID) {
			return "unexpected `tool_use_id` found in `tool_result` blocks: " + p.ID
		}
	case llm.Reasoning:
		if p.Opaque.Text() != m.sign(p.Text.Text()) {
			return "Invalid `signature` in `thinking` block"
		}
	}
	return ""
}

// calls reports whether a turn calls a tool by an id.
func calls(turn *llm.Message, id string) bool {
	for i := range turn.Parts {
		if p := &turn.Parts[i]; p.Kind == llm.ToolCall && p.ID == id {
			return true
		}
	}
	return false
}

// answers reports whether a turn begins with results, that of the call with the id among them.
func answers(turn *llm.Message, id string) bool {
	for i := range turn.Parts {
		p := &turn.Parts[i]
		if p.Kind != llm.Result {
			return false
		}
		if p.ID == id {
			return true
		}
	}
	return false
}
