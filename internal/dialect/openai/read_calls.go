package openai

import (
	"bytes"
	"slices"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Several tool calls may be interleaved; their index identifies them. Blocks come one after the other: the first call goes out as it
// comes, and the others wait until its arguments are whole, or the answer ends.

// call sends what a delta has of a call.
func (c *spoken) call(r *ChunkReader, v llm.JSON) error {
	var index int64
	var id, name, args, signature llm.JSON
	custom := false
	for member, v := range jsonwalk.Members(v) {
		switch string(member) {
		case "index":
			index, _ = llm.JSON(v).Count()
		case "id":
			id = textOf(v)
		case ExtraContent: // of Google's compatible API
			signature = readExtra(v)
		case "function", "custom":
			custom = string(member) == "custom"
			for member, v := range jsonwalk.Members(v) {
				switch string(member) {
				case "name":
					name = textOf(v)
				case "arguments", "input":
					args = textOf(v)
				}
			}
		}
	}
	at := slices.IndexFunc(c.calls, func(one calling) bool { return one.index == index })
	if at < 0 {
		if id == nil && name == nil { // of a call that has ended
			return nil
		}
		if len(c.calls) == 0 {
			c.stop(r)
		}
		c.calls = append(c.calls, calling{index: index, custom: custom})
		at = len(c.calls) - 1
	}
	one := &c.calls[at]
	if len(one.id) == 0 {
		one.id = bytes.Clone(id)
	}
	if len(one.name) == 0 {
		one.name = bytes.Clone(name)
	}
	if len(one.signature) == 0 {
		one.signature = bytes.Clone(signature)
	}
	one.add(args)
	for len(c.calls) > 1 && c.calls[0].end.whole() {
		if err := c.next(r); err != nil {
			return err
		}
	}
	if len(c.calls[0].name) > 0 {
		c.flush(r, &c.calls[0])
	}
	return nil
}

// add takes a piece of the arguments. Those of a custom tool are a text, which becomes the one member of an object.
func (one *calling) add(piece llm.JSON) {
	inner := piece.Inner()
	if !one.custom {
		one.args = append(one.args, inner...)
		one.end.take(inner)
		return
	}
	if len(inner) > 0 && one.end == (braces{}) {
		one.end.opened = true
		one.args = append(one.args, `{\"`+customInput+`\":\"`...)
	}
	for _, b := range inner { // what is escaped once becomes escaped twice
		if b == '\\' || b == '"' {
			one.args = append(one.args, '\\')
		}
		one.args = append(one.args, b)
	}
}

// flush sends what is known of the first call.
func (c *spoken) flush(r *ChunkReader, one *calling) {
	if !one.told {
		one.told, c.called = true, true
		id, signature := llm.JSON(one.id), llm.JSON(one.signature)
		if own, carried, _ := splitID(id.Text()); carried != nil {
			id, signature = llm.Quote(own), carried
		}
		c.begin(r, llm.Event{Part: llm.ToolCall, ID: id, Name: one.name, Opaque: signature})
	}
	if len(one.args) > 0 {
		text := slices.Concat(llm.JSON{'"'}, one.args, llm.JSON{'"'})
		one.args = one.args[:0]
		r.emit(llm.Event{Kind: llm.Delta, Choice: c.number, Block: c.block, Part: llm.ToolCall, Text: text})
	}
}

// next ends the call that is first.
func (c *spoken) next(r *ChunkReader) error {
	one := &c.calls[0]
	if len(one.id) == 0 || len(one.name) == 0 {
		return llm.ErrNameless
	}
	if one.custom {
		if one.end == (braces{}) {
			one.args = append(one.args, `{\"`+customInput+`\":\"`...)
		}
		one.args = append(one.args, `\"}`...)
	}
	c.flush(r, one)
	c.stop(r)
	c.calls = c.calls[1:]
	return nil
}

// braces finds the end of an object whose text comes in pieces, each spelled as a JSON string without quotes.
type braces struct {
	depth          int
	opened, closed bool
	quoted         bool // within a string of the object
	escaped        bool // after a backslash of such a string
	slash          bool // after a backslash of the spelling
}

func (b *braces) whole() bool { return b.closed }

// take takes a piece. An escape of four digits is never a brace or quote here: no model spells those so.
func (b *braces) take(piece []byte) {
	for _, c := range piece {
		if b.slash {
			b.slash = false
			if c != '"' && c != '\\' {
				b.escaped = false // a line end, or the like
				continue
			}
		} else if c == '\\' {
			b.slash = true
			continue
		}
		b.char(c)
	}
}

// char takes a character of the object.
func (b *braces) char(c byte) {
	switch {
	case b.escaped:
		b.escaped = false
	case b.quoted:
		b.quoted, b.escaped = c != '"', c == '\\'
	case c == '"':
		b.quoted = true
	case c == '{', c == '[':
		b.depth++
		b.opened = true
	case c == '}', c == ']':
		b.depth--
		b.closed = b.opened && b.depth == 0
	}
}
