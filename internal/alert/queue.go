package alert

import (
	"slices"
	"time"
)

// most is how many events wait at most, those that are tried again included.
const most = 256

// After a failed try an event waits, each time twice as long. It is given up when another try would begin more than an hour after the event.
const (
	firstWait   = time.Second
	longestWait = 10 * time.Minute
	giveUp      = time.Hour
)

// waiting is an event that was not delivered yet.
type waiting struct {
	*Event
	id    string
	body  []byte
	due   time.Time // of the next try
	wait  time.Duration
	tries int
}

// queue has the events that wait, in the order in which they came.
type queue struct{ events []*waiting }

// add adds an event. One that waits already is not added again. The oldest one falls out if there are too many.
func (q *queue) add(w *waiting) (fallen *waiting) {
	if slices.ContainsFunc(q.events, func(other *waiting) bool { return other.id == w.id }) {
		return nil
	}
	if len(q.events) >= most {
		fallen = q.events[0]
		q.remove(fallen)
	}
	q.events = append(q.events, w)
	return fallen
}

// next is the event that is due first, nil without any.
func (q *queue) next() (first *waiting) {
	for _, w := range q.events {
		if first == nil || w.due.Before(first.due) {
			first = w
		}
	}
	return first
}

// has reports whether an event still waits.
func (q *queue) has(w *waiting) bool { return slices.Contains(q.events, w) }

// remove removes an event.
func (q *queue) remove(w *waiting) {
	q.events = slices.DeleteFunc(q.events, func(other *waiting) bool { return other == w })
}

// failed has an event wait for its next try. It returns false if that is too late.
func (w *waiting) failed(now time.Time) bool {
	w.wait = min(max(2*w.wait, firstWait), longestWait)
	w.due = now.Add(w.wait)
	return w.due.Sub(w.Time) <= giveUp
}
