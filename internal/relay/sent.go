package relay

import (
	"slices"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// Sent is the body of a call that is about to be made: what is left of the caller's request, and what the config and codecs have added.
type Sent struct {
	Dialect llm.Dialect

	body dialect.Body
	room Memory
}

// Len is the length of the body, in bytes.
func (s *Sent) Len() int64 { return s.body.Len() }

// Outline calls f with the body in one piece, which f must not keep. Long texts may be cut short: it has all names, and all values that have
// a meaning of their own. It returns false if memory has no room for that.
func (s *Sent) Outline(f func(outline []byte)) bool {
	n := s.body.OutlineLen()
	if pieces := s.body.Pieces(); len(pieces) == 1 && n == len(pieces[0]) {
		f(pieces[0])
		return true
	}
	if n > freeBuffer {
		if !s.room.Grow(n) {
			return false
		}
		defer s.room.Grow(-n)
	}
	buf := getBuffer()
	defer buf.release()
	buf.data = s.body.AppendOutline(slices.Grow(buf.data, n))
	f(buf.data)
	return true
}
