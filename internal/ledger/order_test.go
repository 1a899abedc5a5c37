package ledger

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Rows are shipped in the order of their numbers, whichever call ended first, and each stays whole.
func TestRowsAreSorted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfDistinct(rapid.Int64Range(0, 1000), func(n int64) int64 { return n }).Draw(t, "numbers")
		var s shipper
		for _, n := range numbers {
			r := Row{Seq: Seq(n)}
			r.Try = int(n)
			s.rows = append(s.rows, r)
		}
		s.sort()
		if !slices.IsSortedFunc(s.rows, func(a, b Row) int { return cmp.Compare(a.Seq, b.Seq) }) {
			t.Fatalf("%v", s.rows)
		}
		slices.Sort(numbers)
		for i, n := range numbers {
			if s.rows[i].Seq != Seq(n) || s.rows[i].Try != int(n) {
				t.Fatalf("%v in the place of %d", s.rows[i], n)
			}
		}
	})
}
