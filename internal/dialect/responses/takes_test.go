package responses

import (
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

// What the config says that a model does not take is left out, and announced.
func TestWhatTheConfigSays(t *testing.T) {
	t.Parallel()
	r := &llm.Request{
		Model: "gpt-5-pro", Messages: []llm.Message{{Parts: []llm.Part{{Text: llm.Quote("hi")}}}}, Effort: "low", Choice: llm.Choice{Kind: llm.ChoiceAny},
		Tools: []llm.Tool{{Name: llm.Quote("f")}}, Format: llm.Format{Kind: llm.FormatSchema, Schema: llm.JSON(`{}`)},
		Takes: &llm.Takes{Reasoning: llm.ReasoningNone, Lacks: llm.TakesChoice | llm.TakesSchema},
	}
	body, left, err := Encode(r)
	if err != nil || strings.Contains(string(body), "tool_choice") || strings.Contains(string(body), "text") && strings.Contains(string(body), "format") ||
		strings.Contains(string(body), "reasoning") || !slices.Equal(left, []string{"tool_choice", "reasoning_effort", "response_format"}) {
		t.Errorf("%s, left out %q, %v", body, left, err)
	}
}
