package cited

import (
	"bytes"
	"unicode/utf8"

	"github.com/weirproxy/weir/internal/llm"
)

// maxText bounds the text that is kept to hold citations against. The places of a longer one are believed.
const maxText = 64 << 10

// Text is a text that comes in pieces. It is kept up to maxText.
type Text struct {
	Places
	kept []byte
	long bool
}

// Held is about how many bytes are remembered.
func (t *Text) Held() int { return t.Places.Held() + cap(t.kept) }

// Add adds a piece.
func (t *Text) Add(piece llm.JSON) {
	t.Places.Add(piece)
	switch {
	case t.long:
	case len(t.kept)+len(piece) > maxText:
		t.kept, t.long = nil, true
	case bytes.IndexByte(piece, '\\') < 0:
		t.kept = append(t.kept, piece.Inner()...)
	default:
		t.kept = append(t.kept, piece.Text()...)
	}
}

// Find returns the place of words that a vendor puts at the bytes from start to end: there, or at the nearest place where the text
// has them. ok is false if it has them nowhere. Without words, or without the text, it believes the vendor.
func (t *Text) Find(words string, start, end int64) (from, to int64, ok bool) {
	if t.believes(words) || end <= t.Bytes && string(t.kept[start:end]) == words {
		return start, end, true
	}
	at := nearest(t.kept, words, int(min(start, t.Bytes)))
	return int64(at), int64(at + len(words)), at >= 0
}

// FindCharacters does what Find does, for places that are counted in characters.
func (t *Text) FindCharacters(words string, start, end int64) (from, to int64, ok bool) {
	if t.believes(words) {
		return start, end, true
	}
	first, last, ok := t.Find(words, int64(Offset(t.kept, start)), int64(Offset(t.kept, end)))
	if !ok {
		return -1, -1, false
	}
	from = int64(utf8.RuneCount(t.kept[:first]))
	return from, from + int64(utf8.RuneCount(t.kept[first:last])), true
}

// believes reports whether a place cannot be checked.
func (t *Text) believes(words string) bool {
	return words == "" || t.long || int64(len(t.kept)) != t.Bytes
}

// nearest is the place in a text, nearest to a given one, that has the words; -1 without one. It takes time by the text's length
// alone, whatever the words are.
func nearest(text []byte, words string, place int) int {
	before := bytes.LastIndex(text[:min(len(text), place+len(words))], []byte(words))
	after := bytes.Index(text[place:], []byte(words))
	if after < 0 || before >= 0 && place-before <= after {
		return before
	}
	return place + after
}

// Offset is the byte at which a character of a text begins; after the last one, the text's length.
func Offset(text []byte, character int64) int {
	at := 0
	for ; character > 0 && at < len(text); character-- {
		_, n := utf8.DecodeRune(text[at:])
		at += n
	}
	return at
}
