package openai

import (
	"encoding/base64"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Some models must be shown their own reasoning again, as they signed it, when the tools that they called have answered.
// OpenAI's chat format has no place for that, so it goes out twice: as thinking_blocks of the message, for clients that
// send back whole messages, and behind the id of the first tool call, which every client sends back.
const (
	thinkingBlocks = "thinking_blocks"
	thoughtMark    = "__thought__"
)

// appendThought appends one block of reasoning in the form of thinking_blocks. text is without quotes.
func appendThought(dst []byte, kind llm.PartKind, text []byte, opaque llm.JSON) []byte {
	if kind == llm.Redacted {
		return append(append(append(dst, `{"type":"redacted_thinking","data":`...), opaque...), '}')
	}
	dst = append(append(dst, `{"type":"thinking","thinking":"`...), text...)
	return append(append(append(dst, `","signature":`...), opaque...), '}')
}

// readThoughts reads thinking_blocks. What is not whole cannot be used, and is left out: the model would refuse it.
func readThoughts(list llm.JSON) []llm.Part {
	var parts []llm.Part
	for _, block := range jsonwalk.Elements(list) {
		var typ string
		var part llm.Part
		for name, v := range jsonwalk.Members(block) {
			switch string(name) {
			case "type":
				typ = llm.JSON(v).Text()
			case "thinking":
				part.Text = v
			case "signature", "data":
				part.Opaque = v
			}
		}
		switch {
		case len(part.Opaque.Inner()) == 0:
		case typ == "thinking" && part.Text.Kind() == '"':
			part.Kind = llm.Reasoning
			parts = append(parts, part)
		case typ == "redacted_thinking":
			part.Kind = llm.Redacted
			parts = append(parts, part)
		}
	}
	return parts
}

// appendID appends the id of a tool call, with the reasoning that led to it behind.
func appendID(dst []byte, id llm.JSON, thoughts []byte) []byte {
	dst = append(append(dst, '"'), id.Inner()...)
	if len(thoughts) > 0 {
		dst = append(dst, thoughtMark...)
		list := append(append([]byte{'['}, thoughts...), ']')
		dst = base64.RawURLEncoding.AppendEncode(dst, list)
	}
	return append(dst, '"')
}

// ownMark is what follows thoughtMark where Weir put it: the beginning of a list of blocks. Others mark reasoning so, too.
var ownMark = base64.RawURLEncoding.EncodeToString([]byte(`[{"`))

// ownID is the id of a tool call without what Weir put behind it.
func ownID(id string) string {
	if own, carried, ok := strings.Cut(id, thoughtMark); ok && strings.HasPrefix(carried, ownMark) {
		return own
	}
	return id
}

// splitID is the id of a tool call as its model gave it, and what was put behind it.
func splitID(id string) (string, []llm.Part) {
	id, carried, ok := strings.Cut(id, thoughtMark)
	if !ok {
		return id, nil
	}
	list, err := base64.RawURLEncoding.DecodeString(carried)
	if err != nil || jsonwalk.Valid(list, jsonwalk.Options{MaxDepth: 8}) != nil {
		return id, nil
	}
	return id, readThoughts(list)
}
