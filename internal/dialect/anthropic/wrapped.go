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
