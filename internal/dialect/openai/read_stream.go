package openai

import (
	"fmt"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// AnswerReader reads the payloads of one streamed chat as events. The walk that passing streams take mends each first, so whatever a
// compatible server does in its own way has one meaning for all callers.
//
// A signature of reasoning, or of a text, belongs to the block that is open when it comes. One that comes after other content began is
// left out: no dialect can add to a block that has ended. Weir's own streams send it so at their end, but there the id of a tool call
// has it as well, and that comes through.
type AnswerReader struct {
	walk    Stream
	held    []byte // the chunk in which the only choice ends, as it was mended: the next one may take that back
	out     []byte // the chunk that is read
	choices []*spoken
	ended   bool
	started bool
	tell    func(*llm.Event)
	event   llm.Event
}

// Read implements dialect.Reader. It also takes the payload that marks the end of a stream; with it, or with Close, the
// event End comes.
func (r *AnswerReader) Read(payload []byte, tell func(*llm.Event)) error {
	r.tell = tell
	switch {
	case r.ended:
		return nil
	case r.walk.Last(payload):
		return r.end(true)
	case !r.started:
		r.started = true
		r.walk.WantUsage, r.walk.Name = true, nameOf(payload)
	}
	held := r.held
	if len(held) == 0 {
		held = nil
	}
	chunk, err := r.walk.WalkBehind(held, payload)
	switch {
	case err != nil:
		return err
	case chunk.Error:
		return llm.ErrError
	case chunk.Drop:
		return nil
	}
	if held != nil {
		if at := chunk.Reopened; at.End > 0 {
			held = jsonwalk.Apply(nil, held, []jsonwalk.Edit{{Span: at, New: "null"}})
		}
		r.out = jsonwalk.Apply(r.out[:0], payload, chunk.Edits)
		r.held = nil
		if err := r.chunk(held); err != nil {
			return err
		}
	} else {
		r.out = jsonwalk.Apply(r.out[:0], payload, chunk.Edits)
	}
	if chunk.Ends {
		r.held = append([]byte(nil), r.out...)
		return nil
	}
	return r.chunk(r.out)
}

// Close implements dialect.Ender.
func (r *AnswerReader) Close(tell func(*llm.Event)) {
	r.tell = tell
	_ = r.end(false) // what is not whole has no end
}

// Used implements dialect.Counter.
func (r *AnswerReader) Used() llm.Usage { return r.walk.Usage }

// Held implements dialect.Holder.
func (r *AnswerReader) Held() int {
	n := len(r.held) + cap(r.out)
	for _, c := range r.choices {
		n += c.heldBytes()
	}
	return n
}

// end ends the answer, if it is whole; done says that the upstream said so.
func (r *AnswerReader) end(done bool) error {
	if r.ended || !r.walk.Complete(done) {
		return nil
	}
	rest := [...][]byte{r.held, r.walk.Ending()}
	r.held = nil
	for _, chunk := range rest {
		if len(chunk) > 0 {
			if err := r.chunk(chunk); err != nil {
				return err
			}
		}
	}
	r.walk.Rest()
	r.ended = true
	for _, c := range r.choices {
		if err := c.close(r); err != nil {
			return err
		}
		if c.number > 0 {
			r.emit(llm.Event{Kind: llm.ChoiceEnd, Choice: c.number, Finish: c.word(), Refusal: c.refused()})
		}
	}
	first := r.choice(0)
	r.emit(llm.Event{Kind: llm.End, Finish: first.word(), Refusal: first.refused(), Usage: r.walk.Usage, Uncounted: !r.walk.HasUsage})
	return nil
}

func (r *AnswerReader) emit(ev llm.Event) {
	r.event = ev
	r.tell(&r.event)
}

// maxName bounds how much of the answer's id is repeated in a made-up id of a tool call.
const maxName = 64

// nameOf is what ids are named after that the upstream left out: the id of the answer, as far as such an id may have it.
func nameOf(payload []byte) string {
	name := []byte{'x'}
	for member, v := range jsonwalk.Members(payload) {
		if string(member) != "id" {
			continue
		}
		for _, c := range llm.JSON(v).Inner() {
			if len(name) < maxName && ('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9') {
				name = append(name, c)
			}
		}
	}
	return string(name)
}

// chunk reads a chunk that was mended.
func (r *AnswerReader) chunk(data []byte) error {
	var id, model, choices llm.JSON
	for name, v := range jsonwalk.Members(data) {
		switch string(name) {
		case "id":
			id = v
		case "model":
			model = v
		case "choices":
			choices = v
		}
	}
	for _, v := range jsonwalk.Elements(choices) {
		if err := r.readChoice(id, model, v); err != nil {
			return err
		}
	}
	return nil
}

// maxChoice is the highest number that a choice may have: OpenAI's API gives 128.
const maxChoice = 127

// readChoice reads what a chunk has of one choice.
func (r *AnswerReader) readChoice(id, model, choice llm.JSON) error {
	number, finish := int64(0), ""
	var delta, logprobs llm.JSON
	for name, v := range jsonwalk.Members(choice) {
		switch string(name) {
		case "index":
			number, _ = llm.JSON(v).Count()
		case "finish_reason":
			finish = llm.JSON(v).Text()
		case "delta":
			delta = v
		case "logprobs":
			logprobs = v
		}
	}
	if number > maxChoice {
		return fmt.Errorf("%w: it has a choice number %d", llm.ErrNoAnswer, number)
	}
	c := r.choice(int(number))
	if !c.begun {
		c.begun = true
		r.emit(llm.Event{Kind: llm.Start, Choice: c.number, ID: id, Name: model})
	}
	if err := c.read(r, delta); err != nil {
		return err
	}
	c.score(r, logprobs)
	if finish != "" {
		c.finish = finish
	}
	return nil
}

// choice is what is remembered of a choice.
func (r *AnswerReader) choice(number int) *spoken {
	for _, c := range r.choices {
		if c.number == number {
			return c
		}
	}
	c := &spoken{number: number}
	r.choices = append(r.choices, c)
	return c
}
