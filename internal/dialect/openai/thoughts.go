package openai

import (
	"encoding/base64"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Some models must be shown their own reasoning again, as they signed it, when the tools that they called have answered.
// OpenAI's chat format has no place for that, so it goes out twice. Clients that send back whole messages get it as
// thinking_blocks of the message. Every client sends back the id of the first tool call, so it follows that too.
const (
	ThinkingBlocks = "thinking_blocks"
	ThoughtMark    = "__thought__"
)

// appendThought appends one block of reasoning in the form of thinking_blocks. maker is whose it is, as in llm.Part, and text is
// without quotes.
func appendThought(dst []byte, kind llm.PartKind, maker string, text []byte, opaque llm.JSON) []byte {
	typ := `{"type":"thinking"`
	if kind == llm.Redacted {
		typ = `{"type":"redacted_thinking"`
	}
	if dst = append(dst, typ...); maker != "" {
		dst = llm.AppendQuote(append(dst, `,"vendor":`...), []byte(maker))
	}
	if kind == llm.Redacted {
		return append(append(append(dst, `,"data":`...), opaque...), '}')
	}
	dst = append(append(dst, `,"thinking":"`...), text...)
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
			case "vendor":
				part.Maker = llm.JSON(v).Text()
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

// Google's models sign what their reasoning led to, a text or the call of a tool. The signature of a call follows its id, in
// extra_content, the form of Google's own OpenAI-compatible API. That of a text is a block of its own kind. Both say whose
// they are, so that no vendor is sent another's.
const ExtraContent = "extra_content"

// appendSignature appends the signature of a text in the form of thinking_blocks.
func appendSignature(dst []byte, signature llm.JSON) []byte {
	return append(append(append(dst, `{"type":"signature","vendor":"google","signature":`...), signature...), '}')
}

// readSignature reads the signature of a text in thinking_blocks, the last one, or nil.
func readSignature(list llm.JSON) (last llm.JSON) {
	for _, block := range jsonwalk.Elements(list) {
		var typ, vendor string
		var signature llm.JSON
		for name, v := range jsonwalk.Members(block) {
			switch string(name) {
			case "type":
				typ = llm.JSON(v).Text()
			case "vendor":
				vendor = llm.JSON(v).Text()
			case "signature":
				signature = v
			}
		}
		if typ == "signature" && vendor == "google" && len(signature.Inner()) > 0 {
			last = signature
		}
	}
	return last
}

// appendExtra appends a signature of Google's in the form of extra_content.
func appendExtra(dst []byte, signature llm.JSON) []byte {
	return append(append(append(dst, `{"google":{"thought_signature":`...), signature...), `}}`...)
}

// readExtra reads the signature in an extra_content, or nil.
func readExtra(extra llm.JSON) llm.JSON {
	for vendor, v := range jsonwalk.Members(extra) {
		if string(vendor) != "google" {
			continue
		}
		for name, signature := range jsonwalk.Members(v) {
			if s := llm.JSON(signature); string(name) == "thought_signature" && len(s.Inner()) > 0 {
				return s
			}
		}
	}
	return nil
}

// appendID appends the id of a tool call, with what follows it: an extra_content, or a list like thinking_blocks.
func appendID(dst []byte, id llm.JSON, carried []byte) []byte {
	dst = append(append(dst, '"'), id.Inner()...)
	if len(carried) > 0 {
		dst = base64.RawURLEncoding.AppendEncode(append(dst, ThoughtMark...), carried)
	}
	return append(dst, '"')
}

// ownMarks follow ThoughtMark where Weir put it: the beginning of a list of blocks, or of an extra_content. Others mark reasoning
// so, too.
var ownMarks = [...]string{
	base64.RawURLEncoding.EncodeToString([]byte(`[{"`)),
	base64.RawURLEncoding.EncodeToString([]byte(`{"google"`)),
}

// OwnID is the id of a tool call without what Weir appended.
func OwnID(id string) string {
	own, carried, ok := strings.Cut(id, ThoughtMark)
	if ok && (strings.HasPrefix(carried, ownMarks[0]) || strings.HasPrefix(carried, ownMarks[1])) {
		return own
	}
	return id
}

// splitID is the id of a tool call as its model gave it, and what was appended: the signature of the call, or the
// reasoning that led to it.
func splitID(id string) (own string, signature llm.JSON, thoughts []llm.Part) {
	own, behind, ok := strings.Cut(id, ThoughtMark)
	if !ok {
		return id, nil, nil
	}
	carried, err := base64.RawURLEncoding.DecodeString(behind)
	if err != nil || jsonwalk.Valid(carried, jsonwalk.Options{MaxDepth: 8}) != nil {
		return own, nil, nil
	}
	return own, readExtra(carried), readThoughts(carried)
}
