package claude

import (
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

// Without a limit from the caller, an answer is no longer than the model can make it, if that is known.
func TestMaxOfPlans(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		model, effort   string
		asked, can, max int64
	}{
		{"claude-haiku-4-5", "", 0, 64000, DefaultMax},
		{"claude-haiku-4-5", "", 0, 0, DefaultMax},
		{"claude-haiku-4-5", "", 300, 64000, 300},
		{"claude-haiku-4-5", "", 70000, 64000, 70000}, // the API says so itself
		{"claude-3-5-sonnet-20241022", "", 0, 8192, 8192},
		{"claude-3-5-haiku-latest", "", 0, 0, oldMax},
		{"claude-opus-4-1", "xhigh", 0, 32000, 32000},
		{"claude-opus-4-5", "xhigh", 0, 64000, DefaultMax + 32768},
		{"claude-opus-4-8", "xhigh", 0, 128000, DefaultMax},
	} {
		r := &llm.Request{Effort: tt.effort, MaxToken: tt.asked, MaxOut: tt.can}
		if p := PlanOf(r, tt.model); p.Max != tt.max {
			t.Errorf("%+v: %d", tt, p.Max)
		}
	}
}
