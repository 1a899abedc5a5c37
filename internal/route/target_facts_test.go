package route

import (
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

// What the config says takes the place of what is known, column by column; what it does not say stays.
func TestCorrect(t *testing.T) {
	t.Parallel()
	known := Facts{Lacks: llm.TakesImages | llm.TakesTools, Context: 1000, MaxInput: 900, MaxOutput: 100}
	for name, tt := range map[string]struct {
		takes *llm.Takes
		want  Facts
	}{
		"nothing":   {nil, known},
		"abilities": {&llm.Takes{Has: llm.TakesImages, Lacks: llm.TakesPrefill}, Facts{llm.TakesTools | llm.TakesPrefill, 1000, 900, 100, nil}},
		"context":   {&llm.Takes{Context: 7}, Facts{known.Lacks, 7, 900, 100, nil}},
		"input":     {&llm.Takes{MaxInput: 7}, Facts{known.Lacks, 1000, 7, 100, nil}},
		"output":    {&llm.Takes{MaxOutput: 7}, Facts{known.Lacks, 1000, 900, 7, nil}},
		// No other target is asked for the sake of a tool_choice.
		"tool choice": {&llm.Takes{Lacks: llm.TakesChoice}, known},
	} {
		got := known
		if got.Correct(tt.takes); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}
