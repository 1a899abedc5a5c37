package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// generous is an upstream whose answer depends on the model's name. "answer" sends megabytes, "event" an event of
// megabytes, "swarm" millions of choices, "error" a large refusal. For any other it sends little, after a moment.
func generous(t *testing.T) *httptest.Server {
	t.Helper()
	long, swarm := strings.Repeat("x", 1<<20), strings.Repeat(",{}", 1<<20)
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := make([]byte, 64)
		_, _ = io.ReadFull(r.Body, start) // what is short is not named so
		_, _ = io.Copy(io.Discard, r.Body)
		is := func(model string) bool { return bytes.Contains(start, []byte(`"`+model+`"`)) }
		many := func(n int) {
			for range n {
				_, _ = io.WriteString(w, long) // Weir hangs up when it has no room
			}
		}
		switch {
		case is("answer"):
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"`)
			many(12)
			_, _ = io.WriteString(w, `"},"finish_reason":"stop"}]}`)
		case is("event"):
			w.Header().Set("Content-Type", "text/event-stream")
			for range 3 {
				_, _ = io.WriteString(w, `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"`)
				many(6)
				_, _ = io.WriteString(w, `"},"finish_reason":null}]}`+"\n\n")
			}
			_, _ = io.WriteString(w, `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
		case is("swarm"):
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"choices":[{}`)
			for range 4 {
				_, _ = io.WriteString(w, swarm)
			}
			_, _ = io.WriteString(w, `]}`)
		case is("error"):
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"message":"`+long[:1000<<10]+`","type":"t","param":null,"code":null}}`)
		default:
			if is("large") {
				select {
				case <-time.After(200 * time.Millisecond): // so that many are open at once
				case <-r.Context().Done():
				}
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}`)
		}
	}))
	t.Cleanup(func() {
		up.CloseClientConnections()
		up.Close()
	})
	return up
}

// manyNames is a body of so many members.
func manyNames(n int) string {
	var b strings.Builder
	b.WriteString(`{"model":"large","messages":[{}]`)
	for i := range n {
		b.WriteString(`,"`)
		b.WriteString(strconv.FormatInt(int64(i), 36))
		b.WriteString(`":0`)
	}
	return b.String() + "}"
}

func zipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text) // a buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

// siege is what comes at the program at the same time, and how it is answered.
type siege struct {
	c      *child
	large  string // a body of 32 MiB
	zipped []byte
	names  []string

	answered, refused, small, smallRefused, lost atomic.Int64
}

// one makes one request of a random kind, small ones among them.
func (s *siege) one(ctx context.Context, random *rand.Rand) {
	var body io.Reader
	encoding := ""
	kind := random.IntN(13)
	switch kind {
	case 0, 1, 2:
		size := 1<<20 + random.IntN(31<<20)
		body = strings.NewReader(s.large[:size] + `"}]}`)
	case 3: // without a Content-Length
		body = io.MultiReader(strings.NewReader(s.large[:12<<20]), strings.NewReader(`"}]}`))
	case 4:
		body, encoding = bytes.NewReader(s.zipped), "gzip"
	case 5:
		body = strings.NewReader(s.names[random.IntN(len(s.names))])
	case 6:
		body = strings.NewReader(chatOf("answer", 10))
	case 7:
		body = strings.NewReader(streamOf("event"))
	case 8:
		body = strings.NewReader(chatOf("error", 10))
	case 9:
		body = strings.NewReader(chatOf("swarm", 10))
	default:
		body = strings.NewReader(chatOf("small", 1+random.IntN(30<<10)))
	}
	req, err := http.NewRequestWithContext(ctx, "POST", s.c.url+"/v1/chat/completions", body)
	if err != nil {
		s.c.t.Error(err)
		return
	}
	req.Header.Set("Authorization", "Bearer "+madeUp)
	if encoding != "" {
		req.Header.Set("Content-Encoding", encoding)
	}
	resp, err := quiet.Do(req)
	if err != nil {
		s.lost.Add(1)
		return
	}
	defer resp.Body.Close()
	answer := reply{status: resp.StatusCode, retryAfter: resp.Header.Get("Retry-After")}
	if resp.StatusCode == 503 {
		text, _ := io.ReadAll(resp.Body)
		answer.body = string(text)
	} else {
		_, _ = io.Copy(io.Discard, resp.Body)
	}
	small := kind > 9
	switch {
	case answer.status == 200 && small:
		s.small.Add(1)
	case answer.status == 200 || answer.status == 400 && kind == 8 || answer.status == 502 && kind == 9:
		s.answered.Add(1)
	case answer.overloaded() && small:
		s.smallRefused.Add(1)
	case answer.overloaded():
		s.refused.Add(1)
	default:
		s.c.t.Errorf("a request of kind %d: %v", kind, answer)
	}
}

// bomb sends a large header of very many names, and does not finish it.
func (s *siege) bomb(ctx context.Context, header string) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(s.c.url, "http://"))
	if err != nil {
		return // the time is up
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	_, _ = io.WriteString(conn, header)
	_, _ = conn.Read(make([]byte, 1)) // until it is closed
}

// run besieges the program for a while.
func (s *siege) run(span time.Duration) {
	s.large = `{"model":"large","messages":[{"role":"user","content":"` + strings.Repeat("x", 33<<20)
	s.zipped = zipped(s.large[:20<<20] + `"}]}`)
	s.names = []string{manyNames(20_000), manyNames(200_000), manyNames(1_000_000)}
	var header strings.Builder
	header.WriteString("GET /v1/models HTTP/1.1\r\nHost: w\r\n")
	for i := 0; header.Len() < 100<<10; i++ {
		fmt.Fprintf(&header, "%x:\r\n", i)
	}
	ctx, cancel := context.WithTimeout(s.c.t.Context(), span)
	defer cancel()
	seed := rand.Uint64()
	s.c.t.Logf("seed %d", seed)
	var wg sync.WaitGroup
	for worker := range uint64(32) {
		wg.Go(func() {
			for random := rand.New(rand.NewPCG(seed, worker)); ctx.Err() == nil; {
				s.one(s.c.t.Context(), random)
			}
		})
	}
	for range 100 {
		wg.Go(func() {
			for ctx.Err() == nil {
				s.bomb(ctx, header.String())
			}
		})
	}
	wg.Go(func() {
		for ctx.Err() == nil {
			resp, err := quiet.Get(s.c.url + "/healthz")
			if err != nil {
				s.c.t.Errorf("health: %v", err)
				return
			}
			resp.Body.Close()
		}
	})
	wg.Wait()
	s.c.t.Logf("large: %d answered, %d refused; small: %d answered, %d refused; %d broke off", s.answered.Load(), s.refused.Load(), s.small.Load(), s.smallRefused.Load(), s.lost.Load())
}

// check looks at how the siege went.
func (s *siege) check(before baseline, up *httptest.Server) {
	c := s.c
	c.t.Helper()
	if s.refused.Load() == 0 || s.answered.Load() == 0 {
		c.t.Error("there was no shortage, or nothing else")
	}
	if s.smallRefused.Load() > s.small.Load()/10 {
		c.t.Error("more than a tenth of the small requests was refused")
	}
	up.CloseClientConnections()
	if o := c.post("/v1/chat/completions", chatOf("large", 20<<20)); o.status != 200 {
		c.t.Errorf("a large one afterwards: %v", o)
	}
	c.returnsTo(before, time.Minute)
}

// besieged is a config that takes large answers.
func besieged(up *httptest.Server) string { return "limits: {answer: 64MiB}\n" + passAllTo(up.URL) }

// Under everything that fills a memory, at once, the program keeps to its limit and goes on.
func TestLongSiege(t *testing.T) {
	long(t)
	const limit = 256 << 20
	up := generous(t)
	c := startChild(t, besieged(up), "GOMEMLIMIT", "256MiB")
	if o := c.post("/v1/chat/completions", chatOf("small", 10)); o.status != 200 {
		t.Fatal(o)
	}
	before := c.baseline()
	s := &siege{c: c}
	s.run(40 * time.Second)
	s.check(before, up)
	program := c.status("RssFile") // pages of the program's own file, which the kernel may drop: they are not memory that it takes
	peak := c.peak() - program
	t.Logf("%d MiB at most, and %d of the program", peak>>20, program>>20)
	if peak > limit+limit/10 {
		t.Errorf("it took %d MiB of %d", peak>>20, limit>>20)
	}
}

// The same in a container of that size, which the program detects.
func TestLongSiegeInAControlGroup(t *testing.T) {
	long(t)
	const limit = 256 << 20
	group := controlGroup(t, limit)
	up := generous(t)
	c := startIn(t, group, besieged(up))
	if want := fmt.Sprintf(`"memory_limit":%d`, limit/10*9+limit%10*9/10); !strings.Contains(c.stderr.String(), want) {
		t.Errorf("it says %s, not %s", c.stderr, want)
	}
	if o := c.post("/v1/chat/completions", chatOf("small", 10)); o.status != 200 {
		t.Fatal(o)
	}
	before := c.baseline()
	s := &siege{c: c}
	s.run(40 * time.Second)
	s.check(before, up)
	t.Logf("%d MiB at most", c.peak()>>20)
}

// controlGroup makes a control group with a limit, below the test's own.
func controlGroup(t *testing.T, limit int64) string {
	t.Helper()
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Skipf("no control groups: %v", err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		mount, file := "/sys/fs/cgroup", "memory.max"
		switch {
		case len(fields) == 3 && fields[1] == "memory":
			mount, file = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		case len(fields) != 3 || fields[0] != "0":
			continue
		}
		group := filepath.Join(mount, fields[2], fmt.Sprintf("weir-test-%d", os.Getpid()))
		if err := os.Mkdir(group, 0o755); err != nil {
			continue
		}
		t.Cleanup(func() {
			waitFor(t, patience, func() string { return "the control group is empty" }, func() bool { return os.Remove(group) == nil })
		})
		if err := os.WriteFile(filepath.Join(group, file), []byte(strconv.FormatInt(limit, 10)), 0o644); err != nil {
			t.Logf("%s cannot be limited: %v", group, err)
			continue
		}
		return group
	}
	t.Skip("no control group with a limit can be made here")
	return ""
}
