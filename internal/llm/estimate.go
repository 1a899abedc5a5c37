package llm

import (
	"encoding/binary"
	"math/bits"
)

// EstimateTokens estimates the tokens of a JSON string, for providers that do not count them. A token is four bytes of ASCII, two
// letters of another alphabet, or one character of a script that writes whole words in one. It is at least 1.
//
// It counts quarters of a token: each byte is one, and what differs is added or taken away. The first byte of a two-byte character is
// two, that of a longer character four, and bytes that follow are none. An escape is one, and one with four digits two. It looks at
// eight bytes at a time, and at those of a block alone if they are not all plain.
func EstimateTokens(text JSON) int64 {
	inner := text.Inner()
	quarters := int64(len(inner))
	var e escapes
	for ; len(inner) >= 32; inner = inner[32:] {
		a, b := binary.LittleEndian.Uint64(inner), binary.LittleEndian.Uint64(inner[8:])
		c, d := binary.LittleEndian.Uint64(inner[16:]), binary.LittleEndian.Uint64(inner[24:])
		if e.begun|mayEscape(a)|mayEscape(b)|mayEscape(c)|mayEscape(d) != 0 {
			quarters -= e.less(a) + e.less(b) + e.less(c) + e.less(d)
		}
		if (a|b|c|d)&highest != 0 {
			quarters += beyondASCII(a) + beyondASCII(b) + beyondASCII(c) + beyondASCII(d)
		}
	}
	for len(inner) > 0 {
		var last [8]byte
		inner = inner[copy(last[:], inner):]
		word := binary.LittleEndian.Uint64(last[:])
		quarters += beyondASCII(word) - e.less(word)
	}
	return tokensOf(quarters)
}

// TokensOf is EstimateTokens for a text of so many bytes whose escapes, of these those with four digits, and characters of three bytes were
// counted before.
func TokensOf(bytes, escapes, coded, wide int) int64 {
	return tokensOf(int64(bytes - escapes - 3*coded + wide))
}

func tokensOf(quarters int64) int64 { return max((quarters+3)/4, 1) }

const (
	each    = 0x0101010101010101 // a one in each byte of a word
	highest = 0x8080808080808080 // the highest bit of each
)

// mayEscape is not zero if a word has a backslash, and seldom else.
func mayEscape(word uint64) uint64 {
	word ^= each * '\\'
	return (word - each) &^ word & highest
}

// are has the highest bit set of each byte of a word that is c.
func are(word uint64, c byte) uint64 {
	word ^= each * uint64(c)
	return ^((word &^ highest) + (each * 0x7f) | word) & highest
}

// escapes finds the escapes in words that come one after the other.
type escapes struct{ begun uint64 } // the highest bit of the first byte of the next word, if an escape has begun before it

// less is what the escapes of the next word count less than one for each of their bytes.
func (e *escapes) less(word uint64) int64 {
	begin := are(word, '\\')
	escaped := begin<<8 | e.begun
	if begin&escaped != 0 {
		begin = beginnings(begin, e.begun)
		escaped = begin<<8 | e.begun
	}
	e.begun = begin >> 56
	return int64(bits.OnesCount64(begin) + 3*bits.OnesCount64(escaped&are(word, 'u')))
}

// beginnings are those of a word's backslashes that begin an escape, and are not escaped themselves.
func beginnings(backslashes, begun uint64) (begin uint64) {
	for at := uint64(0x80); at != 0; at <<= 8 {
		if backslashes&at != 0 && begun&at == 0 {
			begin |= at
			begun = at << 8
		}
	}
	return begin
}

// beyondASCII is what the bytes of other characters count in addition to one each.
func beyondASCII(word uint64) int64 {
	high, second, third := word&highest, word<<1&highest, word<<2&highest
	following := bits.OnesCount64(high &^ second)   // 10xxxxxx counts nothing
	leading := bits.OnesCount64(high & second)      // 11xxxxxx counts two
	long := bits.OnesCount64(high & second & third) // 111xxxxx counts four
	return int64(leading + 2*long - following)
}
