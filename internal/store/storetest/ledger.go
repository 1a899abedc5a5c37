package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

var ledgerTests = map[string]func(*testing.T, func() Store){
	"a shipment is kept with its position": shipmentsAreKept,
	"a repeated shipment changes nothing":  repeatedShipmentsChangeNothing,
	"a shipment comes as a whole":          shipmentsAreWhole,
	"a store knows what it forgot":         aStoreKnowsWhatItForgot,
	"positions are an instance's own":      positionsAreAnInstancesOwn,
	"many instances ship at once":          manyShipAtOnce,
	"texts of any bytes are shipped":       textsOfAnyBytes,
}

// callsBegan is when the first row of tests began: an hour before a day ends, in UTC.
var callsBegan = time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC)

// call is a row, n minutes after the first.
func call(n int) ledger.Row {
	began := callsBegan.Add(time.Duration(n) * time.Minute)
	r := ledger.Row{Instance: "one", Seq: ledger.SeqAt(began)}
	r.Intent = ledger.Intent{
		Request: requestID(n), Try: 1, Started: began.Add(-3 * time.Microsecond), Key: "k1", Team: "t1", Model: "fast", Provider: "p", Upstream: "vendor/large", Price: 1 << 63, Hold: 70,
	}
	r.Settlement = ledger.Settlement{
		Status: 200, Outcome: "ok", Usage: llm.Usage{Fresh: 100, CacheRead: 20, CacheWrite: 3, Text: 10, Reasoning: 5}, Cost: 50, Listed: 60, CostSource: money.Billed,
		UpstreamModel: "vendor/large", UpstreamID: "id-" + fmt.Sprint(n), First: 300 * time.Millisecond, Took: time.Second, Own: 90 * time.Microsecond,
	}
	return r
}

// requestID is an id of 26 characters, as the gateway makes them of 16 bytes.
func requestID(n int) string { return fmt.Sprintf("0D1JUT%018dG0", n) }

// shipment is rows of the first instance, with a position that rises with their number.
func shipment(rows ...ledger.Row) *ledger.Shipment {
	s := &ledger.Shipment{Instance: "one", Rows: rows, Prices: []ledger.PricedAs{{ID: 1 << 63, JSON: []byte(`{"a":1}`)}}, Upto: ledger.Position{Segment: 1, Offset: int64(len(rows))}}
	if len(rows) > 0 {
		s.Instance = rows[0].Instance
	}
	return s
}

func ship(t *testing.T, s ledger.Store, rows ...ledger.Row) {
	t.Helper()
	if err := s.Ship(t.Context(), shipment(rows...)); err != nil {
		t.Fatal(err)
	}
}

func wantShipped(t *testing.T, s ledger.Store, instance string, want ledger.Position, last ledger.Seq) {
	t.Helper()
	if got, seq, err := s.Shipped(t.Context(), instance); err != nil || got != want || seq != last {
		t.Errorf("%s is shipped up to %v, the last row is %d, %v; want %v and %d", instance, got, seq, err, want, last)
	}
}

// wantRows fails unless the store has exactly these rows, the newest first.
func wantRows(t *testing.T, s ledger.Reports, q ledger.RowsQuery, want ...ledger.Row) {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 1000
	}
	got, more, err := s.Rows(t.Context(), &q)
	if err != nil || more {
		t.Fatal(more, err)
	}
	var kept []ledger.Row
	for _, r := range want {
		kept = append(kept, r.Kept())
	}
	if diff := cmp.Diff(kept, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// full is a row in which no field is zero but what makes it a row of its own.
func full() ledger.Row {
	r := call(7)
	r.Adjusts, r.Reason, r.Try, r.Call, r.Credential, r.ClientID = call(1).Seq, "an invoice", 3, 2, 1, "a client's id"
	r.Tags = []ledger.Tag{{Name: "job", Value: "nightly"}, {Name: "job", Value: "nightly"}, {Name: "x", Value: ""}}
	r.Status, r.Outcome, r.Flags, r.Source, r.CostSource = 503, "overloaded", ledger.Orphaned|ledger.TierUnpriced, ledger.Reserved, money.Unpriced
	r.Usage = llm.Usage{
		Fresh: 1, AudioIn: 2, ImageIn: 3, CacheRead: 4, CacheWrite: 5, CacheWrite1h: 6, Text: 7, Reasoning: 8, AudioOut: 9, ImageOut: 10, Searches: 11, Tier: "flex",
		Cost: llm.Cost{Nanodollars: 0, Known: true},
	}
	r.Held = llm.Usage{Fresh: 1000}
	r.Cost, r.Listed, r.UpstreamModel, r.UpstreamID = -5, 1<<62, "another", strings.Repeat("é", 100)
	r.First, r.Took, r.Own = 3*time.Hour+1, 1<<50, 5*time.Nanosecond
	return r
}

func shipmentsAreKept(t *testing.T, open func() Store) {
	s := open()
	wantShipped(t, s, "one", ledger.Position{}, 0)
	plain, bare, odd := call(0), ledger.Row{Instance: "one", Seq: call(1).Seq}, call(2)
	bare.Started = time.UnixMicro(int64(bare.Seq)).UTC()
	bare.Model, bare.Provider, bare.Upstream, bare.Outcome, bare.Key, bare.Try = "m", "p", "u", "ok", "k", 1
	odd.Request, odd.UpstreamModel, odd.Price = "of another form", "", 0
	ship(t, s, plain, bare, odd, full())
	for _, s := range []Store{s, open()} {
		wantShipped(t, s, "one", ledger.Position{Segment: 1, Offset: 4}, full().Seq)
		wantShipped(t, s, "another", ledger.Position{}, full().Seq)
		wantRows(t, s, ledger.RowsQuery{}, full(), odd, bare, plain)
	}
}

func repeatedShipmentsChangeNothing(t *testing.T, open func() Store) {
	s := open()
	ship(t, s, call(0), call(2))
	before := usage(t, s)
	ship(t, s, call(0), call(2))
	if diff := cmp.Diff(before, usage(t, s)); diff != "" {
		t.Error(diff)
	}
	changed := call(2)
	changed.Cost = 1e9
	ship(t, s, call(0), call(1), changed, call(3), call(3)) // two are new; one comes twice
	wantRows(t, s, ledger.RowsQuery{}, call(3), call(2), call(1), call(0))
	wantShipped(t, s, "one", ledger.Position{Segment: 1, Offset: 5}, call(3).Seq)
	for table, lines := range usage(t, s) {
		for _, line := range lines {
			if line.Attempts != 4 || line.Cost != 4*50 {
				t.Errorf("%s: %+v", table, line)
			}
		}
	}
	wantVerified(t, s)
}

// usage is what all groupings but those by time and tag say of a month.
func usage(t *testing.T, s ledger.Reports) map[ledger.Grouping][]ledger.UsageLine {
	t.Helper()
	all := map[ledger.Grouping][]ledger.UsageLine{}
	for _, by := range []ledger.Grouping{ledger.ByModel, ledger.ByKey, ledger.ByTeam, ledger.ByProvider} {
		all[by] = sums(t, s, ledger.UsageQuery{By: by})
	}
	return all
}

// sums are the lines of a query, of a month if it has no span.
func sums(t *testing.T, s ledger.Reports, q ledger.UsageQuery) []ledger.UsageLine {
	t.Helper()
	if q.Span == (ledger.Span{}) {
		q.Span = ledger.Span{Since: callsBegan.AddDate(0, 0, -10), Until: callsBegan.AddDate(0, 0, 20)}
	}
	lines, err := s.Usage(t.Context(), &q)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func wantVerified(t *testing.T, s ledger.Reports) {
	t.Helper()
	if _, err := s.Verify(t.Context(), func(d ledger.Difference) { t.Errorf("%+v", d) }); err != nil {
		t.Fatal(err)
	}
}

// A store that has less of a journal than its Weir has heard says how much, and takes nothing.
func aStoreKnowsWhatItForgot(t *testing.T, open func() Store) {
	s := open()
	ship(t, s, call(0), call(1)) // up to segment 1, byte 2
	for _, c := range []struct {
		instance  string
		from, has ledger.Position
		forgot    bool
	}{
		{"one", ledger.Position{Segment: 1, Offset: 3}, ledger.Position{Segment: 1, Offset: 2}, true},
		{"one", ledger.Position{Segment: 2}, ledger.Position{Segment: 1, Offset: 2}, true},
		{"unknown", ledger.Position{Segment: 1, Offset: 1}, ledger.Position{}, true},
		{"one", ledger.Position{Segment: 1, Offset: 2}, ledger.Position{}, false},
		{"one", ledger.Position{Segment: 1, Offset: 1}, ledger.Position{}, false},
		{"new", ledger.Position{}, ledger.Position{}, false},
	} {
		batch := shipment(call(2))
		batch.Instance, batch.From, batch.Rows[0].Instance, batch.Upto = c.instance, c.from, c.instance, ledger.Position{Segment: 1, Offset: 2}
		var forgot *ledger.ForgotError
		switch err := s.Ship(t.Context(), batch); {
		case c.forgot:
			if !errors.As(err, &forgot) || forgot.Upto != c.has {
				t.Errorf("%s from %v: %v", c.instance, c.from, err)
			}
			wantRows(t, s, ledger.RowsQuery{}, call(1), call(0))
		case err != nil:
			t.Errorf("%s from %v: %v", c.instance, c.from, err)
		}
	}
	wantVerified(t, s)
}

func shipmentsAreWhole(t *testing.T, open func() Store) {
	s := open()
	ship(t, s, call(0))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Ship(ended, shipment(call(1), call(2))); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	wantRows(t, s, ledger.RowsQuery{}, call(0))
	wantShipped(t, s, "one", ledger.Position{Segment: 1, Offset: 1}, call(0).Seq)
	wantVerified(t, s)
}

func positionsAreAnInstancesOwn(t *testing.T, open func() Store) {
	s := open()
	two := call(5)
	two.Instance = "two"
	ship(t, s, call(5), call(6))
	ship(t, s, two)
	ship(t, s, call(4)) // an earlier one, of a long stream
	if err := s.Ship(t.Context(), &ledger.Shipment{Instance: "one", Upto: ledger.Position{Segment: 2}}); err != nil {
		t.Fatal(err)
	}
	wantShipped(t, s, "one", ledger.Position{Segment: 2}, call(6).Seq)
	wantShipped(t, s, "two", ledger.Position{Segment: 1, Offset: 1}, call(6).Seq) // numbers go on after those of all
	wantShipped(t, s, "three", ledger.Position{}, call(6).Seq)
	wantRows(t, s, ledger.RowsQuery{}, call(6), two, call(5), call(4))
	wantVerified(t, s)
}

// Instances that ship at the same time, with the same new keys, models, prices and tags, add up to what each has shipped. The bound of tags
// is reached in the middle.
func manyShipAtOnce(t *testing.T, open func() Store) {
	const instances, shipments, rows = 3, 4, 20
	ctx := context.WithoutCancel(t.Context())
	var group sync.WaitGroup
	for i := range instances {
		s := open()
		group.Go(func() {
			for n := range shipments {
				batch := &ledger.Shipment{Instance: fmt.Sprint("i", i), Upto: ledger.Position{Segment: 1, Offset: int64(n + 1)}}
				for r := range rows {
					one := call(60 + n*rows + r) // all on one day
					one.Instance = batch.Instance
					one.Key, one.Model, one.Upstream, one.Price = fmt.Sprint("k", r%4), fmt.Sprint("m", n, r%5), fmt.Sprint("u", n, r%5), money.ID(1+n)
					for tag := range 30 { // each key gets more than it may have lines for
						one.Tags = append(one.Tags, ledger.Tag{Name: "n", Value: fmt.Sprint(i%2, n, r, tag)})
					}
					batch.Rows = append(batch.Rows, one)
				}
				batch.Prices = []ledger.PricedAs{{ID: money.ID(1 + n), JSON: []byte("{}")}}
				err := s.Ship(ctx, batch)
				for range 5 { // as a ledger does it: the store was busy
					if err == nil {
						break
					}
					err = s.Ship(ctx, batch)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	s := open()
	total := int64(0)
	for _, l := range sums(t, s, ledger.UsageQuery{By: ledger.ByKey}) {
		total += l.Requests
	}
	if want := int64(instances * shipments * rows); total != want {
		t.Errorf("%d requests are summed, want %d", total, want)
	}
	if lines := sums(t, s, ledger.UsageQuery{By: ledger.ByModel}); len(lines) != 5*shipments {
		t.Errorf("%d models", len(lines))
	}
	wantVerified(t, s)
}

// What callers choose may be any bytes. A database that takes no such text gets another, and nothing is held up.
func textsOfAnyBytes(t *testing.T, open func() Store) {
	s := open()
	odd := call(0)
	odd.Model, odd.Upstream, odd.Chosen, odd.Request = "p/*", "a\x00b\xff", true, "\x01 \xff"
	odd.Tags = []ledger.Tag{{Name: "t\x00", Value: "\xff\xfe"}}
	ship(t, s, odd)
	ship(t, s, changed(odd, func(r *ledger.Row) { r.Seq++ }))
	if lines := sums(t, s, ledger.UsageQuery{By: ledger.ByTag}); len(lines) != 1 || lines[0].Requests != 2 {
		t.Errorf("%+v", lines)
	}
	rows, _, err := s.Rows(t.Context(), &ledger.RowsQuery{Limit: 9})
	if err != nil || len(rows) != 2 || !strings.HasPrefix(rows[0].Upstream, "a") || rows[0].Request != odd.Request {
		t.Errorf("%+v, %v", rows, err)
	}
	wantVerified(t, s)
}
