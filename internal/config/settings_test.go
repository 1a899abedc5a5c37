package config

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// settings are those of a config, as "value @ where it is from".
func settings(c *Config) map[string]string {
	all := map[string]string{}
	for _, s := range c.Settings() {
		text := "unset"
		switch {
		case s.Value != nil:
			text = *s.Value
		case s.Set:
			text = "set"
		}
		if s.Hidden {
			text += " (hidden)"
		}
		all[s.Name] = text + " @ " + s.From
	}
	return all
}

func TestSettingsSayWhereTheyAreFrom(t *testing.T) {
	t.Parallel()
	l := testLoader()
	l.Env = func(name string) (string, bool) {
		return map[string]string{"KEY": "credential-of-the-test", "BASE": "https://example.com/v1", "TOKEN": "token-of-the-test"}[name], true
	}
	cfg, err := l.Parse("weir.yaml", []byte(`listen: 0.0.0.0:80
admin:
  token: "${TOKEN}"
limits: {body: 2MiB}
store: postgres://weir:password-of-the-test@db/weir
traces: {endpoint: "https://collector/path-of-the-test", ratio: 5%, headers: {x-key: header-of-the-test}, resource: {deployment.environment.name: "${BASE}"}}
providers:
  up: {kind: openai, base_url: "${BASE}", api_keys: ["${KEY}", literal-key-of-the-test], headers: {X-Title: title-of-the-test}, params: {default: {top_k: 5}}}
models:
  gpt-4.1: {targets: [up/gpt-4.1, {provider: up, model: b, price: {input: 1.25, output: 10}}], price_unknown: free, fallbacks: [fast]}
  fast: {targets: [up/fast]}
keys:
  - {name: ci, digest: "sha256:0000000000000000000000000000000000000000000000000000000000000000", budgets: [5usd/day]}
`))
	if err == nil {
		err = cfg.Override(Overrides{AdminListen: "127.0.0.1:1"})
	}
	if err == nil {
		err = cfg.Override(Overrides{Listen: "127.0.0.1:2", From: "--listen"})
	}
	if err != nil {
		t.Fatal(err)
	}
	all := settings(cfg)
	for name, want := range map[string]string{
		"listen.addr": "127.0.0.1:2 @ --listen", "listen.tls": "unset @ ", "admin.listen.addr": "127.0.0.1:1 @ WEIR_ADMIN_LISTEN", "admin.token": "set (hidden) @ weir.yaml:3:10", "admin.url": "unset @ ",
		"limits.body": "2MiB @ weir.yaml:4:16", "limits.wait": "1s @ ", "limits.requests": "unset @ ", "limits.connections": "10000 @ ", "responses.secret": "unset (hidden) @ ", "responses.total": "1GiB @ ",
		"store": "postgres://db/weir @ weir.yaml:5:8", "traces.endpoint": "set (hidden) @ weir.yaml:6:20", "traces.ratio": "5% @ weir.yaml:6:65", "traces.headers.X-Key": "set (hidden) @ weir.yaml:6:86",
		`traces.resource."deployment.environment.name"`: "${BASE} @ weir.yaml:6:147", "alerts.url": "unset (hidden) @ ", "console": "true @ ", "admin.token_login": "loopback @ ", "ledger.keep": "400d @ ",
		"providers.up.base_url": "${BASE} @ weir.yaml:8:32", "providers.up.api_keys[0]": "set (hidden) @ weir.yaml:8:54", "providers.up.api_keys[1]": "set (hidden) @ weir.yaml:8:64",
		"providers.up.headers.X-Title": "set (hidden) @ weir.yaml:8:109", "providers.up.params.default.top_k": "set (hidden) @ weir.yaml:8:155",
		`models."gpt-4.1".targets[0].model`: "gpt-4.1 @ weir.yaml:10:23", `models."gpt-4.1".targets[1].price.input`: "1.25 @ weir.yaml:10:75",
		`models."gpt-4.1".price_unknown`: "free @ weir.yaml:10:111", `models."gpt-4.1".fallbacks.to[0]`: "fast @ weir.yaml:10:129", "keys[0].digest": "set (hidden) @ weir.yaml:13:24", "keys[0].budgets[0]": "5usd/day @ weir.yaml:13:109",
	} {
		if all[name] != want {
			t.Errorf("%s: %q, want %q", name, all[name], want)
		}
	}
	if _, there := all["models.fast.policy"]; there {
		t.Error("a default of an element is listed")
	}
	for name, text := range all {
		if strings.Contains(text, "-of-the-test") {
			t.Errorf("%s shows a secret: %s", name, text)
		}
	}
}

// Whatever a good config has is listed with its place, and no other.
func TestSettingsOfTheFullConfig(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/good/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	l := testLoader()
	cfg, err := l.Load("testdata/good/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Count(string(data), "\n") + 1
	place := regexp.MustCompile(`^testdata/good/full.yaml:(\d+):\d+$`)
	given := 0
	for _, s := range cfg.Settings() {
		if s.From != "" && !place.MatchString(s.From) {
			t.Errorf("%s is from %s", s.Name, s.From)
		}
		if s.From != "" {
			given++
		}
	}
	if given < lines/2 {
		t.Errorf("%d settings of %d lines have a place", given, lines)
	}
}

// A data folder that is given otherwise takes the default store with it.
func TestSettingsOfAnotherDataFolder(t *testing.T) {
	t.Parallel()
	l := testLoader()
	cfg, err := l.Parse("weir.yaml", []byte("data: here\n"))
	if err != nil {
		t.Fatal(err)
	}
	file := settings(cfg)
	if err := cfg.Override(Overrides{Data: "/there"}); err != nil {
		t.Fatal(err)
	}
	if now := settings(cfg); file["data"] != "here @ weir.yaml:1:7" || now["data"] != "/there @ WEIR_DATA" || now["store"] != cfg.Store.String()+" @ " || now["store"] == file["store"] {
		t.Errorf("%s, %s; then %s, %s", file["data"], file["store"], now["data"], now["store"])
	}
}

// A config without a file is from the environment, and its defaults are none the less defaults.
func TestSettingsWithoutAFile(t *testing.T) {
	t.Parallel()
	l := testLoader()
	l.Env = func(name string) (string, bool) { return "a-key-of-the-test", name == "OPENAI_API_KEY" }
	cfg, err := l.Default()
	if err != nil {
		t.Fatal(err)
	}
	all := settings(cfg)
	want := map[string]string{"providers.openai.kind": "openai @ the environment", "providers.openai.api_key": "set (hidden) @ the environment", "limits.depth": "256 @ "}
	for name := range want {
		want[name] = cmp.Diff(want[name], all[name])
		if want[name] != "" {
			t.Errorf("%s: %s", name, want[name])
		}
	}
}
