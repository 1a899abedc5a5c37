// Package callers runs unmodified clients of OpenAI's Responses API, Anthropic's Messages API and Google's generateContent against the real program,
// in front of targets that speak five dialects, and writes what works where into docs/reference/clients-of-other-apis.md. How often the targets are asked is counted:
// clients repeat in silence what failed.
//
//	go test -count=1 ./sdktest/callers -run 'TestCallers/node/anthropic' -v    one client
//	make clients                                                               all, and writes the page
//
// Without -update the results must be those of the page. A client is a row of clients, and a program in the folder of its language. Those of one language
// are installed together, with pinned versions. A missing interpreter skips its clients, but fails where CI is set.
//
// # What a program gets and prints
//
// In the environment it finds WEIR_URL, which has no path, WEIR_KEY, WEIR_BAD_KEY, which Weir does not know, WEIR_IMAGE, a small picture as data: URL, and
// WEIR_TARGETS, names with commas between. Each feature has a model of its own at each target, TARGET-FEATURE. The model of errors refuses, that of
// breaks fails in the middle of its stream, that of cut ends too soon, and that of hangup never ends.
//
// It prints one line of JSON for itself and one for each feature at each target:
//
//	{"client":"anthropic","version":"1.2.3","language":"Node 20"}
//	{"target":"gemini","feature":"stream","result":"ok","note":""}
//
// The result is ok, failed, or absent, with a note that says why there is no such thing.
package callers

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/sim"
	"github.com/weirproxy/weir/sdktest/internal/install"
)

var update = flag.Bool("update", false, "write the results into docs/reference/clients-of-other-apis.md")

const (
	patience    = 3 * time.Minute // for a program, so that one which hangs ends with its output
	together    = 2               // programs that run at a time
	upstreamKey = "upstream-key"
	picture     = "data:image/png;base64," +
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)

// client is one program.
type client struct{ language, program, api string }

func (c client) name() string { return c.language + "/" + c.program }

const (
	node   = "node"
	python = "python"
	golang = "go"
)

var clients = []client{
	{python, "anthropic-sdk", "Messages"},
	{node, "anthropic", "Messages"},
	{node, "ai-sdk-anthropic", "Messages"},
	{golang, "anthropic-sdk-go", "Messages"},
	{python, "openai-responses", "Responses"},
	{python, "openai-agents", "Responses"},
	{python, "langchain-openai", "Responses"},
	{node, "openai", "Responses"},
	{node, "ai-sdk-openai", "Responses"},
	{node, "openai-agents", "Responses"},
	{golang, "openai-go", "Responses"},
	{python, "google-genai", "generateContent"},
	{node, "google-genai", "generateContent"},
	{node, "ai-sdk-google", "generateContent"},
}

// feature is what programs try. calls is how often the target is asked for it.
type feature struct {
	name, heading string
	calls         int
}

var features = []feature{
	{"text", "text", 1},
	{"stream", "stream", 1},
	{"tools", "tool loop", 2},
	{"parallel", "parallel tools", 2},
	{"image", "image", 1},
	{"structured", "structured", 1},
	{"reasoning", "reasoning kept", 2},
	{"errors", "errors", 1},
	{"hangup", "hang-up", 1},
	{"cut", "cut short", 1},
	{"breaks", "error within", 1},
}

// target is a dialect behind the models.
type target struct {
	name, kind, path, speaks string
	family                   string // begins the names of the provider's models: one that can do what the dialect can do
	begun                    int    // after so many events of a stream some content is out, but not all
	refused                  string // the body of a refusal, in the vendor's words
	keeps                    string // the member by which reasoning comes back, "" without one
}

const openAIRefused = `{"error":{"message":"The upstream's own words.","type":"invalid_request_error","param":null,"code":"upstream_says_so"}}`

var targets = []target{
	{"anthropic", "anthropic", "/v1", "", "claude-sonnet-4-5-", 5, `{"type":"error","error":{"type":"invalid_request_error","message":"The upstream's own words."}}`, `"signature"`},
	{"chat", "openai", "/v1", "", "", 3, openAIRefused, ""},
	{"responses", "openai", "/v1", ", speaks: [responses]", "gpt-5-pro-", 6, openAIRefused, `"encrypted_content":"`},
	{"gemini", "gemini", "/v1beta", "", "gemini-2.5-flash-", 2, `{"error":{"code":400,"message":"The upstream's own words.","status":"INVALID_ARGUMENT"}}`, `"thoughtSignature"`},
	{"bedrock", "bedrock", "", "", "anthropic.claude-sonnet-4-5-", 5, `{"message":"The upstream's own words."}`, `"signature"`},
}

// script is what the simulated provider does with the models.
func (d target) script(t *testing.T) []byte {
	t.Helper()
	of := func(feature string) sim.Match { return sim.Match{Model: d.family + feature} }
	script, err := json.Marshal(sim.Script{Key: upstreamKey, Rules: []sim.Rule{
		{Match: of("errors"), Status: 400, Body: &d.refused},
		{Match: of("breaks"), ErrorEvent: &d.begun},
		{Match: of("cut"), Cut: &d.begun},
		{Match: of("hangup"), Stall: (*sim.Point)(&d.begun)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// outcome is a line of a program.
type outcome struct{ Target, Feature, Result, Note string }

// result is what a program printed.
type result struct {
	Client, Version, Language string

	outcomes map[[2]string]outcome // by target and feature
}

// The results.
const (
	works  = "ok"
	fails  = "failed"
	absent = "absent"
)

func TestCallers(t *testing.T) {
	slots := make(chan struct{}, together)
	var mu sync.Mutex
	results := map[string]*result{} // by the client's name; guarded by mu
	t.Cleanup(func() { compare(t, results) })
	for _, c := range clients {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			r := c.run(t)
			mu.Lock()
			defer mu.Unlock()
			results[c.name()] = r
		})
	}
}

// install makes the client's program ready, and returns the command that runs it.
func (c client) install(t *testing.T) []string {
	t.Helper()
	switch c.language {
	case node:
		return []string{install.Node(t, node), c.program + ".mjs"}
	case python:
		return []string{install.Venv(t, "callers", filepath.Join(python, "requirements.txt")), "-B", c.program + ".py"}
	}
	tool := install.Program(t, "go", "version", 1, 26)
	binary := install.Cache(t, "callers-"+c.program)
	install.Step(t, golang, []string{"GOFLAGS=", "GOWORK=off"}, tool, "build", "-o", binary, "./"+c.program)
	return []string{binary}
}

// run runs the client's program at all targets, and checks what it says and how often the targets were asked.
func (c client) run(t *testing.T) *result {
	t.Helper()
	command := c.install(t)
	upstreams := map[string]*apptest.Upstream{}
	var providers, models strings.Builder
	var names []string
	for _, d := range targets {
		upstreams[d.name] = apptest.NewUpstream(t, d.script(t))
		names = append(names, d.name)
		fmt.Fprintf(&providers, "  %s: {kind: %s, base_url: %q, api_key: %s%s}\n", d.name, d.kind, strings.TrimSuffix(upstreams[d.name].URL(), "/v1")+d.path, upstreamKey, d.speaks)
		for _, f := range features {
			fmt.Fprintf(&models, "  %s-%s: {targets: [%q]}\n", d.name, f.name, d.name+"/"+d.family+f.name)
		}
	}
	weir := apptest.StartWith(t, "providers:\n"+providers.String()+"models:\n"+models.String())
	_, unknown, err := auth.Mint(rand.Reader, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.WaitDelay = c.language, 10*time.Second
	cmd.Env = environment("WEIR_URL="+weir.URL(), "WEIR_KEY="+weir.NewKey(t, "all"), "WEIR_BAD_KEY="+unknown.Reveal(), "WEIR_IMAGE="+picture,
		"WEIR_TARGETS="+strings.Join(names, ","), "PYTHONWARNINGS=ignore", "OPENAI_AGENTS_DISABLE_TRACING=1", "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	r, wrong := c.read(stdout)
	if wrong = append(wrong, c.judge(r)...); err != nil {
		wrong = append(wrong, err.Error())
	}
	for _, d := range targets {
		wrong = append(wrong, d.count(r, upstreams[d.name].Served())...)
	}
	for _, w := range wrong {
		t.Error(w)
	}
	if t.Failed() {
		t.Logf("its errors:\n%s", stderr.Bytes())
	}
	return r
}

// environment is this process's without what clients would read of it, and more.
func environment(more ...string) []string {
	own := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return slices.ContainsFunc([]string{"OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_", "WEIR_"}, func(prefix string) bool { return strings.HasPrefix(v, prefix) })
	})
	return append(own, more...)
}

// read reads a program's lines, and returns what is wrong with them.
func (c client) read(stdout []byte) (r *result, wrong []string) {
	r = &result{outcomes: map[[2]string]outcome{}}
	for line := range bytes.Lines(stdout) {
		var err error
		switch {
		case bytes.HasPrefix(line, []byte(`{"client"`)):
			err = json.Unmarshal(line, r)
		case bytes.HasPrefix(line, []byte(`{"target"`)):
			var o outcome
			if err = json.Unmarshal(line, &o); err == nil {
				at := [2]string{o.Target, o.Feature}
				if _, again := r.outcomes[at]; again || o.Result == absent && o.Note == "" {
					err = errors.New("it came before, or has no note")
				}
				r.outcomes[at] = o
			}
		}
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%q: %v", line, err))
		}
	}
	if r.Client != c.program || r.Version == "" || r.Language == "" {
		wrong = append(wrong, fmt.Sprintf("it calls itself %q, version %q, with %q", r.Client, r.Version, r.Language))
	}
	return r, wrong
}

// judge returns which features are not as they should be.
func (c client) judge(r *result) (wrong []string) {
	for _, d := range targets {
		for _, f := range features {
			o, ok := r.outcomes[[2]string{d.name, f.name}]
			switch known := reason(c, d.name, f.name); {
			case !ok:
				wrong = append(wrong, d.name+" "+f.name+": it says nothing")
			case o.Result == fails && known == "":
				wrong = append(wrong, d.name+" "+f.name+": "+o.Note)
			case o.Result != fails && known != "":
				wrong = append(wrong, d.name+" "+f.name+": it no longer fails; take it out of the known failures: "+known)
			case o.Result != works && o.Result != fails && o.Result != absent:
				wrong = append(wrong, d.name+" "+f.name+": no such result")
			}
		}
	}
	return wrong
}

// count holds how often a target was asked against what the features take.
func (d target) count(r *result, served []sim.Served) (wrong []string) {
	for _, f := range features {
		asked, left, seen, kept := 0, false, false, false
		for _, call := range served {
			if call.Model == d.family+f.name && !strings.Contains(call.Target, "count") {
				asked++
				left = left || call.ClientGone
				kept = bytes.Contains(call.Body, []byte(d.keeps))
				seen = seen || bytes.Contains(call.Body, []byte(picture[strings.Index(picture, ",")+1:]))
			}
			if call.Authorization.Reveal() != upstreamKey {
				wrong = append(wrong, fmt.Sprintf("call %d carries another credential", call.ID))
			}
		}
		switch o := r.outcomes[[2]string{d.name, f.name}]; {
		case o.Result == works && asked != f.calls:
			wrong = append(wrong, fmt.Sprintf("%s %s: the target was asked %d times, not %d", d.name, f.name, asked, f.calls))
		case o.Result == works && f.name == "hangup" && !left:
			wrong = append(wrong, d.name+" hangup: the stream that was left did not end upstream")
		case o.Result == works && f.name == "reasoning" && !kept:
			wrong = append(wrong, d.name+" reasoning: the target did not get it back")
		case o.Result == works && f.name == "image" && !seen:
			wrong = append(wrong, d.name+" image: it did not arrive upstream as it was")
		}
	}
	return wrong
}
