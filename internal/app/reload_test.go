package app_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// twoModels is a config with every section that a mutation can break.
func twoModels(up *apptest.Upstream, target string) string {
	return fmt.Sprintf(`drain: {delay: 1s, timeout: 2s}
limits: {body: 1MiB, connections: 500, depth: 64}
cors: {origins: ["https://chat.example.com"]}
headers: {weir: true}
metrics: {token: false}
providers:
  up: {kind: openai, base_url: %q, api_key: upstream-credential, headers: {X-Title: weir}, forward_headers: [x-trace]}
models:
  chat:
    targets: [up/%s]
    timeouts: {first_token: 5s, idle: 5s, total: 1m}
    retries: {max_attempts: 2}
  slow: {targets: [up/slow]}
keys:
  - {name: ci, digest: "sha256:%s", models: [chat]}
`, up.URL(), target, strings.Repeat("ab", 32))
}

// rewrite replaces the config file as deployments do: a new file is moved over it.
func rewrite(t *testing.T, path, text string) {
	t.Helper()
	next := path + ".next"
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
}

// figure is the value of a metric, or "".
func figure(t *testing.T, w *apptest.Weir, name string) string {
	t.Helper()
	for line := range strings.Lines(manage(t, w, "GET", "/metrics", "").body) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// A config with any one mistake is refused whole. The answer, the log and a metric say so and where. The config before
// stays in force, for new requests and running ones.
func TestBrokenConfigsAreRefused(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.yaml")
	good := twoModels(up, "first")
	rewrite(t, path, good)
	w := apptest.Start(t, path)
	key := w.NewKey(t, "key")
	place := regexp.MustCompile(regexp.QuoteMeta(path) + `:\d+:\d+: \S`)
	mutations := [][2]string{
		{"drain: {", "drian: {"},
		{"delay: 1s", "delay: 1"},
		{"delay: 1s", "delay: -1s"},
		{"timeout: 2s", "timeout: soon"},
		{"body: 1MiB", "body: 1XB"},
		{"body: 1MiB", "body: -1"},
		{"connections: 500", "connections: many"},
		{"connections: 500", "connections: 0"},
		{"depth: 64", "depth: 0"},
		{"depth: 64", "depth: 100000"},
		{"depth: 64", "depth: 64, depth: 65"},
		{"https://chat.example.com", "chat.example.com"},
		{"https://chat.example.com", "https://chat.example.com/path"},
		{"weir: true", "weir: perhaps"},
		{"token: false", "token: 7"},
		{"kind: openai", "kind: opnai"},
		{"kind: openai, ", ""},
		{"base_url: \"http", "base_url: \"ftp"},
		{"base_url: \"http://", "base_url: \"http://user:pass@"},
		{"/v1\"", "/v1?x=1\""},
		{"api_key: upstream-credential", "api_key: \"${NOT_SET}\""},
		{"api_key: upstream-credential", "api_key: \"${file:missing}\""},
		{"api_key: upstream-credential", "api_key: a, api_keys: [b]"},
		{"X-Title: weir", "Authorization: x"},
		{"X-Title: weir", "\"X Title\": x"},
		{"[x-trace]", "[authorization]"},
		{"[x-trace]", "[cookie]"},
		{"targets: [up/first]", "targets: [down/first]"},
		{"targets: [up/first]", "targets: []"},
		{"targets: [up/first]", "targets: [first]"},
		{"targets: [up/first]", "targets: [up/*]"},
		{"targets: [up/first]", "target: [up/first]"},
		{"first_token: 5s", "first_token: x"},
		{"idle: 5s", "idel: 5s"},
		{"max_attempts: 2", "max_attempts: 0"},
		{"max_attempts: 2", "budget: 10"},
		{"  slow:", "  chat:"},
		{"  slow:", "  \"slow \":"},
		{"  slow:", "  \"a*b\":"},
		{"{targets: [up/slow]}", "{targets: [up/slow], policy: weigthed}"},
		{"{targets: [up/slow]}", "{targets: [up/slow], price: {input: 1}}"},
		{"sha256:ab", "sha256:xy"},
		{"sha256:", "md5:"},
		{"name: ci", "name: \"c i\""},
		{"name: ci, ", ""},
		{"models: [chat]}", "models: [\"\"]}"},
		{"keys:", "\tkeys:"},
		{"keys:", "---\nkeys:"},
		{"keys:", "budgets: {}\nkeys:"},
		{"models:\n  chat", "models:\n chat"},
		{"providers:", "providers: ["},
		{"providers:", "provider:"},
	}
	refused := 0
	for _, m := range mutations {
		bad := strings.Replace(strings.Replace(good, "up/first", "up/second", 1), m[0], m[1], 1)
		if strings.HasPrefix(m[1], "targets:") || strings.HasPrefix(m[1], "target:") {
			bad = strings.Replace(good, m[0], m[1], 1)
		}
		rewrite(t, path, bad)
		a := manage(t, w, "POST", "/admin/v1/reload", "")
		if refused++; a.status != 400 || !place.MatchString(a.body) {
			t.Errorf("%q for %q: %d %s", m[1], m[0], a.status, a.body)
			refused = 0
		}
		if a := post(t, w, key, "/v1/chat/completions", chatBody("chat")); a.status != 200 || a.header.Get("Weir-Model") != "first" {
			t.Errorf("%q for %q: then a request was answered %d by %q", m[1], m[0], a.status, a.header.Get("Weir-Model"))
		}
		if valid := figure(t, w, "weir_config_valid"); valid != "0" {
			t.Errorf("%q for %q: weir_config_valid is %q", m[1], m[0], valid)
		}
	}
	if got := strings.Count(w.Requests.String(), "the config was not reloaded"); got < len(mutations) {
		t.Errorf("%d lines in the log for %d refusals", got, len(mutations))
	}
	rewrite(t, path, strings.Replace(good, "up/first", "up/second", 1))
	if a := manage(t, w, "POST", "/admin/v1/reload", ""); a.status != 200 || !strings.Contains(a.body, `"applied":true`) {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if a := post(t, w, key, "/v1/chat/completions", chatBody("chat")); a.header.Get("Weir-Model") != "second" || figure(t, w, "weir_config_valid") != "1" {
		t.Errorf("the mended config is not in force: %q", a.header)
	}
}

// A change of the file, or of one that it names, is applied without being asked for, and a bad one is not.
func TestFilesAreWatched(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	folder := t.TempDir()
	path, secret := filepath.Join(folder, "weir.yaml"), filepath.Join(folder, "credential")
	rewrite(t, secret, "credential-one\n")
	good := strings.Replace(twoModels(up, "first"), "api_key: upstream-credential", "api_key: \"${file:credential}\"", 1)
	rewrite(t, path, good)
	w := apptest.Start(t, path)
	key := w.NewKey(t, "key")
	last := func() (model, credential string) {
		a := post(t, w, key, "/v1/chat/completions", chatBody("chat"))
		all := up.Served()
		return a.header.Get("Weir-Model"), all[len(all)-1].Authorization.Reveal()
	}
	rewrite(t, secret, "credential-two\n")
	until(t, "the new credential is in use", func() bool { _, c := last(); return c == "credential-two" })
	rewrite(t, path, "models: [")
	until(t, "the broken file is noticed", func() bool { return figure(t, w, "weir_config_valid") == "0" })
	if model, credential := last(); model != "first" || credential != "credential-two" {
		t.Errorf("with a broken file: %s, %s", model, credential)
	}
	rewrite(t, path, strings.Replace(good, "up/first", "up/third", 1))
	until(t, "the mended file is in force", func() bool { m, _ := last(); return m == "third" })
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	until(t, "the missing file is noticed", func() bool { return figure(t, w, "weir_config_valid") == "0" })
	if model, _ := last(); model != "third" {
		t.Errorf("without a file: %s", model)
	}
}

// A config that is refused because a file is missing is applied when the file has come; until then the log reports it
// only once.
func TestRefusedConfigIsTriedAgain(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	folder := t.TempDir()
	path := filepath.Join(folder, "weir.yaml")
	rewrite(t, path, twoModels(up, "first"))
	w := apptest.Start(t, path)
	key := w.NewKey(t, "key")
	rewrite(t, path, strings.Replace(twoModels(up, "second"), "api_key: upstream-credential", "api_key: \"${file:late}\"", 1))
	until(t, "the config is refused", func() bool { return figure(t, w, "weir_config_valid") == "0" })
	rewrite(t, filepath.Join(folder, "late"), "late-credential\n")
	until(t, "the config is in force", func() bool {
		return post(t, w, key, "/v1/chat/completions", chatBody("chat")).header.Get("Weir-Model") == "second"
	})
	until(t, "the metric says so", func() bool { return figure(t, w, "weir_config_valid") == "1" })
	if got := strings.Count(w.Requests.String(), "the config was not reloaded"); got != 1 {
		t.Errorf("%d lines in the log for one refusal", got)
	}
}

// What needs a restart is named, and the rest applies.
func TestReloadNamesWhatNeedsARestart(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.yaml")
	good := twoModels(up, "first")
	rewrite(t, path, good)
	w := apptest.Start(t, path)
	rewrite(t, path, strings.NewReplacer("connections: 500", "connections: 501", "token: false", "token: true", "up/first", "up/second").Replace(good)+"store: sqlite:elsewhere.db\nconsole: false\nadmin: {token_login: never}\n")
	if a := manage(t, w, "POST", "/admin/v1/reload", ""); a.status != 200 || !strings.Contains(a.body, `"needs_restart":["admin","console","store","limits.connections","metrics"]`) {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := post(t, w, w.NewKey(t, "key"), "/v1/chat/completions", chatBody("chat")); a.header.Get("Weir-Model") != "second" {
		t.Errorf("the rest does not apply: %v", a.header)
	}
}

// Requests keep the config that they began with. However often it is reloaded under load, no request is lost.
func TestReloadsUnderLoad(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"keep":16,"rules":[{"match":{"model":"slow"},"interval":"20ms","tokens":60}]}`))
	path := filepath.Join(t.TempDir(), "weir.yaml")
	rewrite(t, path, twoModels(up, "first"))
	w := apptest.Start(t, path)
	key := w.NewKey(t, "key")
	running := openStream(t, w, key, "slow")
	// The next config has no such model and another provider, so that the old one's connections are let go.
	next := strings.NewReplacer("  slow: {targets: [up/slow]}\n", "", "X-Title: weir", "X-Title: changed").Replace(twoModels(up, "second"))

	var stop atomic.Bool
	var answered, failed atomic.Int64
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	defer client.CloseIdleConnections()
	var load sync.WaitGroup
	for i := range 8 {
		body, end := chatBody("chat"), `"total_tokens"`
		if i%2 == 1 {
			body, end = streamBody("chat"), "data: [DONE]\n\n"
		}
		load.Go(func() {
			for !stop.Load() {
				a := do(t, client, request(t, "POST", w.URL()+"/v1/chat/completions", body, "Authorization", "Bearer "+key))
				if m := a.header.Get("Weir-Model"); a.status != 200 || a.err != nil || m != "first" && m != "second" || !strings.Contains(a.body, end) {
					failed.Add(1)
					t.Errorf("%d %v %s %s", a.status, a.err, m, a.body)
				}
				answered.Add(1)
			}
		})
	}
	for i := range 200 {
		text := next
		if i%3 == 0 {
			text = twoModels(up, "first")
		} else if i%3 == 1 {
			text = "models: {broken"
		}
		rewrite(t, path, text)
		if a := manage(t, w, "POST", "/admin/v1/reload", ""); (a.status == 200) != (i%3 != 1) {
			t.Fatalf("reload %d: %d %s", i, a.status, a.body)
		}
	}
	rewrite(t, path, next)
	manage(t, w, "POST", "/admin/v1/reload", "")
	if a := post(t, w, key, "/v1/chat/completions", streamBody("slow")); a.status != 404 {
		t.Errorf("a model that is gone is answered %d", a.status)
	}
	if text := running.rest(t); !strings.HasSuffix(text, "data: [DONE]\n\n") || strings.Contains(text, `"error"`) {
		t.Errorf("the stream that ran meanwhile ended with %q", text)
	}
	stop.Store(true)
	load.Wait()
	if answered.Load() < 200 {
		t.Errorf("only %d requests during 200 reloads", answered.Load())
	}
	t.Logf("%d requests, %d failed", answered.Load(), failed.Load())
}
