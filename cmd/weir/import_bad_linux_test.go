package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// hiddenKey stands in configs of these tests, and must not be in what the command says or writes.
const hiddenKey = "sk-hidden-1234567890"

// litellmBad are configs that cannot be used, and what is said of them: the place, the reason, and what to do.
var litellmBad = map[string]struct{ config, want string }{
	"cut off in a text":      {"model_list:\n  - model_name: a\n    litellm_params: {model: openai/a, api_key: " + hiddenKey + "}\n  - model_name: \"gp", "config.yaml:4:"},
	"cut off in a list":      {"model_list: [{model_name: a, litellm_params: {model: openai/a, api_key: " + hiddenKey, "The file seems to be cut off here: copy it again"},
	"a template of Helm":     {"model_list:\n{{- range .Values.models }}\n  - model_name: {{ .name }}\n    litellm_params: {api_key: " + hiddenKey + "}\n{{- end }}\n", "config.yaml:2:1: this is a template, whose values are known only when it is rendered: render it first"},
	"aliases of aliases":     {"a: &a [" + hiddenKey + ",1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\nmodel_list: []\n", "config.yaml:6:"},
	"an alias of nothing":    {"model_list: *models\n", "config.yaml:1:"},
	"an alias within itself": {"model_list: &models [*models]\n", "config.yaml:1:22: the alias names what it is in: write out what is meant"},
	"no config":              {"apiVersion: v1\nkey: " + hiddenKey + "\n", "config.yaml:1:1: this is no config of LiteLLM's"},
	"nothing":                {"", "it is empty: is it the right file, and was it copied whole?"},
}

// TestImportOfBadConfigs: nothing is written, and the error names the line, the reason and what to do, and no secret.
func TestImportOfBadConfigs(t *testing.T) {
	for name, test := range litellmBad {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			writeTest(t, filepath.Join(folder, "config.yaml"), test.config)
			wantNothing(t, folder, test.want, "--keys", "postgres://u:pass-word@127.0.0.1:1/x")
		})
	}
}

// wantNothing imports what is in the folder, which must fail.
func wantNothing(t *testing.T, folder, want string, args ...string) {
	t.Helper()
	did := runIn(t, folder, nil, "", append([]string{"import", "litellm", "config.yaml"}, args...)...)
	if did.code != 1 || !strings.Contains(did.stderr, want) || did.stdout != "" {
		t.Errorf("%d, %q, %q; want %q", did.code, did.stdout, did.stderr, want)
	}
	if strings.Contains(did.stderr, hiddenKey) || strings.Contains(did.stderr, "pass-word") {
		t.Errorf("a secret is in %s", did.stderr)
	}
	if after, err := os.ReadDir(folder); err != nil || len(after) != 1 {
		t.Errorf("files: %v", after)
	}
}

// TestImportOfOddConfigs: what is odd, but can be used, is converted, and the report says what became of it, without a secret.
func TestImportOfOddConfigs(t *testing.T) {
	oneAfterAnother(t)
	const model = "{model_name: a, litellm_params: {model: openai/a, api_key: " + hiddenKey + ", weird: 1}}"
	var many strings.Builder
	many.WriteString("model_list:\n")
	for i := range 10_000 {
		fmt.Fprintf(&many, "  - {model_name: m%d, litellm_params: {model: openai/m%d, api_key: %s}}\n", i, i, hiddenKey)
	}
	for name, test := range map[string]struct {
		config string
		models int
		want   []string
	}{
		"anchors":             {"x: &x " + model + "\nmodel_list: &m [*x]\nrouter_settings: &r {odd: 1}\n", 1, []string{"config.yaml:1:1: exact: x: left out: it is an anchor", "unsupported: model_list[0].litellm_params.weird", "unsupported: router_settings.odd"}},
		"a merge":             {"x: &x {model_list: [" + model + "]}\n<<: *x\n", 1, []string{"unsupported: model_list[0].litellm_params.weird"}},
		"a name twice":        {"model_list: [" + model + "]\nrouter_settings: {num_retries: 1}\nrouter_settings: {num_retries: 2}\n", 1, []string{"config.yaml:3:1: manual: router_settings: its name is here twice, and the last one counts"}},
		"a model twice":       {"model_list: [" + model + ", " + model + "]\n", 1, []string{`approximate: model_list[1]: the same model with the same credentials is target 1 of "a" already`}},
		"unknown callbacks":   {"model_list: [" + model + "]\nlitellm_settings: {callbacks: [my_module.handler, prometheus], success_callback: [made_up]}\n", 1, []string{`unsupported: litellm_settings.callbacks[0]: Weir runs no callback "my_module.handler"`, `unsupported: litellm_settings.success_callback[0]: Weir runs no callback "made_up"`}},
		"ten thousand models": {many.String(), 10_000, []string{"config.yaml:10001:"}},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			writeTest(t, filepath.Join(folder, "config.yaml"), test.config)
			did := runIn(t, folder, nil, "", "import", "litellm", "config.yaml")
			for _, want := range append(test.want, "the secret stands in the source, and is not copied") {
				if !strings.Contains(did.stdout, want) {
					t.Errorf("the report does not say %q: %.2000s", want, did.stdout)
				}
			}
			wrote, err := os.ReadFile(filepath.Join(folder, "weir.yaml"))
			if err != nil || did.code != 0 || !strings.Contains(did.stderr, fmt.Sprintf("(1 provider, %s)", count(test.models, "model"))) {
				t.Errorf("%d, %s, %v", did.code, did.stderr, err)
			}
			if strings.Contains(did.stdout+did.stderr+string(wrote), hiddenKey) {
				t.Error("the secret is in what the command says or writes")
			}
			if did := runIn(t, folder, nil, "", "check", "--without-secrets", "weir.yaml"); did.code != 0 {
				t.Errorf("%+v", did)
			}
		})
	}
}

// TestImportOfAPipe: who waits for a source that does not come can end it.
func TestImportOfAPipe(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	for _, gateway := range []string{"litellm", "bifrost", "newapi", "portkey"} {
		var stdout, stderr bytes.Buffer
		signals := make(chan os.Signal, 1)
		signals <- os.Interrupt
		code := run(t.Context(), []string{"import", gateway, pipe}, &system{stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr, signals: signals, env: func(string) (string, bool) { return "", false }})
		if code != 1 || !strings.Contains(stderr.String(), "it was interrupted") {
			t.Errorf("%s: %d, %s", gateway, code, stderr.String())
		}
		end, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that its reader ends, too
		if err != nil {
			t.Fatal(err)
		}
		if err := end.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestImportOfBadDatabases: whatever is wrong with the database, nothing is written, and the error says what to do, without the password.
func TestImportOfBadDatabases(t *testing.T) {
	oneAfterAnother(t)
	whole := postgres.Own(t)
	db, err := sql.Open("pgx", whole)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.Exec(litellmTables + `CREATE USER bare PASSWORD 'pass-word'; CREATE USER locked PASSWORD 'another'`); err != nil {
		t.Fatal(err)
	}
	askPasswords(t, db, "locked")
	as := func(user, database string) string {
		u, err := url.Parse(whole)
		if err != nil {
			t.Fatal(err)
		}
		u.User = url.UserPassword(user, "pass-word")
		if database != "" {
			u.Path = "/" + database
		}
		return u.String()
	}
	with := func(tables string) string {
		other := postgres.Database(t)
		db, err := sql.Open("pgx", other)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(tables); err != nil {
			t.Fatal(err)
		}
		return other
	}
	for name, test := range map[string]struct{ url, want string }{
		"unreachable":                     {"postgres://u:pass-word@127.0.0.1:1/x", "it cannot be reached: check the URL, and whether it runs"},
		"a wrong password":                {as("locked", ""), "the password is wrong: check the URL"},
		"without rights":                  {as("bare", ""), "this user may not read it: grant it SELECT on the tables"},
		"no such database":                {as("bare", "nowhere"), "there is no such database: check the URL"},
		"a table is missing":              {with(`CREATE TABLE "LiteLLM_VerificationToken" (token text, models text[])`), "it has no table LiteLLM_TeamTable with a column team_id: it is no database of LiteLLM's, or of a version that is not known here"},
		"a column is missing":             {with(`CREATE TABLE "LiteLLM_VerificationToken" (token text); CREATE TABLE "LiteLLM_TeamTable" (team_id text)`), "it has no table LiteLLM_VerificationToken with a column models"},
		"a column of another type":        {with(strings.Replace(litellmTables, "rpm_limit bigint", "rpm_limit text", 1) + `INSERT INTO "LiteLLM_VerificationToken" (token, rpm_limit) VALUES ('a', 'many')`), "a column rpm_limit of a type that is not known here: it is of another version of LiteLLM"},
		"tables of another schema":        {whole + "&schema=elsewhere", "the tables are in another schema (?schema=NAME)"},
		"a time that is none":             {with(strings.Replace(litellmTables, "expires timestamp(3)", "expires text", 1) + `INSERT INTO "LiteLLM_VerificationToken" (token, expires) VALUES ('` + strings.Repeat("a", 64) + `', 'soon')`), `table LiteLLM_VerificationToken: "soon" is no time`},
		"budgets of another type of rows": {with(litellmTables + `CREATE TABLE "LiteLLM_BudgetTable" (budget_id text, max_budget text); INSERT INTO "LiteLLM_BudgetTable" VALUES ('b', 'much')`), "the table LiteLLM_BudgetTable has a value of a form that is not known here"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			writeTest(t, filepath.Join(folder, "config.yaml"), "model_list: []\n")
			wantNothing(t, folder, test.want, "--keys", test.url)
		})
	}
}

// askPasswords has the server, which lets everyone in, ask one user for a password.
func askPasswords(t *testing.T, db *sql.DB, user string) {
	t.Helper()
	var file string
	if err := db.QueryRow(`SHOW hba_file`).Scan(&file); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("the server's rules cannot be read: %v", err)
	}
	reload := func(text []byte) {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(`SELECT pg_reload_conf()`); err != nil {
			t.Error(err)
		}
	}
	reload(append([]byte("host all "+user+" 127.0.0.1/32 md5\nlocal all "+user+" md5\n"), before...))
	t.Cleanup(func() { reload(before) })
}
