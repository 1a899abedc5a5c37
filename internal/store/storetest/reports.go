package storetest

import (
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
)

var reportTests = map[string]func(*testing.T, func() Store){
	"usage is summed by each grouping":     usageByEachGrouping,
	"usage is that of a span":              usageOfASpan,
	"days are those of the time zone":      daysOfTheTimeZone,
	"usage is filtered":                    usageIsFiltered,
	"usage is that of the most costly":     usageOfTheMostCostly,
	"a key's tags are bounded":             tagsAreBounded,
	"sums of absurd figures stay sums":     absurdSums,
	"rows are filtered":                    rowsAreFiltered,
	"rows are found in hours that overlap": rowsInHoursThatOverlap,
	"rows of a rare key are found":         rowsOfARareKey,
	"rows come in pages":                   rowsComeInPages,
	"rows are forgotten, and sums stay":    rowsAreForgotten,
	"the rows of a request are found":      rowsOfARequest,
	"prices are found by their ids":        pricesAreFound,
}

// line is a group's sums of n calls, of which each is a request, as call makes them.
func line(group string, n int64) ledger.UsageLine {
	return ledger.UsageLine{Group: group, Sums: ledger.Sums{
		Requests: n, Attempts: n, Input: 123 * n, CacheRead: 20 * n, CacheWrite: 3 * n, Output: 15 * n, Reasoning: 5 * n, Cost: 50 * n,
	}}
}

func wantUsage(t *testing.T, s ledger.Reports, q ledger.UsageQuery, want ...ledger.UsageLine) {
	t.Helper()
	if diff := cmp.Diff(append([]ledger.UsageLine{}, want...), sums(t, s, q)); diff != "" {
		t.Errorf("%+v (-want +got):\n%s", q, diff)
	}
}

// changed is a row with a change.
func changed(r ledger.Row, change func(*ledger.Row)) ledger.Row {
	change(&r)
	return r
}

func usageByEachGrouping(t *testing.T, open func() Store) {
	s := open()
	wantUsage(t, s, ledger.UsageQuery{By: ledger.ByModel})
	retried := changed(call(1), func(r *ledger.Row) {
		r.Call, r.Provider, r.Upstream, r.Flags, r.Source = 1, "q", "large", ledger.Retry|ledger.InDoubt, ledger.Counted
	})
	orphan := changed(call(2), func(r *ledger.Row) {
		r.Key, r.Team, r.Model, r.Flags, r.Source = "k2", "", "smart", ledger.Orphaned, ledger.Reserved
	})
	correction := changed(call(90), func(r *ledger.Row) { r.Adjusts, r.Usage.Fresh, r.Cost = call(0).Seq, -100, -50 })
	tagged := changed(call(91), func(r *ledger.Row) {
		r.Tags = []ledger.Tag{{Name: "job", Value: "x"}, {Name: "job", Value: "x"}, {Name: "b", Value: "y"}}
	})
	ship(t, s, call(0), retried, orphan, correction, tagged)

	all := line("fast", 4)
	all.Requests, all.Attempts, all.InDoubt, all.Estimated, all.Cost, all.Input = 2, 3, 1, 1, 100, 4*123-200
	lost := line("smart", 1)
	lost.Orphaned = 1
	named := func(name string, l ledger.UsageLine) ledger.UsageLine { l.Group = name; return l }
	wantUsage(t, s, ledger.UsageQuery{By: ledger.ByModel}, all, lost)
	wantUsage(t, s, ledger.UsageQuery{By: ledger.ByKey}, named("k1", all), named("k2", lost))
	wantUsage(t, s, ledger.UsageQuery{By: ledger.ByTeam}, named("", lost), named("t1", all))
	wantUsage(t, s, ledger.UsageQuery{By: ledger.ByTag}, line("b=y", 1), line("job=x", 1))

	second := line("q", 1)
	second.Requests, second.InDoubt, second.Estimated = 0, 1, 1
	got := sums(t, s, ledger.UsageQuery{By: ledger.ByProvider})
	if len(got) != 2 || got[0].Group != "p" || got[0].Attempts != 3 || got[1] != second {
		t.Errorf("%+v", got)
	}
	days := sums(t, s, ledger.UsageQuery{By: ledger.ByDay})
	if len(days) != 2 || days[0].Group != "2026-03-01" || days[0].Attempts != 3 || days[1].Group != "2026-03-02" || days[1].Attempts != 1 || days[1].Cost != 0 {
		t.Errorf("%+v", days)
	}
	wantVerified(t, s)
}

// The rows are 2 days apart and have an hour each: spans are widened to hours, whether their sums come from hours or from days.
func usageOfASpan(t *testing.T, open func() Store) {
	s := open()
	const day = 24 * 60
	var rows []ledger.Row
	for n := range 6 {
		rows = append(rows, call(n*2*day))
	}
	ship(t, s, rows...)
	minutes := func(n int) time.Time { return callsBegan.Add(time.Duration(n) * time.Minute) }
	for _, tt := range []struct {
		since, until time.Time
		want         int64
	}{
		{minutes(0), minutes(60), 1},
		{minutes(59), minutes(60), 1},
		{minutes(60), minutes(61), 0},
		{minutes(0), minutes(2 * day), 1},
		{minutes(0), minutes(2*day + 1), 2},
		{minutes(1), minutes(4 * day), 2},
		{minutes(61), minutes(4*day + 1), 2},
		{minutes(-5 * day), minutes(20 * day), 6},
		{minutes(-5 * day), minutes(6*day - 60), 3},
		{minutes(60), minutes(10 * day), 4},
		{minutes(60), minutes(10*day + 30), 5},
		{minutes(20 * day), minutes(40 * day), 0},
		{minutes(30), minutes(30), 0},
	} {
		span := ledger.Span{Since: tt.since, Until: tt.until}
		for _, by := range []ledger.Grouping{ledger.ByModel, ledger.ByDay} {
			got := int64(0)
			for _, l := range sums(t, s, ledger.UsageQuery{By: by, Span: span}) {
				got += l.Requests
			}
			if got != tt.want {
				t.Errorf("by %s from %v to %v: %d requests, want %d", by, tt.since, tt.until, got, tt.want)
			}
		}
	}
	span := ledger.Span{Since: minutes(0), Until: minutes(4*day + 1)}
	wantUsage(t, s, ledger.UsageQuery{By: ledger.ByDay, Span: span}, line("2026-03-01", 1), line("2026-03-03", 1), line("2026-03-05", 1))
}

func shipIn(t *testing.T, s ledger.Store, zone *time.Location, rows ...ledger.Row) {
	t.Helper()
	shipment := shipment(rows...)
	shipment.Zone = zone
	if err := s.Ship(t.Context(), shipment); err != nil {
		t.Fatal(err)
	}
}

func location(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// A row's day is that of the time zone that was set when it came; what was summed before stays, and a row of before that comes late goes there.
func daysOfTheTimeZone(t *testing.T, open func() Store) {
	s := open()
	kolkata := location(t, "Asia/Kolkata") // half an hour off; its day begins at 18:30 UTC
	ship(t, s, call(0), call(2))
	shipIn(t, s, kolkata, call(1), call(3))
	wantUsage(t, s, ledger.UsageQuery{By: ledger.ByDay}, line("2026-03-01", 3), line("2026-03-02", 1))
	wantVerified(t, s)
}

func usageIsFiltered(t *testing.T, open func() Store) {
	s := open()
	other := changed(call(1), func(r *ledger.Row) { r.Key, r.Team, r.Model = "k2", "t2", "smart" })
	third := changed(call(2), func(r *ledger.Row) { r.Key, r.Model = "k3", "smart" })
	for _, r := range []*ledger.Row{&other, &third} {
		r.Tags = []ledger.Tag{{Name: "a", Value: "b"}}
	}
	ship(t, s, call(0), other, third, call(60*24*3))
	for _, span := range []ledger.Span{{}, {Since: callsBegan, Until: callsBegan.Add(time.Hour)}} {
		two := int64(2)
		if span != (ledger.Span{}) {
			two = 1
		}
		wantUsage(t, s, ledger.UsageQuery{By: ledger.ByModel, Key: "k1", Span: span}, line("fast", two))
		wantUsage(t, s, ledger.UsageQuery{By: ledger.ByKey, Team: "t1", Span: span}, line("k1", two), line("k3", 1))
		wantUsage(t, s, ledger.UsageQuery{By: ledger.ByKey, Model: "smart", Span: span}, line("k2", 1), line("k3", 1))
		wantUsage(t, s, ledger.UsageQuery{By: ledger.ByKey, Key: "k3", Team: "t1", Model: "smart", Span: span}, line("k3", 1))
		wantUsage(t, s, ledger.UsageQuery{By: ledger.ByTag, Key: "k2", Span: span}, line("a=b", 1))
		wantUsage(t, s, ledger.UsageQuery{By: ledger.ByTag, Key: "k1", Span: span})
		wantUsage(t, s, ledger.UsageQuery{By: ledger.ByModel, Key: "k4", Span: span})
		wantUsage(t, s, ledger.UsageQuery{By: ledger.ByModel, Model: "k1", Span: span})
	}
}

// A key whose hours and days are costly only together is found, and those of a provider's models are added, too.
func usageOfTheMostCostly(t *testing.T, open func() Store) {
	s := open()
	var rows []ledger.Row
	for n, cost := range []int64{30, 60, 50, 10, 25, 0, -5} {
		rows = append(rows, changed(call(n), func(r *ledger.Row) {
			r.Key, r.Upstream, r.Cost, r.Tags = fmt.Sprint("k", n%4), fmt.Sprint("u", n), cost, []ledger.Tag{{Name: "n", Value: fmt.Sprint(n % 4)}}
			if n%4 > 1 {
				r.Provider = "q"
			}
		}))
	}
	ship(t, s, append(rows, changed(call(60*24*4+90), func(r *ledger.Row) { r.Key, r.Provider, r.Cost = "k3", "q", 35 }))...)
	groups := func(q ledger.UsageQuery) (text string) {
		for _, l := range sums(t, s, q) {
			text += fmt.Sprint(l.Group, " ", l.Cost, ", ")
		}
		return text
	}
	span := ledger.Span{Since: callsBegan, Until: callsBegan.AddDate(0, 0, 4).Add(2 * time.Hour)}
	for want, q := range map[string]ledger.UsageQuery{
		"k1 60, k0 55, ":               {By: ledger.ByKey, Top: 2},
		"k1 60, k0 55, k2 45, k3 45, ": {By: ledger.ByKey, Top: 4, Span: span},
		"k0 55, k1 60, k2 45, k3 45, ": {By: ledger.ByKey, Span: span},
		"p 115, ":                      {By: ledger.ByProvider, Top: 1, Span: span},
		"p 115, q 90, ":                {By: ledger.ByProvider, Top: 9},
		"n=1 60, n=0 55, n=2 45, ":     {By: ledger.ByTag, Top: 3},
		"2026-03-01 170, ":             {By: ledger.ByDay, Top: 1, Span: span},
		"fast 205, ":                   {By: ledger.ByModel, Top: 1, Span: span},
	} {
		if got := groups(q); got != want {
			t.Errorf("%+v: %s, want %s", q, got, want)
		}
	}
}

func tagsAreBounded(t *testing.T, open func() Store) {
	s := open()
	var rows []ledger.Row
	for n := range 1010 {
		r := call(0)
		r.Seq += ledger.Seq(n)
		r.Tags = []ledger.Tag{{Name: "n", Value: fmt.Sprint(n)}}
		rows = append(rows, r)
	}
	next := changed(call(60*24), func(r *ledger.Row) { r.Tags = rows[0].Tags })
	foreign := changed(call(50), func(r *ledger.Row) { r.Key, r.Tags = "k2", []ledger.Tag{{Name: "n", Value: "k2's"}} })
	ship(t, s, append(rows, next, foreign)...)
	ship(t, s, changed(call(51), func(r *ledger.Row) { r.Tags = []ledger.Tag{{Name: "late", Value: ""}} }))
	lines := sums(t, s, ledger.UsageQuery{By: ledger.ByTag})
	if len(lines) != 1002 || !slices.Contains(lines, line(ledger.Other, 11)) || !slices.Contains(lines, line("n=k2's", 1)) {
		t.Errorf("%d lines", len(lines))
	}
	if n := s.Unnamed().Tags; n != 11 {
		t.Errorf("%d tags are counted under other", n)
	}
	wantUsage(t, s, ledger.UsageQuery{By: ledger.ByModel}, line("fast", 1013))
	wantVerified(t, s)
}

func targetsAreBounded(t *testing.T, open func() Store) {
	s := open()
	var rows []ledger.Row
	for n := range 10_010 {
		r := call(0)
		r.Seq += ledger.Seq(n)
		r.Model, r.Upstream, r.Chosen = "p/*", fmt.Sprintf("u%d", n), true
		r.UpstreamModel = r.Upstream
		rows = append(rows, r)
	}
	ship(t, s, rows[:5000]...)
	ship(t, s, rows[5000:]...)
	ship(t, s, rows[10_000], changed(rows[10_001], func(r *ledger.Row) { r.Seq += 100 }))
	wantUsage(t, s, ledger.UsageQuery{By: ledger.ByModel}, line("p/*", 10_011))
	wantUsage(t, s, ledger.UsageQuery{By: ledger.ByProvider}, line("p", 10_011))
	got, more, err := s.Rows(t.Context(), &ledger.RowsQuery{Limit: 3})
	if err != nil || !more {
		t.Fatal(more, err)
	}
	if diff := cmp.Diff([]string{"u10001", "u10009", "u10008"}, []string{got[0].Upstream, got[1].Upstream, got[2].Upstream}); diff != "" || got[1].Model != "p/*" || got[1].UpstreamModel != "u10009" || got[1].Provider != "p" {
		t.Errorf("%s %+v", diff, got[1])
	}
	wantVerified(t, s)
}

func absurdSums(t *testing.T, open func() Store) {
	s := open()
	var rows []ledger.Row
	for n := range 20 {
		rows = append(rows, changed(call(n), func(r *ledger.Row) { r.Cost, r.Usage.Fresh = 1<<63-1, 1<<60 }))
	}
	ship(t, s, rows[:10]...)
	ship(t, s, rows[10:]...)
	lines := sums(t, s, ledger.UsageQuery{By: ledger.ByKey})
	if len(lines) != 1 || lines[0].Requests != 20 || lines[0].Cost != ledger.MaxSum || lines[0].Input != ledger.MaxSum {
		t.Errorf("%+v", lines)
	}
	wantVerified(t, s)
}

func rowsAreFiltered(t *testing.T, open func() Store) {
	s := open()
	one := changed(call(1), func(r *ledger.Row) { r.Key, r.Flags = "k2", ledger.Cut|ledger.InDoubt })
	two := changed(call(60*40), func(r *ledger.Row) { r.Team, r.Model, r.Flags = "", "smart", ledger.InDoubt })
	three := changed(call(60*24*200), func(r *ledger.Row) { r.Key, r.Model = "k2", "smart" })
	ship(t, s, call(0), one, two, three)
	span := func(since, until time.Time) ledger.Span { return ledger.Span{Since: since, Until: until} }
	wantRows(t, s, ledger.RowsQuery{Key: "k2"}, three, one)
	wantRows(t, s, ledger.RowsQuery{Key: "k3"})
	wantRows(t, s, ledger.RowsQuery{Team: "t1"}, three, one, call(0))
	wantRows(t, s, ledger.RowsQuery{Model: "smart"}, three, two)
	wantRows(t, s, ledger.RowsQuery{Model: "smart", Key: "k1"}, two)
	wantRows(t, s, ledger.RowsQuery{Flags: ledger.InDoubt}, two, one)
	wantRows(t, s, ledger.RowsQuery{Flags: ledger.InDoubt | ledger.Cut}, one)
	wantRows(t, s, ledger.RowsQuery{Flags: ledger.Absurd})
	wantRows(t, s, ledger.RowsQuery{Span: span(one.Seq.Time(), two.Seq.Time())}, one)
	wantRows(t, s, ledger.RowsQuery{Span: span(one.Seq.Time().Add(1), time.Time{})}, three, two)
	wantRows(t, s, ledger.RowsQuery{Key: "k2", Span: span(time.Time{}, three.Seq.Time())}, one)
}

// Where a time zone is changed to one that is part of an hour off, an hour of the new one begins within an hour of the old one.
func rowsInHoursThatOverlap(t *testing.T, open func() Store) {
	s := open()
	var zones []*time.Location
	for _, name := range []string{"UTC", "Asia/Kolkata", "Asia/Kathmandu", "UTC", "Asia/Kathmandu"} {
		zones = append(zones, location(t, name))
	}
	var want []ledger.Row
	for n := range 50 {
		row := changed(call(7*n), func(r *ledger.Row) { r.Key = fmt.Sprint("k", n%3) })
		shipIn(t, s, zones[n/10], row)
		if n%3 == 1 {
			want = append([]ledger.Row{row}, want...)
		}
	}
	wantRows(t, s, ledger.RowsQuery{Key: "k1"}, want...)
	wantVerified(t, s)
}

// rowsOfARareKey are minutes, hours and weeks apart, amid rows of others. The first is in an hour that began on the day before.
func rowsOfARareKey(t *testing.T, open func() Store) {
	s, zone := open(), location(t, "Asia/Kolkata")
	var all, want []ledger.Row
	minute, first := 0, int(time.Date(2026, 3, 5, 0, 10, 0, 0, time.UTC).Sub(callsBegan).Minutes())
	for n := range 300 {
		row := changed(call(first+minute), func(r *ledger.Row) { r.Key, r.Team, r.Model = "rare", fmt.Sprint("t", n%2), fmt.Sprint("m", n%3) })
		all, want = append(all, row, changed(row, func(r *ledger.Row) { r.Seq, r.Key = r.Seq+30_000_000, "other" })), append([]ledger.Row{row}, want...)
		minute += []int{2, 3, 59, 61, 200, 1441, 20_000}[min(n%9, 6)] / (1 + n%5)
		minute++
	}
	shipIn(t, s, zone, all...)
	wantRows(t, s, ledger.RowsQuery{Key: "rare"}, want...)
	for _, limit := range []int{1, 7, 60} {
		var got []ledger.Row
		for q, more := (ledger.RowsQuery{Key: "rare", Team: "t1", Model: "m0", Limit: limit}), true; more; {
			page, rest, err := s.Rows(t.Context(), &q)
			if err != nil {
				t.Fatal(err)
			}
			got, more = append(got, page...), rest
			if more {
				q.Before = &ledger.Place{Seq: page[len(page)-1].Seq, Instance: page[len(page)-1].Instance}
			}
		}
		some := slices.DeleteFunc(slices.Clone(want), func(r ledger.Row) bool { return r.Team != "t1" || r.Model != "m0" })
		for i := range some {
			some[i] = some[i].Kept()
		}
		if diff := cmp.Diff(some, got); diff != "" || len(some) != 50 {
			t.Errorf("pages of %d: %d rows: %s", limit, len(some), diff)
		}
	}
}

func rowsComeInPages(t *testing.T, open func() Store) {
	s := open()
	var all []ledger.Row
	for n := range 25 {
		all = append(all, changed(call(n*7), func(r *ledger.Row) { r.Key = fmt.Sprint("k", n%2) }))
	}
	twin := changed(all[20], func(r *ledger.Row) { r.Instance, r.Key = "two", "k0" })
	ship(t, s, all...)
	ship(t, s, twin)
	for _, key := range []string{"", "k0"} {
		var got []ledger.Row
		q := ledger.RowsQuery{Key: key, Limit: 4}
		for more := true; more; {
			var page []ledger.Row
			var err error
			if page, more, err = s.Rows(t.Context(), &q); err != nil || len(page) == 0 || len(page) > 4 {
				t.Fatal(len(page), err)
			}
			got = append(got, page...)
			q.Before = &ledger.Place{Seq: page[len(page)-1].Seq, Instance: page[len(page)-1].Instance}
		}
		var want []ledger.Row
		for i, r := range slices.Backward(all) {
			if i == 20 {
				want = append(want, twin.Kept())
			}
			if key == "" || r.Key == key {
				want = append(want, r.Kept())
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("key %q: %s", key, diff)
		}
	}
}

func rowsAreForgotten(t *testing.T, open func() Store) {
	s := open()
	var all []ledger.Row
	for n := range 10 {
		all = append(all, call(n*60*20))
	}
	ship(t, s, all...)
	before := usage(t, s)
	for _, want := range []int{3, 2, 0} {
		if n, err := s.Forget(t.Context(), all[5].Seq.Time(), 3); err != nil || n != want {
			t.Errorf("%d were forgotten, %v; want %d", n, err, want)
		}
		wantVerified(t, s)
	}
	wantRows(t, s, ledger.RowsQuery{}, all[9], all[8], all[7], all[6], all[5])
	wantRows(t, s, ledger.RowsQuery{Key: "k1"}, all[9], all[8], all[7], all[6], all[5])
	if diff := cmp.Diff(before, usage(t, s)); diff != "" {
		t.Error(diff)
	}
	wantShipped(t, s, "one", ledger.Position{Segment: 1, Offset: 10}, all[9].Seq)
}

// requestAt is the id of a request that came at a time.
func requestAt(at time.Time) string {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], uint64(at.UnixMilli())<<16)
	return base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(id[:])
}

func rowsOfARequest(t *testing.T, open func() Store) {
	s := open()
	same := func(n int, id string) ledger.Row { return changed(call(n), func(r *ledger.Row) { r.Request = id }) }
	near, far := requestAt(callsBegan), requestAt(callsBegan.AddDate(1, 0, 0)) // the clock of the second was wrong
	ship(t, s, same(0, near), same(1, near), same(2, "x"), same(3, far), same(60, near), same(9000, "y"))
	wantRows(t, s, ledger.RowsQuery{Request: near}, same(60, near), same(1, near), same(0, near))
	wantRows(t, s, ledger.RowsQuery{Request: far}, same(3, far))
	wantRows(t, s, ledger.RowsQuery{Request: "x"}, same(2, "x"))
	wantRows(t, s, ledger.RowsQuery{Request: requestAt(callsBegan.Add(1e9))})
	wantRows(t, s, ledger.RowsQuery{Request: near, Key: "k2"})
}

// A price that rows name has its text, as far as that was shipped.
func pricesAreFound(t *testing.T, open func() Store) {
	s := open()
	ship(t, s, call(0), changed(call(1), func(r *ledger.Row) { r.Price = 7 }))
	known, err := s.Prices(t.Context(), []money.ID{7, 1 << 63, 8})
	if err != nil || len(known) != 1 || known[0].ID != 1<<63 || !sameJSON(known[0].JSON, `{"a":1}`) {
		t.Errorf("%v %v", err, known)
	}
	if known, err := s.Prices(t.Context(), nil); err != nil || len(known) != 0 {
		t.Errorf("%v %v", err, known)
	}
}

func sameJSON(text []byte, want string) bool {
	return strings.ReplaceAll(string(text), " ", "") == want
}
