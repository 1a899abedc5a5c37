package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/ledger"
)

var addUpTests = map[string]func(*testing.T, func() Store){
	"questions add up to the rows in New York":  questionsAddUp("America/New_York", 0),
	"questions add up to the rows in Kolkata":   questionsAddUp("Asia/Kolkata", 1),
	"questions add up to the rows in Chatham":   questionsAddUp("Pacific/Chatham", 2),
	"a change of the time zone loses nothing":   zonesChange,
	"spans begin in an earlier time zone's day": spansOverZones,
	"requests add up to the rows":               requestsAddUp,
	"requests are found while a clock is ahead": clocksAreAhead,
	"rows of a clock that jumped add up":        clocksJump,
	"targets that callers name are bounded":     targetsAreBounded,
}

// unlike are rows of which some are corrections of others, some have no end or no figures, and some come late.
func unlike(random *rand.Rand, from time.Time, n int) []ledger.Row {
	rows := scattered(random, from, n)
	for i := range rows {
		r := &rows[i]
		r.Cost = random.Int64N(1 << 40)
		switch random.IntN(8) {
		case 0:
			r.Flags, r.Source = ledger.Orphaned, ledger.Reserved
		case 1:
			r.Flags, r.Source = ledger.InDoubt|ledger.Retry, ledger.Counted
		case 2:
			if i > 0 {
				of := &rows[random.IntN(i)]
				seq := r.Seq
				r.Intent, r.Seq, r.Adjusts, r.Flags, r.Cost = of.Intent, seq, of.Seq, ledger.Adjustment, random.Int64N(1<<40)-of.Cost
				r.Usage = of.Usage
			}
		}
	}
	return rows
}

// questions are all that `by` can be.
func questions() (all []string) {
	groups := []string{"", "model", "key", "team", "provider", "tag"}
	for _, one := range groups {
		for _, two := range groups {
			for _, grain := range []string{"", "hour", "day", "month"} {
				words := slices.DeleteFunc([]string{one, two, grain}, func(word string) bool { return word == "" })
				if len(words) > 0 && (one != two) && (one != "" || two == "") || one == "" && two == "" && grain != "" {
					all = append(all, strings.Join(words, ","))
				}
			}
		}
	}
	return all
}

// Every question that can be asked has the sums of the rows, to the nanodollar. part says which third of all filters it is asked with.
func questionsAddUp(zone string, part int) func(*testing.T, func() Store) {
	return func(t *testing.T, open func() Store) {
		s, random, zone := open(), rand.New(rand.NewPCG(11, uint64(part))), location(t, zone)
		from := time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)
		rows, asked := unlike(random, from, 400), 0
		for some := range slices.Chunk(rows, 150) {
			shipIn(t, s, zone, some...)
		}
		for _, by := range questions() {
			for filters := part; filters < 8; filters += 3 {
				query := anyQuestion(random, by, filters, from)
				q, err := ledger.AskUsage(query, from.AddDate(0, 2, 0).In(zone), ledger.Groupings[:]...)
				if wrong := (*ledger.AskError)(nil); errors.As(err, &wrong) {
					if strings.Contains(by, "tag") { // sums by tag are kept for less
						continue
					}
					t.Fatalf("%v: %v", query, err)
				}
				asked++
				if diff := cmp.Diff(addedUp(rows, q), reported(t, s, q)); diff != "" {
					t.Fatalf("%v (-rows +report):\n%s", query, diff)
				}
			}
		}
		if asked < 130 { // of 206 to 309
			t.Errorf("only %d questions were asked", asked)
		}
	}
}

// anyQuestion is about some span, with these filters.
func anyQuestion(random *rand.Rand, by string, filters int, from time.Time) url.Values {
	query := url.Values{"by": {by}}
	for i, filter := range []string{"key", "team", "model"} {
		if filters&(1<<i) != 0 {
			query.Set(filter, fmt.Sprint(filter[:1], random.IntN(3)))
		}
	}
	since := from.Add(time.Duration(random.Int64N(int64(30 * 24 * time.Hour))))
	until := since.Add(time.Duration(random.Int64N(int64(30 * 24 * time.Hour))))
	form := time.RFC3339
	if random.IntN(2) == 0 {
		form = time.DateOnly
	}
	query.Set("since", since.Format(form))
	query.Set("until", until.Format(form))
	return query
}

// lineKey names a line by texts.
type lineKey struct{ group, then, at string }

// reported are the lines of the store's answer.
func reported(t *testing.T, s ledger.Reports, q *ledger.UsageQuery) map[lineKey]ledger.Sums {
	t.Helper()
	lines := map[lineKey]ledger.Sums{}
	for _, l := range sums(t, s, *q) {
		key := lineKey{group: l.Group, then: l.Then}
		if q.Grain != "" {
			key.at = q.Grain.TimeText(l.At, q.Span.Since.Location())
		}
		if _, twice := lines[key]; twice {
			t.Errorf("%+v is there twice", key)
		}
		lines[key] = l.Sums
	}
	return lines
}

// addedUp are the same lines, made of the rows with nothing but the calendar of package time.
func addedUp(rows []ledger.Row, q *ledger.UsageQuery) map[lineKey]ledger.Sums {
	zone := q.Span.Since.Location()
	since, until := widened(q.Span, q.By == ledger.ByTag || q.Then == ledger.ByTag)
	lines := map[lineKey]ledger.Sums{}
	for i := range rows {
		r := &rows[i]
		at := r.Seq.Time().In(zone)
		if at.Before(since) || !at.Before(until) || q.Key != "" && q.Key != r.Key || q.Team != "" && q.Team != r.Team || q.Model != "" && q.Model != r.Model {
			continue
		}
		tags := map[string]bool{"": true}
		if q.By == ledger.ByTag || q.Then == ledger.ByTag {
			delete(tags, "")
			for _, tag := range r.Tags {
				tags[tag.Name+"="+tag.Value] = true
			}
		}
		for tag := range tags {
			of := func(g ledger.Grouping) string {
				return map[ledger.Grouping]string{
					ledger.ByModel: r.Model, ledger.ByKey: r.Key, ledger.ByTeam: r.Team, ledger.ByProvider: r.Provider, ledger.ByTag: tag,
					ledger.ByHour: hourOf(at).Format(time.RFC3339), ledger.ByDay: at.Format("2006-01-02"), ledger.ByMonth: at.Format("2006-01"),
				}[g]
			}
			key := lineKey{of(q.By), of(q.Then), of(q.Grain)}
			sum, more := lines[key], r.Sums()
			sum.Add(&more)
			lines[key] = sum
		}
	}
	return lines
}

// hourOf is when the hour of the wall clock began.
func hourOf(at time.Time) time.Time {
	return at.Add(-time.Duration(at.Minute())*time.Minute - time.Duration(at.Second())*time.Second - time.Duration(at.Nanosecond()))
}

// widened is a span in whole hours, or days.
func widened(span ledger.Span, days bool) (since, until time.Time) {
	if days {
		midnight := func(at time.Time, more int) time.Time {
			return time.Date(at.Year(), at.Month(), at.Day()+more, 0, 0, 0, 0, at.Location())
		}
		if since, until = midnight(span.Since, 0), midnight(span.Until, 0); until.Before(span.Until) {
			until = midnight(span.Until, 1)
		}
		return since, until
	}
	if since, until = hourOf(span.Since), hourOf(span.Until); until.Before(span.Until) && span.Since.Before(span.Until) {
		until = until.Add(time.Hour)
	}
	return since, until
}

// Where the time zone is changed, each row stays in the hour and on the day that it was summed in. Whatever the question, all of them are in its answer once.
func zonesChange(t *testing.T, open func() Store) {
	s, random := open(), rand.New(rand.NewPCG(13, 1))
	from := time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)
	rows := slices.DeleteFunc(unlike(random, from, 300), func(r ledger.Row) bool { return r.Seq.Time().After(from.AddDate(0, 0, 27)) })
	zones := []string{"UTC", "Asia/Kolkata", "Pacific/Chatham", "America/New_York"}
	var want ledger.Sums
	for i := range rows {
		more := rows[i].Sums()
		want.Add(&more)
	}
	n := 0
	for some := range slices.Chunk(rows, 30) {
		shipIn(t, s, location(t, zones[n%len(zones)]), some...)
		n++
	}
	for _, name := range zones {
		for _, by := range questions() {
			if strings.Contains(by, "tag") { // not all rows have one
				continue
			}
			query, _ := url.ParseQuery("since=2026-03-02&until=2026-04-01&by=" + by)
			q, err := ledger.AskUsage(query, from.In(location(t, name)), ledger.Groupings[:]...)
			if err != nil {
				t.Fatal(err)
			}
			var got ledger.Sums
			for _, l := range sums(t, s, *q) {
				got.Add(&l.Sums)
			}
			if got != want {
				t.Fatalf("by %s in %s: %+v, want %+v", by, name, got, want)
			}
		}
	}
	wantVerified(t, s)
}

// A span may begin within a day that was summed in an earlier time zone, and end within one of a later. It has the rows between, each once.
func spansOverZones(t *testing.T, open func() Store) {
	s, random := open(), rand.New(rand.NewPCG(23, 1))
	from := time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)
	rows := unlike(random, from, 400)
	names := []string{"UTC", "America/New_York", "Asia/Tokyo", "UTC"}
	for i, name := range names {
		shipIn(t, s, location(t, name), rows[100*i:100*i+100]...)
	}
	for n := range 200 {
		zone := location(t, names[n%len(names)])
		since := from.Add(time.Duration(random.IntN(20*24)) * time.Hour).In(zone)
		span := ledger.Span{Since: since, Until: since.Add(time.Duration(1+random.IntN(20*24)) * time.Hour)}
		if since.Hour() == 0 || span.Until.Hour() == 0 { // dates are those of the sums
			continue
		}
		var want ledger.Sums
		for i := range rows {
			if at := rows[i].Seq.Time(); !at.Before(span.Since) && at.Before(span.Until) {
				more := rows[i].Sums()
				want.Add(&more)
			}
		}
		for _, q := range []ledger.UsageQuery{{By: ledger.ByModel, Span: span}, {By: ledger.ByDay, Span: span}, {By: ledger.ByKey, Grain: ledger.ByMonth, Span: span}} {
			var got ledger.Sums
			for _, l := range sums(t, s, q) {
				got.Add(&l.Sums)
			}
			if got != want {
				t.Errorf("%d: %+v: %d calls that cost %d, not %d that cost %d", n, q, got.Attempts, got.Cost, want.Attempts, want.Cost)
			}
		}
	}
}

// requestsAddUp pages through all requests, whose costs are those of the rows.
func requestsAddUp(t *testing.T, open func() Store) {
	s, random := open(), rand.New(rand.NewPCG(17, 1))
	rows := requested(random, 80)
	var want int64
	for i := range rows {
		rows[i].Cost = random.Int64N(1 << 40)
		want += rows[i].Cost
	}
	ship(t, s, rows...)
	for _, limit := range []int{1, 7, 1000} {
		q, got := &ledger.RequestsQuery{Limit: limit}, int64(0)
		for {
			page, err := ledger.Requests(t.Context(), s, q)
			if err != nil {
				t.Fatal(err)
			}
			for i := range page.Requests {
				got += page.Requests[i].Sums().Cost
			}
			if q.Before = page.Next; page.Next == nil {
				break
			}
		}
		if got != want {
			t.Errorf("pages of %d add up to %d, want %d", limit, got, want)
		}
	}
}

// A clock that is set back or forward leaves numbers that rise, and times that do not. The numbers are what reports go by.
func clocksJump(t *testing.T, open func() Store) {
	s := open()
	ahead, back := call(0), call(1)
	ahead.Seq, ahead.Started = ledger.SeqAt(callsBegan.AddDate(1, 0, 0)), callsBegan.AddDate(1, 0, 0) // a wrong year, for a moment
	back.Seq, back.Started = ahead.Seq+1, callsBegan.Add(time.Minute)
	ship(t, s, ahead, back)
	year := ledger.Span{Since: callsBegan, Until: callsBegan.AddDate(1, 0, 1)}
	wantUsage(t, s, ledger.UsageQuery{By: ledger.ByDay, Span: ledger.Span{Since: callsBegan, Until: callsBegan.AddDate(0, 0, 1)}})
	wantUsage(t, s, ledger.UsageQuery{By: ledger.ByDay, Span: year}, line(callsBegan.AddDate(1, 0, 0).UTC().Format(time.DateOnly), 2))
	page, err := ledger.Requests(t.Context(), s, &ledger.RequestsQuery{Limit: 10})
	if err != nil || len(page.Requests) != 2 || page.Next != nil {
		t.Errorf("%+v, %v", page, err)
	}
	rows, _, err := s.Rows(t.Context(), &ledger.RowsQuery{Request: back.Request, Limit: 2})
	if err != nil || len(rows) != 1 || !rows[0].Started.Equal(back.Started) {
		t.Errorf("%+v, %v", rows, err)
	}
	wantVerified(t, s)
}

// While the numbers of calls are ahead of a clock that was set back, they have no gaps. Requests are found all the same, and each page goes on where the last ended.
func clocksAreAhead(t *testing.T, open func() Store) {
	s := open()
	var rows []ledger.Row
	for n := range 12_000 {
		rows = append(rows, changed(call(0), func(r *ledger.Row) { r.Seq += ledger.Seq(n); r.Request, r.Call = requestID(n/2), n%2 }))
	}
	ship(t, s, rows[:6000]...)
	ship(t, s, rows[6000:]...)
	found, q := map[string]int{}, &ledger.RequestsQuery{Limit: 1000, Patience: 1}
	for pages := 0; ; pages++ {
		page, err := ledger.Requests(t.Context(), s, q)
		if err != nil || pages > 200 || len(page.Requests) == 0 && page.Next != nil {
			t.Fatal(pages, page, err)
		}
		for i := range page.Requests {
			found[page.Requests[i].Calls[0].Request] += len(page.Requests[i].Calls)
		}
		if q.Before = page.Next; page.Next == nil {
			break
		}
	}
	for n := range 6000 {
		if found[requestID(n)] != 2 {
			t.Fatalf("request %d has %d calls", n, found[requestID(n)])
		}
	}
}
