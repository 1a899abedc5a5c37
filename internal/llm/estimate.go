package llm

import (
	"encoding/binary"
	"math/bits"
)

// EstimateTokens estimates the tokens of a JSON string, for providers that do not count them. A token is four bytes of ASCII, two
// letters of another alphabet, or one character of a script that writes whole words in one. It is at least 1.
//
// It counts quarters of a token, eight bytes at a time. An ASCII byte is one quarter. The first byte of a two-byte character is two,
// that of a longer character four. An escape is one, and one with four digits two.
func EstimateTokens(text JSON) int64 {
	var quarters int64
	inner := text.Inner()
	for len(inner) > 0 {
		var word uint64
		n := 8
		if len(inner) >= 8 {
			word = binary.LittleEndian.Uint64(inner)
		} else {
			n = len(inner)
			for i, c := range inner {
				word |= uint64(c) << (8 * i)
			}
		}
		escaped := word ^ each*'\\' // a zero byte for each backslash; the lowest that is found is one
		escaped = (escaped - each) &^ escaped & highest
		if escaped != 0 {
			n = bits.TrailingZeros64(escaped) / 8
			word &= 1<<(8*n) - 1
		}
		quarters += int64(n)
		if word&highest != 0 {
			quarters += correction(word)
		}
		if inner = inner[n:]; escaped == 0 {
			continue
		}
		if len(inner) > 5 && inner[1] == 'u' {
			quarters, inner = quarters+2, inner[6:]
		} else {
			quarters, inner = quarters+1, inner[min(2, len(inner)):]
		}
	}
	return max((quarters+3)/4, 1)
}

const (
	each    = 0x0101010101010101 // a one in each byte of a word
	highest = 0x8080808080808080 // the highest bit of each
)

// correction is what the bytes of a word count in addition to one each.
func correction(word uint64) int64 {
	high, second, third := word&highest, word<<1&highest, word<<2&highest
	following := bits.OnesCount64(high &^ second)   // 10xxxxxx counts nothing
	leading := bits.OnesCount64(high & second)      // 11xxxxxx counts two
	long := bits.OnesCount64(high & second & third) // 111xxxxx counts four
	return int64(leading + 2*long - following)
}
