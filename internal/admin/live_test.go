package admin

import (
	"bufio"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/live"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
)

// watched is an admin API with a hub, and a request to watch it.
func watched(ctx context.Context, query string) (*Handler, *http.Request) {
	h := New(Options{Token: secret.New(rightToken), Log: slog.New(slog.DiscardHandler), Live: new(live.Hub[*LiveEvent])})
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/admin/v1/live"+query, nil)
	r.Host = "localhost"
	r.Header.Set("Authorization", "Bearer "+rightToken)
	return h, r
}

func begun(key string) *LiveEvent { return &LiveEvent{Running: Running{Key: key, Tags: []string{}}} }

// A silence is broken each 15 seconds, events come in order, and what was dropped is said.
func TestWatching(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, leave := context.WithCancel(t.Context())
		h, r := watched(ctx, "")
		w := httptest.NewRecorder()
		done := make(chan struct{})
		go func() { defer close(done); h.ServeHTTP(w, r) }()
		synctest.Wait()
		time.Sleep(2*pingEvery + time.Second)
		for range 256 + 12 { // the reader does not run before all have come
			h.Live.Publish(begun("k"))
		}
		synctest.Wait()
		leave()
		<-done
		text := w.Body.String()
		pings, starts := strings.Count(text, ": ping\n\n"), strings.Count(text, "event: start\ndata: {\"request\":")
		if pings != 2 || !strings.HasPrefix(text, ": watching\n\n") || starts < 256 || h.Live.Watched() || w.Header().Get("Content-Type") != "text/event-stream" {
			t.Errorf("%d pings, %d starts, %v", pings, starts, w.Header())
		}
		if got := string(h.events([]*LiveEvent{begun("k")}, 12)); !strings.HasPrefix(got, "event: dropped\ndata: {\"dropped\":12}\n\nevent: start\n") {
			t.Errorf("%q", got)
		}
	})
}

// one is a listener with one connection.
type one struct {
	conns chan net.Conn
}

func (l one) Accept() (net.Conn, error) {
	c, ok := <-l.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (l one) Close() error   { return nil }
func (l one) Addr() net.Addr { return &net.TCPAddr{} }

// A watcher that does not read loses its connection, also one that is silent for longer than a body may take keeps it.
func TestAWatcherThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, _ := watched(t.Context(), "")
		l := one{make(chan net.Conn, 1)}
		server := &http.Server{Handler: h}
		go func() { _ = server.Serve(l) }()
		client, conn := net.Pipe()
		l.conns <- conn
		if _, err := client.Write([]byte("GET /admin/v1/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + rightToken + "\r\n\r\n")); err != nil {
			t.Fatal(err)
		}
		reader := bufio.NewReader(client)
		for line := ""; line != ": watching\n"; {
			var err error
			if line, err = reader.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		reading := make(chan struct{})
		go func() {
			defer close(reading)
			for range 20 { // four lines each: a chunk's length, the ping, an empty line, the end of the chunk
				_, _ = reader.ReadString('\n')
			}
		}()
		<-reading // 4 pings take a minute
		h.Live.Publish(begun("k"))
		synctest.Wait()
		if !h.Live.Watched() {
			t.Error("it has left before its time")
		}
		time.Sleep(liveReader + time.Second)
		synctest.Wait()
		if h.Live.Watched() {
			t.Error("it hangs on")
		}
		close(l.conns)
		_ = server.Close()
		_ = client.Close()
	})
}

// Filters mean what they mean in the list of requests.
func TestWatchersHaveFilters(t *testing.T) {
	t.Parallel()
	team := "t1"
	start := begun("k1")
	start.Team, start.Model, start.Tags = &team, "m", []string{"a=b"}
	refused, left, served := *start, *start, *start
	refused.AgeMicros = 2_000_000
	refused.Ended = &LiveEnded{Status: 429, Error: &llm.Error{Kind: llm.RequestLimit}}
	left.Ended = &LiveEnded{Status: 499, Error: &llm.Error{Kind: llm.Canceled}}
	served.Ended = &LiveEnded{Status: 200, Calls: &ledger.Request{Calls: []ledger.Row{{
		Intent:     ledger.Intent{Key: "k1", Team: "t1", Model: "m", Provider: "p", Upstream: "u", Tags: []ledger.Tag{{Name: "a", Value: "b"}}},
		Settlement: ledger.Settlement{Outcome: "ok", Took: 3 * time.Second, Cost: 50},
	}}}}
	events := []*LiveEvent{start, &refused, &left, &served}
	for query, want := range map[string]string{
		"": "srlS", "key=config:x": "", "model=m": "srlS", "model=n": "", "provider=p": "S", "provider=q": "", "target=p/u": "S", "target=p/v": "",
		"outcome=ok": "S", "outcome=failed": "", "status=ok": "S", "status=failed": "r", "status=canceled": "l", "tag=a=b": "srlS", "tag=a=c": "",
		"flag=cut": "", "min_took=1s": "rS", "min_took=3s": "S", "min_took=4s": "", "min_cost_nanodollars=50": "S", "min_cost_nanodollars=51": "",
	} {
		_, r := watched(t.Context(), "?"+query)
		q, err := ledger.AskRequests(r.URL.Query(), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i, e := range events {
			if filterOf(q, r.URL.Query()).admits(e) {
				got += "srlS"[i : i+1]
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	q := ledger.RequestsQuery{Team: "t2"}
	if filterOf(&q, nil).admits(start) || filterOf(&q, nil).admits(begun("k1")) {
		t.Error("another team's")
	}
}
