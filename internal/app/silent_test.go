package app_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// deadWire is a way to an upstream that can go dead: neither side hangs up, but nothing arrives any more.
type deadWire struct {
	addr   string
	opened atomic.Int32

	mu   sync.Mutex // guards what follows
	dead map[net.Conn]bool
}

func newWireTo(t *testing.T, to string) *deadWire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	n := &deadWire{addr: l.Addr().String(), dead: map[net.Conn]bool{}}
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				_ = near.Close()
				continue
			}
			n.opened.Add(1)
			n.mu.Lock()
			n.dead[near] = false
			n.mu.Unlock()
			go n.carry(near, far, near)
			go n.carry(far, near, near)
		}
	}()
	return n
}

// carry passes on what comes, for as long as the connection named is alive.
func (n *deadWire) carry(from, to, name net.Conn) {
	defer to.Close()
	buf := make([]byte, 16<<10)
	for {
		got, err := from.Read(buf)
		n.mu.Lock()
		dead := n.dead[name]
		n.mu.Unlock()
		if !dead && got > 0 {
			if _, err := to.Write(buf[:got]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// dies lets nothing more through on the connections that there are; new ones work.
func (n *deadWire) dies() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for conn := range n.dead {
		n.dead[conn] = true
	}
}

// A silently dead HTTP/2 connection is detected: calls on it go to the next target, and later ones to a new connection.
func TestLongSilentConnections(t *testing.T) {
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("it takes half a minute: set WEIR_LONG=1, as make long does")
	}
	t.Parallel()
	up, trust := apptest.NewUpstreamHTTP2(t, nil)
	good := apptest.NewUpstream(t, nil)
	host, _, _ := strings.Cut(strings.TrimPrefix(up.URL(), "https://"), "/")
	way := newWireTo(t, host)
	w := apptest.StartWith(t, fmt.Sprintf(`
providers:
  far: {kind: openai, base_url: "https://%s/v1", api_key: upstream-credential, ca_file: %q}
  good: {kind: openai, base_url: %q, api_key: upstream-credential}
models:
  alone: {targets: [far/m], timeouts: {hold: 1m}}
  both: {targets: [far/m, good/m], timeouts: {hold: 1m}}
`, way.addr, trust, good.URL()))
	key := w.NewKey(t, "silent")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 2 * patience}
	ask := func(body string) answer {
		return do(t, client, request(t, "POST", w.URL()+chats, body, "Authorization", "Bearer "+key))
	}
	if a := ask(chatBody("alone")); a.status != 200 || up.Served()[0].Proto != "HTTP/2.0" {
		t.Fatalf("%d %s", a.status, a.body)
	}
	way.dies()
	before := way.opened.Load()
	began := time.Now()
	var wg sync.WaitGroup
	for body, want := range map[string]string{chatBody("both"): "good", streamBody("both"): "good", chatBody("alone"): "", streamBody("alone"): ""} {
		wg.Go(func() {
			a := ask(body)
			if a.header.Get("Weir-Provider") != want || want == "" && (a.status != 502 || a.code() != "upstream_failed") || want != "" && a.status != 200 {
				t.Errorf("%s: %d by %q: %s", body, a.status, a.header.Get("Weir-Provider"), a.body)
			}
			t.Logf("answered %d after %v", a.status, time.Since(began).Round(time.Millisecond))
		})
	}
	wg.Wait()
	if a := ask(chatBody("alone")); a.status != 200 || a.header.Get("Weir-Provider") != "far" || way.opened.Load() == before {
		t.Errorf("afterwards: %d, %d connections: %s", a.status, way.opened.Load(), a.body)
	}
}
