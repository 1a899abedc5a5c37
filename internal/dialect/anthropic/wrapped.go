package anthropic

import (
	"bytes"
	"encoding/base64"
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
	list := elements(raw, messages)
	var gone []bool
	var inner []jsonwalk.Edit
	for _, message := range list {
		blocks, wrapped := []jsonwalk.Span(nil), []bool(nil)
		s := jsonwalk.NewScanner(message.Of(raw), jsonwalk.Options{})
		for ok := s.Kind() == '{' && s.EnterObject(); ok && s.NextMember(); {
			isContent := string(s.Name()) == "content"
			if span := s.Skip(); isContent {
				blocks = elements(raw, jsonwalk.Span{Start: message.Start + span.Start, End: message.Start + span.End})
			}
		}
		kept := len(blocks) == 0
		for _, block := range blocks {
			foreign := isForeign(block.Of(raw))
			kept = kept || !foreign
			wrapped = append(wrapped, foreign)
		}
		if gone = append(gone, !kept); kept {
			inner = cutElements(inner, blocks, wrapped)
		}
	}
	outer := cutElements(nil, list, gone)
	for len(inner) > 0 || len(outer) > 0 { // in their order; they do not overlap
		if len(outer) == 0 || len(inner) > 0 && inner[0].Start < outer[0].Start {
			edits, inner = append(edits, inner[0]), inner[1:]
		} else {
			edits, outer = append(edits, outer[0]), outer[1:]
		}
	}
	return edits
}

// isForeign reports whether a block is reasoning of another maker.
func isForeign(block llm.JSON) bool {
	typ := typeOf(block)
	return typ == "thinking" && isWrapped(memberOf(block, "signature")) || typ == "redacted_thinking" && isWrapped(memberOf(block, "data"))
}

// elements are the places of the elements of an array.
func elements(raw []byte, array jsonwalk.Span) (list []jsonwalk.Span) {
	s := jsonwalk.NewScanner(array.Of(raw), jsonwalk.Options{})
	for ok := s.Kind() == '[' && s.EnterArray(); ok && s.NextElement(); {
		span := s.Skip()
		list = append(list, jsonwalk.Span{Start: array.Start + span.Start, End: array.Start + span.End})
	}
	return list
}

// cutElements appends the edits that leave out elements of an array, with the commas between them.
func cutElements(edits []jsonwalk.Edit, list []jsonwalk.Span, gone []bool) []jsonwalk.Edit {
	last := -1 // the last element that stays
	for i := 0; i < len(list); i++ {
		if !gone[i] {
			last = i
			continue
		}
		from := i
		for i+1 < len(list) && gone[i+1] {
			i++
		}
		cut := jsonwalk.Span{Start: list[from].Start, End: list[i].End}
		switch {
		case last >= 0:
			cut.Start = list[last].End
		case i+1 < len(list):
			cut.End = list[i+1].Start
		}
		edits = append(edits, jsonwalk.Edit{Span: cut})
	}
	return edits
}
