package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
)

// outcome is what a command did, as its caller sees it.
type outcome struct {
	code           int
	stdout, stderr string
}

// runIn runs the program in folder with the given environment and standard input. It changes the process's
// working directory, so tests that use it do not run in parallel.
func runIn(t *testing.T, folder string, env map[string]string, stdin string, args ...string) outcome {
	t.Helper()
	t.Chdir(folder)
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), args, &system{
		stdin: strings.NewReader(stdin), stdout: &stdout, stderr: &stderr,
		env: func(name string) (string, bool) { value, ok := env[name]; return value, ok },
	})
	return outcome{code, stdout.String(), stderr.String()}
}

func writeTest(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const (
	goodConfig = "providers: {a: {kind: sim}, b: {kind: openai, api_key: \"${KEY}\"}}\nmodels: {m: {targets: [{provider: a, model: x, price: {input: 0, output: 0}}]}}\n"
	badConfig  = "polcy: x\nproviders: {a: {kind: opnai}}\n"
	badErrors  = ":1:1: unknown field \"polcy\"; the fields here are listen, admin, console, store, stale_keys, start_without_store, lost_after, data, drain, limits, responses, journal, durability, ledger, alerts, traces, secrets, timezone, cors, headers, trusted_proxies, metrics, empty, providers, models, teams, keys\n"
)

func TestCheck(t *testing.T) {
	folder := t.TempDir()
	writeTest(t, filepath.Join(folder, "good.yaml"), goodConfig)
	writeTest(t, filepath.Join(folder, "bad.yaml"), badConfig)
	key := map[string]string{"KEY": "value"}
	did := runIn(t, folder, key, "", "check", "--config", "good.yaml")
	if want := (outcome{0, "good.yaml: ok (2 providers, 1 model, 0 keys)\n", ""}); did != want {
		t.Errorf("good: %+v", did)
	}
	did = runIn(t, folder, key, goodConfig, "check", "--config", "-")
	if want := (outcome{0, "stdin: ok (2 providers, 1 model, 0 keys)\n", ""}); did != want {
		t.Errorf("standard input: %+v", did)
	}
	did = runIn(t, folder, nil, goodConfig, "check", "--config=-")
	if want := "stdin:1:56: api_key: the environment variable KEY is not set: set it, or write ${KEY:-default}\n"; did.code != 2 || did.stderr != want || did.stdout != "" {
		t.Errorf("unset variable: %+v", did)
	}
	did = runIn(t, folder, nil, "", "check", "--config", "bad.yaml")
	if want := "bad.yaml" + badErrors + "bad.yaml:2:23: unknown kind \"opnai\"; did you mean \"openai\"?\n"; did.code != 2 || did.stderr != want || did.stdout != "" {
		t.Errorf("bad: %+v", did)
	}
	did = runIn(t, folder, nil, "", "check", "--config", "none.yaml")
	if want := (outcome{2, "", "none.yaml: cannot read the config file: no such file or directory\n"}); did != want {
		t.Errorf("missing: %+v", did)
	}
}

// TestCheckWarns: what works and is hardly meant is named on standard error, and fails with --strict.
func TestCheckWarns(t *testing.T) {
	folder := t.TempDir()
	const sim = "providers: {a: {kind: sim}}\n"
	for name, tt := range map[string]struct{ text, want string }{
		"empty": {"", ":1:1: warning: the config has neither providers nor models, so callers only get errors: weir init writes a file to begin with\n"},
		"providers without models": {sim, ":1:1: warning: the config has providers but no models, so callers cannot use them: " +
			"to pass all models of a through, add the line   models: {\"a/*\": {targets: [\"a/*\"]}}\n"},
		"the line that was shown": {sim + "models: {\"a/*\": {targets: [\"a/*\"]}}\n", ""},
		"first_token":             {sim + "models:\n  m:\n    targets: [a/x]\n    timeouts: {first_token: 5m, total: 1m}\n", ":5:29: warning: first_token 5m0s has no effect, because total ends the request after 1m0s: lower it, or raise total\n"},
		"a default above total":   {sim + "models: {m: {targets: [a/x], timeouts: {total: 1m}}}\n", ""},
		"a key's pattern": {
			sim + "models: {smart: {targets: [a/x]}, \"pass/*\": {targets: [\"a/*\"]}}\nkeys:\n  - {name: k, digest: " + digestOfMadeUp + ", models: [\"smartt*\", \"*/gpt\", \"s*\", smart]}\n",
			":4:105: warning: \"smartt*\" matches no model today; did you mean \"smart\"?\n",
		},
	} {
		writeTest(t, filepath.Join(folder, "weir.yaml"), tt.text)
		want := tt.want
		if want != "" {
			want = "weir.yaml" + want
		}
		if did := runIn(t, folder, nil, "", "check", "weir.yaml"); did.code != 0 || did.stderr != want || !strings.HasPrefix(did.stdout, "weir.yaml: ok (") {
			t.Errorf("%s: %+v", name, did)
		}
		did := runIn(t, folder, nil, "", "check", "--strict", "weir.yaml")
		if code := min(2*len(want), 2); did.code != code || did.stderr != want || (did.stdout == "") != (code == 2) {
			t.Errorf("%s, strictly: %+v", name, did)
		}
	}
}

// Targets of which no price is known are named, each once. A price of 0 is one.
func TestCheckNamesTargetsWithoutAPrice(t *testing.T) {
	folder := t.TempDir()
	targets := ""
	for i := range 12 {
		targets += fmt.Sprintf(", own/m%02d", i)
	}
	writeTest(t, filepath.Join(folder, "weir.yaml"), "providers: {own: {kind: openai, base_url: 'http://127.0.0.1:1'}, openai: {kind: openai, api_key: k}}\n"+
		"models: {free: {targets: [{provider: own, model: a, price: {input: 0, output: 0}}]}, listed: {targets: [openai/gpt-4o, own/m03]}, rest: {targets: [openai/gpt-5-of-mine"+targets+"]}, 'own/*': {targets: ['own/*']}}\n")
	did := runIn(t, folder, nil, "", "check", "--strict", "weir.yaml")
	want := "weir.yaml: ok (2 providers, 4 models, 0 keys)\n" +
		"No price is known of own/m03, openai/gpt-5-of-mine, own/m00, own/m01, own/m02, own/m04, own/m05, own/m06, own/m07, own/m08 and 3 more: what they cost counts as nothing. Set price at the target, or like.\n"
	if did != (outcome{0, want, ""}) {
		t.Errorf("%+v", did)
	}
}

// TestCheckTakesTheFileByItself: most users give nothing else.
func TestCheckTakesTheFileByItself(t *testing.T) {
	folder := t.TempDir()
	writeTest(t, filepath.Join(folder, "good.yaml"), strings.Replace(goodConfig, ", b: {kind: openai, api_key: \"${KEY}\"}", "", 1))
	for _, args := range [][]string{{"good.yaml"}, {"--config", "good.yaml"}} {
		if did := runIn(t, folder, nil, "", append([]string{"check"}, args...)...); did != (outcome{0, "good.yaml: ok (1 provider, 1 model, 0 keys)\n", ""}) {
			t.Errorf("%v: %+v", args, did)
		}
	}
	if did := runIn(t, folder, nil, badConfig, "check", "-"); did.code != 2 || !strings.HasPrefix(did.stderr, "stdin:1:1: ") {
		t.Errorf("standard input: %+v", did)
	}
	if did := runIn(t, folder, nil, "", "check", "--config", "good.yaml", "other.yaml"); did.code != 2 || !strings.Contains(did.stderr, "two config files are named") {
		t.Errorf("two: %+v", did)
	}
}

// TestCheckFindsTheFile: the flag beats WEIR_CONFIG, which beats ./weir.yaml.
func TestCheckFindsTheFile(t *testing.T) {
	folder := t.TempDir()
	if did := runIn(t, folder, nil, "", "check"); did.code != 2 || !strings.Contains(did.stderr, "no config file to check: name one (weir check FILE)") {
		t.Errorf("none: %+v", did)
	}
	for _, name := range []string{"weir.yaml", "env.yaml", "flag.yaml"} {
		writeTest(t, filepath.Join(folder, name), "")
	}
	env := map[string]string{"WEIR_CONFIG": "env.yaml"}
	for want, did := range map[string]outcome{
		"weir.yaml": runIn(t, folder, nil, "", "check"),
		"env.yaml":  runIn(t, folder, env, "", "check"),
		"flag.yaml": runIn(t, folder, env, "", "check", "--config", "flag.yaml"),
	} {
		if did.code != 0 || did.stdout != want+": ok (0 providers, 0 models, 0 keys)\n" {
			t.Errorf("%s: %+v", want, did)
		}
	}
}

func TestSchemaCommand(t *testing.T) {
	did := runIn(t, t.TempDir(), nil, "", "schema")
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal([]byte(did.stdout), &schema); err != nil || did.code != 0 || schema.Properties["models"] == nil {
		t.Errorf("%v: %+v", err, did)
	}
}

func TestInit(t *testing.T) {
	folder := t.TempDir()
	env := map[string]string{"GROQ_API_KEY": "gsk-secret", "OPENAI_API_KEY": "sk-secret", "HF_TOKEN": "hf-secret"}
	did := runIn(t, folder, env, "", "init")
	if want := (outcome{0, "Wrote weir.yaml (2 providers) and weir.schema.json.\nStart with: weir serve\n", ""}); did != want {
		t.Fatalf("%+v", did)
	}
	text, err := os.ReadFile(filepath.Join(folder, "weir.yaml"))
	if err != nil || strings.Contains(string(text), "secret") || !strings.Contains(string(text), "\n  groq: {kind: groq, api_key: \"${GROQ_API_KEY}\"}\n") {
		t.Errorf("%v\n%s", err, text)
	}
	schema, err := os.ReadFile(filepath.Join(folder, schemaFile))
	if err != nil || string(schema) != runIn(t, folder, nil, "", "schema").stdout {
		t.Errorf("the schema beside the file is not that of weir schema: %v", err)
	}
	if did := runIn(t, folder, env, "", "check"); did.code != 0 || did.stdout != "weir.yaml: ok (2 providers, 2 models, 0 keys)\n" {
		t.Errorf("check: %+v", did)
	}

	// A file that is there is kept, unless --force is given.
	writeTest(t, filepath.Join(folder, "weir.yaml"), "mine")
	did = runIn(t, folder, env, "", "init")
	if kept, _ := os.ReadFile(filepath.Join(folder, "weir.yaml")); did.code != 2 || !strings.Contains(did.stderr, "weir.yaml exists already") || string(kept) != "mine" {
		t.Errorf("%+v; file: %s", did, kept)
	}
	did = runIn(t, folder, env, "", "init", "--force")
	if now, _ := os.ReadFile(filepath.Join(folder, "weir.yaml")); did.code != 0 || !bytes.Equal(now, text) {
		t.Errorf("%+v; file: %s", did, now)
	}
}

func TestInitElsewhere(t *testing.T) {
	folder := t.TempDir()
	writeTest(t, filepath.Join(folder, "etc", "keep"), "")
	did := runIn(t, folder, nil, "", "init", "--output", "etc/my.yaml")
	if want := (outcome{0, "Wrote etc/my.yaml (1 provider) and etc/weir.schema.json.\nStart with: weir serve --config \"etc/my.yaml\"\n", ""}); did != want {
		t.Errorf("%+v", did)
	}
	if did := runIn(t, folder, nil, "", "check", "--config", "etc/my.yaml"); did.code != 0 {
		t.Errorf("check: %+v", did)
	}
	did = runIn(t, folder, map[string]string{"GROQ_API_KEY": "two\nlines"}, "", "init", "--output", "other.yaml")
	if _, err := os.Stat(filepath.Join(folder, "other.yaml")); did.code != 1 || !os.IsNotExist(err) || !strings.Contains(did.stderr, "did not write it") {
		t.Errorf("an unusable key: %+v, %v", did, err)
	}
	if did := runIn(t, folder, nil, "", "init", "--output", "none/weir.yaml"); did.code != 1 || !strings.Contains(did.stderr, "none/weir.yaml") {
		t.Errorf("no folder: %+v", did)
	}
}

// TestLoadConfig: what the environment sets lies over the file, or over what is found without one.
func TestLoadConfig(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	load := func(env map[string]string, flag string) (*config.Config, error) {
		sys := &system{stdin: strings.NewReader(""), env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
		return loadConfig(configLoader(sys), flag, sys)
	}
	cfg, err := load(map[string]string{
		"WEIR_LISTEN": ":1", "WEIR_ADMIN_LISTEN": "127.0.0.1:2", "WEIR_STORE": "sqlite:/s.db", "WEIR_DATA": "/d", "GROQ_API_KEY": "k",
	}, "")
	if err != nil || cfg.Listen.Addr != ":1" || cfg.Admin.Listen.Addr != "127.0.0.1:2" || cfg.Store.Path != "/s.db" || cfg.Data != "/d" {
		t.Errorf("%+v, %v", cfg, err)
	}
	if err == nil && (len(cfg.Providers) != 1 || cfg.Providers[0].Name != "groq" || cfg.Path != "") {
		t.Errorf("without a file: %+v", cfg)
	}
	writeTest(t, filepath.Join(folder, "weir.yaml"), "listen: :7\n")
	if cfg, err := load(nil, ""); err != nil || cfg.Listen.Addr != ":7" || len(cfg.Providers) != 0 {
		t.Errorf("the file: %+v, %v", cfg, err)
	}
	if _, err := load(map[string]string{"WEIR_LISTEN": "7"}, ""); err == nil || !strings.Contains(err.Error(), `a WEIR_… variable cannot be used: listen "7" must be host:port`) {
		t.Errorf("a bad variable: %v", err)
	}
	writeTest(t, filepath.Join(folder, "weir.yaml"), "x: 1\ny: 2\n")
	if _, err := load(nil, ""); err == nil || !strings.HasPrefix(err.Error(), "the config cannot be used:\nweir.yaml:1:1: ") || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("a bad file: %v", err)
	}
}
