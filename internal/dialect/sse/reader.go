// Package sse reads and writes server-sent events, the framing of streamed answers. It reads all that the WHATWG
// specification allows, and ends without a blank line, which some providers send. It writes only one form, which
// every known client reads.
package sse

import (
	"bytes"
	"errors"
	"io"
)

// maxEmptyReads is how often a source may return neither bytes nor an error before it counts as broken.
const maxEmptyReads = 100

// byteOrderMark is skipped at the start of a stream, and nowhere else.
const byteOrderMark = "\xef\xbb\xbf"

// maxType is how much of an event's type is kept: real types are shorter.
const maxType = 64

// maxAsked is how many lines of an event's data Whole is asked about. Each time it looks at all of them.
const maxAsked = 16

// ErrEventTooLarge is returned by Next when a line, together with the event's data before it, is longer than the
// reader's bound.
var ErrEventTooLarge = errors.New("sse: event too large")

// ErrNoRoom is returned by Next when memory has no room for an event.
var ErrNoRoom = errors.New("sse: no room for the event")

// Room is asked before a reader holds more than a few kilobytes. A negative number gives them back.
type Room interface {
	Grow(bytes int) bool
}

// Event is one server-sent event.
type Event struct {
	Type string // the value of its last "event:" line, at most 64 bytes of it, "" without one
	Data []byte // its data lines joined by \n, valid until the next call of Next; never nil
}

// Reader splits a byte stream into events. It is not safe for concurrent use.
//
// Lines may end in LF, CR or CRLF, in any mixture. A byte order mark at the start, comments, and all
// fields but "data" and "event" are skipped. Events without a data line are skipped too; an empty data line
// makes an event with empty Data. An event that is still open at the end of the stream is delivered.
type Reader struct {
	// Whole, if set before the first Next, reports whether data is a complete event. A further data line then begins
	// another event, for vendors that separate events by a single line end. A data line that continues unfinished data
	// still belongs to it. It is asked about no more than the first 16 lines.
	Whole func(data []byte) bool

	// Room, if set before the first Next, bounds what the reader holds. What it was asked for at the end of a stream
	// stays asked for.
	Room Room

	src io.Reader
	max int
	err error // sticky: what the source ended with, ErrEventTooLarge or ErrNoRoom

	buffer
	// skipLF says that the line before pos ended in CR: a LF at pos belongs to it.
	skipLF bool
	// started says that the first line, which may begin with a byte order mark, has been read.
	started bool

	typ   string // type of the event being read
	lines int    // number of lines of its data
	ready bool   // the event is complete and waits for Next

	// lastType saves making the same string again for every event of a stream.
	lastType string
}

// NewReader returns a reader of src. maxEvent bounds, in bytes, a line (its field name included) together with the data
// of its event before it.
func NewReader(src io.Reader, maxEvent int) *Reader {
	return &Reader{src: src, max: maxEvent}
}

// Reset makes the reader start on src, with the same bound and the same buffer.
func (r *Reader) Reset(src io.Reader) {
	*r = Reader{Whole: r.Whole, Room: r.Room, src: src, max: r.max, lastType: r.lastType, buffer: buffer{buf: r.small, small: r.small}}
}

// Next returns the next event. It returns io.EOF at the clean end of the stream, ErrEventTooLarge, or the
// source's own error unwrapped; after an error it returns that error again. On an error other than io.EOF
// the event that was being read is lost.
func (r *Reader) Next() (Event, error) {
	for !r.Buffered() {
		if r.err == io.EOF && r.finish() {
			break
		}
		if r.err != nil {
			return Event{}, r.err
		}
		r.fill()
	}
	ev := Event{Type: r.typ, Data: r.data()}
	r.reset()
	return ev, nil
}

// Buffered reports whether the next event is complete already, so that Next returns it without reading.
// It leaves the Data of the event before untouched, and Next does not parse again what it parsed.
func (r *Reader) Buffered() bool {
	for !r.ready && r.err != ErrEventTooLarge {
		if r.skipLF && r.pos < r.end {
			r.skipLF = false
			if r.buf[r.pos] == '\n' {
				r.pos++
			}
		}
		from, to := r.pos, r.lineEnd()
		if to < 0 { // an unfinished line is measured too: it must not fill the memory
			if r.before()+r.end-from > r.max {
				r.err = ErrEventTooLarge
			}
			return false
		}
		r.skipLF = r.buf[to] == '\r'
		r.pos = to + 1
		r.line(from, to)
	}
	return r.ready
}

// fill reads once. An error is kept in r.err: the events that came before it are delivered first.
func (r *Reader) fill() {
	if !r.makeRoom(r.Room, r.max) {
		r.err = ErrNoRoom
		return
	}
	for range maxEmptyReads {
		free := r.buf[r.end:]
		n, err := r.src.Read(free)
		r.read(n, len(free))
		r.err = err
		if n > 0 || err != nil {
			return
		}
	}
	r.err = io.ErrNoProgress
}

// finish ends the last line and the last event of a stream that left them open, and reports whether that
// made an event.
func (r *Reader) finish() bool {
	if r.pos < r.end {
		from := r.pos
		r.pos = r.end
		r.line(from, r.end)
	}
	r.ready = r.hasData && r.err == io.EOF
	return r.ready
}

// reset starts the next event.
func (r *Reader) reset() {
	r.typ, r.ready, r.hasData, r.lines = "", false, false, 0
}

// line parses the line buf[from:to], which lies before pos.
func (r *Reader) line(from, to int) {
	if r.before()+to-from > r.max {
		r.err = ErrEventTooLarge
		return
	}
	if !r.started {
		r.started = true
		if bytes.HasPrefix(r.buf[from:to], []byte(byteOrderMark)) {
			from += len(byteOrderMark)
		}
	}
	if from == to {
		if r.ready = r.hasData; !r.ready {
			r.reset()
		}
		return
	}
	line := r.buf[from:to]
	name := line
	value := to
	if colon := bytes.IndexByte(line, ':'); colon >= 0 {
		name = line[:colon]
		value = from + colon + 1
		if value < to && r.buf[value] == ' ' {
			value++
		}
	}
	switch string(name) {
	case "data":
		if r.hasData && r.Whole != nil && r.lines <= maxAsked && r.Whole(r.data()) {
			r.pos, r.skipLF, r.ready = from, false, true // the line is read again, as the start of the next event
			return
		}
		r.addData(value, to)
		r.lines++
	case "event":
		r.setType(r.buf[value:min(to, value+maxType)])
	}
}

func (r *Reader) setType(value []byte) {
	if string(value) != r.lastType {
		r.lastType = string(value)
	}
	r.typ = r.lastType
}
