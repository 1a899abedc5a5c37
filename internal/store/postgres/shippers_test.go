package postgres

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/secret"
)

// shippedBy are rows of an instance for the same keys, models, tags and prices as those of others, in an order of their own. Most shipments have no
// name that is new: who numbers names keeps all others that do so waiting.
func shippedBy(instance string, random *rand.Rand, batch, rows int) *ledger.Shipment {
	fresh := batch / 4
	began := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(batch) * time.Hour)
	s := &ledger.Shipment{Instance: instance, Upto: ledger.Position{Segment: 1, Offset: int64(batch + 1)}}
	for i := range rows {
		at := began.Add(time.Duration(i) * 3 * time.Second)
		r := ledger.Row{Instance: instance, Seq: ledger.SeqAt(at)}
		r.Intent = ledger.Intent{
			Request: "an id", Try: 1, Started: at, Key: fmt.Sprint("k", random.IntN(40)), Team: fmt.Sprint("t", random.IntN(5)), Model: fmt.Sprint("m", fresh, random.IntN(8)), Provider: "p",
			Upstream: fmt.Sprint("u", fresh, random.IntN(8)), Price: money.ID(1 + random.IntN(5) + fresh),
			Tags: []ledger.Tag{{Name: "n", Value: fmt.Sprint(random.IntN(3000))}, {Name: "o", Value: fmt.Sprint(random.IntN(3))}},
		}
		r.Settlement = ledger.Settlement{Status: 200, Outcome: fmt.Sprint("ok", fresh), Usage: llm.Usage{Fresh: 10, Text: 3}, Cost: 7}
		s.Rows = append(s.Rows, r)
	}
	for id := money.ID(1); id < 6 && batch%4 > 1; id++ { // after rows that name them
		s.Prices = append(s.Prices, ledger.PricedAs{ID: id + money.ID(fresh), JSON: []byte("{}")})
	}
	return s
}

// Three shippers at once, of thousands of rows with the same keys, models, targets, prices and tags: none waits for another that waits for it,
// and all sums are exact. They write in the order of keys, and who numbers names has the lock from before its first sum.
func TestShippersNeverWaitForEachOther(t *testing.T) {
	t.Parallel()
	const instances, batches, rows = 3, 16, 300
	url := server.Database(t)
	var group sync.WaitGroup
	for i := range instances {
		db, err := Open(t.Context(), Options{URL: secret.New(url), Pool: 4})
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(i)))
			for batch := range batches {
				if err := db.Ship(t.Context(), shippedBy(fmt.Sprint("i", i), random, batch, rows)); err != nil {
					t.Error(err)
				}
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	looks := pool(t, url)
	if n := deadlocks(t, looks); n != 0 {
		t.Errorf("the database broke %d deadlocks", n)
	}
	db := open(t, url)
	for by, groups := range map[ledger.Grouping]int{ledger.ByKey: 40, ledger.ByModel: 8 * batches / 4, ledger.ByTeam: 5} {
		q := ledger.UsageQuery{By: by, Span: ledger.Span{Since: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)}}
		lines, err := db.Usage(t.Context(), &q)
		if err != nil {
			t.Fatal(err)
		}
		var all ledger.Sums
		for i := range lines {
			all.Add(&lines[i].Sums)
		}
		if n := int64(instances * batches * rows); all.Attempts != n || all.Cost != 7*n || all.Input != 10*n || all.Output != 3*n || len(lines) != groups {
			t.Errorf("by %s: %+v in %d lines", by, all, len(lines))
		}
	}
	if _, err := db.Verify(t.Context(), func(d ledger.Difference) { t.Errorf("%+v", d) }); err != nil {
		t.Error(err)
	}
	if n := count(t, looks, "SELECT count(*) FROM prices WHERE rates IS NULL"); n != 0 {
		t.Errorf("%d prices have no text", n)
	}
}

// deadlocks is how many the database has broken, when all connections but one have ended: each counts its own at its end.
func deadlocks(t *testing.T, pool *sql.DB) (n int) {
	t.Helper()
	pool.SetMaxOpenConns(1)
	for count(t, pool, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()") > 1 {
	}
	return count(t, pool, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
}

// BenchmarkShipAtOnce ships rows over several connections at once, each of an instance of its own, 4,000 at a time: a row is one operation.
func BenchmarkShipAtOnce(b *testing.B) {
	for _, connections := range []int{1, 3} {
		b.Run(fmt.Sprint(connections), func(b *testing.B) {
			url := server.Database(b)
			var dbs []*DB
			for range connections {
				db, err := Open(b.Context(), Options{URL: secret.New(url), Pool: 2})
				if err != nil {
					b.Fatal(err)
				}
				defer func() { _ = db.Close() }()
				dbs = append(dbs, db)
			}
			const rows = 4000
			b.ResetTimer()
			var group sync.WaitGroup
			for i, db := range dbs {
				group.Go(func() {
					for batch := range (b.N/connections + rows - 1) / rows {
						s := shipment(batch*rows, rows)
						if s.Instance = fmt.Sprint("i", i); db.Ship(b.Context(), s) != nil {
							b.Error("a shipment failed")
						}
					}
				})
			}
			group.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
