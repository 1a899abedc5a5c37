package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/sim"
)

// faults are models that each break in their own way.
const faults = `{"keep": 8, "interval": "1ms", "tokens": 20, "rules": [
	{"match": {"model": "stall"}, "stall": 3},
	{"match": {"model": "deaf"}, "stall": "headers"},
	{"match": {"model": "reset"}, "reset": 2},
	{"match": {"model": "early-reset"}, "reset": "headers"},
	{"match": {"model": "cut"}, "cut": 4},
	{"match": {"model": "truncate"}, "truncate": 100},
	{"match": {"model": "bad-json"}, "bad_json": 3},
	{"match": {"model": "error-event"}, "error_event": 2},
	{"match": {"model": "gzip"}, "gzip": true},
	{"match": {"model": "one-byte"}, "one_byte": true},
	{"match": {"model": "odd"}, "framing": ["crlf", "comments", "multi_line", "no_done"]},
	{"match": {"model": "as-json"}, "as_json": true},
	{"match": {"model": "huge"}, "huge": 1000000},
	{"match": {"model": "limited"}, "status": 429, "headers": {"retry-after": "1"}},
	{"match": {"model": "broken"}, "status": 500},
	{"match": {"model": "page"}, "status": 502, "body": "<html>Bad gateway</html>"},
	{"match": {"model": "elsewhere"}, "redirect": "http://127.0.0.1:1/"},
	{"match": {"model": "garbage"}, "raw": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"},
	{"match": {"model": "slow"}, "interval": "20ms"}
]}`

// kindsOfTrouble are those models, and one that works.
var kindsOfTrouble = []string{
	"fine", "stall", "deaf", "reset", "early-reset", "cut", "truncate", "bad-json", "error-event", "gzip", "one-byte", "odd", "as-json", "huge",
	"limited", "broken", "page", "elsewhere", "garbage", "slow",
}

// troubled starts the program in front of an upstream with faults.
func troubled(t *testing.T) (*child, *sim.Server, func()) {
	t.Helper()
	up, server := simulate(t, faults)
	c := startChild(t, passAllTo(server.URL+"/v1"), "GOMEMLIMIT", "256MiB")
	if o := c.post("/v1/chat/completions", chatOf("fine", 10)); o.status != 200 {
		t.Fatal(o)
	}
	return c, up, server.CloseClientConnections
}

// hangUp makes a request and hangs up after so many bytes of its answer, or when ctx ends; 0 is never.
func (c *child) hangUp(ctx context.Context, body string, after int64) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "POST", c.url+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		c.t.Error(err)
		return
	}
	req.Header.Set("Authorization", "Bearer "+madeUp)
	resp, err := quiet.Do(req)
	if err != nil {
		return // its time was up; who fails else shows elsewhere
	}
	defer resp.Body.Close()
	var source io.Reader = resp.Body
	if after > 0 {
		source = io.LimitReader(source, after)
	}
	_, _ = io.Copy(io.Discard, source)
}

// rests waits until the program has no more than before of anything.
func (c *child) rests(before baseline, up *sim.Server, closeIdle func()) {
	c.t.Helper()
	waitFor(c.t, patience, func() string { return "the upstream's calls end" }, func() bool { return up.Active() == 0 })
	closeIdle()
	if o := c.post("/v1/chat/completions", chatOf("fine", 10)); o.status != 200 {
		c.t.Error(o)
	}
	c.returnsTo(before, patience)
}

// soakFor is how long the soak runs: WEIR_SOAK, else a minute and a half.
func soakFor(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("WEIR_SOAK")
	if text == "" {
		return 90 * time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("WEIR_SOAK: %v", err)
	}
	return d
}

// However long callers and upstreams behave as badly as they can, in every mixture, nothing piles up.
func TestLongSoak(t *testing.T) {
	long(t)
	span := soakFor(t)
	c, up, closeIdle := troubled(t)
	before := c.baseline()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var served atomic.Int64
	half := func(part uint64) int64 {
		ctx, cancel := context.WithTimeout(t.Context(), span/2)
		defer cancel()
		var wg sync.WaitGroup
		for worker := range uint64(40) {
			wg.Go(func() {
				random := rand.New(rand.NewPCG(seed, part<<32|worker))
				for ctx.Err() == nil {
					c.misbehave(ctx, random)
					served.Add(1)
				}
			})
		}
		wg.Wait()
		return c.peak()
	}
	first := half(1)
	second := half(2)
	t.Logf("%d requests in %v; %d MiB at most in the first half, %d in the second", served.Load(), span, first>>20, second>>20)
	if second > first+first/4 {
		t.Errorf("it grew from %d MiB to %d", first>>20, second>>20)
	}
	c.rests(before, up, closeIdle)
	if n := c.metric("weir_requests_running"); n != 0 {
		t.Errorf("%.0f requests run", n)
	}
	if o := c.post("/v1/chat/completions", chatOf("fine", 10)); o.status != 200 {
		t.Error(o)
	}
}

// misbehave makes one request of a random kind, to an upstream with a random fault.
func (c *child) misbehave(ctx context.Context, random *rand.Rand) {
	model := kindsOfTrouble[random.IntN(len(kindsOfTrouble))]
	patience := time.Duration(1+random.IntN(1500)) * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	stream, size := "", 10<<random.IntN(15)
	if random.IntN(3) > 0 {
		stream = `"stream":true,`
	}
	body := fmt.Sprintf(`{"model":%q,%s"messages":[{"role":"user","content":"%s"}]}`, model, stream, strings.Repeat("x", size))
	switch random.IntN(8) {
	case 0:
		body = body[:random.IntN(len(body))]
	case 1:
		body = strings.Replace(body, "messages", "model", 1)
	}
	c.hangUp(ctx, body, random.Int64N(4)*random.Int64N(3000))
}
