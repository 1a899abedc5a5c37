package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/ledger"
)

var usageTests = map[string]func(*testing.T, func() Store){
	"usage of any groupings is that of the rows":            usageOfAnyGroupings("Europe/Berlin"),
	"usage of any groupings is that of the rows in Kolkata": usageOfAnyGroupings("Asia/Kolkata"),
	"usage of any groupings is that of the rows in Havana":  usageOfAnyGroupings("America/Havana"),
	"usage of many lines is bounded":                        usageOfManyLines,
	"usage of any whole days is that of the rows":           spansOfDays,
}

// scattered are rows of some weeks in which clocks are put forward, of few keys, teams, models and providers.
func scattered(random *rand.Rand, from time.Time, n int) (rows []ledger.Row) {
	pick := func(prefix string, of int) string { return fmt.Sprint(prefix, random.IntN(of)) }
	for i := range n {
		rows = append(rows, changed(call(i), func(r *ledger.Row) {
			at := from.Add(time.Duration(random.Int64N(int64(40 * 24 * time.Hour))))
			r.Seq, r.Started, r.Request = ledger.SeqAt(at), at, requestAt(at)
			r.Key, r.Team, r.Model, r.Provider, r.Upstream = pick("k", 4), pick("t", 2), pick("m", 3), pick("p", 2), pick("u", 3)
			r.Cost, r.Call = random.Int64N(1000)-5, random.IntN(2)
			if random.IntN(2) == 0 {
				r.Tags = []ledger.Tag{{Name: "job", Value: pick("j", 3)}, {Name: "b", Value: pick("c", 2)}}
			}
		}))
	}
	slices.SortFunc(rows, func(a, b ledger.Row) int { return int(a.Seq - b.Seq) })
	return rows
}

// summedUp is what a report says, made of the rows themselves.
func summedUp(rows []ledger.Row, q *ledger.UsageQuery) []ledger.UsageLine {
	zone, span := q.Span.Since.Location(), q.Span.Widened()
	if q.By == ledger.ByTag || q.Then == ledger.ByTag {
		dates := q.Span.Dates()[0]
		span = ledger.Span{Since: ledger.Day(dates.From).Begin(zone), Until: ledger.Day(dates.To).Begin(zone)}
	}
	sums := map[ledger.UsageLine]*ledger.Sums{}
	for i := range rows {
		r := &rows[i]
		at := r.Seq.Time().In(zone)
		if at.Before(span.Since) || !at.Before(span.Until) || q.Key != "" && q.Key != r.Key || q.Team != "" && q.Team != r.Team || q.Model != "" && q.Model != r.Model {
			continue
		}
		moment := map[ledger.Grouping]string{
			ledger.ByHour: ledger.Hour(ledger.HourOf(at)).Begin().In(zone).Format(time.RFC3339), ledger.ByDay: at.Format(time.DateOnly), ledger.ByMonth: at.Format("2006-01"),
		}
		number := map[ledger.Grouping]int64{
			ledger.ByHour: int64(ledger.HourOf(at)), ledger.ByDay: int64(ledger.DayOf(at)), ledger.ByMonth: int64(ledger.DayOf(at)) - int64(at.Day()) + 1,
		}[q.Grain]
		names := map[ledger.Grouping]string{ledger.ByModel: r.Model, ledger.ByKey: r.Key, ledger.ByTeam: r.Team, ledger.ByProvider: r.Provider}
		tags := []string{""}
		if q.By == ledger.ByTag || q.Then == ledger.ByTag {
			tags = slices.Collect(r.TagTexts())
		}
		for _, tag := range tags {
			names[ledger.ByTag] = tag
			line := ledger.UsageLine{Group: names[q.By] + moment[q.By], Then: names[q.Then], At: number}
			if sums[line] == nil {
				sums[line] = new(ledger.Sums)
			}
			more := r.Sums()
			sums[line].Add(&more)
		}
	}
	lines := []ledger.UsageLine{}
	for line, s := range sums {
		line.Sums = *s
		lines = append(lines, line)
	}
	return q.Ordered(lines)
}

// Whatever a report is by, of whatever span, its sums are those of the rows.
func usageOfAnyGroupings(zone string) func(*testing.T, func() Store) {
	return func(t *testing.T, open func() Store) {
		s, random, zone := open(), rand.New(rand.NewPCG(7, 8)), location(t, zone)
		from := time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)
		rows := scattered(random, from, 400)
		shipIn(t, s, zone, rows[:250]...)
		shipIn(t, s, zone, rows[250:]...)
		for n := range 300 {
			q := anyQuery(random, from.In(zone))
			want := summedUp(rows, q)
			q.Most = len(want)
			if diff := cmp.Diff(want, sums(t, s, *q)); diff != "" {
				t.Fatalf("%d: %+v (-rows +report):\n%s", n, q, diff)
			}
			if q.Most--; q.Most < 1 || q.Top > 0 && q.Then == "" && q.Grain == "" {
				continue
			}
			if _, err := s.Usage(t.Context(), q); !errors.Is(err, ledger.ErrTooManyLines) {
				t.Fatalf("%d: %+v has one line more, %v", n, q, err)
			}
		}
	}
}

func anyQuery(random *rand.Rand, from time.Time) *ledger.UsageQuery {
	pick := func(of ...ledger.Grouping) ledger.Grouping { return of[random.IntN(len(of))] }
	since := from.Add(time.Duration(random.Int64N(int64(41 * 24 * time.Hour))))
	q := &ledger.UsageQuery{
		By: pick(ledger.Groupings[:]...), Grain: pick("", ledger.ByHour, ledger.ByDay, ledger.ByMonth), Then: pick("", ledger.ByModel, ledger.ByKey, ledger.ByTeam, ledger.ByProvider),
		Span: ledger.Span{Since: since, Until: since.Add(time.Duration(random.Int64N(int64(20 * 24 * time.Hour))))},
	}
	filter := func(to *string, prefix string) {
		if random.IntN(4) == 0 {
			*to = fmt.Sprint(prefix, random.IntN(3))
		}
	}
	filter(&q.Key, "k")
	switch {
	case q.By.OfTime():
		q.Grain, q.Then = "", ""
	case q.By == ledger.ByTag:
		if q.Then != ledger.ByKey {
			q.Then = ""
		}
		if q.Grain == ledger.ByHour {
			q.Grain = ledger.ByDay
		}
	}
	if q.By != ledger.ByTag {
		filter(&q.Team, "t")
		filter(&q.Model, "m")
	}
	if q.By == q.Then {
		q.Then = ""
	}
	if random.IntN(2) == 0 {
		q.Top = 1 + random.IntN(4)
	}
	return q
}

func usageOfManyLines(t *testing.T, open func() Store) {
	s := open()
	ship(t, s, call(0), changed(call(1), func(r *ledger.Row) { r.Key = "k2" }), changed(call(2), func(r *ledger.Row) { r.Key = "k3" }))
	for most, want := range map[int]error{2: ledger.ErrTooManyLines, 3: nil, 0: nil} {
		span := ledger.Span{Since: callsBegan, Until: callsBegan.Add(time.Hour)}
		if lines, err := s.Usage(t.Context(), &ledger.UsageQuery{By: ledger.ByKey, Grain: ledger.ByHour, Span: span, Most: most}); !errors.Is(err, want) || err == nil && len(lines) != 3 {
			t.Errorf("at most %d: %d lines, %v", most, len(lines), err)
		}
	}
}

// spansOfDays are all that begin and end with a day of some weeks: whole weeks, parts of some, and none at all.
func spansOfDays(t *testing.T, open func() Store) {
	s, random := open(), rand.New(rand.NewPCG(19, 1))
	from := time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)
	rows := scattered(random, from, 400)
	shipIn(t, s, time.UTC, rows...)
	for since := range 16 {
		for until := since; until < 30; until++ {
			span := ledger.Span{Since: from.AddDate(0, 0, since), Until: from.AddDate(0, 0, until)}
			for _, q := range []ledger.UsageQuery{
				{By: ledger.ByTag, Span: span},
				{By: ledger.ByTag, Span: span, Top: 2},
				{By: ledger.ByTag, Span: span, Key: "k1"},
				{By: ledger.ByTeam, Span: span, Then: ledger.ByModel, Top: 2},
				{By: ledger.ByModel, Span: span, Team: "t1"},
				{By: ledger.ByModel, Then: ledger.ByTeam, Span: span, Top: 2},
			} {
				if diff := cmp.Diff(summedUp(rows, &q), sums(t, s, q)); diff != "" {
					t.Fatalf("%+v (-rows +report):\n%s", q, diff)
				}
			}
		}
	}
}
