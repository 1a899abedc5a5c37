package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/ledger"
)

var speedTests = map[string]func(*testing.T, func() Store){
	"counts of times are those of the rows":   speedsOfRows,
	"counts of five minutes are of two days":  fivesAreForgotten,
	"counts of times stay when rows are gone": speedsStay,
	"counts of times have so many lines":      speedsOfManyLines,
}

// speedsOf are the lines of a query, and speedsIn what the rows of it add up to.
func speedsOf(t *testing.T, s ledger.Reports, q *ledger.SpeedQuery) []ledger.SpeedLine {
	t.Helper()
	lines, err := s.Speeds(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func speedsIn(rows []ledger.Row, q *ledger.SpeedQuery) []ledger.SpeedLine {
	span, found := q.Span.Widened(), map[string]map[int64]*ledger.Speeds{}
	for i := range rows {
		r := &rows[i]
		at := r.Seq.Time().In(q.Span.Since.Location())
		if at.Before(span.Since) || !at.Before(span.Until) || !q.Admits(r.Model, r.Provider, r.Upstream) {
			continue
		}
		group, number := q.Group(r.Model, r.Provider, r.Upstream), map[ledger.Grouping]int64{ledger.ByHour: int64(ledger.HourOf(at)), ledger.ByDay: int64(ledger.DayOf(at))}[q.Grain]
		if found[group] == nil {
			found[group] = map[int64]*ledger.Speeds{}
		}
		if found[group][number] == nil {
			found[group][number] = new(ledger.Speeds)
		}
		counts := countsOf(r)
		found[group][number].Add(&counts)
	}
	lines := []ledger.SpeedLine{}
	for group, times := range found {
		for at, counts := range times {
			lines = append(lines, ledger.SpeedLine{Group: group, At: at, Speeds: *counts})
		}
	}
	return ledger.OrderedSpeeds(lines)
}

// Whatever is asked for, the counts are those of the rows, in the hours and days of the time zone. A row that is shipped twice counts once.
func speedsOfRows(t *testing.T, open func() Store) {
	s, random, zone := open(), rand.New(rand.NewPCG(9, 1)), location(t, "Europe/Berlin")
	from := time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)
	rows := scattered(random, from, 300)
	for i := range rows {
		rows[i].Took, rows[i].First = time.Duration(random.Int64N(int64(20*time.Minute))), time.Duration(random.Int64N(int64(time.Minute)))
		if random.IntN(3) == 0 {
			rows[i].Outcome, rows[i].First = []string{"failed", "rate_limited", "canceled", "refused"}[random.IntN(4)], 0
		}
	}
	shipIn(t, s, zone, rows[:150]...)
	shipIn(t, s, zone, rows[140:]...)
	pick := func(of ...ledger.Grouping) ledger.Grouping { return of[random.IntN(len(of))] }
	for n := range 200 {
		since := from.Add(time.Duration(random.Int64N(int64(41 * 24 * time.Hour)))).In(zone)
		q := &ledger.SpeedQuery{
			By: pick("", ledger.ByModel, ledger.ByProvider, ledger.ByTarget, ledger.ByTargetOf), Grain: pick("", ledger.ByHour, ledger.ByDay),
			Span: ledger.Span{Since: since, Until: since.Add(time.Duration(random.Int64N(int64(20 * 24 * time.Hour))))},
		}
		for to, prefix := range map[*string]string{&q.Model: "m", &q.Provider: "p", &q.Upstream: "u"} {
			if random.IntN(4) == 0 {
				*to = fmt.Sprint(prefix, random.IntN(4))
			}
		}
		if diff := cmp.Diff(speedsIn(rows, q), speedsOf(t, s, q)); diff != "" {
			t.Fatalf("%d: %+v (-rows +counts):\n%s", n, *q, diff)
		}
	}
}

func fivesAreForgotten(t *testing.T, open func() Store) {
	s := open()
	failed := changed(call(6), func(r *ledger.Row) { r.Outcome = "failed" })
	ship(t, s, call(0), call(4), failed)
	q := &ledger.SpeedQuery{By: ledger.ByTarget, Grain: ledger.ByFive, Span: ledger.Span{Since: callsBegan, Until: callsBegan.Add(72 * time.Hour)}}
	first := ledger.FiveOf(callsBegan)
	line := func(five int, calls, failed int64) ledger.SpeedLine {
		return ledger.SpeedLine{Group: "p/vendor/large", At: int64(first) + int64(five), Speeds: ledger.Speeds{Calls: calls, Failed: failed}}
	}
	if diff := cmp.Diff([]ledger.SpeedLine{line(0, 2, 0), line(1, 1, 1)}, speedsOf(t, s, q)); diff != "" {
		t.Error(diff)
	}
	ship(t, s, call(48*60+5))
	if diff := cmp.Diff([]ledger.SpeedLine{line(1, 1, 1), line(48*12+1, 1, 0)}, speedsOf(t, s, q)); diff != "" {
		t.Error(diff)
	}
}

func speedsStay(t *testing.T, open func() Store) {
	s := open()
	ship(t, s, call(0), changed(call(1), func(r *ledger.Row) { r.Flags = ledger.Orphaned }), changed(call(2), func(r *ledger.Row) { r.Adjusts, r.Flags = call(0).Seq, ledger.Adjustment }))
	q := &ledger.SpeedQuery{Span: ledger.Span{Since: callsBegan, Until: callsBegan.Add(time.Hour)}}
	before := speedsOf(t, s, q)
	if len(before) != 1 || before[0].Calls != 1 {
		t.Errorf("%+v", before)
	}
	if _, err := s.Forget(t.Context(), callsBegan.Add(time.Hour), 10); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, speedsOf(t, s, q)); diff != "" {
		t.Error(diff)
	}
}

func speedsOfManyLines(t *testing.T, open func() Store) {
	s := open()
	ship(t, s, call(0), changed(call(1), func(r *ledger.Row) { r.Upstream = "vendor/small" }), call(61))
	for most, want := range map[int]error{2: ledger.ErrTooManyLines, 3: nil, 0: nil} {
		span := ledger.Span{Since: callsBegan, Until: callsBegan.Add(2 * time.Hour)}
		if lines, err := s.Speeds(t.Context(), &ledger.SpeedQuery{By: ledger.ByTarget, Grain: ledger.ByHour, Span: span, Most: most}); !errors.Is(err, want) || err == nil && len(lines) != 3 {
			t.Errorf("at most %d: %d lines, %v", most, len(lines), err)
		}
	}
}
