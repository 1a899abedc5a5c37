package relay

import (
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
)

// Storing is how the answer to a request is stored: before the caller has the last of it, which says whether it is.
type Storing struct {
	As   dialect.Storable
	Save func(answer []byte) bool // whether it is stored
}

// answer stores a complete answer, and returns what to send.
func (s *Storing) answer(body []byte) []byte {
	if s == nil || s.Save(body) {
		return body
	}
	return s.As.Unstored(body)
}

// event stores the answer that a payload ends, if it ends one, and returns what to send.
func (s *Storing) event(payload []byte) []byte {
	if s == nil {
		return payload
	}
	at := s.As.Ended(payload)
	if at.Len() == 0 || s.Save(at.Of(payload)) {
		return payload
	}
	return jsonwalk.Apply(nil, payload, []jsonwalk.Edit{{Span: at, New: string(s.As.Unstored(at.Of(payload)))}})
}
