package app

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/shape"
)

// These tests run the public server, as the program sets it up, on connections in memory with a simulated clock:
// minutes of a slow client take no time. They are the only ones that need to see inside.

// pipes is a listener whose connections are made by dial.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// client is one connection and what the server has sent on it.
type client struct {
	net.Conn
	closed chan struct{} // the server has closed it

	mu  sync.Mutex // guards got
	got bytes.Buffer
}

// watchedConn reports when the server closes it.
type watchedConn struct {
	net.Conn
	once   sync.Once
	closed chan struct{}
}

func (c *watchedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// deaf connects and reads nothing.
func (p *pipes) deaf() *client {
	ours, theirs := net.Pipe()
	watched := &watchedConn{Conn: theirs, closed: make(chan struct{})}
	p.conns <- watched
	return &client{Conn: ours, closed: watched.closed}
}

// dial connects; what the server sends is read in the background.
func (p *pipes) dial() *client {
	ours, theirs := net.Pipe()
	c := &client{Conn: ours, closed: make(chan struct{})}
	go func() {
		defer close(c.closed)
		buf := make([]byte, 4096)
		for {
			n, err := ours.Read(buf)
			c.mu.Lock()
			c.got.Write(buf[:n])
			c.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	p.conns <- theirs
	return c
}

func (c *client) received() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.got.String()
}

// send writes text, as much of it as the server takes.
func (c *client) send(text string) { _, _ = io.WriteString(c.Conn, text) }

// drip writes text one byte at a time, until the server closes the connection.
func (c *client) drip(text string, every time.Duration) {
	for i := range text {
		select {
		case <-c.closed:
			return
		case <-time.After(every):
			c.send(text[i : i+1])
		}
	}
}

// closedAfter waits until the server has closed the connection, and returns how long that took.
func (c *client) closedAfter(t *testing.T, most time.Duration) time.Duration {
	t.Helper()
	began := time.Now()
	select {
	case <-c.closed:
	case <-time.After(most):
		t.Errorf("the connection is still open after %v; received %q", most, c.received())
	}
	return time.Since(began)
}

// get makes a whole request on a connection of its own and returns the status.
func (p *pipes) get(t *testing.T, request string) int {
	t.Helper()
	c := p.dial()
	defer c.Close()
	c.send(request)
	c.closedAfter(t, time.Minute)
	resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(c.received())), nil)
	if err != nil {
		t.Errorf("%v in %q", err, c.received())
		return 0
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

type oneKey struct{}

func (oneKey) Authenticate(key string) (*auth.Principal, *llm.Error) {
	if key != "good" {
		return nil, &llm.Error{Kind: llm.InvalidKey, Message: "wrong"}
	}
	return &auth.Principal{KeyID: "k"}, nil
}

type noMetrics struct{}

func (noMetrics) RequestBegan()              {}
func (noMetrics) RequestDone(*gateway.Event) {}

// manyModels make an answer too large for any buffer on its way.
func manyModels() []*route.Model {
	models := make([]*route.Model, 2000)
	for i := range models {
		models[i] = &route.Model{Name: fmt.Sprintf("model-%d", i), Targets: []route.Target{{Provider: "p", Model: "m"}}}
	}
	return models
}

// inMemory runs test in a bubble with the public server in it, which holds at most so many connections.
func inMemory(t *testing.T, connections int, test func(*testing.T, *pipes)) {
	t.Helper()
	served(t, connections, func() http.Handler {
		return shape.Handler(t, gateway.New(gateway.Options{
			Keys: oneKey{}, Log: slog.New(slog.DiscardHandler), Metrics: noMetrics{}, Via: "1.1 weir-test",
			Lists:    func(string) ([]provider.ModelInfo, bool) { return nil, false },
			Snapshot: &gateway.Snapshot{Table: route.NewTable(manyModels(), route.NewBoard(), nil), MaxBody: 4 << 20, MaxDepth: 64},
		}))
	}, test)
}

func served(t *testing.T, connections int, handler func() http.Handler, test func(*testing.T, *pipes)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := newServer(config.Listener{}, handler(), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		p := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
		s.listen(p, bounds{connections, memory.Unlimited})
		ended := make(chan error)
		go func() { ended <- s.serve() }()
		test(t, p)
		if err := s.http.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

const (
	listRequest = "GET /v1/models HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer good\r\nConnection: close\r\n\r\n"
	chatHeader  = "POST /v1/chat/completions HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer good\r\n"
)

// A client that does not finish what it began is cut off, whatever it leaves unfinished, in a bounded time.
func TestSlowClientsAreCutOff(t *testing.T) {
	t.Parallel()
	body := `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat("x", 500) + `"}]}`
	for _, tt := range []struct {
		name   string
		send   string
		drip   string // sent after it, one byte every 2 seconds
		within time.Duration
		status string // "" if no answer is owed
	}{
		{"nothing", "", "", 11 * time.Second, ""},
		{"half a request line", "POST /v1/cha", "", 11 * time.Second, ""},
		{"half a header", chatHeader + "X-A: b", "", 11 * time.Second, ""},
		{"a header without end", "GET / HTTP/1.1\r\n", strings.Repeat("A: b\r\n", 1000), 11 * time.Second, ""},
		{"a body that does not come", chatHeader + "Content-Length: 100\r\n\r\n", "", 31 * time.Second, "408"},
		{"a body that trickles", chatHeader + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)), body, 33 * time.Second, "408"},
		{"a chunked body that does not come", chatHeader + "Transfer-Encoding: chunked\r\n\r\n", "", 31 * time.Second, "408"},
		{"a chunk that trickles", chatHeader + "Transfer-Encoding: chunked\r\n\r\n1f4\r\n", body, 33 * time.Second, "408"},
		{"a compressed body that does not come", chatHeader + "Content-Encoding: gzip\r\nContent-Length: 100\r\n\r\n", "", 31 * time.Second, "408"},
		{"a zstd body that does not come", chatHeader + "Content-Encoding: zstd\r\nContent-Length: 100\r\n\r\n", "", 31 * time.Second, "408"},
		{"a wrong key and no body", "POST /v1/chat/completions HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer bad\r\nContent-Length: 100\r\n\r\n", "", 35 * time.Second, "401"},
		{"a wrong key and a body that trickles", "POST /v1/chat/completions HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer bad\r\nContent-Length: 586\r\n\r\n", body, 35 * time.Second, "401"},
		{"a wrong key and a chunked body that does not come", "POST /v1/embeddings HTTP/1.1\r\nHost: w\r\nTransfer-Encoding: chunked\r\n\r\n", "", 35 * time.Second, "401"},
		{"a form that does not come", chatHeader + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100\r\n\r\n", "", 35 * time.Second, "415"},
		{"a list with a body that does not come", "GET /v1/models HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer good\r\nContent-Length: 100\r\n\r\n", "", 35 * time.Second, "200"},
		{"a health check with a body that does not come", "GET /healthz HTTP/1.1\r\nHost: w\r\nContent-Length: 100\r\n\r\n", "", 35 * time.Second, "200"},
		{"an unknown path with a body that does not come", "POST /nothing HTTP/1.1\r\nHost: w\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "", 35 * time.Second, "404"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			inMemory(t, 100, func(t *testing.T, p *pipes) {
				c := p.dial()
				defer c.Close()
				dripped := make(chan struct{})
				go func() {
					defer close(dripped)
					c.send(tt.send)
					c.drip(tt.drip, 2*time.Second)
				}()
				if status := p.get(t, listRequest); status != 200 {
					t.Errorf("meanwhile a request of another client was answered %d", status)
				}
				c.closedAfter(t, tt.within)
				c.Close()
				<-dripped
				if got := c.received(); tt.status != "" && !strings.HasPrefix(got, "HTTP/1.1 "+tt.status+" ") {
					t.Errorf("want status %s, received %q", tt.status, got)
				}
				if strings.Count(c.received(), "HTTP/1.1 ") > 1 {
					t.Errorf("more than one answer: %q", c.received())
				}
			})
		})
	}
}

// A body that comes slowly, but not so slowly as to be an attack, is taken.
func TestSlowLinesAreServed(t *testing.T) {
	t.Parallel()
	inMemory(t, 10, func(t *testing.T, p *pipes) {
		c := p.dial()
		defer c.Close()
		body := `{"model":"m","messages":["` + strings.Repeat("x", 400<<10) + `"]}`
		c.send(chatHeader + fmt.Sprintf("Connection: close\r\nContent-Length: %d\r\n\r\n", len(body)))
		for len(body) > 0 { // 5 KiB a second, for 80 seconds
			n := min(len(body), 5<<10)
			c.send(body[:n])
			body = body[n:]
			time.Sleep(time.Second) // the bubble's clock
		}
		c.closedAfter(t, time.Minute)
		if !strings.HasPrefix(c.received(), "HTTP/1.1 404 ") { // model m does not exist
			t.Errorf("received %q", c.received())
		}
	})
}

// A client that does not read its answer is let go, and one that reads it slowly is not.
func TestClientsThatDoNotRead(t *testing.T) {
	t.Parallel()
	inMemory(t, 10, func(t *testing.T, p *pipes) {
		c := p.deaf()
		defer c.Close()
		c.send(listRequest)
		c.closedAfter(t, 40*time.Second)
	})
	inMemory(t, 10, func(t *testing.T, p *pipes) {
		c := p.deaf()
		defer c.Close()
		c.send(listRequest)
		buf, got := make([]byte, 8<<10), 0
		for {
			n, err := c.Read(buf)
			if got += n; err != nil {
				break
			}
			time.Sleep(time.Second) // the bubble's clock
		}
		if got < 100_000 {
			t.Errorf("a slow reader got %d bytes only", got)
		}
	})
}

// An answer may take its time: nothing but the model's own time limits ends a request whose client waits.
func TestLongAnswersArrive(t *testing.T) {
	t.Parallel()
	handler := func() http.Handler {
		return gateway.New(gateway.Options{
			Keys: slowKeys(9 * time.Minute), Log: slog.New(slog.DiscardHandler), Metrics: noMetrics{}, Via: "1.1 weir-test",
			Lists:    func(string) ([]provider.ModelInfo, bool) { return nil, false },
			Snapshot: &gateway.Snapshot{Table: route.NewTable(nil, route.NewBoard(), nil), MaxBody: 4 << 20, MaxDepth: 64},
		})
	}
	served(t, 10, handler, func(t *testing.T, p *pipes) {
		const body = `{"model":"m","messages":[{}]}`
		for request, status := range map[string]string{
			listRequest: "200",
			chatHeader + fmt.Sprintf("Connection: close\r\nContent-Length: %d\r\n\r\n%s", len(body), body): "404", // model m does not exist
		} {
			c := p.dial()
			c.send(request)
			took := c.closedAfter(t, 10*time.Minute)
			if took < 9*time.Minute || !strings.HasPrefix(c.received(), "HTTP/1.1 "+status+" ") {
				t.Errorf("after %v: %q", took, c.received())
			}
			c.Close()
		}
	})
}

// slowKeys knows every key, after so long.
type slowKeys time.Duration

func (s slowKeys) Authenticate(string) (*auth.Principal, *llm.Error) {
	time.Sleep(time.Duration(s)) // the bubble's clock
	return &auth.Principal{KeyID: "k"}, nil
}

// A client that stays connected and asks nothing more is let go.
func TestIdleConnectionsEnd(t *testing.T) {
	t.Parallel()
	inMemory(t, 10, func(t *testing.T, p *pipes) {
		c := p.dial()
		defer c.Close()
		c.send(strings.Replace(listRequest, "Connection: close\r\n", "", 1))
		if took := c.closedAfter(t, 10*time.Minute); took < time.Minute {
			t.Errorf("the connection was closed after %v", took)
		}
	})
}

// However many connections are opened and left half open, a client that sends a whole request is served.
func TestFloodOfHalfOpenConnections(t *testing.T) {
	t.Parallel()
	inMemory(t, 50, func(t *testing.T, p *pipes) {
		var flood sync.WaitGroup
		for i := range 300 {
			flood.Go(func() {
				c := p.dial()
				c.send([]string{"POST /v1/cha", "", chatHeader + "X: ", chatHeader}[i%4])
				<-c.closed
				c.Close()
			})
		}
		synctest.Wait()
		var normal sync.WaitGroup
		for range 50 {
			normal.Go(func() {
				if status := p.get(t, listRequest); status != 200 {
					t.Errorf("status %d", status)
				}
			})
		}
		normal.Wait()
		flood.Wait()
	})
}

// The admin listener has no limit of connections, so it must not keep those that never finish a request either.
func TestSlowAdminClientsAreCutOff(t *testing.T) {
	t.Parallel()
	handler := func() http.Handler {
		return admin.New(admin.Options{Token: secret.New("the-admin-token"), Log: slog.New(slog.DiscardHandler), Ready: func() bool { return true }, Metrics: http.NotFoundHandler()})
	}
	for _, request := range []string{
		"POST /admin/v1/keys HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer the-admin-token\r\nContent-Length: 9\r\n\r\n",
		"POST /admin/v1/keys HTTP/1.1\r\nHost: w\r\nContent-Length: 9\r\n\r\n",
		"GET /metrics HTTP/1.1\r\nHost: w\r\nTransfer-Encoding: chunked\r\n\r\n",
		"GET /nothing HTTP/1.1\r\nHost: w\r\nContent-Length: 9\r\n\r\n",
		"GET /healthz HTTP/1.1\r\nHost: w\r\nContent-Length: 9\r\n\r\n",
	} {
		served(t, 0, handler, func(t *testing.T, p *pipes) {
			c := p.dial()
			defer c.Close()
			c.send(request)
			c.closedAfter(t, 35*time.Second)
			if !strings.HasPrefix(c.received(), "HTTP/1.1 ") {
				t.Errorf("no answer to %q", request)
			}
		})
	}
}
