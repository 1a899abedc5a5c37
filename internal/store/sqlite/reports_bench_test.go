package sqlite

import (
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
)

var (
	ledgerRows = flag.Int("ledger-rows", 100_000, "how many rows, spread over a month, BenchmarkReports asks for reports of")
	ledgerFile = flag.String("ledger-file", "", "a store that BenchmarkReports fills, or that it has filled with as many rows before; a new one without it")
)

// BenchmarkReports asks a month of rows for every report, and for pages of rows. One operation is one report; p99 is of all.
func BenchmarkReports(b *testing.B) {
	path := cmp.Or(*ledgerFile, filepath.Join(b.TempDir(), "weir.db"))
	db, err := Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	calls := newCalls(begin, 30*24*time.Hour/time.Duration(*ledgerRows))
	start := time.Now()
	upto, _, err := db.Shipped(b.Context(), "one")
	if err != nil {
		b.Fatal(err)
	}
	for n := int(upto.Offset) * shipped; n < *ledgerRows; n += shipped {
		if err := db.Ship(b.Context(), calls.next(shipped)); err != nil {
			b.Fatal(err)
		}
	}
	_, last, err := db.Shipped(b.Context(), "one")
	if err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d rows in %v; %.1f bytes a row", *ledgerRows, time.Since(start).Round(time.Second), float64(info.Size())/float64(*ledgerRows))
	// The last days of the spans are not over, and the longer ones begin early on a day: no span has more hours beside its days.
	end := last.Time().UTC().Truncate(24 * time.Hour).Add(-time.Hour)
	spans := map[string]time.Duration{"hour": time.Hour, "two days": 48 * time.Hour, "week": 7*24*time.Hour - 2*time.Hour, "month": 29*24*time.Hour - 2*time.Hour}
	for name, length := range spans {
		span := ledger.Span{Since: end.Add(-length), Until: end}
		for _, by := range ledger.Groupings {
			b.Run(name+" by "+string(by), func(b *testing.B) {
				timed(b, func() error { _, err := db.Usage(b.Context(), &ledger.UsageQuery{By: by, Span: span}); return err })
			})
		}
		b.Run(name+" of a key by day", func(b *testing.B) {
			timed(b, func() error {
				_, err := db.Usage(b.Context(), &ledger.UsageQuery{By: ledger.ByDay, Span: span, Key: "000000000700"})
				return err
			})
		})
	}
	for name, q := range map[string]ledger.SpeedQuery{
		"a day by target":         {By: ledger.ByTarget, Span: ledger.Span{Since: end.Add(-24 * time.Hour), Until: end}},
		"a day by target, hour":   {By: ledger.ByTarget, Grain: ledger.ByHour, Span: ledger.Span{Since: end.Add(-24 * time.Hour), Until: end}},
		"a week by hour":          {Grain: ledger.ByHour, Span: ledger.Span{Since: end.Add(-spans["week"]), Until: end}},
		"a month by target":       {By: ledger.ByTarget, Span: ledger.Span{Since: end.Add(-spans["month"]), Until: end}},
		"a day by target, 5m":     {By: ledger.ByTarget, Grain: ledger.ByFive, Span: ledger.Span{Since: end.Add(-24 * time.Hour), Until: end}},
		"a month of a model, day": {Grain: ledger.ByDay, Model: "model-7", Span: ledger.Span{Since: end.Add(-spans["month"]), Until: end}},
	} {
		b.Run("speeds of "+name, func(b *testing.B) {
			timed(b, func() error { _, err := db.Speeds(b.Context(), &q); return err })
		})
	}
	for name, q := range map[string]ledger.RequestsQuery{"newest": {}, "a key": {Key: "000000000700"}, "a flag": {Flags: ledger.Absurd}, "none": {MinCost: 1 << 50}} {
		q.Limit = 100
		b.Run("requests of "+name, func(b *testing.B) {
			timed(b, func() error { _, err := ledger.Requests(b.Context(), db, &q); return err })
		})
	}
	first, _, err := db.Rows(b.Context(), &ledger.RowsQuery{Limit: 1, Span: ledger.Span{Until: begin.Add(24 * time.Hour)}})
	if err != nil {
		b.Fatal(err)
	}
	for name, q := range map[string]ledger.RowsQuery{
		"newest": {}, "a busy key": {Key: "000000000000"}, "a rare key": {Key: "000000000999"}, "no key": {Key: "nobody"}, "a team": {Team: "team-19"},
		"a model": {Model: "model-49"}, "a rare key and model": {Key: "000000000999", Model: "model-32"}, "a flag": {Flags: ledger.Retry}, "a flag of none": {Flags: ledger.Absurd},
		"a request": {Request: first[0].Request},
	} {
		q.Limit = 50
		b.Run("rows of "+name, func(b *testing.B) {
			timed(b, func() error { _, _, err := db.Rows(b.Context(), &q); return err })
		})
	}
	b.Run("verify", func(b *testing.B) {
		timed(b, func() error {
			_, err := db.Verify(b.Context(), func(d ledger.Difference) { b.Errorf("%+v", d) })
			return err
		})
	})
}

// timed runs f b.N times, and says how long it took at p99.
func timed(b *testing.B, f func() error) {
	var all []time.Duration
	cpu := cpuTime()
	for b.Loop() {
		began := time.Now()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		all = append(all, time.Since(began))
	}
	b.ReportMetric(float64((cpuTime()-cpu).Microseconds())/1000/float64(len(all)), "cpu-ms/op")
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
}
