package cited

import (
	"bytes"

	"github.com/weirproxy/weir/internal/llm"
)

// Block is the last block of text so far, of an answer by an API that cites whole blocks. Citations may come before their text, or
// in a block of their own after it. So they are held until their block ends.
type Block struct {
	text   Length // length of the answer's text
	from   int64  // where the block begins
	number int    // of the open block, or of the one with citations
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

// Hear notes the length of the text that events carry. Their citations are not among its own.
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

// Cite adds a source to a block, if it has an address: OpenAI's API has no others.
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

// End ends a block and sends its citations. They are about the whole text of the last text block.
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

// Open is the number of the open block of text; ok is false if none is open.
func (b *Block) Open() (number int, ok bool) { return b.number, b.open }

// Is reports whether a citation is about all that the last block of text said so far.
func (b *Block) Is(c *llm.Citation) bool {
	return c.Start == b.from && c.End == b.text.Characters && c.End > c.Start
}
