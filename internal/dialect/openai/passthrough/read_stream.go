package passthrough

import (
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// AnswerReader reads the payloads of one streamed chat as events. The walk that passing streams take mends each before the codec reads
// it, so whatever a compatible server does in its own way has one meaning for all callers.
type AnswerReader struct {
	walk    Stream
	chunks  openai.ChunkReader
	held    []byte // the chunk in which the only choice ends, as it was mended: the next one may take that back
	out     []byte // the chunk that is read
	ended   bool
	started bool
}

// Read implements dialect.Reader. It also takes the payload that marks the end of a stream; with it, or with Close, the
// event End comes.
func (r *AnswerReader) Read(payload []byte, tell func(*llm.Event)) error {
	switch {
	case r.ended:
		return nil
	case r.walk.Last(payload):
		return r.end(true, tell)
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
		if err := r.chunks.Read(held, tell); err != nil {
			return err
		}
	} else {
		r.out = jsonwalk.Apply(r.out[:0], payload, chunk.Edits)
	}
	if chunk.Ends {
		r.held = append([]byte(nil), r.out...)
		return nil
	}
	return r.chunks.Read(r.out, tell)
}

// Close implements dialect.Ender.
func (r *AnswerReader) Close(tell func(*llm.Event)) {
	_ = r.end(false, tell) // what is not whole has no end
}

// Used implements dialect.Counter.
func (r *AnswerReader) Used() llm.Usage { return r.walk.Usage }

// Held implements dialect.Holder.
func (r *AnswerReader) Held() int {
	return len(r.held) + cap(r.out) + r.chunks.Held()
}

// end ends the answer, if it is whole; done says that the upstream said so.
func (r *AnswerReader) end(done bool, tell func(*llm.Event)) error {
	if r.ended || !r.walk.Complete(done) {
		return nil
	}
	rest := [...][]byte{r.held, r.walk.Ending()}
	r.held = nil
	for _, chunk := range rest {
		if len(chunk) > 0 {
			if err := r.chunks.Read(chunk, tell); err != nil {
				return err
			}
		}
	}
	r.walk.Rest()
	r.ended = true
	return r.chunks.End(r.walk.Usage, r.walk.HasUsage, tell)
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
