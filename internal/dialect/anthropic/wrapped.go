package anthropic

import (
	"bytes"
	"encoding/base64"
	"iter"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Reasoning of other makers' models goes to callers of this API with its maker in the signature: base64 of "weir1.<maker>.<signature>". So it
// reaches its maker again, and no other. Nor is there ever an empty signature, which the vendor's own models would refuse.
const wrapMark = "weir1."

// wrapBegin is how such a signature begins, as JSON.
var wrapBegin = []byte(`"` + base64.StdEncoding.EncodeToString([]byte(wrapMark)))

// isWrapped reports whether a signature says whose it is.
func isWrapped(signature llm.JSON) bool { return bytes.HasPrefix(signature, wrapBegin) }

// appendWrapped appends a signature with its maker, as JSON.
func appendWrapped(dst []byte, maker string, opaque llm.JSON) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, []byte(wrapMark+maker+"."+opaque.Text()))
	return append(dst, '"')
}

// unwrap is the maker and the signature in one that isWrapped; the signature is nil if its maker gave none. ok is false if it was changed.
func unwrap(signature llm.JSON) (maker string, opaque llm.JSON, ok bool) {
	text, err := base64.StdEncoding.DecodeString(signature.Text())
	rest, mine := strings.CutPrefix(string(text), wrapMark)
	maker, own, whole := strings.Cut(rest, ".")
	if err != nil || !mine || !whole {
		return "", nil, false
	}
	if own != "" {
		opaque = llm.Quote(own)
	}
	return maker, opaque, true
}

// unwrapped appends the edits that leave out the reasoning of other makers from messages: the API refuses it. A message of nothing else goes,
// too.
func unwrapped(edits []jsonwalk.Edit, raw []byte, messages jsonwalk.Span) []jsonwalk.Edit {
	var outer jsonwalk.Cutter
	for message := range elements(raw, messages) {
		content := contentOf(raw, message)
		blocks, kept := false, false
		for block := range elements(raw, content) {
			blocks = true
			if kept = !isForeign(block.Of(raw)); kept {
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
			if isForeign(block.Of(raw)) {
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

// isForeign reports whether a block is reasoning of another maker.
func isForeign(block llm.JSON) bool {
	typ := typeOf(block)
	return typ == "thinking" && isWrapped(memberOf(block, "signature")) || typ == "redacted_thinking" && isWrapped(memberOf(block, "data"))
}

// elements are the places of the elements of an array.
func elements(raw []byte, array jsonwalk.Span) iter.Seq[jsonwalk.Span] {
	return func(yield func(jsonwalk.Span) bool) {
		if array.Len() == 0 {
			return
		}
		s := jsonwalk.NewScanner(array.Of(raw), jsonwalk.Options{})
		for ok := s.Kind() == '[' && s.EnterArray(); ok && s.NextElement(); {
			span := s.Skip()
			if !yield(jsonwalk.Span{Start: array.Start + span.Start, End: array.Start + span.End}) {
				return
			}
		}
	}
}
