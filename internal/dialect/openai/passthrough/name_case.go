package passthrough

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// Names of members that Weir reads or changes. Some servers match names without regard to case, and take the last one that matches
// (Go's encoding/json, for one). For them MODEL is a second model, which no check has seen. So a name that differs from one of these
// only in case is refused.
var (
	bodyNames = []string{
		"model", "messages", "prompt", "input", "stream", "stream_options", "encoding_format", "tools", "functions", "response_format", "max_completion_tokens", "max_tokens", "n",
		"reasoning_effort", "prompt_cache_key", "safety_identifier", "user", openai.CacheControl,
	}
	optionNames = []string{"include_usage"}
	formatNames = []string{"type", "json_schema"}
	turnNames   = append([]string{"role", "content", "tool_calls", "tool_call_id"}, optional[:]...)
	pieceNames  = []string{"type", "id", "text", "image_url", "input_audio", "file", "function", "custom", openai.CacheControl, openai.ExtraContent}
)

// alike checks the name of the current member against those that Weir reads in such an object. All of them are lower-case ASCII, so a
// name that is that too is either one of them or another word.
func (p *parser) alike(names []string) {
	name := p.s.Name()
	if isLower(name) {
		return
	}
	i := slices.IndexFunc(names, func(known string) bool { return strings.EqualFold(known, string(name)) })
	if i >= 0 {
		p.wrong(llm.InvalidJSON, "", fmt.Sprintf("The body has a member %q, which some servers take for %q. Spell it %q, or leave it out.", name, names[i], names[i]))
	}
}

// isLower reports whether no character of the name has another case.
func isLower(name []byte) bool {
	for _, c := range name {
		if c >= 0x80 || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// checkFormat checks the names in response_format, whose value comes next.
func (p *parser) checkFormat(kind byte) jsonwalk.Span {
	if kind != '{' {
		return p.s.Skip()
	}
	start := p.s.Pos()
	for ok := p.s.EnterObject(); ok && p.s.NextMember(); {
		p.alike(formatNames)
		p.s.Skip()
	}
	return jsonwalk.Span{Start: start, End: p.s.Pos()}
}
