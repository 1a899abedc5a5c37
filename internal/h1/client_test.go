package h1

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

// origin is a server that a test writes by hand: serve is called for each connection, with its number from 1.
type origin struct {
	addr   string
	opened atomic.Int32
	wg     sync.WaitGroup
}

func listen(t *testing.T, serve func(n int, c net.Conn, r *bufio.Reader)) *origin {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := &origin{addr: l.Addr().String()}
	o.wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			n := int(o.opened.Add(1))
			o.wg.Go(func() {
				defer c.Close()
				serve(n, c, bufio.NewReader(c))
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		o.wg.Wait()
	})
	return o
}

// client returns a client of the origin that is closed before the origin is.
func (o *origin) client(t *testing.T) *Client {
	t.Helper()
	c := New(Options{
		Dial: func(ctx context.Context) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "tcp", o.addr)
		},
		IdleTimeout: time.Minute, MaxIdle: 8, MaxHead: 16 << 10, Refusal: time.Minute,
	})
	t.Cleanup(c.Close)
	return c
}

// take reads one request and returns its body; it reports false when the client is gone.
func take(r *bufio.Reader) (string, bool) {
	req, err := http.ReadRequest(r)
	if err != nil {
		return "", false
	}
	body, err := io.ReadAll(req.Body)
	return string(body), err == nil
}

func say(w io.Writer, text string) { _, _ = io.WriteString(w, text) }

const hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

// post is a request with a body.
func post(ctx context.Context, body string) *http.Request {
	get := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(body)), nil }
	reader, _ := get()
	return (&http.Request{
		Method: http.MethodPost, URL: &url.URL{Scheme: "http", Host: "origin", Path: "/v1/x", RawQuery: "a=b"},
		Header: http.Header{"Content-Type": {"application/json"}, "X-Two": {"1", "2"}, "Idempotency-Key": nil},
		Body:   reader, ContentLength: int64(len(body)), GetBody: get,
	}).WithContext(ctx)
}

// call makes a call and reads its answer.
func call(t *testing.T, c *Client, body string) (int, string, error) {
	t.Helper()
	resp, err := c.RoundTrip(post(t.Context(), body))
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

func TestRequestAsSent(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 10, gather - 100, gather, gather + 1, asideFrom - 1, asideFrom, 1 << 20} {
		body := strings.Repeat("b", size)
		got := make(chan *http.Request, 1)
		o := listen(t, func(_ int, c net.Conn, r *bufio.Reader) {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			sent, _ := io.ReadAll(req.Body)
			req.Body = io.NopCloser(bytes.NewReader(sent))
			got <- req
			say(c, hello)
		})
		status, text, err := call(t, o.client(t), body)
		if status != 200 || text != "hello" || err != nil {
			t.Fatalf("%d bytes: %d %q %v", size, status, text, err)
		}
		req := <-got
		sent, _ := io.ReadAll(req.Body)
		if string(sent) != body || req.ContentLength != int64(size) {
			t.Errorf("%d bytes were sent as %d, announced as %d", size, len(sent), req.ContentLength)
		}
		if req.Method != "POST" || req.RequestURI != "/v1/x?a=b" || req.Host != "origin" || fmt.Sprint(req.Header["X-Two"]) != "[1 2]" {
			t.Errorf("the head: %s %s %s %v", req.Method, req.RequestURI, req.Host, req.Header)
		}
		if _, there := req.Header["Idempotency-Key"]; there {
			t.Error("a header without values was sent")
		}
	}
}

// What an origin may answer, each on a connection of its own and followed by a second call.
func TestAnswers(t *testing.T) {
	t.Parallel()
	endless := strings.Repeat("X-More: 0123456789\r\n", 4000)
	for name, tt := range map[string]struct {
		answer string // bytes after the first answer; the connection stays open
		close  bool   // or not
		body   string
		err    string // error of the call, or of reading the body
		reused bool   // the second call comes on the same connection
	}{
		"with a length":          {answer: hello, body: "hello", reused: true},
		"chunked":                {answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", body: "hello", reused: true},
		"chunked with trailers":  {answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: A\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n", body: "hello", reused: true},
		"empty":                  {answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", reused: true},
		"without content":        {answer: "HTTP/1.1 204 No Content\r\n\r\n", reused: true},
		"to the end":             {answer: "HTTP/1.1 200 OK\r\n\r\nhello", close: true, body: "hello"},
		"of HTTP/1.0":            {answer: "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", body: "hello"},
		"that closes":            {answer: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello", body: "hello"},
		"behind interim answers": {answer: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + hello, body: "hello", reused: true},
		"with more behind it":    {answer: hello + "HTTP/1.1 200 OK\r\n\r\n", body: "hello"},
		"cut in its head":        {answer: "HTTP/1.1 200 OK\r\nContent-", close: true, err: "cannot be read"},
		"cut in its body":        {answer: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", close: true, body: "hello", err: "unexpected EOF"},
		"cut in a chunk":         {answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhello", close: true, body: "hello", err: "unexpected EOF"},
		"that is no HTTP":        {answer: "SSH-2.0-OpenSSH\r\n", err: "malformed HTTP"},
		"with two lengths":       {answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", err: "Content-Length"},
		"with an endless head":   {answer: "HTTP/1.1 200 OK\r\n" + endless, err: errHeadTooLarge.Error()},
		"with one endless line":  {answer: "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 40<<10), err: errHeadTooLarge.Error()},
		"with endless interim":   {answer: strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 2000), err: errHeadTooLarge.Error()},
		"that switches":          {answer: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", err: errSwitched.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := listen(t, func(n int, c net.Conn, r *bufio.Reader) {
				for i := 0; ; i++ {
					if _, ok := take(r); !ok {
						return
					}
					if n > 1 || i > 0 {
						say(c, hello)
						continue
					}
					say(c, tt.answer)
					if tt.close {
						return
					}
				}
			})
			c := o.client(t)
			_, text, err := call(t, c, "x")
			if text != tt.body || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("read %q, %v", text, err)
			}
			if status, text, err := call(t, c, "x"); status != 200 || text != "hello" || err != nil {
				t.Errorf("the call behind it: %d %q %v", status, text, err)
			}
			if n := o.opened.Load(); (n == 1) != tt.reused {
				t.Errorf("%d connections", n)
			}
		})
	}
}

// A connection that the origin closed while it was idle is noticed, or the call is sent once more; never twice more.
func TestClosedMeanwhile(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fresh string // what a connection answers to its first call, from the second connection on
		want  string
	}{
		"the next one answers": {fresh: hello, want: "hello"},
		"the next one is dead": {fresh: "", want: "closed the connection without an answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := listen(t, func(n int, c net.Conn, r *bufio.Reader) {
				take(r)
				if n > 1 {
					say(c, tt.fresh)
					return
				}
				say(c, hello)
				take(r) // and close without a word, so that only the call itself can show it
			})
			c := o.client(t)
			if _, text, err := call(t, c, "one"); text != "hello" || err != nil {
				t.Fatalf("%q %v", text, err)
			}
			_, text, err := call(t, c, "two")
			if got := text + fmt.Sprint(err); !strings.Contains(got, tt.want) {
				t.Errorf("%s", got)
			}
			if n := o.opened.Load(); n != 2 {
				t.Errorf("%d connections", n)
			}
		})
	}
}

// An origin's good-bye on an idle connection is heard before the connection is used.
func TestGoodBye(t *testing.T) {
	t.Parallel()
	for name, word := range map[string]string{"closed": "", "said something": "HTTP/1.1 408 Request Timeout\r\n\r\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gone := make(chan struct{})
			o := listen(t, func(n int, c net.Conn, r *bufio.Reader) {
				if take(r); n > 1 {
					say(c, hello)
					return
				}
				say(c, hello)
				say(c, word)
				if word == "" {
					_ = c.Close()
				}
				close(gone)
				_, _ = r.ReadByte() // until the client closes
			})
			c := o.client(t)
			if _, text, err := call(t, c, "one"); text != "hello" || err != nil {
				t.Fatalf("%q %v", text, err)
			}
			<-gone
			if _, text, err := call(t, c, "two"); text != "hello" || err != nil {
				t.Errorf("%q %v", text, err)
			}
		})
	}
}

// Once a byte of an answer came, the call is not repeated.
func TestNoRepeatAfterAnAnswerBegan(t *testing.T) {
	t.Parallel()
	o := listen(t, func(_ int, c net.Conn, r *bufio.Reader) {
		take(r)
		say(c, hello)
		take(r)
		say(c, "H")
	})
	c := o.client(t)
	if _, _, err := call(t, c, "one"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := call(t, c, "two"); err == nil || o.opened.Load() != 1 {
		t.Errorf("%v, %d connections", err, o.opened.Load())
	}
}

// An origin that refuses before it has read a large body is heard, whether it goes on reading or not.
func TestEarlyAnswer(t *testing.T) {
	t.Parallel()
	refusal := "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno"
	o := listen(t, func(n int, c net.Conn, r *bufio.Reader) {
		if _, err := http.ReadRequest(r); err != nil {
			return
		}
		say(c, refusal)
		if n == 2 {
			_, _ = io.Copy(io.Discard, r)
			return
		}
		_, _ = c.(*net.TCPConn).File() // keeps the socket open without reading
		<-t.Context().Done()
	})
	c := o.client(t)
	for range 2 {
		status, text, err := call(t, c, strings.Repeat("b", 32<<20))
		if status != 413 || text != "no" || err != nil {
			t.Errorf("%d %q %v", status, text, err)
		}
	}
	if n := o.opened.Load(); n != 2 {
		t.Errorf("%d connections: what was left of a body would be taken for a call", n)
	}
}

var errEnough = errors.New("enough")

// The end of the context ends the call in every phase, with the context's cause.
func TestCancelled(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer string
		body   string
	}{
		"before the head":   {},
		"in the head":       {answer: "HTTP/1.1 200 OK\r\n"},
		"in the body":       {answer: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"},
		"in a large upload": {body: strings.Repeat("b", 32<<20)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			gone := make(chan struct{})
			o := listen(t, func(_ int, c net.Conn, r *bufio.Reader) {
				defer close(gone)
				if _, err := http.ReadRequest(r); err != nil {
					return
				}
				if tt.body != "" {
					cancel(errEnough)
				} else {
					_, _ = r.ReadByte()
				}
				say(c, tt.answer)
				if !strings.Contains(tt.answer, "\r\n\r\n") {
					cancel(errEnough)
				}
				_, _ = io.Copy(io.Discard, r)
			})
			body := tt.body
			if body == "" {
				body = "x"
			}
			resp, err := o.client(t).RoundTrip(post(ctx, body))
			if err == nil {
				_, _ = io.ReadFull(resp.Body, make([]byte, 5))
				cancel(errEnough)
				_, err = resp.Body.Read(make([]byte, 1))
				_ = resp.Body.Close()
			}
			if !errors.Is(err, errEnough) {
				t.Error(err)
			}
			<-gone
		})
	}
}

// Close in the middle of an endless answer ends the connection at once.
func TestCloseEarly(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	o := listen(t, func(_ int, c net.Conn, r *bufio.Reader) {
		defer close(gone)
		take(r)
		say(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
		for {
			if _, err := io.WriteString(c, "5\r\nhello\r\n"); err != nil {
				return
			}
		}
	})
	resp, err := o.client(t).RoundTrip(post(t.Context(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Error(err)
	}
	if _, err := resp.Body.Read(make([]byte, 1)); !errors.Is(err, http.ErrBodyReadAfterClose) {
		t.Error(err)
	}
	<-gone
}

// A header that would make two of itself is not sent.
func TestHeaderInjection(t *testing.T) {
	t.Parallel()
	o := listen(t, func(_ int, c net.Conn, r *bufio.Reader) {
		if _, ok := take(r); ok {
			say(c, hello)
		}
	})
	for _, value := range []string{"a\r\nb: c", "a\nb", "a\rb", "a\x00b"} {
		req := post(t.Context(), "x")
		req.Header = http.Header{"X-Value": {value}}
		if resp, err := o.client(t).RoundTrip(req); err == nil {
			_ = resp.Body.Close()
			t.Errorf("%q was sent", value)
		}
	}
}

// Idle connections end after their time, and their number is bounded.
func TestIdle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var opened, closed atomic.Int32
		c := New(Options{
			Dial: func(context.Context) (net.Conn, error) {
				opened.Add(1)
				ours, theirs := net.Pipe()
				go func() {
					r := bufio.NewReader(theirs)
					for {
						if _, ok := take(r); !ok {
							closed.Add(1)
							return
						}
						say(theirs, hello)
					}
				}()
				return ours, nil
			},
			IdleTimeout: time.Minute, MaxIdle: 2, MaxHead: 1 << 10, Refusal: time.Minute,
		})
		together := func(n int) {
			var all []*http.Response
			for range n {
				resp, err := c.RoundTrip(post(t.Context(), "x"))
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, resp)
			}
			for _, resp := range all {
				_, _ = io.ReadAll(resp.Body)
				_ = resp.Body.Close()
			}
			synctest.Wait()
		}
		count := func(wantOpened, wantClosed int32) {
			t.Helper()
			if o, n := opened.Load(), closed.Load(); o != wantOpened || n != wantClosed {
				t.Errorf("%d opened and %d closed, want %d and %d", o, n, wantOpened, wantClosed)
			}
		}
		together(3)
		count(3, 1) // two are kept
		time.Sleep(40 * time.Second)
		together(1)
		count(3, 1)
		time.Sleep(50 * time.Second)
		synctest.Wait()
		count(3, 2) // the one that was not used again
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		count(3, 3)
		together(1)
		count(4, 3)
		c.Close()
		synctest.Wait()
		count(4, 4)
		together(1)
		count(5, 5) // nothing is kept any more
	})
}

// Many calls at once, some abandoned, leave no goroutine and no connection.
func TestManyAtOnce(t *testing.T) {
	current := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, current) }) // after the origin has ended
	o := listen(t, func(_ int, c net.Conn, r *bufio.Reader) {
		for {
			body, ok := take(r)
			if !ok {
				return
			}
			_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		}
	})
	c := o.client(t)
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 50 {
				body := strings.Repeat(string(rune('a'+g)), 1+i*i*40)
				ctx, cancel := context.WithCancel(t.Context())
				if i%7 == 3 {
					time.AfterFunc(time.Duration(i)*time.Microsecond, cancel)
				}
				resp, err := c.RoundTrip(post(ctx, body))
				if err == nil {
					var text []byte
					if text, err = io.ReadAll(resp.Body); err == nil && string(text) != body {
						t.Errorf("sent %d bytes of %q and got others", len(body), body[0])
					}
					_ = resp.Body.Close()
				}
				if err != nil && i%7 != 3 {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	c.Close()
}

// pieces notes what is written to a connection, as the slices that it is given.
type pieces struct {
	net.Conn
	written [][]byte
}

// Write implements io.Writer.
func (p *pieces) Write(b []byte) (int, error) {
	p.written = append(p.written, b)
	return len(b), nil
}

// inPieces is a body that hands its own memory out, as those of calls do.
type inPieces struct {
	io.ReadCloser
	all [][]byte
}

// WriteTo implements io.WriterTo.
func (b inPieces) WriteTo(w io.Writer) (n int64, err error) {
	for _, piece := range b.all {
		m, err := w.Write(piece)
		if n += int64(m); err != nil {
			return n, err
		}
	}
	return n, nil
}

// What is large goes to the connection as it is; what is small goes in one write with the head.
func TestLargePiecesAreNotCopied(t *testing.T) {
	t.Parallel()
	large, small := bytes.Repeat([]byte("l"), 100<<10), []byte(`"small"`)
	req := post(t.Context(), "")
	req.Body = inPieces{all: [][]byte{small, large, small, large, small}}
	req.ContentLength = int64(3*len(small) + 2*len(large))
	p := new(pieces)
	w := writer{w: p}
	if err := w.request(req); err != nil {
		t.Fatal(err)
	}
	var copied, same int
	for _, b := range p.written {
		if len(b) == len(large) && &b[0] == &large[0] {
			same++
			continue
		}
		copied += len(b)
	}
	if same != 2 || len(p.written) != 5 || copied > gather {
		t.Errorf("%d writes, %d of them of the large pieces themselves, %d bytes copied", len(p.written), same, copied)
	}
}

// inMemory is a body of pieces.
type inMemory struct {
	io.ReadCloser
	list [][]byte
}

// Pieces implements Pieces.
func (b inMemory) Pieces() [][]byte { return b.list }

// However a body in memory is cut into pieces, they are all sent in order. Its length is checked before the first byte is sent.
func TestBodiesInPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var list [][]byte
		for i, n := range rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 3, 500, gather - 100, gather, gather + 1, 20_000}), 0, 12).Draw(t, "lengths") {
			list = append(list, bytes.Repeat([]byte{byte('a' + i)}, n))
		}
		whole := bytes.Join(list, nil)
		lie := rapid.SampledFrom([]int64{0, 0, 1}).Draw(t, "lie")
		ours, theirs := net.Pipe()
		received := make(chan string)
		go func() {
			all, _ := io.ReadAll(theirs)
			received <- string(all)
		}()
		req, err := http.NewRequest(http.MethodPost, "http://up.test/v1", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Body, req.ContentLength = inMemory{http.NoBody, list}, int64(len(whole))+lie
		w := writer{w: ours}
		err = w.request(req)
		_ = ours.Close()
		got := <-received
		if lie > 0 {
			if err == nil || got != "" || w.broken {
				t.Fatalf("of a body that is too short %d bytes are sent, %v", len(got), err)
			}
			return
		}
		head, sent, _ := strings.Cut(got, "\r\n\r\n")
		if err != nil || sent != string(whole) || !strings.HasPrefix(head, "POST /v1 HTTP/1.1\r\nHost: up.test\r\n") || w.buf != nil || w.vec != nil {
			t.Fatalf("%v, %d bytes of %d behind %q", err, len(sent), len(whole), head)
		}
	})
}
