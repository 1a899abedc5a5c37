package relay

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// counting is a client that hangs up when it has read so many pieces.
type counting struct {
	*httptest.ResponseRecorder
	pieces int
	leave  func()
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.ResponseRecorder.Write(b)
	if strings.Count(c.Body.String(), "1234") >= c.pieces {
		c.leave()
	}
	return n, err
}

// left is the call of a request whose caller hangs up when it has read so many pieces of the answer or, of 0, when the upstream has sent what
// comes before them. Of a whole answer the upstream has sent nothing then. With a cause, it is not the caller that ends the request.
func left(t *testing.T, kind, path string, pieces int, whole bool, cause error) (call Call, heard int, res *Result) {
	t.Helper()
	stream := sayings[kind]
	at := slices.IndexFunc(stream.events, func(event string) bool { return strings.Contains(event, "1234") })
	events := slices.Clone(stream.events[:at])
	for range pieces {
		events = append(events, stream.events[at])
	}
	for i := range events {
		events[i] = strings.ReplaceAll(events[i], "$", "7")
	}
	ctx, end := context.WithCancelCause(t.Context())
	leave := func() { end(cause) }
	defer leave()
	var gone sync.WaitGroup
	gone.Add(1)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer gone.Done()
		_, _ = io.Copy(io.Discard, r.Body)
		if !whole && len(events) > 0 {
			contentType, wire := wired(kind, events)
			w.Header().Set("Content-Type", contentType)
			_, _ = w.Write(wire)
			_ = http.NewResponseController(w).Flush()
		}
		if pieces == 0 {
			leave()
		}
		<-r.Context().Done() // it is cancelled, or this test does not end
	}))
	defer upstream.Close()
	body := streamPrompts[path]
	if whole {
		path, body = strings.Replace(path, "streamGenerate", "generate", 1), strings.Replace(body, `"stream":true,`, "", 1)
	}
	cfg := upstreamCfg("p", strings.TrimSuffix(kind, " responses"), upstream.URL+"/v1")
	if cfg.Kind != kind {
		cfg.Speaks = []config.API{config.APIResponses}
	}
	in := table.At(path)
	if in == nil {
		in, _ = table.Verb(path)
	}
	asked, refused := in.Parse([]byte(body), dialect.ParseOptions{MaxDepth: 64, Model: "m"})
	if refused != nil {
		t.Fatal(refused)
	}
	b := new(books)
	heard = asked.Scan().Heard
	res = Serve(ctx, &counting{httptest.NewRecorder(), max(pieces, 1), leave}, &Request{
		ID: "id", Ingress: in, Asked: asked, MaxAnswer: 10 << 20, Providers: map[string]*provider.Provider{"p": upstreamOf(t, cfg)}, Account: b,
		Route: route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1}, Targets: []route.Target{{Provider: "p", Model: "up"}}},
	})
	gone.Wait()
	if len(b.settled) != 1 {
		t.Fatalf("%d calls are recorded", len(b.settled))
	}
	return b.settled[0], heard, res
}

// A caller that leaves has what it read recorded, at least, and no more than its upstream had sent, in every dialect of callers and upstreams: before
// anything is said, after one piece of the answer, after several, and while a whole answer is written. The upstream is cancelled at once.
func TestCallersThatLeave(t *testing.T) {
	t.Parallel()
	for kind, stream := range sayings {
		for _, path := range stream.paths {
			for _, pieces := range []int{-1, 0, 1, 5} {
				t.Run(fmt.Sprintf("%s at %s, %d", path, kind, pieces), func(t *testing.T) {
					t.Parallel()
					c, heard, res := left(t, kind, path, max(pieces, 0), pieces < 0, nil)
					if res.Err == nil || res.Err.Kind != llm.Canceled || c.Outcome != route.Canceled.String() || c.Ends != Cancelled {
						t.Fatalf("%v: %s, %s", res.Err, c.Outcome, c.Ends)
					}
					input, told := tokensOf(int64(heard)), int64(0)
					if kind == "anthropic" && pieces >= 0 { // it reports these first
						input, told = 21, 1
					}
					// Without a piece, the beginning may not have been read when the caller left.
					if got := c.Usage.Input(); got != input && (pieces != 0 || got != tokensOf(int64(heard))) {
						t.Errorf("the prompt: %+v, want %d", c.Usage, input)
					}
					least := int64(max(pieces, 0))
					if got := c.Usage.Output(); got < least || got > least+told {
						t.Errorf("the answer: %+v, of %d pieces", c.Usage, pieces)
					}
					if !c.HasUsage || !c.Estimated {
						t.Errorf("reported %v, counted %v", c.HasUsage, c.Estimated)
					}
				})
			}
		}
	}
}

// The same holds of a stream that Weir ends: for a key that was revoked, or at the end of a drain. It is cut, not left, or met a limit of time.
func TestStreamsThatWeirCuts(t *testing.T) {
	t.Parallel()
	for kind, stream := range sayings {
		for cause, ends := range map[llm.Kind]Ends{llm.InvalidKey: Cut, llm.Overloaded: Cut, llm.Timeout: TimedOut} {
			t.Run(fmt.Sprintf("%s, %d", kind, cause), func(t *testing.T) {
				t.Parallel()
				c, _, res := left(t, kind, stream.paths[0], 3, false, &llm.Error{Kind: cause})
				if res.Err == nil || res.Err.Kind != cause || c.Ends != ends || !c.Estimated || c.Usage.Input() == 0 || c.Usage.Output() < 3 || c.Usage.Output() > 4 {
					t.Errorf("%v: %+v, counted %v, %s", res.Err, c.Usage, c.Estimated, c.Ends)
				}
			})
		}
	}
}
