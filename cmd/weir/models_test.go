package main

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/sim"
)

const modelsConfig = `
providers: {up: {kind: sim}, open: {kind: openai, api_key: upstream-key}}
models:
  smart: {targets: [up/chat, up/embed], display_name: "Smart, \"really\"", context_length: 8192, max_output_tokens: 512}
  fast: {targets: [up/chat], fallbacks: {on: [error, context], to: [smart]}, policy: weighted, sticky: user}
  known: {targets: [open/gpt-4o, open/gpt-5.99, {provider: up, model: chat, capabilities: {images: false}}]}
  "any/*": {targets: ["up/none-*"]}
`

// modelLines are the lines of weir models, their columns apart by one bar.
func modelLines(did outcome) string {
	var lines []string
	for line := range strings.Lines(did.stdout) {
		var cells []string
		for cell := range strings.SplitSeq(strings.TrimRight(line, " \n"), "  ") {
			if cell = strings.TrimSpace(cell); cell != "" {
				cells = append(cells, cell)
			}
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
	return strings.Join(lines, "\n")
}

const modelsListed = `MODEL|TARGET|KNOWN|PRICE|HEALTH|CONTEXT|MAX OUTPUT|POLICY|FALLBACKS
any/*|up/none-*|nothing|-|ok|-|-|ordered|-
fast|up/chat|nothing|none|ok|-|-|weighted, sticky user|on error, context: smart
known|open/gpt-4o|model openai/gpt-4o|known|ok|128000|16384|ordered|-
open/gpt-5.99|family openai/gpt-5.|none|ok
up/chat|nothing + config|none|ok
smart|up/chat|nothing|none|ok|8192|512|ordered|-
up/embed|nothing|none|ok`

// A real Weir says what its keys see; where none runs, the config does.
func TestModels(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "weir.yaml")
	writeTest(t, path, modelsConfig)
	env := environment(folder)
	env["WEIR_ADMIN_LISTEN"] = strings.TrimPrefix(closedURL(t), "http://")
	did := runIn(t, folder, env, "", "models", "--config", path)
	if want := strings.ReplaceAll(modelsListed, "|ok", "|unknown"); did.code != 0 || modelLines(did) != want || !strings.Contains(did.stderr, "No Weir runs with this config") {
		t.Errorf("%+v\nwant\n%s", did, want)
	}
	env["WEIR_ADMIN_LISTEN"] = "127.0.0.1:0"
	s := start(t, env, "--config", path).ready()
	env["WEIR_ADMIN"] = s.admin
	weir := func(args ...string) outcome { return runIn(t, folder, env, "", args...) }
	if did := weir("keys", "create", "--name", "app", "--models", "fast"); did.code != 0 {
		t.Fatalf("%+v", did)
	}

	did = weir("models")
	if did.code != 0 || modelLines(did) != modelsListed || did.stderr != "" {
		t.Errorf("%+v\nwant\n%s", did, modelsListed)
	}
	var listed []admin.Model
	did = weir("models", "--key", "app", "--format", "json")
	if err := json.Unmarshal([]byte(did.stdout), &listed); err != nil {
		t.Fatalf("%v: %+v", err, did)
	}
	want := []admin.Model{{
		ID: "fast", Policy: "weighted", Sticky: "user", Fallbacks: []admin.Fallback{{On: []string{"error", "context"}, To: []string{"smart"}}},
		Targets: []admin.ModelTarget{{Target: "up/chat", Priced: new(false), Health: &admin.Health{Breaker: "closed", Credentials: 1, RefusedFor: []string{}, DownFor: []string{}}}},
	}}
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Error(diff)
	}
	rows, err := csv.NewReader(strings.NewReader(weir("models", "--format=csv").stdout)).ReadAll()
	if diff := cmp.Diff([]string{"smart", "up/embed", "", "false", "false", "false", "ok", "ordered", "none", "", `Smart, "really"`, "8192", "512"}, rows[len(rows)-1]); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for args, word := range map[string]string{
		"--key nobody": "No key has the id or name", "--admin " + closedURL(t): "is weir serve running?",
	} {
		did := weir(append([]string{"models"}, strings.Fields(args)...)...)
		if did.code != 1 || !strings.Contains(did.stderr, word) || did.stdout != "" {
			t.Errorf("weir models %s: %+v", args, did)
		}
	}
}

// A credential that was refused, and a target that failed too often, show.
func TestModelsThatAreIll(t *testing.T) {
	refuses := httptest.NewServer(sim.New(sim.Script{Key: "another"}))
	t.Cleanup(refuses.Close)
	fails := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }))
	t.Cleanup(fails.Close)
	folder := t.TempDir()
	path := filepath.Join(folder, "weir.yaml")
	writeTest(t, path, "providers: {shut: {kind: openai, base_url: '"+refuses.URL+"/v1', api_key: refused-key}, ill: {kind: openai, base_url: '"+fails.URL+"'}}\n"+
		"models: {one: {targets: [shut/a]}, two: {targets: [ill/b]}, 'shut/*': {targets: ['shut/*']}, 'ill/*': {targets: ['ill/*']}}\n")
	env := environment(folder)
	s := start(t, env, "--config", path).ready()
	env["WEIR_ADMIN"] = s.admin
	did := runIn(t, folder, env, "", "keys", "create", "--name", "app")
	key := oneKey(t, did.stdout)
	call := func() {
		for _, model := range []string{"one", "two"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/v1/chat/completions", strings.NewReader(`{"model":"`+model+`","messages":[{"role":"user","content":"hi"}]}`))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+key)
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
		}
	}
	for range 30 {
		call()
	}
	// On a busy machine its rest is over before it is looked at, and it is tried again.
	ofKey, ofNone := "", ""
	eventually(t, "the target is down", func() bool {
		call()
		ofKey, ofNone = modelLines(runIn(t, folder, env, "", "models", "--key", "app")), modelLines(runIn(t, folder, env, "", "models"))
		return !strings.Contains(ofKey+ofNone, "being tried")
	})
	if !strings.Contains(ofKey, "one|shut/a|nothing|none|1 of 1 credentials refused for key app|") || !strings.Contains(ofKey, "two|ill/b|nothing|none|down for another ") {
		t.Error(ofKey)
	}
	lines := ofNone
	if !strings.Contains(lines, "one|shut/a|nothing|none|refused for key app|") || !strings.Contains(lines, "two|ill/b|nothing|none|down for key app|") {
		t.Errorf("of no key in particular: %s", lines)
	}
	if !strings.Contains(lines, "shut/*|shut/*|nothing|-|refused for key app|") || !strings.Contains(lines, "ill/*|ill/*|nothing|-|1 model down|") {
		t.Errorf("of models that are passed through: %s", lines)
	}
	runIn(t, folder, env, "", "keys", "create", "--name", "other")
	lines = modelLines(runIn(t, folder, env, "", "models", "--key", "other"))
	if !strings.Contains(lines, "one|shut/a|nothing|none|ok|") || !strings.Contains(lines, "two|ill/b|nothing|none|ok|") {
		t.Errorf("of a key that is met by neither: %s", lines)
	}
	for model, word := range map[string]string{"one": "its provider refused all credentials for key app", "two": "it failed too often for key app"} {
		if did := runIn(t, folder, env, "", "explain", model); !strings.Contains(did.stdout, word) {
			t.Errorf("weir explain %s: %+v", model, did)
		}
	}
	for check, word := range map[string]string{"one": "refused all credentials for key app", "two": "fails for key app"} {
		if did := runIn(t, folder, env, "", "doctor", "--config", path); !strings.Contains(did.stdout, word) {
			t.Errorf("weir doctor does not say of %s: %+v", check, did)
		}
	}
}

func TestHealthWords(t *testing.T) {
	t.Parallel()
	now := time.Now()
	later := now.Add(3 * time.Second)
	full := func(until *time.Time) *admin.Health {
		return &admin.Health{Breaker: "closed", Full: true, FullUntil: until}
	}
	for want, h := range map[string]*admin.Health{
		"unknown":                              nil,
		"ok":                                   {Breaker: "closed", Credentials: 1},
		"down for another 3s":                  {Breaker: "open", OpenUntil: &later, CredentialsParked: 1},
		"down, being tried":                    {Breaker: "trying"},
		"1 of 2 credentials refused":           {Breaker: "closed", Credentials: 2, CredentialsParked: 1},
		"1 of 2 credentials refused for key a": {Breaker: "closed", Credentials: 2, CredentialsParked: 1, RefusedFor: []string{"a"}},
		"refused for key a":                    {Breaker: "closed", Credentials: 2, RefusedFor: []string{"a"}, DownFor: []string{"b"}},
		"down for keys a, b":                   {Breaker: "closed", DownFor: []string{"a", "b"}},
		"down for keys a, b, c and 2 more":     {Breaker: "closed", DownFor: []string{"a", "b", "c", "d", "e"}},
		"2 of 2 credentials at their limit":    {Breaker: "closed", Credentials: 2, CredentialsResting: 2},
		"2 of 2 credentials at their limit for another 3s": {Breaker: "closed", Credentials: 2, CredentialsResting: 2, CredentialsFreeAt: &later},
		"full":                                  full(nil),
		"full for another 3s":                   full(&later),
		"asked to be left alone for another 3s": {Breaker: "closed", RestingUntil: &later},
	} {
		if got := healthWords(h, now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
