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

// CutMember returns the span to cut so that member i of an object disappears with one comma. cut says which of the
// members before it disappear too. Members must be all members of the object, in order.
func CutMember(members []Member, i int, cut func(i int) bool) Span {
	for j := range i {
		if !cut(j) { // a kept member comes before: its comma goes with this one
			return Span{members[i-1].Value.End, members[i].Value.End}
		}
	}
	if i+1 < len(members) {
		return Span{members[i].Name.Start, members[i+1].Name.Start}
	}
	return Span{members[i].Name.Start, members[i].Value.End}
}
