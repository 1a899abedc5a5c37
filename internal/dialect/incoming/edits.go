package incoming

import (
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Terms say how a dialect has the members of a body changed for a target that speaks it.
type Terms struct {
	Model string // what the member model becomes, "" leaves it out: the target has it in its path
	// Quiet reports whether nothing is lost if a member is left out with a value that is not null; nil for never.
	Quiet func(name string, value llm.JSON) bool
	// Within appends the edits within a member that stays, which may be null; nil for none.
	Within func(edits []jsonwalk.Edit, m *Member) []jsonwalk.Edit
}

const modelMember = "model"

// Edits are what changes in the body for a target, in their order, and what the caller must know of that.
func (b *Body) Edits(c *dialect.Changes, t *Terms) (edits []jsonwalk.Edit, applied dialect.Applied) {
	edits = make([]jsonwalk.Edit, 0, 4)
	var cutter jsonwalk.Cutter
	for i := range b.Members {
		m := &b.Members[i]
		if b.cut(i, c, t) {
			edits = cutter.Cut(edits, m.At.Span())
			if !b.quietly(m, t) {
				applied.Ignored = append(applied.Ignored, m.Name)
			}
			continue
		}
		edits = cutter.Keep(edits, m.At.Span())
		switch {
		case m.Name == modelMember:
			edits = append(edits, jsonwalk.Edit{Span: m.At.Value, New: string(llm.Quote(t.Model))})
			continue
		case c.Rename[m.Name] != "":
			edits = append(edits, jsonwalk.Edit{Span: m.At.Name, New: string(llm.Quote(c.Rename[m.Name]))})
			if !m.Null && !m.Ours {
				applied.Renamed = append(applied.Renamed, m.Name+"="+c.Rename[m.Name])
			}
		}
		if t.Within != nil {
			edits = t.Within(edits, m)
		}
	}
	return cutter.End(edits), applied
}

// Keeps reports whether Edits leave any member in the body.
func (b *Body) Keeps(c *dialect.Changes, t *Terms) bool {
	for i := range b.Members {
		if !b.cut(i, c, t) {
			return true
		}
	}
	return false
}

// Loses is the first member of the caller's that Edits leaves out and announces, "" for none.
func (b *Body) Loses(c *dialect.Changes, t *Terms) string {
	for i := range b.Members {
		if m := &b.Members[i]; b.cut(i, c, t) && !b.quietly(m, t) {
			return m.Name
		}
	}
	return ""
}

// Names reports whether the body has a member, even if it is null.
func (b *Body) Names(name string) bool {
	return slices.ContainsFunc(b.Members, func(m Member) bool { return m.Name == name })
}

// End is where members can be added.
func (b *Body) End() jsonwalk.Span {
	if len(b.Members) == 0 {
		at := slices.Index(b.Raw, '{') + 1
		return jsonwalk.Span{Start: at, End: at}
	}
	last := b.Members[len(b.Members)-1].At.Value.End
	return jsonwalk.Span{Start: last, End: last}
}

// Ours reports whether a member is there only because the config adds it.
func (b *Body) Ours(name string) bool {
	return slices.ContainsFunc(b.Members, func(m Member) bool { return m.Ours && m.Name == name })
}

// cut reports whether member i is left out.
func (b *Body) cut(i int, c *dialect.Changes, t *Terms) bool {
	name := b.Members[i].Name
	if name == modelMember {
		return t.Model == ""
	}
	if slices.ContainsFunc(c.Omit, func(omitted string) bool { return strings.EqualFold(omitted, name) }) {
		return true
	}
	other := c.Rename[name]
	return other != "" && b.Names(other)
}

// quietly reports whether a member can be left out without a word.
func (b *Body) quietly(m *Member, t *Terms) bool {
	return m.Null || m.Ours || m.Name == modelMember || t.Quiet != nil && t.Quiet(m.Name, m.At.Value.Of(b.Raw))
}

// Extended is a body with what a config adds.
type Extended struct {
	Raw      []byte // nil if nothing is added
	Replaced string // the first of the caller's members whose value was replaced, "" for none
	ours     []string
}

// Mark marks the members of the body, parsed again, that the caller says nothing of.
func (e *Extended) Mark(b *Body) {
	for i := range b.Members {
		b.Members[i].Ours = slices.Contains(e.ours, b.Members[i].Name)
	}
}

// Extend adds parameters, which have the names of OpenAI's chats: own is a parameter as a top-level member of the dialect's, ok is false if it
// has none. The members named in unheard do not count as the caller's.
func (b *Body) Extend(added *llm.Added, unheard []string, own func(llm.Param) (own llm.Param, ok bool)) Extended {
	x := extension{b: b, own: own}
	for _, p := range added.Set {
		x.add(p, true)
	}
	for _, p := range added.Default {
		x.add(p, slices.ContainsFunc(unheard, func(name string) bool { return llm.SameParam(name, p.Name) }))
	}
	if text := x.added.String(); text != "" {
		if len(b.Members) == 0 {
			text = text[1:] // no member is before it
		}
		x.edits = append(x.edits, jsonwalk.Edit{Span: b.End(), New: text})
	}
	if len(x.edits) > 0 {
		slices.SortFunc(x.edits, func(a, b jsonwalk.Edit) int { return a.Start - b.Start })
		x.made.Raw = jsonwalk.Apply(make([]byte, 0, len(b.Raw)+added.Len()), b.Raw, x.edits)
	}
	return x.made
}

// extension is the state of one Extend.
type extension struct {
	b     *Body
	own   func(llm.Param) (llm.Param, bool)
	made  Extended
	edits []jsonwalk.Edit
	added strings.Builder
}

// add adds a parameter where the caller gives none, or, if it is forced, whatever the caller gives.
func (x *extension) add(p llm.Param, force bool) {
	p, ok := x.own(p)
	if !ok {
		return
	}
	i := slices.IndexFunc(x.b.Members, func(m Member) bool { return strings.EqualFold(m.Name, p.Name) })
	if i < 0 {
		x.added.WriteString("," + string(llm.Quote(p.Name)) + ":" + string(p.Value))
		x.made.ours = append(x.made.ours, p.Name)
		return
	}
	m := &x.b.Members[i]
	if !m.Null && !force {
		return
	}
	if m.Name != p.Name {
		x.edits = append(x.edits, jsonwalk.Edit{Span: m.At.Name, New: string(llm.Quote(p.Name))})
	}
	if string(m.At.Value.Of(x.b.Raw)) != string(p.Value) {
		x.edits = append(x.edits, jsonwalk.Edit{Span: m.At.Value, New: string(p.Value)})
		if !m.Null && x.made.Replaced == "" {
			x.made.Replaced = m.Name
		}
	}
	if m.Null {
		x.made.ours = append(x.made.ours, p.Name)
	}
}

// Added is what of a config's additions counts in a request. Those that it sets always do, others where the caller says nothing, or says what
// is not to count. replaced is the first parameter of the caller's that is replaced, as the config names it.
func Added(added *llm.Added, unheard []string, says func(name string) bool) (counts *llm.Added, replaced string) {
	counts = &llm.Added{Set: added.Set}
	for _, p := range added.Set {
		if replaced == "" && says(p.Name) {
			replaced = p.Name
		}
	}
	for _, p := range added.Default {
		if slices.Contains(unheard, p.Name) || !says(p.Name) {
			counts.Default = append(counts.Default, p)
		}
	}
	return counts, replaced
}
