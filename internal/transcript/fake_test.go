package transcript_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weirproxy/weir/internal/transcript"
)

// fake replaces Weir and its upstreams, so that the runner is tested alone.
type fake struct{}

// fakeUpstream answers every call with its script, or stalls if that is "stall", and remembers the calls.
type fakeUpstream struct {
	server  *httptest.Server
	mu      sync.Mutex // guards what follows
	calls   []transcript.Call
	changed chan struct{}
}

func (fake) Upstream(t testing.TB, script []byte) transcript.Upstream {
	u := &fakeUpstream{changed: make(chan struct{})}
	u.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		i := u.add(transcript.Call{Method: r.Method, Path: r.URL.RequestURI(), Header: r.Header, Body: body})
		if strings.TrimSpace(string(script)) == "stall" {
			<-r.Context().Done()
			u.gone(i)
			return
		}
		_, _ = w.Write(script)
	}))
	t.Cleanup(u.server.Close)
	return u
}

func (u *fakeUpstream) add(c transcript.Call) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.calls = append(u.calls, c)
	close(u.changed)
	u.changed = make(chan struct{})
	return len(u.calls) - 1
}

func (u *fakeUpstream) gone(i int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.calls[i].Gone = true
	close(u.changed)
	u.changed = make(chan struct{})
}

func (u *fakeUpstream) URL() string { return u.server.URL + "/v1" }

func (u *fakeUpstream) Wait(ctx context.Context, done func([]transcript.Call) bool) ([]transcript.Call, error) {
	for {
		u.mu.Lock()
		calls, changed := slices.Clone(u.calls), u.changed
		u.mu.Unlock()
		if done(calls) {
			return calls, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return calls, ctx.Err()
		}
	}
}

// fakeWeir is a server with one route for each thing that a line of a story can say.
type fakeWeir struct {
	server *httptest.Server
	config string
	log    *transcript.Log
	logger *slog.Logger
}

func (fake) Start(t testing.TB, s transcript.Setup) transcript.Instance {
	config, err := os.ReadFile(s.Config)
	if err != nil {
		t.Fatal(err)
	}
	w := &fakeWeir{config: s.Config, log: &transcript.Log{Keep: func(line json.RawMessage) bool {
		return strings.Contains(string(line), `"msg":"request"`)
	}}}
	w.logger = slog.New(slog.NewJSONHandler(w.log, nil))
	upstream := ""
	if m := regexp.MustCompile(`base_url: "([^"]+)"`).FindSubmatch(config); m != nil {
		upstream = string(m[1])
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/call", func(rw http.ResponseWriter, r *http.Request) { w.relay(rw, r, upstream) })
	mux.HandleFunc("/echo", echo)
	mux.HandleFunc("/config", func(rw http.ResponseWriter, r *http.Request) { http.ServeFile(rw, r, s.Config) })
	mux.HandleFunc("/stream", stream)
	mux.HandleFunc("/cut", cut)
	mux.HandleFunc("/error", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		rw.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(rw, `{"error":{"message":"no","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`)
	})
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		id := fmt.Sprintf("req_%p", r)
		rw.Header().Set("X-Request-Id", id)
		mux.ServeHTTP(rw, r)
		w.logger.Info("request", "request_id", id, "client_request_id", r.Header.Get("X-Request-Id"), "path", r.URL.Path)
		w.logger.Info("noise")
	}))
	t.Cleanup(w.server.Close)
	return w
}

func (w *fakeWeir) relay(rw http.ResponseWriter, r *http.Request, upstream string) {
	req, err := http.NewRequestWithContext(r.Context(), r.Method, upstream+"/chat/completions", r.Body)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		rw.WriteHeader(http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	_, _ = io.Copy(rw, resp.Body)
}

// echo answers with what it read.
func echo(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		rw.WriteHeader(http.StatusBadRequest)
		return
	}
	rw.Header().Set("Seen-Length", fmt.Sprint(r.ContentLength))
	rw.Header().Set("Seen-Encoding", r.Header.Get("Content-Encoding"))
	rw.Header().Set("Seen-Connection", r.RemoteAddr)
	rw.Header().Set("Seen-Key", r.Header.Get("Authorization"))
	if e := r.Header.Get("Content-Encoding"); e != "" {
		rw.Header().Set("Content-Encoding", e)
	}
	_, _ = rw.Write(body)
}

// stream sends two events and then, if asked to wait, nothing until the client goes away.
func stream(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(rw, "data: {\"n\":1,\"id\":\"abc\"}\n\ndata: {\"n\":2}\n\n")
	_ = http.NewResponseController(rw).Flush()
	if r.URL.Query().Has("wait") {
		<-r.Context().Done()
		return
	}
	fmt.Fprint(rw, "data: [DONE]\n\n")
}

// cut breaks a body off.
func cut(rw http.ResponseWriter, r *http.Request) {
	conn, buf, err := http.NewResponseController(rw).Hijack()
	if err != nil {
		return
	}
	if !r.URL.Query().Has("silent") {
		fmt.Fprint(buf, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
		_ = buf.Flush()
	}
	_ = conn.(*net.TCPConn).CloseWrite()
	_ = conn.Close()
}

func (w *fakeWeir) Addr() string       { return w.server.Listener.Addr().String() }
func (w *fakeWeir) AdminAddr() string  { return w.Addr() }
func (w *fakeWeir) AdminToken() string { return "admin-token" }

func (w *fakeWeir) NewKey(_ testing.TB, name string, models []string) string {
	return "key-" + name + "-" + strings.Join(models, "+")
}

func (w *fakeWeir) Log(ctx context.Context, done func([]json.RawMessage) bool) ([]json.RawMessage, error) {
	return w.log.Wait(ctx, done)
}
