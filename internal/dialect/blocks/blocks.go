// Package blocks follows the blocks of a streamed answer whose events name them by number, as in Anthropic's Messages API and
// Amazon's Converse API.
package blocks

import (
	"fmt"

	"github.com/weirproxy/weir/internal/llm"
)

// Own is the kind of blocks that a chat answer has no place for by design: what the vendor's own tools did. Unknown is the kind of
// blocks that have ended or never begun, and of unknown ones: what they say must not get lost in silence.
const (
	Own     llm.PartKind = 254
	Unknown llm.PartKind = 255
)

// Silent reports whether nothing of a block of this kind is in a chat answer.
func Silent(kind llm.PartKind) bool { return kind >= Own }

// ErrForeign is the error of a stream that says something in a block that is Unknown.
var ErrForeign = fmt.Errorf("%w: a piece of a block of unknown kind", llm.ErrNoAnswer)

// Open are the blocks of one answer. It is used by one goroutine at a time.
type Open struct {
	list []block // by their places
	last int     // the one that began last
}

type block struct {
	kind  llm.PartKind // Unknown once it has ended
	begun bool
}

// most bounds what an answer can make us remember.
const most = 4096

var (
	errPlace = fmt.Errorf("%w: a block without a place", llm.ErrNoAnswer)
	// Which arguments are whose would be a guess.
	errInTurns = fmt.Errorf("%w: calls of tools come in turns", llm.ErrNoAnswer)
)

// Begin begins the block that ev is about, at the place that the upstream gave, or -1. ev gets the block's number. fresh is false if
// the block has begun before, which changes nothing. Otherwise a tool call must have its name and id.
func (o *Open) Begin(place int64, ev *llm.Event) (fresh bool, err error) {
	if place < 0 || place >= most {
		return false, errPlace
	}
	for int64(len(o.list)) <= place {
		o.list = append(o.list, block{kind: Unknown})
	}
	ev.Block = int(place)
	switch {
	case o.list[place].begun:
		return false, nil
	case ev.Nameless():
		return false, llm.ErrNameless
	}
	o.list[place], o.last = block{kind: ev.Part, begun: true}, ev.Block
	return true, nil
}

// At is the block at a place and its kind, Unknown if no open block is there. A tool call after which another block has begun is an
// error.
func (o *Open) At(place int64) (number int, kind llm.PartKind, err error) {
	if place < 0 || place >= int64(len(o.list)) {
		return 0, Unknown, nil
	}
	number, kind = int(place), o.list[place].kind
	if kind == llm.ToolCall && number != o.last {
		return number, kind, errInTurns
	}
	return number, kind, nil
}

// End ends a block: later events for it are ignored.
func (o *Open) End(number int) { o.list[number].kind = Unknown }
