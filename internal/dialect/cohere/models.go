package cohere

import (
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// model is what a family of models takes.
type model struct {
	prefix string
	thinks bool
	free   bool // takes no tool_choice
}

// models is the table; the first row whose prefix fits counts. Sources: the vendor's documentation and recorded traffic
// of August 2025 to November 2026. Models that have no row are newer, or a caller's own.
var models = []model{
	{prefix: "command-a-03"},
	{prefix: "command-a-translate"},
	{prefix: "command-a-vision"},
	{prefix: "command-r7b"},
	{prefix: "command-a", thinks: true},
	{prefix: "command", free: true},
	{prefix: "c4ai", free: true},
	{prefix: "", thinks: true},
}

// modelOf is the row of the model of a request, as the config has it.
func modelOf(r *llm.Request) model {
	for _, m := range models {
		if strings.HasPrefix(r.Model, m.prefix) {
			m.thinks = r.Takes.Reasons(m.thinks)
			m.free = !r.Takes.Can(llm.TakesChoice, !m.free)
			return m
		}
	}
	return model{} // the last row fits all
}
