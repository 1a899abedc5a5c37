package sqlite

import (
	"fmt"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/store/tables"
)

// However many targets callers name through patterns, what the operator names has a number, and a line, of its own.
func TestWhatCallersNameTakesNothingFromTheOperator(t *testing.T) {
	t.Parallel()
	const atOnce, most = 60, 100
	db := opened(t)
	few := db.engine(longestReport)
	few.MostTargets = most
	db.DB = tables.New(few)
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	ship := func(named func(r *ledger.Row)) {
		t.Helper()
		s := &ledger.Shipment{Instance: "one"}
		for range atOnce {
			at = at.Add(time.Microsecond)
			r := ledger.Row{Instance: "one", Seq: ledger.SeqAt(at)}
			r.Intent = ledger.Intent{Started: at, Try: 1, Key: "k", Provider: "p"}
			r.Outcome = "ok"
			named(&r)
			s.Rows = append(s.Rows, r)
		}
		if err := db.Ship(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	chosen := func(r *ledger.Row) {
		n++
		r.Model, r.Upstream, r.Chosen = "p/*", fmt.Sprint("chosen-", n), true
	}
	ship(chosen)
	ship(chosen)
	const beyond = 2*atOnce - most
	if got := db.Unnamed(); got != (ledger.Unnamed{Targets: beyond}) {
		t.Errorf("%+v are counted under other", got)
	}
	ship(func(r *ledger.Row) { // the room that callers have is used up
		n++
		r.Model, r.Upstream = fmt.Sprint("model-", n), fmt.Sprint("named-", n)
	})
	ship(func(r *ledger.Row) { r.Model, r.Upstream = "own", "chosen-119" }) // the operator names what was under other before
	ship(func(r *ledger.Row) { r.Model, r.Upstream, r.Chosen = "p/*", "named-121", true })
	lines := func(target string) (lines int) {
		return count(t, db.readers, fmt.Sprintf("SELECT coalesce(sum(requests), 0) FROM model_days WHERE target = (SELECT id FROM names WHERE kind = 4 AND text = '%s')", target))
	}
	for target, want := range map[string]int{"p/chosen-1": 1, "p/other": beyond, "p/named-121": atOnce + 1, "p/named-180": 1, "p/chosen-119": atOnce, "p/chosen-118": 0} {
		if got := lines(target); got != want {
			t.Errorf("%s has %d requests, want %d", target, got, want)
		}
	}
	if got := db.Unnamed().Targets; got != beyond {
		t.Errorf("%d calls are counted under other", got)
	}
	if _, err := db.Verify(t.Context(), func(d ledger.Difference) { t.Errorf("%+v", d) }); err != nil {
		t.Fatal(err)
	}
}
