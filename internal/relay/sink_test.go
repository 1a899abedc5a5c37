package relay

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/llm"
)

// see looks at the writer while the timer cannot use it.
func (s *sink) see(look func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	look()
}

// The times of a silent stream: status at the end of the hold, then a comment after every 15 seconds.
func TestSinkHoldAndKeepAlive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		s := newSink(w, &passthrough.Chat.Framing, 20*time.Second)
		defer s.close()

		time.Sleep(20*time.Second - time.Millisecond)
		synctest.Wait()
		s.see(func() {
			if w.Flushed {
				t.Fatal("the status went out before the end of the hold")
			}
		})
		time.Sleep(time.Millisecond)
		synctest.Wait()
		s.see(func() {
			if !w.Flushed || w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/event-stream" {
				t.Fatalf("at the end of the hold: flushed %v, status %d, %v", w.Flushed, w.Code, w.Header())
			}
			if w.Header().Get("Weir-Provider") != "" || w.Body.Len() != 0 {
				t.Fatalf("too much at the end of the hold: %v %q", w.Header(), w.Body)
			}
		})
		time.Sleep(31 * time.Second)
		synctest.Wait()
		s.see(func() {
			if got := w.Body.String(); got != ": keep-alive\n: keep-alive\n" {
				t.Fatalf("after 31 silent seconds: %q", got)
			}
		})
		s.add([]byte(`{"a":2}`), []jsonwalk.Edit{{Span: jsonwalk.Span{Start: 5, End: 6}, New: "1"}})
		if err := s.write(func(http.Header) { t.Error("headers after the status") }, true); err != nil {
			t.Fatal(err)
		}
		time.Sleep(15*time.Second - time.Millisecond)
		synctest.Wait()
		s.see(func() {
			if got := w.Body.String(); !strings.HasSuffix(got, "data: {\"a\":1}\n\n") {
				t.Fatalf("a comment came although the stream was not silent for long: %q", got)
			}
		})
		s.finish()
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := w.Body.String(); !strings.HasSuffix(got, "data: {\"a\":1}\n\ndata: [DONE]\n\n") {
			t.Fatalf("something came behind the end: %q", got)
		}
	})
}

func TestSinkContentEndsTheHold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		s := newSink(w, &passthrough.Chat.Framing, 20*time.Second)
		defer s.close()
		headers := func(h http.Header) { h.Set("Weir-Provider", "p") }
		s.add([]byte("1"), nil)
		s.add([]byte("2"), nil)
		if err := s.write(headers, true); err != nil {
			t.Fatal(err)
		}
		s.see(func() {
			if w.Header().Get("Weir-Provider") != "p" || w.Body.String() != "data: 1\n\ndata: 2\n\n" {
				t.Fatalf("%v %q", w.Header(), w.Body)
			}
		})
	})
}

// A hold that ends while the handler changes headers ends right after that.
func TestTheHoldEndsBehindAChangeOfHeaders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		s := newSink(w, &passthrough.Chat.Framing, time.Millisecond)
		defer s.close()
		s.head(func(http.Header) { time.Sleep(5 * time.Millisecond) })
		time.Sleep(5 * time.Millisecond)
		synctest.Wait()
		s.see(func() {
			if !w.Flushed {
				t.Error("the hold goes on")
			}
		})
	})
}

// brokenWriter panics.
type brokenWriter struct{ http.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (brokenWriter) WriteHeader(int) { panic(http.ErrAbortHandler) }

// A panic of the writer is one of the handler, not of the program.
func TestSinkPanics(t *testing.T) {
	t.Parallel()
	s := newSink(brokenWriter{httptest.NewRecorder()}, &passthrough.Chat.Framing, time.Hour)
	defer s.close()
	defer func() {
		if got := recover(); got != http.ErrAbortHandler { //nolint:errorlint // recover gives a value, not an error chain
			t.Errorf("%v", got)
		}
	}()
	s.add([]byte("1"), nil)
	_ = s.write(func(http.Header) {}, true)
}

func TestSinkFail(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		s := newSink(w, &passthrough.Chat.Framing, time.Second)
		failure := &llm.Error{Kind: llm.UpstreamFailed, Message: "it broke"}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !s.shut() {
			t.Fatal("the status was out")
		}
		s.fail(failure)
		want := `data: {"error":{"message":"it broke","type":"upstream_error","param":null,"code":"upstream_failed"}}` + "\n\n"
		if w.Body.String() != want {
			t.Fatalf("%q", w.Body)
		}
		s.close()

		early := newSink(httptest.NewRecorder(), &passthrough.Chat.Framing, time.Second)
		if early.shut() {
			t.Fatal("the status was not out")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if early.shut() {
			t.Fatal("the status went out later")
		}
		early.close()
	})
}

func TestWatch(t *testing.T) {
	t.Parallel()
	type step struct {
		after   time.Duration
		content bool // content is seen, else a byte
	}
	for _, tt := range []struct {
		name  string
		steps []step
		want  error
		at    time.Duration
	}{
		{"silence from the start", nil, errFirstToken, 10 * time.Minute},
		{"silence after the first byte", []step{{5 * time.Second, false}}, errIdle, 125 * time.Second},
		{"pings do not count as content", []step{
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute - time.Second, false},
		}, errFirstToken, 10 * time.Minute},
		{"pings keep a stream with content alive", []step{
			{time.Second, false},
			{0, true},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
			{time.Minute, false},
		}, errIdle, 10*time.Minute + time.Second + 2*time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				start := time.Now()
				w := newWatch(10*time.Minute, 2*time.Minute, cancel, nil)
				defer w.stop()
				for _, s := range tt.steps {
					time.Sleep(s.after)
					if s.content {
						w.sawContent()
						continue
					}
					w.sawByte()
				}
				<-ctx.Done()
				if cause := context.Cause(ctx); !errors.Is(cause, tt.want) || time.Since(start) != tt.at {
					t.Fatalf("%v after %v, want %v after %v", cause, time.Since(start), tt.want, tt.at)
				}
			})
		})
	}
}

// A caller who reads slowly is not the upstream's silence: that begins when he has read.
func TestWatchOfASlowCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		s := newSink(httptest.NewRecorder(), &passthrough.Chat.Framing, time.Hour)
		defer s.close()
		w := newWatch(time.Hour, 10*time.Second, cancel, s)
		defer w.stop()
		for range 2 {
			w.sawByte()
			w.sawContent()
			s.see(func() { time.Sleep(25 * time.Second) })
			if ctx.Err() != nil {
				t.Fatal("given up while the caller was sent what came")
			}
		}
		time.Sleep(20 * time.Second)
		if cause := context.Cause(ctx); !errors.Is(cause, errIdle) {
			t.Fatalf("the upstream was silent, and it ended with %v", cause)
		}
	})
}

func TestWatchStopped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		newWatch(time.Second, time.Second, cancel, nil).stop()
		time.Sleep(time.Hour)
		synctest.Wait()
		if ctx.Err() != nil {
			t.Fatal("a stopped watch cancelled")
		}
	})
}

// Silence is broken also in a stream that content began, long before the hold would have ended.
func TestKeepAliveAfterContent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		s := newSink(w, &passthrough.Chat.Framing, time.Hour)
		s.add([]byte("1"), nil)
		if err := s.write(func(http.Header) {}, true); err != nil {
			t.Fatal(err)
		}
		written := func() string {
			s.mu.Lock()
			defer s.mu.Unlock()
			return w.Body.String()
		}
		time.Sleep(keepAliveEvery - time.Second)
		synctest.Wait()
		before := len(written())
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := written()[before:]; got != string(sse.KeepAlive) {
			t.Errorf("after %v of silence %q is sent", keepAliveEvery, got)
		}
		s.close()
	})
}

// Streams of named events break silences with an event.
func TestSinkPings(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		s := newSink(w, &anthropic.Messages.Framing, 20*time.Second)
		defer s.close()
		time.Sleep(36 * time.Second)
		synctest.Wait()
		s.add([]byte(`{"type":"message_start"}`), nil)
		if err := s.write(func(http.Header) {}, true); err != nil {
			t.Fatal(err)
		}
		s.fail(&llm.Error{Kind: llm.UpstreamOverloaded, Message: "No."})
		const want = "event: ping\ndata: {\"type\":\"ping\"}\n\nevent: message_start\ndata: {\"type\":\"message_start\"}\n\n" +
			"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"No.\"},\"request_id\":null}\n\n"
		if got := w.Body.String(); got != want {
			t.Errorf("%q", got)
		}
	})
}
