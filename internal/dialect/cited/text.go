package cited

import (
	"bytes"

	"github.com/weirproxy/weir/internal/llm"
)

// maxText bounds the text that is kept to hold citations against. The places of a longer one are believed.
const maxText = 64 << 10

// Text is a text that comes in pieces, kept as long as it is no longer than maxText.
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

// Find returns where the words stand that a vendor says are the bytes from start to end: there, or at the nearest place where the text has
// them. ok is false if it has them nowhere. Words that are not told, and those of a text that is not kept, are believed to stand there.
func (t *Text) Find(words string, start, end int64) (from, to int64, ok bool) {
	if words == "" || t.long || int64(len(t.kept)) != t.Bytes {
		return start, end, true
	}
	if end <= t.Bytes && string(t.kept[start:end]) == words {
		return start, end, true
	}
	best := -1
	for at := 0; ; at++ {
		n := bytes.Index(t.kept[at:], []byte(words))
		if n < 0 {
			break
		}
		at += n
		if best < 0 || distance(int64(at), start) < distance(int64(best), start) {
			best = at
		}
	}
	return int64(best), int64(best + len(words)), best >= 0
}

func distance(a, b int64) int64 { return max(a-b, b-a) }
