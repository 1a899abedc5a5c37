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
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// If a target fails with several credentials, the failure that says most counts.
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

// An answer that is not read to its end leaves no connection open.
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
		req.Route.Model.Hedge, req.Route.Targets, req.MaxAnswer, req.Asked.Scan().Stream = route.Hedge{}, req.Route.Targets[:1], 1<<20, stream
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
		if got := CanServe(p, table.At(tt.e.Path()[1:]), tt.model); got != tt.want {
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

// A client that stops reading also ends a translated stream, and what was reported by then is recorded. A caller that asked for
// usage gets it.
func TestClientThatLeavesATranslatedStream(t *testing.T) {
	t.Parallel()
	for _, left := range []int{1, 100} {
		for _, wants := range []bool{false, true} {
			p := racer(t, func(w http.ResponseWriter, _ *http.Request) {
				_, _ = fmt.Fprintf(w, messageStart+messageRest, 7, "a text")
			})
			req := raced(t, 10, p, p)
			req.Route.Model.Hedge, req.Started, req.Asked.Scan().WantUsage = route.Hedge{}, time.Now(), wants
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

// An attempt is overdue if the model's limit ended the request, and the attempt had half of that for itself and brought nothing.
func TestOverdue(t *testing.T) {
	t.Parallel()
	limit, own := &llm.Error{Kind: llm.Timeout}, &llm.Error{Kind: llm.Overloaded}
	for name, tt := range map[string]struct {
		total, elapsed, before time.Duration // elapsed and before: time that had passed when the attempt began
		cause                  error
		committed, want        bool
	}{
		"all of it":                 {total: 10, elapsed: 10, cause: limit, want: true},
		"half of it":                {total: 10, elapsed: 10, before: 5, cause: limit, want: true},
		"less than half":            {total: 10, elapsed: 10, before: 6, cause: limit},
		"a limit of the caller's":   {total: 10, elapsed: 9, cause: limit},
		"no limit":                  {elapsed: 10, cause: limit},
		"another end":               {total: 10, elapsed: 10, cause: own},
		"the caller left":           {total: 10, elapsed: 10, cause: context.Canceled},
		"after it brought content":  {total: 10, elapsed: 10, cause: limit, committed: true},
		"after twice as much as is": {total: 10, elapsed: 20, before: 10, cause: limit, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, end := context.WithCancelCause(t.Context())
				model := &route.Model{Timeouts: route.Timeouts{Total: tt.total * time.Second}}
				r := &run{Request: &Request{Started: time.Now(), Route: route.Route{Model: model}}, ctx: ctx, committed: tt.committed}
				time.Sleep(tt.before * time.Second)
				a := &attempt{run: r, started: time.Now()}
				time.Sleep((tt.elapsed - tt.before) * time.Second)
				end(tt.cause)
				if a.overdue() != tt.want {
					t.Errorf("it is not %v", tt.want)
				}
			})
		})
	}
}

// An upstream that refuses only to be asked for usage is asked once more without. What becomes of that is the attempt's, also when it fails.
func TestUsageIsRefused(t *testing.T) {
	t.Parallel()
	for name, answers := range map[string]bool{"and answers without": true, "and fails without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked++
				switch body, _ := io.ReadAll(r.Body); {
				case strings.Contains(string(body), "stream_options"):
					w.WriteHeader(http.StatusBadRequest)
					_, _ = io.WriteString(w, `{"error":{"message":"unknown: stream_options"}}`)
				case answers:
					_, _ = io.WriteString(w, `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"A"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
				default:
					w.WriteHeader(http.StatusInternalServerError)
				}
			}))
			t.Cleanup(upstream.Close)
			req := raced(t, 10, upstreamOf(t, config.Provider{Name: "a", Kind: "openai", BaseURL: upstream.URL}), nil)
			req.Route.Model.Hedge, req.Route.Targets = route.Hedge{}, req.Route.Targets[:1]
			w := httptest.NewRecorder()
			res := Serve(t.Context(), w, req)
			if len(res.Calls) != 2 || res.Calls[0].Outcome != "refused" || asked != 2 {
				t.Fatalf("%d calls: %+v", asked, res.Calls)
			}
			if answers && (res.Err != nil || !strings.Contains(w.Body.String(), `"A"`)) {
				t.Errorf("%v, and %s", res.Err, w.Body)
			}
			if !answers && (res.Err == nil || res.Err.Kind != llm.UpstreamFailed || res.Calls[1].Outcome != "failed") {
				t.Errorf("%v, and %+v", res.Err, res.Calls)
			}
		})
	}
}

// What a target's config adds to a request is counted with it, if the two are large together.
func TestAddedMembersAreCounted(t *testing.T) {
	t.Parallel()
	p := upstreamOf(t, config.Provider{Name: "a", Kind: "openai", BaseURL: "http://127.0.0.1:1"})
	added := llm.Added{Default: []llm.Param{{Name: "seed", Value: llm.JSON("1")}}}
	for _, beyond := range []int{0, 1} {
		bare := len(raced(t, 0, nil, nil).Asked.Scan().Raw)
		req := raced(t, freeBuffer-bare-added.Len()+beyond, p, p)
		memory := new(counted)
		req.Memory = memory
		r := &run{Request: req, ctx: t.Context()}
		asked := func() *order {
			return &order{run: r, provider: p, target: &route.Target{Model: "up", Added: added}, body: req.Asked}
		}
		if err := asked().extend(); err != nil || memory.held != beyond*(freeBuffer+1) {
			t.Errorf("%d bytes beyond what is free: %d are counted, %v", beyond, memory.held, err)
		}
		memory.most = 1
		if err := asked().extend(); (err != nil) != (beyond > 0) {
			t.Errorf("%d bytes beyond what is free, and no room: %v", beyond, err)
		}
	}
}
