package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// tokenBytes is how long a simulated token is.
const tokenBytes = 4

// split cuts text into tokens of tokenBytes bytes; a character is never cut, so that one may be shorter.
func split(text string) []string {
	tokens := make([]string, 0, len(text)/tokenBytes+1)
	for len(text) > 0 {
		n := tokenLen(text)
		tokens = append(tokens, text[:n])
		text = text[n:]
	}
	return tokens
}

// count is the number of tokens in text.
func count(text string) int {
	n := 0
	for len(text) > 0 {
		text = text[tokenLen(text):]
		n++
	}
	return n
}

// tokenLen is the length of text's first token.
func tokenLen(text string) int {
	if len(text) <= tokenBytes {
		return len(text)
	}
	n := tokenBytes
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	if n == 0 { // not UTF-8 at all
		return tokenBytes
	}
	return n
}

// sentence is what every text of an answer begins with.
func (c *call) sentence() string {
	if c.script.Name == "" {
		return simulated
	}
	return c.script.Name + ": " + simulated
}

// fit repeats or cuts text to so many tokens; 0 leaves it as it is.
func fit(text string, tokens int) string {
	if tokens == 0 || text == "" {
		return text
	}
	for count(text) < tokens {
		text += " " + text
	}
	end := 0
	for range tokens {
		end += tokenLen(text[end:])
	}
	return text[:end]
}

// excerpt is the start of text, one line of at most size bytes.
func excerpt(text string, size int) string {
	text = strings.ToValidUTF8(text[:min(len(text), 4*size)], "") // the cut may go through a rune
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= size {
		return text
	}
	end := size
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// id makes the call's identifier for one of the things in its answer.
func (c *call) id(prefix string) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], c.script.Seed)
	binary.BigEndian.PutUint64(b[8:], c.number)
	sum := sha256.Sum256(append(b[:], prefix...))
	return prefix + hex.EncodeToString(sum[:12])
}
