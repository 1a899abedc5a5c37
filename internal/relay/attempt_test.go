package relay

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

// Of what a target did with several credentials that counts which says most.
func TestWhatATargetIsRememberedFor(t *testing.T) {
	t.Parallel()
	one, two := &route.Target{Provider: "one"}, &route.Target{Provider: "two"}
	fails := func(target *route.Target, o route.Outcome, wait time.Duration) failure {
		return failure{target: target, outcome: o, retryAfter: wait}
	}
	for name, tt := range map[string]struct{ said, want []failure }{
		"the last":                           {[]failure{fails(one, route.Failed, 0), fails(one, route.BadCredential, 0)}, []failure{fails(one, route.BadCredential, 0)}},
		"a limit, not a refused credential":  {[]failure{fails(one, route.RateLimited, 7), fails(one, route.BadCredential, 0)}, []failure{fails(one, route.RateLimited, 7)}},
		"what came after a limit":            {[]failure{fails(one, route.RateLimited, 7), fails(one, route.Failed, 0)}, []failure{fails(one, route.Failed, 0)}},
		"the soonest wait":                   {[]failure{fails(one, route.RateLimited, 3), fails(one, route.RateLimited, 7)}, []failure{fails(one, route.RateLimited, 3)}},
		"a sooner wait that comes later":     {[]failure{fails(one, route.RateLimited, 7), fails(one, route.RateLimited, 3)}, []failure{fails(one, route.RateLimited, 3)}},
		"a wait, where the last tells none":  {[]failure{fails(one, route.RateLimited, 7), fails(one, route.RateLimited, 0)}, []failure{fails(one, route.RateLimited, 7)}},
		"no wait of another kind of failure": {[]failure{fails(one, route.Overloaded, 3), fails(one, route.RateLimited, 7)}, []failure{fails(one, route.RateLimited, 7)}},
		"each target for itself":             {[]failure{fails(one, route.RateLimited, 7), fails(two, route.BadCredential, 0)}, []failure{fails(one, route.RateLimited, 7), fails(two, route.BadCredential, 0)}},
	} {
		r := new(run)
		for _, f := range tt.said {
			r.remember(&f)
		}
		if !slices.Equal(r.failures, tt.want) {
			t.Errorf("%s: %+v, want %+v", name, r.failures, tt.want)
		}
	}
}

// A pause lets the request go on, unless that ends meanwhile.
func TestPause(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	r := &run{ctx: ctx}
	if !r.pause(0) || !r.pause(time.Nanosecond) {
		t.Error("it does not go on")
	}
	cancel()
	if r.pause(time.Hour) {
		t.Error("it goes on, though the caller has left")
	}
	if !r.pause(0) {
		t.Error("no pause is no reason to end")
	}
}

// What was lent is given back, and no more than that.
func TestLentMemoryIsGivenBack(t *testing.T) {
	t.Parallel()
	room := &most{free: 1 << 20}
	a := &attempt{run: &run{Request: &Request{Memory: room}}}
	a.Grow(1000)
	l := &lent{attempt: a}
	if !l.Grow(100_000) || !l.Grow(50_000) || l.Grow(1<<20) {
		t.Errorf("%+v", room)
	}
	if l.release(); room.used != copies*1000 {
		t.Errorf("%d bytes are used, not %d", room.used, copies*1000)
	}
}

// Names of parameters go into a header as far as its characters allow.
func TestNamesInHeaders(t *testing.T) {
	t.Parallel()
	if got := inHeader([]string{"a b~", "c\x7fd", "e\nf\x1f", "é"}); got != "a b~, c?d, e?f?, ?" {
		t.Errorf("%q", got)
	}
}

// flushes counts how often what was written is sent.
type flushes struct {
	*httptest.ResponseRecorder
	n int
}

// FlushError implements what http.ResponseController asks for.
func (f *flushes) FlushError() error {
	f.n++
	return nil
}

// What comes in one packet is not sent event by event, also of a target of another dialect: reading it takes two turns.
func TestOnePacketIsNotSentEventByEvent(t *testing.T) {
	t.Parallel()
	p := racer(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, messageStart+messageRest, 1, "a text")
	})
	req := raced(t, 10, p, p)
	req.Route.Model.Hedge, req.Started = route.Hedge{}, time.Now()
	w := &flushes{ResponseRecorder: httptest.NewRecorder()}
	res := Serve(t.Context(), w, req)
	if res.Err != nil || !strings.Contains(w.Body.String(), "a text") || w.n > 2 {
		t.Errorf("%d flushes of\n%s", w.n, w.Body)
	}
}

// An answer that is not read to its end leaves no connection behind.
func TestAnswersAreClosed(t *testing.T) {
	t.Parallel()
	for _, stream := range []bool{false, true} {
		gone := make(chan struct{})
		p := racer(t, func(w http.ResponseWriter, r *http.Request) {
			defer close(gone)
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat(" ", 64<<10)); err != nil {
					return
				}
			}
		})
		req := raced(t, 10, p, p)
		req.Route.Model.Hedge, req.Route.Targets, req.MaxAnswer, req.Call.Stream = route.Hedge{}, req.Route.Targets[:1], 1<<20, stream
		if res := Serve(t.Context(), httptest.NewRecorder(), req); res.Err == nil || res.Err.Kind != llm.UpstreamFailed {
			t.Errorf("%+v", res.Err)
		}
		<-gone
	}
}
