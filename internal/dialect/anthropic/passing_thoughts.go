package anthropic

import (
	"bytes"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// withoutThoughts appends the edits that leave out reasoning that the API refuses from messages. A message of nothing else goes, too.
func (e *editing) withoutThoughts(edits []jsonwalk.Edit, raw []byte, messages jsonwalk.Span) []jsonwalk.Edit {
	var outer jsonwalk.Cutter
	for message := range elements(raw, messages) {
		content := contentOf(raw, message)
		blocks, kept := false, false
		for block := range elements(raw, content) {
			blocks = true
			if kept = !e.goes(block.Of(raw)); kept {
				break
			}
		}
		if blocks && !kept {
			edits = outer.Cut(edits, message)
			continue
		}
		edits = outer.Keep(edits, message)
		var inner jsonwalk.Cutter
		for block := range elements(raw, content) {
			if e.goes(block.Of(raw)) {
				edits = inner.Cut(edits, block)
			} else {
				edits = inner.Keep(edits, block)
			}
		}
		edits = inner.End(edits)
	}
	return outer.End(edits)
}

// contentOf is where the content of a message is.
func contentOf(raw []byte, message jsonwalk.Span) (at jsonwalk.Span) {
	s := jsonwalk.NewScanner(message.Of(raw), jsonwalk.Options{})
	for ok := s.Kind() == '{' && s.EnterObject(); ok && s.NextMember(); {
		isContent := string(s.Name()) == "content"
		if span := s.Skip(); isContent {
			at = jsonwalk.Span{Start: message.Start + span.Start, End: message.Start + span.End}
		}
	}
	return at
}

// goes reports whether a block is reasoning that is left out: another maker's, or all if some was refused. What only its text says to be reasoning
// goes without a word.
func (e *editing) goes(block llm.JSON) bool {
	var opaque llm.JSON
	switch typeOf(block) {
	case "thinking":
		opaque = memberOf(block, "signature")
	case "redacted_thinking":
		opaque = memberOf(block, "data")
	default:
		return false
	}
	if !e.changes.OmitEncrypted && !isWrapped(opaque) {
		return false
	}
	maker, _, ok := unwrap(opaque)
	e.thoughts = e.thoughts || !ok || maker != llm.UnsaidMaker
	return true
}

// thoughtless are the members that cannot stay when the reasoning of earlier turns is left out: a model that reasons within a budget must not do so
// in the middle of calling tools, if what it reasoned before is missing.
func (r *Request) thoughtless() (names []string) {
	if memberOf(r.Value("thinking"), "type").Text() != "enabled" || !r.calling() {
		return nil
	}
	names = append(names, "thinking")
	if bytes.Contains(r.Value("context_management"), []byte("clear_thinking")) { // which needs reasoning
		names = append(names, "context_management")
	}
	return names
}

// calling reports whether the last answer called tools and has their results, or is begun by the caller.
func (r *Request) calling() bool {
	answered, results := false, false
	for _, message := range jsonwalk.Elements(r.Value("messages")) {
		if memberOf(message, "role").Text() == "assistant" {
			answered, results = true, false
			continue
		}
		answered = false
		for _, block := range jsonwalk.Elements(memberOf(message, "content")) {
			results = results || typeOf(block) == "tool_result"
		}
	}
	return answered || results
}
