package postgres

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
)

// While all connections of reports are taken, rows are shipped and keys are read, and a report ends in time.
func TestReportsKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	db := open(t, server.Database(t))
	for range 3 { // of the ten
		tx, err := db.reports.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }()
	}
	if err := db.Ship(t.Context(), shipment(0, 100)); err != nil {
		t.Error(err)
	}
	if _, last, err := db.Shipped(t.Context(), "one"); err != nil || last == 0 {
		t.Error(last, err)
	}
	if _, err := db.ChangesSince(t.Context(), 0, nil, func(auth.Key) {}); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := db.Usage(ctx, &ledger.UsageQuery{By: ledger.ByModel}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a report without a connection: %v", err)
	}
}

// shipment is rows of 1,000 keys and 50 models, from a number on, four a second.
func shipment(from, rows int) *ledger.Shipment {
	s := &ledger.Shipment{Instance: "one", Upto: ledger.Position{Segment: 1, Offset: int64(from + rows)}}
	for n := from; n < from+rows; n++ {
		at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(n) * 250 * time.Millisecond)
		r := ledger.Row{Instance: "one", Seq: ledger.SeqAt(at)}
		r.Intent = ledger.Intent{
			Request: fmt.Sprintf("0D1JUT%018dG0", n), Started: at, Try: 1, Key: fmt.Sprint("key", n*n%1000), Team: fmt.Sprint("team", n*n%20),
			Model: fmt.Sprint("model", n*n%50), Provider: "p", Upstream: fmt.Sprint("model", n*n%50), Price: 7,
		}
		r.Settlement = ledger.Settlement{Status: 200, Outcome: "ok", Usage: llm.Usage{Fresh: 1000, Text: 200}, Cost: 5, Took: time.Second}
		s.Rows = append(s.Rows, r)
	}
	return s
}

// BenchmarkShip ships rows, 4,000 at once: a row is one operation.
func BenchmarkShip(b *testing.B) {
	const atOnce = 4000
	db, err := Open(b.Context(), Options{URL: secret.New(server.Database(b)), Pool: 10})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for n := 0; n < b.N; n += atOnce {
		b.StopTimer()
		batch := shipment(n, atOnce)
		b.StartTimer()
		if err := db.Ship(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
