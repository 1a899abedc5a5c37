package cited

import (
	"bytes"

	"github.com/weirproxy/weir/internal/llm"
)

// Block is the last block of text so far, of an answer by an API that cites whole blocks. The citations of one may come before what it
// says, or stand in a block of their own behind it, so they are held until the block that they came in ends.
type Block struct {
	text   Length // of the answer
	from   int64  // where the block begins
	number int    // of the block that is open, or that citations came in
	open   bool   // it is one of text
	held   []llm.Citation
	bytes  int // that they take
}

// maxHeld and maxBytes bound what a block can make us remember.
const (
	maxHeld  = 1000
	maxBytes = 256 << 10

	citationSize = 64
)

// Begin begins a block of text.
func (b *Block) Begin(number int) {
	b.turn(number)
	b.open, b.from = true, b.text.Characters
}

// turn forgets the citations of any other block.
func (b *Block) turn(number int) {
	if number != b.number {
		b.number, b.open, b.held, b.bytes = number, false, b.held[:0], 0
	}
}

// Say adds a piece to the text.
func (b *Block) Say(piece llm.JSON) { b.text.Add(piece) }

// Hear notes how far the text is that events tell. Their citations are not among its own.
func (b *Block) Hear(ev *llm.Event) {
	switch {
	case ev.Kind == llm.BlockStart && ev.Part == llm.Text:
		b.Begin(ev.Block)
	case ev.Kind == llm.Delta && ev.Part == llm.Text:
		b.Say(ev.Text)
	case ev.Kind == llm.BlockStop:
		b.End(ev.Block, nil)
	}
}

// Cite adds a source that is told in a block, if it has an address: OpenAI's API knows no others.
func (b *Block) Cite(number int, url, title llm.JSON) {
	if len(url.Inner()) == 0 {
		return
	}
	b.turn(number)
	if n := b.bytes + len(url) + len(title); n <= maxBytes && len(b.held) < maxHeld {
		b.held, b.bytes = append(b.held, llm.Citation{URL: bytes.Clone(url), Title: bytes.Clone(title)}), n
	}
}

// Held is about how many bytes are remembered.
func (b *Block) Held() int { return b.bytes + cap(b.held)*citationSize }

// End ends a block, and tells the citations in it, which are about all that the last block of text says.
func (b *Block) End(number int, tell func(*llm.Event)) {
	b.turn(number)
	for i := range b.held {
		c := &b.held[i]
		if c.Start, c.End = b.from, b.text.Characters; c.End > c.Start {
			tell(&llm.Event{Kind: llm.Cited, Citation: c})
		}
	}
	b.open, b.held, b.bytes = false, b.held[:0], 0
}

// Open is the number of the block of text that is open; ok is false if none is.
func (b *Block) Open() (number int, ok bool) { return b.number, b.open }

// Is reports whether a citation is about all that the last block of text said so far.
func (b *Block) Is(c *llm.Citation) bool {
	return c.Start == b.from && c.End == b.text.Characters && c.End > c.Start
}
