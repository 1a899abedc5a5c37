package gateway

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// crowded is a gateway whose account others use all but free bytes of.
func crowded(t *testing.T, free int64) (*Gateway, *memory.Account) {
	t.Helper()
	g := newGateway(io.Discard, func(string) (*auth.Principal, *llm.Error) { return &auth.Principal{KeyID: "k"}, nil },
		func(string) ([]provider.ModelInfo, bool) { return nil, false })
	account := memory.NewAccount(64 << 20)
	for account.Held() < 64<<20-free {
		one := account.Of()
		one.Grow(1 << 20)
	}
	g.memory = account
	g.snapshot.Store(&Snapshot{Table: route.NewTable(nil, route.NewBoard(), nil), MaxBody: 32 << 20, MaxDepth: 64})
	return g, account
}

// untouched is a body that must not be read.
type untouched struct{ t *testing.T }

func (u untouched) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

func chat(body io.Reader, length int64, encoding string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", body)
	r.ContentLength = length
	r.Header.Set("Authorization", "Bearer k")
	if encoding != "" {
		r.Header.Set("Content-Encoding", encoding)
	}
	return r
}

func packed(t *testing.T, text, encoding string) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if encoding == "zstd" {
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

// What does not fit is refused in the caller's own terms, and whatever happens the memory is as before.
func TestAdmission(t *testing.T) {
	t.Parallel()
	body := func(size int) string {
		return `{"model":"none","messages":["` + strings.Repeat("x", size) + `"]}`
	}
	const refused, passed = 503, 404 // there is no such model
	list := httptest.NewRequest(http.MethodGet, "/v1/models", nil)
	list.Header.Set("Authorization", "Bearer k")
	for _, tt := range []struct {
		name string
		free int64
		r    *http.Request
		want int
	}{
		{"a tiny body", 4 << 20, chat(strings.NewReader(body(10)), int64(len(body(10))), ""), passed},
		{"a tiny body, nearly nothing left", 1 << 20, chat(untouched{t}, int64(len(body(10))), ""), refused},
		{"a body of 512 KiB", 8 << 20, chat(strings.NewReader(body(512<<10)), int64(len(body(512<<10))), ""), passed},
		{"the same, less left", 4 << 20, chat(untouched{t}, 512<<10, ""), refused},
		{"a body of 4 MiB", 20 << 20, chat(strings.NewReader(body(4<<20)), int64(len(body(4<<20))), ""), passed},
		{"the same, less left", 10 << 20, chat(untouched{t}, 4<<20, ""), refused},
		{"a body of unknown length", 20 << 20, chat(strings.NewReader(body(4<<20)), -1, ""), passed},
		{"the same, less left", 10 << 20, chat(strings.NewReader(body(4<<20)), -1, ""), refused},
		{"a body in gzip", 20 << 20, chat(packed(t, body(4<<20), "gzip"), -1, "gzip"), passed},
		{"the same, less left", 10 << 20, chat(packed(t, body(4<<20), "gzip"), -1, "gzip"), refused},
		{"a tiny body in zstd", 30 << 20, chat(packed(t, body(10), "zstd"), -1, "zstd"), passed},
		{"the same, no room for its window", 10 << 20, chat(packed(t, body(10), "zstd"), -1, "zstd"), refused},
		{"health", 0, httptest.NewRequest(http.MethodGet, "/healthz", nil), 200},
		{"the list of models", 0, list, 200},
	} {
		t.Run(fmt.Sprintf("%s/%d", tt.name, tt.free>>20), func(t *testing.T) {
			t.Parallel()
			g, account := crowded(t, tt.free)
			before := account.Held()
			w := httptest.NewRecorder()
			g.ServeHTTP(w, tt.r)
			if w.Code != tt.want || account.Held() != before {
				t.Errorf("%d, want %d; %d bytes are left: %s", w.Code, tt.want, account.Held()-before, w.Body)
			}
			if tt.want != refused {
				return
			}
			var answer struct{ Error struct{ Type, Code string } }
			if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Error.Code != "overloaded" || answer.Error.Type != "server_error" {
				t.Errorf("%s", w.Body)
			}
			if w.Header().Get("Retry-After") != "1" {
				t.Errorf("retry-after %q", w.Header().Get("Retry-After"))
			}
		})
	}
}

// Who would find no place, and is not worth waiting for one, is refused before the body is read; who may be is heard first.
func TestRefusedBeforeTheBody(t *testing.T) {
	t.Parallel()
	g, _ := crowded(t, 64<<20)
	snap := *g.snapshot.Load()
	snap.MaxRequests = 1
	g.Apply(&snap)
	ask := func(r *http.Request) (int, string) {
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		return w.Code, w.Header().Get("Retry-After")
	}
	body := `{"model":"none","messages":[1]}`
	if status, _ := ask(chat(strings.NewReader(body), int64(len(body)), "")); status != 404 {
		t.Errorf("there is a place: %d", status)
	}
	g.places.Enter(1, 9)
	if status, after := ask(chat(untouched{t}, 100, "")); status != 503 || after != "1" {
		t.Errorf("there is none: %d, retry-after %q", status, after)
	}
	snap.Wait = time.Second
	g.Apply(&snap)
	if status, _ := ask(chat(strings.NewReader(body), int64(len(body)), "")); status != 404 {
		t.Errorf("it would be first in line: %d", status)
	}
}

// A header that takes much memory is counted before anybody is asked whose it is.
func TestLargeHeadersAreCounted(t *testing.T) {
	t.Parallel()
	for _, proto := range []int{1, 2} {
		g, account := crowded(t, 6<<20)
		before := account.Held()
		r := httptest.NewRequest(http.MethodGet, "/healthz", nil)
		r.ProtoMajor = proto
		for i := range 20_000 {
			r.Header[fmt.Sprintf("X-%d", i)] = []string{""}
		}
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if want := map[int]int{1: 200, 2: 503}[proto]; w.Code != want || account.Held() != before { // how long it was is the connection's to tell
			t.Errorf("HTTP/%d: %d; %d bytes are left", proto, w.Code, account.Held()-before)
		}
	}
}

// serveOn serves on l until the test ends.
func serveOn(t *testing.T, l *Listener, secure bool, handler http.Handler) {
	t.Helper()
	server := &http.Server{Handler: handler, ConnContext: ConnContext, ConnState: ConnState, MaxHeaderBytes: 128 << 10, ReadHeaderTimeout: time.Minute}
	serve := func() { _ = server.Serve(l) }
	if secure {
		certified := httptest.NewTLSServer(handler)
		server.TLSConfig = certified.TLS.Clone()
		certified.Close()
		serve = func() { _ = server.ServeTLS(l, "", "") }
	}
	var running sync.WaitGroup
	running.Go(serve)
	t.Cleanup(func() {
		_ = server.Close()
		running.Wait()
	})
}

// A header that does not fit the memory that is left is refused as any request is, and the refusal arrives behind all of it.
func TestHeadersWithoutRoomAreOverloaded(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		inner, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		serveOn(t, NewListener(inner, 100, 1<<10), secure, http.NotFoundHandler())
		c := dial(t, inner.Addr().String())
		if secure {
			c = tls.Client(c, &tls.Config{InsecureSkipVerify: true}) //nolint:gosec // a test's own certificate
		}
		if _, err := fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: w\r\nX: %s\r\n\r\n", strings.Repeat("x", 200<<10)); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("TLS %v: %v", secure, err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusServiceUnavailable || !resp.Close || resp.Header.Get("Retry-After") != "1" ||
			resp.Header.Get("Content-Type") != "application/json" || !bytes.Contains(body, []byte(`"code":"overloaded"`)) {
			t.Errorf("TLS %v: %d %v %s %v", secure, resp.StatusCode, resp.Header, body, err)
		}
	}
}

// Clients that send large headers and never finish them are closed when they take too much together, and nobody else is.
func TestUnfinishedHeadersAreBounded(t *testing.T) {
	t.Parallel()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	const bound = 1 << 20
	l := NewListener(inner, 1000, bound)
	serveOn(t, l, false, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived, done := track(r)
		defer done()
		fmt.Fprint(w, arrived)
	}))

	dial := func() net.Conn {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	get := func(header string) string {
		t.Helper()
		c := dial()
		fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: w\r\n%s\r\n", header)
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			return err.Error()
		}
		text, _ := io.ReadAll(resp.Body)
		return string(text)
	}
	long := "X: " + strings.Repeat("x", 10<<10) + "\r\n"
	if got, want := get(long), len("GET / HTTP/1.1\r\nHost: w\r\n\r\n")+len(long); got != fmt.Sprint(want) {
		t.Errorf("%s bytes arrived, want %d", got, want)
	}
	if n := l.arrived.Load(); n != 0 {
		t.Errorf("%d bytes are counted while nothing arrives", n)
	}
	const flood = 200
	closed := make(chan struct{}, flood)
	clients := make([]net.Conn, flood)
	for i := range clients {
		c := dial()
		clients[i] = c
		go func() {
			fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: w\r\nX: %s", strings.Repeat("x", 32<<10))
			_, _ = c.Read(make([]byte, 1))
			closed <- struct{}{}
		}()
	}
	for range flood - bound/(28<<10) - 1 { // the others have room for all of theirs
		<-closed
	}
	for more := true; more; more = l.arrived.Load() > bound {
		if got := get(""); strings.Contains(got, "EOF") {
			t.Errorf("a small request: %s", got)
		}
	}
	for _, c := range clients {
		c.Close()
	}
	for l.arrived.Load() > 0 {
		get("")
	}
	if got := get(long); strings.Contains(got, "EOF") {
		t.Errorf("afterwards: %s", got)
	}
}
