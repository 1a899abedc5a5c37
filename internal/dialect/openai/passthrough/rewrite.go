package passthrough

import (
	"slices"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// rewrite appends the edits that turn the earlier turns into what h takes.
func (r *Request) rewrite(edits []jsonwalk.Edit, messages jsonwalk.Span, h *dialect.History) []jsonwalk.Edit {
	if !r.earlier.touches(h) {
		return edits
	}
	w := r.rewriter(messages, h)
	for ok := w.s.EnterArray(); ok && w.s.NextElement(); {
		w.message()
	}
	return w.appendTo(edits, messages.Start)
}

// rewriteTools does so with the tools.
func (r *Request) rewriteTools(edits []jsonwalk.Edit, tools jsonwalk.Span, h *dialect.History) []jsonwalk.Edit {
	if !r.earlier.has(h, marks) {
		return edits
	}
	w := r.rewriter(tools, h)
	w.pieces(false)
	return w.appendTo(edits, tools.Start)
}

func (r *Request) rewriter(list jsonwalk.Span, h *dialect.History) *rewriter {
	raw := list.Of(r.Raw)
	return &rewriter{h: *h, list: raw, s: jsonwalk.NewScanner(raw, jsonwalk.Options{}), insists: h.Insists && r.earlier.called}
}

// appendTo appends the edits to those of the whole body; the list begins at start.
func (w *rewriter) appendTo(edits []jsonwalk.Edit, start int) []jsonwalk.Edit {
	for _, e := range w.edits {
		e.Start, e.End = e.Start+start, e.End+start
		edits = append(edits, e)
	}
	return edits
}

// rewriter is the state of one rewrite.
type rewriter struct {
	h       dialect.History
	list    []byte // the messages, or the tools
	s       *jsonwalk.Scanner
	edits   []jsonwalk.Edit
	insists bool

	at    reasoning // of the open message
	lacks bool      // it must have reasoning, and lacks it
}

// reasoning is what a message has of it.
type reasoning struct {
	answer  bool   // the message is the assistant's
	tool    bool   // it is a tool's
	present bool   // it has the member that the target takes, even if empty
	empty   bool   // that says nothing
	other   string // the member that becomes the one that the target takes, "" if none
}

func (w *rewriter) edit(start, end int, text string) {
	w.edits = append(w.edits, jsonwalk.Edit{Span: jsonwalk.Span{Start: start, End: end}, New: text})
}

// noReasoning replaces required reasoning that is missing. An empty text is refused like a missing one.
const noReasoning = `" "`

// message edits one message.
func (w *rewriter) message() {
	if w.s.Kind() != '{' {
		w.s.Skip()
		return
	}
	w.at = w.look()
	w.lacks = w.insists && w.at.answer && w.at.other == "" && (!w.at.present || w.at.empty)
	c := cutter{rewriter: w}
	for ok := w.s.EnterObject(); ok && w.s.NextMember(); {
		name, start := w.s.Name(), w.s.NameSpan().Start
		c.begin(start)
		gone := w.member(name)
		c.end(start, w.s.Pos(), gone)
	}
	c.close()
	if w.lacks && !w.at.present {
		w.edit(c.last, c.last, `,"`+w.h.Reasoning+`":`+noReasoning)
	}
}

// look looks ahead in the message that comes next.
func (w *rewriter) look() (r reasoning) {
	if w.h.Reasoning == "" && !slices.Contains(w.h.Refuses, optional[byName]) {
		return r
	}
	for name, v := range jsonwalk.Members(w.list[w.s.Pos():]) {
		blank := string(v) == "null" || string(v) == `""`
		switch name := string(name); {
		case name == "role":
			r.answer, r.tool = string(v) == `"assistant"`, string(v) == asTool
		case name == w.h.Reasoning:
			r.present, r.empty = true, blank
		case renames(&w.h, name) && !blank && v[0] == '"':
			r.other = name
		}
	}
	if r.present {
		r.other = ""
	}
	return r
}

// member edits one member of a message, whose value comes next, and reports whether it is to be cut out.
func (w *rewriter) member(name []byte) (gone bool) {
	i, span := optionalAt(name), w.s.NameSpan()
	switch {
	case i >= 0 && optional[i] == w.at.other:
		w.edit(span.Start, span.End, `"`+w.h.Reasoning+`"`)
		w.s.Skip()
		return false
	case i >= 0:
		value := w.s.Skip()
		if w.lacks && optional[i] == w.h.Reasoning {
			w.edit(value.Start, value.End, noReasoning)
		}
		return slices.Contains(w.h.Refuses, optional[i]) && (i != byName || !w.at.tool)
	case string(name) == "role":
		if role := w.s.Skip(); w.h.System && string(role.Of(w.list)) == asDeveloper {
			w.edit(role.Start, role.End, asSystem)
		}
	case string(name) == "tool_call_id":
		w.id()
	case string(name) == "tool_calls":
		w.pieces(true)
	case string(name) == "content":
		w.pieces(false)
	default:
		w.s.Skip()
	}
	return false
}

// pieces edits the calls of a message, its parts, or tools.
func (w *rewriter) pieces(calls bool) {
	if w.s.Kind() != '[' {
		w.s.Skip()
		return
	}
	for ok := w.s.EnterArray(); ok && w.s.NextElement(); {
		if w.s.Kind() != '{' {
			w.s.Skip()
			continue
		}
		c := cutter{rewriter: w}
		for ok := w.s.EnterObject(); ok && w.s.NextMember(); {
			start, i := w.s.NameSpan().Start, optionalAt(w.s.Name())
			c.begin(start)
			if calls && string(w.s.Name()) == "id" {
				w.id()
			} else {
				w.s.Skip()
			}
			c.end(start, w.s.Pos(), i >= marks && slices.Contains(w.h.Refuses, optional[i]))
		}
		c.close()
	}
}

// id edits the id of a tool call: the part that Weir appended is removed, and the rest gets the form that the
// target wants.
func (w *rewriter) id() {
	span := w.s.Skip()
	raw := llm.JSON(span.Of(w.list))
	if raw.Kind() != '"' {
		return
	}
	id := raw.Text()
	if fit := fit(w.h.IDs, openai.OwnID(id)); fit != id {
		w.edit(span.Start, span.End, quote(fit))
	}
}

// cutter cuts members out of an object while it is walked, each with one comma.
type cutter struct {
	*rewriter
	kept bool // a member before this one stays
	open int  // where the first members, which all go, begin, plus one; 0 if none does
	last int  // where the value before ends
}

// begin records where the next member begins.
func (c *cutter) begin(start int) {
	if c.open > 0 {
		c.edit(c.open-1, start, "")
		c.open = 0
	}
}

// end records where the member began and ended, and whether it is removed.
func (c *cutter) end(start, end int, gone bool) {
	switch {
	case gone && c.kept:
		c.edit(c.last, end, "")
	case gone:
		c.open = start + 1
	default:
		c.kept = true
	}
	c.last = end
}

// close records that no more members follow.
func (c *cutter) close() { c.begin(c.last) }
