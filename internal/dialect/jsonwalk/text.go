package jsonwalk

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

// Eight bytes at a time: each mask has the high bit of a byte set where that byte needs a look. Borrows can
// set bits wrongly, but only above the lowest one that is right, and only the lowest is used.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// shortText is how much of a string is read word by word before whole blocks are: most strings end before.
const shortText = 32

// str validates the string that starts at the current position, and moves to the end of it.
func (s *Scanner) str() bool {
	data, i := s.data, s.pos+1
	s.escape = false
	words := len(data) // where reading by words ends
	if len(data)-i >= shortText+blockSize {
		words = i + shortText
	}
	for {
		for i+8 <= words {
			w := binary.LittleEndian.Uint64(data[i:])
			quote, slash := w^(ones*'"'), w^(ones*'\\')
			special := ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*0x20)&^w | w) & highs
			if special != 0 {
				i += bits.TrailingZeros64(special) >> 3
				break
			}
			i += 8
		}
		if i+8 > words && words < len(data) {
			if i = s.blocks(i); i < 0 {
				return false
			}
			words = len(data)
			continue
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
			if s.counts.Escapes++; n > len(`\n`) {
				s.counts.Coded++
			}
			i += n
		case c < 0x20:
			return s.control(i)
		case c < utf8.RuneSelf:
			i++ // the tail of the text, shorter than eight bytes
		default:
			if i = s.runes(i); i < 0 {
				return false
			}
		}
	}
}

func (s *Scanner) control(at int) bool {
	return s.fail(at, fmt.Sprintf("control character %#02x inside a string must be escaped", s.data[at]))
}

// runes validates the run of characters beyond ASCII at i and returns where it ends, -1 if it is not UTF-8.
func (s *Scanner) runes(i int) int {
	for i < len(s.data) && s.data[i] >= utf8.RuneSelf {
		r, n := utf8.DecodeRune(s.data[i:])
		if r == utf8.RuneError && n == 1 {
			s.fail(i, "invalid UTF-8 inside a string")
			return -1
		}
		if n == 3 {
			s.counts.Wide++
		}
		i += n
	}
	return i
}

// blockSize is how many bytes a masks describes, a bit for each.
const blockSize = 64

// masks say which bytes of a block are what.
type masks struct {
	quote, slash uint64
	odd          uint64 // control characters, and bytes beyond ASCII
	simple       uint64 // may follow a backslash, and nothing else belongs to the escape then
}

// blocks validates the text of a string from i on, in blocks. It returns the place of the closing quote, or one with
// less than a block left, or -1 if the text is invalid. Which bytes are escaped is computed for a whole block at once,
// without a branch for each backslash. See Langdale and Lemire, Parsing Gigabytes of JSON per Second, § 3.1.1.
func (s *Scanner) blocks(i int) int {
	data := s.data
	carried := uint64(0) // 1 if the first byte of the block is escaped by the last one before
	for len(data)-i >= blockSize {
		m := classify((*[blockSize]byte)(data[i:]))
		if m.slash|m.quote|m.odd|carried == 0 {
			i += blockSize
			continue
		}
		escaped, next := escapedBytes(m.slash, carried)
		stop := (m.quote | m.odd) &^ escaped
		looked := stop&-stop - 1 // the bytes before the first stop; all without one
		if stop == 0 {
			looked = ^uint64(0)
		}
		if escaped &= looked; escaped|carried != 0 {
			s.escape = true
			s.counts.Escapes += bits.OnesCount64(escaped)
			if letters := escaped &^ m.simple; letters != 0 && !s.escapes(i, letters) {
				return -1
			}
		}
		if stop == 0 {
			i, carried = i+blockSize, next
			continue
		}
		i += bits.TrailingZeros64(stop)
		carried = 0
		switch c := data[i]; {
		case c == '"':
			return i
		case c < 0x20:
			s.control(i)
			return -1
		}
		if i = s.runes(i); i < 0 {
			return -1
		}
	}
	if carried != 0 { // the rest is read from the backslash on
		s.escape = true
		return i - 1
	}
	return i
}

// escapedBytes says which bytes of a block are escaped, and whether the first byte of the next one is.
func escapedBytes(slash, carried uint64) (escaped, next uint64) {
	if slash == 0 {
		return carried, 0
	}
	const even = 0x5555555555555555
	slash &^= carried
	follows := slash<<1 | carried
	starts, next := bits.Add64(slash&^even&^follows, slash, 0)
	return (even ^ starts<<1) & follows, next
}

// escapes validates the escapes at i whose letters are marked: those that are not of one letter.
func (s *Scanner) escapes(i int, letters uint64) bool {
	s.counts.Coded += bits.OnesCount64(letters)
	for ; letters != 0; letters &= letters - 1 {
		at := i + bits.TrailingZeros64(letters) - 1
		if escapeLength(s.data[at:]) == 0 {
			return s.fail(at, "invalid escape in a string")
		}
	}
	return true
}

// escapeLength is the length of the escape sequence at the start of b, 0 if it is invalid.
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

// classifyWords is classify eight bytes at a time.
func classifyWords(block *[blockSize]byte) (m masks) {
	for at := 0; at < blockSize; at += 8 {
		w := binary.LittleEndian.Uint64(block[at:])
		quote, slash := zeros(w^ones*'"'), zeros(w^ones*'\\')
		simple := quote | slash | zeros(w^ones*'/') | zeros(w^ones*'b') | zeros(w^ones*'f') | zeros(w^ones*'n') | zeros(w^ones*'r') | zeros(w^ones*'t')
		m.quote |= gather(quote) << at
		m.slash |= gather(slash) << at
		m.odd |= gather(zeros(w&(ones*0xe0))|w&highs) << at // no control character has one of the upper three bits
		m.simple |= gather(simple) << at
	}
	return m
}

// zeros marks with its high bit each byte of w that is zero, and no other.
func zeros(w uint64) uint64 {
	return ^((w&^highs + ^uint64(highs)) | w | ^uint64(highs))
}

// gather puts the high bits of the eight bytes next to each other, the lowest byte's first.
func gather(marks uint64) uint64 { return marks >> 7 * 0x0102040810204080 >> 56 }
