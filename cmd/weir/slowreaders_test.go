package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// fountain is an upstream whose streams never end, and run as fast as they are read. To other calls it answers at once.
type fountain struct {
	*httptest.Server
	running atomic.Int64
	sent    atomic.Int64 // bytes of all streams
}

func newFountain(t *testing.T) *fountain {
	t.Helper()
	l, err := (&net.ListenConfig{Control: narrow}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	event := []byte(fmt.Sprintf("data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"finish_reason\":null}]}\n\n", strings.Repeat("x", 800)))
	f := new(fountain)
	f.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), `"stream":true`) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}`)
			return
		}
		f.running.Add(1)
		defer f.running.Add(-1)
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			n, err := w.Write(event)
			f.sent.Add(int64(n))
			if err != nil {
				return
			}
		}
	}))
	_ = f.Listener.Close() // the one that it came with
	f.Listener = l
	f.Start()
	t.Cleanup(func() {
		f.CloseClientConnections()
		f.Close()
	})
	return f
}

// slowReaders are clients that have asked for a stream and read a byte a second of it.
type slowReaders struct {
	conns []net.Conn
	wg    sync.WaitGroup
	stop  context.CancelFunc
	cut   atomic.Int64 // how many streams Weir has ended
}

func (c *child) slowReaders(n int) *slowReaders {
	c.t.Helper()
	s := new(slowReaders)
	dialer := net.Dialer{Control: narrow}
	request := "POST /v1/chat/completions HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer " + madeUp + fmt.Sprintf("\r\nContent-Length: %d\r\n\r\n%s", len(streamOf("m")), streamOf("m"))
	for range n {
		conn, err := dialer.DialContext(c.t.Context(), "tcp", strings.TrimPrefix(c.url, "http://"))
		if err != nil {
			c.t.Fatal(err)
		}
		s.conns = append(s.conns, conn)
		if _, err := io.WriteString(conn, request); err != nil {
			c.t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.wg.Go(func() { s.read(ctx) })
	c.t.Cleanup(s.leave)
	return s
}

// read reads one byte from each connection, every second.
func (s *slowReaders) read(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	open := append([]net.Conn(nil), s.conns...)
	for one := make([]byte, 1); ; {
		left := open[:0]
		for _, conn := range open {
			_ = conn.SetReadDeadline(time.Now().Add(time.Millisecond))
			_, err := conn.Read(one)
			if timeout, ok := err.(net.Error); err == nil || ok && timeout.Timeout() {
				left = append(left, conn)
				continue
			}
			s.cut.Add(1)
		}
		open = left
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// leave hangs up.
func (s *slowReaders) leave() {
	s.stop()
	s.wg.Wait()
	for _, conn := range s.conns {
		_ = conn.Close() // twice is no harm
	}
}

// stalled waits until nothing flows any more, although n streams run.
func (f *fountain) stalled(t *testing.T, n int) {
	t.Helper()
	waitFor(t, 2*time.Minute, func() string {
		return fmt.Sprintf("%d streams run, %d bytes were sent", f.running.Load(), f.sent.Load())
	}, func() bool { return f.running.Load() == int64(n) })
	last, still := int64(-1), 0
	waitFor(t, 2*time.Minute, func() string { return "the streams stand still" }, func() bool {
		now := f.sent.Load()
		if still++; now != last {
			last, still = now, 0
		}
		return still == 50 // looks, a fiftieth of a second apart
	})
}

// servesSlowReaders has n clients read a byte a second, and looks at what they cost.
func servesSlowReaders(t *testing.T, n int) (c *child, up *fountain, s *slowReaders, before baseline) {
	t.Helper()
	up = newFountain(t)
	c = startChild(t, passAllTo(up.URL))
	healthy := func() {
		t.Helper()
		for range 20 {
			if o := c.post("/v1/chat/completions", hello); o.status != 200 {
				t.Errorf("a healthy client: %v", o)
			}
		}
	}
	healthy()
	before = c.baseline()
	base := c.resident()
	s = c.slowReaders(n)
	up.stalled(t, n)
	healthy()
	if each := up.sent.Load() / int64(n); each > 1<<20 {
		t.Errorf("the upstream could send %d bytes of each stream", each)
	}
	peak, cost := c.peak(), (c.peak()-base)/int64(n)
	t.Logf("%d slow readers: %d KiB each, %d MiB in all; the upstream sent %d KiB to each", n, cost>>10, peak>>20, up.sent.Load()/int64(n)>>10)
	if cost > 128<<10 {
		t.Errorf("a slow reader costs %d KiB", cost>>10)
	}
	return c, up, s, before
}

// Clients that hardly read hold their upstreams back, cost little, and do not disturb others.
func TestSlowReadersCostLittle(t *testing.T) {
	t.Parallel()
	c, up, s, before := servesSlowReaders(t, 200)
	s.leave()
	waitFor(t, patience, func() string { return "the upstream's calls end" }, func() bool { return up.running.Load() == 0 })
	c.returnsTo(before, patience)
}

// Five thousand of them are cut off when they have taken nothing for half a minute.
func TestLongSlowReaders(t *testing.T) {
	long(t)
	const n = 5000
	if files := openFiles(); files != 0 && files < 3*n {
		t.Skipf("it takes %d file descriptors, and a process may have %d", 3*n, files)
	}
	c, up, s, before := servesSlowReaders(t, n)
	waitFor(t, 5*time.Minute, func() string {
		return fmt.Sprintf("%d streams still run, %d were cut", up.running.Load(), s.cut.Load())
	},
		func() bool { return up.running.Load() == 0 })
	if o := c.post("/v1/chat/completions", hello); o.status != 200 {
		t.Errorf("a healthy client afterwards: %v", o)
	}
	s.leave()
	c.returnsTo(before, patience)
	t.Logf("%d MiB at most, %d MiB in the end", c.peak()>>20, c.resident()>>20)
}
