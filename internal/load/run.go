// Package load puts load on a server that speaks a dialect of Weir's callers over HTTP/1.1, and measures what comes back. It sends the
// same bytes again and again on kept-alive connections, so that the load costs little compared with the server.
//
// In a closed loop each connection sends its next request when its last one is answered: it finds out how much the server
// can do. In an open loop requests are due at fixed times, whether or not the server keeps up, and waiting counts from
// those times. It shows what independent callers experience.
package load

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/secret"
)

// Plan is what is sent, how fast and for how long.
type Plan struct {
	URL string // URL of the endpoint, http or https
	// Endpoint says how streams are read; the zero value reads those of chats.
	Endpoint Endpoint
	Key      secret.Text // the bearer key, empty for none
	Header   [][2]string // added to the request's
	Body     []byte

	Concurrency int           // connections; in an open loop the most that are opened
	Rate        float64       // requests a second: an open loop. 0 is a closed one
	Requests    int           // ends after so many; 0 for no bound
	Duration    time.Duration // begins no request later than this; 0 for no bound
	Ramp        time.Duration // time over which a closed loop's connections begin, one after the other
	Timeout     time.Duration // of one request

	TLS      *tls.Config    // for https; nil is the usual one
	Progress func(Progress) // if set, called again and again
	Every    time.Duration  // how often; 0 is once a second
}

// Progress is how far a run is.
type Progress struct {
	Elapsed          time.Duration
	Requests, Failed int64
	Streaming        int64 // streams whose first token has come and whose end has not
}

// dest is a plan's server and request, ready to be sent.
type dest struct {
	addr    string
	tls     *tls.Config
	request *http.Request // without its body
}

// Check reports what is wrong with a plan, in words for the one who made it.
func (p *Plan) Check() error {
	_, err := p.dest()
	switch {
	case err != nil:
		return err
	case p.Concurrency < 1:
		return errors.New("the concurrency must be at least 1")
	case p.Requests <= 0 && p.Duration <= 0:
		return errors.New("a run needs an end: a number of requests or a duration")
	case p.Rate < 0 || p.Timeout <= 0:
		return errors.New("rate and timeout must be positive")
	}
	return nil
}

func (p *Plan) dest() (*dest, error) {
	u, err := url.Parse(p.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is no URL; write for example http://127.0.0.1:8930/v1", p.URL)
	}
	d := &dest{addr: u.Host}
	port := "80"
	if u.Scheme == "https" {
		port = "443"
		d.tls = &tls.Config{}
		if p.TLS != nil {
			d.tls = p.TLS.Clone()
		}
		if d.tls.ServerName == "" {
			d.tls.ServerName = u.Hostname()
		}
		d.tls.NextProtos = []string{"http/1.1"}
	}
	if u.Port() == "" {
		d.addr = net.JoinHostPort(u.Hostname(), port)
	}
	header := http.Header{"User-Agent": {"weir-bench"}, "Content-Type": {"application/json"}}
	p.Endpoint.authorize(header, p.Key)
	for _, h := range p.Header {
		header[h[0]] = append(header[h[0]], h[1])
	}
	for name, values := range header {
		if strings.ContainsAny(name+strings.Join(values, ""), "\r\n") {
			return nil, fmt.Errorf("a header or the key has a line break in it")
		}
	}
	d.request = &http.Request{Method: http.MethodPost, URL: u, Host: u.Host, Header: header, ContentLength: int64(len(p.Body))}
	return d, nil
}

// run is one run of a plan.
type run struct {
	*Plan
	dest  *dest
	rec   *recorder
	start time.Time
	taken atomic.Int64
}

// Run follows the plan to its end. If ctx ends before, running requests are cut off, and the result has what was
// measured so far.
func Run(ctx context.Context, plan Plan) (*Result, error) {
	if err := plan.Check(); err != nil {
		return nil, err
	}
	d, err := plan.dest()
	if err != nil {
		return nil, err
	}
	r := &run{Plan: &plan, dest: d, rec: newRecorder(), start: time.Now()}
	stop := r.tell()
	if plan.Rate > 0 {
		r.open(ctx)
	} else {
		r.closed(ctx)
	}
	stop()
	result := r.rec.result()
	result.Elapsed = max(time.Duration(r.rec.last.Load()), 0)
	if result.Elapsed == 0 {
		result.Elapsed = time.Since(r.start)
	}
	result.Interrupted = ctx.Err() != nil
	if plan.Rate > 0 && !result.Interrupted {
		result.Unsent = r.intended() - r.taken.Load()
	}
	return result, nil
}

// tell reports the progress until the function that it returns is called.
func (r *run) tell() (stop func()) {
	if r.Progress == nil {
		return func() {}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(cmp.Or(r.Every, time.Second))
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
				r.Progress(Progress{time.Since(r.start), r.rec.ok.Load(), r.rec.failed.Load(), r.rec.begun.Load() - r.rec.over.Load()})
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// intended is how many requests an open loop has by the end of its time.
func (r *run) intended() int64 {
	n := int64(r.Requests)
	if r.Duration > 0 {
		byTime := int64(r.Rate * r.Duration.Seconds())
		if n == 0 || byTime < n {
			n = byTime
		}
	}
	return max(n, 1)
}

// take allows one more request of a closed loop. The first one always is.
func (r *run) take(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	n := r.taken.Add(1)
	return n == 1 || (r.Requests == 0 || n <= int64(r.Requests)) && (r.Duration == 0 || time.Since(r.start) < r.Duration)
}

func (r *run) closed(ctx context.Context) {
	var workers sync.WaitGroup
	for i := range r.Concurrency {
		workers.Go(func() {
			if r.Ramp > 0 && !Pause(ctx, r.Ramp*time.Duration(i)/time.Duration(r.Concurrency)) {
				return
			}
			c := newConn(r.Plan, r.dest)
			defer c.close()
			for r.take(ctx) {
				r.one(ctx, c, time.Now())
			}
		})
	}
	workers.Wait()
}

// open sends requests when they are due. If no connection is free, another is opened. If all are busy, the request
// waits, and so do later ones; their due times do not change.
func (r *run) open(ctx context.Context) {
	var workers sync.WaitGroup
	work := make(chan time.Time)
	var late <-chan time.Time // the end of the run, for a request that waits for a connection
	if r.Duration > 0 {
		timer := time.NewTimer(r.Duration)
		defer timer.Stop()
		late = timer.C
	}
	opened := 0
	defer workers.Wait()
	defer close(work)
	for i := range r.intended() {
		due := r.start.Add(time.Duration(float64(i) / r.Rate * float64(time.Second)))
		if !sleepUntil(ctx, due) {
			return
		}
		select {
		case work <- due:
			r.taken.Add(1)
			continue
		default:
		}
		if opened < r.Concurrency {
			opened++
			r.taken.Add(1)
			workers.Go(func() {
				c := newConn(r.Plan, r.dest)
				defer c.close()
				r.one(ctx, c, due)
				for due := range work {
					r.one(ctx, c, due)
				}
			})
			continue
		}
		select {
		case work <- due:
			r.taken.Add(1)
		case <-late:
			return
		case <-ctx.Done():
			return
		}
	}
}

// retryPause keeps a load from spinning on a server that is not there.
const retryPause = 100 * time.Millisecond

// one sends a request that was due at a time, and records it.
func (r *run) one(ctx context.Context, c *conn, due time.Time) {
	if ctx.Err() != nil { // never begun
		return
	}
	a, err := c.call(ctx, r.rec)
	if !a.first.IsZero() {
		r.rec.over.Add(1)
	}
	if err != nil && ctx.Err() != nil {
		r.rec.unfinished.Add(1)
		return
	}
	now := time.Now()
	r.rec.end(a, err, due, now)
	for last, end := r.rec.last.Load(), int64(now.Sub(r.start)); end > last && !r.rec.last.CompareAndSwap(last, end); {
		last = r.rec.last.Load()
	}
	var dial *dialError
	if errors.As(err, &dial) {
		Pause(ctx, retryPause)
	}
}

// Pause waits, and reports whether ctx did not end meanwhile.
func Pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
