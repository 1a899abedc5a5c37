package incoming

import (
	"slices"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Nested is what changes within the top-level members of a body, for dialects that have parameters within others. The zero value changes
// nothing.
type Nested struct {
	// Plain is a name without what may be spelled in several ways; nil if each has one.
	Plain func(name string) string
	// Left is what Within left out, as "parent.child".
	Left []string

	cut  map[string][]string // members of objects to leave out, by the object
	news []*addition
}

// addition is a top-level member that is added or replaced, or something within it.
type addition struct {
	name  string
	value llm.JSON // of the whole member; nil if the members below are added to it
	parts []llm.Param
	done  bool // the caller's member was changed
}

// whole is the member as it is without one of the caller's.
func (m *addition) whole() string {
	if m.value != nil {
		return string(m.value)
	}
	out := "{"
	for i, p := range m.parts {
		if i > 0 {
			out += ","
		}
		out += string(llm.Quote(p.Name)) + ":" + string(p.Value)
	}
	return out + "}"
}

// Cut leaves a member of an object out.
func (n *Nested) Cut(parent, child string) {
	if n.cut == nil {
		n.cut = map[string][]string{}
	}
	n.cut[parent] = append(n.cut[parent], child)
}

// Add adds a member to an object, or replaces it. Without a child it is the whole of the parent.
func (n *Nested) Add(parent, child string, value llm.JSON) {
	i := slices.IndexFunc(n.news, func(m *addition) bool { return m.name == parent })
	if i < 0 {
		i = len(n.news)
		n.news = append(n.news, &addition{name: parent})
	}
	if m := n.news[i]; child == "" {
		m.value = value
	} else {
		m.parts = append(m.parts, llm.Param{Name: child, Value: value})
	}
}

func (n *Nested) plain(name string) string {
	if n.Plain == nil {
		return name
	}
	return n.Plain(name)
}

// Within appends the edits within a member of the body raw.
func (n *Nested) Within(raw []byte, edits []jsonwalk.Edit, m *Member) []jsonwalk.Edit {
	parent := n.plain(m.Name)
	i := slices.IndexFunc(n.news, func(a *addition) bool { return a.name == parent })
	if i < 0 && n.cut[parent] == nil {
		return edits
	}
	var news addition
	if i >= 0 {
		n.news[i].done = true
		news = *n.news[i]
	}
	value := llm.JSON(m.At.Value.Of(raw))
	switch {
	case news.value != nil:
		return append(edits, jsonwalk.Edit{Span: m.At.Value, New: string(news.value)})
	case value.Kind() != '{' && len(news.parts) > 0:
		return append(edits, jsonwalk.Edit{Span: m.At.Value, New: news.whole()})
	case value.Kind() != '{':
		return edits
	}
	return n.object(raw, edits, m, news.parts)
}

// object appends the edits of an object: some of its members go, others are set.
func (n *Nested) object(raw []byte, edits []jsonwalk.Edit, m *Member, parts []llm.Param) []jsonwalk.Edit {
	parent, value, at := n.plain(m.Name), m.At.Value.Of(raw), m.At.Value.Start
	s := jsonwalk.NewScanner(value, jsonwalk.Options{})
	var cutter jsonwalk.Cutter
	kept := false
	for ok := s.EnterObject(); ok && s.NextMember(); {
		member := jsonwalk.Member{Name: Shifted(s.NameSpan(), at)}
		name := n.plain(string(s.Name()))
		member.Value = Shifted(s.Skip(), at)
		if slices.Contains(n.cut[parent], name) {
			edits = cutter.Cut(edits, member.Span())
			if llm.JSON(member.Value.Of(raw)).Kind() != 'n' {
				n.Left = append(n.Left, parent+"."+name)
			}
			continue
		}
		edits, kept = cutter.Keep(edits, member.Span()), true
		if j := slices.IndexFunc(parts, func(p llm.Param) bool { return p.Name == name }); j >= 0 {
			edits = append(edits, jsonwalk.Edit{Span: member.Value, New: string(parts[j].Value)})
			parts = slices.Delete(slices.Clone(parts), j, j+1)
		}
	}
	edits = cutter.End(edits)
	if len(parts) == 0 {
		return edits
	}
	text := (&addition{parts: parts}).whole()
	text = text[1 : len(text)-1]
	if kept {
		text = "," + text
	}
	end := m.At.Value.End - 1
	return append(edits, jsonwalk.Edit{Span: jsonwalk.Span{Start: end, End: end}, New: text})
}

// Rest appends the additions whose members the body lacks, once Within has seen all that it has. end is where they go.
func (n *Nested) Rest(edits []jsonwalk.Edit, end jsonwalk.Span, first bool) []jsonwalk.Edit {
	for _, m := range n.news {
		if m.done {
			continue
		}
		text := string(llm.Quote(m.name)) + ":" + m.whole()
		if !first {
			text = "," + text
		}
		edits, first = append(edits, jsonwalk.Edit{Span: end, New: text}), false
	}
	return edits
}

// Shifted is a place in a piece of a text, whose place in the text is known.
func Shifted(s jsonwalk.Span, by int) jsonwalk.Span {
	return jsonwalk.Span{Start: s.Start + by, End: s.End + by}
}
