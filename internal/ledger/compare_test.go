package ledger_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/store/storetest"
)

// journal has rows one after another, each a byte long.
type journal []ledger.Row

func (j journal) Read(from ledger.Position, visit func(at ledger.Position, row *ledger.Row) error) error {
	for i := from.Offset; i < int64(len(j)); i++ {
		row := j[i]
		if err := visit(ledger.Position{Segment: 1, Offset: i + 1}, &row); err != nil {
			return err
		}
	}
	return nil
}

func journaled(n int) ledger.Row {
	at := time.Date(2026, 3, 1, 10, 0, n, 0, time.UTC)
	r := ledger.Row{Instance: "one", Seq: ledger.SeqAt(at)}
	r.Intent = ledger.Intent{Request: "r", Try: 1, Started: at, Key: "k", Model: "m", Provider: "p", Upstream: "u", Held: llm.Usage{Fresh: 9}}
	r.Settlement = ledger.Settlement{Usage: llm.Usage{Fresh: 5}, Cost: 3, Took: time.Second + time.Nanosecond}
	return r
}

// A shipped row that the store lacks or has changed is found; one that is on its way is not missed.
func TestCompareFindsWhatTheStoreLacks(t *testing.T) {
	t.Parallel()
	store := new(storetest.Memory)
	rows := journal{journaled(2), journaled(0), journaled(1), journaled(3)} // in the order in which they ended
	changed := rows[2]
	changed.Cost = 4
	other := rows[1]
	other.Instance = "two" // and its seq is that of the missing row
	for _, s := range []ledger.Shipment{
		{Instance: "one", Rows: []ledger.Row{changed, rows[0]}, Upto: ledger.Position{Segment: 1, Offset: 3}}, {Instance: "two", Rows: []ledger.Row{other}},
	} {
		if err := store.Ship(t.Context(), &s); err != nil {
			t.Fatal(err)
		}
	}
	var found []string
	n, waiting, err := ledger.Compare(t.Context(), rows, "one", store, store, func(d ledger.Difference) {
		found = append(found, d.Line)
		if d.Table != "journal" || d.Rows.Cost != 3 || d.Sums.Cost == 3 {
			t.Errorf("%+v", d)
		}
	})
	if err != nil || n != 3 || waiting != 1 || len(found) != 2 || !strings.Contains(found[0], "call 1772359200000000 of request req_r, key k: the store lacks it") || !strings.Contains(found[1], "has another row") {
		t.Errorf("%d %q %v", n, found, err)
	}
	store.Fail(errors.New("no"))
	if _, _, err := ledger.Compare(context.WithoutCancel(t.Context()), rows, "one", store, store, nil); err == nil {
		t.Error("no error")
	}
}
