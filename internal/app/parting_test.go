package app

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// cutShort is an upstream whose streams end without finish reason and [DONE].
func cutShort(t *testing.T) string {
	t.Helper()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Connection", "close") // a connection that is kept would hold the clock of the bubble
		_, _ = io.WriteString(w, `data: {"id":"c","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}`+"\n\n")
	}))
	t.Cleanup(upstream.Close)
	return upstream.URL
}

// inFrontOf makes a gateway whose model m the upstream at url has.
func inFrontOf(t *testing.T, url string) func() http.Handler {
	return func() http.Handler {
		p, err := provider.New(config.Provider{Kind: "openai", BaseURL: url}, provider.Identity{})
		if err != nil {
			t.Error(err)
		}
		m := &route.Model{
			Name: "m", Targets: []route.Target{{Provider: "p", Model: "m"}}, MaxAttempts: 1,
			Timeouts: route.Timeouts{Connect: time.Minute, FirstToken: time.Minute, Idle: time.Minute, Total: time.Minute, Hold: time.Minute},
		}
		return gateway.New(gateway.Options{
			Keys: oneKey{}, Log: slog.New(slog.DiscardHandler), Metrics: noMetrics{}, Via: "1.1 weir-test",
			Lists: func(string) ([]provider.ModelInfo, bool) { return nil, false },
			Snapshot: &gateway.Snapshot{
				Table: route.NewTable([]*route.Model{m}, route.NewBoard(), nil), Providers: map[string]*provider.Provider{"p": p}, MaxBody: 1 << 20, MaxDepth: 64,
			},
		})
	}
}

// A client that does not read its stream is let go after half a minute, and with it the upstream's call.
func TestStreamsThatNobodyReads(t *testing.T) {
	t.Parallel()
	left := make(chan struct{})
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		defer close(left)
		w.Header().Set("Content-Type", "text/event-stream")
		event := `data: {"id":"c","choices":[{"index":0,"delta":{"content":"` + strings.Repeat("x", 4000) + `"},"finish_reason":null}]}` + "\n\n"
		for {
			if _, err := io.WriteString(w, event); err != nil {
				return
			}
		}
	}))
	defer upstream.Close()
	const body = `{"model":"m","messages":[{"role":"user","content":"x"}],"stream":true}`
	served(t, 10, inFrontOf(t, upstream.URL), func(t *testing.T, p *pipes) {
		c := p.deaf()
		defer c.Close()
		c.send(chatHeader + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)) + body)
		if took := c.closedAfter(t, time.Minute); took < 29*time.Second || took > 32*time.Second { // by the bubble's clock
			t.Errorf("it was let go after %v", took)
		}
		<-left
	})
}

// After an error inside a stream, whose header could not announce the close, a client that calls again is
// answered, with the close announced. Otherwise the connection closes soon.
func TestCallsAfterAnErrorInAStream(t *testing.T) {
	t.Parallel()
	const body = `{"model":"m","messages":[{"role":"user","content":"x"}],"stream":true}`
	call := chatHeader + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)) + body
	next := strings.Replace(listRequest, "Connection: close\r\n", "", 1)
	handler := inFrontOf(t, cutShort(t))
	const forever = -1
	for _, pause := range []time.Duration{0, 9 * time.Second, forever} {
		served(t, 10, handler, func(t *testing.T, p *pipes) {
			c := p.dial()
			defer c.Close()
			c.send(call)
			synctest.Wait()
			first := c.received()
			if !strings.Contains(first, `data: {"error":{`) || !strings.HasSuffix(first, "\r\n0\r\n\r\n") || strings.Contains(first, "Connection: close") {
				t.Fatalf("received %q", first)
			}
			if pause == forever {
				c.closedAfter(t, 11*time.Second)
				return
			}
			time.Sleep(pause) // by the bubble's clock
			c.send(next)
			c.closedAfter(t, time.Millisecond) // by the bubble's clock
			if second := strings.TrimPrefix(c.received(), first); !strings.HasPrefix(second, "HTTP/1.1 200 ") || !strings.Contains(second, "Connection: close") {
				t.Errorf("received %q", second)
			}
		})
	}
}
