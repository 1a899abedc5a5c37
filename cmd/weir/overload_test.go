package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// limit is the memory that the program gets in these tests, and most what it may take: the promise is a tenth more.
const (
	limit = 128 << 20
	most  = limit + limit/10
)

// holding is an upstream that answers at once, but calls for the model "held" only when the gate is opened.
type holding struct {
	*httptest.Server
	gate    chan struct{}
	waiting chan struct{} // gets one for each held call that has arrived
}

func newHolding(t *testing.T) *holding {
	t.Helper()
	h := &holding{gate: make(chan struct{}), waiting: make(chan struct{}, 1000)}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := make([]byte, 64)
		_, _ = io.ReadFull(r.Body, start) // what is short is not held
		_, _ = io.Copy(io.Discard, r.Body)
		if bytes.Contains(start, []byte(`"held"`)) {
			h.waiting <- struct{}{}
			select {
			case <-h.gate:
			case <-r.Context().Done():
			}
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}`)
	}))
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	return h
}

// chatOf is a chat body of about size bytes.
func chatOf(model string, size int) string {
	return fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":"%s"}]}`, model, strings.Repeat("x", size))
}

// reply is how a request ended.
type reply struct {
	status     int
	retryAfter string
	body       string
	err        error
}

func (o reply) String() string { return fmt.Sprintf("%d %s %v", o.status, o.body, o.err) }

func (o reply) overloaded() bool {
	return o.status == 503 && o.retryAfter != "" && strings.Contains(o.body, `"code":"overloaded"`)
}

// post sends a body on a connection of its own. It may be called from any goroutine.
func (c *child) post(path, body string) reply {
	req, err := http.NewRequest("POST", c.url+path, strings.NewReader(body))
	if err != nil {
		return reply{err: err}
	}
	req.Header.Set("Authorization", "Bearer "+madeUp)
	resp, err := quiet.Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return reply{resp.StatusCode, resp.Header.Get("Retry-After"), string(text), err}
}

// Requests that would need more memory than is free are refused before their bodies are read. Running requests and
// small ones go on, and afterwards all is as before.
func TestMemoryIsShared(t *testing.T) {
	t.Parallel()
	up := newHolding(t)
	c := startChild(t, passAllTo(up.URL), "GOMEMLIMIT", "128MiB")
	if o := c.post("/v1/chat/completions", chatOf("small", 10)); o.status != 200 {
		t.Fatalf("%v", o)
	}
	before := c.baseline()

	const size, at = 8 << 20, 12
	results := make(chan reply, at)
	for range at {
		go func() { results <- c.post("/v1/chat/completions", chatOf("held", size)) }()
	}
	running := at
	for ; running > limit/2*85/100/size; running-- { // what fits into 85 % of half of the memory
		if o := <-results; !o.overloaded() {
			t.Errorf("one too many: %v", o)
		}
	}
	for range running {
		<-up.waiting
	}
	for range 20 {
		if o := c.post("/v1/chat/completions", chatOf("small", 10<<10)); o.status != 200 {
			t.Errorf("a small request meanwhile: %v", o)
		}
	}
	if o := c.post("/v1/chat/completions", chatOf("held", size)); !o.overloaded() {
		t.Errorf("another large one: %v", o)
	}
	if held := c.metric("weir_memory_held_bytes"); held < float64(running*size) || held > c.metric("weir_memory_limit_bytes") {
		t.Errorf("%.0f bytes are held by %d requests", held, running)
	}
	if n := c.metric("weir_memory_refusals_total"); n != at-float64(running)+1 {
		t.Errorf("%.0f refusals are counted", n)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		resp, err := quiet.Get(c.url + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 200 {
			t.Errorf("%s: %d", path, resp.StatusCode)
		}
	}
	close(up.gate)
	for range running {
		if o := <-results; o.status != 200 {
			t.Errorf("one that ran: %v", o)
		}
	}
	if o := c.post("/v1/chat/completions", chatOf("large", size)); o.status != 200 {
		t.Errorf("a large one afterwards: %v", o)
	}
	up.CloseClientConnections()
	if o := c.post("/v1/chat/completions", chatOf("small", 10)); o.status != 200 {
		t.Errorf("a small one afterwards: %v", o)
	}
	c.returnsTo(before, patience)
	if peak := c.peak(); peak > most {
		t.Errorf("it took %d MiB of %d", peak>>20, limit>>20)
	}
}
