// Package eventstream reads and writes AWS's binary framing of streams, application/vnd.amazon.eventstream. A frame is
//
//	total length, length of the headers, CRC of these two | headers | payload | CRC of all before
//
// with numbers of four bytes, the first the highest, and CRCs by IEEE's polynomial. It is pure: bytes in, frames out, and
// the other way round.
//
// Source: the specification of Amazon's event stream encoding, the code of the vendor's Go SDK, and recorded traffic.
package eventstream

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

const (
	preludeSize = 12
	crcSize     = 4
	least       = preludeSize + crcSize // the smallest frame
	maxHeaders  = 128 << 10
)

// ErrFrame is wrapped by the errors about malformed frames: the rest of the stream cannot be read either.
var ErrFrame = errors.New("eventstream: no frame")

// Frame is one frame. What is in it is valid until the next one is asked for.
type Frame struct {
	Message   []byte // :message-type, which is event, exception or error
	Event     []byte // :event-type, of an event
	Exception []byte // :exception-type, of an exception
	Code      []byte // :error-code, of an error
	Text      []byte // :error-message, of an error
	Payload   []byte
}

// length reads the prelude of a frame: how long the frame is.
func length(b []byte) (int, error) {
	total, headers := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	switch {
	case crc32.ChecksumIEEE(b[:8]) != binary.BigEndian.Uint32(b[8:]):
		return 0, fmt.Errorf("%w: the checksum of its head is wrong", ErrFrame)
	case total < least || headers > maxHeaders || headers > total-least:
		return 0, fmt.Errorf("%w: its lengths make no sense", ErrFrame)
	}
	return int(total), nil
}

// parse reads a frame whose prelude was read.
func parse(b []byte) (Frame, error) {
	body, sum := b[:len(b)-crcSize], binary.BigEndian.Uint32(b[len(b)-crcSize:])
	if crc32.ChecksumIEEE(body) != sum {
		return Frame{}, fmt.Errorf("%w: its checksum is wrong", ErrFrame)
	}
	headers := preludeSize + int(binary.BigEndian.Uint32(b[4:]))
	f := Frame{Payload: body[headers:len(body):len(body)]}
	for rest := body[preludeSize:headers]; len(rest) > 0; {
		name, value, after, ok := header(rest)
		if !ok {
			return Frame{}, fmt.Errorf("%w: its headers cannot be read", ErrFrame)
		}
		rest = after
		switch string(name) {
		case ":message-type":
			f.Message = value
		case ":event-type":
			f.Event = value
		case ":exception-type":
			f.Exception = value
		case ":error-code":
			f.Code = value
		case ":error-message":
			f.Text = value
		}
	}
	return f, nil
}

// The types of the values of headers.
const (
	typeBytes  = 6
	typeString = 7
)

// sizes are those of the values by their type; of bytes and strings it is that of the length before them.
var sizes = [...]int{0, 0, 1, 2, 4, 8, typeBytes: 2, typeString: 2, 8, 16}

// header reads the first header of b. value is nil if it is no string.
func header(b []byte) (name, value, rest []byte, ok bool) {
	n := int(b[0])
	if n == 0 || len(b) < 1+n+1 {
		return nil, nil, nil, false
	}
	name, typ, b := b[1:1+n], int(b[1+n]), b[2+n:]
	if typ >= len(sizes) || len(b) < sizes[typ] {
		return nil, nil, nil, false
	}
	size := sizes[typ]
	if typ != typeBytes && typ != typeString {
		return name, nil, b[size:], true
	}
	end := size + int(binary.BigEndian.Uint16(b))
	if len(b) < end {
		return nil, nil, nil, false
	}
	if typ == typeString {
		value = b[size:end:end]
	}
	return name, value, b[end:], true
}

// Header is a header of a frame that is written.
type Header struct{ Name, Value string }

// Append appends a frame to dst. Names of headers have at most 255 bytes, their values 65,535.
func Append(dst, payload []byte, headers ...Header) []byte {
	from := len(dst)
	dst = append(dst, make([]byte, preludeSize)...)
	for _, h := range headers {
		dst = append(append(append(dst, byte(len(h.Name))), h.Name...), typeString)
		dst = append(binary.BigEndian.AppendUint16(dst, uint16(len(h.Value))), h.Value...)
	}
	size := len(dst) - from - preludeSize
	dst = append(dst, payload...)
	binary.BigEndian.PutUint32(dst[from:], uint32(len(dst)-from+crcSize))
	binary.BigEndian.PutUint32(dst[from+4:], uint32(size))
	binary.BigEndian.PutUint32(dst[from+8:], crc32.ChecksumIEEE(dst[from:from+8]))
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[from:]))
}
