package openai

import (
	"fmt"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// ChunkReader reads the chunks of one streamed chat as events. They must keep the convention: package passthrough mends what compatible servers
// do in their own ways. The zero value is ready.
//
// A signature of reasoning, or of a text, belongs to the block that is open when it comes. One that comes after other content began is
// left out: no dialect can add to a block that has ended. Weir's own streams send it so at their end, but there the id of a tool call
// has it as well, and that comes through.
type ChunkReader struct {
	choices []*spoken
	tell    func(*llm.Event)
	event   llm.Event
}

// Held is about how many bytes are remembered.
func (r *ChunkReader) Held() (n int) {
	for _, c := range r.choices {
		n += c.heldBytes()
	}
	return n
}

// End ends the answer, once all its chunks were read. The last event is End, with the usage; reported says that there was any.
func (r *ChunkReader) End(usage llm.Usage, reported bool, tell func(*llm.Event)) error {
	r.tell = tell
	for _, c := range r.choices {
		if err := c.close(r); err != nil {
			return err
		}
		if c.number > 0 {
			r.emit(llm.Event{Kind: llm.ChoiceEnd, Choice: c.number, Finish: c.word(), Refusal: c.refused()})
		}
	}
	first := r.choice(0)
	r.emit(llm.Event{Kind: llm.End, Finish: first.word(), Refusal: first.refused(), Usage: usage, Uncounted: !reported})
	return nil
}

func (r *ChunkReader) emit(ev llm.Event) {
	r.event = ev
	r.tell(&r.event)
}

// Read reads one chunk, and calls tell with what it says. The events are valid until tell returns.
func (r *ChunkReader) Read(chunk []byte, tell func(*llm.Event)) error {
	r.tell = tell
	var id, model, choices llm.JSON
	for name, v := range jsonwalk.Members(chunk) {
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

// readChoice reads what a chunk has of one choice.
func (r *ChunkReader) readChoice(id, model, choice llm.JSON) error {
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
	if number >= MaxChoices {
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
func (r *ChunkReader) choice(number int) *spoken {
	for _, c := range r.choices {
		if c.number == number {
			return c
		}
	}
	c := &spoken{number: number}
	r.choices = append(r.choices, c)
	return c
}
