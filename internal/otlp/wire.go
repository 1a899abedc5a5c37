package otlp

import (
	"encoding/binary"
	"strings"

	"github.com/weirproxy/weir/internal/trace"
)

// The types of fields in protobuf's encoding.
const (
	varintType, fixed64Type, bytesType, fixed32Type = 0, 1, 2, 5
)

func tag(b []byte, field, kind int) []byte {
	return binary.AppendUvarint(b, uint64(field)<<3|uint64(kind))
}

// number writes a whole number, unless it is 0.
func number(b []byte, field int, n uint64) []byte {
	if n == 0 {
		return b
	}
	return binary.AppendUvarint(tag(b, field, varintType), n)
}

func fixed64(b []byte, field int, n uint64) []byte {
	return binary.LittleEndian.AppendUint64(tag(b, field, fixed64Type), n)
}

func fixed32(b []byte, field int, n uint32) []byte {
	return binary.LittleEndian.AppendUint32(tag(b, field, fixed32Type), n)
}

func bytes(b []byte, field int, value []byte) []byte {
	b = binary.AppendUvarint(tag(b, field, bytesType), uint64(len(value)))
	return append(b, value...)
}

// text writes a text, unless it is empty.
func text(b []byte, field int, value string) []byte {
	if value == "" {
		return b
	}
	return bytes(b, field, []byte(valid(value)))
}

// valid is a text that protobuf can hold: a decoder refuses a whole message for one byte that is not UTF-8.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

func spanID(b []byte, field int, id trace.SpanID) []byte {
	var text [8]byte
	binary.BigEndian.PutUint64(text[:], uint64(id))
	return bytes(b, field, text[:])
}

// message writes what fill appends as a message within a message. Its length stands before it, and most take one byte.
func message(b []byte, field int, fill func([]byte) []byte) []byte {
	b = append(tag(b, field, bytesType), 0)
	start := len(b)
	b = fill(b)
	length := len(b) - start
	if length < 1<<7 {
		b[start-1] = byte(length)
		return b
	}
	var spelled [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(spelled[:], uint64(length))
	b = append(b, spelled[:n-1]...) // makes room
	copy(b[start+n-1:], b[start:start+length])
	copy(b[start-1:], spelled[:n])
	return b
}

// field is one field of a message that is read.
type field struct {
	number int
	kind   int
	value  uint64 // of a whole number
	bytes  []byte
}

// next reads the first field of a message.
func next(b []byte) (f field, rest []byte, ok bool) {
	key, n := binary.Uvarint(b)
	if n <= 0 || key>>3 == 0 || key>>3 > 1<<29-1 {
		return f, nil, false
	}
	b, f.number, f.kind = b[n:], int(key>>3), int(key&7)
	size := uint64(0)
	switch f.kind {
	case varintType:
		if f.value, n = binary.Uvarint(b); n <= 0 {
			return f, nil, false
		}
		return f, b[n:], true
	case fixed64Type:
		size = 8
	case fixed32Type:
		size = 4
	case bytesType:
		if size, n = binary.Uvarint(b); n <= 0 {
			return f, nil, false
		}
		b = b[n:]
	default:
		return f, nil, false
	}
	if size > uint64(len(b)) {
		return f, nil, false
	}
	f.bytes = b[:size]
	return f, b[size:], true
}

// each calls visit with each field of a message. It returns false if visit does, and for what is no message.
func each(b []byte, visit func(field) bool) bool {
	for len(b) > 0 {
		f, rest, ok := next(b)
		if !ok || !visit(f) {
			return false
		}
		b = rest
	}
	return true
}
