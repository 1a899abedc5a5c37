package openai

import (
	"slices"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// spoken is one choice of an answer that is read: its blocks, one open at a time.
type spoken struct {
	number   int
	begun    bool
	finish   string
	refusal  []byte // without quotes
	block    int    // the number of the block that is open, or comes next
	open     bool
	part     llm.PartKind // of the open block
	reasoned bool         // there was reasoning
	calls    []calling    // that wait, the one whose block is open first
	called   bool         // there was a call
	later    []saying     // what is sent after the calls that wait
}

// saying is a text, or reasoning.
type saying struct {
	part llm.PartKind
	text []byte // without quotes
}

// calling is a call of a tool.
type calling struct {
	index     int64
	id, name  []byte // JSON
	signature []byte // likewise, of the call
	custom    bool
	args      []byte // a piece that was not sent yet, without quotes
	end       braces // of the arguments
	told      bool   // its block is open
}

// piece is what a delta says.
type piece struct {
	content, reasoning, refusal llm.JSON
	thoughts, details           llm.JSON // lists
	calls, annotations          llm.JSON
}

func readPiece(delta llm.JSON) (p piece) {
	for name, v := range jsonwalk.Members(delta) {
		switch string(name) {
		case "content":
			p.content = textOf(v)
		case "reasoning_content", "reasoning":
			if text := textOf(v); text != nil {
				p.reasoning = text
			}
		case "refusal":
			p.refusal = textOf(v)
		case ThinkingBlocks:
			p.thoughts = v
		case "reasoning_details":
			p.details = v
		case "tool_calls":
			p.calls = v
		case "annotations":
			p.annotations = v
		}
	}
	return p
}

// textOf is a string that says something, nil for all else.
func textOf(v llm.JSON) llm.JSON {
	if v.Kind() != '"' || len(v.Inner()) == 0 {
		return nil
	}
	return v
}

// read sends what a delta says.
func (c *spoken) read(r *ChunkReader, delta llm.JSON) error {
	p := readPiece(delta)
	if err := c.think(r, &p); err != nil {
		return err
	}
	if p.content != nil {
		if err := c.say(r, llm.Text, p.content); err != nil {
			return err
		}
	}
	if signature := readSignature(p.thoughts); signature != nil && c.open && c.part == llm.Text {
		r.emit(llm.Event{Kind: llm.Delta, Choice: c.number, Block: c.block, Part: llm.Text, Text: llm.JSON(`""`), Opaque: signature})
	}
	if p.refusal != nil {
		c.refusal = append(c.refusal, p.refusal.Inner()...)
	}
	for _, v := range jsonwalk.Elements(p.calls) {
		if err := c.call(r, v); err != nil {
			return err
		}
	}
	c.cite(r, p.annotations)
	return nil
}

// think sends the reasoning of a delta. Whole blocks, as complete answers have them, count more than a text next to them, which
// says the same without signatures. In a stream the text comes piece by piece, and the signature after it.
func (c *spoken) think(r *ChunkReader, p *piece) error {
	blocks := readThoughts(p.thoughts)
	if !c.reasoned && slices.ContainsFunc(blocks, func(b llm.Part) bool { return len(b.Text.Inner()) > 0 || b.Kind == llm.Redacted }) {
		for i := range blocks {
			if err := c.thought(r, &blocks[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if p.reasoning != nil {
		if err := c.say(r, llm.Reasoning, p.reasoning); err != nil {
			return err
		}
	}
	if signature := signatureOf(blocks, p.details); signature != nil && c.open && c.part == llm.Reasoning {
		r.emit(llm.Event{Kind: llm.Delta, Choice: c.number, Block: c.block, Part: llm.Reasoning, Text: llm.JSON(`""`), Opaque: signature})
	}
	return nil
}

// thought sends a whole block of reasoning.
func (c *spoken) thought(r *ChunkReader, b *llm.Part) error {
	if err := c.close(r); err != nil {
		return err
	}
	c.begin(r, llm.Event{Part: b.Kind, Opaque: b.Opaque})
	if len(b.Text.Inner()) > 0 {
		r.emit(llm.Event{Kind: llm.Delta, Choice: c.number, Block: c.block, Part: b.Kind, Text: b.Text})
	}
	return c.close(r)
}

// signatureOf is the signature in whole or in broken blocks of reasoning, the last one. reasoning_details is OpenRouter's form.
func signatureOf(blocks []llm.Part, details llm.JSON) (last llm.JSON) {
	for _, b := range blocks {
		last = b.Opaque
	}
	for _, v := range jsonwalk.Elements(details) {
		for name, signature := range jsonwalk.Members(v) {
			if string(name) == "signature" && textOf(signature) != nil {
				last = signature
			}
		}
	}
	return last
}

// say sends a piece of a text or of reasoning. Amid the arguments of a call it waits: a block that has ended cannot go on.
func (c *spoken) say(r *ChunkReader, part llm.PartKind, text llm.JSON) error {
	if slices.ContainsFunc(c.calls, func(one calling) bool { return !one.end.whole() }) {
		if n := len(c.later); n == 0 || c.later[n-1].part != part {
			c.later = append(c.later, saying{part: part})
		}
		last := &c.later[len(c.later)-1]
		last.text = append(last.text, text.Inner()...)
		return nil
	}
	if len(c.calls) > 0 {
		if err := c.close(r); err != nil {
			return err
		}
	}
	c.tell(r, part, text)
	return nil
}

// tell sends a piece of a text or of reasoning. It begins a block if none of its kind is open.
func (c *spoken) tell(r *ChunkReader, part llm.PartKind, text llm.JSON) {
	if !c.open || c.part != part {
		c.stop(r)
		c.begin(r, llm.Event{Part: part})
	}
	r.emit(llm.Event{Kind: llm.Delta, Choice: c.number, Block: c.block, Part: part, Text: text})
}

// begin begins a block.
func (c *spoken) begin(r *ChunkReader, ev llm.Event) {
	ev.Kind, ev.Choice, ev.Block = llm.BlockStart, c.number, c.block
	c.open, c.part = true, ev.Part
	c.reasoned = c.reasoned || ev.Part == llm.Reasoning || ev.Part == llm.Redacted
	r.emit(ev)
}

// close ends what is open: a block, or the calls that wait, one after the other, and what waits for them.
func (c *spoken) close(r *ChunkReader) error {
	for len(c.calls) > 0 {
		if err := c.next(r); err != nil {
			return err
		}
	}
	for _, one := range c.later {
		c.tell(r, one.part, slices.Concat(llm.JSON{'"'}, one.text, llm.JSON{'"'}))
	}
	c.later = nil
	c.stop(r)
	return nil
}

// stop ends the block that is open.
func (c *spoken) stop(r *ChunkReader) {
	if c.open {
		r.emit(llm.Event{Kind: llm.BlockStop, Choice: c.number, Block: c.block, Part: c.part})
		c.open = false
		c.block++
	}
}

// word is why the choice ended. Some servers never say it, but that the stream is over.
func (c *spoken) word() string {
	switch {
	case c.finish == "function_call", c.finish == "" && c.called:
		return "tool_calls"
	case c.finish == "":
		return "stop"
	}
	return c.finish
}

// refused is why the model refused, nil if it did not say.
func (c *spoken) refused() llm.JSON {
	if len(c.refusal) == 0 {
		return nil
	}
	return slices.Concat(llm.JSON{'"'}, c.refusal, llm.JSON{'"'})
}

// heldBytes is about how many bytes are remembered.
func (c *spoken) heldBytes() int {
	n := cap(c.refusal)
	for i := range c.later {
		n += 32 + cap(c.later[i].text)
	}
	for i := range c.calls {
		n += 64 + cap(c.calls[i].args) + len(c.calls[i].id) + len(c.calls[i].name)
	}
	return n
}

// cite sends the sources that a delta names.
func (c *spoken) cite(r *ChunkReader, annotations llm.JSON) {
	for _, v := range jsonwalk.Elements(annotations) {
		for name, source := range jsonwalk.Members(v) {
			if string(name) != "url_citation" {
				continue
			}
			var cited llm.Citation
			for name, v := range jsonwalk.Members(source) {
				switch string(name) {
				case "start_index":
					cited.Start, _ = llm.JSON(v).Count()
				case "end_index":
					cited.End, _ = llm.JSON(v).Count()
				case "url":
					cited.URL = textOf(v)
				case "title":
					cited.Title = textOf(v)
				}
			}
			if cited.URL != nil {
				r.emit(llm.Event{Kind: llm.Cited, Choice: c.number, Citation: &cited})
			}
		}
	}
}

// score sends the log probabilities of the tokens.
func (c *spoken) score(r *ChunkReader, logprobs llm.JSON) {
	for name, list := range jsonwalk.Members(logprobs) {
		if string(name) != "content" {
			continue
		}
		if tokens := readTokens(list); len(tokens) > 0 {
			r.emit(llm.Event{Kind: llm.Scored, Choice: c.number, Tokens: tokens})
		}
	}
}

func readTokens(list llm.JSON) (tokens []llm.Token) {
	for _, v := range jsonwalk.Elements(list) {
		var t llm.Token
		for name, v := range jsonwalk.Members(v) {
			switch string(name) {
			case "token":
				t.Text = v
			case "logprob":
				t.Logprob = v
			case "top_logprobs":
				t.Top = readTokens(v)
			}
		}
		if t.Text.Kind() == '"' && t.Logprob.Kind() == '0' {
			tokens = append(tokens, t)
		}
	}
	return tokens
}
