package gemini

import (
	"fmt"
	"iter"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Pass implements dialect.Passing.
func (r *Request) Pass(body []byte, _ *dialect.Changes, stand dialect.Stand) ([]byte, dialect.Answer, error) {
	p := Passage{echo: stand.Echo}
	chunk, err := p.WalkBehind(nil, body)
	a := dialect.Answer{Found: p.Found, IsError: chunk.Error}
	a.Covered = a.Said
	switch {
	case err != nil:
		return nil, a, err
	case a.IsError:
		return nil, a, fmt.Errorf("%w: it holds an error", llm.ErrNoAnswer)
	case !p.begun:
		return nil, a, fmt.Errorf("%w: it has no candidates", llm.ErrNoAnswer)
	}
	if len(chunk.Edits) > 0 {
		body = jsonwalk.Apply(make([]byte, 0, len(body)+len(chunk.Edits[0].New)), body, chunk.Edits)
	}
	return body, a, nil
}

// StreamOf implements dialect.Passing. A complete answer is a stream of one piece.
func (r *Request) StreamOf(body []byte) (iter.Seq[[]byte], error) {
	return func(yield func([]byte) bool) { yield(body) }, nil
}
