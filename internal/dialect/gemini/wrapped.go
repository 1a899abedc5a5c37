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
		r.Messages[i].Parts = whole(r.Messages[i].Parts)
	}
	for i := range r.Messages {
		for j := range r.Messages[i].Parts {
			p := &r.Messages[i].Parts[j]
			if text, err := base64.StdEncoding.DecodeString(standard.Replace(p.Opaque.Text())); err == nil && strings.HasPrefix(string(text), wrapMark) {
				made, signature, _ := strings.Cut(string(text[len(wrapMark):]), ".")
				unwrap(p, made, signature)
			}
		}
	}
}

// standard turns the alphabet of base64 for URLs, which Google's SDK for Python writes, into the usual one.
var standard = strings.NewReplacer("-", "+", "_", "/")

// whole joins thoughts that clients send back in the pieces in which a stream brought them: what signs them came with the last one, and holds for
// all of the text.
func whole(parts []llm.Part) []llm.Part {
	out, joined := parts[:0], false // joined says that the text of the last one is a copy, which may grow
	for _, p := range parts {
		last := len(out) - 1
		if last < 0 || p.Kind != llm.Reasoning || out[last].Kind != llm.Reasoning || out[last].Opaque != nil {
			out, joined = append(out, p), false
			continue
		}
		text := out[last].Text
		if !joined {
			text = append(append(llm.JSON{'"'}, text.Inner()...), '"')
		}
		p.Text, joined = append(append(text[:len(text)-1], p.Text.Inner()...), '"'), true
		out[last] = p
	}
	return out
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
