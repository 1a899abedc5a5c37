package tracing

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/logging/logtest"
	"github.com/weirproxy/weir/internal/otlp"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/trace"
)

// answer is what a collector answers to one post; nil hangs until the post is given up.
type answer struct {
	status int
	header http.Header
	body   string
	err    error
}

// taker is a collector in place of the network, so that time can be simulated.
type taker struct {
	answer func(n int) *answer // to the n-th post, from 1

	mu     sync.Mutex
	posts  []time.Time
	heads  []http.Header
	bodies []*collector.ExportTraceServiceRequest
}

// RoundTrip implements http.RoundTripper.
func (c *taker) RoundTrip(r *http.Request) (*http.Response, error) {
	unzipped, err := gzip.NewReader(r.Body)
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(unzipped)
	if err != nil {
		return nil, err
	}
	var got collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(plain, &got); err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.posts, c.heads, c.bodies = append(c.posts, time.Now()), append(c.heads, r.Header), append(c.bodies, &got)
	n := len(c.posts)
	c.mu.Unlock()
	a := c.answer(n)
	if a == nil {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	if a.err != nil {
		return nil, a.err
	}
	header := a.header
	if header == nil {
		header = http.Header{"Content-Type": {"application/x-protobuf"}}
	}
	return &http.Response{StatusCode: a.status, Header: header, Body: io.NopCloser(strings.NewReader(a.body))}, nil
}

// waits are the times between the posts.
func (c *taker) waits() (all []time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := 1; i < len(c.posts); i++ {
		all = append(all, c.posts[i].Sub(c.posts[i-1]))
	}
	return all
}

// spans is how many spans the posts had, each.
func (c *taker) spans() (all []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.bodies {
		all = append(all, len(b.GetResourceSpans()[0].GetScopeSpans()[0].GetSpans()))
	}
	return all
}

// counter implements Metrics.
type counter struct {
	mu sync.Mutex
	of map[Outcome]int
}

// Spans implements Metrics.
func (c *counter) Spans(o Outcome, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of[o] += n
}

func (c *counter) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return fmt.Sprintf("%d sent, %d rejected, %d failed, %d dropped", c.of[Sent], c.of[Rejected], c.of[Failed], c.of[Dropped])
}

const credential = "Bearer tok-123456789"

// termsFor are terms that lead to a collector.
func termsFor(c http.RoundTripper) *Terms {
	return &Terms{
		URL: "http://collector.test/path-of-mine", Header: http.Header{"Authorization": {credential}}, Transport: c, Upstreams: upstreams,
		Resource: []otlp.Attribute{otlp.String("deployment.environment.name", "test"), otlp.String("service.name", "weir-eu")}, Secrets: secret.NewMask(nil, []string{credential}),
	}
}

// start runs a tracer until the test ends.
func start(t *testing.T, c *taker) (tr *Tracer, counts *counter, log *logtest.Buffer, stop func()) {
	t.Helper()
	counts, log = &counter{of: map[Outcome]int{}}, &logtest.Buffer{}
	tr = New(Options{Version: "1.2", Instance: "i-1", Log: slog.New(slog.NewTextHandler(log, nil)), Metrics: counts})
	tr.Set(termsFor(c))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tr.Run(ctx)
	}()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return tr, counts, log, stop
}

func takes(int) *answer { return &answer{status: http.StatusOK} }

// all has several requests kept, of three spans each.
func all(t *testing.T, tr *Tracer, n int) {
	t.Helper()
	for range n {
		tr.RequestDone(streamed(t))
	}
}

// A request is sent within five seconds, gzipped, with the headers of the config and who sends it. A whole batch is sent at once.
func TestBatches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &taker{answer: takes}
		tr, counts, log, stop := start(t, c)
		all(t, tr, 1)
		time.Sleep(every)
		synctest.Wait()
		if counts.String() != "3 sent, 0 rejected, 0 failed, 0 dropped" {
			t.Fatal(counts, log)
		}
		h := c.heads[0]
		if h.Get("Content-Type") != "application/x-protobuf" || h.Get("Content-Encoding") != "gzip" || h.Get("User-Agent") != "weir/1.2" || h.Get("Authorization") != credential {
			t.Errorf("%v", h)
		}
		from := c.bodies[0].GetResourceSpans()[0]
		var who []string
		for _, a := range from.GetResource().GetAttributes() {
			who = append(who, a.GetKey()+"="+a.GetValue().GetStringValue())
		}
		if want := []string{"deployment.environment.name=test", "service.name=weir-eu", "service.version=1.2", "service.instance.id=i-1"}; !slices.Equal(who, want) {
			t.Errorf("%v, want %v", who, want)
		}
		if scope := from.GetScopeSpans()[0].GetScope(); scope.GetName() != "github.com/weirproxy/weir" || scope.GetVersion() == "" {
			t.Errorf("%v", scope)
		}
		all(t, tr, batch+1)
		synctest.Wait()
		if got := c.spans(); !slices.Equal(got, []int{3, 3 * batch}) {
			t.Errorf("at once: %v", got)
		}
		time.Sleep(every)
		synctest.Wait()
		if got := c.spans(); !slices.Equal(got, []int{3, 3 * batch, 3}) || log.String() != "" {
			t.Errorf("later: %v\n%s", got, log)
		}
		stop()
	})
}

// A collector that does not take spans is tried again for a minute, and the log says so once. Nothing is lost if it comes back before.
func TestADeadCollector(t *testing.T) {
	t.Parallel()
	for name, dead := range map[string]*answer{
		"cannot be reached": {err: errors.New("refused")},
		"is busy":           {status: http.StatusServiceUnavailable},
		"has too many":      {status: http.StatusTooManyRequests},
		"hangs":             nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var back bool
				var mu sync.Mutex
				c := &taker{answer: func(int) *answer {
					mu.Lock()
					defer mu.Unlock()
					if back {
						return takes(0)
					}
					return dead
				}}
				tr, counts, log, stop := start(t, c)
				all(t, tr, 1)
				time.Sleep(2 * time.Minute)
				synctest.Wait()
				if counts.String() != "0 sent, 0 rejected, 3 failed, 0 dropped" || strings.Count(log.String(), "level=WARN") != 1 || strings.Contains(log.String(), "path-of-mine") {
					t.Errorf("%v\n%s", counts, log)
				}
				each := time.Duration(0)
				if dead == nil {
					each = within
				}
				for i, wait := range c.waits() {
					if want := min(firstWait<<i, longestWait) + each; wait != want {
						t.Errorf("%v before post %d, want %v", wait, i+2, want)
					}
				}
				all(t, tr, 1)
				time.Sleep(every + within + firstWait/2)
				mu.Lock()
				back = true
				mu.Unlock()
				time.Sleep(time.Minute)
				synctest.Wait()
				if counts.String() != "3 sent, 0 rejected, 3 failed, 0 dropped" || !strings.Contains(log.String(), "takes spans again") {
					t.Errorf("%v\n%s", counts, log)
				}
				stop()
			})
		})
	}
}

// A collector that asks for time gets it.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &taker{answer: func(n int) *answer {
			if n == 1 {
				return &answer{status: http.StatusServiceUnavailable, header: http.Header{"Retry-After": {"7"}}}
			}
			return takes(n)
		}}
		tr, counts, _, stop := start(t, c)
		all(t, tr, 1)
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := c.waits(); !slices.Equal(got, []time.Duration{7 * time.Second}) || counts.String() != "3 sent, 0 rejected, 0 failed, 0 dropped" {
			t.Errorf("%v, %v", got, counts)
		}
		stop()
	})
}

// What cannot succeed is not tried again, and the log says what to do, without the credential and the path.
func TestACollectorThatDoesNotWant(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer answer
		log    string
	}{
		"no credential":       {answer{status: http.StatusUnauthorized, body: credential}, "see traces.headers"},
		"another path":        {answer{status: http.StatusNotFound}, "lack /v1/traces"},
		"moved":               {answer{status: http.StatusPermanentRedirect, header: http.Header{"Location": {"http://other.test"}}}, "redirects are not followed"},
		"it cannot read them": {answer{status: http.StatusBadRequest}, "answered 400"},
		"it is broken":        {answer{status: http.StatusInternalServerError}, "answered 500"},
		"a web page":          {answer{status: http.StatusOK, header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, body: "<html>"}, "a web page"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := &taker{answer: func(int) *answer { return &tt.answer }}
				tr, counts, log, stop := start(t, c)
				all(t, tr, 2)
				time.Sleep(10 * time.Minute)
				synctest.Wait()
				if len(c.spans()) != 1 || counts.String() != "0 sent, 6 rejected, 0 failed, 0 dropped" || !strings.Contains(log.String(), tt.log) || strings.Contains(log.String(), "tok-123456789") || strings.Contains(log.String(), "path-of-mine") {
					t.Errorf("%v, %v\n%s", c.spans(), counts, log)
				}
				stop()
			})
		})
	}
}

// A 200 whose body is nonsense has taken the spans. One that rejects some of them is believed, as far as can be.
func TestAnswersOfACollector(t *testing.T) {
	t.Parallel()
	partly, err := proto.Marshal(&collector.ExportTraceServiceResponse{PartialSuccess: &collector.ExportTracePartialSuccess{RejectedSpans: 2, ErrorMessage: "with " + credential + " they are too old"}})
	if err != nil {
		t.Fatal(err)
	}
	absurd, err := proto.Marshal(&collector.ExportTraceServiceResponse{PartialSuccess: &collector.ExportTracePartialSuccess{RejectedSpans: 1 << 60}})
	if err != nil {
		t.Fatal(err)
	}
	endless, err := proto.Marshal(&collector.ExportTraceServiceResponse{PartialSuccess: &collector.ExportTracePartialSuccess{
		RejectedSpans: 2, ErrorMessage: strings.Repeat("x", mostSaid-len(credential)+1) + credential,
	}})
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{
		"": "3 sent, 0 rejected, 0 failed, 0 dropped", "{}": "3 sent, 0 rejected, 0 failed, 0 dropped", "\xff\xff\xff": "3 sent, 0 rejected, 0 failed, 0 dropped", strings.Repeat("\x0a", 1<<16): "3 sent, 0 rejected, 0 failed, 0 dropped",
		string(partly): "1 sent, 2 rejected, 0 failed, 0 dropped", string(endless): "1 sent, 2 rejected, 0 failed, 0 dropped", string(absurd): "0 sent, 3 rejected, 0 failed, 0 dropped",
	} {
		synctest.Test(t, func(t *testing.T) {
			c := &taker{answer: func(int) *answer { return &answer{status: http.StatusOK, body: body} }}
			tr, counts, log, stop := start(t, c)
			all(t, tr, 1)
			time.Sleep(every)
			synctest.Wait()
			if counts.String() != want || strings.Contains(log.String(), "tok-1") || body == string(partly) && !strings.Contains(log.String(), "they are too old") {
				t.Errorf("%.40q: %v\n%s", body, counts, log)
			}
			stop()
		})
	}
}

// While a collector hangs, requests are kept up to a bound, and no request waits. The oldest give way.
func TestTooManyWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &taker{answer: func(n int) *answer {
			if n == 1 {
				return nil
			}
			return takes(n)
		}}
		tr, counts, _, stop := start(t, c)
		all(t, tr, 1)
		time.Sleep(every)
		synctest.Wait()
		for i := range most + 10 {
			ev := streamed(t)
			ev.ID = fmt.Sprint("req_", i)
			tr.RequestDone(ev)
		}
		synctest.Wait()
		if counts.String() != "0 sent, 0 rejected, 0 failed, 30 dropped" {
			t.Error(counts)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := fmt.Sprintf("%d sent, 0 rejected, 0 failed, 30 dropped", 3*(most+1)); counts.String() != want {
			t.Errorf("%v, want %s", counts, want)
		}
		first := c.bodies[2].GetResourceSpans()[0].GetScopeSpans()[0].GetSpans()[0]
		if id := first.GetAttributes()[4].GetValue().GetStringValue(); id != "req_10" {
			t.Errorf("the oldest that was sent is %s", id)
		}
		stop()
	})
}

// At the end what waits is sent, what was under way too. A collector that hangs delays the end by two seconds at most.
func TestTheEnd(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer func(n int) *answer
		before time.Duration // the end, after the requests
		want   string
		took   time.Duration
	}{
		"waiting":                   {takes, 0, "4500 sent, 0 rejected, 0 failed, 0 dropped", 0},
		"hanging":                   {func(int) *answer { return nil }, 0, "0 sent, 0 rejected, 4500 failed, 0 dropped", lastPosts},
		"under way, and then taken": {func(n int) *answer { return map[bool]*answer{false: takes(n)}[n == 1] }, every, "4500 sent, 0 rejected, 0 failed, 0 dropped", 0},
		"between two tries":         {func(n int) *answer { return map[bool]*answer{true: {status: 503}, false: takes(n)}[n == 1] }, every + firstWait/2, "4500 sent, 0 rejected, 0 failed, 0 dropped", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := &taker{answer: tt.answer}
				tr, counts, log, stop := start(t, c)
				all(t, tr, 1500)
				time.Sleep(tt.before)
				ending := time.Now()
				stop()
				if took := time.Since(ending); counts.String() != tt.want || took != tt.took {
					t.Errorf("%v after %v, want %s after %v\n%s", counts, took, tt.want, tt.took, log)
				}
			})
		})
	}
}

// Terms may go and come back. What waits when they go is dropped.
func TestTermsChange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		one, two := &taker{answer: takes}, &taker{answer: takes}
		tr, counts, _, stop := start(t, one)
		all(t, tr, 1)
		tr.Set(termsFor(two))
		time.Sleep(every)
		synctest.Wait()
		if len(one.spans()) != 0 || !slices.Equal(two.spans(), []int{3}) {
			t.Errorf("%v, %v", one.spans(), two.spans())
		}
		all(t, tr, 2)
		tr.Set(nil)
		all(t, tr, 4)
		time.Sleep(every)
		synctest.Wait()
		if counts.String() != "3 sent, 0 rejected, 0 failed, 6 dropped" {
			t.Error(counts)
		}
		tr.Set(termsFor(one))
		all(t, tr, 5)
		time.Sleep(every)
		synctest.Wait()
		if !slices.Equal(one.spans(), []int{15}) || counts.String() != "18 sent, 0 rejected, 0 failed, 6 dropped" {
			t.Errorf("%v, %v", one.spans(), counts)
		}
		stop()
	})
}

// What requests pay: deciding and the copy, beside a sender that takes what is kept, and with a queue that is full because none does.
// TestAllocationsOfRequestDone holds that nothing is allocated.
func BenchmarkRequestDone(b *testing.B) {
	for _, bench := range []struct {
		name   string
		change func(*gateway.Event)
		full   bool
	}{
		{"kept", func(*gateway.Event) {}, false},
		{"kept, full", func(*gateway.Event) {}, true},
		{"not kept", func(ev *gateway.Event) { ev.Trace.Flags, ev.Result.Attempts = 0, 1 }, false},
	} {
		b.Run(bench.name, func(b *testing.B) {
			tr, ev := quiet(b)
			bench.change(ev)
			var taken []*record
			b.ReportAllocs()
			for b.Loop() {
				tr.RequestDone(ev)
				if !bench.full && tr.queue.n == batch {
					b.StopTimer()
					taken = tr.queue.take(taken[:0])
					tr.queue.giveBack(taken)
					b.StartTimer()
				}
			}
		})
	}
}

// quiet is a tracer that counts nothing, and a request that one call answered.
func quiet(tb testing.TB) (*Tracer, *gateway.Event) {
	tb.Helper()
	tr := New(Options{Metrics: uncounted{}})
	tr.Set(&Terms{Slow: time.Minute})
	ev := streamed(&testing.T{})
	ev.Result.Calls = ev.Result.Calls[1:]
	return tr, ev
}

type uncounted struct{}

func (uncounted) Spans(Outcome, int) {}

// A request with one call is kept without an allocation.
func TestAllocationsOfRequestDone(t *testing.T) { //nolint:paralleltest // it counts the process's allocations
	tr, ev := quiet(t)
	ev.Trace.Flags |= trace.Sampled
	if n := testing.AllocsPerRun(2*(most+batch), func() { tr.RequestDone(ev) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
