package jsonwalk

import "slices"

// longText is how many bytes a string has that Texts has. Shorter ones are looked into as quickly as found there.
const longText = 2 << 10

// Texts are the long strings among the values of a JSON text, in their order, as a walk has found them. Later walks need not look into them.
type Texts []LongText

// LongText is one of them.
type LongText struct {
	Span // quotes included
	Counts
}

// Counts are how many parts strings have that are no characters of one byte.
type Counts struct {
	Escapes int // of any length
	Coded   int // of these, those with four digits
	Wide    int // characters of three bytes
}

// Starts returns the string that starts at a place.
func (t Texts) Starts(at int) (one LongText, ok bool) {
	if i := t.from(at); i < len(t) && t[i].Start == at {
		return t[i], true
	}
	return LongText{}, false
}

// from is the index of the first that starts at a place or behind it.
func (t Texts) from(at int) int {
	i, _ := slices.BinarySearchFunc(t, at, func(one LongText, at int) int { return one.Start - at })
	return i
}

// outlined is how many bytes of a long string an outline has: enough for every value that has a meaning of its own.
const outlined = 128

// AppendOutline appends a piece of the text, which is at a place in it, to another. Of each long string in it only the beginning is
// appended, so that the outline is JSON as long as the text is.
func (t Texts) AppendOutline(to, piece []byte, at int) []byte {
	done := 0
	for _, long := range t[t.from(at):] {
		start, end := long.Start-at, long.End-at
		if end > len(piece) {
			break
		}
		to = append(to, piece[done:start+beginning(piece[start:])]...)
		done = end - len(`"`)
	}
	return append(to, piece[done:]...)
}

// Omitted is at least how many bytes of the piece its outline has not.
func (t Texts) Omitted(piece []byte, at int) (n int) {
	for _, long := range t[t.from(at):] {
		if long.End-at > len(piece) {
			break
		}
		n += long.Len() - outlined - len(`"`)
	}
	return n
}

// beginning is how many bytes a long string begins with that can be followed by its end: no escape and no character is cut in two.
func beginning(text []byte) int {
	at := 1
	for {
		next := at + 1
		switch c := text[at]; {
		case c == '\\':
			next = at + escapeLength(text[at:])
		case c >= 0xF0:
			next = at + 4
		case c >= 0xE0:
			next = at + 3
		case c >= 0xC0:
			next = at + 2
		}
		if next > outlined {
			return at
		}
		at = next
	}
}

// noteText validates the string that comes next, and notes it if it is long.
func (s *Scanner) noteText() bool {
	start, before := s.pos, s.counts
	if !s.str() {
		return false
	}
	if s.pos-start >= longText {
		c := Counts{s.counts.Escapes - before.Escapes, s.counts.Coded - before.Coded, s.counts.Wide - before.Wide}
		*s.opts.Note = append(*s.opts.Note, LongText{Span{start, s.pos}, c})
	}
	return true
}

// passes moves to the end of the string that comes next, if it is known.
func (s *Scanner) passes() bool {
	known, at := s.opts.Known, s.pos+s.opts.At
	for s.passed < len(known) && known[s.passed].Start < at {
		s.passed++
	}
	if s.passed == len(known) || known[s.passed].Start != at || known[s.passed].End-s.opts.At > len(s.data) {
		return false
	}
	s.pos = known[s.passed].End - s.opts.At
	return true
}
