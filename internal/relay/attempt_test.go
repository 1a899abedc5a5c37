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

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
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

// What a provider can be asked for: a legacy completion also where it has only chats, of another dialect than the caller's.
func TestCanServe(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind  string
		e     llm.Endpoint
		model string
		want  bool
	}{
		{"anthropic", llm.Chat, "claude-haiku-4-5", true},
		{"anthropic", llm.Completions, "claude-haiku-4-5", true},
		{"anthropic", llm.Embeddings, "claude-haiku-4-5", false},
		{"cohere", llm.Embeddings, "embed-v4.0", true},
		{"openai", llm.Chat, "gpt-5", true},
	} {
		p, err := provider.New(config.Provider{Name: "p", Kind: tt.kind}, provider.Identity{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		if got := CanServe(p, tt.e, tt.model); got != tt.want {
			t.Errorf("%s, %s: %v", tt.kind, tt.e, got)
		}
	}
}

// gone is a client that takes so many pieces and no more.
type gone struct {
	*httptest.ResponseRecorder
	left int
}

// Write implements http.ResponseWriter.
func (g *gone) Write(p []byte) (int, error) {
	if g.left--; g.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return g.ResponseRecorder.Write(p)
}

// A client that stops reading ends a stream of another dialect, too, and what was told by then is accounted for. Usage is told to who
// asked for it.
func TestClientThatLeavesATranslatedStream(t *testing.T) {
	t.Parallel()
	for _, left := range []int{1, 100} {
		for _, wants := range []bool{false, true} {
			p := racer(t, func(w http.ResponseWriter, _ *http.Request) {
				_, _ = fmt.Fprintf(w, messageStart+messageRest, 7, "a text")
			})
			req := raced(t, 10, p, p)
			req.Route.Model.Hedge, req.Started, req.Call.WantUsage = route.Hedge{}, time.Now(), wants
			w := &gone{httptest.NewRecorder(), left}
			res := Serve(t.Context(), w, req)
			if left < 100 {
				if res.Err == nil || res.Err.Kind != llm.Canceled || len(res.Calls) != 1 || res.Calls[0].Outcome != "canceled" || res.Usage.Fresh != 7 {
					t.Errorf("%d pieces: %+v", left, res)
				}
				continue
			}
			if told := strings.Contains(w.Body.String(), `"prompt_tokens":7`); res.Err != nil || told != wants || res.Usage.Fresh != 7 {
				t.Errorf("usage asked %v: %s", wants, w.Body)
			}
		}
	}
}
