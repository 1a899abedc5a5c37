package relay

import (
	"bytes"
	"fmt"
	"io"
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
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
)

// Requests, what upstreams answer, and what becomes of both, in files that a person can read. Each case has:
//
//	=== a name
//	ask chat strict          the endpoint, and what else is so: strict, hide, explain, echo, most=BYTES of an answer, room=BYTES of memory;
//	                         fill=N puts so many letters wherever FILL stands
//	{"model":"m",...}
//	at one openai up         a target: its name, kind and model; then keys=N, omit=NAME, rename=FROM:TO, repeats
//	answers 200 Name: value  what it answers first, next ..., lines of a body below; "sends" has an event in each line, and
//	                         what "breaks" ends before the length that it told
//	---
//	what each upstream was sent, what the caller got, and the account
func TestServe(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/serve/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var told strings.Builder
			for _, text := range strings.Split(string(text), "=== ")[1:] {
				script, _, _ := strings.Cut(text, "---\n")
				fmt.Fprintf(&told, "=== %s---\n%s\n", script, serveCase(t, script))
			}
			if *update {
				if err := os.WriteFile(file, []byte(told.String()), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(text), told.String()); diff != "" && !*update {
				t.Errorf("-update writes it:\n%s", diff)
			}
		})
	}
}

// scripted is an upstream that gives its answers in turn, the last one for ever.
type scripted struct {
	mu      sync.Mutex // guards what follows
	name    string
	answers []*answerOf
	asked   []string
}

type answerOf struct {
	status int
	header string
	verb   string
	body   bytes.Buffer
}

// ServeHTTP implements http.Handler.
func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.asked = append(s.asked, fmt.Sprintf("%s is sent %s %s", s.name, r.URL.RequestURI(), body))
	a := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	s.mu.Unlock()
	if name, value, ok := strings.Cut(a.header, ": "); ok {
		w.Header().Set(name, value)
	}
	if a.verb == "breaks" {
		w.Header().Set("Content-Length", strconv.Itoa(a.body.Len()+1))
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body.Bytes())
}

// words are a line's, and whether one of them is there.
type words []string

func (w words) has(word string) bool { return slices.Contains(w, word) }

func (w words) value(name string) string {
	for _, word := range w {
		if v, ok := strings.CutPrefix(word, name+"="); ok {
			return v
		}
	}
	return ""
}

// serveCase plays a case, and returns what became of it.
func serveCase(t *testing.T, script string) string {
	t.Helper()
	asks := words(strings.Fields(strings.Split(script, "\n")[1]))
	fill, _ := strconv.Atoi(asks.value("fill"))
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(script, "FILL", strings.Repeat("a", fill)), "\n"), "\n")
	endpoint := map[string]llm.Endpoint{"chat": llm.Chat, "completions": llm.Completions, "embeddings": llm.Embeddings}[asks[1]]
	call, refused := passthrough.ParseRequest(endpoint, []byte(lines[2]), 64)
	if refused != nil {
		t.Fatalf("%s: %v", lines[0], refused)
	}
	most, _ := strconv.ParseInt(asks.value("most"), 10, 64)
	memory := new(counted)
	memory.most, _ = strconv.Atoi(asks.value("room"))
	model := &route.Model{Name: "m", MaxAttempts: 9, EchoModel: asks.has("echo"), Timeouts: route.Timeouts{Hold: time.Hour}}
	req := &Request{
		ID: "own", Ingress: ingressOf(call), Asked: call, Providers: map[string]*provider.Provider{}, Caller: http.Header{}, Started: time.Now(), MaxAnswer: most, Memory: memory,
		Strict: asks.has("strict"), Hide: asks.has("hide"), Explain: asks.has("explain"), Route: route.Route{Board: route.NewBoard(), Model: model},
	}
	upstreams := scriptUpstreams(t, req, lines[3:])
	w := httptest.NewRecorder()
	res := Serve(t.Context(), w, req)
	var told strings.Builder
	for _, u := range upstreams {
		if endpoint == llm.Embeddings { // calls are made side by side
			slices.Sort(u.asked)
		}
		for _, asked := range u.asked {
			fmt.Fprintln(&told, asked)
		}
	}
	tellAnswer(&told, w)
	tellResult(&told, res)
	// The gateway has counted the body, which is given back with the call. How much it was at most depends on the buffers that are there.
	if left := memory.held + len(lines[2]) - len(req.Asked.Scan().Raw); left != 0 && left != len(lines[2]) {
		fmt.Fprintf(&told, "of memory %d bytes stay counted\n", left)
	}
	text := durations.ReplaceAllString(seconds.ReplaceAllString(told.String(), `"created":0`), " 0ms")
	return filled.ReplaceAllStringFunc(text, func(run string) string { return fmt.Sprintf("(%d letters)", len(run)) })
}

// What no two runs have in common.
var (
	seconds   = regexp.MustCompile(`"created":\d+`)
	durations = regexp.MustCompile(` \d+ms\b`)
	filled    = regexp.MustCompile(`a{100,}`)
)

// scriptUpstreams starts the upstreams that the lines name, and makes targets of them.
func scriptUpstreams(t *testing.T, req *Request, lines []string) (all []*scripted) {
	t.Helper()
	var a *answerOf
	for _, line := range lines {
		w := words(strings.Fields(line))
		switch {
		case strings.HasPrefix(line, "at "):
			u := &scripted{name: w[1]}
			u.mu.Lock() // until its answers are there
			defer u.mu.Unlock()
			all = append(all, u)
			server := httptest.NewServer(u)
			t.Cleanup(server.Close)
			addScripted(t, req, w, server.URL)
		case strings.HasPrefix(line, "answers "), strings.HasPrefix(line, "sends "), strings.HasPrefix(line, "breaks "):
			status, _ := strconv.Atoi(w[1])
			a = &answerOf{status: status, verb: w[0], header: strings.Join(w[2:], " ")}
			u := all[len(all)-1]
			u.answers = append(u.answers, a)
		case a.verb == "sends":
			fmt.Fprintf(&a.body, "data: %s\n\n", line)
		default:
			a.body.WriteString(line)
		}
	}
	return all
}

func addScripted(t *testing.T, req *Request, w words, url string) {
	t.Helper()
	cfg := config.Provider{Name: w[1], Kind: w[2], BaseURL: url + "/v1"}
	n, _ := strconv.Atoi(w.value("keys"))
	for i := range n {
		cfg.APIKeys = append(cfg.APIKeys, secret.New(fmt.Sprintf("credential-number-%d", i)))
	}
	if cfg.Kind == "vertex" {
		cfg.Project, cfg.Region, cfg.Headers = "p", "r", map[string]secret.Text{"Authorization": secret.New("Bearer token")}
	}
	p := upstreamOf(t, cfg)
	req.Providers[cfg.Name] = p
	target := route.Target{Provider: cfg.Name, Model: w[3], Credentials: max(n, 1)}
	if omit := w.value("omit"); omit != "" {
		target.Omit = strings.Split(omit, ",")
	}
	if from, to, ok := strings.Cut(w.value("rename"), ":"); ok {
		target.Rename = map[string]string{from: to}
	}
	if set, value, ok := strings.Cut(w.value("set"), ":"); ok {
		target.Added.Set = []llm.Param{{Name: set, Value: llm.JSON(value)}}
	}
	req.Route.Targets = append(req.Route.Targets, target)
}

// spent is what a usage has nothing of.
var spent = regexp.MustCompile(`[A-Za-z0-9]+:(0|false)? |Cost:\{Nanodollars:0 Known:false\}| ?Charged:\{Input:0 Output:0 Known:false\} Absurd:false| $`)

func tellAnswer(told *strings.Builder, w *httptest.ResponseRecorder) {
	if w.Body.Len() == 0 && len(w.Header()) == 0 {
		fmt.Fprintln(told, "the caller gets nothing")
		return
	}
	fmt.Fprintf(told, "the caller gets %d\n", w.Code)
	var names []string
	for name := range w.Header() {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(told, "%s: %s\n", name, strings.Join(w.Header()[name], " | "))
	}
	fmt.Fprintln(told, strings.TrimSpace(w.Body.String()))
}

func tellResult(told *strings.Builder, res *Result) {
	for _, c := range res.Calls {
		fmt.Fprintf(told, "call of attempt %d at %s, credential %d: %s %d %q", c.Attempt, c.Target, c.Credential, c.Outcome, c.Status, c.RequestID)
		if c.HasUsage {
			fmt.Fprintf(told, " took %s, estimated %v", spent.ReplaceAllString(fmt.Sprintf("%+v ", c.Usage), ""), c.Estimated)
		}
		if c.Ends != 0 {
			fmt.Fprintf(told, ", %s", c.Ends)
		}
		if c.Err != nil {
			fmt.Fprintf(told, ", because: %v", c.Err)
		}
		if c.Said != "" {
			fmt.Fprintf(told, ", saying: %s", c.Said)
		}
		fmt.Fprintln(told)
	}
	for _, s := range res.Considered {
		if s.Skip != route.NotSkipped {
			fmt.Fprintf(told, "%s is skipped: %s\n", s.Target, s.Skip)
		}
	}
	fmt.Fprintf(told, "status %d, attempts %d, answering %d, cut %v, finish %q, ignored %q, usage known %v, estimated %v\n",
		res.Status, res.Attempts, res.Answering, res.Cut, res.Finish, res.Ignored, res.HasUsage, res.Estimated)
	res.Repairs.Each(func(kind string, n int) { fmt.Fprintf(told, "mended %s %d times\n", kind, n) })
	if res.Err != nil {
		fmt.Fprintf(told, "error %d %s, param %q, wait %v, no retry %v: %s\n", res.Err.HTTPStatus(), res.Err.Code(), res.Err.Param, res.Err.RetryAfter, res.Err.NoRetry, res.Err.Message)
		if res.Err.Refusal != nil {
			fmt.Fprintf(told, "%s\n", dialect.ErrorBody(res.Err))
		}
	}
}
