package auth

import (
	"cmp"
	"slices"
	"strings"
)

// order is records by the time of creation, then by id: the order of lists. They are in pieces, so that a new one moves few others.
type order struct {
	pieces [][]*record // none empty
}

// piece is the most records of one piece.
const piece = 512

func compare(a, b *record) int {
	return cmp.Or(cmp.Compare(a.created, b.created), strings.Compare(a.principal.KeyID, b.principal.KeyID))
}

// fill puts records into an order that is empty. It may sort the argument.
func (o *order) fill(records []*record) {
	if !slices.IsSortedFunc(records, compare) {
		slices.SortFunc(records, compare)
	}
	for part := range slices.Chunk(records, piece) {
		o.pieces = append(o.pieces, slices.Clone(part))
	}
}

// place returns the piece that r is or would be in, the place in it, and whether r is there.
func (o *order) place(r *record) (of, at int, found bool) {
	of, found = slices.BinarySearchFunc(o.pieces, r, func(part []*record, r *record) int { return compare(part[0], r) })
	if !found {
		of = max(of-1, 0) // the last piece that begins before r
	}
	if len(o.pieces) == 0 {
		return 0, 0, false
	}
	at, found = slices.BinarySearchFunc(o.pieces[of], r, compare)
	return of, at, found
}

// put adds a record, or puts it in the place of the one with the same time and id.
func (o *order) put(r *record) {
	of, at, found := o.place(r)
	switch {
	case found:
		o.pieces[of][at] = r
	case len(o.pieces) == 0:
		o.pieces = [][]*record{{r}}
	case len(o.pieces[of]) < piece:
		o.pieces[of] = slices.Insert(o.pieces[of], at, r)
	case at == piece && of == len(o.pieces)-1: // after all others, as nearly every new key is
		o.pieces = append(o.pieces, []*record{r})
	default:
		later := slices.Clone(o.pieces[of][piece/2:])
		clear(o.pieces[of][piece/2:])
		o.pieces[of] = o.pieces[of][:piece/2]
		o.pieces = slices.Insert(o.pieces, of+1, later)
		o.put(r)
	}
}

// after calls f with the records after last, or with all if last is nil, until f returns false. It reports whether f never did.
func (o *order) after(last *record, f func(*record) bool) bool {
	of, at := 0, 0
	if last != nil {
		var found bool
		if of, at, found = o.place(last); found {
			at++
		}
	}
	for ; of < len(o.pieces); of, at = of+1, 0 {
		for _, r := range o.pieces[of][at:] {
			if !f(r) {
				return false
			}
		}
	}
	return true
}
