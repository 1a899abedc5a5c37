package cohere

import "strings"

// model is what a family of models takes.
type model struct {
	prefix string
	thinks bool
	free   bool // cannot be told whether to call tools
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

// modelOf is the row of a model.
func modelOf(name string) model {
	for _, m := range models {
		if strings.HasPrefix(name, m.prefix) {
			return m
		}
	}
	return model{} // the last row fits all
}
