package main

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bifrostTables are the columns of Bifrost's tables that its virtual keys need, for SQLite and Postgres.
const bifrostTables = `
CREATE TABLE config_providers (id integer PRIMARY KEY, name text, network_config_json text);
CREATE TABLE config_keys (id integer PRIMARY KEY, name text, provider_id integer, key_id text, value text, models_json text, encryption_status text);
CREATE TABLE governance_virtual_keys (id text PRIMARY KEY, name text, value text, value_hash text, is_active boolean, team_id text, encryption_status text);
CREATE TABLE governance_virtual_key_provider_configs (id integer PRIMARY KEY, virtual_key_id text, provider text, weight real, allowed_models text, allow_all_keys boolean);
CREATE TABLE governance_budgets (id text PRIMARY KEY, max_limit real, reset_duration text, last_reset timestamp, current_usage real, team_id text, virtual_key_id text);
CREATE TABLE governance_teams (id text PRIMARY KEY, name text);
INSERT INTO config_keys VALUES (1, 'a', 1, 'k', 'aGlkZGVu-hidden', '["*"]', 'encrypted');
INSERT INTO governance_teams VALUES ('t', 'red');
INSERT INTO governance_virtual_keys VALUES ('1', 'app', 'sk-bf-hidden-app', NULL, true, 't', 'plain_text'), ('2', 'spent', 'sk-bf-hidden-spent', NULL, true, NULL, NULL), ('3', 'off', 'sk-bf-hidden-off', NULL, false, NULL, NULL);
INSERT INTO governance_virtual_key_provider_configs VALUES (1, '1', 'openai', 1, '["gpt-4o-mini"]', true), (2, '2', 'openai', NULL, '["*"]', true), (3, '3', 'openai', NULL, '["*"]', true);
INSERT INTO governance_budgets VALUES ('b1', 50, '1M', NULL, 12.5, NULL, '1'), ('b2', 5, 'never', NULL, 7, NULL, '2'), ('b3', 100, 'never', NULL, 30, 't', NULL);
`

// newapiTables are the columns of new-api's tables that its tokens need, for SQLite and Postgres.
const newapiTables = `
CREATE TABLE channels (id integer PRIMARY KEY, type integer, "key" text, status integer, name text, base_url text, models text, "group" text);
CREATE TABLE tokens (id integer PRIMARY KEY, user_id integer, "key" text, status integer, name text, expired_time bigint, remain_quota bigint, unlimited_quota boolean, used_quota bigint, model_limits_enabled boolean, model_limits text);
CREATE TABLE users (id integer PRIMARY KEY, username text, password text, status integer, quota bigint, used_quota bigint, "group" text);
CREATE TABLE options ("key" text PRIMARY KEY, value text);
INSERT INTO tokens VALUES (1, 1, 'hidden-app', 1, 'app', -1, 500000, false, 250000, true, 'smart'), (2, 1, 'hidden-spent', 4, 'spent', -1, 0, false, 250000, false, ''), (3, 1, 'hidden-off', 2, 'off', -1, 0, true, 0, false, '');
INSERT INTO users VALUES (1, 'red', 'hidden-password', 1, 1000000, 500000, 'default');
`

// execute runs statements in a database.
func execute(t *testing.T, driver, at string, statements ...string) {
	t.Helper()
	db, err := sql.Open(driver, at)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%v\n%s", err, s)
		}
	}
}

// TestCallersOfOthersGoOn: with the database of Bifrost or new-api, in SQLite or Postgres, a Weir lets the same callers in by the same keys, for the
// same models, and their budgets go on where they were.
func TestCallersOfOthersGoOn(t *testing.T) {
	_, up := simulate(t, `{}`)
	sources := map[string]struct {
		rows         []string
		begin, model string
		at           string
	}{
		"bifrost": {[]string{bifrostTables, `INSERT INTO config_providers VALUES (1, 'openai', '{"base_url": "` + up.URL + `"}')`}, "sk-bf-hidden-", "openai/gpt-4o-mini", "config.db"},
		"newapi": {[]string{
			newapiTables, `INSERT INTO channels VALUES (1, 8, 'hidden-channel-key', 1, 'openai', '` + up.URL + `/v1', 'smart,other', 'default')`,
			`INSERT INTO options VALUES ('ModelRatio', '{"smart": 1, "other": 1}'), ('CompletionRatio', '{"smart": 2, "other": 2}')`,
		}, "sk-hidden-", "smart", "one-api.db"},
	}
	for name, source := range sources {
		for _, server := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %t", name, server), func(t *testing.T) {
				folder := t.TempDir()
				at, env := source.at, environment(folder, "OPENAI_API_KEY", "secret-of-up")
				if server {
					at, env["DATABASE_URL"] = "DATABASE_URL", postgres.Database(t)
					execute(t, "pgx", env["DATABASE_URL"], source.rows...)
				} else {
					execute(t, "sqlite", filepath.Join(folder, at), source.rows...)
				}
				did := runIn(t, folder, env, "", "import", name, at)
				if did.code != 0 || !strings.Contains(did.stderr, "Wrote weir.export (3 keys, 1 team") || strings.Contains(did.stdout+did.stderr, "hidden") {
					t.Fatalf("%+v", did)
				}
				config, err := os.ReadFile(filepath.Join(folder, "weir.yaml"))
				if err != nil {
					t.Fatal(err)
				}
				writeTest(t, filepath.Join(folder, "weir.yaml"), strings.Replace(string(config), `model: "*"}`, `model: "*", price: {input: 1, output: 2}}`, 1))
				if did := runIn(t, folder, env, "", "import", "archive", "-c", "weir.yaml", "weir.export"); did.code != 0 {
					t.Fatalf("%+v", did)
				}
				s := start(t, env, "--config", "weir.yaml").ready()
				for _, call := range []struct {
					key, model string
					status     int
				}{{"app", source.model, http.StatusOK}, {"app", "openai/other", http.StatusNotFound}, {"spent", source.model, http.StatusTooManyRequests}, {"off", source.model, http.StatusUnauthorized}} {
					if got := s.call("POST", "/v1/chat/completions", source.begin+call.key, `{"model":"`+call.model+`","messages":[{"role":"user","content":"hi"}]}`); got.StatusCode != call.status {
						body, _ := io.ReadAll(got.Body)
						t.Errorf("%s at %s: %d, want %d: %s", call.key, call.model, got.StatusCode, call.status, body)
					}
				}
				admin := map[string]string{"WEIR_ADMIN": s.admin, "WEIR_DATA": env["WEIR_DATA"], "OPENAI_API_KEY": "x"}
				if did := runIn(t, folder, admin, "", "verify"); did.code != 0 {
					t.Errorf("%+v", did)
				}
			})
		}
	}
}

// TestImportsThatCannotBe: whatever is wrong with a source, the error says what and where and what to do, no file is begun and no secret is shown.
func TestImportsThatCannotBe(t *testing.T) {
	oneAfterAnother(t)
	whole := postgres.Own(t)
	execute(t, "pgx", whole, bifrostTables, newapiTables, `CREATE USER others_reader PASSWORD 'pass-word'`)
	_, rest, _ := strings.Cut(whole, "@")
	const litellm = "model_list:\n  - model_name: a\n    litellm_params: {model: openai/a, api_key: sk-hidden}\n"
	for _, test := range []struct{ name, gateway, source, text, want string }{
		{"a truncated file", "bifrost", "c.json", "{\"providers\": {\"openai\": {\"keys\": [\n{\"value\": \"sk-hidden\"", "c.json:2:"},
		{"a truncated file", "portkey", "c.json", "{\"targets\": [{\"provider\": \"openai\",\n\"api_key\": \"sk-hidden", "c.json:2:"},
		{"a truncated file", "newapi", "c.json", "{\"channels\": [{\"key\": \"sk-hidden\",\n", "c.json:1:"},
		{"a template", "bifrost", "c.json", "{\"providers\":\n {{ .Values.providers | toJson }}}", "c.json:2:2: this is a template, whose values are known only when it is rendered: render it first"},
		{"a template", "portkey", "c.json", "{\"targets\":\n {{ .Values.targets }}}", "c.json:2:2: this is a template"},
		{"a template", "newapi", "c.json", "{\"channels\":\n {{ .Values.channels }}}", "c.json:2:2: this is a template"},
		{"of another gateway", "bifrost", "c.yaml", litellm, "c.yaml:1:1: this is no config of Bifrost's"},
		{"of another gateway", "portkey", "c.yaml", litellm, "c.yaml:1:1: this is no config of Portkey's"},
		{"of another gateway", "newapi", "c.yaml", litellm, "c.yaml:1:1: there are no channels of new-api's here"},
		{"of another gateway", "litellm", "c.json", `{"providers": {"openai": {"keys": [{"value": "sk-hidden"}]}}}`, "c.json:1:1: this is no config of LiteLLM's"},
		{"the table of another gateway", "newapi", "c.db", bifrostTables, "it lacks a table: check that it is the right file"},
		{"the table of another gateway", "bifrost", "c.db", newapiTables, "it lacks a table: check that it is the right file"},
		{"a damaged file", "bifrost", "c.json", "SQLite format 3\x00 and nothing after it", "cannot read the database c.json"},
		{"another version", "bifrost", "c.db", `CREATE TABLE config_providers (id text); INSERT INTO config_providers VALUES ('x')`, "it is of another version of Bifrost"},
		{"another version", "newapi", "c.db", `CREATE TABLE channels (name text)`, "it lacks a column: it is of another version"},
		{"without rights", "bifrost", "postgres://others_reader:pass-word@" + rest, "", "grant it SELECT on the tables"},
		{"without rights", "newapi", "postgres://others_reader:pass-word@" + rest, "", "grant it SELECT on the tables"},
		{"a wrong password", "bifrost", "postgres://none:pass-word@" + rest, "", "it does not let this user in: check the URL"},
		{"nothing listens", "bifrost", "postgres://u:pass-word@127.0.0.1:1/x", "", "it cannot be reached"},
		{"nothing listens", "newapi", "postgres://u:pass-word@127.0.0.1:1/x", "", "it cannot be reached"},
		{"an unset variable", "bifrost", "DATABASE_URL", "", "SOURCE is no file that can be read"},
		{"a missing file", "portkey", "c.json", "", "cannot read the file"},
	} {
		t.Run(test.gateway+" "+test.name, func(t *testing.T) {
			folder := t.TempDir()
			switch {
			case strings.HasSuffix(test.source, ".db"):
				execute(t, "sqlite", filepath.Join(folder, test.source), test.text)
			case test.text != "":
				writeTest(t, filepath.Join(folder, test.source), test.text)
			}
			before, _ := os.ReadDir(folder)
			did := runIn(t, folder, nil, "", "import", test.gateway, test.source)
			if did.code != 1 || !strings.Contains(did.stderr, test.want) || did.stdout != "" || strings.Contains(did.stderr, "pass-word") || strings.Contains(did.stderr, "hidden") {
				t.Errorf("%+v", did)
			}
			if after, _ := os.ReadDir(folder); len(after) != len(before) {
				t.Errorf("files: %v", after)
			}
		})
	}
}

// TestImportsOfGoodFiles: a file with a name that is there twice, and ten thousand models, is converted whole; files that are there stay.
func TestImportsOfGoodFiles(t *testing.T) {
	oneAfterAnother(t)
	names := make([]string, 10_000)
	for i := range names {
		names[i] = fmt.Sprintf("model-%d", i)
	}
	quoted := `"` + strings.Join(names, `", "`) + `"`
	conditions := make([]string, len(names))
	for i, name := range names {
		conditions[i] = `{"query": {"params.model": {"$eq": "` + name + `"}}, "then": "a"}`
	}
	for gateway, source := range map[string]struct{ models, text string }{
		"bifrost": {"20000 models", `{"providers": {"openai": {"keys": []}},` + "\n" + `"providers": {"openai": {"keys": [{"value": "sk-hidden-key", "models": [` + quoted + `], "weight": 1}]}},
			"governance": {"virtual_keys": [{"id": "1", "name": "a", "value": "sk-bf-hidden", "provider_configs": [{"provider": "openai", "weight": 1, "allowed_models": [` + quoted + `]}]}]}}`},
		"newapi": {"10000 models", `{"channels": [],` + "\n" + `"channels": [{"id": 1, "type": 1, "key": "sk-hidden-key", "status": 1, "name": "a", "models": "` + strings.Join(names, ",") + `", "group": "default"}],
			"tokens": [{"id": 1, "user_id": 1, "key": "hidden-token", "status": 1, "unlimited_quota": true}]}`},
		"portkey": {"10001 models", `{"strategy": {"mode": "single"},` + "\n" + `"strategy": {"mode": "conditional", "conditions": [` + strings.Join(conditions, ",") + `], "default": "a"}, "targets": [{"name": "a", "provider": "openai", "api_key": "sk-hidden-key"}]}`},
	} {
		t.Run(gateway, func(t *testing.T) {
			folder := t.TempDir()
			writeTest(t, filepath.Join(folder, "c.json"), source.text)
			did := runIn(t, folder, nil, "", "import", gateway, "c.json")
			if did.code != 0 || !strings.Contains(did.stderr, source.models) ||
				!strings.Contains(did.stdout, "c.json:2:1: manual") || strings.Contains(did.stdout+did.stderr, "hidden") {
				t.Fatalf("%d %s %.300s", did.code, did.stderr, did.stdout)
			}
			for _, file := range []string{"weir.yaml", "weir.export"} {
				text, err := os.ReadFile(filepath.Join(folder, file))
				if err == nil && strings.Contains(string(text), "hidden") || err != nil && (file == "weir.yaml" || gateway != "portkey") {
					t.Errorf("%s: %v", file, err)
				}
			}
			if did := runIn(t, folder, nil, "", "import", gateway, "c.json"); did.code != 2 || !strings.Contains(did.stderr, "weir.yaml exists already") || did.stdout != "" {
				t.Errorf("%+v", did)
			}
		})
	}
}
