package disk

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// TestWholeLedger has a journal on the disk and a store in SQLite. A copy of the journal that was made while calls were running is what a
// killed process would have left: started, it adds the orphans, and no other row twice.
func TestWholeLedger(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "weir.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	start := func(folder string) *ledger.Ledger {
		files, err := Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		l, err := ledger.Open(t.Context(), ledger.Options{Files: files, Store: db, Log: slog.New(slog.DiscardHandler), Bound: ledger.MinBound})
		if err != nil {
			t.Fatal(err)
		}
		price := money.Plain(3e6, 15e6)
		l.Know([]ledger.PricedAs{{ID: price.ID(), JSON: price.JSON()}})
		return l
	}
	want := map[string]ledger.Row{}
	begin := func(l *ledger.Ledger, id string) *ledger.Entry {
		in := intent()
		in.Request = fmt.Sprintf("01hzx7v9m2q4t8w1c5n3k7%04s", id)
		e, err := l.Begin(in, true)
		if err != nil {
			t.Fatal(err)
		}
		want[in.Request] = ledger.Row{Instance: l.Instance(), Seq: e.Seq(), Intent: *in, Settlement: *settlement()}.Kept()
		return e
	}

	folder, copied := filepath.Join(t.TempDir(), "journal"), filepath.Join(t.TempDir(), "journal")
	l := start(folder)
	running := []*ledger.Entry{begin(l, "0001"), begin(l, "0002")}
	for i := range 500 {
		begin(l, fmt.Sprint(1000+i)).Settle(settlement())
	}
	if err := l.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		begin(l, fmt.Sprint(2000+i)).Settle(settlement())
	}
	if err := os.CopyFS(copied, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}

	l = start(copied)
	if s := l.Stats(); s.Orphaned != len(running) {
		t.Errorf("%d orphans", s.Orphaned)
	}
	if err := l.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	rows, _, err := db.Rows(t.Context(), &ledger.RowsQuery{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	orphans := 0
	for _, row := range rows {
		w := want[row.Request]
		if row.Flags == ledger.Orphaned {
			orphans++
			w.Settlement = row.Settlement
		}
		if diff := cmp.Diff(w, row); diff != "" {
			t.Fatal(diff)
		}
	}
	if len(rows) != len(want) || orphans != len(running) {
		t.Errorf("%d rows of %d, %d orphans", len(rows), len(want), orphans)
	}
	verified, err := db.Verify(t.Context(), func(d ledger.Difference) { t.Errorf("%+v", d) })
	if err != nil {
		t.Errorf("%+v, %v", verified, err)
	}
}
