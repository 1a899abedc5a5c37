package app_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/version"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
)

// The tests that torture run Weir between two simulated providers, each called in every dialect, over real sockets. Every
// trial has a model and targets of its own, so that the health of one trial's targets does not affect the next.

// kinds are providers' kinds, one for each dialect.
var kinds = []string{"openai", "anthropic", "gemini", "bedrock", "cohere"}

// The providers' names, which their texts begin with. They are equally long, so that answers are.
const firstName, secondName = "first", "other"

// trial is one model, and what happens to calls for it.
type trial struct {
	kind     string
	what     string // names it in a test's output
	stream   bool
	path     string    // the endpoint, if it is not chat
	first    sim.Rule  // what the first target does
	second   *sim.Rule // what the second one does; nil answers
	alone    bool      // it has no second target
	timeouts string    // timeouts of the model
	hedge    string    // the model's hedge, if set
	places   int       // at each target, if they are bounded

	model string // its name, made by newTorture
}

// String names the trial.
func (c trial) String() string {
	way := "whole"
	if c.stream {
		way = "stream"
	}
	return c.kind + c.path + "/" + way + "/" + c.what
}

// target is one of the trial's, as a config has it.
func (c trial) target(provider string) string {
	bound := ""
	if c.places > 0 {
		bound = fmt.Sprintf(", concurrent: %d", c.places)
	}
	return fmt.Sprintf("{provider: %s-%s, model: %s%s}", provider, c.kind, c.model, bound)
}

// chats, completions and embeddings are the paths of endpoints.
const chats, completions, embeddings = "/v1/chat/completions", "/v1/completions", "/v1/embeddings"

func (c trial) endpoint() string { return cmp.Or(c.path, chats) }

// body is that of the trial's call. There are several prompts, and more inputs than most APIs take in one call.
func (c trial) body() string {
	switch {
	case c.path == completions:
		return fmt.Sprintf(`{"model":%q,"stream":%v,"prompt":["one","two"]}`, c.model, c.stream)
	case c.path == embeddings:
		return fmt.Sprintf(`{"model":%q,"input":["hi"%s]}`, c.model, strings.Repeat(`,"hi"`, 499))
	case c.stream:
		return streamBody(c.model)
	default:
		return chatBody(c.model)
	}
}

// torture is Weir between two providers.
type torture struct {
	*apptest.Weir
	first, second *apptest.Upstream
	proto         string // that Weir speaks to them
	key           string
	client        *http.Client // whose connections do not stay; what hangs fails
}

// newTorture starts them, and names the trials' models. proto is the major version of HTTP that the providers speak.
func newTorture(t *testing.T, proto int, trials []trial) *torture {
	t.Helper()
	scripts := [2]sim.Script{{Name: firstName, Seed: 1, Tokens: 5, Created: 1760000000}, {Name: secondName, Seed: 2, Tokens: 5, Created: 1760000000}}
	models := "models:\n"
	for i := range trials {
		c := &trials[i]
		c.model = fmt.Sprintf("c%04d", i)
		targets := c.target(firstName)
		if !c.alone {
			targets += ", " + c.target(secondName)
		}
		hedge := ""
		if c.hedge != "" {
			hedge = ", hedge: {" + c.hedge + "}"
		}
		models += fmt.Sprintf("  %s: {targets: [%s], timeouts: {%s}%s}\n", c.model, targets, c.timeouts, hedge)
		for n, rule := range []*sim.Rule{&c.first, c.second} {
			if rule != nil {
				rule.Match = sim.Match{Model: c.model}
				scripts[n].Rules = append(scripts[n].Rules, *rule)
			}
		}
	}
	w := &torture{proto: map[int]string{1: "HTTP/1.1", 2: "HTTP/2.0"}[proto], client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 2 * patience}}
	config := "providers:\n"
	for n, up := range []**apptest.Upstream{&w.first, &w.second} {
		script, err := json.Marshal(scripts[n])
		if err != nil {
			t.Fatal(err)
		}
		trust := ""
		if proto == 2 {
			*up, trust = apptest.NewUpstreamHTTP2(t, script)
			trust = ", ca_file: " + strconv.Quote(trust)
		} else {
			*up = apptest.NewUpstream(t, script)
		}
		for _, kind := range kinds {
			config += fmt.Sprintf("  %s-%s: {kind: %s, base_url: %q, api_key: upstream-credential%s}\n", scripts[n].Name, kind, kind, baseOf(kind, *up), trust)
		}
	}
	w.Weir = apptest.StartWith(t, config+models)
	w.key = w.NewKey(t, "torture")
	return w
}

// baseOf is the base URL under which a kind's API is at an upstream.
func baseOf(kind string, up *apptest.Upstream) string {
	if kind == "cohere" { // their paths differ by version
		return strings.TrimSuffix(up.URL(), "/v1")
	}
	return up.URL()
}

// ask makes a trial's call and reads the answer whole.
func (w *torture) ask(t *testing.T, c trial, header ...string) answer {
	t.Helper()
	return do(t, w.client, request(t, "POST", w.URL()+c.endpoint(), c.body(), append([]string{"Authorization", "Bearer " + w.key}, header...)...))
}

// eachProto runs a test with providers that speak HTTP/1.1 and with some that speak HTTP/2, where Weir does.
func eachProto(t *testing.T, test func(t *testing.T, proto int)) {
	t.Helper()
	for proto := 1; proto <= 2; proto++ {
		t.Run(fmt.Sprintf("HTTP%d", proto), func(t *testing.T) {
			if proto == 2 && version.Compare(runtime.Version(), "go1.26.11") < 0 {
				t.Skip("built with " + runtime.Version() + ", whose HTTP/2 client is not used")
			}
			test(t, proto)
		})
	}
}

// callsOf are an upstream's calls for a model.
func callsOf(served []sim.Served, model string) []sim.Served {
	var list []sim.Served
	for _, s := range served {
		if s.Model == model {
			list = append(list, s)
		}
	}
	return list
}

// metric is a figure without labels.
func (w *torture) metric(t *testing.T, name string) string {
	t.Helper()
	a := do(t, w.client, request(t, "GET", w.AdminURL()+"/metrics", ""))
	for line := range strings.Lines(a.body) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	t.Fatalf("there is no figure %s", name)
	return ""
}

// rooms are the packages that run no function while Weir is idle.
var rooms = []string{"relay.", "h1.", "gateway.(*Gateway).serve"}

// rests waits until nothing of a request is left: no call, no memory held, no goroutine. It is for tests that do not run
// in parallel.
func (w *torture) rests(t *testing.T) {
	t.Helper()
	until(t, "the upstreams' calls end", func() bool { return w.first.Active() == 0 && w.second.Active() == 0 })
	until(t, "no request runs", func() bool { return w.metric(t, "weir_requests_running") == "0" })
	until(t, "no memory is held", func() bool { return w.metric(t, "weir_memory_held_bytes") == "0" })
	until(t, "no goroutine of a request is left", func() bool {
		stacks := make([]byte, 4<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		for _, room := range rooms {
			if strings.Contains(string(stacks), "github.com/weirproxy/weir/internal/"+room) {
				return false
			}
		}
		return true
	})
}

// slowest is the longest of some times, for a test's output: no check depends on it.
type slowest struct {
	took time.Duration
	what string
}

func (s *slowest) note(took time.Duration, what string) {
	if took >= s.took {
		s.took, s.what = took, what
	}
}
