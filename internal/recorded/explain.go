package recorded

import (
	"regexp"
	"slices"
	"strings"
)

// edit is an edit that may be made. Both sides are regular expressions of the JSON at that place: empty, if it was added
// or removed.
type edit struct {
	kind, path, was, is string
}

const (
	anything = `(?s:.*)`
	nothing  = ``
	empty    = `|null|""` // or nothing
	text     = `"(?s:.+)"`
)

// edits is the closed list of what may be done to an answer of the same dialect.
func edits() []edit {
	const choice, message = "/choices/*", "/choices/*/message"
	const call = message + "/tool_calls/*"
	return []edit{
		{"id", "/id", anything, text},
		{"created", "/created", anything, `[1-9]\d*`},
		{"model", "/model", anything, text},
		{"object", "/object", anything, `"(chat\.completion(\.chunk)?|text_completion)"`},
		{"choices", "/choices", anything, `\[\]`},
		{"service_tier", "/service_tier", `""|"(?s:.*)"`, nothing},
		{"error_null", "/error", "null", nothing},
		{"index", choice + "/index", anything, `\d+`},
		{"finish_reason", choice + "/finish_reason", empty, "null"},
		{"finish_tools", choice + "/finish_reason", `|null|"(stop)?"`, `"tool_calls"`},
		{"finish_reason", choice + "/finish_reason", text, `"(stop|length|tool_calls|content_filter)"`},
		{"delta", message, `|null`, `\{("role":"assistant")?\}`},
		{"role", message + "/role", empty, `"assistant"`},
		{"role", message + "/role", anything, nothing},
		{"content_parts", message + "/content", `\[(?s:.*)\]`, `"(?s:.*)"`},
		{"tool_calls_empty", message + "/tool_calls", `\[\s*\]`, nothing},
		{"tool_index", call + "/index", anything, `\d+`},
		{"tool_id", call + "/id", empty, text},
		{"tool_repeat", call + "/id", anything, nothing},
		{"tool_type", call + "/type", empty, `"(function|custom)"`},
		{"tool_repeat", call + "/type", anything, nothing},
		{"tool_repeat", call + "/function/name", anything, nothing},
		{"arguments", call + "/function/arguments", `|null`, `""`},
		{"arguments", call + "/function/arguments", `\{(?s:.*)\}|\[(?s:.*)\]`, text},
	}
}

// explained finds the rule that a difference follows, one of all between two bodies. The kind is "" where the rule is not
// a repair.
func (d difference) explained(message string, asked Usage, all []difference) (kind string, ok bool) {
	path := d.pattern(message)
	switch {
	case path == "/usage" && d.is == "" && asked == Weir:
		return "", true
	case path == "/usage" && d.is == "" && d.was != "null":
		return "usage", true
	case path == "/choices/*/message/reasoning_content" && d.was == "":
		beside := strings.TrimSuffix(d.path, "reasoning_content") + "content"
		return "", slices.ContainsFunc(all, func(o difference) bool { return o.path == beside && strings.HasPrefix(o.was, "[") })
	}
	for _, e := range edits() {
		if e.path == path && fits(e.was, d.was) && fits(e.is, d.is) {
			return e.kind, true
		}
	}
	return "", false
}

// fits reports whether the JSON at a place, "" without any, matches one side of an edit.
func fits(rule, raw string) bool { return regexp.MustCompile(`^(?:` + rule + `)$`).MatchString(raw) }
