package admin

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// desk makes one report of the ledger at a time, and limits the time that all of them take: with SQLite, reports run in this process and
// compete with requests for its processors. Each reader has one report in the queue, and the reader's others wait behind it. A reader who
// asks without pause gets less after a while, because reports slow down the slowest requests.
type desk struct {
	place  chan struct{} // has an element while a report is made
	rest   time.Duration // what each nanosecond of a report takes of the time, itself included
	reader time.Duration // what it takes of its reader's time
	paid   time.Time     // reports have taken all time until then. Who has the place may change it

	mu    sync.Mutex       // guards the lines and all that changes in one
	lines map[string]*line // of the readers that wait or have the place, or had it of late
}

// line is where the reports of one reader wait.
type line struct {
	front   chan struct{} // has an element while one of them waits for the place, or has it
	paid    time.Time     // the reader's reports have taken all of the reader's time until then
	waiting int           // how many there are, the one at the front included
}

const (
	longestWait = 10 * time.Second // for the place
	deskAhead   = 2 * time.Second  // by how much reports may be ahead of their part of the time: with two processors, half a second of work
	mostAhead   = 5 * time.Second  // and that they are after a slow one
	deskShare   = 8                // all processors together do reports in an eighth of their time at most
	readerShare = 512              // one reader's reports: in a 512th, more than a page takes that is fetched again each minute,
	readerAhead = 30 * time.Second // but for so much work, as of hundreds of pages. A reader who rests gets that back
	mostOwed    = 10 * time.Minute // how long a reader waits for the next report at most: one slow report is no hour without
)

func newDesk(processors int) *desk {
	return &desk{place: make(chan struct{}, 1), rest: time.Duration(max(1, deskShare/processors)), reader: time.Duration(max(1, readerShare/processors)), lines: map[string]*line{}}
}

// take waits for a reader's turn. It returns a function that gives the place back. The error of one who waited too long is a busy.
func (d *desk) take(ctx context.Context, reader string) (leave func(), err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, longestWait, errBusy)
	defer cancel()
	line := d.join(reader)
	select {
	case line.front <- struct{}{}:
	case <-ctx.Done():
		err := d.refused(ctx, line)
		d.part(line)
		return nil, err
	}
	done := func() {
		<-line.front
		d.part(line)
	}
	if pause(ctx, d.owed(line)) != nil {
		err := d.refused(ctx, line)
		done()
		return nil, err
	}
	free, err := d.takePlace(ctx)
	if err != nil {
		done()
		return nil, err
	}
	return func() {
		d.charge(line, free())
		done()
	}, nil
}

// owed is how long it is until a reader has time for a report again.
func (d *desk) owed(own *line) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return time.Until(own.paid.Add(-readerAhead * d.reader))
}

// charge counts a report that took so long.
func (d *desk) charge(own *line, took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	own.paid = later(own.paid, now).Add(d.reader * took)
	if most := now.Add(readerAhead*d.reader + mostOwed); own.paid.After(most) {
		own.paid = most
	}
}

// refused is the error of a report whose ctx has ended.
func (d *desk) refused(ctx context.Context, own *line) error {
	if owed := d.owed(own); owed > 0 && errors.Is(context.Cause(ctx), errBusy) {
		return spent(owed)
	}
	return context.Cause(ctx)
}

// pause waits for so long, if that is more than nothing.
func pause(ctx context.Context, long time.Duration) error {
	if long <= 0 {
		return nil
	}
	select {
	case <-time.After(long):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// join adds a report to the line of its reader. Lines are forgotten in which none waits and whose readers have their time again.
func (d *desk) join(reader string) *line {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	maps.DeleteFunc(d.lines, func(_ string, l *line) bool { return l.waiting == 0 && !l.paid.After(now) })
	own := d.lines[reader]
	if own == nil {
		own = &line{front: make(chan struct{}, 1)}
		d.lines[reader] = own
	}
	own.waiting++
	return own
}

// part takes a report out of the line of its reader.
func (d *desk) part(own *line) {
	d.mu.Lock()
	defer d.mu.Unlock()
	own.waiting--
}

// takePlace waits for the place: those who wait get it in the order in which they came. free gives it back, and says how long it was taken.
func (d *desk) takePlace(ctx context.Context) (free func() time.Duration, err error) {
	select {
	case d.place <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err := pause(ctx, time.Until(d.paid.Add(-deskAhead))); err != nil {
		<-d.place
		return nil, err
	}
	begun := time.Now()
	return func() time.Duration {
		now := time.Now()
		took := now.Sub(begun)
		d.paid = later(d.paid, begun).Add(d.rest * took)
		if most := now.Add(mostAhead); d.paid.After(most) {
			d.paid = most
		}
		<-d.place
		return took
	}, nil
}

var errBusy = errors.New("other reports are being made")

// spent is the error of a reader whose allowance is used up, and how long it is until the next report.
type spent time.Duration

// Error implements error.
func (s spent) Error() string { return "the reader's time for reports is used up" }

// readerOf says who asks for a report: a session, or the address from which the token is sent.
func readerOf(r *http.Request) string {
	if who := operatorOf(r); who != nil && who.session != nil {
		return string(who.session.digest[:])
	}
	return prefixOf(r.RemoteAddr).String()
}

// atDesk has an answer made at the desk, and sends it when the next one may be made: a client that reads slowly keeps no other waiting.
func (h *Handler) atDesk(w http.ResponseWriter, r *http.Request, answer func(http.ResponseWriter)) {
	leave, err := h.desk.take(r.Context(), readerOf(r))
	var owes spent
	switch {
	case errors.As(err, &owes):
		wait := time.Duration(owes).Round(time.Second) + time.Second
		err = &llm.Error{Kind: llm.Overloaded, RetryAfter: wait, Message: fmt.Sprintf("You have asked for more reports than Weir makes for one reader beside its requests. The next one is made in %v; who asks for less has more again later.", wait), Cause: err}
	case errors.Is(err, errBusy):
		err = &llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "More reports are asked for than Weir makes beside its requests. Ask again in a moment, or for shorter spans (since, until).", Cause: err}
	}
	if err != nil {
		render(w, r, shown(err))
		return
	}
	made := &madeAnswer{ResponseWriter: w}
	func() {
		defer leave()
		answer(made)
	}()
	w.WriteHeader(made.status)
	_, _ = w.Write(made.body) // if this fails, the client is gone
}

// madeAnswer is an answer that is not sent yet. Its header is that of the one below.
type madeAnswer struct {
	http.ResponseWriter
	status int
	body   []byte
}

// WriteHeader implements http.ResponseWriter.
func (m *madeAnswer) WriteHeader(status int) { m.status = status }

// Write implements http.ResponseWriter.
func (m *madeAnswer) Write(part []byte) (int, error) {
	m.body = append(m.body, part...)
	return len(part), nil
}
