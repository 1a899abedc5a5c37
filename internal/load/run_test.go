package load

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/sim"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// upstream is a simulated provider, which ends with the test.
func upstream(t *testing.T, script sim.Script) (*sim.Server, string) {
	t.Helper()
	provider := sim.New(script)
	server := httptest.NewServer(provider)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return provider, server.URL + "/v1/chat/completions"
}

func ask(stream bool) []byte {
	return Prompt{Endpoint: Chat, Model: "m", Size: 200, Stream: stream}.Body()
}

func do(t *testing.T, plan Plan) *Result {
	t.Helper()
	if plan.Timeout == 0 {
		plan.Timeout = 30 * time.Second
	}
	result, err := Run(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestClosedLoop(t *testing.T) {
	t.Parallel()
	provider, url := upstream(t, sim.Script{Key: "made-up"})
	result := do(t, Plan{URL: url, Key: secret.New("made-up"), Body: ask(false), Concurrency: 3, Requests: 20, Header: [][2]string{{"X-Extra", "yes"}}})
	if result.Requests != 20 || result.Failed != 0 || result.Latency.Count != 20 || result.FirstToken.Count != 0 {
		t.Errorf("%+v", result)
	}
	served := provider.Served()
	callers := map[string]bool{}
	var sent int64
	for _, call := range served {
		callers[call.Remote] = true
		sent += int64(call.BodyBytes)
		if call.Header.Get("X-Extra") != "yes" {
			t.Errorf("headers: %v", call.Header)
		}
	}
	if len(served) != 20 || len(callers) > 3 || sent != 20*200 {
		t.Errorf("%d calls over %d connections with %d bytes", len(served), len(callers), sent)
	}
}

func TestOneRequestAtLeast(t *testing.T) {
	t.Parallel()
	_, url := upstream(t, sim.Script{})
	if result := do(t, Plan{URL: url, Body: ask(false), Concurrency: 5, Duration: time.Nanosecond}); result.Requests != 1 {
		t.Errorf("%+v", result)
	}
}

func TestStreams(t *testing.T) {
	t.Parallel()
	for name, framing := range map[string][]sim.Framing{
		"plain": nil, "crlf with comments": {sim.CRLF, sim.Comments, sim.EventLines}, "bom": {sim.BOM, sim.NoSpace},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, url := upstream(t, sim.Script{Tokens: 10, Rules: []sim.Rule{{Framing: framing, OneByte: name == "bom"}}})
			result := do(t, Plan{URL: url, Body: ask(true), Concurrency: 2, Requests: 6})
			// role, ten tokens, finish reason; the role is no token
			want := &Result{Requests: 6, Events: 6 * 12}
			if diff := cmp.Diff(want, result, cmpopts.IgnoreFields(Result{}, "Elapsed", "BytesIn", "Latency", "FirstToken", "Between")); diff != "" {
				t.Error(diff)
			}
			if result.Latency.Count != 6 || result.FirstToken.Count != 6 || result.Between.Count != 6*10 || result.BytesIn == 0 {
				t.Errorf("%+v", result)
			}
			if result.FirstToken.Max > result.Latency.Max {
				t.Error("a first token came after the last end")
			}
		})
	}
}

// Every endpoint is asked at its path, and its streams are read to their own ends.
func TestEndpoints(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		endpoint Endpoint
		base     string
		extra    int // events that are no tokens
	}{
		{Chat, "/v1/", 2}, {Completions, "/v1/", 1}, {Messages, "/v1/", 5}, {Generate, "/v1beta/", 1},
	} {
		t.Run(string(test.endpoint), func(t *testing.T) {
			t.Parallel()
			cut := 3
			provider, url := upstream(t, sim.Script{Key: "made-up", Tokens: 10, Rules: []sim.Rule{{Match: sim.Match{Nth: 3}, Cut: &cut}}})
			url = strings.TrimSuffix(url, "/v1/chat/completions") + test.base
			for i, stream := range []bool{false, true, true} {
				plan := Plan{URL: url + test.endpoint.Path("m", stream), Endpoint: test.endpoint, Key: secret.New("made-up"), Concurrency: 1, Requests: 1}
				plan.Body = Prompt{Endpoint: test.endpoint, Model: "m", Size: 200, Stream: stream}.Body()
				result := do(t, plan)
				switch {
				case i == 2:
					if result.Failed != 1 || result.Failures[0].Code != "cut_short" {
						t.Errorf("cut: %+v", result)
					}
				case result.Requests != 1 || stream && (result.FirstToken.Count != 1 || result.Events < int64(10+test.extra-1)):
					t.Errorf("stream %t: %+v", stream, result)
				}
			}
			for _, call := range provider.Served() {
				if call.Model != "m" || call.BodyBytes != 200 {
					t.Errorf("%+v", call)
				}
			}
		})
	}
}

func TestMoments(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		endpoint Endpoint
		data     string
		want     moment
	}{
		{Chat, `[DONE]`, moment{done: true}},
		{Chat, `{"choices":[{"delta":{"tool_calls":[{}]}}]}`, moment{token: true}},
		{Messages, `{"type":"message_start"}`, moment{}},
		{Messages, `{"type":"content_block_start","content_block":{"type":"tool_use"}}`, moment{token: true}},
		{Messages, `{"type":"content_block_delta","delta":{"thinking":"a"}}`, moment{token: true}},
		{Messages, `{"type":"message_stop"}`, moment{done: true}},
		{Messages, `{"type":"error","error":{"message":"No."}}`, moment{fails: true}},
		{Responses, `{"type":"response.created","response":{"output":[]}}`, moment{}},
		{Responses, `{"type":"response.output_text.delta","delta":"a"}`, moment{token: true}},
		{Responses, `{"type":"response.output_item.added","item":{"type":"function_call"}}`, moment{token: true}},
		{Responses, `{"type":"response.incomplete"}`, moment{done: true}},
		{Responses, `{"type":"response.failed"}`, moment{fails: true}},
		{Generate, `{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`, moment{token: true}},
		{Generate, `{"candidates":[{"finishReason":"STOP"}]}`, moment{done: true}},
		{Generate, `{"error":{"code":503,"status":"UNAVAILABLE"}}`, moment{fails: true}},
		{Generate, `no JSON`, moment{}},
	} {
		if got := test.endpoint.form().event([]byte(test.data)); got != test.want {
			t.Errorf("%s %s: %+v", test.endpoint, test.data, got)
		}
	}
}

func TestErrorsOfEachDialect(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]answer{
		`{"error":{"message":"No.","type":"t","code":"c"}}`:                                       {message: "No.", code: "c"},
		`{"type":"error","error":{"type":"overloaded_error","message":"No."}}`:                    {message: "No.", code: "overloaded_error"},
		`{"type":"response.failed","response":{"error":{"code":"server_error","message":"No."}}}`: {message: "No.", code: "server_error"},
		`{"type":"error","code":"c","message":"No."}`:                                             {message: "No.", code: "c"},
		`{"error":{"code":503,"message":"No.","status":"UNAVAILABLE"}}`:                           {message: "No.", code: "UNAVAILABLE"},
	} {
		var got answer
		if got.readError([]byte(text)); got != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	zero, cut, short := sim.Point(0), 3, 20
	before := sim.BeforeHeaders
	for name, test := range map[string]struct {
		rule   sim.Rule
		stream bool
		want   Failure
	}{
		"rate limit":           {sim.Rule{Status: 429}, false, Failure{429, "rate_limit_exceeded", 2, ""}},
		"a page":               {sim.Rule{Status: 502, Body: new("<html>")}, false, Failure{502, "", 2, "<html>"}},
		"error in the stream":  {sim.Rule{ErrorEvent: &short, Body: new(`{"error":{"message":"No.","code":7}}`)}, true, Failure{200, "7", 2, "No."}},
		"error at once":        {sim.Rule{Events: []string{`{"error":{"message":"No.","type":"server_error","code":null}}`}}, true, Failure{200, "server_error", 2, "No."}},
		"no end":               {sim.Rule{Cut: &cut}, true, Failure{200, "cut_short", 2, errCutShort.Error()}},
		"broken off":           {sim.Rule{Truncate: &short}, false, Failure{200, "cut_short", 2, ""}},
		"stream broken off":    {sim.Rule{Truncate: &short}, true, Failure{200, "cut_short", 2, ""}},
		"reset":                {sim.Rule{Reset: &before}, false, Failure{0, "connection_closed", 2, ""}},
		"reset after headers":  {sim.Rule{Reset: &zero}, true, Failure{200, "connection_closed", 2, ""}},
		"stalls":               {sim.Rule{Stall: &before}, true, Failure{0, "timeout", 2, ""}},
		"no HTTP":              {sim.Rule{Raw: "SSH-2.0-OpenSSH_9.2\r\n"}, false, Failure{0, "bad_answer", 2, `the upstream's answer cannot be read: malformed HTTP response "SSH-2.0-OpenSSH_9.2"`}},
		"a strange length":     {sim.Rule{Raw: "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"}, false, Failure{0, "bad_answer", 2, `the upstream's answer cannot be read: bad Content-Length "-1"`}},
		"a strange chunk":      {sim.Rule{Raw: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"}, false, Failure{200, "bad_answer", 2, `invalid byte in chunk length`}},
		"a chunk that is open": {sim.Rule{Raw: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc"}, false, Failure{200, "cut_short", 2, ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.rule.ErrorEvent != nil {
				test.rule.ErrorEvent = &cut
			}
			_, url := upstream(t, sim.Script{Tokens: 10, Rules: []sim.Rule{test.rule}})
			plan := Plan{URL: url, Body: ask(test.stream), Concurrency: 1, Requests: 2}
			if test.want.Code == "timeout" {
				plan.Timeout = 20 * time.Millisecond
			}
			result := do(t, plan)
			if result.Requests != 0 || result.Failed != 2 || result.Latency.Count != 0 || len(result.Failures) != 1 {
				t.Fatalf("%+v", result)
			}
			got := result.Failures[0]
			if test.want.Example == "" {
				got.Example = ""
			}
			if got != test.want {
				t.Errorf("%+v, want %+v", got, test.want)
			}
		})
	}
}

func TestNobodyThere(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	result := do(t, Plan{URL: "http://" + listener.Addr().String(), Body: ask(false), Concurrency: 1, Requests: 1})
	if len(result.Failures) != 1 || result.Failures[0].Code != "connection_refused" {
		t.Errorf("%+v", result)
	}
}

// Servers close kept connections without announcing it. Callers try again, and so does the load.
func TestClosedConnectionsAreReplaced(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			nc, err := listener.Accept()
			if err != nil {
				return
			}
			request := make([]byte, 4<<10)
			if _, err := nc.Read(request); err == nil {
				_, _ = io.WriteString(nc, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			}
			nc.Close()
		}
	}()
	result := do(t, Plan{URL: "http://" + listener.Addr().String(), Body: ask(false), Concurrency: 1, Requests: 5})
	if result.Requests != 5 || result.Failed != 0 {
		t.Errorf("%+v", result)
	}
}

func TestHTTPS(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(sim.New(sim.Script{Tokens: 3}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	tlsConfig := server.Client().Transport.(*http.Transport).TLSClientConfig
	result := do(t, Plan{URL: server.URL + "/v1/chat/completions", Body: ask(true), Concurrency: 2, Requests: 4, TLS: tlsConfig})
	if result.Requests != 4 || result.Failed != 0 {
		t.Errorf("%+v", result)
	}
	result = do(t, Plan{URL: server.URL, Body: ask(true), Concurrency: 1, Requests: 1})
	if len(result.Failures) != 1 || result.Failures[0].Code != "cannot_connect" {
		t.Errorf("an unknown certificate: %+v", result)
	}
}

// Requests that fall due while the only connection is busy wait, and their wait counts. A server that pauses once
// must not look as if only one request had met the pause.
func TestWaitingCounts(t *testing.T) {
	t.Parallel()
	const pauseOnce = 200 * time.Millisecond
	_, url := upstream(t, sim.Script{Rules: []sim.Rule{{Match: sim.Match{Nth: 1}, Latency: sim.Duration(pauseOnce)}}})
	result := do(t, Plan{URL: url, Body: ask(false), Concurrency: 1, Rate: 100, Requests: 10})
	// The ten were due in the first 90 ms, and none was answered before 200 ms had passed.
	if result.Requests != 10 || result.Latency.Min < 100*time.Millisecond {
		t.Errorf("%d requests, the quickest in %v", result.Requests, result.Latency.Min)
	}
}

func TestOpenLoopEnds(t *testing.T) {
	t.Parallel()
	stall := sim.BeforeHeaders
	for name, test := range map[string]struct {
		script                   sim.Script
		duration                 time.Duration
		requests                 int
		answered, failed, unsent int64
	}{
		"by count":                {sim.Script{}, 0, 30, 30, 0, 0},
		"by time":                 {sim.Script{}, 50 * time.Millisecond, 0, 25, 0, 0},
		"by count, though time":   {sim.Script{}, time.Minute, 10, 10, 0, 0},
		"no connection gets free": {sim.Script{Rules: []sim.Rule{{Stall: &stall}}}, 60 * time.Millisecond, 0, 0, 2, 28},
		"at least one is sent":    {sim.Script{}, time.Nanosecond, 0, 1, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, url := upstream(t, test.script)
			plan := Plan{URL: url, Body: ask(false), Concurrency: 2, Rate: 500, Requests: test.requests, Duration: test.duration}
			if test.unsent > 0 {
				plan.Timeout = 2 * time.Second // the two connections are busy until long after the end
			} else {
				plan.Concurrency = 50
			}
			result := do(t, plan)
			// On a slow machine a request may still be waiting for a connection when the time is over.
			if sum := result.Requests + result.Failed + result.Unsent; sum != test.answered+test.failed+test.unsent || result.Failed != test.failed {
				t.Errorf("%+v", result)
			}
			if test.unsent > 0 && result.Unsent != test.unsent {
				t.Errorf("%d unsent", result.Unsent)
			}
		})
	}
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	stall := sim.Point(2)
	for _, rate := range []float64{0, 1000} {
		provider, url := upstream(t, sim.Script{Rules: []sim.Rule{{Match: sim.Match{Nth: 1, Times: 2}}, {Stall: &stall}}})
		ctx, cancel := context.WithCancel(t.Context())
		stalled := make(chan error, 1)
		go func() {
			stalled <- provider.Wait(ctx, func(calls []sim.Served) bool {
				return len(calls) == 5 && !slices.ContainsFunc(calls[2:], func(s sim.Served) bool { return s.Events < 2 })
			})
			cancel()
		}()
		result, err := Run(ctx, Plan{URL: url, Body: ask(true), Concurrency: 3, Rate: rate, Requests: 1000, Timeout: time.Minute})
		if err := errors.Join(err, <-stalled); err != nil {
			t.Fatal(err)
		}
		if result.Requests != 2 || result.Failed != 0 || result.Unfinished != 3 || !result.Interrupted || result.Unsent != 0 {
			t.Errorf("rate %v: %+v", rate, result)
		}
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	stall := sim.Point(3)
	_, url := upstream(t, sim.Script{Rules: []sim.Rule{{Stall: &stall}}})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	held := false
	plan := Plan{URL: url, Body: ask(true), Concurrency: 4, Requests: 4, Timeout: time.Minute, Ramp: time.Millisecond, Every: time.Millisecond}
	plan.Progress = func(p Progress) {
		if p.Streaming == 4 {
			held = true
			cancel()
		}
	}
	if _, err := Run(ctx, plan); err != nil || !held {
		t.Errorf("%v, held %v", err, held)
	}
}

func TestPlansThatCannotBe(t *testing.T) {
	t.Parallel()
	good := Plan{URL: "http://127.0.0.1:1/v1", Concurrency: 1, Requests: 1, Timeout: time.Second}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Plan){
		"is no URL":        func(p *Plan) { p.URL = "localhost:8930" },
		"line break":       func(p *Plan) { p.Key = secret.New("a\r\nHost: b") },
		"concurrency":      func(p *Plan) { p.Concurrency = 0 },
		"needs an end":     func(p *Plan) { p.Requests = 0 },
		"must be positive": func(p *Plan) { p.Timeout = 0 },
		"timeout must be":  func(p *Plan) { p.Rate = -1 },
	} {
		bad := good
		change(&bad)
		if _, err := Run(t.Context(), bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestPrompt(t *testing.T) {
	t.Parallel()
	for _, endpoint := range []Endpoint{Chat, Completions, Embeddings, Messages, Responses, Generate} {
		for _, size := range []int{0, 150, 151, 152, 8 << 10, 400 << 10} {
			for _, code := range []bool{false, true} {
				p := Prompt{Endpoint: endpoint, Model: `a "b"`, Stream: endpoint != Embeddings, MaxTokens: 5, Size: size, Code: code}
				body := p.Body()
				var read struct {
					Model  string
					Chat   int `json:"max_tokens"`
					Output int `json:"max_output_tokens"`
					Config struct {
						Max int `json:"maxOutputTokens"`
					} `json:"generationConfig"`
				}
				err := json.Unmarshal(body, &read)
				if err != nil || (read.Model == p.Model) == (endpoint == Generate) || (read.Chat+read.Output+read.Config.Max == 5) == (endpoint == Embeddings) {
					t.Fatalf("%+v: %v: %+v", p, err, read)
				}
				if size > 0 && len(body) != size || size == 0 && len(body) > 150 {
					t.Errorf("%+v: %d bytes", p, len(body))
				}
				escapes := strings.Count(string(body), `\`)
				if size > 1000 && (code && escapes < size/30 || !code && escapes > 2) {
					t.Errorf("%+v: %d escapes", p, escapes)
				}
			}
		}
	}
}

// The figures of a histogram are those of the sorted values, but for the width of a bucket.
func TestHistogram(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 5000; n = n*3 + 1 {
		var h Histogram
		var all []time.Duration
		for range n {
			d := time.Duration(random.Int64N(1 << random.IntN(maxBits)))
			h.Add(d)
			all = append(all, d)
		}
		slices.Sort(all)
		s := h.Summary()
		if s.Count != uint64(n) || s.Min != all[0] || s.Max != all[n-1] {
			t.Errorf("%d values: %+v", n, s)
		}
		for _, q := range []struct {
			name string
			at   float64
			got  time.Duration
		}{{"p50", 0.5, s.P50}, {"p90", 0.9, s.P90}, {"p95", 0.95, s.P95}, {"p99", 0.99, s.P99}, {"p99.9", 0.999, s.P999}} {
			want := all[max(int(q.at*float64(n)+0.9999999), 1)-1]
			if diff := max(q.got-want, want-q.got); diff > want/200 {
				t.Errorf("%s of %d values is %v, not %v", q.name, n, q.got, want)
			}
		}
	}
	var h Histogram
	if s := h.Summary(); s != (Summary{}) {
		t.Errorf("empty: %+v", s)
	}
	h.Add(-time.Second)
	h.Add(1 << 62)
	if s := h.Summary(); s.Count != 2 || s.Min != 0 || s.Max != 1<<maxBits-1 {
		t.Errorf("extremes: %+v", s)
	}
}

// What a request costs the load is not available to what is loaded.
func TestRequestsAllocateLittle(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	plan := Plan{URL: "http://" + listener.Addr().String(), Body: ask(false), Concurrency: 1, Requests: 1, Timeout: time.Minute}
	d, err := plan.dest()
	if err != nil {
		t.Fatal(err)
	}
	go func() { // allocates nothing
		nc, err := listener.Accept()
		if err != nil {
			return
		}
		defer nc.Close()
		request, answer := make([]byte, 4<<10), []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
		for err == nil {
			if _, err = nc.Read(request); err == nil {
				_, err = nc.Write(answer)
			}
		}
	}()
	r := &run{Plan: &plan, dest: d, rec: newRecorder(), start: time.Now()}
	c := newConn(&plan, d)
	defer c.close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if allocs := testing.AllocsPerRun(100, func() { r.one(ctx, c, time.Now()) }); allocs > 24 {
		t.Errorf("%v allocations a request", allocs)
	}
	if r.rec.ok.Load() == 0 || r.rec.failed.Load() > 0 {
		t.Errorf("%+v", r.rec.result())
	}
}
