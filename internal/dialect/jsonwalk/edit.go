package jsonwalk

// Edit replaces a span of a text by other bytes; an empty span inserts, empty bytes cut. Edits of one text
// are ordered by position and do not overlap.
type Edit struct {
	Span
	New string
}

// Apply appends src with the edits made to dst.
func Apply(dst, src []byte, edits []Edit) []byte {
	at := 0
	for _, e := range edits {
		dst = append(dst, src[at:e.Start]...)
		dst = append(dst, e.New...)
		at = e.End
	}
	return append(dst, src[at:]...)
}

// Member is the place of one member of an object: its name (quotes included) and its value.
type Member struct{ Name, Value Span }

// Span is where the whole of a member is.
func (m Member) Span() Span { return Span{Start: m.Name.Start, End: m.Value.End} }

// Cutter makes some of the members of an object, or of the elements of an array, disappear, each with one comma. All of them have to be given to it
// in their order, and End when there are no more. It remembers next to nothing. The zero value is ready.
type Cutter struct {
	kept bool // one stays
	end  int  // of the last one that stays, or that was cut after it
	gone Span // those at the beginning that are cut, zero if none
}

// Keep says that one stays, and appends the edit that cuts those before it, if there is one. Edits within it come after that.
func (c *Cutter) Keep(edits []Edit, at Span) []Edit {
	if !c.kept && c.gone.End > 0 {
		edits = append(edits, Edit{Span: Span{Start: c.gone.Start, End: at.Start}})
	}
	c.kept, c.end = true, at.End
	return edits
}

// Cut appends the edit that cuts one, unless that has to wait for the one after it.
func (c *Cutter) Cut(edits []Edit, at Span) []Edit {
	switch {
	case c.kept:
		edits = append(edits, Edit{Span: Span{Start: c.end, End: at.End}})
		c.end = at.End
	case c.gone.End == 0:
		c.gone = at
	default:
		c.gone.End = at.End
	}
	return edits
}

// End appends the edit that cuts all of them, if none stays.
func (c *Cutter) End(edits []Edit) []Edit {
	if !c.kept && c.gone.End > 0 {
		edits = append(edits, Edit{Span: c.gone})
	}
	return edits
}
