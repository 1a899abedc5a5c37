package h1

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// An origin that breaks off long after it got a request may have worked on it and charge for it, so the request is not
// sent again. One that breaks off at once had closed the connection before.
func TestNoRepeatOfWhatWasWorkedOn(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		after time.Duration
		opens int
	}{"at once": {0, 2}, "after a moment": {meetsWithin, 2}, "after a minute": {time.Minute, 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				opened := 0
				c := New(Options{IdleTimeout: time.Hour, MaxIdle: 1, MaxHead: 1 << 10, Refusal: time.Minute, Dial: func(context.Context) (net.Conn, error) {
					opened++
					client, origin := net.Pipe()
					go func(n int) {
						defer origin.Close()
						r := bufio.NewReader(origin)
						for calls := 1; ; calls++ {
							req, err := http.ReadRequest(r)
							if err != nil {
								return
							}
							_, _ = io.Copy(io.Discard, req.Body) // the client is there
							if n == 1 && calls == 2 {
								time.Sleep(tt.after)
								return
							}
							_, _ = io.WriteString(origin, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
						}
					}(opened)
					return client, nil
				}})
				defer c.Close()
				for call := 1; call <= 2; call++ {
					req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://origin.test/", strings.NewReader("body"))
					if err != nil {
						t.Fatal(err)
					}
					resp, err := c.RoundTrip(req)
					if err == nil {
						_ = resp.Body.Close()
					}
					if fails := call == 2 && tt.opens == 1; fails != (err != nil) {
						t.Errorf("call %d: %v", call, err)
					}
				}
				if opened != tt.opens {
					t.Errorf("%d connections, want %d", opened, tt.opens)
				}
			})
		})
	}
}
