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

// Read calls f with the whole body in one piece, which f must not keep. It returns false if memory has no room for that.
func (s *Sent) Read(f func(body []byte)) bool {
	pieces := s.body.Pieces()
	if len(pieces) == 1 {
		f(pieces[0])
		return true
	}
	n := int(s.body.Len())
	if n > freeBuffer {
		if !s.room.Grow(n) {
			return false
		}
		defer s.room.Grow(-n)
	}
	buf := getBuffer()
	defer buf.release()
	buf.data = slices.Grow(buf.data, n)
	for _, piece := range pieces {
		buf.data = append(buf.data, piece...)
	}
	f(buf.data)
	return true
}
