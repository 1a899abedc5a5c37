package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestLog(t *testing.T) {
	t.Parallel()
	s, base := start(t, Script{})
	ask(t, base, "/v1/chat/completions?a=b", streamed, "Authorization", "Bearer sk-very-secret", "X-Trace", "7")
	ask(t, base, "/v1/embeddings", `{"model":"e","input":"x"}`, "Api-Key", "other")
	do(t, http.MethodGet, base+"/v1/nothing", "")
	calls := ended(t, s, 3)
	c := calls[0]
	if c.ID != 1 || c.Method != "POST" || c.Target != "/v1/chat/completions?a=b" || c.Endpoint != pathChat || c.Model != "m" || !c.Stream {
		t.Errorf("%+v", c)
	}
	if c.Status != 200 || c.Events != 22 || c.PromptTokens != 2 || c.CompletionTokens != 19 || !c.Completed || c.ClientGone || !c.Done {
		t.Errorf("%+v", c)
	}
	if string(c.Body) != streamed || c.BodyBytes != len(streamed) || c.Header.Get("X-Trace") != "7" || c.Proto != "HTTP/1.1" || c.Remote == calls[1].Remote {
		t.Errorf("%+v", c)
	}
	if c.Authorization.Reveal() != "sk-very-secret" || c.Header.Get("Authorization") != "Bearer "+c.Fingerprint || len(c.Fingerprint) != 8 {
		t.Errorf("%q %q", c.Header, c.Fingerprint)
	}
	if e := calls[1]; e.Model != "e" || e.Stream || e.Authorization.Reveal() != "other" || e.Header.Get("Api-Key") != e.Fingerprint || e.Fingerprint == c.Fingerprint {
		t.Errorf("%+v", e)
	}
	if n := calls[2]; n.Status != 404 || n.Endpoint != "" || !n.Completed || n.Fingerprint != "" {
		t.Errorf("%+v", n)
	}
	if all := fmt.Sprintf("%+v %#v %v", calls, calls, calls); strings.Contains(all, "sk-very-secret") {
		t.Error("printing the log shows the credential")
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := New(Script{})
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if err := s.Wait(ctx, func([]Served) bool { return false }); !errors.Is(err, cause) || !strings.Contains(err.Error(), "0 calls") {
		t.Error(err)
	}
	if err := s.Wait(ctx, func(c []Served) bool { return len(c) == 0 }); err != nil {
		t.Error(err)
	}
}

// A caller that hangs up while tokens are still to come is noticed, although nothing is being sent.
func TestHangUpWhilePacing(t *testing.T) {
	t.Parallel()
	s := New(Script{})
	waits := 0
	s.sleep = func(ctx context.Context, _ time.Duration) error {
		if waits++; waits < 5 { // one before the headers, one for each token
			return nil
		}
		<-ctx.Done()
		return ctx.Err()
	}
	ts := httptest.NewServer(s)
	t.Cleanup(ts.Close)
	conn := dial(t, ts.URL, streamed)
	wait(t, s, func(calls []Served) bool { return len(calls) == 1 && calls[0].Events == 4 })
	conn.Close()
	if c := ended(t, s, 1)[0]; !c.ClientGone || c.Completed || c.CompletionTokens != 3 {
		t.Errorf("%+v", c)
	}
}

// lines is a log file in memory; what is not synced does not count.
type lines struct {
	mu     sync.Mutex
	buf    bytes.Buffer
	synced int
	err    error
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return 0, l.err
	}
	return l.buf.Write(b)
}

func (l *lines) Sync() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.synced = l.buf.Len()
	return nil
}

func (l *lines) onDisk() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.buf.Bytes()[:l.synced])
}

// What a caller has read to its end is in the log file.
func TestLogFile(t *testing.T) {
	t.Parallel()
	s, base := start(t, Script{Rules: []Rule{{Match: Match{Model: "cut"}, Cut: new(2)}, {Match: Match{Model: "reset"}, Reset: new(BeforeHeaders)}}})
	file := &lines{}
	s.LogTo(file)
	for i, body := range []string{hello, streamed, strings.Replace(streamed, `"m"`, `"cut"`, 1)} {
		ask(t, base, "/v1/chat/completions", body, "Authorization", "Bearer sk-very-secret")
		if got := strings.Count(file.onDisk(), "\n"); got != i+1 {
			t.Errorf("%d lines after call %d", got, i+1)
		}
	}
	if _, err := try(t, http.MethodPost, base+"/v1/chat/completions", strings.Replace(streamed, `"m"`, `"reset"`, 1)); err == nil {
		t.Error("the connection was not reset")
	}
	ended(t, s, 4)
	text := file.onDisk()
	var got []Served
	for line := range strings.Lines(text) {
		got = append(got, into[Served](t, line))
	}
	if len(got) != 4 || !got[0].Completed || got[0].CompletionTokens != 19 || got[1].Events != 22 || !got[1].Completed ||
		got[2].Completed || got[2].CompletionTokens != 1 || got[3].Status != 0 || got[3].Completed {
		t.Error(text)
	}
	if strings.Contains(text, "secret") || strings.Contains(text, "hello") || !strings.Contains(text, got[0].Fingerprint) {
		t.Errorf("the file has more than it should: %s", text)
	}
	if err := s.LogErr(); err != nil {
		t.Error(err)
	}
	file.err = errors.New("disk full")
	ask(t, base, "/v1/chat/completions", hello)
	if err := s.LogErr(); !errors.Is(err, file.err) {
		t.Errorf("the full disk is reported as %v", err)
	}
}

func TestKeep(t *testing.T) {
	t.Parallel()
	s, base := start(t, Script{Keep: 2, Rules: []Rule{{Match: Match{Nth: 2}, Stall: new(BeforeHeaders)}}})
	ask(t, base, "/v1/chat/completions", hello)
	stalled := dial(t, base, hello)
	wait(t, s, func(calls []Served) bool { return len(calls) == 2 })
	for range 4 {
		ask(t, base, "/v1/chat/completions", hello)
	}
	// 1 and 3 to 6 have ended; 2 still runs.
	wait(t, s, func(calls []Served) bool { return len(calls) == 3 && calls[2].Done })
	var kept []uint64
	for _, c := range s.Served() {
		kept = append(kept, c.ID)
	}
	if fmt.Sprint(kept) != "[2 5 6]" || s.Active() != 1 {
		t.Errorf("kept %v, %d active", kept, s.Active())
	}
	stalled.Close()
	wait(t, s, func(calls []Served) bool { return len(calls) == 2 })
}

// A caller that hangs up while it sends its body is in the log as well.
func TestHangUpWhileSending(t *testing.T) {
	t.Parallel()
	s, base := start(t, Script{})
	conn := dial(t, base, hello)
	fmt.Fprintf(conn, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{\"mo")
	wait(t, s, func(calls []Served) bool { return len(calls) == 1 && calls[0].Done })
	conn.Close()
	if c := ended(t, s, 2)[1]; !c.ClientGone || c.Completed || string(c.Body) != `{"mo` {
		t.Errorf("%+v", c)
	}
}

func TestConcurrentCalls(t *testing.T) {
	t.Parallel()
	s, base := start(t, Script{})
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			for range 5 {
				ask(t, base, "/v1/chat/completions", streamed)
			}
		})
	}
	group.Wait()
	seen := map[uint64]bool{}
	for _, c := range ended(t, s, 100) {
		if seen[c.ID] || !c.Completed || c.CompletionTokens != 19 {
			t.Errorf("%+v", c)
		}
		seen[c.ID] = true
	}
	if s.Active() != 0 {
		t.Errorf("%d active", s.Active())
	}
}

// Served is what the log file's readers decode; its JSON must stay without headers and bodies.
func TestServedJSON(t *testing.T) {
	t.Parallel()
	s := New(Script{Created: 1})
	s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(hello)))
	b, err := json.Marshal(s.Served()[0])
	if err != nil {
		t.Fatal(err)
	}
	var names map[string]json.RawMessage
	if err := json.Unmarshal(b, &names); err != nil || len(names) != 17 {
		t.Errorf("%d members in %s (%v)", len(names), b, err)
	}
}

// What a script follows is in the log of every dialect: who called, what the answer said that it took, and the answer's id.
func TestFollowedCalls(t *testing.T) {
	t.Parallel()
	s, base := start(t, Script{LogHeader: "X-Trace", Tokens: 4, Rules: []Rule{
		{Match: Match{Contains: "refuse"}, Status: 429},
		{Match: Match{Contains: "break"}, Cut: new(2)},
	}})
	const chat = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}]`
	for i, tt := range []struct {
		path, body string
		told       *Told
	}{
		{"/v1/chat/completions", chat + `}`, &Told{2, 4}},
		{"/v1/chat/completions", chat + `,"stream":true,"stream_options":{"include_usage":true}}`, &Told{2, 4}},
		{"/v1/chat/completions", chat + `,"stream":true}`, nil},
		{"/v1/chat/completions", chat + `,"user":"refuse"}`, nil},
		{"/v1/chat/completions", chat + `,"user":"break","stream":true,"stream_options":{"include_usage":true}}`, nil},
		{"/v1/messages", chat + `,"stream":true}`, &Told{2, 4}},
		{"/v2/chat", chat + `,"stream":true}`, &Told{2, 4}},
		{"/v1beta/models/m:streamGenerateContent?alt=sse", `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`, &Told{2, 4}},
		{"/v1/responses", `{"model":"m","input":"hi","stream":true}`, &Told{2, 4}},
		{"/v1/embeddings", `{"model":"m","input":"hi"}`, &Told{2, 0}},
		{"/v1/projects/p/locations/global/publishers/google/models/text-embedding-005:predict", `{"instances":[{"content":"hi"},{"content":"hi"}]}`, &Told{4, 0}},
	} {
		trace := fmt.Sprint("call ", i)
		header := []string{"X-Trace", trace}
		if tt.path == "/v1/messages" {
			header = append(header, "Anthropic-Version", "2023-06-01")
		}
		ask(t, base, tt.path, tt.body, header...)
		c := ended(t, s, i+1)[i]
		if status := map[bool]int{false: 200, true: 429}[strings.Contains(tt.body, "refuse")]; c.Status != status || c.Client != trace || c.AnswerID == "" || (c.Told == nil) != (tt.told == nil) || c.Told != nil && (c.Told.Completion != tt.told.Completion || c.Told.Prompt == 0) {
			t.Errorf("%s %s: %q, id %q, told %+v, status %d", tt.path, tt.body, c.Client, c.AnswerID, c.Told, c.Status)
		}
	}
	unfollowed, base := start(t, Script{})
	ask(t, base, "/v1/chat/completions", streamed, "X-Trace", "7")
	if c := ended(t, unfollowed, 1)[0]; c.Client != "" || c.AnswerID != "" || c.Told != nil {
		t.Errorf("%+v", c)
	}
}
