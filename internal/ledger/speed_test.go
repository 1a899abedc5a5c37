package ledger_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/route"
)

// Rows have the words of route for outcomes, and whose fault each is and how it ends a request goes by these.
func TestOutcomesAreTheWordsOfRoute(t *testing.T) {
	t.Parallel()
	answered, left := []route.Outcome{route.Answered}, []route.Outcome{route.Canceled}
	notOfTheTarget := []route.Outcome{
		route.Skipped, route.TooLong, route.Refused, route.Moderated, route.Crowded, route.Canceled, route.Lost, route.OutOfBudget,
	}
	for o := route.Answered; o <= route.OutOfBudget; o++ {
		row := ledger.Row{Settlement: ledger.Settlement{Outcome: o.String(), Took: time.Second}}
		var counts ledger.Speeds
		counts.Count(&row)
		ok := slices.Contains(answered, o)
		if failed := !ok && !slices.Contains(notOfTheTarget, o); (counts.Failed == 1) != failed || counts.Calls != 1 {
			t.Errorf("%s: %d failed", o, counts.Failed)
		}
		want := ledger.StatusFailed
		switch {
		case ok:
			want = ledger.StatusOK
		case slices.Contains(left, o):
			want = ledger.StatusCanceled
		}
		if got := ledger.RequestOf([]ledger.Row{row}).Status(); got != want {
			t.Errorf("%s: %s, want %s", o, got, want)
		}
		row.Flags = ledger.Cut
		if got := ledger.RequestOf([]ledger.Row{row}).Status(); got != ledger.StatusFailed {
			t.Errorf("%s, cut by Weir: %s", o, got)
		}
	}
}

// A quantile is off by the width of a range at most, for all times between the first range and the last.
func TestQuantile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.Int64Range(int64(21*time.Millisecond), int64(10*time.Minute)), 1, 200).Draw(t, "times")
		share := rapid.SampledFrom([]float64{0.01, 0.5, 0.9, 0.95, 0.99, 1}).Draw(t, "share")
		var counts ledger.Speeds
		for _, took := range times {
			counts.Count(&ledger.Row{Settlement: ledger.Settlement{Outcome: route.Answered.String(), Took: time.Duration(took)}})
		}
		slices.Sort(times)
		got, want := float64(ledger.Quantile(&counts.Took, share)), float64(times[int(math.Ceil(share*float64(len(times))))-1])
		if off := max(got/want, want/got); off > ledger.SpeedWithin+1e-6 {
			t.Errorf("%v in place of %v", time.Duration(got), time.Duration(want))
		}
	})
}
