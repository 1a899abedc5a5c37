package relay

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// racer is a provider that does so when it is called, after it has read what it was sent.
func racer(t *testing.T, does http.HandlerFunc) *provider.Provider {
	t.Helper()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		does(w, r)
	}))
	t.Cleanup(upstream.Close)
	p, err := provider.New(config.Provider{Name: "p", Kind: "anthropic", BaseURL: upstream.URL + "/v1"}, provider.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

const (
	messageStart = "data: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude\",\"content\":[],\"usage\":{\"input_tokens\":%d,\"output_tokens\":1}}}\n\n"
	messageRest  = "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n" +
		"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":%q}}\n\n" +
		"data: {\"type\":\"content_block_stop\",\"index\":0}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":1}}\n\n" +
		"data: {\"type\":\"message_stop\"}\n\n"
)

func starts(w http.ResponseWriter, tokens int) {
	_, _ = fmt.Fprintf(w, messageStart, tokens)
	_ = http.NewResponseController(w).Flush()
}

// race is a request whose stream is late at once, at the targets a and b.
func raced(t *testing.T, size int, a, b *provider.Provider) *Request {
	t.Helper()
	call, refused := passthrough.ParseRequest(llm.Chat, []byte(`{"model":"m","stream":true,"messages":[{"role":"user","content":"`+strings.Repeat("a", size)+`"}]}`), 64)
	if refused != nil {
		t.Fatal(refused)
	}
	return &Request{
		Ingress: ingressOf(call), Asked: call, Providers: map[string]*provider.Provider{"a": a, "b": b}, MaxAnswer: 10 << 20, Caller: http.Header{}, Started: time.Now(),
		Route: route.Route{
			Board:   route.NewBoard(),
			Model:   &route.Model{Name: "m", MaxAttempts: 2, Hedge: route.Hedge{After: time.Millisecond, Budget: 1}, Timeouts: route.Timeouts{Hold: time.Hour}},
			Targets: []route.Target{{Provider: "a", Model: "claude-haiku-4-5"}, {Provider: "b", Model: "claude-haiku-4-5"}},
		},
	}
}

// Whichever wins, the result has both attempts and the usage that each reported, and the request holds no memory.
func TestAccountOfARace(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]bool{"the first wins": false, "the second wins": true} {
		for _, size := range []int{10, 200 << 10} {
			t.Run(fmt.Sprintf("%s, %d bytes", name, size), func(t *testing.T) {
				t.Parallel()
				there := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
				does := func(i int) http.HandlerFunc {
					return func(w http.ResponseWriter, r *http.Request) {
						starts(w, 10+i)
						close(there[i])
						<-there[1-i]
						if second == (i == 1) {
							_, _ = fmt.Fprintf(w, messageRest, fmt.Sprint("text of ", i))
							return
						}
						<-r.Context().Done()
					}
				}
				req := raced(t, size, racer(t, does(0)), racer(t, does(1)))
				memory := &counted{held: len(req.Asked.Scan().Raw)} // as much as the gateway has counted for it
				recorded := new(books)
				req.Memory, req.Explain, req.Account = memory, true, recorded
				w := httptest.NewRecorder()
				res := Serve(t.Context(), w, req)
				winner, loser := "a", "b"
				if second {
					winner, loser = loser, winner
				}
				text := fmt.Sprint("text of ", strings.Index("ab", winner))
				if res.Err != nil || res.Status != http.StatusOK || strings.Count(w.Body.String(), "text of ") != 1 || !strings.Contains(w.Body.String(), text) {
					t.Fatalf("%+v: %s", res, w.Body)
				}
				if len(res.Calls) != 2 || res.Hedges != 1 || res.HedgesWon == 1 != second || res.Calls[1].Target.Provider != winner || res.Calls[0].Target.Provider != loser {
					t.Fatalf("%+v", res)
				}
				// The loser's beginning may not have been read, and its upstream cannot wait for that.
				lost, won := res.Calls[0], res.Calls[1]
				if lost.Outcome != "lost" || lost.HasUsage && !lost.Estimated && lost.Usage.Fresh != int64(10+strings.Index("ab", loser)) || won.Outcome != "ok" || won.Usage != res.Usage || won.Usage.Fresh != int64(10+strings.Index("ab", winner)) {
					t.Errorf("%+v", res.Calls)
				}
				// What is recorded of each is what the result has, for log, metrics and limits: of the loser too, which may end last.
				for _, row := range recorded.settled {
					of := lost
					if row.Target == won.Target {
						of = won
					}
					if row.Usage != of.Usage || row.HasUsage != of.HasUsage || row.Outcome != of.Outcome || row.Ends != of.Ends {
						t.Errorf("recorded: %+v; in the result: %+v", row, of)
					}
				}
				if len(recorded.settled) != 2 {
					t.Errorf("%d calls are recorded", len(recorded.settled))
				}
				told := fmt.Sprintf(`^%s/claude-haiku-4-5 lost( 200)? \d+ms; %s/claude-haiku-4-5 ok \d+ms$`, loser, winner)
				if h := w.Header(); !regexp.MustCompile(told).MatchString(h.Get("Weir-Explain")) || h.Get("Weir-Attempts") != "2" || h.Get("Weir-Provider") != "p" {
					t.Errorf("its head told %v", h)
				}
				if req.Caller != nil || req.Asked.Scan().Raw != nil || memory.held != 0 {
					t.Errorf("%d bytes stay", memory.held)
				}
				for _, target := range req.Route.Targets {
					if n := req.Route.Board.Health(target.Provider, target.Model).InFlight(); n != 0 {
						t.Errorf("%d attempts are in flight at %s", n, target)
					}
				}
			})
		}
	}
}

// breaks has room for anything until it is closed.
type breaks chan struct{}

// Grow implements Memory.
func (b breaks) Grow(n int) bool {
	select {
	case <-b:
		if n > 0 {
			panic("broken")
		}
	default:
	}
	return true
}

// A winner that ends before its loser does leaves it what it may still be reading.
func TestWinnerThatEndsFirst(t *testing.T) {
	t.Parallel()
	req := raced(t, 10, nil, nil)
	r := newRun(t.Context(), httptest.NewRecorder(), req)
	r.tries.Begin(req.Route, &req.Ask, time.Now())
	try, _ := r.tries.Next(time.Now())
	beside, ok := r.tries.Beside(time.Now())
	c := r.race
	c.second, c.running = &run{Request: req, result: new(Result), race: c}, 2
	c.quit[1] = func(error) {}
	if !ok || !r.wins() {
		t.Fatal("nobody wins")
	}
	r.letGo()
	c.ended(r, try, route.Answered, 0)
	if req.Asked.Scan().Raw == nil {
		t.Error("the loser lost its request")
	}
	c.ended(c.second, beside, route.Lost, 0)
	if req.Asked.Scan().Raw != nil {
		t.Error("the request stays in memory")
	}
}

// Once the first has ended no second attempt begins, and why the second could not be sent the request is known to the handler.
func TestNoSecondAfterTheFirst(t *testing.T) {
	t.Parallel()
	req := raced(t, 10, nil, nil)
	r := newRun(t.Context(), httptest.NewRecorder(), req)
	r.tries.Begin(req.Route, &req.Ask, time.Now())
	try, _ := r.tries.Next(time.Now())
	c := r.race
	c.ended(r, try, route.Failed, 0)
	if _, ok := c.enter(); ok {
		t.Error("a second attempt begins")
	}
	c.second = &run{Request: req, result: r.result, race: c, lost: &llm.Error{Message: "It has an image."}}
	c.failure = &failure{outcome: route.Skipped}
	if over := r.finish(&failure{outcome: route.Lost}); over || r.lost != c.second.lost {
		t.Errorf("over %v, lost %v", over, r.lost)
	}
}

// A panic in the second attempt becomes the handler's, and ends the first.
func TestPanicOfTheSecond(t *testing.T) {
	t.Parallel()
	there, gone := make(chan struct{}), make(chan struct{})
	req := raced(t, 10,
		racer(t, func(_ http.ResponseWriter, r *http.Request) {
			close(there)
			<-r.Context().Done()
			close(gone)
		}),
		racer(t, func(w http.ResponseWriter, _ *http.Request) {
			<-there
			starts(w, 1)
			_, _ = fmt.Fprintf(w, messageRest, strings.Repeat("a", 300<<10))
		}))
	req.Memory = breaks(there)
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "broken") || !strings.Contains(fmt.Sprint(p), "hedge.go") {
			t.Errorf("it ended with %v", p)
		}
		<-gone
	}()
	Serve(t.Context(), httptest.NewRecorder(), req)
}

// panics breaks when the answer begins.
type panics struct{ *httptest.ResponseRecorder }

// WriteHeader implements http.ResponseWriter.
func (panics) WriteHeader(int) { panic(http.ErrAbortHandler) }

// A panic of the handler ends the second attempt before it leaves.
func TestPanicBesideTheSecond(t *testing.T) {
	t.Parallel()
	begun, gone := make(chan struct{}), make(chan struct{})
	req := raced(t, 10,
		racer(t, func(w http.ResponseWriter, _ *http.Request) {
			<-begun
			starts(w, 1)
			_, _ = fmt.Fprintf(w, messageRest, "text")
		}),
		racer(t, func(_ http.ResponseWriter, r *http.Request) {
			close(begun)
			<-r.Context().Done()
			close(gone)
		}))
	defer func() {
		if p := recover(); p != http.ErrAbortHandler { //nolint:errorlint // recover gives a value, not an error chain
			t.Errorf("it ended with %v", p)
		}
		if n := req.Route.Board.Health("b", "claude-haiku-4-5").InFlight(); n != 0 {
			t.Errorf("the second attempt has not ended")
		}
		<-gone
	}()
	Serve(t.Context(), panics{httptest.NewRecorder()}, req)
}

// When the second breaks off in the middle of its answer the caller gets that failure, and not how the first had failed before.
func TestCutOfTheSecond(t *testing.T) {
	t.Parallel()
	there, failed := make(chan struct{}), make(chan struct{})
	req := raced(t, 10,
		racer(t, func(w http.ResponseWriter, _ *http.Request) {
			<-there
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		}),
		racer(t, func(w http.ResponseWriter, _ *http.Request) {
			close(there)
			starts(w, 1)
			<-failed
			rest := fmt.Sprintf(messageRest, "text")
			_, _ = io.WriteString(w, rest[:strings.Index(rest, "data: {\"type\":\"content_block_stop")])
		}))
	go func() {
		<-there
		for req.Route.Board.Health("a", "claude-haiku-4-5").InFlight() > 0 { // the first has not failed yet
			runtime.Gosched()
		}
		close(failed)
	}()
	res := Serve(t.Context(), httptest.NewRecorder(), req)
	if !res.Cut || res.Err == nil || res.Err.Kind != llm.UpstreamFailed || !strings.Contains(res.Err.Message, "provider b ") {
		t.Errorf("%+v", res.Err)
	}
	if len(res.Calls) != 2 || res.Calls[0].Outcome != "rate_limited" || res.Calls[1].Outcome != "failed" {
		t.Errorf("%+v", res.Calls)
	}
}

// A refusal of the request itself is sent at once, whichever of the two refuses it. The other is not waited for, because no other
// target would be asked.
func TestRefusalInARace(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]bool{"the first": false, "the second": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			there, gone := make(chan struct{}), make(chan struct{})
			hangs := racer(t, func(_ http.ResponseWriter, r *http.Request) {
				close(there)
				<-r.Context().Done()
				close(gone)
			})
			refuses := racer(t, func(w http.ResponseWriter, _ *http.Request) {
				<-there
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, `{"type":"error","error":{"type":"invalid_request_error","message":"no"}}`)
			})
			a, b, lost := refuses, hangs, 1
			if second {
				a, b, lost = hangs, refuses, 0
			}
			req := raced(t, 10, a, b)
			res := Serve(t.Context(), httptest.NewRecorder(), req)
			if res.Err == nil || res.Err.Kind != llm.UpstreamRefused || res.Hedges != 1 || res.HedgesWon != 0 {
				t.Errorf("%+v", res)
			}
			if len(res.Calls) != 2 || res.Calls[lost].Outcome != "lost" || res.Calls[1-lost].Outcome != "refused" {
				t.Errorf("%+v", res.Calls)
			}
			<-gone
		})
	}
}

// If a caller leaves before any content, the time that it waited is recorded.
func TestSilenceIsTold(t *testing.T) {
	t.Parallel()
	for _, stream := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		req := raced(t, 10, racer(t, func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		}), nil)
		req.Asked.Scan().Stream, req.Route.Model.Hedge = stream, route.Hedge{}
		r := newRun(ctx, httptest.NewRecorder(), req)
		r.sink = newSink(r.w, &passthrough.Chat.Framing, time.Hour)
		r.tries.Begin(req.Route, &req.Ask, time.Now())
		try, _ := r.tries.Next(time.Now())
		if f := r.target(&try); f == nil || f.outcome != route.Canceled || f.silence.Lasted <= 0 || f.silence.Whole == stream {
			t.Errorf("stream %v: %+v", stream, f)
		}
		r.sink.close()
		cancel()
	}
}

// The end of the request ends both.
func TestEndOfARacedRequest(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	var there, gone [2]chan struct{}
	does := func(i int) http.HandlerFunc {
		there[i], gone[i] = make(chan struct{}), make(chan struct{})
		return func(w http.ResponseWriter, r *http.Request) {
			close(there[i])
			<-r.Context().Done()
			close(gone[i])
		}
	}
	req := raced(t, 10, racer(t, does(0)), racer(t, does(1)))
	go func() {
		<-there[0]
		<-there[1]
		cancel(&llm.Error{Kind: llm.Timeout, Message: "time is up"})
	}()
	res := Serve(ctx, httptest.NewRecorder(), req)
	if res.Err == nil || res.Err.Kind != llm.Timeout || len(res.Calls) != 2 || res.Calls[0].Outcome != "canceled" || res.Calls[1].Outcome != "canceled" {
		t.Errorf("%+v", res)
	}
	<-gone[0]
	<-gone[1]
}
