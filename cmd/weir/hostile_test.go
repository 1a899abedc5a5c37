package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"go/version"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weirproxy/weir/internal/sim"
)

// An upstream is trusted no more than a caller. These tests run the program itself in its own process, and upstreams
// answer it in every wrong or endless way. Each fault reaches the caller in the words of the contract, and another
// target answers where one exists. The process grows by at most mostRise.

// mostRise is how much memory all of these answers may cost, above what the process uses after some ordinary calls.
const mostRise = 16 << 20

// largeRise is how much memory an answer may cost that ends just below the size limit. Weir then holds it as received,
// joined, changed and ready to send, and also what the walk remembers of it.
const largeRise = 96 << 20

// attempts is in how many processes an answer may take too much.
const attempts = 3

// mostSaid is how many bytes one answer may cost of the log.
const mostSaid = 8 << 10

// endless is the length of what has no end: a hundred times what any answer may be, so that only Weir can cut it.
const endless = 10 << 30

// wire is an upstream's connection after one call was read from it.
type wire struct {
	net.Conn
	trap string          // a URL that Weir must not call
	over <-chan struct{} // closed when the call has been answered
}

func (w *wire) text(parts ...string) {
	_, _ = io.WriteString(w.Conn, strings.Join(parts, "")) // whether something listens shows elsewhere
}

// flood writes the unit again and again, most bytes in all, until the other side has hung up or wants no more.
func (w *wire) flood(unit string, most int64) {
	block := strings.Repeat(unit, max(1, (32<<10)/len(unit)))
	for sent := int64(0); sent < most; sent += int64(len(block)) {
		if _, err := io.WriteString(w.Conn, block); err != nil {
			return
		}
		select {
		case <-w.over:
			return
		default:
		}
	}
}

// hostile is one way to answer.
type hostile struct {
	name   string
	answer func(*wire)
	whole  string // outcome of a complete answer: an error's code, or "ok"
	stream string // outcome of a stream, if different: also "cut: " and the code after content, or goesOn
	path   string // the endpoint, if not chat
	most   int64  // how much memory it may cost, if not mostRise
}

const (
	failed       = "upstream_failed"
	misplaced    = "upstream_misconfigured"
	cutShort     = "cut: upstream_failed"
	asUpstream   = "as upstream" // the upstream's own refusal, in the envelope
	goesOn       = "goes on"     // for as long as the caller reads
	late         = "timeout"
	wordOfAnswer = "word-of-an-answer"
)

// attack is the hostile upstreams.
type attack struct {
	good, trap   string // URLs of an upstream that answers, and of one that Weir must not call
	evil, evil2  string // addresses of the hostile ones, with HTTP/1 and HTTP/2
	certificates string // a file

	mu      sync.Mutex // guards all below
	answers map[string]func(*wire)
	over    chan struct{} // closed when the call that runs has been answered
	trapped int           // calls of the trap
	open    int           // connections of hostile upstreams
}

func newAttack(t *testing.T) *attack {
	t.Helper()
	a := &attack{answers: make(map[string]func(*wire))}
	good := httptest.NewServer(sim.New(sim.Script{}))
	t.Cleanup(good.Close)
	trap := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		a.mu.Lock()
		a.trapped++
		a.mu.Unlock()
	}))
	t.Cleanup(trap.Close)
	a.good, a.trap, a.evil = good.URL, trap.URL, a.listen(t)
	a.evil2, a.certificates = a.listen2(t)
	return a
}

// victim is the program in its process.
type victim struct {
	*child
	*attack
	base int64 // its memory after some ordinary calls, or the most that earlier answers made it take
}

// start starts the program. Models alone/* lead only to a hostile upstream. soon/* do too, with little time. other/* have
// a good target second. alone2/* and so on lead to the upstream that speaks HTTP/2.
func (a *attack) start(t *testing.T) *victim {
	t.Helper()
	config := fmt.Sprintf(`
providers:
  good: {kind: openai, base_url: "%s/v1"}
  evil: {kind: openai, base_url: "http://%s/v1", api_key: the-upstream-credential}
  evil2: {kind: openai, base_url: "https://%s/v1", api_key: the-upstream-credential, ca_file: %q}
keys: [{name: made, digest: %q}]
models:
  good: {targets: [good/chat]}
`, a.good, a.evil, a.evil2, a.certificates, digestOfMadeUp)
	for _, version := range []string{"", "2"} {
		config += fmt.Sprintf(`
  "alone%[1]s/*": {targets: ["evil%[1]s/*"], timeouts: {hold: 5m, first_token: 5m, total: 5m}}
  "soon%[1]s/*": {targets: ["evil%[1]s/*"], timeouts: {hold: 5m, first_token: 500ms, total: 500ms}}
  "other%[1]s/*": {targets: ["evil%[1]s/*", good/chat], timeouts: {hold: 5m, first_token: 5m, total: 5m}}
`, version)
	}
	v := &victim{attack: a, child: startChild(t, config)}
	v.awaitLists(t)
	for range 5 {
		for _, body := range []string{strings.Replace(hello, "sim/chat", "good", 1), streamOf("good")} {
			if status, text := v.post(t, "/v1/chat/completions", body); status != 200 {
				t.Fatalf("%d %s", status, text)
			}
		}
	}
	v.base = v.resident()
	return v
}

// modelList is what a hostile upstream answers when it is asked for its models.
const modelList = `{"data":[{"id":"listed"}]}`

// awaitLists waits until Weir has fetched the model lists of the hostile upstreams. Over HTTP/2 it would fetch them on the
// connection of a call. An upstream here hangs up when a second call comes, so the first call would fail. Lists that came are
// asked for again after an hour only.
func (v *victim) awaitLists(t *testing.T) {
	t.Helper()
	eventually(t, "the model lists of the upstreams come", func() bool {
		resp := v.call(http.MethodGet, "/v1/models", madeUp, "")
		text := read(t, resp.Body)
		return strings.Contains(text, `"alone/listed"`) && (!http2IsSpoken() || strings.Contains(text, `"alone2/listed"`))
	})
}

// listen starts an upstream that answers as the model's name says.
func (a *attack) listen(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go a.accept(l, a.serve)
	return l.Addr().String()
}

// accept has connections served, and counts those that are open.
func (a *attack) accept(l net.Listener, serve func(net.Conn)) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		a.count(1)
		go func() {
			defer a.count(-1)
			defer c.Close()
			serve(c)
		}()
	}
}

func (a *attack) count(n int) {
	a.mu.Lock()
	a.open += n
	a.mu.Unlock()
}

// serve answers one call, sends whatever the case adds after the answer, and waits until the other side hangs up.
func (a *attack) serve(c net.Conn) {
	req, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	w := &wire{Conn: c, trap: a.trap}
	if req.Method == http.MethodGet {
		whole(jsonType, modelList)(w)
	} else {
		a.answer(w, body)
	}
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.CloseWrite()
	}
	_, _ = io.Copy(io.Discard, c)
}

// answer answers the call with this body.
func (a *attack) answer(w *wire, body []byte) {
	var call struct{ Model string }
	_ = json.Unmarshal(body, &call) // Weir sends JSON
	a.mu.Lock()
	answer := a.answers[call.Model]
	w.over = a.over
	a.mu.Unlock()
	if answer != nil {
		answer(w)
	}
}

// rise is how much larger than at first the process has been.
func (v *victim) rise() int64 {
	v.t.Helper()
	return v.peak() - v.base
}

// post makes a call and reads the answer: whole, or of a stream the last of its first 64 MiB.
func (v *victim) post(t *testing.T, path, body string) (status int, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, v.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+madeUp)
	req.Close = true
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatalf("%v\n%s", err, v.stderr)
	}
	defer resp.Body.Close()
	keep := 64 << 20
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		keep = 4 << 10
	}
	var last []byte
	buf := make([]byte, 64<<10)
	for read := 0; read < 64<<20; {
		n, err := resp.Body.Read(buf)
		read += n
		if last = append(last, buf[:n]...); len(last) > 2*keep {
			last = append(last[:0], last[len(last)-keep:]...)
		}
		if err != nil {
			break // an answer that breaks off is seen in what came
		}
	}
	return resp.StatusCode, string(last)
}

// told is what the caller saw: "ok", an error's code, or "cut: " and the code of an error that came after content.
func told(status int, text string, stream bool) string {
	var body struct {
		Error *struct{ Message, Type, Code string }
	}
	if status != 200 {
		if json.Unmarshal([]byte(text), &body) != nil || body.Error == nil || body.Error.Message == "" {
			return fmt.Sprintf("%d without an envelope: %.200s", status, text)
		}
		return body.Error.Code
	}
	if !stream {
		if !json.Valid([]byte(text)) {
			return "no JSON"
		}
		return "ok"
	}
	if strings.HasSuffix(text, "\n\ndata: [DONE]\n\n") {
		return "ok"
	}
	i := strings.LastIndex(strings.TrimSuffix(text, "\n\n"), "data: ")
	if i < 0 || json.Unmarshal([]byte(text[i+len("data: "):]), &body) != nil || body.Error == nil {
		return goesOn
	}
	return "cut: " + body.Error.Code
}

var statusOf = map[string]int{"ok": 200, late: 504, goesOn: 200, cutShort: 200, failed: 502, misplaced: 502}

// call is one call of a case.
type call struct {
	hostile
	asStream bool
	version  string // "2" for HTTP/2
}

// calls expands the cases into calls.
func calls(cases []hostile, version string) []call {
	var list []call
	for _, h := range cases {
		if h.whole != "" {
			list = append(list, call{h, false, version})
		}
		if h.path == "" {
			if h.stream != "" {
				h.whole = h.stream
			}
			list = append(list, call{h, true, version})
		}
	}
	return list
}

// String names the call.
func (c call) String() string {
	return fmt.Sprintf("%s, HTTP %s, stream %v", c.name, cmp.Or(c.version, "1"), c.asStream)
}

// needsHTTP2 skips the call where Weir does not speak HTTP/2 to providers.
func (c call) needsHTTP2(t *testing.T) {
	t.Helper()
	if c.version == "2" && !http2IsSpoken() {
		t.Skip("built with " + runtime.Version() + ", whose HTTP/2 client is not used")
	}
}

// http2IsSpoken reports whether Weir speaks HTTP/2 to providers.
func http2IsSpoken() bool { return version.Compare(runtime.Version(), "go1.26.11") >= 0 }

// body is that of the call, to a model.
func (c call) body(model string) string {
	switch {
	case c.asStream:
		return streamOf(model)
	case strings.HasSuffix(c.path, "embeddings"):
		return fmt.Sprintf(`{"model":%q,"input":"hi"}`, model)
	default:
		return fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":"hi"}]}`, model)
	}
}

// mayTake is how much memory it may cost.
func (c call) mayTake() int64 { return max(c.most, mostRise) }

// make makes the call, first with no other target, then with a good target second. rise is how much larger the process was
// than at first, when the hostile answer had come.
func (v *victim) make(t *testing.T, c call) (rise int64) {
	t.Helper()
	v.t = t
	v.mu.Lock()
	v.answers[c.name], v.over = c.answer, make(chan struct{})
	defer close(v.over)
	v.mu.Unlock()
	path := "/v1/chat/completions"
	if c.path != "" {
		path = c.path
	}
	model := "alone" + c.version + "/" + c.name
	if c.whole == late {
		model = "soon" + c.version + "/" + c.name
	}
	before := len(v.stderr.String())
	status, text := v.post(t, path, c.body(model))
	got := told(status, text, c.asStream)
	if c.whole == asUpstream && (status == 400 || status == 422) && !strings.Contains(got, " without ") {
		got = asUpstream
	}
	if want, ok := statusOf[c.whole]; got != c.whole || ok && status != want {
		t.Errorf("told %d %q, want %q; the log: %.3000s", status, got, c.whole, v.stderr.String()[before:])
	}
	if strings.Contains(text, "the-upstream-credential") || strings.Contains(text, v.evil) || strings.Contains(text, v.evil2) {
		t.Errorf("what is private was told: %.300s", text)
	}
	if said := v.stderr.String()[before:]; len(said) > mostSaid {
		t.Errorf("the log grew by %d bytes: %.1000s", len(said), said)
	}
	rise = v.rise()
	t.Logf("the process grew by %.1f MiB", float64(rise)/(1<<20))
	if c.path == "" && (c.whole == failed || c.whole == misplaced) {
		if status, text := v.post(t, path, c.body("other"+c.version+"/"+c.name)); told(status, text, c.asStream) != "ok" {
			t.Errorf("with another target: %d %.300s", status, text)
		}
	}
	return rise
}

// survives checks what holds after any answers.
func (v *victim) survives(t *testing.T) {
	t.Helper()
	v.t = t
	eventually(t, "all connections to hostile upstreams end", func() bool {
		v.mu.Lock()
		defer v.mu.Unlock()
		return v.open == 0
	})
	v.mu.Lock()
	if v.trapped > 0 {
		t.Errorf("%d redirects were followed", v.trapped)
	}
	v.mu.Unlock()
	if status, text := v.post(t, "/v1/chat/completions", streamOf("good")); told(status, text, true) != "ok" {
		t.Errorf("an ordinary call: %d %s", status, text)
	}
	log := v.stderr.String()
	for _, word := range []string{"panic", `"level":"ERROR"`, wordOfAnswer, "the-upstream-credential"} {
		if i := strings.Index(log, word); i >= 0 {
			t.Errorf("the log has %q: …%s", word, log[max(0, i-1000):min(len(log), i+1000)])
		}
	}
	for line := range strings.Lines(log) {
		if len(line) > 4<<10 {
			t.Errorf("a line of the log has %d bytes: %.2000s", len(line), line)
		}
	}
}

// Wrong answers, one after the other.
func TestHostileAnswers(t *testing.T) {
	t.Parallel()
	v := newAttack(t).start(t)
	for _, c := range slices.Concat(calls(hostiles(), ""), calls(hostiles2(), "2")) {
		t.Run(c.String(), func(t *testing.T) {
			c.needsHTTP2(t)
			v.base = v.peak() // what those before took is not this one's
			if v.make(t, c) > c.mayTake() {
				t.Error("that is too much")
			}
		})
	}
	v.survives(t)
}

// Answers without end, and large ones. Each has its own process: garbage left by one would hide what the next one uses. The
// collector runs again when the heap is a multiple of what it found alive, usually at 12 MiB (memory.Floor). If it runs while a
// large event is held, more garbage stays afterwards. What an answer needs, each of several processes takes.
func TestEndlessAnswers(t *testing.T) {
	t.Parallel()
	endlessly(t, false)
}

// Those that take seconds each.
func TestLongEndlessAnswers(t *testing.T) {
	long(t)
	endlessly(t, true)
}

// slowAnswers are the endless answers that take seconds each, by their names, with HTTP/1 and HTTP/2.
var slowAnswers = map[string]bool{
	"a bomb of line ends": true, "a bomb of an answer": true, "a bomb of one event": true, "a bomb of comments": true,
	"names of events without end": true, "events by the hundred thousand": true, "choices by the million": true,
	"tool calls by the million": true, "ids of a megabyte": true, "settings": true,
	"a bomb of white space": true, "a bomb of zeros": true, "pings": true, "roles without end": true,
}

func endlessly(t *testing.T, slow bool) {
	if testing.Short() {
		t.Skip("it builds the program, which -short leaves out")
	}
	for _, c := range slices.Concat(calls(endlessAnswers(), ""), calls(endlessAnswers2(), "2")) {
		if slowAnswers[c.name] != slow {
			continue
		}
		t.Run(c.String(), func(t *testing.T) {
			c.needsHTTP2(t)
			for range attempts {
				v := newAttack(t).start(t)
				rise := v.make(t, c)
				v.survives(t)
				if rise <= c.mayTake() {
					return
				}
			}
			t.Errorf("in each of %d processes that is too much", attempts)
		})
	}
}
