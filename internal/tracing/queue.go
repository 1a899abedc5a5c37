package tracing

import "github.com/weirproxy/weir/internal/gateway"

// Bounds of what waits, in requests.
const (
	most  = 4096
	batch = 512 // that are sent at once
)

// queue has the records that wait, in the order in which their requests ended. The zero value has room for none. Records are made once and
// used again.
type queue struct {
	free    []*record
	waiting []*record // a ring
	head, n int
}

// newQueue returns a queue of so many records, and as many more as are sent at once.
func newQueue(size int) queue {
	all := make([]record, size+batch)
	q := queue{free: make([]*record, len(all)), waiting: make([]*record, size)}
	for i := range all {
		q.free[i] = &all[i]
	}
	return q
}

// add keeps a request. If there is no room the oldest one gives way: dropped is how many spans it would have had. many reports whether a whole batch
// has just come together.
func (q *queue) add(ev *gateway.Event) (dropped int, many bool) {
	if len(q.waiting) == 0 {
		return 0, false
	}
	var r *record
	if q.n == len(q.waiting) {
		r = q.waiting[q.head]
		dropped = r.size()
		q.head, q.n = (q.head+1)%len(q.waiting), q.n-1
	} else { // one is free, as no more are taken than are sent at once
		last := len(q.free) - 1
		r, q.free = q.free[last], q.free[:last]
	}
	r.fill(ev)
	q.waiting[(q.head+q.n)%len(q.waiting)] = r
	q.n++
	return dropped, q.n == batch
}

// take removes the oldest records, as many as are sent at once.
func (q *queue) take(into []*record) []*record {
	for q.n > 0 && len(into) < batch {
		into = append(into, q.waiting[q.head])
		q.head, q.n = (q.head+1)%len(q.waiting), q.n-1
	}
	return into
}

// giveBack lets records that were taken be used again.
func (q *queue) giveBack(taken []*record) {
	for _, r := range taken {
		if len(q.free)+q.n < len(q.waiting)+batch { // otherwise they are those of a queue before this one
			*r = record{path: r.path[:0]}
			q.free = append(q.free, r)
		}
	}
}

// spans is how many spans those that wait have together.
func (q *queue) spans() (n int) {
	for i := range q.n {
		n += q.waiting[(q.head+i)%len(q.waiting)].size()
	}
	return n
}

// size is how many spans a record has: one for the request, and one for each call.
func (r *record) size() int { return 1 + len(r.calls) }
