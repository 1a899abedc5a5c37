package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/logging/logtest"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/sim"
)

// TestInitThenServeEndsWithAKey: the two commands that a new user types first, and the line that the second prints.
func TestInitThenServeEndsWithAKey(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "weir.yaml")
	if code := run(t.Context(), []string{"init", "--output", path}, &system{stdout: new(logtest.Buffer), stderr: new(logtest.Buffer), env: func(string) (string, bool) { return "", false }}); code != 0 {
		t.Fatal(code)
	}
	s := start(t, environment(folder), "--config", path, "--print-key").ready()
	line := regexp.MustCompile(`(?m)^ *(curl .*)$`).FindStringSubmatch(s.stdout.String())
	if line == nil || !strings.HasPrefix(s.stdout.String(), "Weir had no API key, so it made one.") {
		t.Fatalf("it said %s", s.stdout)
	}
	out, err := exec.CommandContext(t.Context(), "sh", "-c", line[1]+" -sS --noproxy '*'").Output()
	if err != nil || !strings.Contains(string(out), "simulated") {
		t.Errorf("%s: %v: %s", line[1], err, out)
	}
	page := regexp.MustCompile(`(?m)^  (http://\S+) \(the token to log in with is in (.*)\)$`).FindStringSubmatch(s.stdout.String())
	if page == nil {
		t.Fatalf("it said %s", s.stdout)
	}
	token, err := os.ReadFile(page[2])
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(page[1]+"/admin/v1/session", "application/json", strings.NewReader(`{"token": "`+strings.TrimSpace(string(token))+`"}`))
	if err != nil || resp.Body.Close() != nil || resp.StatusCode != 200 {
		t.Errorf("the token does not log in at %s: %v %v", page[1], resp, err)
	}
	s.signals <- syscall.SIGTERM
	s.signals <- syscall.SIGTERM
	s.end()
	if again := start(t, environment(folder), "--config", path, "--print-key").ready(); again.stdout.String() != "" {
		t.Errorf("the second start said %s", again.stdout)
	}
}

// TestAFirstStartMakesAKeyOnlyIfThereIsNone: where the output is no terminal, it lies in the data folder.
func TestAFirstStartMakesAKeyOnlyIfThereIsNone(t *testing.T) {
	t.Parallel()
	const models = "providers: {a: {kind: sim}}\nmodels: {m: {targets: [a/chat]}}\n"
	for _, tt := range []struct {
		name, config string
		makes        bool
	}{
		{"no key", models, true},
		{"a key in the file", models + "keys: [{name: k, digest: \"" + digestOfMadeUp + "\"}]\n", false},
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, "weir.yaml")
		writeTest(t, path, tt.config)
		s := start(t, environment(folder), "--config", path).ready()
		key, err := os.ReadFile(filepath.Join(folder, "data", "first-key"))
		if (err == nil) != tt.makes || strings.Contains(s.stdout.String(), "Weir had no API key") != tt.makes {
			t.Errorf("%s: %v, it said %q", tt.name, err, s.stdout)
		}
		if tt.makes {
			if resp := s.call("GET", "/v1/models", strings.TrimSpace(string(key)), ""); resp.StatusCode != 200 {
				t.Errorf("%s: the key is answered %d", tt.name, resp.StatusCode)
			}
		}
	}
}

func TestExampleModelCanBeChattedWith(t *testing.T) {
	t.Parallel()
	local := []provider.Local{{Kind: "ollama", Model: "qwen3"}}
	const providers = "providers: {openai: {kind: openai, api_key: k}, o: {kind: ollama}, own: {kind: openai, base_url: \"http://127.0.0.1:1/v1\"}}\n"
	loader := config.Loader{Kinds: catalog.ConfigKinds()}
	for models, want := range map[string]string{
		`{embed: {targets: [openai/text-embedding-3-small]}, smart: {targets: [openai/gpt-5]}}`: "smart",
		`{"local/*": {targets: ["o/*"]}, "openai/*": {targets: ["openai/*"]}}`:                  "local/qwen3",
		`{"*": {targets: ["own/*"]}, "x-*": {targets: ["openai/gpt-*"]}}`:                       "x-5-mini",
		`{"*": {targets: ["own/*"]}}`: "MODEL",
		`{}`:                          "MODEL",
	} {
		cfg, err := loader.Parse("weir.yaml", []byte(providers+"models: "+models))
		if err != nil {
			t.Fatal(err)
		}
		if got := exampleModel(cfg, local); got != want {
			t.Errorf("%s: %s, not %s", models, got, want)
		}
	}
}

// TestModelServersAreFoundAfterTheStart: starting Ollama after Weir needs no restart of Weir, and SIGHUP looks again.
func TestModelServersAreFoundAfterTheStart(t *testing.T) {
	t.Parallel()
	var running atomic.Pointer[[]provider.Local]
	run := func(kinds ...string) {
		all := []provider.Local{}
		for _, kind := range kinds {
			all = append(all, provider.Local{Kind: kind, Model: "m"})
		}
		running.Store(&all)
	}
	run()
	s := startBeside(t, func(context.Context, map[string]string) []provider.Local { return *running.Load() }, environment(t.TempDir())).ready()
	path := regexp.MustCompile(`\S*first-key`).FindString(s.stdout.String())
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	key := strings.TrimSpace(string(text))
	tried := func(model string) bool { // 404 is a model that there is not; what is not there to answer it does not matter
		resp := s.call("POST", "/v1/chat/completions", key, strings.Replace(hello, "sim/chat", model, 1))
		return resp.StatusCode != 404
	}
	if !tried("sim/chat") || tried("vllm/m") {
		t.Error("without a model server the simulated one is offered, and nothing else")
	}
	run("vllm")
	eventually(t, "a server that started later is offered, in place of the simulated one", func() bool { return tried("vllm/m") && !tried("sim/chat") })
	if !strings.Contains(s.stderr.String(), `"msg":"found model servers on this machine","providers":["vllm"]`) {
		t.Errorf("the log does not say so: %s", s.stderr)
	}
	run("lmstudio")
	eventually(t, "one more is offered, and the first stays while it does not answer", func() bool { return tried("lmstudio/m") && tried("vllm/m") })
	s.signals <- syscall.SIGHUP
	eventually(t, "SIGHUP forgets what is gone", func() bool { return tried("lmstudio/m") && !tried("vllm/m") })
}

// TestAddressesInTheEnvironmentAreHonoured as the vendors' own clients do it, with a key or without.
func TestAddressesInTheEnvironmentAreHonoured(t *testing.T) {
	t.Parallel()
	up := httptest.NewServer(sim.New(sim.BuiltIn()))
	t.Cleanup(up.Close)
	s := start(t, environment(t.TempDir(), "OPENAI_BASE_URL", up.URL+"/v1/", "ANTHROPIC_BASE_URL", up.URL, "ANTHROPIC_API_KEY", "k"), "--print-key").ready()
	key := regexp.MustCompile(`sk-weir-\S+`).FindString(s.stdout.String())
	for _, model := range []string{"openai/chat", "anthropic/chat"} {
		resp := s.call("POST", "/v1/chat/completions", key, strings.Replace(hello, "sim/chat", model, 1))
		if text := read(t, resp.Body); resp.StatusCode != 200 || !strings.Contains(text, "simulated") {
			t.Errorf("%s: %d %s", model, resp.StatusCode, text)
		}
	}
}

// TestWhatLeadsToWeirItselfIsNoProvider: people who start Weir often have the variables of its callers set.
func TestWhatLeadsToWeirItselfIsNoProvider(t *testing.T) {
	t.Parallel()
	const ours = "sk-weir-i6ojjPmgqqLg-pB3cMTcFMzdsch5RkG08LlOgoRuvxPTABy9HjHCeEOM20I3Mm"
	for name, env := range map[string]map[string]string{
		"its address": {"OPENAI_BASE_URL": "http://localhost:8930/v1", "OPENAI_API_KEY": ours, "ANTHROPIC_BASE_URL": "http://127.0.0.1:8930", "ANTHROPIC_API_KEY": "k"},
		"its key":     {"OPENAI_API_KEY": ours},
		"elsewhere":   {"WEIR_LISTEN": "0.0.0.0:9000", "OPENAI_BASE_URL": "http://127.0.0.1:9000/v1"},
	} {
		sys := &system{env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
		cfg, err := configLoader(sys).Default()
		if err != nil || len(cfg.Providers) != 1 || cfg.Providers[0].Kind != catalog.SimKind {
			t.Errorf("%s: %v, %v", name, cfg, err)
		}
	}
	sys := &system{env: func(name string) (string, bool) { return "localhost:1234", name == "OPENAI_BASE_URL" }}
	if _, err := configLoader(sys).Default(); err == nil || err.Error() != "the environment variable OPENAI_BASE_URL holds no address: set it to a full http or https URL, or unset it" {
		t.Errorf("no address: %v", err)
	}
	for address, problem := range map[string]string{
		"http://a:b@127.0.0.1:9/v1":               "base_url must not hold credentials: use api_key or headers",
		"http://127.0.0.1:9/v1/chat/completions/": "base_url must be the root of the provider's API (Weir adds the rest): drop /chat/completions",
	} {
		sys := &system{env: func(name string) (string, bool) { return address, name == "OPENAI_BASE_URL" }}
		if _, err := configLoader(sys).Default(); err == nil || err.Error() != "the environment variable OPENAI_BASE_URL cannot be used: "+problem {
			t.Errorf("%s: %v", address, err)
		}
	}
}
