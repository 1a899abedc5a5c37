// Package cited is what dialects share that say from where the pieces of an answer's text stem: where such a piece begins and ends.
package cited

import (
	"strconv"
	"unicode/utf8"

	"github.com/weirproxy/weir/internal/llm"
)

// Length is how long a text is that comes in pieces, as UTF-8.
type Length struct {
	Characters, Bytes int64

	half bool // it ends with one half of a pair of escapes, which counts as a character until the other comes
}

// Add adds a piece.
func (l *Length) Add(piece llm.JSON) {
	for rest := piece.Inner(); len(rest) > 0; {
		rest = l.next(rest)
	}
}

// next adds what a string without its quotes begins with, some letters of ASCII or one character, and returns the rest.
func (l *Length) next(s []byte) []byte {
	n := 0
	for n < len(s) && s[n] < utf8.RuneSelf && s[n] != '\\' {
		n++
	}
	half := l.half
	l.half = false
	switch {
	case n > 0:
		l.count(n, n)
	case s[0] != '\\':
		_, n = utf8.DecodeRune(s)
		l.count(1, n)
	case len(s) < 6 || s[1] != 'u':
		n = min(2, len(s))
		l.count(1, 1)
	default:
		n = 6
		l.escaped(s[2:n], half)
	}
	return s[n:]
}

func (l *Length) count(characters, bytes int) {
	l.Characters += int64(characters)
	l.Bytes += int64(bytes)
}

// escaped adds a character that is spelled by its number. A character beyond the first 65536 is spelled as a pair. Half of a pair is
// read as U+FFFD, which takes three bytes as well.
func (l *Length) escaped(hex []byte, half bool) {
	r, _ := strconv.ParseUint(string(hex), 16, 32)
	switch {
	case r >= 0xD800 && r < 0xDC00:
		l.half = true
		l.count(1, 3)
	case r >= 0xDC00 && r < 0xE000 && half:
		l.count(0, 1)
	case r >= 0xDC00 && r < 0xE000:
		l.count(1, 3)
	default:
		l.count(1, utf8.RuneLen(rune(r)))
	}
}
