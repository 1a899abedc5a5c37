package openai

import (
	"strconv"

	"github.com/weirproxy/weir/internal/llm"
)

// Texts writes answers of chats as the answer to one call of /completions: each event of a stream as a chunk, or all of
// them as one answer. Each chat is a choice; they come one after the other. What the model thought has no place here.
type Texts struct {
	Producer
	index   int // of the current choice
	usage   llm.Usage
	choices []byte // those that ended, a list without brackets
}

const textObject = "text_completion"

// Chunk appends the chunk for an event to dst, or nothing.
func (t *Texts) Chunk(dst []byte, ev *llm.Event) []byte {
	switch ev = t.at(0).Plain(ev); {
	case ev.Choice > 0: // it was not asked for
	case ev.Kind == llm.Start:
		t.start(ev)
	case ev.Kind == llm.Delta && ev.Part == llm.Text && len(ev.Text.Inner()) > 0:
		dst = append(t.head(dst, textObject), `"choices":[`...)
		return append(t.choice(dst, ev.Text, "null"), "]}"...)
	case ev.Kind == llm.End:
		dst = append(t.head(dst, textObject), `"choices":[`...)
		dst = append(t.choice(dst, llm.JSON(`""`), `"`+t.textFinish(ev)+`"`), "]}"...)
		t.next(ev)
	}
	return dst
}

// start takes the names of the first chat for those of all.
func (t *Texts) start(ev *llm.Event) {
	if t.index == 0 {
		t.kind = "cmpl-"
		t.Producer.start(ev)
	}
}

// choice appends the current choice; finish is a string or null.
func (t *Texts) choice(dst []byte, text llm.JSON, finish string) []byte {
	dst = strconv.AppendInt(append(append(append(dst, `{"text":`...), text...), `,"index":`...), int64(t.index), 10)
	return append(append(append(dst, `,"logprobs":null,"finish_reason":`...), finish...), '}')
}

// next ends the current choice.
func (t *Texts) next(ev *llm.Event) {
	t.usage.Add(&ev.Usage)
	t.index++
	t.content = t.content[:0]
}

// textFinish is why a text ended; /completions has no tools to call.
func (t *Texts) textFinish(ev *llm.Event) string {
	if t.reason = ev.Finish; t.reason == "tool_calls" {
		t.reason = "stop"
	}
	return t.reason
}

// UsageChunk appends the last chunk of a stream, with the usage of all chats.
func (t *Texts) UsageChunk(dst []byte, _ *llm.Event) []byte {
	dst = append(t.head(dst, textObject), `"choices":[],"usage":`...)
	return append(appendUsage(dst, t.usage), '}')
}

// Collect takes an event of a complete answer. With the event End the next chat begins.
func (t *Texts) Collect(ev *llm.Event) {
	switch ev = t.at(0).Plain(ev); {
	case ev.Choice > 0: // it was not asked for
	case ev.Kind == llm.Start:
		t.start(ev)
	case ev.Kind == llm.Delta && ev.Part == llm.Text:
		t.content = append(t.content, ev.Text.Inner()...)
	case ev.Kind == llm.End:
		if t.index > 0 {
			t.choices = append(t.choices, ',')
		}
		text := append(append([]byte{'"'}, t.content...), '"')
		t.choices = t.choice(t.choices, text, `"`+t.textFinish(ev)+`"`)
		t.next(ev)
	}
}

// Answer is the complete answer that was collected.
func (t *Texts) Answer(*llm.Event) []byte {
	dst := make([]byte, 0, 512+len(t.choices))
	dst = append(append(append(t.head(dst, textObject), `"choices":[`...), t.choices...), `],"usage":`...)
	return append(appendUsage(dst, t.usage), '}')
}

// Held is about how many bytes are remembered.
func (t *Texts) Held() int { return cap(t.at(0).content) + cap(t.choices) }
