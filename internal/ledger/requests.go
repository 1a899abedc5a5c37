package ledger

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/money"
)

// Request is the calls of one request, as far as they have ended.
type Request struct {
	Calls []Row // by their numbers; the first stands for the request
}

// RequestsQuery says which requests are wanted. A filter that is empty admits all.
type RequestsQuery struct {
	Key, Team                string
	Model, Provider, Outcome string // of any of its calls
	Target                   string // the same: provider/model
	Flags                    Flags  // all on one call
	Status                   Status
	Tag                      string // name=value
	MinTook                  time.Duration
	MinCost                  money.Nano
	Span                     Span  // in which they began; zero times are no bound
	Before                   *Spot // goes on from there
	Limit                    int
	Patience                 time.Duration // after which a search ends that has come further, 0 for none
}

// Status is how a request ended.
type Status string

// The statuses.
const (
	StatusOK       Status = "ok"
	StatusFailed   Status = "failed"
	StatusCanceled Status = "canceled" // its caller left
)

// Statuses are all that there are.
var Statuses = [...]Status{StatusOK, StatusFailed, StatusCanceled}

// Spot is how far a search has come: requests whose first call is numbered Below come next. Calls of these are numbered less than From.
type Spot struct{ Below, From Seq }

// latest is where calls of its requests end.
func (s Spot) latest() Seq { return SeqAt(s.Below.Time().Add(longestRequest)) }

// RequestsPage is what a search has found.
type RequestsPage struct {
	Requests []Request // the newest first
	Next     *Spot     // where the search goes on, nil at the end
	Searched time.Time // it has looked at all that began after this
}

// Bounds of a search. It reads so many rows at once, and so often.
const (
	longestRequest = time.Hour              // calls of a request begin within this
	usualRequest   = 10 * time.Minute       // the same, where a search begins in the middle
	numberedWithin = 100 * time.Millisecond // calls that begin at once are numbered in any order
	numberedAmong  = 2000                   // the same in rows: numbers have no gaps while a clock that was set back has not caught up
	longestSearch  = 10 * time.Second
	fewestRows     = 150 // the first time
	rowsAtOnce     = 500
	mostRows       = 10_000

	maxSeq Seq = 1<<53 - 1
)

// Requests finds requests by their calls. Rows are in the order of time, and a request's calls may be anywhere after its first: a search reads
// rows from the newest on, and keeps calls until it meets the first of their request. It ends after 10,000 rows, or when its patience does, wherever it is. Before these it
// reads what may belong to the first requests, which is an hour of rows at most. It fails with ErrTooLong in time.
func Requests(ctx context.Context, kept Reports, q *RequestsQuery) (*RequestsPage, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, longestSearch, ErrTooLong)
	defer cancel()
	g := gathering{q: q, open: map[string]*opened{}, at: Spot{maxSeq, maxSeq}}
	if !q.Span.Until.IsZero() {
		g.at = Spot{SeqAt(q.Span.Until), SeqAt(q.Span.Until.Add(usualRequest))}
	}
	if q.Before != nil {
		g.at = Spot{min(g.at.Below, q.Before.Below), min(g.at.From, q.Before.From)}
	}
	if !q.Span.Since.IsZero() {
		g.since = q.Span.Since.Add(-numberedWithin)
	}
	g.below, g.read = g.at.Below, g.at.From
	begun, before := time.Now(), time.Duration(0)
	for read, next := 0, min(fewestRows+q.Limit, rowsAtOnce); read < mostRows; next = min(2*next, rowsAtOnce) {
		if err := g.skip(ctx, kept); err != nil || g.done {
			return g.page(), err
		}
		rows, more, err := kept.Rows(ctx, &RowsQuery{Key: q.Key, Team: q.Team, Span: Span{Since: g.since}, Before: &Place{Seq: g.read}, Limit: next})
		if err != nil {
			return nil, err
		}
		for i := range rows {
			if g.add(&rows[i]); g.done {
				return g.page(), nil
			}
		}
		if !more {
			g.end()
			return g.page(), nil
		}
		if rows[len(rows)-1].Seq < g.at.Below {
			read += len(rows)
		}
		g.read = rows[len(rows)-1].Seq + 1 // another instance may have a row of the same number
		if rows[0].Seq == g.read-1 {
			g.read--
		}
		g.forget()
		so := time.Since(begun)
		if q.Patience > 0 && g.further() && 2*so-before > q.Patience { // as long again as the last rows took is more
			break
		}
		before = so
	}
	return g.page(), nil
}

// gathering is a search on its way.
type gathering struct {
	q     *RequestsQuery
	since time.Time
	at    Spot // where it began
	below Seq  // all requests from here on have been looked at
	read  Seq  // all rows from here on have been read
	rows  int  // how many they are
	open  map[string]*opened
	heads []*opened // those of open whose first call was met, by their order
	found []Request
	done  bool
	ended bool // nothing is left
}

// opened is a request that may have more calls.
type opened struct {
	id    string
	calls []Row
	head  Seq // of the call that stands for it, 0 until that is met
	met   int // how many rows had been read then
}

// whole reports whether no call of a request whose first was met can be at a row or before it.
func (o *opened) whole(r *Row, rows int) bool {
	return o.head.Time().Sub(r.Seq.Time()) > numberedWithin || rows-o.met > numberedAmong
}

// add takes over a row, the next in the order of time, and finishes the requests that it cannot belong to.
func (g *gathering) add(r *Row) {
	if r.Adjusts != 0 || r.Seq >= g.read {
		return
	}
	g.rows++
	for len(g.heads) > 0 && g.heads[0].whole(r, g.rows) {
		if len(g.found) >= g.q.Limit && g.heads[0].head < g.below {
			g.done = true
			return
		}
		g.finish()
	}
	o := g.open[r.Request]
	if o == nil {
		o = &opened{id: r.Request}
		g.open[r.Request] = o
	}
	for i := len(o.calls) - 1; i >= 0 && o.calls[i].Seq == r.Seq; i-- {
		if o.calls[i].Instance == r.Instance {
			return // read twice
		}
	}
	o.calls = append(o.calls, *r)
	if r.Call == 0 && o.head == 0 {
		o.head, o.met = r.Seq, g.rows
		g.heads = append(g.heads, o)
	}
}

// finish looks at the first request that has all of its calls.
func (g *gathering) finish() {
	o := g.heads[0]
	g.heads = g.heads[1:]
	delete(g.open, o.id)
	if o.head >= g.at.Below {
		return
	}
	g.below = o.head
	request := requestOf(o.calls)
	if g.q.Admits(&request) {
		g.found = append(g.found, request)
	}
}

// end finishes all.
func (g *gathering) end() {
	for len(g.heads) > 0 && (len(g.found) < g.q.Limit || g.heads[0].head == g.below) {
		g.finish()
	}
	g.done, g.ended = true, len(g.heads) == 0
}

// further reports whether requests were looked at, so that a search that goes on from here has fewer before it than this one had.
func (g *gathering) further() bool {
	return g.read < g.at.Below && (len(g.heads) == 0 || g.below < g.at.Below)
}

// forget gives up calls whose request is not met in time: its first call is no longer there.
func (g *gathering) forget() {
	for id, o := range g.open {
		if o.head == 0 && o.calls[0].Seq.Time().Sub(g.read.Time()) > longestRequest {
			delete(g.open, id)
		}
	}
}

// skip goes to where the newest call is that a filter of the sums admits.
func (g *gathering) skip(ctx context.Context, kept Reports) error {
	if g.q.Flags == 0 && g.q.Model == "" || len(g.open) > 0 {
		return nil
	}
	q := &RowsQuery{Key: g.q.Key, Team: g.q.Team, Flags: g.q.Flags, Span: Span{Since: g.since}, Before: &Place{Seq: g.read}, Limit: 1}
	if q.Flags == 0 { // one call may have the flags, and another the model
		q.Model = g.q.Model
	}
	rows, _, err := kept.Rows(ctx, q)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		g.end()
		return nil
	}
	g.read = min(g.read, SeqAt(rows[0].Seq.Time().Add(longestRequest)))
	g.below = min(g.below, g.read)
	return nil
}

// page is what was found.
func (g *gathering) page() *RequestsPage {
	page := &RequestsPage{Requests: g.found, Searched: g.q.Span.Since}
	if g.ended {
		return page
	}
	next := Spot{Below: g.below, From: g.below}
	if !g.done { // the rows that may be read are used up: what is begun is begun again
		next.Below = max(g.read, 1)
		if len(g.heads) > 0 {
			next.Below = min(g.below, g.heads[0].head+1)
		}
		next.From = next.Below
	}
	for _, o := range g.open {
		if o.head < next.Below {
			next.From = max(next.From, o.calls[0].Seq+1)
		}
	}
	next.From = min(next.From, next.latest())
	page.Next, page.Searched = &next, next.Below.Time()
	return page
}

// Admits reports whether a request is wanted, but for whose it is: a search reads no others.
func (q *RequestsQuery) Admits(r *Request) bool {
	head := &r.Calls[0]
	at := head.Seq.Time()
	if at.Before(q.Span.Since) || q.MinTook > r.Took() || q.MinCost > r.Sums().Cost || q.Status != "" && q.Status != r.Status() {
		return false
	}
	if q.Tag != "" && !slices.Contains(slices.Collect(head.TagTexts()), q.Tag) {
		return false
	}
	has := func(want string, of func(*Row) string) bool {
		return want == "" || slices.ContainsFunc(r.Calls, func(c Row) bool { return of(&c) == want })
	}
	return has(q.Model, func(c *Row) string { return c.Model }) && has(q.Provider, func(c *Row) string { return c.Provider }) && has(q.Target, (*Row).Target) &&
		has(q.Outcome, func(c *Row) string { return c.Outcome }) && slices.ContainsFunc(r.Calls, func(c Row) bool { return c.Flags&q.Flags == q.Flags })
}

// RequestOf makes one of its rows, which may be in any order and have corrections among them. It is nil without a call.
func RequestOf(rows []Row) *Request {
	var calls []Row
	for i := range rows {
		if rows[i].Adjusts == 0 {
			calls = append(calls, rows[i])
		}
	}
	if len(calls) == 0 {
		return nil
	}
	r := requestOf(calls)
	return &r
}

// requestOf makes one of its calls, and sorts them.
func requestOf(calls []Row) Request {
	slices.SortFunc(calls, func(a, b Row) int { return cmp.Or(cmp.Compare(a.Call, b.Call), cmp.Compare(a.Seq, b.Seq)) })
	return Request{calls}
}

const answered, left = "ok", "canceled" // outcomes of calls

// Last is the call that decided what became of the request: the one that answered it, or else the last.
func (r *Request) Last() *Row {
	for i := range r.Calls {
		if c := &r.Calls[i]; c.Outcome == answered && c.Flags&HedgeLoser == 0 {
			return c
		}
	}
	return &r.Calls[len(r.Calls)-1]
}

// Status is how the request ended.
func (r *Request) Status() Status {
	last := r.Last()
	switch {
	case last.Flags&Cut != 0: // what Weir ends may have an outcome of those that callers left
		return StatusFailed
	case last.Outcome == left || last.Flags&Cancelled != 0:
		return StatusCanceled
	case last.Outcome == answered:
		return StatusOK
	}
	return StatusFailed
}

// Began is when the request's first call began.
func (r *Request) Began() time.Time {
	return slices.MinFunc(r.Calls, func(a, b Row) int { return a.Started.Compare(b.Started) }).Started
}

// First is how long after that the first content came, 0 without any.
func (r *Request) First() time.Duration {
	last := r.Last()
	if last.First == 0 {
		return 0
	}
	return last.Started.Sub(r.Began()) + last.First
}

// Took is how long the request's calls took, from the first to the end of the last.
func (r *Request) Took() (took time.Duration) {
	began := r.Began()
	for i := range r.Calls {
		took = max(took, r.Calls[i].Started.Sub(began)+r.Calls[i].Took)
	}
	return took
}

// Sums are what the calls add up to.
func (r *Request) Sums() (sums Sums) {
	for i := range r.Calls {
		more := r.Calls[i].Sums()
		sums.Add(&more)
	}
	return sums
}

// Flags are those that any call has.
func (r *Request) Flags() (all Flags) {
	for i := range r.Calls {
		all |= r.Calls[i].Flags
	}
	return all
}
