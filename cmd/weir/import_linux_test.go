package main

import (
	"database/sql"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/auth"
)

// litellmTables are the columns of LiteLLM's tables without which no key works there, and those of budgets.
const litellmTables = `
CREATE TABLE "LiteLLM_TeamTable" (team_id text, team_alias text, max_budget float8, budget_duration text, spend float8, models text[], blocked boolean);
CREATE TABLE "LiteLLM_VerificationToken" (token text, key_alias text, team_id text, spend float8, models text[], rpm_limit bigint, max_budget float8, budget_duration text, blocked boolean, expires timestamp(3));
INSERT INTO "LiteLLM_TeamTable" VALUES ('t', 'red', 100, '30d', 30, '{}', false);
`

// TestCallersOfLiteLLMGoOn: with LiteLLM's config and the tables of its keys a Weir lets the same callers in by the same keys, for the same models,
// and their budgets go on where they were.
func TestCallersOfLiteLLMGoOn(t *testing.T) {
	folder := t.TempDir()
	_, up := simulate(t, `{}`)
	url := postgres.Database(t)
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	row := func(key, rest string) string {
		d := auth.DigestOf(key)
		return `INSERT INTO "LiteLLM_VerificationToken" (token, key_alias, team_id, spend, models, rpm_limit, max_budget, budget_duration, blocked, expires) VALUES ('` + hex.EncodeToString(d[:]) + `', ` + rest + `);`
	}
	if _, err := db.Exec(litellmTables + row("sk-app-12345678", `'app', 't', 12.5, '{smart}', 60, 50, '1mo', NULL, NULL`) + row("sk-spent-12345678", `'spent', NULL, 7, '{}', NULL, 5, NULL, false, NULL`) +
		row("sk-blocked-12345678", `'blocked', NULL, 0, '{}', NULL, NULL, NULL, true, NULL`) + row("sk-over-12345678", `'over', NULL, 0, '{}', NULL, NULL, NULL, false, '2020-01-01'`)); err != nil {
		t.Fatal(err)
	}
	writeTest(t, filepath.Join(folder, "config.yaml"), "model_list:\n  - model_name: smart\n    litellm_params: {model: openai/a, api_base: \""+up.URL+"/v1\", api_key: os.environ/UP_KEY, input_cost_per_token: 0.000001, output_cost_per_token: 0.000002}\n"+
		"  - model_name: other\n    litellm_params: {model: openai/b, api_base: \""+up.URL+"/v1\", api_key: os.environ/UP_KEY}\n")
	env := environment(folder, "DATABASE_URL", url, "UP_KEY", "secret-of-up")
	did := runIn(t, folder, env, "", "import", "litellm", "config.yaml", "--keys", "DATABASE_URL")
	if did.code != 0 || !strings.Contains(did.stderr, "Wrote weir.export (4 keys, 1 team, which spent $37)") || !strings.Contains(did.stdout, "LiteLLM_VerificationToken: exact: key app: a key with this digest") {
		t.Fatalf("%+v", did)
	}
	if did := runIn(t, folder, env, "", "import", "archive", "-c", "weir.yaml", "weir.export"); did.code != 0 || !strings.Contains(did.stdout, "4 keys, 1 team and 3 rows; the sums of all days say 0 calls that cost $37") {
		t.Fatalf("%+v", did)
	}
	s := start(t, env, "--config", "weir.yaml").ready()
	for _, call := range []struct {
		key, model string
		status     int
	}{
		{"sk-app-12345678", "smart", http.StatusOK},
		{"sk-app-12345678", "other", http.StatusNotFound},
		{"sk-spent-12345678", "smart", http.StatusTooManyRequests},
		{"sk-blocked-12345678", "smart", http.StatusUnauthorized},
		{"sk-over-12345678", "smart", http.StatusUnauthorized},
		{"sk-unknown-12345678", "smart", http.StatusUnauthorized},
	} {
		if got := s.call("POST", "/v1/chat/completions", call.key, `{"model":"`+call.model+`","messages":[{"role":"user","content":"hi"}]}`); got.StatusCode != call.status {
			t.Errorf("%s at %s: %d, want %d", call.key, call.model, got.StatusCode, call.status)
		}
	}
	admin := map[string]string{"WEIR_ADMIN": s.admin, "WEIR_DATA": env["WEIR_DATA"], "UP_KEY": "x"}
	for _, args := range [][]string{{"limits", "app"}, {"limits", "--team", "red"}} {
		want := map[int]string{2: "12.5", 3: "30"}[len(args)]
		if did := runIn(t, folder, admin, "", args...); did.code != 0 || !strings.Contains(did.stdout, want) {
			t.Errorf("%v: %+v", args, did)
		}
	}
	if did := runIn(t, folder, admin, "", "verify"); did.code != 0 {
		t.Errorf("%+v", did)
	}
}

// TestImportLeavesNothingHalf: whatever is wrong, no file is begun, and files that are there stay.
func TestImportLeavesNothingHalf(t *testing.T) {
	const good = "model_list:\n  - model_name: a\n    litellm_params: {model: openai/a, api_key: os.environ/A}\n"
	for name, test := range map[string]struct {
		config, there string
		args          []string
		code          int
		want          string
	}{
		"a template":               {"model_list: {{ .Values.models }}\n", "", nil, 1, "config.yaml:1:13: this is a template"},
		"a config that exists":     {good, "weir.yaml", nil, 2, "weir.yaml exists already"},
		"an archive that exists":   {good, "weir.export", []string{"--keys", "postgres://127.0.0.1:1/x"}, 2, "weir.export exists already"},
		"an unreachable database":  {good, "", []string{"--keys", "postgres://u:pass-word@127.0.0.1:1/x"}, 1, "it cannot be reached"},
		"a variable that is unset": {good, "", []string{"--keys", "DATABASE_URL"}, 2, "DATABASE_URL is not set"},
		"another sort of database": {good, "", []string{"--keys", "root:pass-word@tcp(db)/x"}, 2, "this one is not set"},
		"an endless file":          {good + "include: [/dev/zero]\n", "", nil, 1, "config.yaml:4:1: cannot include /dev/zero: /dev/zero: it is larger than 32 MiB"},
		"a missing file":           {"", "", nil, 1, "cannot read the file"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			for file, text := range map[string]string{"config.yaml": test.config, test.there: "as it was"} {
				if file != "" && text != "" {
					writeTest(t, filepath.Join(folder, file), text)
				}
			}
			before, _ := os.ReadDir(folder)
			did := runIn(t, folder, nil, "", append([]string{"import", "litellm", "config.yaml"}, test.args...)...)
			if did.code != test.code || !strings.Contains(did.stderr, test.want) || did.stdout != "" || strings.Contains(did.stderr, "pass-word") {
				t.Errorf("%+v", did)
			}
			if after, _ := os.ReadDir(folder); len(after) != len(before) {
				t.Errorf("files: %v", after)
			}
		})
	}
}

// TestImportWritesBothOrNeither: when the archive of the keys cannot be made or placed, no config is written.
func TestImportWritesBothOrNeither(t *testing.T) {
	url := postgres.Database(t)
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(litellmTables); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		config string
		args   []string
		want   string
	}{
		"an archive that cannot be made": {"model_list: []\nlitellm_settings: {timezone: Nowhere/Never}\n", nil, "timezone: unknown time zone Nowhere/Never"},
		"one name for both":              {"model_list: []\n", []string{"-o", "both", "--accounts", "../FOLDER/both"}, "both exists already"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			writeTest(t, filepath.Join(folder, "config.yaml"), test.config)
			args := []string{"import", "litellm", "config.yaml", "--keys", "DATABASE_URL"}
			for _, arg := range test.args {
				args = append(args, strings.ReplaceAll(arg, "FOLDER", filepath.Base(folder)))
			}
			did := runIn(t, folder, map[string]string{"DATABASE_URL": url}, "", args...)
			if did.code != 1 || !strings.Contains(did.stderr, test.want) || strings.Contains(did.stderr, "Wrote") {
				t.Errorf("%+v", did)
			}
			if after, _ := os.ReadDir(folder); len(after) != 1 {
				t.Errorf("files: %v", after)
			}
		})
	}
}

// TestImportOfAnAddress: an address that is not one of Postgres is not shown, because it may have a password.
func TestImportOfAnAddress(t *testing.T) {
	did := runIn(t, t.TempDir(), nil, "", "import", "newapi", "root:pass-word@tcp(db:3306)/oneapi")
	if did.code != 1 || strings.Contains(did.stderr, "pass-word") || !strings.Contains(did.stderr, "no file that can be read (no such file or directory)") {
		t.Errorf("%+v", did)
	}
}

// TestImportIntoOneFile: the config and the archive cannot be one file.
func TestImportIntoOneFile(t *testing.T) {
	folder := t.TempDir()
	writeTest(t, filepath.Join(folder, "c"), "model_list: []\n")
	for _, args := range [][]string{{"bifrost", "c"}, {"newapi", "c"}, {"litellm", "c", "--keys", "DATABASE_URL"}} {
		did := runIn(t, folder, nil, "", append(append([]string{"import"}, args...), "-o", "one", "--accounts", "./one")...)
		if did.code != 2 || !strings.Contains(did.stderr, "--output and --accounts are the same file, one: name two") {
			t.Errorf("%+v", did)
		}
	}
}

// TestImportNamesWhatCheckRefuses: a result that weir check refuses is written whole, with its mistakes, and the exit status says so.
func TestImportNamesWhatCheckRefuses(t *testing.T) {
	folder := t.TempDir()
	writeTest(t, filepath.Join(folder, "config.yaml"), "model_list: []\nlitellm_settings: {timezone: Nowhere/Never}\n")
	did := runIn(t, folder, nil, "", "import", "litellm", "config.yaml")
	if did.code != 1 || !strings.Contains(did.stderr, "weir.yaml:4:") || !strings.Contains(did.stderr, "1 mistake") {
		t.Errorf("%+v", did)
	}
	if _, err := os.Stat(filepath.Join(folder, "weir.yaml")); err != nil {
		t.Error(err)
	}
}

// TestImportCompares: the lists of both sides are shown in one table, and calls show what came back; nothing is written.
func TestImportCompares(t *testing.T) {
	folder := t.TempDir()
	old := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer sk-both":
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/v1/models":
			_, _ = io.WriteString(w, `{"data":[{"id":"a"},{"id":"open/x"},{"id":"pictures"}]}`)
		default:
			_, _ = io.WriteString(w, `{"model":"a-1","choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":1}}`)
		}
	}))
	defer old.Close()
	writeTest(t, filepath.Join(folder, "config.yaml"), "model_list:\n  - model_name: a\n    litellm_params: {model: openai/a, api_key: os.environ/A}\n  - model_name: open/*\n    litellm_params: {model: openai/*, api_key: os.environ/A}\n")
	env := map[string]string{"WEIR_COMPARE_KEY": "sk-both"}
	args := []string{"import", "litellm", "config.yaml", "--compare", old.URL + "/v1/"}
	did := runIn(t, folder, env, "", args...)
	for _, want := range []string{`"a"         listed  listed`, `"open/x"    listed  served by a pattern`, `"pictures"  listed  missing`, `"open/*"    -       listed`} {
		if !strings.Contains(did.stdout, want) {
			t.Errorf("%q is missing:\n%s", want, did.stdout)
		}
	}
	if did.code != 1 || !strings.Contains(did.stderr, "1 model of the old side is missing in the new") {
		t.Errorf("%+v", did)
	}
	did = runIn(t, folder, env, "", append(args, "--with", old.URL, "--call", "a")...)
	if did.code != 0 || strings.Count(did.stdout, `"a-1"  5       1       "stop"`) != 2 {
		t.Errorf("%+v", did)
	}
	for want, more := range map[string][]string{"the old side refuses the key": {"--key-variable", "OTHER"}, "--call sends a chat to both": {"--call", "a"}, "leave out --keys": {"--keys", "X"}} {
		if did := runIn(t, folder, env, "", append(args, more...)...); did.code == 0 || !strings.Contains(did.stderr, want) {
			t.Errorf("%+v", did)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "weir.yaml")); err == nil {
		t.Error("a comparison wrote a config")
	}
}
