package relay

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/route"
)

// streaming is an attempt at a stream that goes on until the pipe is closed: what it sends, what it is sent, and how it ends.
func streaming(t *testing.T) (r *run, w *httptest.ResponseRecorder, to *io.PipeWriter, over <-chan *failure) {
	t.Helper()
	w = httptest.NewRecorder()
	ctx, cancel := context.WithCancelCause(t.Context())
	r = &run{
		Request: &Request{Ingress: passthrough.Chat, Asked: new(passthrough.Request), Hide: true, Route: route.Route{Model: new(route.Model)}},
		ctx:     ctx, w: w, result: new(Result), calls: new(calls), sink: newSink(w, &passthrough.Chat.Framing, time.Hour),
	}
	r.race = &r.handlers
	r.race.begin(r)
	t.Cleanup(r.sink.close)
	a := &attempt{run: r, provider: nameless(t), refusals: own, target: new(route.Target), call: added(r.calls, Call{}), cancel: cancel, watch: newWatch(time.Hour, time.Hour, cancel, nil)}
	t.Cleanup(a.watch.stop)
	from, to := io.Pipe()
	ended := make(chan *failure)
	go func() {
		ended <- a.stream(ctx, &http.Response{Header: http.Header{}, Body: from}, &passing{pass: &pass{order: order{run: r}, asked: r.Asked.(dialect.Passing)}})
	}()
	return r, w, to, ended
}

// The content of one packet goes out at once, although the packet's last event is not for the caller: the upstream
// may be silent for long after it.
func TestStreamFlushesBeforeSilence(t *testing.T) {
	t.Parallel()
	const content = "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"A\"},\"finish_reason\":null}]}\n\n"
	for name, packet := range map[string]string{
		"content last":     content,
		"an empty object":  content + "data: {}\n\n",
		"a ping":           content + "event: ping\ndata: {\"type\":\"ping\"}\n\n",
		"no data":          content + "data:\n\n",
		"usage":            content + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1}}\n\n",
		"half of the next": content + "data: {\"choi",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r, w, to, over := streaming(t)
				if _, err := io.WriteString(to, packet); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				r.sink.see(func() {
					if !w.Flushed || w.Body.String() != content {
						t.Errorf("flushed %v, %q", w.Flushed, w.Body)
					}
				})
				if err := to.Close(); err != nil {
					t.Fatal(err)
				}
				if f := <-over; f == nil {
					t.Errorf("a stream without its end passed: %v", f)
				}
			})
		})
	}
}

// An event that ends a choice waits briefly for the next one, in case the choice goes on. What came before it does not wait,
// nor does the status, nor a large event.
func TestStreamHoldsTheEnd(t *testing.T) {
	t.Parallel()
	const (
		content = "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"A\"},\"finish_reason\":null}]}\n\n"
		more    = "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"B\"},\"finish_reason\":null}]}\n\n"
	)
	end := strings.Replace(content, "null", `"stop"`, 1)
	two := content + strings.Replace(content, `"index":0`, `"index":1`, 1)
	last := strings.Replace(more, "null", `"stop"`, 1)
	other := strings.Replace(last, `"index":0`, `"index":1`, 1)
	large := strings.Replace(end, "A", strings.Repeat("A", keptPiece), 1)
	for name, tt := range map[string]struct{ packet, atOnce, next, behind string }{
		"goes on":             {content + last, content, more, content + more + more},
		"goes on, too late":   {content + last, content, "", content + last},
		"nothing before it":   {end, "", more, content + more},
		"a ping behind it":    {end + "event: ping\ndata: {}\n\n", "", "", end},
		"nothing of it is in": {end + strings.Replace(more, `"B"`, `""`, 1), "", more, content + more},
		"large":               {large, large, more, large},
		"one of two":          {two + last, two + last, other, two + last + other},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r, w, to, over := streaming(t)
				see := func(want string) {
					t.Helper()
					synctest.Wait()
					r.sink.see(func() {
						if !w.Flushed || w.Body.String() != want {
							t.Errorf("flushed %v, %q", w.Flushed, w.Body)
						}
					})
				}
				_, _ = io.WriteString(to, tt.packet)
				see(tt.atOnce)
				if tt.next == "" {
					time.Sleep(holdFor)
					see(tt.behind)
					tt.next = more // the status is out for good
				}
				_, _ = io.WriteString(to, tt.next)
				see(tt.behind)
				_ = to.Close()
				if f := <-over; f != nil {
					t.Error(f)
				}
			})
		})
	}
}

// An attempt that was given up as late does not answer, even if its content comes at the same moment. Another target is
// already being asked, and the caller would have a beginning without an end.
func TestContentBehindALimit(t *testing.T) {
	t.Parallel()
	const content = "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"A\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	for name, limits := range map[string]struct{ firstToken, idle time.Duration }{
		"first_token": {time.Minute, time.Hour},
		"idle":        {time.Hour, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := httptest.NewRecorder()
				ctx, cancel := context.WithCancelCause(t.Context())
				r := &run{
					Request: &Request{Ingress: passthrough.Chat, Asked: new(passthrough.Request), Hide: true, Route: route.Route{Model: new(route.Model)}},
					ctx:     t.Context(), w: w, result: new(Result), calls: new(calls), sink: newSink(w, &passthrough.Chat.Framing, time.Hour),
				}
				r.race = &r.handlers
				r.race.begin(r)
				defer r.sink.close()
				a := &attempt{run: r, provider: nameless(t), refusals: own, target: new(route.Target), call: added(r.calls, Call{}), cancel: cancel, watch: newWatch(limits.firstToken, limits.idle, cancel, nil)}
				defer a.watch.stop()
				from, to := io.Pipe()
				over := make(chan *failure)
				go func() {
					over <- a.stream(ctx, &http.Response{Header: http.Header{}, Body: from}, &passing{pass: &pass{order: order{run: r}, asked: r.Asked.(dialect.Passing)}})
				}()
				if _, err := io.WriteString(to, ": here\n\n"); err != nil {
					t.Fatal(err)
				}
				<-ctx.Done()
				go func() {
					_, _ = io.WriteString(to, content) // it may not be wanted
					_ = to.Close()
				}()
				f := <-over
				if f == nil || f.outcome != route.TimedOut || !r.result.FirstContent.IsZero() || r.result.Status != 0 || w.Body.Len() > 0 {
					t.Errorf("it answered %q, %+v", w.Body, f)
				}
				_ = from.Close()
			})
		})
	}
}

// Clients that repeat a request after five minutes of silence get another target before that, unless the config sets the time.
func TestFirstTokenBeforeClientsRepeat(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		timeouts route.Timeouts
		patience time.Duration
		want     time.Duration
	}{
		{route.Timeouts{FirstToken: 10 * time.Minute, Usual: true}, 280 * time.Second, 280 * time.Second},
		{route.Timeouts{FirstToken: 10 * time.Minute, Usual: true}, 0, 10 * time.Minute},
		{route.Timeouts{FirstToken: 20 * time.Minute}, 280 * time.Second, 20 * time.Minute},
	} {
		r := &run{Request: &Request{Ingress: &dialect.Ingress{Patience: tt.patience}, Route: route.Route{Model: &route.Model{Timeouts: tt.timeouts}}}}
		if got := r.firstToken(); got != tt.want {
			t.Errorf("%+v, %v: %v", tt.timeouts, tt.patience, got)
		}
	}
}
