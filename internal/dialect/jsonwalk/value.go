package jsonwalk

import (
	"fmt"
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
		switch {
		case len(s.opts.Known) > 0 && s.passes():
			return true
		case s.opts.Note != nil:
			return s.noteText()
		}
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

// fewNames is how many names of an object are compared one by one. Larger objects use a set, so that an object of
// a million members takes linear time.
const fewNames = 24

// unique adds the current name to those of the object whose names begin at base, unless it is there already.
func (s *Scanner) unique(base int) bool {
	name := s.name.Of(s.data)
	name = name[1 : len(name)-1]
	// The names alias the scanned bytes, which do not change during the walk.
	key := unsafe.String(unsafe.SliceData(name), len(name))
	if s.escape {
		key, _ = Text(s.name.Of(s.data))
	}
	if s.names == nil {
		s.names = make([]string, 0, 16) // as many as the objects open at once have in a usual request
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
	default:
		set := s.setOf(base, seen[:last])
		if set.full() && !s.roomFor(set) {
			return false
		}
		if !set.add(seen, last) {
			return s.duplicate(key)
		}
	}
	return true
}

// roomFor asks for the room that the set takes when it grows.
func (s *Scanner) roomFor(set *nameSet) bool {
	if s.opts.Room == nil || s.opts.Room.Grow(bytesPerSlot*len(set.slots)) {
		return true
	}
	if s.err == nil {
		s.err = &SyntaxError{Offset: s.pos, Message: "an object with more members than there is room for", Cause: ErrNoRoom}
	}
	return false
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
	if set := s.sets[base]; set != nil {
		if s.opts.Room != nil {
			s.opts.Room.Grow(-bytesPerSlot * (len(set.slots) - firstSlots))
		}
		delete(s.sets, base)
	}
}

func (s *Scanner) duplicate(name string) bool {
	if len(name) > 64 {
		name = name[:64] + "…"
	}
	return s.fail(s.name.Start, fmt.Sprintf("duplicate member name %q", name))
}
