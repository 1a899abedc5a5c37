package sse

import "bytes"

const (
	// Done is the event that ends a stream of the OpenAI dialect.
	Done = "data: [DONE]\n\n"
	// KeepAlive is the comment that keeps a silent stream open. It has one newline: a blank line after a
	// comment makes several clients see an empty event. It may be written between events only.
	KeepAlive = ": keep-alive\n"
)

// AppendEvent appends the event whose data is json and returns the extended slice. Line breaks in json,
// which JSON allows between its tokens only, become spaces: an event is always one line.
func AppendEvent(dst, json []byte) []byte {
	dst = append(dst, prefix...)
	return EndEvent(append(dst, json...), len(json))
}

const prefix = "data: "

// BeginEvent appends the bytes before an event's data, and EndEvent those after it. The last size bytes are the data, as
// AppendEvent takes it. Between the two the data is appended.
func BeginEvent(dst []byte) []byte { return append(dst, prefix...) }

// EndEvent is the end of what BeginEvent began.
func EndEvent(dst []byte, size int) []byte {
	data := dst[len(dst)-size:]
	spaceOut(data, '\n')
	spaceOut(data, '\r')
	return append(dst, "\n\n"...)
}

// AppendName appends the line with the name of the event that BeginEvent begins next.
func AppendName(dst, name []byte) []byte {
	return append(append(append(dst, "event: "...), name...), '\n')
}

// Payload is the data of an event that AppendEvent made.
func Payload(event []byte) []byte { return event[len(prefix) : len(event)-len("\n\n")] }

// spaceOut replaces every c in b by a space.
func spaceOut(b []byte, c byte) {
	for i := bytes.IndexByte(b, c); i >= 0; i = bytes.IndexByte(b, c) {
		b[i] = ' '
		b = b[i+1:]
	}
}
