package h1

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// piped is a client, in a bubble, whose connections lead to serve; the second result counts them.
func piped(t *testing.T, wrap func(net.Conn) net.Conn, serve func(c net.Conn, r *bufio.Reader)) (c *Client, opened *int) {
	t.Helper()
	opened = new(int)
	c = New(Options{IdleTimeout: time.Hour, MaxIdle: 1, MaxHead: 1 << 10, Refusal: 10 * time.Second, Dial: func(context.Context) (net.Conn, error) {
		*opened++
		client, origin := net.Pipe()
		go func() {
			defer origin.Close()
			serve(origin, bufio.NewReader(origin))
		}()
		return wrap(client), nil
	}})
	t.Cleanup(c.Close)
	return c, opened
}

func bare(c net.Conn) net.Conn { return c }

// A refusal whose body never ends does so in time, with what came until then; its connection ends with it.
func TestRefusalThatNeverEnds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ answer, want string }{
		"in chunks":        {"HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwords\r\n", "words"},
		"within a chunk":   {"HTTP/1.1 429 Slow\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nwords", "words"},
		"half":             {"HTTP/1.1 503 Busy\r\nContent-Length: 99\r\n\r\nwords", "words"},
		"without a length": {"HTTP/1.1 500 Oh\r\n\r\nwords", "words"},
		"without a word":   {"HTTP/1.1 401 No\r\nContent-Length: 5\r\n\r\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				gone := make(chan struct{}, 2)
				c, opened := piped(t, bare, func(o net.Conn, r *bufio.Reader) {
					take(r)
					say(o, tt.answer)
					_, _ = r.ReadByte()
					gone <- struct{}{}
				})
				for range 2 {
					began := time.Now()
					_, text, err := call(t, c, "x")
					if text != tt.want || err != nil || time.Since(began) != c.Refusal {
						t.Errorf("%q, %v after %v", text, err, time.Since(began))
					}
					<-gone
				}
				if *opened != 2 {
					t.Errorf("%d connections", *opened)
				}
			})
		})
	}
}

// A refusal's time limit does not apply to later calls on its connection, nor to other answers.
func TestTimeOfARefusal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		c, opened := piped(t, bare, func(o net.Conn, r *bufio.Reader) {
			for ; ; calls++ {
				if _, ok := take(r); !ok {
					return
				}
				head := "HTTP/1.1 200 OK"
				if calls == 0 {
					head = "HTTP/1.1 429 Slow"
				}
				say(o, head+"\r\nContent-Length: 5\r\n\r\nhe")
				if calls > 0 {
					time.Sleep(time.Hour)
				}
				say(o, "llo")
			}
		})
		for range 3 {
			if _, text, err := call(t, c, "x"); text != "hello" || err != nil {
				t.Errorf("call %d: %q, %v", calls, text, err)
			}
		}
		if *opened != 1 {
			t.Errorf("%d connections", *opened)
		}
	})
}

// abrupt is a connection that ends the context together with the first byte.
type abrupt struct {
	net.Conn
	cancel func()
	ended  chan struct{}
}

func (a *abrupt) Read(p []byte) (int, error) {
	n, err := a.Conn.Read(p)
	if a.cancel != nil {
		a.cancel()
		a.cancel = nil
		<-a.ended
	}
	return n, err
}

func (a *abrupt) SetDeadline(at time.Time) error {
	defer close(a.ended)
	return a.Conn.SetDeadline(at)
}

// A refusal's time does not undo the end of the context, whichever comes first.
func TestRefusalOfACallThatEnds(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]time.Duration{"with its head": 0, "in its body": time.Second} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				wrap := bare
				if at == 0 {
					wrap = func(c net.Conn) net.Conn {
						return &abrupt{c, func() { cancel(errEnough) }, make(chan struct{})}
					}
				} else {
					time.AfterFunc(at, func() { cancel(errEnough) })
				}
				c, _ := piped(t, wrap, func(o net.Conn, r *bufio.Reader) {
					take(r)
					say(o, "HTTP/1.1 400 Bad Request\r\nContent-Length: 99\r\n\r\nwords")
					_, _ = r.ReadByte()
				})
				began := time.Now()
				resp, err := c.RoundTrip(post(ctx, "x"))
				if err != nil {
					t.Fatal(err)
				}
				_, err = io.ReadAll(resp.Body)
				if !errors.Is(err, errEnough) || time.Since(began) != at {
					t.Errorf("%v after %v", err, time.Since(began))
				}
			})
		})
	}
}
