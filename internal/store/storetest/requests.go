package storetest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/ledger"
)

var requestTests = map[string]func(*testing.T, func() Store){
	"requests are found with all of their calls": requestsAreWhole,
	"a search for requests ends in time":         searchesEnd,
}

// requested are requests of one to four calls, some of which begin minutes later, or before the first is numbered.
func requested(random *rand.Rand, n int) (rows []ledger.Row) {
	at := callsBegan
	for i := range n {
		at = at.Add(time.Duration(random.Int64N(int64(20 * time.Minute))))
		key, team, tags := fmt.Sprint("k", random.IntN(3)), fmt.Sprint("t", random.IntN(2)), []ledger.Tag{{Name: "job", Value: fmt.Sprint(random.IntN(3))}}
		began, calls := at, 1
		if random.IntN(2) == 0 {
			calls = 2 + random.IntN(3)
		}
		for c := range calls {
			rows = append(rows, changed(call(i), func(r *ledger.Row) {
				r.Seq, r.Started, r.Request, r.Call, r.Try = ledger.SeqAt(began), began, requestAt(at), c, c+1
				r.Key, r.Team, r.Tags, r.Model, r.Provider = key, team, tags, fmt.Sprint("m", random.IntN(3)), fmt.Sprint("p", random.IntN(2))
				r.Cost, r.Took = random.Int64N(100), time.Duration(random.Int64N(int64(time.Minute)))
				r.Outcome = []string{"ok", "failed", "canceled"}[random.IntN(3)]
				r.Flags = []ledger.Flags{0, 0, ledger.Cut, ledger.HedgeLoser}[random.IntN(4)]
			}))
			began = began.Add([]time.Duration{-3 * time.Microsecond, time.Millisecond, 2 * time.Minute}[random.IntN(3)] + time.Duration(random.IntN(2))*time.Microsecond)
		}
	}
	slices.SortFunc(rows, func(a, b ledger.Row) int { return int(a.Seq - b.Seq) })
	for i := range rows[1:] {
		rows[i+1].Seq = max(rows[i+1].Seq, rows[i].Seq+1)
	}
	return rows
}

// told is what a test compares of a request.
func told(r *ledger.Request) string {
	return fmt.Sprintf("%s: %d calls, $%d, %s, %v", r.Calls[0].Seq.Time().UTC().Format(time.RFC3339Nano), len(r.Calls), r.Sums().Cost, r.Status(), r.Took())
}

// among are the requests that a query is for, made of all rows.
func among(rows []ledger.Row, q *ledger.RequestsQuery) []string {
	by := map[string][]ledger.Row{}
	for _, r := range rows {
		by[r.Request] = append(by[r.Request], r.Kept())
	}
	var found []*ledger.Request
	for _, calls := range by {
		r := ledger.RequestOf(calls)
		head, at := &r.Calls[0], r.Calls[0].Seq.Time()
		any := func(is func(*ledger.Row) bool) bool {
			return slices.ContainsFunc(r.Calls, func(c ledger.Row) bool { return is(&c) })
		}
		switch {
		case q.Key != "" && q.Key != head.Key, q.Team != "" && q.Team != head.Team, q.Tag != "" && q.Tag != head.Tags[0].String(), q.Status != "" && q.Status != r.Status(),
			q.MinTook > r.Took(), q.MinCost > r.Sums().Cost, at.Before(q.Span.Since), !q.Span.Until.IsZero() && !at.Before(q.Span.Until):
		case !any(func(c *ledger.Row) bool { return q.Model == "" || c.Model == q.Model }), !any(func(c *ledger.Row) bool { return q.Provider == "" || c.Provider == q.Provider }),
			!any(func(c *ledger.Row) bool { return q.Outcome == "" || c.Outcome == q.Outcome }), !any(func(c *ledger.Row) bool { return c.Flags&q.Flags == q.Flags }),
			!any(func(c *ledger.Row) bool { return q.Target == "" || c.Target() == q.Target }):
		default:
			found = append(found, r)
		}
	}
	slices.SortFunc(found, func(a, b *ledger.Request) int { return cmp.Compare(b.Calls[0].Seq, a.Calls[0].Seq) })
	list := []string{}
	for _, r := range found {
		list = append(list, told(r))
	}
	return list
}

// Whatever is asked for, in pages of whatever size, each request comes once and with all of its calls.
func requestsAreWhole(t *testing.T, open func() Store) {
	s, random := open(), rand.New(rand.NewPCG(3, 4))
	rows := requested(random, 100)
	ship(t, s, rows...)
	ship(t, s, changed(call(1), func(r *ledger.Row) { // a correction is no call of its request
		r.Seq, r.Adjusts, r.Request, r.Key, r.Flags = rows[len(rows)-1].Seq+1, rows[0].Seq, rows[0].Request, rows[0].Key, ledger.Adjustment
	}))
	for n := range 100 {
		q := anyRequests(random)
		query, got := *q, []string{}
		for pages := 0; ; pages++ {
			page, err := ledger.Requests(t.Context(), s, &query)
			if err != nil || pages > 300 {
				t.Fatal(pages, err)
			}
			for i := range page.Requests {
				got = append(got, told(&page.Requests[i]))
			}
			if page.Next == nil {
				break
			}
			if len(page.Requests) > q.Limit || len(page.Requests) > 0 && page.Searched.After(page.Requests[len(page.Requests)-1].Calls[0].Seq.Time()) {
				t.Fatalf("%d requests of %d, searched until %v", len(page.Requests), q.Limit, page.Searched)
			}
			query.Before = page.Next
		}
		if d := diff.Diff(among(rows, q), got); d != "" {
			t.Fatalf("%d: %+v (-rows +pages):\n%s", n, *q, d)
		}
	}
}

func anyRequests(random *rand.Rand) *ledger.RequestsQuery {
	q := &ledger.RequestsQuery{Limit: 1 + random.IntN(9), Patience: time.Duration(random.IntN(2))}
	maybe := func(to *string, prefix string, of int) {
		if random.IntN(5) == 0 {
			*to = fmt.Sprint(prefix, random.IntN(of))
		}
	}
	maybe(&q.Key, "k", 4)
	maybe(&q.Team, "t", 2)
	maybe(&q.Model, "m", 3)
	maybe(&q.Provider, "p", 3)
	maybe(&q.Tag, "job=", 3)
	switch random.IntN(8) {
	case 0:
		q.Status = ledger.Statuses[random.IntN(len(ledger.Statuses))]
	case 1:
		q.Flags = ledger.Cut
	case 2:
		q.MinTook = time.Minute
	case 3:
		q.MinCost = 150
	case 4:
		q.Outcome = "failed"
	case 5:
		q.Target = "p1/vendor/large"
	}
	if random.IntN(3) == 0 {
		q.Span.Since = callsBegan.Add(time.Duration(random.Int64N(int64(24 * time.Hour))))
	}
	if random.IntN(3) == 0 {
		q.Span.Until = callsBegan.Add(time.Duration(random.Int64N(int64(24 * time.Hour))))
	}
	return q
}

// A search that finds nothing reads a bounded number of rows, says how far it has come, and goes on from there.
func searchesEnd(t *testing.T, open func() Store) {
	s := open()
	var rows []ledger.Row
	for n := range 25_000 {
		rows = append(rows, changed(call(0), func(r *ledger.Row) { r.Seq += ledger.Seq(n * 1000); r.Started = r.Seq.Time(); r.Request = requestID(n) }))
	}
	for page := range slices.Chunk(rows, 9000) {
		ship(t, s, page...)
	}
	q := &ledger.RequestsQuery{MinCost: 1 << 40, Limit: 10}
	for _, want := range []int{15_000, 5_000, 0} {
		page, err := ledger.Requests(t.Context(), s, q)
		if err != nil || len(page.Requests) != 0 || (page.Next == nil) != (want == 0) {
			t.Fatalf("%+v, %v", page, err)
		}
		if page.Next == nil {
			break
		}
		if off := page.Searched.Sub(rows[want].Seq.Time()).Abs(); off > time.Second {
			t.Errorf("searched until %v, want %v", page.Searched, rows[want].Seq.Time())
		}
		q.Before = page.Next
	}
}
