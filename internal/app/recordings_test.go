package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/dialect/refusal"
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

// whole sends the body at once, bytewise sends each byte separately, and upTo sends only the start of it.
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
	*recorded.Table
	player   *player
	key      string
	everyCut bool // streams are cut at all places, not at someCuts
}

func newRigOf(t *testing.T, kind string) *rig {
	t.Helper()
	p := &player{}
	upstream := httptest.NewServer(p)
	t.Cleanup(upstream.Close)
	path := filepath.Join(t.TempDir(), "weir.yaml")
	config := fmt.Sprintf("providers: {up: {kind: %s, base_url: %q}}\nmodels: {m: {targets: [up/m]}}\n", kind, upstream.URL)
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	w := apptest.Start(t, path)
	return &rig{Weir: w, player: p, key: w.NewKey(t, "recordings")}
}

// Requests that differ in what they ask of a stream.
const (
	complete  = ``
	streamed  = `,"stream":true`
	withUsage = `,"stream":true,"stream_options":{"include_usage":true}`
)

// ask sends a small request and returns the answer's status and body.
func (r *rig) ask(t *testing.T, e llm.Endpoint, options string) (int, []byte) {
	t.Helper()
	body := map[llm.Endpoint]string{
		llm.Chat: `{"model":"m","messages":[{}]`, llm.Completions: `{"model":"m","prompt":"p"`, llm.Embeddings: `{"model":"m","input":"i"`,
	}[e]
	return r.send(t, e, body+options+"}")
}

func (r *rig) send(t *testing.T, e llm.Endpoint, body string) (int, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+r.Addr()+"/v1"+e.Path(), strings.NewReader(body))
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
	if resp.StatusCode != http.StatusOK || bytes.Contains(answer, []byte(`data: {"error":`)) {
		if _, err := r.Reload(t.Context()); err != nil { // the target would soon be called no more
			t.Fatal(err)
		}
	}
	return resp.StatusCode, answer
}

// explained sends a request, and compares the changes on the way with the metrics. Each difference between the
// recording and the answer is a counted repair, or follows another rule.
func (r *rig) explained(t *testing.T, e llm.Endpoint, options string, compare func(answer []byte) recorded.Changes) (int, []byte) {
	t.Helper()
	before := r.repairs(t)
	status, answer := r.ask(t, e, options)
	if status != http.StatusOK {
		return status, answer
	}
	counted := r.repairs(t)
	for kind, n := range before {
		if counted[kind] -= n; counted[kind] == 0 {
			delete(counted, kind)
		}
	}
	delete(counted, "unfinished") // changes nothing
	changes := compare(answer)
	for _, what := range changes.Unexplained {
		t.Errorf("no rule explains this: %s", what)
	}
	maps.DeleteFunc(changes.Kinds, func(_ string, n int) bool { return n == 0 })
	if diff := cmp.Diff(counted, changes.Kinds); diff != "" {
		t.Errorf("counted (-) and found (+) repairs:\n%s", diff)
	}
	return status, answer
}

var repairsTotal = regexp.MustCompile(`(?m)^weir_repairs_total\{kind="(\w+)",provider="up"\} (\d+)$`)

// repairs are those counted so far, by kind.
func (r *rig) repairs(t *testing.T) map[string]int {
	t.Helper()
	kinds := map[string]int{}
	for _, m := range repairsTotal.FindAllStringSubmatch(manage(t, r.Weir, "GET", "/metrics", "").body, -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		kinds[m[1]] = n
	}
	return kinds
}

// replayStreams: whole and byte by byte they say the same; cut at any event they end in an error,
// unless all was said.
func replayStreams(t *testing.T, rig *rig) {
	recorded.Streams(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		rig.Note(t, r)
		body := r.Response.Body.Bytes()
		rig.player.set(whole(body))
		if r.Failed(t) {
			status, answer := rig.ask(t, e, withUsage)
			if status == http.StatusOK && !bytes.Contains(answer, []byte(`data: {"error":{"message"`)) {
				t.Errorf("the upstream's error was swallowed: %s", tailOf(answer))
			}
			return
		}
		compare := func(asked recorded.Usage) func([]byte) recorded.Changes {
			return func(answer []byte) recorded.Changes {
				in, _ := recorded.Payloads(t, body)
				out, _ := recorded.Payloads(t, answer)
				return recorded.CompareStreams(in, out, asked)
			}
		}
		status, answer := rig.explained(t, e, withUsage, compare(recorded.Caller))
		if status != http.StatusOK {
			t.Fatalf("%d %s", status, answer)
		}
		payloads, done := recorded.Payloads(t, answer)
		if !done {
			t.Fatalf("no [DONE]: %s", tailOf(answer))
		}
		recorded.CheckStream(t, payloads, e == llm.Completions)
		want := recorded.Read(t, payloads)
		rig.explained(t, e, streamed, compare(recorded.Weir))

		if len(body) < 64<<10 {
			rig.player.set(bytewise(body))
			_, again := rig.ask(t, e, withUsage)
			if diff := cmp.Diff(noIDs(t, answer), noIDs(t, again)); diff != "" {
				t.Errorf("byte by byte it is another stream:\n%s", diff)
			}
		}
		rig.cutEverywhere(t, e, body, want)
	})
}

// someCuts is at how many places a recorded stream is cut by make test. Some have hundreds of events.
const someCuts = 30

// cuts are beginnings of a recorded stream: all, or some of them, from its first event to its last.
func (r *rig) cuts(body []byte, end string) iter.Seq[recorded.Cut] {
	all := slices.Collect(recorded.Cuts(body, end))
	step := 1
	if !r.everyCut {
		step = len(all)/someCuts + 1
		if step%3 == 0 { // there are three for each event: all ways of cutting should be among them
			step++
		}
	}
	return func(yield func(recorded.Cut) bool) {
		for i := len(all) - 1; i >= 0; i -= step {
			if !yield(all[i]) {
				return
			}
		}
	}
}

// cutEverywhere ends the upstream's stream after events and within them.
func (r *rig) cutEverywhere(t *testing.T, e llm.Endpoint, body []byte, want recorded.Said) {
	t.Helper()
	for cut := range r.cuts(body, "") {
		r.player.set(whole(cut.Body))
		status, answer := r.ask(t, e, withUsage)
		if status != http.StatusOK {
			continue // nothing had been said: the caller got a clean error
		}
		payloads, done := recorded.Payloads(t, answer)
		last := payloads[len(payloads)-1]
		failed := strings.HasPrefix(last, `{"error":{"message"`)
		if failed == done {
			t.Fatalf("cut %s: [DONE] %v, error %v: %s", cut, done, failed, tailOf(answer))
		}
		if failed {
			payloads = payloads[:len(payloads)-1]
		}
		for i, text := range recorded.Read(t, payloads).Text {
			if !strings.HasPrefix(want.Text[i], text) {
				t.Fatalf("cut %s: %q is no beginning of %q", cut, text, want.Text[i])
			}
		}
		if done && recorded.Read(t, payloads).Text[0] != want.Text[0] {
			t.Fatalf("cut %s: a part was sent as if it were all", cut)
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

// replayAnswers: whole and byte by byte they say what was recorded.
func replayAnswers(t *testing.T, rig *rig) {
	recorded.Answers(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		rig.Note(t, r)
		body := r.Response.Body.Bytes()
		rig.player.set(whole(body))
		status, answer := rig.explained(t, e, complete, func(answer []byte) recorded.Changes {
			return recorded.CompareAnswers(string(body), string(answer))
		})
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
		if _, again := rig.ask(t, e, complete); len(body) < 64<<10 && len(again) != len(answer) {
			t.Errorf("byte by byte it is another answer: %s", again)
		}
	})
}

// replayEmbeddings: they come as they are, because the requests that were recorded with them ask for what came.
func replayEmbeddings(t *testing.T, rig *rig) {
	recorded.Embeddings(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		rig.Note(t, r)
		body := r.Response.Body.Bytes()
		rig.player.set(bytewise(body))
		request := regexp.MustCompile(`"model": *"[^"]*"`).ReplaceAll(r.Request.Body.Bytes(), []byte(`"model":"m"`))
		want := totalAlone.ReplaceAll(body, []byte(`$1"prompt_tokens":$3,$2`))
		if status, answer := rig.send(t, e, string(request)); status != http.StatusOK || !bytes.Equal(answer, want) {
			t.Errorf("%d %s", status, tailOf(answer))
		}
	})
}

// totalAlone is a usage with only the total; an answer to embeddings gets the other half too.
var totalAlone = regexp.MustCompile(`("usage": *\{)(\s*"total_tokens": *(\d+))`)

// replayRefusals: each becomes what the table of errors says of it, and one of the request itself keeps
// its message.
func replayRefusals(t *testing.T, rig *rig) {
	recorded.Refusals(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		rig.Note(t, r)
		body := r.Response.Body.Bytes()
		rig.player.set(func(w http.ResponseWriter) {
			w.WriteHeader(r.Response.Status)
			_, _ = w.Write(body)
		})
		for _, options := range []string{complete, streamed} {
			status, answer := rig.ask(t, e, options)
			want := map[int]struct {
				status int
				code   string
			}{400: {400, ""}, 401: {502, "upstream_auth"}, 404: {502, "upstream_misconfigured"}, 429: {429, "upstream_rate_limited"}}[r.Response.Status]
			if refusal.Parse(body).ModelNotFound() { // whatever the status
				want.status, want.code = 502, "upstream_misconfigured"
			}
			var told, said struct {
				Error  struct{ Message, Code string }
				Detail string
			}
			if err := json.Unmarshal(answer, &told); err != nil || status != want.status || want.code != "" && told.Error.Code != want.code {
				t.Errorf("%d %s: %v", status, answer, err)
			}
			err := json.Unmarshal(body, &said)
			if said.Detail != "" { // Voyage's word
				said.Error.Message = said.Detail
			}
			if status == 400 && (err != nil || told.Error != said.Error) {
				t.Errorf("%s was said, and %s told: %v", body, answer, err)
			}
		}
	})
}
