// Package jsonwalk reads JSON strictly, in place and once. It validates what it passes over, returns the offsets
// that the caller asks for, and copies nothing. It alone decides whether a body is JSON, and Weir forwards the
// bytes that it accepted, so that no two readers can disagree.
//
// Grammar: RFC 8259. Raw bytes that are not UTF-8 are refused (RFC 8259 § 8.1). On request, duplicate member names
// are refused at every level (RFC 7493 § 2.3), including escaped spellings of a name. Lone surrogate escapes such
// as "\ud83d" pass: they are legal grammar and callers send them.
package jsonwalk

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// Span is a range of offsets into the scanned bytes.
type Span struct{ Start, End int }

// Of returns the bytes of data within the span.
func (s Span) Of(data []byte) []byte { return data[s.Start:s.End] }

// Len is the number of bytes covered.
func (s Span) Len() int { return s.End - s.Start }

// SyntaxError says why the bytes are not acceptable JSON, and where.
type SyntaxError struct {
	Offset  int // bytes before the fault
	Message string
	Cause   error // ErrNoRoom, or nil
}

// Error implements error.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at offset %d", e.Message, e.Offset) }

// Unwrap gives the cause.
func (e *SyntaxError) Unwrap() error { return e.Cause }

// ErrNoRoom is wrapped by the error of a walk that was refused room for what it has to remember.
var ErrNoRoom = errors.New("no room to remember the names of an object")

// Room is asked before a walk remembers more than a few kilobytes: the names of a very large object take several times
// its length. A negative number gives bytes back.
type Room interface {
	Grow(bytes int) bool
}

// Options are the strictness of a walk.
type Options struct {
	MaxDepth int  // containers that may be open at once; 0 is no limit beyond 10,000
	Unique   bool // refuse an object that names a member twice
	Room     Room // nil is room for anything

	Note  *Texts // gets the long strings that are walked over; nil notes none
	Known Texts  // those of a text that was walked over before: they are passed over without another look
	At    int    // where the scanned bytes begin in that text
}

// hardDepth bounds the recursion when the caller sets no limit.
const hardDepth = 10000

// A Scanner walks over one JSON text. The caller pulls: EnterObject and NextMember step through an object,
// EnterArray and NextElement through an array, Skip passes over a value and validates it. The first error sticks:
// every later call reports "no more", and Err returns it. After NextMember or NextElement returned true the value
// must be consumed, by Skip or by entering it, before the next step.
//
// A Scanner is not safe for concurrent use; Reset makes it usable for another text with the same memory.
type Scanner struct {
	data   []byte
	pos    int
	depth  int
	opts   Options
	first  bool // nothing was read yet of the innermost open container
	name   Span // the current member's name, quotes included
	escape bool // the last string read holds a backslash
	err    *SyntaxError
	counts Counts // of all strings read so far
	passed int    // how many of opts.Known are behind

	names  []string         // names seen, of all open objects, when opts.Unique
	frames []int            // for each open object that was entered: where its names begin, when opts.Unique
	sets   map[int]*nameSet // the names of large open objects, by where they begin in names
}

// NewScanner returns a scanner at the start of data.
func NewScanner(data []byte, opts Options) *Scanner {
	s := new(Scanner)
	s.Reset(data, opts)
	return s
}

// Reset starts over with data. Inlined, what it sets would be built in the frame of its caller, which may be on the stack of a stream that
// waits.
//
//go:noinline
func (s *Scanner) Reset(data []byte, opts Options) {
	if opts.MaxDepth <= 0 || opts.MaxDepth > hardDepth {
		opts.MaxDepth = hardDepth
	}
	*s = Scanner{data: data, opts: opts, names: s.names[:0], frames: s.frames[:0], passed: opts.Known.from(opts.At)}
}

// scanners are those that no walk needs at the moment.
var scanners = sync.Pool{New: func() any { return new(Scanner) }}

// Borrow is NewScanner with memory that walks before have used. The scanner must be given back by Return, or let go of.
func Borrow(data []byte, opts Options) *Scanner {
	s := scanners.Get().(*Scanner)
	s.Reset(data, opts)
	return s
}

// keptNames is how many names a scanner may have had room for if others are to use its memory.
const keptNames = 256

// Return ends the use of a borrowed scanner. Nothing of what it read is held any more.
func (s *Scanner) Return() {
	if cap(s.names) > keptNames || cap(s.frames) > keptNames {
		return
	}
	clear(s.names[:cap(s.names)])
	s.Reset(nil, Options{})
	scanners.Put(s)
}

// Fail ends the walk for a reason of the caller's own, unless it has failed already.
func (s *Scanner) Fail(message string) { s.fail(s.pos, message) }

// Err is the first error met, nil if none.
func (s *Scanner) Err() error {
	if s.err == nil {
		return nil
	}
	return s.err
}

// Pos is the offset of the next byte to read.
func (s *Scanner) Pos() int { return s.pos }

// Kind is the first byte of the value that comes next, with '0' for any number and 0 for none or an error.
func (s *Scanner) Kind() byte {
	if s.err != nil {
		return 0
	}
	s.space()
	if s.pos >= len(s.data) {
		return 0
	}
	c := s.data[s.pos]
	if c == '-' || '0' <= c && c <= '9' {
		return '0'
	}
	return c
}

// EnterObject opens the object that comes next; it reports false, and fails, if something else does.
func (s *Scanner) EnterObject() bool {
	if s.Kind() != '{' {
		return s.fail(s.pos, "expected an object")
	}
	if !s.open() {
		return false
	}
	if s.opts.Unique {
		if s.frames == nil {
			s.frames = make([]int, 0, 8) // few texts are nested deeper where their objects are entered
		}
		s.frames = append(s.frames, len(s.names))
	}
	return true
}

// NextMember steps to the next member of the object entered last and reports whether it has one. If not, the
// object is closed and the scanner is after it.
func (s *Scanner) NextMember() bool {
	if s.err != nil {
		return false
	}
	more, ok := s.separator('}')
	if !ok {
		return false
	}
	if !s.opts.Unique {
		return more && s.memberName(0)
	}
	last := len(s.frames) - 1
	if !more {
		s.forget(s.frames[last])
		s.frames = s.frames[:last]
		return false
	}
	return s.memberName(s.frames[last])
}

// Name is the current member's name without quotes, escapes resolved. It is valid until the next step.
func (s *Scanner) Name() []byte {
	raw := s.name.Of(s.data)
	if s.escape {
		text, _ := Text(raw)
		return []byte(text)
	}
	return raw[1 : len(raw)-1]
}

// NameSpan is the current member's name, quotes included.
func (s *Scanner) NameSpan() Span { return s.name }

// EnterArray opens the array that comes next; it reports false, and fails, if something else does.
func (s *Scanner) EnterArray() bool {
	if s.Kind() != '[' {
		return s.fail(s.pos, "expected an array")
	}
	return s.open()
}

// NextElement steps to the next element of the array entered last and reports whether it has one. If not, the
// array is closed and the scanner is after it.
func (s *Scanner) NextElement() bool {
	if s.err != nil {
		return false
	}
	more, ok := s.separator(']')
	return ok && more
}

// Skip validates the next value, whatever it is, and returns its span.
func (s *Scanner) Skip() Span {
	s.space()
	start := s.pos
	s.value()
	if s.err != nil {
		return Span{}
	}
	return Span{start, s.pos}
}

// End fails unless only white space is left.
func (s *Scanner) End() error {
	if s.err == nil {
		s.space()
		if s.pos < len(s.data) {
			s.fail(s.pos, "unexpected data after the JSON value")
		}
	}
	return s.Err()
}

// Valid validates the whole of data as one JSON value.
func Valid(data []byte, opts Options) error {
	s := NewScanner(data, opts)
	s.Skip()
	return s.End()
}

// Text returns the value of a JSON string that was validated, and false if raw is no string. Lone surrogate
// escapes become U+FFFD.
func Text(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	inner := raw[1 : len(raw)-1]
	for _, c := range inner {
		if c == '\\' {
			var text string
			err := json.Unmarshal(raw, &text)
			return text, err == nil
		}
	}
	return string(inner), true
}

func (s *Scanner) fail(at int, message string) bool {
	if s.err == nil {
		s.err = &SyntaxError{Offset: at, Message: message}
	}
	return false
}

// failHere fails at the current position, naming what is there.
func (s *Scanner) failHere(expected string) bool {
	if s.pos >= len(s.data) {
		return s.fail(s.pos, "unexpected end, expected "+expected)
	}
	return s.fail(s.pos, fmt.Sprintf("unexpected %q, expected %s", s.data[s.pos], expected))
}

func (s *Scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\n', '\r', '\t':
			s.pos++
		default:
			return
		}
	}
}

// open consumes the bracket of a container.
func (s *Scanner) open() bool {
	if s.depth++; s.depth > s.opts.MaxDepth {
		return s.fail(s.pos, fmt.Sprintf("nested deeper than %d levels", s.opts.MaxDepth))
	}
	s.pos++
	s.first = true
	return true
}

// separator consumes the comma between the values of a container, or its closing bracket.
func (s *Scanner) separator(closing byte) (more, ok bool) {
	s.space()
	if s.pos >= len(s.data) {
		return false, s.failHere(`"," or "` + string(closing) + `"`)
	}
	switch c := s.data[s.pos]; {
	case c == closing:
		s.pos++
		s.depth--
		s.first = false
		return false, true
	case s.first:
		s.first = false
		return true, true
	case c == ',':
		s.pos++
		return true, true
	default:
		return false, s.failHere(`"," or "` + string(closing) + `"`)
	}
}

// memberName consumes a name and its colon; base is where the names of this object begin.
func (s *Scanner) memberName(base int) bool {
	s.space()
	start := s.pos
	if start >= len(s.data) || s.data[start] != '"' {
		return s.failHere("a member name in quotes")
	}
	if !s.str() {
		return false
	}
	s.name = Span{start, s.pos}
	if s.opts.Unique && !s.unique(base) {
		return false
	}
	s.space()
	if s.pos >= len(s.data) || s.data[s.pos] != ':' {
		return s.failHere(`":"`)
	}
	s.pos++
	return true
}
