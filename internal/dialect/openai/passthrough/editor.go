package passthrough

import (
	"slices"
	"sync"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
)

// editor collects the edits of one payload while it is walked. Its memory is used again for the next one.
type editor struct {
	scan    jsonwalk.Scanner
	data    []byte
	edits   []jsonwalk.Edit
	members []jsonwalk.Member // members of all open containers, the innermost last
	repairs *dialect.Repairs  // counts what was mended; nil while nothing may be changed

	said, thought int // bytes that the model said in the payload, and of these its reasoning; see hear

	held     []byte        // the payload before, as it was mended, if the caller has not been sent it yet
	reopened jsonwalk.Span // the finish reason in it that is taken back
	answer   answerWalk    // the walk over a complete answer; it is here because what it finds is counted while the editor has it
	chunk    chunk         // the kind of a stream's payload; it is here because the stack below belongs to a goroutine that waits for the next one
}

// reset begins a payload. Inlined, what it sets would be built in the frame of Walk, whose stack is that of a stream that waits.
//
//go:noinline
func (e *editor) reset(data []byte, repairs *dialect.Repairs) {
	if e.members == nil {
		e.members = make([]jsonwalk.Member, 0, 12) // as many as a usual chunk has open at once
	}
	e.data, e.repairs = data, repairs
	e.edits, e.members = e.edits[:0], e.members[:0]
	e.held, e.reopened, e.chunk = nil, jsonwalk.Span{}, chunk{}
	e.said, e.thought = 0, 0
	e.scan.Reset(data, jsonwalk.Options{})
}

// editors are those that no stream needs at the moment.
var editors = sync.Pool{New: func() any { return new(editor) }}

// keptMembers is how much of one payload may have been remembered for the memory to be kept for others.
const keptMembers = 1 << 8

// rest gives the editor to other streams.
func (e *editor) rest() {
	if cap(e.members) > keptMembers || cap(e.edits) > keptMembers {
		return
	}
	clear(e.edits[:cap(e.edits)]) // the texts of others must not be held
	e.reset(nil, nil)
	e.answer = answerWalk{}
	editors.Put(e)
}

// keep has an edit be made.
func (e *editor) keep(edit jsonwalk.Edit) {
	if len(e.edits) == openai.MaxKept {
		e.scan.Fail("more that is wrong than an answer can have")
		return
	}
	e.edits = append(e.edits, edit)
}

// replace puts text in the place of a span.
func (e *editor) replace(kind dialect.Repair, span jsonwalk.Span, text string) {
	if e.repairs != nil {
		e.keep(jsonwalk.Edit{Span: span, New: text})
		e.repairs[kind]++
	}
}

// done returns the edits in the order of their places.
func (e *editor) done() []jsonwalk.Edit {
	if len(e.edits) > 1 {
		slices.SortStableFunc(e.edits, func(a, b jsonwalk.Edit) int {
			if a.Start != b.Start {
				return a.Start - b.Start
			}
			return a.End - b.End
		})
	}
	return e.edits
}

// container is an object or an array being walked: what it holds, what has to go, what has to be put in.
type container struct {
	e      *editor
	open   int // the place of its first byte after the bracket
	base   int // where its members begin in e.members
	cuts   uint64
	insert string // members to put in front, each followed by a comma

	looked, reasons bool // whether it was looked for reasoning_content, and whether that is there
}

// enterObject opens the object that comes next.
func (e *editor) enterObject() (container, bool) {
	ok := e.scan.EnterObject()
	return container{e: e, open: e.scan.Pos(), base: len(e.members)}, ok
}

// enterArray opens the array that comes next.
func (e *editor) enterArray() (container, bool) {
	ok := e.scan.EnterArray()
	return container{e: e, open: e.scan.Pos(), base: len(e.members)}, ok
}

// next steps to the next member, whose value must then be consumed and passed to took.
func (c *container) next() bool { return c.e.scan.NextMember() }

// took notes the member that was just walked over: its name, which the scanner has forgotten if the value had
// members, and where its value began.
func (c *container) took(name jsonwalk.Span, start int) {
	if len(c.e.members) == openai.MaxKept {
		c.e.scan.Fail("more members than an answer can have")
		return
	}
	c.e.members = append(c.e.members, jsonwalk.Member{Name: name, Value: jsonwalk.Span{Start: start, End: c.e.scan.Pos()}})
}

// tookElement notes the array element that was just walked over.
func (c *container) tookElement(start int) { c.took(jsonwalk.Span{Start: start, End: start}, start) }

// cutLast has the member noted last disappear.
func (c *container) cutLast(kind dialect.Repair) {
	if c.dropLast() {
		c.e.repairs[kind]++
	}
}

// dropLast does the same without counting it as a repair, and reports whether it could.
func (c *container) dropLast() bool {
	i := len(c.e.members) - c.base - 1
	if i >= 64 || c.e.repairs == nil {
		return false
	}
	c.cuts |= 1 << i
	return true
}

// add puts a member in.
func (c *container) add(kind dialect.Repair, member string) {
	if c.e.repairs != nil {
		c.insert += member + ","
		c.e.repairs[kind]++
	}
}

// hasReasoning reports whether the object has reasoning_content of its own, walked over already or not. It looks once: there
// may be any number of members to ask for.
func (c *container) hasReasoning() bool {
	if c.looked {
		return c.reasons
	}
	c.looked = true
	look := jsonwalk.NewScanner(c.e.data[c.open-1:], jsonwalk.Options{})
	for ok := look.EnterObject(); ok && !c.reasons && look.NextMember(); look.Skip() {
		c.reasons = string(look.Name()) == "reasoning_content"
	}
	return c.reasons
}

// left is how many members stay.
func (c *container) left() int {
	n := len(c.e.members) - c.base
	for i := range min(n, 64) {
		if c.cuts&(1<<i) != 0 {
			n--
		}
	}
	return n
}

// close makes the edits of the container and forgets its members.
func (c *container) close() {
	members := c.e.members[c.base:]
	if c.cuts != 0 {
		var cutter jsonwalk.Cutter
		var room [4]jsonwalk.Edit
		edits := room[:0]
		for i, m := range members {
			if i < 64 && c.cuts&(1<<i) != 0 {
				edits = cutter.Cut(edits, m.Span())
			} else {
				edits = cutter.Keep(edits, m.Span())
			}
		}
		for _, edit := range cutter.End(edits) {
			c.e.keep(edit)
		}
	}
	if c.insert != "" {
		text := c.insert
		if c.left() == 0 {
			text = text[:len(text)-1]
		}
		c.e.keep(jsonwalk.Edit{Span: jsonwalk.Span{Start: c.open, End: c.open}, New: text})
	}
	c.e.members = c.e.members[:c.base]
}
