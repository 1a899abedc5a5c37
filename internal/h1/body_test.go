package h1

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// tenacious is a body that is still being read a while after it could not be sent any more.
type tenacious struct {
	io.ReadCloser
	reading atomic.Bool
}

// WriteTo implements io.WriterTo.
func (b *tenacious) WriteTo(w io.Writer) (n int64, err error) {
	b.reading.Store(true)
	defer b.reading.Store(false)
	piece := make([]byte, gather)
	for n < asideFrom && err == nil {
		var m int
		m, err = w.Write(piece)
		n += int64(m)
	}
	time.Sleep(time.Second)
	return n, err
}

// When a call is over, its body is not read any more, however the call ended: the body's memory is used again.
func TestBodyIsLeftAlone(t *testing.T) {
	t.Parallel()
	early := "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
	read := func(resp *http.Response, _ func()) { _, _ = io.ReadAll(resp.Body) }
	for name, tt := range map[string]struct {
		answer string // as soon as the head of the request has come; the body is never read
		end    func(resp *http.Response, cancel func())
	}{
		"without an answer":      {"", nil},
		"no content":             {"HTTP/1.1 204 No Content\r\n\r\n", nil},
		"no HTTP":                {"SSH-2.0\r\n\r\n", nil},
		"read to its end":        {early, read},
		"read to its broken end": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", read},
		"closed unread":          {early, func(resp *http.Response, _ func()) { _ = resp.Body.Close() }},
		"given up, then closed":  {early, func(resp *http.Response, cancel func()) { cancel(); _ = resp.Body.Close() }},
		"given up while reading": {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", func(resp *http.Response, cancel func()) {
			time.AfterFunc(time.Second, cancel)
			_, _ = io.ReadAll(resp.Body)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ours, theirs := net.Pipe()
				over := make(chan struct{})
				go func() {
					defer theirs.Close()
					_, _ = http.ReadRequest(bufio.NewReaderSize(theirs, 16))
					say(theirs, tt.answer)
					<-over
				}()
				c := New(Options{
					Dial:        func(context.Context) (net.Conn, error) { return ours, nil },
					IdleTimeout: time.Minute, MaxIdle: 1, MaxHead: 1 << 10, Refusal: time.Minute,
				})
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				sent := new(tenacious)
				req := post(ctx, "")
				req.Body, req.ContentLength = sent, asideFrom
				resp, err := c.RoundTrip(req)
				if err == nil && tt.end != nil {
					tt.end(resp, cancel)
				}
				if sent.reading.Load() {
					t.Error("the body is being read")
				}
				close(over)
			})
		})
	}
}

// A body of many small chunks that are all there takes few reads. While more is waited for, the connection holds no borrowed buffer, and it
// is used again.
func TestChunksOfABurst(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	chunk := "c8\r\n" + strings.Repeat("a", 200) + "\r\n"
	const many = 500
	released := make(chan struct{})
	go func() {
		theirs, err := l.Accept()
		if err != nil {
			return
		}
		defer theirs.Close()
		r := bufio.NewReader(theirs)
		_, _ = http.ReadRequest(r)
		_, _ = io.WriteString(theirs, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+strings.Repeat(chunk, many))
		<-released
		_, _ = io.WriteString(theirs, chunk+"0\r\n\r\n")
		_, _ = http.ReadRequest(r)
		_, _ = io.WriteString(theirs, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK")
	}()
	var dialer net.Dialer
	client := New(Options{
		Dial:        func(ctx context.Context) (net.Conn, error) { return dialer.DialContext(ctx, "tcp", l.Addr().String()) },
		IdleTimeout: time.Minute, MaxIdle: 1, MaxHead: 1 << 10, Refusal: time.Minute,
	})
	ask := func() *http.Response {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://up.test/", nil)
		resp, err := client.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	resp := ask()
	c := resp.Body.(*body).conn
	piece, got, reads := make([]byte, 8<<10), 0, 0
	for got < many*200 {
		n, err := resp.Body.Read(piece)
		if err != nil {
			t.Fatal(err)
		}
		got += n
		reads++
	}
	if reads > many/5 {
		t.Errorf("%d reads for %d chunks", reads, many)
	}
	waits := func() (waits bool) {
		if c.fetch == nil {
			return true // not on this system
		}
		if err := c.peek.Control(func(socket uintptr) { waits = !c.fetch(socket) }); err != nil {
			t.Error(err)
		}
		return waits
	}
	if c.ahead != nil || len(c.rest) > 0 || !waits() || c.ahead != nil {
		t.Error("while it waits the connection holds a buffer")
	}
	close(released)
	rest, err := io.ReadAll(resp.Body)
	if err != nil || len(rest) != 200 || c.ahead != nil {
		t.Errorf("%d bytes come then, %v", len(rest), err)
	}
	next := ask()
	if text, err := io.ReadAll(next.Body); string(text) != "OK" || err != nil {
		t.Errorf("the next answer is %q, %v", text, err)
	}
}

// What an origin sends after the end of a body is not taken for the next answer: the connection is not used again.
func TestMoreThanTheBodyEndsTheConnection(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		theirs, err := l.Accept()
		if err != nil {
			return
		}
		defer theirs.Close()
		_, _ = http.ReadRequest(bufio.NewReader(theirs))
		_, _ = io.WriteString(theirs, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"+strings.Repeat("x", 3*readBuffer))
	}()
	var dialer net.Dialer
	client := New(Options{
		Dial:        func(ctx context.Context) (net.Conn, error) { return dialer.DialContext(ctx, "tcp", l.Addr().String()) },
		IdleTimeout: time.Minute, MaxIdle: 1, MaxHead: 1 << 10, Refusal: time.Minute,
	})
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://up.test/", nil)
	resp, err := client.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	c := resp.Body.(*body).conn
	if text, err := io.ReadAll(resp.Body); string(text) != "hello" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if c.ahead != nil || len(client.idle) > 0 {
		t.Error("the connection is kept")
	}
}
