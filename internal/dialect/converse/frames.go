package converse

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"

	"github.com/weirproxy/weir/internal/dialect/eventstream"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Frames reads the frames of a streamed answer as payloads that name their own type. The type of an event is in the head
// of its frame, and becomes the first member of its payload. An exception becomes an error event:
//
//	{"type":"contentBlockDelta","contentBlockIndex":0,"delta":{"text":"Hi"}}
//	{"type":"error","error":{"type":"throttlingException","message":"Too many requests"}}
type Frames struct {
	eventstream.Reader
	out  []byte
	held int // bytes of Room
}

// NewFrames returns a reader of src. maxFrame bounds a frame, in bytes; room may be nil.
func NewFrames(src io.Reader, maxFrame int, room eventstream.Room) *Frames {
	f := &Frames{Reader: *eventstream.NewReader(src, maxFrame)}
	f.Room = room
	return f
}

// Chunks reads the frames of an answer that a model gave in its vendor's own API: each chunk has a payload of that API in base64. An exception
// becomes an error event, as with Frames.
// Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html
type Chunks struct{ Frames }

// NewChunks is NewFrames for these.
func NewChunks(src io.Reader, maxFrame int, room eventstream.Room) *Chunks {
	return &Chunks{*NewFrames(src, maxFrame, room)}
}

// Next returns the payload within the next chunk, valid until the next call of Next. Its errors are those of eventstream.
func (c *Chunks) Next() ([]byte, error) {
	payload, err := c.Frames.Next()
	if err != nil || !bytes.HasPrefix(payload, chunkBegin) {
		return payload, err
	}
	for name, v := range jsonwalk.Members(payload) {
		if string(name) != "bytes" || v[0] != '"' {
			continue
		}
		text := llm.JSON(v).Inner()
		n, err := base64.StdEncoding.Decode(payload, text) // which it is larger than
		if err != nil {
			return nil, fmt.Errorf("%w: a chunk holds no base64", eventstream.ErrFrame)
		}
		return payload[:n], nil
	}
	return nil, fmt.Errorf("%w: a chunk is empty", eventstream.ErrFrame)
}

var chunkBegin = []byte(`{"type":"chunk"`)

// keepPayload is how large a payload may be without being counted.
const keepPayload = 4 << 10

// Next returns the payload of the next frame, valid until the next call of Next. Its errors are those of eventstream.
func (f *Frames) Next() ([]byte, error) {
	frame, err := f.Reader.Next()
	if err != nil {
		return nil, err
	}
	const around, quoted = 192, 6 // the bytes written around it, and the most that quoting makes of a byte
	if !f.hold(len(frame.Payload) + quoted*len(frame.Text) + around) {
		return nil, eventstream.ErrNoRoom
	}
	switch string(frame.Message) {
	case "event":
		f.out = typed(f.out[:0], frame.Event, frame.Payload)
	case "exception":
		f.out = append(typed(append(f.out[:0], `{"type":"error","error":`...), frame.Exception, frame.Payload), '}')
	default:
		f.out = append(append(append(f.out[:0], `{"type":"error","error":{"type":"`...), word(frame.Code)...), `","message":`...)
		f.out = append(llm.AppendQuote(f.out, frame.Text), `}}`...)
	}
	return f.out, nil
}

// hold has room for a payload of that size, and gives up that of a larger one before it.
func (f *Frames) hold(size int) bool {
	counted := 0
	if size > keepPayload {
		counted = size
	}
	if change := counted - f.held; change != 0 && f.Room != nil && !f.Room.Grow(change) {
		return false
	}
	if f.held = counted; size > cap(f.out) || cap(f.out) > max(size, keepPayload) {
		f.out = make([]byte, 0, max(size, keepPayload))
	}
	return true
}

// typed appends a payload with its type in front of its members. What is no object stays what it is.
func typed(dst, typ, payload []byte) []byte {
	payload = bytes.TrimSpace(payload)
	if len(payload) == 0 {
		payload = []byte("{}")
	}
	if payload[0] != '{' {
		return append(dst, payload...)
	}
	dst = append(append(append(dst, `{"type":"`...), word(typ)...), '"')
	if rest := bytes.TrimLeft(payload[1:], " \t\r\n"); len(rest) > 0 && rest[0] != '}' {
		dst = append(dst, ',')
	}
	return append(dst, payload[1:]...)
}

// word is a name of the API as it came, or "unknown" if it is malformed.
func word(name []byte) []byte {
	const most = 64
	letter := func(r rune) bool { return ('a' > r|0x20 || r|0x20 > 'z') && ('0' > r || r > '9') && r != '_' }
	if len(name) == 0 || len(name) > most || bytes.IndexFunc(name, letter) >= 0 {
		return []byte("unknown")
	}
	return name
}
