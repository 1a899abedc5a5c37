package table

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

// Efforts of Anthropic's API become words that servers of OpenAI's know. What callers say in these words already stays.
func TestEffortsOfOtherDialects(t *testing.T) {
	t.Parallel()
	knows := &llm.Takes{Efforts: []string{"none", "xhigh"}}
	for _, tt := range []struct {
		effort string
		graded bool
		takes  *llm.Takes
		want   string
		left   string
	}{
		{"medium", true, nil, "medium", ""},
		{"max", true, nil, "high", "reasoning_effort"},
		{"xhigh", true, nil, "high", "reasoning_effort"},
		{"xhigh", true, knows, "xhigh", ""},
		{"minimal", true, nil, "low", "reasoning_effort"},
		{"none", true, nil, "", "reasoning_effort"},
		{"none", true, knows, "none", ""},
		{"none", false, nil, "none", ""},
		{"minimal", false, nil, "minimal", ""},
	} {
		r := &llm.Request{Model: "m", Effort: tt.effort, Graded: tt.graded, Takes: tt.takes, Messages: []llm.Message{{Parts: []llm.Part{{Text: llm.JSON(`"hi"`)}}}}}
		body, left, err := Codec(llm.OpenAI).Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		if has := strings.Contains(string(body), `"reasoning_effort":"`+tt.want+`"`); has != (tt.want != "") || strings.Join(left, " ") != tt.left {
			t.Errorf("%+v: %s, left %v", tt, body, left)
		}
	}
}
