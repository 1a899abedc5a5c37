package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// player is an upstream that answers what was recorded, in pieces as asked.
type player struct {
	mu     sync.Mutex // guards answer
	answer func(w http.ResponseWriter)
}

func (p *player) set(answer func(w http.ResponseWriter)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = answer
}

// ServeHTTP implements http.Handler.
func (p *player) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // the request was recorded elsewhere
	p.mu.Lock()
	answer := p.answer
	p.mu.Unlock()
	answer(w)
}

// whole sends the body at once, bytewise each byte by itself, and upTo only the start of it.
func whole(body []byte) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) { _, _ = w.Write(body) }
}

func bytewise(body []byte) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := range body {
			if _, err := w.Write(body[i : i+1]); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
		}
	}
}

// rig is a Weir in front of a player.
type rig struct {
	*apptest.Weir
	player *player
	key    string
}

func newRig(t *testing.T) *rig {
	t.Helper()
	p := &player{}
	upstream := httptest.NewServer(p)
	t.Cleanup(upstream.Close)
	path := filepath.Join(t.TempDir(), "weir.yaml")
	config := fmt.Sprintf("providers: {up: {kind: openai, base_url: %q}}\nmodels: {m: {targets: [up/m]}}\n", upstream.URL)
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	w := apptest.Start(t, path)
	return &rig{w, p, w.NewKey(t, "recordings")}
}

// ask sends a small request and returns the answer's status and body.
func (r *rig) ask(t *testing.T, e llm.Endpoint, stream bool) (int, []byte) {
	t.Helper()
	body := map[llm.Endpoint]string{llm.Chat: `{"model":"m","messages":[{}]`, llm.Completions: `{"model":"m","prompt":"p"`}[e]
	if stream {
		body += `,"stream":true,"stream_options":{"include_usage":true}`
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+r.Addr()+"/v1"+e.Path(), strings.NewReader(body+"}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.key)
	// After an error inside a stream the connection closes, which a client that uses it again cannot foresee.
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, answer
}

// Recorded streams over the wire: whole and byte by byte they say the same; cut at any event they end in an error,
// unless all was said.
func TestRecordedStreamsOverTheWire(t *testing.T) {
	rig := newRig(t)
	recorded.Streams(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		body := r.Response.Body.Bytes()
		rig.player.set(whole(body))
		status, answer := rig.ask(t, e, true)
		if r.Failed(t) {
			if status == http.StatusOK && !bytes.Contains(answer, []byte(`data: {"error":{"message"`)) {
				t.Errorf("the upstream's error was swallowed: %s", tailOf(answer))
			}
			return
		}
		if status != http.StatusOK {
			t.Fatalf("%d %s", status, answer)
		}
		payloads, done := recorded.Payloads(t, answer)
		if !done {
			t.Fatalf("no [DONE]: %s", tailOf(answer))
		}
		recorded.CheckStream(t, payloads, e == llm.Completions)
		want := recorded.Read(t, payloads)

		if len(body) < 64<<10 {
			rig.player.set(bytewise(body))
			_, again := rig.ask(t, e, true)
			if diff := cmp.Diff(noIDs(t, answer), noIDs(t, again)); diff != "" {
				t.Errorf("byte by byte it is another stream:\n%s", diff)
			}
		}
		rig.cutEverywhere(t, e, body, want)
	})
}

// cutEverywhere ends the upstream's stream behind each event, at most 40 of them.
func (r *rig) cutEverywhere(t *testing.T, e llm.Endpoint, body []byte, want recorded.Said) {
	t.Helper()
	events := bytes.SplitAfter(body, []byte("\n\n"))
	step := len(events)/40 + 1
	for n := 0; n < len(events)-1; n += step {
		r.player.set(whole(bytes.Join(events[:n], nil)))
		status, answer := r.ask(t, e, true)
		if status != http.StatusOK {
			continue // nothing had been said: the caller got a clean error
		}
		payloads, done := recorded.Payloads(t, answer)
		last := payloads[len(payloads)-1]
		failed := strings.HasPrefix(last, `{"error":{"message"`)
		if failed == done {
			t.Fatalf("cut behind event %d: [DONE] %v, error %v: %s", n, done, failed, tailOf(answer))
		}
		if failed {
			payloads = payloads[:len(payloads)-1]
		}
		for i, text := range recorded.Read(t, payloads).Text {
			if !strings.HasPrefix(want.Text[i], text) {
				t.Fatalf("cut behind event %d: %q is no beginning of %q", n, text, want.Text[i])
			}
		}
		if done && recorded.Read(t, payloads).Text[0] != want.Text[0] {
			t.Fatalf("cut behind event %d: a part was sent as if it were all", n)
		}
	}
}

// noIDs are the payloads of a stream without what is made up for each request.
func noIDs(t *testing.T, answer []byte) []string {
	t.Helper()
	payloads, _ := recorded.Payloads(t, answer)
	for i, p := range payloads {
		var c recorded.Shape
		if err := json.Unmarshal([]byte(p), &c); err == nil && c.ID != nil {
			p = strings.ReplaceAll(p, *c.ID, "ID")
			p = strings.ReplaceAll(p, string(c.Created), "0")
		}
		payloads[i] = p
	}
	return payloads
}

func tailOf(b []byte) []byte { return b[max(0, len(b)-400):] }

// Recorded complete answers over the wire.
func TestRecordedAnswersOverTheWire(t *testing.T) {
	rig := newRig(t)
	recorded.Answers(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		body := r.Response.Body.Bytes()
		rig.player.set(whole(body))
		status, answer := rig.ask(t, e, false)
		if failed := status != http.StatusOK; failed != r.Failed(t) {
			t.Fatalf("%d, but the upstream failed: %v: %s", status, r.Failed(t), answer)
		} else if failed {
			return
		}
		want, got := recorded.Read(t, []string{string(body)}), recorded.Read(t, []string{string(answer)})
		if diff := cmp.Diff(want.Text, got.Text) + cmp.Diff(want.Tools, got.Tools) + cmp.Diff(want.Usage, got.Usage); diff != "" {
			t.Errorf("the caller reads something else:\n%s", diff)
		}
		rig.player.set(bytewise(body))
		if _, again := rig.ask(t, e, false); len(body) < 64<<10 && len(again) != len(answer) {
			t.Errorf("byte by byte it is another answer: %s", again)
		}
	})
}
