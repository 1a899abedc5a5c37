package cited

import (
	"bytes"

	"github.com/weirproxy/weir/internal/llm"
)

// Block is the block of text that is open, of an answer by an API that cites whole blocks. The citations of one may come before what it
// says, so they are held until it ends.
type Block struct {
	text   Length // of the answer
	open   bool
	number int
	from   int64 // where it begins
	held   []llm.Citation
	bytes  int // that they take
}

// maxHeld and maxBytes bound what a block can make us remember.
const (
	maxHeld  = 1000
	maxBytes = 256 << 10
)

// Begin begins a block of text.
func (b *Block) Begin(number int) {
	b.open, b.number, b.from = true, number, b.text.Characters
	b.held, b.bytes = b.held[:0], 0
}

// Say adds a piece to the text.
func (b *Block) Say(piece llm.JSON) { b.text.Add(piece) }

// Cite adds a source of a block, if it has an address: OpenAI's API knows no others.
func (b *Block) Cite(number int, url, title llm.JSON) {
	b.bytes += len(url) + len(title)
	if !b.open || b.number != number || len(url.Inner()) == 0 || len(b.held) == maxHeld || b.bytes > maxBytes {
		return
	}
	b.held = append(b.held, llm.Citation{Start: b.from, URL: bytes.Clone(url), Title: bytes.Clone(title)})
}

// End ends a block, and tells its citations, which are about all that it says.
func (b *Block) End(number int, tell func(*llm.Event)) {
	if !b.open || b.number != number {
		return
	}
	b.open = false
	for i := range b.held {
		if b.held[i].End = b.text.Characters; b.held[i].End > b.from {
			tell(&llm.Event{Kind: llm.Cited, Citation: &b.held[i]})
		}
	}
}

// Open is the number of the block that is open, as far as a citation is about all of it; ok is false if it is not.
func (b *Block) Open(c *llm.Citation) (number int, ok bool) {
	return b.number, b.open && c.Start == b.from && c.End == b.text.Characters && c.End > c.Start
}
