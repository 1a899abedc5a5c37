package gemini

import (
	"encoding/base64"
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// Reasoning of other makers' models goes to callers of this API with its maker in the signature: base64 of "weir1.<maker>.<signature>",
// with a mark before a maker whose reasoning cannot be read. So it reaches its maker again, and no other.
const (
	wrapMark     = "weir1."
	redactedMark = "-"
)

// wrapped is a signature with its maker.
func wrapped(maker string, kind llm.PartKind, signature llm.JSON) llm.JSON {
	if kind == llm.Redacted {
		maker = redactedMark + maker
	}
	return llm.Quote(base64.StdEncoding.EncodeToString([]byte(wrapMark + maker + "." + signature.Text())))
}

// unwrapAll gives the reasoning in a request its maker.
func unwrapAll(r *llm.Request) {
	for i := range r.Messages {
		for j := range r.Messages[i].Parts {
			p := &r.Messages[i].Parts[j]
			if text, err := base64.StdEncoding.DecodeString(p.Opaque.Text()); err == nil && strings.HasPrefix(string(text), wrapMark) {
				made, signature, _ := strings.Cut(string(text[len(wrapMark):]), ".")
				unwrap(p, made, signature)
			}
		}
	}
}

func unwrap(p *llm.Part, made, signature string) {
	p.Opaque = llm.Quote(signature)
	switch p.Kind {
	case llm.Reasoning, llm.Text:
		if of, redacted := strings.CutPrefix(made, redactedMark); redacted {
			p.Kind, p.Maker, p.Text = llm.Redacted, of, nil
			return
		}
		if p.Kind == llm.Reasoning {
			p.Maker = made
			return
		}
	}
	p.Opaque = nil // where no reasoning is, it has no place
}
