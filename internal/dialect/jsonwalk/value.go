package jsonwalk

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf8"
	"unsafe"
)

// value validates one value of any kind.
func (s *Scanner) value() bool {
	if s.err != nil {
		return false
	}
	s.space()
	if s.pos >= len(s.data) {
		return s.failHere("a value")
	}
	switch c := s.data[s.pos]; c {
	case '{':
		return s.object()
	case '[':
		return s.array()
	case '"':
		return s.str()
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	default:
		if c == '-' || '0' <= c && c <= '9' {
			return s.number()
		}
		return s.failHere("a value")
	}
}

func (s *Scanner) object() bool {
	if !s.open() {
		return false
	}
	base := len(s.names)
	for {
		more, ok := s.separator('}')
		if !ok {
			return false
		}
		if !more {
			s.forget(base)
			return true
		}
		if !s.memberName(base) || !s.value() {
			return false
		}
	}
}

func (s *Scanner) array() bool {
	if !s.open() {
		return false
	}
	for {
		more, ok := s.separator(']')
		if !ok || !more {
			return ok
		}
		if !s.value() {
			return false
		}
	}
}

func (s *Scanner) literal(word string) bool {
	if len(s.data)-s.pos < len(word) || string(s.data[s.pos:s.pos+len(word)]) != word {
		return s.fail(s.pos, "unknown word, expected a value")
	}
	s.pos += len(word)
	return true
}

// number follows RFC 8259 § 6; numbers of any length pass, for their bytes are forwarded and never computed with.
func (s *Scanner) number() bool {
	if s.data[s.pos] == '-' {
		s.pos++
	}
	switch {
	case s.pos < len(s.data) && s.data[s.pos] == '0':
		s.pos++
	case !s.digits():
		return s.failHere("a digit")
	}
	if s.pos < len(s.data) && s.data[s.pos] == '.' {
		s.pos++
		if !s.digits() {
			return s.failHere("a digit")
		}
	}
	if s.pos < len(s.data) && (s.data[s.pos] == 'e' || s.data[s.pos] == 'E') {
		s.pos++
		if s.pos < len(s.data) && (s.data[s.pos] == '+' || s.data[s.pos] == '-') {
			s.pos++
		}
		if !s.digits() {
			return s.failHere("a digit")
		}
	}
	return true
}

// digits consumes a run of digits and reports whether there was one.
func (s *Scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.data) && '0' <= s.data[s.pos] && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}

// Eight bytes at a time: each mask has the high bit of a byte set where that byte needs a look. Borrows can
// set bits wrongly, but only above the lowest one that is right, and only the lowest is used.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// str validates the string that starts at the current position and stands behind it afterwards.
func (s *Scanner) str() bool {
	data, i := s.data, s.pos+1
	s.escape = false
	for {
		for i+8 <= len(data) {
			w := binary.LittleEndian.Uint64(data[i:])
			quote, slash := w^(ones*'"'), w^(ones*'\\')
			special := ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*0x20)&^w | w) & highs
			if special != 0 {
				i += bits.TrailingZeros64(special) >> 3
				break
			}
			i += 8
		}
		if i >= len(data) {
			return s.fail(len(data), "unexpected end inside a string")
		}
		switch c := data[i]; {
		case c == '"':
			s.pos = i + 1
			return true
		case c == '\\':
			s.escape = true
			n := escapeLength(data[i:])
			if n == 0 {
				return s.fail(i, "invalid escape in a string")
			}
			i += n
		case c < 0x20:
			return s.fail(i, fmt.Sprintf("control character %#02x inside a string must be escaped", c))
		case c < utf8.RuneSelf:
			i++ // the tail of the text, shorter than eight bytes
		default:
			r, n := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && n == 1 {
				return s.fail(i, "invalid UTF-8 inside a string")
			}
			i += n
		}
	}
}

// escapeLength is the length of the escape sequence at the start of b, 0 if it is none.
func escapeLength(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(b) < 6 {
			return 0
		}
		for _, c := range b[2:6] {
			if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
				return 0
			}
		}
		return 6
	}
	return 0
}

// fewNames is how many names of an object are compared one by one; larger objects are compared by a set, so
// that an object of a million members takes linear time.
const fewNames = 24

// unique adds the current name to those of the object whose names begin at base, unless it is there already.
func (s *Scanner) unique(base int) bool {
	name := s.name.Of(s.data)
	name = name[1 : len(name)-1]
	// The names alias the scanned bytes, which nobody changes during the walk.
	key := unsafe.String(unsafe.SliceData(name), len(name))
	if s.escape {
		key, _ = Text(s.name.Of(s.data))
	}
	s.names = append(s.names, key)
	seen := s.names[base:]
	last := len(seen) - 1
	switch {
	case last < fewNames:
		for _, other := range seen[:last] {
			if other == key {
				return s.duplicate(key)
			}
		}
	case !s.setOf(base, seen[:last]).add(seen, last):
		return s.duplicate(key)
	}
	return true
}

// setOf is the set of the names of the object whose names begin at base.
func (s *Scanner) setOf(base int, seen []string) *nameSet {
	set := s.sets[base]
	if set == nil {
		if s.sets == nil {
			s.sets = make(map[int]*nameSet)
		}
		set = newNameSet(seen)
		s.sets[base] = set
	}
	return set
}

// forget drops the names of the object that was just closed.
func (s *Scanner) forget(base int) {
	s.names = s.names[:base]
	if s.sets != nil {
		delete(s.sets, base)
	}
}

func (s *Scanner) duplicate(name string) bool {
	if len(name) > 64 {
		name = name[:64] + "…"
	}
	return s.fail(s.name.Start, fmt.Sprintf("duplicate member name %q", name))
}
