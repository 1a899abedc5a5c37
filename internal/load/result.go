package load

import (
	"cmp"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Result is what a run measured. Times are of requests that were answered with 200 and to the end.
type Result struct {
	Elapsed     time.Duration // from the start to the last answer
	Requests    int64         // answered well
	Failed      int64
	Unfinished  int64 // cut off by an interrupt
	Unsent      int64 // in an open loop: due, but no connection was free until the end
	Events      int64 // of streams, without [DONE]
	BytesIn     int64 // size of the bodies
	Interrupted bool

	Latency    Summary // from the time that a request was due to the end of its answer
	FirstToken Summary // from the time that it was due to the first token of its stream
	Between    Summary // between one event of a stream and the next, from the first token on
	Failures   []Failure
}

// Failure is how often requests failed in one way.
type Failure struct {
	Status  int    // 0 if no answer came
	Code    string // the error's code, or what happened to the connection
	Count   int64
	Example string // the message of the first one
}

type failureKey struct {
	status int
	code   string
}

// recorder takes what all connections measure.
type recorder struct {
	latency, first, between Histogram

	ok, failed, unfinished, events, bytes atomic.Int64
	begun, over                           atomic.Int64 // streams whose first token came, and those of them that ended
	last                                  atomic.Int64 // when the last answer came, since the start

	mu       sync.Mutex
	failures map[failureKey]*Failure
}

func newRecorder() *recorder { return &recorder{failures: map[failureKey]*Failure{}} }

// end records one request.
func (r *recorder) end(a answer, err error, due, now time.Time) {
	r.bytes.Add(a.bytes)
	if err == nil && a.status == 200 && a.message == "" {
		r.ok.Add(1)
		r.latency.Add(now.Sub(due))
		if !a.first.IsZero() {
			r.first.Add(a.first.Sub(due))
		}
		return
	}
	r.failed.Add(1)
	key, example := failureKey{a.status, a.code}, a.message
	if err != nil {
		key.code, example = connectionCode(err), err.Error()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.failures[key]
	if f == nil {
		f = &Failure{Status: key.status, Code: key.code, Example: example}
		r.failures[key] = f
	}
	f.Count++
}

// connectionCode names what happened to a connection.
func connectionCode(err error) string {
	var dial *dialError
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		return "unknown_host"
	case isTimeout(err):
		return "timeout"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection_refused"
	case errors.As(err, &dial):
		return "cannot_connect"
	case errors.Is(err, errCutShort), errors.Is(err, io.ErrUnexpectedEOF):
		return "cut_short"
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection_closed"
	}
	return "bad_answer"
}

// result is the sum so far.
func (r *recorder) result() *Result {
	result := &Result{
		Requests: r.ok.Load(), Failed: r.failed.Load(), Unfinished: r.unfinished.Load(), Events: r.events.Load(), BytesIn: r.bytes.Load(),
		Latency: r.latency.Summary(), FirstToken: r.first.Summary(), Between: r.between.Summary(),
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.failures {
		result.Failures = append(result.Failures, *f)
	}
	slices.SortFunc(result.Failures, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Code, b.Code))
	})
	return result
}
