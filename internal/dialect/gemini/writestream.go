package gemini

import "github.com/weirproxy/weir/internal/llm"

// Payloads sends the piece of a stream for an event, if there is one. It is valid until the next event.
func (w *Writer) Payloads(ev *llm.Event, send func(payload []byte)) {
	if w.out = w.piece(w.out[:0], ev); len(w.out) > 0 {
		send(w.out)
	}
}

// piece appends the piece for an event.
func (w *Writer) piece(dst []byte, ev *llm.Event) []byte {
	c := w.take(ev)
	switch ev.Kind {
	case llm.BlockStart, llm.Delta:
		if ev.Part == llm.ToolCall || len(ev.Text.Inner()) == 0 && len(ev.Opaque.Inner()) == 0 {
			return dst
		}
		dst = append(append(dst, openPiece+`,"parts":[{"text":"`...), ev.Text.Inner()...)
		return w.closePiece(append(closeText(dst, ev.Part, ev.Opaque), `]}`...), ev)
	case llm.BlockStop:
		if call := c.called(ev); call != nil {
			dst = append(append(dst, openPiece+`,"parts":[`...), call...)
			return w.closePiece(append(dst, `]}`...), ev)
		}
	case llm.Cited:
		var cited sources
		cited.add(ev.Citation, c.decoded())
		return w.closePiece(cited.append(append(dst, openPiece+`}`...)), ev)
	case llm.Scored:
		var s scores
		s.add(ev.Tokens)
		return w.closePiece(s.append(append(dst, openPiece+`}`...)), ev)
	case llm.ChoiceEnd, llm.End:
		if !c.blocked() {
			dst = c.ended(append(dst, openPiece+`,"parts":[{"text":""}]}`...), ev.Choice)
			dst = append(dst, "}],"...)
		} else {
			dst = append(dst, '{')
		}
		if ev.Kind == llm.End {
			dst = w.feedback(dst)
		}
		return w.close(dst, ev)
	}
	return dst
}

// openPiece is what pieces begin with.
const openPiece = `{"candidates":[{"content":{"role":"model"`

// closePiece appends the end of a piece, after its candidate's content.
func (w *Writer) closePiece(dst []byte, ev *llm.Event) []byte {
	return w.close(append(appendIndex(dst, ev.Choice), "}],"...), ev)
}
