package relay

import (
	"bytes"
	"io"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/sse"
)

// frames are the payloads of a stream, whatever its framing.
type frames interface {
	// next returns the next payload, valid until it is called again. typ is the type in its frame, "" if the payload
	// names its own type.
	next() (typ string, payload []byte, err error)
	// Buffered reports whether the next payload is at hand, so that next returns it without reading.
	Buffered() bool
}

// framesOf reads the frames of an attempt's stream.
func (a *attempt) framesOf(source io.Reader) frames {
	most := int(a.run.maxAnswer())
	switch c := a.codec; {
	case c != nil && c.Frames != nil:
		return framed{c.Frames(source, most, a)}
	case c == nil && a.carrier != nil:
		return framed{a.carrier.Carries(source, most, a)}
	}
	reader := sse.NewReader(source, most)
	reader.Whole, reader.Room = wholePayload, a
	return events{reader}
}

// events are server-sent events.
type events struct{ *sse.Reader }

func (e events) next() (typ string, payload []byte, err error) {
	event, err := e.Next()
	return event.Type, bytes.TrimSpace(event.Data), err
}

// framed are frames of a dialect's own.
type framed struct{ dialect.Frames }

func (f framed) next() (typ string, payload []byte, err error) {
	payload, err = f.Next()
	return "", payload, err
}
