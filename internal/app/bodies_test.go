package app_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// sealed is a text that is like no other, and shows whether it is whole.
func sealed(n, size int) string {
	pattern := fmt.Sprintf("%x.", 0x9e3779b9*uint32(n+1))
	text := fmt.Sprintf("%d:%s", n, strings.Repeat(pattern, size/len(pattern)+1)[:size])
	sum := sha256.Sum256([]byte(text))
	return "body:" + text + ":" + hex.EncodeToString(sum[:])
}

// unseal finds the text in a request, and reports whether it is whole.
func unseal(body []byte) (text string, ok bool) {
	_, rest, _ := bytes.Cut(body, []byte(`"body:`))
	inner, _, _ := bytes.Cut(rest, []byte(`"`))
	at := max(bytes.LastIndexByte(inner, ':'), 0)
	sum := sha256.Sum256(inner[:at])
	return "body:" + string(inner), at > 0 && string(inner[at+1:]) == hex.EncodeToString(sum[:]) && json.Valid(body)
}

// erratic is an upstream that answers in every rude way while a body is on its way. Every body that it gets whole must be
// one that was sent.
type erratic struct {
	t     *testing.T
	rude  bool
	turn  atomic.Int32
	whole atomic.Int32 // bodies that came whole
	proto [3]atomic.Int32
}

const early = "early" // the answer of an upstream that has not read the body

// rudeness is how many ways of answering there are.
const rudeness = 10

// ServeHTTP implements http.Handler.
func (e *erratic) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		http.NotFound(w, r) // it has no list of models
		return
	}
	e.proto[r.ProtoMajor].Add(1)
	control := http.NewResponseController(w)
	atOnce := func(status int, answer string) {
		w.Header().Set("Content-Length", fmt.Sprint(len(answer)))
		if r.ProtoMajor == 1 {
			if err := control.EnableFullDuplex(); err != nil {
				e.t.Error(err)
			}
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
		_ = control.Flush()                               // a connection that is gone shows when it is read
		if r.ProtoMajor == 1 || status == http.StatusOK { // over HTTP/2 nothing is sent after a refusal
			e.take(r)
		}
	}
	way := int(e.turn.Add(1)) % rudeness
	if !e.rude {
		way = rudeness - 1
	}
	switch way {
	case 0: // refuse at once, then read
		atOnce(http.StatusTooManyRequests, "")
	case 1: // refuse, and read no more than net/http does by default
		w.WriteHeader(http.StatusServiceUnavailable)
	case 2: // answer at once, then read
		atOnce(http.StatusOK, completion(early))
	case 3: // answer at once, and read nothing
		_, _ = io.WriteString(w, completion(early))
	case 4: // read half, and be gone
		_, _ = io.CopyN(io.Discard, r.Body, r.ContentLength/2)
		e.leave(w, false)
	case 5: // the same, rudely
		_, _ = io.CopyN(io.Discard, r.Body, r.ContentLength/2)
		e.leave(w, true)
	case 6: // read all, and be gone
		e.take(r)
		e.leave(w, false)
	case 7: // answer half
		text, _, _ := e.take(r)
		answer := completion(text)
		w.Header().Set("Content-Length", fmt.Sprint(len(answer)))
		_, _ = io.WriteString(w, answer[:len(answer)/2])
		_ = control.Flush() // as above
		e.leave(w, true)
	default:
		text, body, ok := e.take(r)
		switch {
		case !ok: // the caller is gone
		case bytes.Contains(body, []byte(`"stream":true`)):
			chunks(w, text)
		default:
			_, _ = io.WriteString(w, completion(text))
		}
	}
}

// take reads the body, and checks it if it came whole.
func (e *erratic) take(r *http.Request) (text string, body []byte, whole bool) {
	body, err := io.ReadAll(r.Body)
	if err != nil || int64(len(body)) != r.ContentLength {
		return "", nil, false
	}
	e.whole.Add(1)
	text, ok := unseal(body)
	if !ok {
		e.t.Errorf("a body of %d bytes is none that was sent: %.300q", len(body), body)
	}
	return text, body, true
}

// leave closes the connection, or the stream of HTTP/2; rudely is by a reset.
func (e *erratic) leave(w http.ResponseWriter, rudely bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	under := conn
	if secure, ok := conn.(*tls.Conn); ok {
		under = secure.NetConn()
	}
	if rudely {
		_ = under.(*net.TCPConn).SetLinger(0) // it may be gone already
	}
	_ = under.Close()
}

func completion(text string) string {
	return fmt.Sprintf(`{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%q},"finish_reason":"stop"}]}`, text)
}

// chunks answers in three events.
func chunks(w io.Writer, text string) {
	for _, piece := range []string{text[:len(text)/3], text[len(text)/3 : len(text)/2], text[len(text)/2:]} {
		fmt.Fprintf(w, "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":%q},\"finish_reason\":null}]}\n\n", piece)
	}
	_, _ = io.WriteString(w, "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

// said puts the text of an answer together, whether it is a stream or not.
func said(body string) string {
	var text strings.Builder
	for line := range strings.Lines(body) {
		var answer struct {
			Choices []struct{ Delta, Message struct{ Content string } }
		}
		if json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &answer) == nil && len(answer.Choices) > 0 {
			text.WriteString(answer.Choices[0].Delta.Content + answer.Choices[0].Message.Content)
		}
	}
	return text.String()
}

// The memory of bodies is used again, however upstreams and callers behave. Each upstream that reads a whole body finds
// what its caller sent, and each caller gets the answer to its own.
func TestBodiesAreNeverMixed(t *testing.T) {
	t.Parallel()
	sendBodies(t, 150)
}

// The same with more requests.
func TestLongBodiesAreNeverMixed(t *testing.T) {
	long(t)
	sendBodies(t, 600)
}

// sendBodies makes so many requests.
func sendBodies(t *testing.T, requests int) {
	ours := newAuthority(t)
	proxy, _ := tunnels(t, "")
	rude := map[string]*erratic{}
	providers := "providers:\n  closed: {kind: openai, base_url: \"http://127.0.0.1:1/v1\", api_key: upstream-credential}\n"
	models := "models:\n"
	for _, way := range []string{"plain", "tls", "h2", "tunnel", "tunnel-h2"} {
		rude[way] = &erratic{t: t, rude: true}
		base, more := "", ""
		if way == "plain" {
			base, _ = startUpstream(t, nil, rude[way].ServeHTTP, nil)
		} else {
			secure := ours.issue(t, nil)
			if strings.HasSuffix(way, "h2") {
				secure.NextProtos = []string{"h2", "http/1.1"}
			}
			base, _ = startUpstream(t, secure, rude[way].ServeHTTP, nil)
			more = fmt.Sprintf(", ca_file: %q", ours.file)
			if strings.HasPrefix(way, "tunnel") {
				more += fmt.Sprintf(", proxy: %q", proxy)
			}
		}
		providers += fmt.Sprintf("  %s: {kind: openai, base_url: %q, api_key: upstream-credential%s}\n", way, base, more)
		// Each request has a model of its own, so that no target fails so often that it is called no more.
		models += fmt.Sprintf("  \"%s/*\": {targets: [\"closed/*\", \"%s/*\", \"last/*\"], retries: {max_attempts: 5}}\n", way, way)
	}
	polite := &erratic{t: t}
	last := httptest.NewServer(polite)
	t.Cleanup(last.Close)
	providers += fmt.Sprintf("  last: {kind: openai, base_url: %q, api_key: upstream-credential}\n", last.URL+"/v1")
	w := apptest.StartBare(t, providers+models)
	key := w.NewKey(t, "key")

	var callers sync.WaitGroup
	var begun, answered atomic.Int32
	for range 12 {
		callers.Go(func() {
			for n := int(begun.Add(1)); n <= requests; n = int(begun.Add(1)) {
				way := []string{"plain", "tls", "h2", "tunnel", "tunnel-h2"}[n%5]
				if callWith(t, w, key, way, n) {
					answered.Add(1)
				}
			}
		})
	}
	callers.Wait()
	until(t, "no request is left running", func() bool { return figure(t, w, "weir_requests_running") == "0" })
	if n := answered.Load(); int(n) < requests/2 {
		t.Errorf("%d of %d requests were answered: that proves little", n, requests)
	}
	for way, e := range rude {
		want := 1
		if strings.HasSuffix(way, "h2") {
			want = 2
		}
		t.Logf("%s: %d calls, %d bodies came whole, HTTP/1.1 %d, HTTP/2 %d", way, e.turn.Load(), e.whole.Load(), e.proto[1].Load(), e.proto[2].Load())
		if e.turn.Load() < 2*rudeness || e.whole.Load() < rudeness || e.proto[want].Load() == 0 && want == 1 {
			t.Errorf("%s: this proves little", way)
		}
	}
}

// callWith makes a call of its own size and kind; every fourth caller hangs up, in one of three ways. It reports whether
// the call was answered.
func callWith(t *testing.T, w *apptest.Weir, key, way string, n int) bool {
	text := sealed(n, []int{40, 8 << 10, 400 << 10, 900}[n/5%4])
	body := fmt.Sprintf(`{"model":"%s/%d","stream":%v,"messages":[{"role":"user","content":%q}]}`, way, n, n%3 == 0, text)
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	hangsUp := n%4 == 3
	if hangsUp {
		trace := &httptrace.ClientTrace{}
		switch n / 4 % 3 {
		case 0:
			trace.WroteRequest = func(httptrace.WroteRequestInfo) { hangUp() }
		case 1:
			trace.GotFirstResponseByte = hangUp
		}
		ctx = httptrace.WithClientTrace(ctx, trace)
	}
	r := request(t, "POST", w.URL()+"/v1/chat/completions", body, "Authorization", "Bearer "+key).WithContext(ctx)
	if hangsUp && n/4%3 == 2 {
		r.Body = io.NopCloser(io.MultiReader(strings.NewReader(body[:len(body)/2]), iotest.ErrReader(errors.New("the caller is gone"))))
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		if !hangsUp {
			t.Errorf("%s %d: %v", way, n, err)
		}
		return false
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	switch {
	case err != nil && hangsUp:
		return false
	case err != nil || resp.StatusCode != http.StatusOK:
		t.Errorf("%s %d: %d %.300s %v", way, n, resp.StatusCode, got, err)
	default:
		if answer := said(string(got)); answer != text && answer != early {
			t.Errorf("%s %d: answered %d bytes by %s, attempts %s: %.100q … instead of %.100q", way, n, len(answer), resp.Header.Get("Weir-Provider"), resp.Header.Get("Weir-Attempts"), answer, text)
		}
	}
	return true
}
