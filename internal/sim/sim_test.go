package sim

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/shape"
)

const hello = `{"model":"m","messages":[{"role":"user","content":"hello"}]}`

// streamed is hello as a call for a stream.
var streamed = strings.Replace(hello, "{", `{"stream":true,`, 1)

// start runs a simulated provider on a real socket. Its answers bear the time 1.
func start(t *testing.T, script Script) (*Server, string) {
	t.Helper()
	if script.Created == 0 {
		script.Created = 1
	}
	s := New(script)
	handler := http.Handler(s)
	if len(script.Rules) == 0 { // an ordinary answer is as OpenAI's would be
		handler = shape.Handler(t, handler)
	}
	ts := httptest.NewServer(handler)
	t.Cleanup(ts.Close)
	t.Cleanup(ts.CloseClientConnections) // before Close, which waits for stalled calls
	return s, ts.URL
}

// response is a response, read as far as it goes.
type response struct {
	*http.Response
	body string
	err  error // error of reading the body
}

// do sends a call on a connection of its own, without asking for compression.
func do(t *testing.T, method, url, body string, header ...string) response {
	t.Helper()
	r, err := try(t, method, url, body, header...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func try(t *testing.T, method, url, body string, header ...string) (response, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	client := http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		return response{}, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return response{resp, string(b), err}, nil
}

// ask sends a call that must be answered in full.
func ask(t *testing.T, base, path, body string, header ...string) response {
	t.Helper()
	r := do(t, http.MethodPost, base+path, body, header...)
	if r.err != nil {
		t.Fatalf("%s: %v", path, r.err)
	}
	return r
}

// dial opens a connection and sends a chat call on it.
func dial(t *testing.T, base, body string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	req, err := http.NewRequest(http.MethodPost, base+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if err := req.Write(conn); err != nil {
		t.Fatal(err)
	}
	return conn
}

// payloads are the events of a stream.
func payloads(t *testing.T, stream string) []string {
	t.Helper()
	r := sse.NewReader(strings.NewReader(stream), 64<<20)
	var all []string
	for {
		ev, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(ev.Data))
	}
}

// into decodes JSON into a T.
func into[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// wait waits for the log.
func wait(t *testing.T, s *Server, ok func([]Served) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Wait(ctx, ok); err != nil {
		t.Fatal(err)
	}
}

// ended waits until all n calls have ended and returns them.
func ended(t *testing.T, s *Server, n int) []Served {
	t.Helper()
	wait(t, s, func(calls []Served) bool {
		done := 0
		for _, c := range calls {
			if c.Done {
				done++
			}
		}
		return done == n
	})
	return s.Served()
}
