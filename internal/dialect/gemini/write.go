package gemini

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Writer writes an answer as the API's server does: all events as one complete answer, or each as a piece of a stream. It is
// used for one answer.
type Writer struct {
	Asked string // what the model is called if the answer does not say
	Echo  bool   // it is called so, whatever the answer says

	id, model  llm.JSON
	candidates []writing
	out        []byte // the last piece of a stream
}

// writing is what is remembered of a candidate.
type writing struct {
	used   bool      // there is one with this number
	call   llm.Event // the call of a tool that is open
	args   []byte    // its arguments so far, a string without the quote at its end
	broken bool      // a tool was called with what is no object
	said   bool      // a block has begun
	text   []byte    // what was said, as it is spelled: what citations are about

	finish  string
	refusal llm.JSON

	// For a complete answer.
	parts  []byte // a list without brackets
	open   bool   // the last of them is a text that goes on
	kind   llm.PartKind
	scores scores
	cited  sources
}

// Collect takes an event of a complete answer; Answer makes one body of all.
func (w *Writer) Collect(ev *llm.Event) {
	c := w.take(ev)
	switch ev.Kind {
	case llm.BlockStart, llm.Delta:
		if ev.Part != llm.ToolCall && (ev.Text != nil || ev.Opaque != nil) {
			c.say(ev)
		}
	case llm.BlockStop:
		c.shut(nil)
		if call := c.called(ev); call != nil {
			c.parts = append(c.next(), call...)
		}
	case llm.Cited:
		c.cited.add(ev.Citation, c.decoded())
	case llm.Scored:
		c.scores.add(ev.Tokens)
	}
}

// Answer is the complete answer that was collected; end is its last event.
func (w *Writer) Answer(end *llm.Event) []byte {
	w.take(end)
	n := 512
	for i := range w.candidates {
		c := &w.candidates[i]
		n += len(c.parts) + len(c.scores.chosen) + len(c.scores.top) + len(c.cited.supports)
	}
	dst := append(make([]byte, 0, n), '{')
	sep := `"candidates":[{"content":`
	for i := range w.candidates {
		c := &w.candidates[i]
		if !c.used || c.blocked() {
			continue
		}
		c.shut(nil)
		dst = appendContent(append(dst, sep...), c.parts)
		dst = append(c.cited.append(c.scores.append(c.ended(dst, i))), '}')
		sep = `,{"content":`
	}
	if sep[0] == ',' {
		dst = append(dst, "],"...)
	}
	return w.close(w.feedback(dst), end)
}

// take remembers what an event says of its candidate.
func (w *Writer) take(ev *llm.Event) *writing {
	for len(w.candidates) <= ev.Choice {
		w.candidates = append(w.candidates, writing{})
	}
	c := &w.candidates[ev.Choice]
	c.used = true
	switch ev.Kind {
	case llm.Start:
		w.id, w.model = slices.Clone(ev.ID), slices.Clone(ev.Name)
		if len(w.model.Inner()) == 0 || w.Echo {
			w.model = llm.Quote(w.Asked)
		}
	case llm.BlockStart:
		c.said = true
		if ev.Part == llm.ToolCall {
			c.args = append(c.args[:0], '"')
			c.call = llm.Event{ID: slices.Clone(ev.ID), Name: slices.Clone(ev.Name), Opaque: slices.Clone(ev.Opaque)}
		}
	case llm.Delta:
		switch ev.Part {
		case llm.ToolCall:
			c.args = append(c.args, ev.Text.Inner()...)
			if ev.Opaque != nil {
				c.call.Opaque = slices.Clone(ev.Opaque)
			}
		case llm.Text:
			c.text = append(c.text, ev.Text.Inner()...)
		}
	case llm.ChoiceEnd, llm.End:
		c.finish, c.refusal = ev.Finish, slices.Clone(ev.Refusal)
	}
	return c
}

// decoded is what was said so far.
func (c *writing) decoded() []byte {
	return []byte(llm.JSON(`"` + string(c.text) + `"`).Text())
}

// called is the part for a tool call that ended, or nil. The API has only whole calls, with an object as arguments.
func (c *writing) called(ev *llm.Event) []byte {
	if ev.Part != llm.ToolCall {
		return nil
	}
	args := bytes.TrimSpace([]byte(llm.JSON(append(c.args, '"')).Text()))
	switch {
	case len(args) == 0:
		args = []byte("{}")
	case args[0] != '{' || jsonwalk.Valid(args, jsonwalk.Options{Unique: true}) != nil:
		c.broken = true
		return nil
	}
	for i, b := range args {
		if b == '\n' || b == '\r' { // between tokens: a piece has one line
			args[i] = ' '
		}
	}
	dst := []byte(`{"functionCall":{`)
	if len(c.call.ID.Inner()) > 0 {
		dst = append(append(append(dst, `"id":`...), c.call.ID...), ',')
	}
	dst = append(append(append(dst, `"name":`...), c.call.Name...), `,"args":`...)
	return append(appendSignature(append(append(dst, args...), '}'), c.call.Opaque), '}')
}

// say adds a piece of a text to the parts. One that is signed ends its part.
func (c *writing) say(ev *llm.Event) {
	if !c.open {
		c.parts = append(c.next(), `{"text":"`...)
		c.open, c.kind = true, ev.Part
	}
	c.parts = append(c.parts, ev.Text.Inner()...)
	if len(ev.Opaque.Inner()) > 0 {
		c.shut(ev.Opaque)
	}
}

// shut ends the text that is open.
func (c *writing) shut(signature llm.JSON) {
	if c.open {
		c.parts = closeText(c.parts, c.kind, signature)
		c.open = false
	}
}

// next is the list of parts, ready for one more.
func (c *writing) next() []byte {
	if len(c.parts) == 0 {
		return c.parts
	}
	return append(c.parts, ',')
}

// closeText appends the end of a part after its text, which has no closing quote yet.
func closeText(dst []byte, kind llm.PartKind, signature llm.JSON) []byte {
	if dst = append(dst, '"'); kind != llm.Text {
		dst = append(dst, `,"thought":true`...)
	}
	return append(appendSignature(dst, signature), '}')
}

func appendSignature(dst []byte, signature llm.JSON) []byte {
	if len(signature.Inner()) == 0 {
		return dst
	}
	return append(append(dst, `,"thoughtSignature":`...), signature...)
}

// appendContent appends what a candidate says.
func appendContent(dst, parts []byte) []byte {
	if len(parts) == 0 {
		return append(dst, `{"role":"model"}`...)
	}
	return append(append(append(dst, `{"role":"model","parts":[`...), parts...), `]}`...)
}

// ended appends why a candidate ended, and which it is.
func (c *writing) ended(dst []byte, index int) []byte {
	return appendIndex(append(append(append(dst, `,"finishReason":"`...), c.reason()...), '"'), index)
}

func appendIndex(dst []byte, index int) []byte {
	return strconv.AppendInt(append(dst, `,"index":`...), int64(index), 10)
}

// reason is the API's word for why a candidate ended.
func (c *writing) reason() string {
	switch {
	case c.finish == "length":
		return "MAX_TOKENS"
	case c.finish == "content_filter":
		return "SAFETY"
	case c.broken:
		return "MALFORMED_FUNCTION_CALL"
	}
	return "STOP"
}

// blocked reports whether the prompt was refused with a reason and no text came: the answer then has no candidate.
func (c *writing) blocked() bool { return c.finish == "content_filter" && c.refusal != nil && !c.said }

// feedback appends the reason of a refusal, if given, and a comma: the API has it next to the candidates.
func (w *Writer) feedback(dst []byte) []byte {
	c := &w.candidates[0]
	if c.refusal == nil {
		return dst
	}
	return append(append(append(dst, `"promptFeedback":{"blockReason":"OTHER","blockReasonMessage":`...), c.refusal...), "},"...)
}

// close appends what every answer and every piece ends with. The usage comes at the end.
func (w *Writer) close(dst []byte, ev *llm.Event) []byte {
	if ev.Kind == llm.End {
		dst = append(appendUsage(dst, ev.Usage), ',')
	}
	dst = append(append(dst, `"modelVersion":`...), w.model...)
	if len(w.id.Inner()) > 0 {
		dst = append(append(dst, `,"responseId":`...), w.id...)
	}
	return append(dst, '}')
}

// appendUsage appends the usage in the API's classes: cached tokens are part of the prompt's, and thoughts are not part of the
// candidates'.
func appendUsage(dst []byte, u llm.Usage) []byte {
	for _, f := range [...]struct {
		name string
		n    int64
		must bool
	}{
		{`"usageMetadata":{"promptTokenCount":`, u.Input(), true},
		{`,"cachedContentTokenCount":`, u.CacheRead, false},
		{`,"candidatesTokenCount":`, u.Output() - u.Reasoning, true},
		{`,"thoughtsTokenCount":`, u.Reasoning, false},
		{`,"totalTokenCount":`, u.Input() + u.Output(), true},
	} {
		if f.must || f.n > 0 {
			dst = strconv.AppendInt(append(dst, f.name...), f.n, 10)
		}
	}
	dst = appendModalities(dst, `,"promptTokensDetails":[`, u.Fresh+u.CacheRead, u.AudioIn, u.ImageIn)
	dst = appendModalities(dst, `,"candidatesTokensDetails":[`, u.Text, u.AudioOut, u.ImageOut)
	if u.Tier != "" {
		dst = llm.AppendQuote(append(dst, `,"trafficType":`...), u.Tier)
	}
	return append(dst, '}')
}

// appendModalities appends a list of tokens by modality, if they are not all text.
func appendModalities(dst []byte, name string, text, audio, image int64) []byte {
	if audio+image == 0 {
		return dst
	}
	dst = strconv.AppendInt(append(append(dst, name...), `{"modality":"TEXT","tokenCount":`...), text, 10)
	dst = strconv.AppendInt(append(dst, `},{"modality":"AUDIO","tokenCount":`...), audio, 10)
	dst = strconv.AppendInt(append(dst, `},{"modality":"IMAGE","tokenCount":`...), image, 10)
	return append(dst, "}]"...)
}
