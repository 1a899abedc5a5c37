package sim

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// one starts a provider with a single rule for all calls.
func one(t *testing.T, rule Rule) (*Server, string) {
	t.Helper()
	return start(t, Script{Rules: []Rule{rule}})
}

func TestStatus(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule        Rule
		status      int
		contentType string
		body        string
	}{
		{Rule{Status: 429, Headers: map[string]string{"Retry-After": "7"}}, 429, typeJSON, `{"error":{"message":"Rate limit reached (simulated). Please try again in 1s.","type":"requests","param":null,"code":"rate_limit_exceeded"}}`},
		{Rule{Status: 503}, 503, typeJSON, `{"error":{"message":"The server had an error while processing your request (simulated).","type":"server_error","param":null,"code":null}}`},
		{Rule{Status: 502, Body: new("<html>bad gateway</html>")}, 502, "text/html; charset=utf-8", "<html>bad gateway</html>"},
		{Rule{Body: new("oops")}, 200, "text/plain; charset=utf-8", "oops"},
		{Rule{Body: new(""), ContentType: "application/json"}, 200, "application/json", ""},
		{Rule{Status: 400, Body: new(` {"detail":"no"}`), ContentType: "application/problem+json"}, 400, "application/problem+json", ` {"detail":"no"}`},
		{Rule{Answer: []byte("{ \"a\" : 1.0 }")}, 200, typeJSON, "{ \"a\" : 1.0 }"},
	} {
		_, base := one(t, test.rule)
		for _, body := range []string{hello, streamed} {
			r := ask(t, base, "/v1/chat/completions", body)
			if r.StatusCode != test.status || r.Header.Get("Content-Type") != test.contentType || r.body != test.body {
				t.Errorf("%+v: %d %q %s", test.rule, r.StatusCode, r.Header.Get("Content-Type"), r.body)
			}
			if test.rule.Headers != nil && r.Header.Get("Retry-After") != "7" {
				t.Errorf("headers are missing: %v", r.Header)
			}
		}
	}
	_, base := one(t, Rule{Status: 201})
	if r := ask(t, base, "/v1/chat/completions", hello); r.StatusCode != 201 || !strings.Contains(r.body, simulated) {
		t.Errorf("a status below 400 alone: %d %s", r.StatusCode, r.body)
	}
}

func TestRedirect(t *testing.T) {
	t.Parallel()
	_, base := one(t, Rule{Redirect: "http://elsewhere/v1"})
	if r := ask(t, base, "/v1/chat/completions", hello); r.StatusCode != 307 || r.Header.Get("Location") != "http://elsewhere/v1" {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
}

func TestRaw(t *testing.T) {
	t.Parallel()
	s, base := one(t, Rule{Raw: "HTTP/1.1 banana\r\n"})
	got, err := io.ReadAll(dial(t, base, hello))
	if err != nil || string(got) != "HTTP/1.1 banana\r\n" {
		t.Errorf("%q, %v", got, err)
	}
	if c := ended(t, s, 1)[0]; c.Status != 0 || !c.Completed {
		t.Errorf("%+v", c)
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		at     Point
		body   string
		events int
		header bool
	}{
		{BeforeHeaders, streamed, 0, false},
		{0, streamed, 0, true},
		{3, streamed, 3, true},
		{BeforeHeaders, hello, 0, false},
		{0, hello, 0, true},
	} {
		s, base := one(t, Rule{Reset: &test.at})
		got, err := io.ReadAll(dial(t, base, test.body))
		if !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%+v: no reset but %v", test, err)
		}
		if n := strings.Count(string(got), "data: "); n != test.events || strings.HasPrefix(string(got), "HTTP/1.1 200 OK\r\n") != test.header {
			t.Errorf("%+v: %d events in %q", test, n, got)
		}
		if c := ended(t, s, 1)[0]; c.Completed || c.ClientGone || c.Events != test.events {
			t.Errorf("%+v: log has %+v", test, c)
		}
	}
}

func TestStallUntilTheCallerHangsUp(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		at   Point
		body string
		want string // the last that is sent
	}{
		{BeforeHeaders, streamed, ""},
		{0, streamed, "\r\n\r\n"},
		{2, streamed, "\n\n\r\n"},
		{0, hello, "\r\n\r\n"},
	} {
		s, base := one(t, Rule{Stall: &test.at})
		conn := dial(t, base, test.body)
		in := bufio.NewReader(conn)
		if test.at != BeforeHeaders {
			readHeaders(t, in)
		}
		for range max(0, int(test.at)) {
			readUntil(t, in, "\n\n\r\n")
		}
		wait(t, s, func(calls []Served) bool { return len(calls) == 1 && calls[0].Events == max(0, int(test.at)) })
		if s.Active() != 1 || s.Served()[0].ClientGone {
			t.Errorf("%+v: %d active, %+v", test, s.Active(), s.Served()[0])
		}
		conn.Close()
		c := ended(t, s, 1)[0]
		if !c.ClientGone || c.Completed || s.Active() != 0 {
			t.Errorf("%+v: %d active, %+v", test, s.Active(), c)
		}
	}
}

// A body that breaks off after so many bytes, in three ways.
func TestBreakingOffWithinABody(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 100, 350} {
		for _, body := range []string{hello, streamed} {
			s, base := one(t, Rule{ResetAfter: &n})
			r := do(t, http.MethodPost, base+"/v1/chat/completions", body)
			if !errors.Is(r.err, syscall.ECONNRESET) || len(r.body) != n {
				t.Errorf("reset after %d bytes: %d, %v", n, len(r.body), r.err)
			}
			if c := ended(t, s, 1)[0]; c.Completed || c.ClientGone {
				t.Errorf("%+v", c)
			}

			s, base = one(t, Rule{StallAfter: &n})
			conn := dial(t, base, body)
			in := bufio.NewReader(conn)
			readHeaders(t, in)
			if got := readBody(in, n); len(got) != n {
				t.Errorf("silent after %d bytes: %q", n, got)
			}
			if s.Active() != 1 || s.Served()[0].ClientGone {
				t.Errorf("%d active, %+v", s.Active(), s.Served()[0])
			}
			conn.Close()
			if c := ended(t, s, 1)[0]; c.Completed || !c.ClientGone {
				t.Errorf("%+v", c)
			}
		}
	}
}

// readBody reads so many bytes of a body after its headers, and decodes its chunks.
func readBody(in *bufio.Reader, n int) []byte {
	got := make([]byte, n)
	if n == 0 {
		return got // and nothing will come to look at
	}
	source := io.Reader(in)
	if start, err := in.Peek(1); err == nil && start[0] != '{' {
		source = httputil.NewChunkedReader(in)
	}
	read, _ := io.ReadFull(source, got) // what is missing is seen by the caller
	return got[:read]
}

// The beginning of every text identifies the provider.
func TestName(t *testing.T) {
	t.Parallel()
	_, base := start(t, Script{Name: "one"})
	for _, body := range []string{hello, streamed} {
		if r := ask(t, base, "/v1/chat/completions", body); !strings.Contains(r.body, `"content":"one:`) {
			t.Error(r.body)
		}
	}
}

// readHeaders reads a response's status line and headers.
func readHeaders(t *testing.T, in *bufio.Reader) {
	t.Helper()
	readUntil(t, in, "\r\n\r\n")
}

func readUntil(t *testing.T, in *bufio.Reader, end string) string {
	t.Helper()
	var got []byte
	for !bytes.HasSuffix(got, []byte(end)) {
		b, err := in.ReadByte()
		if err != nil {
			t.Fatalf("%v after %q", err, got)
		}
		got = append(got, b)
	}
	return string(got)
}

func TestCutEndsCleanly(t *testing.T) {
	t.Parallel()
	s, base := one(t, Rule{Cut: new(3)})
	r := ask(t, base, "/v1/chat/completions", streamed)
	if got := payloads(t, r.body); len(got) != 3 || strings.Contains(r.body, doneMarker) {
		t.Errorf("%q", got)
	}
	if c := ended(t, s, 1)[0]; c.Completed || c.Events != 3 || c.CompletionTokens != 2 {
		t.Errorf("%+v", c)
	}
}

func TestTruncateBreaksOff(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 100, 350} {
		for _, body := range []string{hello, streamed} {
			s, base := one(t, Rule{Truncate: &n})
			r := do(t, http.MethodPost, base+"/v1/chat/completions", body)
			if !errors.Is(r.err, io.ErrUnexpectedEOF) || len(r.body) != n {
				t.Errorf("after %d bytes: %d, %v", n, len(r.body), r.err)
			}
			if c := ended(t, s, 1)[0]; c.Completed {
				t.Errorf("%+v", c)
			}
		}
	}
	s, base := one(t, Rule{Truncate: new(1 << 20)})
	ask(t, base, "/v1/chat/completions", hello) // shorter: nothing happens
	if c := ended(t, s, 1)[0]; !c.Completed {
		t.Errorf("%+v", c)
	}
}

func TestOneByteWrites(t *testing.T) {
	t.Parallel()
	_, base := one(t, Rule{OneByte: true, Cut: new(1)})
	in := bufio.NewReader(dial(t, base, streamed))
	readHeaders(t, in)
	after := readUntil(t, in, "0\r\n\r\n")
	// Every byte is a chunk of its own: 1\r\nX\r\n, and the last chunk is 0\r\n\r\n.
	if !strings.HasPrefix(after, "1\r\nd\r\n1\r\na\r\n") || len(after)%6 != 5 {
		t.Errorf("%q", after)
	}
	_, base = one(t, Rule{OneByte: true})
	want := ask(t, mustStart(t, Script{}), "/v1/chat/completions", streamed).body
	if r := ask(t, base, "/v1/chat/completions", streamed); r.body != want {
		t.Error("byte by byte it is another answer")
	}
}

func mustStart(t *testing.T, script Script) string {
	t.Helper()
	_, base := start(t, script)
	return base
}

func TestGzip(t *testing.T) {
	t.Parallel()
	plain := mustStart(t, Script{})
	zipped := mustStart(t, Script{Rules: []Rule{{Gzip: true}}})
	for _, body := range []string{hello, streamed} {
		r := ask(t, zipped, "/v1/chat/completions", body)
		z, err := gzip.NewReader(strings.NewReader(r.body))
		if err != nil || r.Header.Get("Content-Encoding") != "gzip" {
			t.Fatalf("%v, %v", r.Header, err)
		}
		got, err := io.ReadAll(z)
		if want := ask(t, plain, "/v1/chat/completions", body).body; err != nil || string(got) != want {
			t.Errorf("%s, %v", got, err)
		}
	}
}

func TestBadJSONAndErrorEvent(t *testing.T) {
	t.Parallel()
	want := payloads(t, ask(t, mustStart(t, Script{}), "/v1/chat/completions", streamed).body)
	_, base := one(t, Rule{BadJSON: new(2)})
	got := payloads(t, ask(t, base, "/v1/chat/completions", streamed).body)
	if diff := cmp.Diff(append(append(want[:2:2], `{"id":"chatcmpl-`), want[2:]...), got); diff != "" {
		t.Error(diff)
	}

	s, base := one(t, Rule{ErrorEvent: new(2)})
	got = payloads(t, ask(t, base, "/v1/chat/completions", streamed).body)
	if diff := cmp.Diff(append(want[:2:2], string(openAI{}.streamError())), got); diff != "" {
		t.Error(diff)
	}
	if c := ended(t, s, 1)[0]; c.Completed || c.ClientGone {
		t.Errorf("%+v", c)
	}

	_, base = one(t, Rule{ErrorEvent: new(0), Body: new(`{"error":"boom"}`)})
	got = payloads(t, ask(t, base, "/v1/chat/completions", streamed).body)
	if diff := cmp.Diff([]string{`{"error":"boom"}`}, got); diff != "" {
		t.Error(diff)
	}
}

func TestVerbatimEvents(t *testing.T) {
	t.Parallel()
	events := []string{`{"choices":[{"delta":{"content":"a"}}]}`, "", `not json`, `{"usage":{"prompt_tokens":3,"completion_tokens":9}}`, "[DONE]"}
	s, base := one(t, Rule{Events: events})
	r := ask(t, base, "/v1/chat/completions", streamed)
	want := "data: " + strings.Join(events, "\n\ndata: ") + "\n\n"
	if r.body != want || r.Header.Get("Content-Type") != typeStream {
		t.Errorf("%q", r.body)
	}
	c := ended(t, s, 1)[0]
	if c.PromptTokens != 3 || c.CompletionTokens != 9 || !c.Completed || c.Events != 5 {
		t.Errorf("%+v", c)
	}

	_, base = one(t, Rule{Events: events, Answer: []byte(`{"usage":{"prompt_tokens":1}}`)})
	if r := ask(t, base, "/v1/chat/completions", hello); r.body != `{"usage":{"prompt_tokens":1}}` {
		t.Errorf("a call for no stream got %s", r.body)
	}
	if r := ask(t, base, "/v1/chat/completions", streamed); r.body != want {
		t.Errorf("a call for a stream got %s", r.body)
	}
}

func TestStreamAnsweredWithJSON(t *testing.T) {
	t.Parallel()
	plain := mustStart(t, Script{})
	_, base := one(t, Rule{AsJSON: true})
	r := ask(t, base, "/v1/chat/completions", streamed)
	if want := ask(t, plain, "/v1/chat/completions", hello).body; r.body != want || r.Header.Get("Content-Type") != typeJSON {
		t.Errorf("%v %s", r.Header, r.body)
	}
}

func TestHuge(t *testing.T) {
	t.Parallel()
	s, base := one(t, Rule{Huge: 1_000_001})
	text := strings.Repeat("x", 1_000_001)
	r := ask(t, base, "/v1/chat/completions", hello)
	if got := into[chatCompletion](t, r.body); *got.Choices[0].Message.Content != text || got.Usage.CompletionTokens != 250_001 {
		t.Error("the complete answer is not that large")
	}
	r = ask(t, base, "/v1/chat/completions", streamed)
	if got := payloads(t, r.body); len(got) != 4 || !strings.Contains(got[1], `"content":"`+text+`"`) {
		t.Errorf("the stream has %d events", len(got))
	}
	r = ask(t, base, "/v1/completions", `{"model":"m","prompt":"a","stream":true}`)
	if got := payloads(t, r.body); len(got) != 3 || !strings.Contains(got[0], `"text":"`+text+`"`) {
		t.Errorf("the legacy stream has %d events", len(got))
	}
	for _, c := range ended(t, s, 3) {
		if c.CompletionTokens != 250_001 {
			t.Errorf("%+v", c)
		}
	}
}

// Over HTTP/2 a reset is a stream's, and what needs the connection itself breaks the call off.
func TestFaultsOverHTTP2(t *testing.T) {
	t.Parallel()
	for _, rule := range []Rule{{Reset: new(Point(1))}, {Reset: new(BeforeHeaders)}, {Raw: "x"}, {Truncate: new(10)}} {
		ts := httptest.NewUnstartedServer(New(Script{Rules: []Rule{rule}}))
		ts.EnableHTTP2 = true
		ts.StartTLS()
		t.Cleanup(ts.Close)
		resp, err := ts.Client().Post(ts.URL+"/v1/chat/completions", "", strings.NewReader(streamed))
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "stream") {
			t.Errorf("%+v: %v", rule, err)
		}
	}
}

func TestResetOverTLS(t *testing.T) {
	t.Parallel()
	ts := httptest.NewTLSServer(New(Script{Rules: []Rule{{Reset: new(Point(1))}}}))
	t.Cleanup(ts.Close)
	resp, err := ts.Client().Post(ts.URL+"/v1/chat/completions", "", strings.NewReader(streamed))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if !errors.Is(err, syscall.ECONNRESET) || strings.Count(string(got), "data: ") != 1 {
		t.Errorf("%q, %v", got, err)
	}
}

func TestFraming(t *testing.T) {
	t.Parallel()
	plain := payloads(t, ask(t, mustStart(t, Script{}), "/v1/chat/completions", streamed).body)
	first, rest := plain[0][1:len(plain[0])-1], plain[1:]
	for name, test := range map[string]struct {
		framing []Framing
		start   string
		end     string
		other   bool // a correct reader sees other events
	}{
		"crlf":      {[]Framing{CRLF}, "data: {" + first + "}\r\n\r\ndata: {", "data: [DONE]\r\n\r\n", false},
		"cr":        {[]Framing{CR}, "data: {" + first + "}\r\rdata: {", "data: [DONE]\r\r", false},
		"no space":  {[]Framing{NoSpace}, "data:{" + first + "}\n\n", "data:[DONE]\n\n", false},
		"bom":       {[]Framing{BOM}, "\xef\xbb\xbfdata: {", "\n\ndata: [DONE]\n\n", false},
		"comments":  {[]Framing{Comments}, ": ping\n\n: simulated comment\ndata: {", "data: [DONE]\n\n", false},
		"event":     {[]Framing{EventLines}, "event: message\ndata: {", "event: message\ndata: [DONE]\n\n", false},
		"id":        {[]Framing{IDLines}, "id: 7\ndata: {", "id: 7\ndata: [DONE]\n\n", false},
		"retry":     {[]Framing{RetryLines}, "retry: 1000\n\ndata: {", "retry: 1000\n\ndata: [DONE]\n\n", false},
		"no blank":  {[]Framing{NoFinalBlank}, "data: {" + first + "}\n\ndata: {", "}\n\ndata: [DONE]", false},
		"no done":   {[]Framing{NoDone}, "data: {", `"finish_reason":"stop"}]}` + "\n\n", true},
		"multi":     {[]Framing{MultiLine}, "data: {\ndata: " + first + "\ndata: }\n\n", "data: [DONE]\n\n", true},
		"single":    {[]Framing{SingleNewline}, "data: {" + first + "}\ndata: {", "}\ndata: [DONE]\n", true},
		"neither":   {[]Framing{NoDone, NoFinalBlank}, "data: {", `"finish_reason":"stop"}]}`, true},
		"much":      {[]Framing{CRLF, NoSpace, BOM, Comments, EventLines}, "\xef\xbb\xbf: ping\r\n\r\n: simulated comment\r\nevent: message\r\ndata:{", "data:[DONE]\r\n\r\n", false},
		"ones more": {[]Framing{RetryLines, IDLines, NoFinalBlank}, "retry: 1000\n\nid: 7\ndata: {", "id: 7\ndata: [DONE]", false},
	} {
		_, base := one(t, Rule{Framing: test.framing})
		body := ask(t, base, "/v1/chat/completions", streamed).body
		if !strings.HasPrefix(body, test.start) || !strings.HasSuffix(body, test.end) {
			t.Errorf("%s: %q", name, body)
		}
		if got := payloads(t, body); cmp.Equal(got[1:], rest) == test.other {
			t.Errorf("%s is read as %q", name, got)
		}
	}
}

func TestPacing(t *testing.T) {
	t.Parallel()
	const ms = Duration(time.Millisecond)
	for name, test := range map[string]struct {
		script Script
		body   string
		want   []time.Duration
	}{
		"stream":   {Script{TTFT: 50 * ms, Interval: 10 * ms, Tokens: 4}, streamed, []time.Duration{0, 50e6, 10e6, 10e6, 10e6}},
		"complete": {Script{TTFT: 50 * ms, Interval: 10 * ms, Tokens: 4}, hello, []time.Duration{0, 80e6}},
		"latency":  {Script{Rules: []Rule{{Latency: 9 * ms, Tokens: 2}}}, streamed, []time.Duration{9e6, 0, 0}},
		"rule":     {Script{TTFT: 50 * ms, Interval: 10 * ms, Rules: []Rule{{TTFT: new(3 * ms), Interval: new(Duration(0)), Tokens: 2}}}, streamed, []time.Duration{0, 3e6, 0}},
		"events":   {Script{TTFT: 5 * ms, Interval: 2 * ms, Rules: []Rule{{Events: []string{"a", "b", "c"}}}}, streamed, []time.Duration{0, 5e6, 2e6, 2e6}},
		"refusal":  {Script{TTFT: 50 * ms, Interval: 10 * ms}, `{}`, []time.Duration{0}},
	} {
		for range 2 {
			if got := slept(t, test.script, test.body); !cmp.Equal(got, test.want) {
				t.Errorf("%s: waited %v, not %v", name, got, test.want)
			}
		}
	}
	jittery := Script{TTFT: 50 * ms, Interval: 10 * ms, Jitter: 5 * ms, Tokens: 40}
	got := slept(t, jittery, streamed)
	if again := slept(t, jittery, streamed); !cmp.Equal(got, again) {
		t.Error("the same seed gives another rhythm")
	}
	jittery.Seed = 2
	if again := slept(t, jittery, streamed); cmp.Equal(got, again) {
		t.Error("another seed gives the same rhythm")
	}
	for _, d := range got[2:] {
		if d < 5e6 || d > 15e6 {
			t.Errorf("10 ms with 5 ms of jitter became %v", d)
		}
	}
}

// slept is how long a provider waits in the course of a call, in a recorder instead of a network.
func slept(t *testing.T, script Script, body string) []time.Duration {
	t.Helper()
	s := New(script)
	var waits []time.Duration
	s.sleep = func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	}
	s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body)))
	return waits
}
