package importer

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/pgtest"
	"github.com/weirproxy/weir/internal/store/postgres"
)

var server pgtest.Server

func TestMain(m *testing.M) { goleak.VerifyTestMain(server.Around(m)) }

// tables are LiteLLM's, with the columns that keys and teams have in a version of 2026.
const tables = `
CREATE TABLE "LiteLLM_BudgetTable" (budget_id text PRIMARY KEY, max_budget float8, soft_budget float8, max_parallel_requests int, tpm_limit bigint, rpm_limit bigint,
	model_max_budget jsonb, budget_duration text, budget_reset_at timestamp(3), created_by text NOT NULL DEFAULT '');
CREATE TABLE "LiteLLM_TeamTable" (team_id text PRIMARY KEY, team_alias text, organization_id text, admins text[], members text[], metadata jsonb NOT NULL DEFAULT '{}', max_budget float8,
	soft_budget float8, spend float8 NOT NULL DEFAULT 0, models text[] NOT NULL DEFAULT '{}', max_parallel_requests int, tpm_limit bigint, rpm_limit bigint, budget_duration text,
	budget_reset_at timestamp(3), blocked boolean NOT NULL DEFAULT false, model_max_budget jsonb NOT NULL DEFAULT '{}', model_id int);
CREATE TABLE "LiteLLM_VerificationToken" (token text PRIMARY KEY, key_name text, key_alias text, spend float8 NOT NULL DEFAULT 0, expires timestamp(3), models text[] NOT NULL DEFAULT '{}',
	aliases jsonb NOT NULL DEFAULT '{}', config jsonb NOT NULL DEFAULT '{}', user_id text, team_id text, permissions jsonb NOT NULL DEFAULT '{}', max_parallel_requests int,
	metadata jsonb NOT NULL DEFAULT '{}', blocked boolean, tpm_limit bigint, rpm_limit bigint, max_budget float8, budget_duration text, budget_reset_at timestamp(3),
	allowed_routes text[] NOT NULL DEFAULT '{}', model_spend jsonb NOT NULL DEFAULT '{}', model_max_budget jsonb NOT NULL DEFAULT '{}', budget_id text, organization_id text);
CREATE TABLE "LiteLLM_DeprecatedVerificationToken" (id text PRIMARY KEY, token text, active_token_id text, revoke_at timestamp(3));
CREATE TABLE "LiteLLM_ProxyModelTable" (model_id text PRIMARY KEY, model_name text, litellm_params jsonb, model_info jsonb);
`

// hash is what LiteLLM keeps of a key.
func hash(key string) string {
	d := auth.DigestOf(key)
	return hex.EncodeToString(d[:])
}

// database runs statements in a new database, and returns its URL.
func database(t *testing.T, statements ...string) string {
	t.Helper()
	url := server.Database(t)
	run(t, url, statements...)
	return url
}

func run(t *testing.T, url string, statements ...string) {
	t.Helper()
	db, err := sql.Open("pgx", url)
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

const withGroup = `
model_list:
  - model_name: smart
    litellm_params: {model: openai/gpt-4o, api_key: os.environ/OPENAI_API_KEY}
    model_info: {access_groups: [eu]}
  - model_name: quick
    litellm_params: {model: groq/llama-3.3-70b-versatile, api_key: os.environ/GROQ_API_KEY}
    model_info: {access_groups: [eu]}
`

// accounts reads what a database has.
func accounts(t *testing.T, url string) (*Draft, error) {
	t.Helper()
	draft := convert(t, LiteLLM{}, "c.yaml", withGroup)
	return draft, postgres.ReadOther(t.Context(), secret.New(url), func(ctx context.Context, tx *sql.Tx) error { return LiteLLM{}.Accounts(ctx, tx, draft) })
}

// TestKeys: what LiteLLM keeps of keys and teams is in the result, and the rest is reported.
func TestKeys(t *testing.T) {
	const q = `INSERT INTO "LiteLLM_VerificationToken" `
	draft, err := accounts(t, database(t, tables,
		`INSERT INTO "LiteLLM_BudgetTable" (budget_id, max_budget, budget_duration, rpm_limit) VALUES ('b', 5, '1d', 7)`,
		`INSERT INTO "LiteLLM_TeamTable" (team_id, team_alias, max_budget, budget_duration, spend, models, rpm_limit, budget_reset_at) VALUES ('t1', 'red team', 100, '30d', 12.5, '{eu}', 60, now() + interval '9 days')`,
		`INSERT INTO "LiteLLM_TeamTable" (team_id, team_alias, blocked, organization_id) VALUES ('t2', 'red-team', true, 'o')`,
		q+`(token, key_alias, team_id, spend, models, tpm_limit, rpm_limit, max_parallel_requests, max_budget, expires) VALUES ('`+hash("sk-1")+`', 'app', 't1', 0.1, '{smart,gone}', 1000, 10, 2, 2.5, '2031-05-06 07:08:09.123')`,
		q+`(token, key_alias, blocked) VALUES ('`+hash("sk-2")+`', 'app', true)`,
		q+`(token, key_name, budget_id, models, spend, budget_reset_at) VALUES ('`+hash("sk-3")+`', 'sk-...xyz', 'b', '{all-proxy-models}', 3, now() - interval '1 minute')`,
		q+`(token, key_alias, max_budget, budget_duration, spend, models, aliases) VALUES ('`+hash("sk-4")+`', 'quarter', 90, '90d', 60, '{no-default-models}', '{"a":"b"}')`,
		q+`(token, key_alias, team_id) VALUES ('`+hash("sk-5")+`', 'login', 'litellm-dashboard')`,
		q+`(token, key_alias, team_id) VALUES ('`+hash("sk-6")+`', 'orphan', 'nowhere')`,
		q+`(token, key_alias, max_budget) VALUES ('sk-in-clear', 'old', 0)`,
		q+`(token, key_alias) VALUES ('no digest', 'odd')`,
		q+`(token, key_alias, models) VALUES ('`+hash("sk-8")+`', 'unnamable', '{" spaced ",smart}'), ('`+hash("sk-9")+`', 'unnamable-2', '{" spaced "}')`,
		q+`(token, key_alias, models) SELECT '`+hash("sk-10")+`', 'many', array_agg('openai/m' || i) FROM generate_series(1000, 2004) i`,
		q+`(token, key_alias, rpm_limit, tpm_limit, metadata) VALUES ('`+hash("sk-7")+`', 'nothing', 0, -1, '{"model_rpm_limit": {"smart": 3}}')`,
		`INSERT INTO "LiteLLM_DeprecatedVerificationToken" VALUES ('1', '`+hash("sk-before")+`', '`+hash("sk-1")+`', now() + interval '1 hour'), ('2', '`+hash("sk-long-before")+`', '`+hash("sk-1")+`', now() - interval '1 hour')`,
		`INSERT INTO "LiteLLM_ProxyModelTable" (model_id, model_name) VALUES ('1', 'smart'), ('2', 'added later')`,
	))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, team := range draft.Accounts.Teams {
		got["team "+team.Name] = words(team.Models, team.Limits, policy(team.Budget), team.Spent, team.Ended)
	}
	for _, k := range draft.Accounts.Keys {
		name := "none"
		if k.Team != nil {
			name = k.Team.Name
		}
		if len(k.Models) > 1000 {
			t.Errorf("%s lists %d models", k.Name, len(k.Models))
		}
		k.Models = k.Models[:min(len(k.Models), 2)]
		got[k.Name] = words(name, k.Models, k.Limits, policy(k.Budget), k.Spent, k.Ended, k.Expires.Format(time.RFC3339Nano), k.Previous == auth.DigestOf("sk-before"))
		for _, key := range []string{"sk-1", "sk-2", "sk-3", "sk-4", "sk-7", "sk-in-clear"} {
			if k.Digest == auth.DigestOf(key) {
				got[k.Name] += " " + key
			}
		}
	}
	want := map[string]string{
		"team red-team":           "[quick smart] {60 0 0} [100usd/month] 12500000000 false",
		"team red-team-2":         "[] {0 0 0} [] 0 true",
		"app":                     "red-team [gone smart] {10 1000 2} [2.5usd/total] 100000000 false 2031-05-06T07:08:09.123Z true sk-1",
		"app-2":                   "none [] {0 0 0} [] 0 true 0001-01-01T00:00:00Z false sk-2",
		"key-" + hash("sk-3")[:8]: "none [] {7 0 0} [5usd/day] 0 false 0001-01-01T00:00:00Z false sk-3",
		"quarter":                 "none [no-default-models] {0 0 0} [30usd/month] 20000000000 false 0001-01-01T00:00:00Z false sk-4",
		"nothing":                 "none [] {0 0 0} [] 0 true 0001-01-01T00:00:00Z false sk-7",
		"unnamable":               "none [smart] {0 0 0} [] 0 false 0001-01-01T00:00:00Z false",
		"unnamable-2":             "none [] {0 0 0} [] 0 true 0001-01-01T00:00:00Z false",
		"many":                    "none [openai/m1000 openai/m1001] {0 0 0} [] 0 false 0001-01-01T00:00:00Z false",
		"old":                     "none [] {0 0 0} [0.000000001usd/total] 1 false 0001-01-01T00:00:00Z false sk-in-clear",
	}
	if app2, ok := got["app-2"]; ok && strings.HasSuffix(app2, "sk-1") { // rows come in the order of their digests
		got["app"], got["app-2"] = app2, got["app"]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var report strings.Builder
	if err := draft.Report.Write(&report, Exact); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`it may use the model "gone", which the result does not have`, "it is blocked: it is revoked here", "key orphan: left out: its team is missing", "key login: left out",
		"key odd: left out: its token is neither a digest nor a key", "budget_duration 90d is no period of Weir's: the budget is 30usd/month", "quarter: it has other names for models",
		"key nothing: rpm_limit is 0, which lets nothing through", "key many: it may use 5 models more than a key can list here", `key unnamable: it may use " spaced ", which can be no name`, "key unnamable-2: it may use no model that has a name here", "key nothing: it has limits of single models", "key old: max_budget is not above 0",
		`it is called "red team"`, "red-team-2: it belongs to an organization", "model added later: it was added in LiteLLM's web pages", "its secret before the last works until then",
	} {
		if !strings.Contains(report.String(), want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if strings.Contains(report.String(), "sk-in-clear") || t.Failed() {
		t.Log(report.String())
	}
}

func words(all ...any) string { return strings.TrimSuffix(fmt.Sprintln(all...), "\n") }

func policy(p *budget.Policy) []budget.Spec {
	if p == nil {
		return nil
	}
	return p.Budgets
}

// TestBudgets: LiteLLM's periods, and Weir's.
func TestBudgets(t *testing.T) {
	for _, test := range []struct {
		duration, want string
		spent          int64
		exact          bool
	}{
		{"", "60usd/total", 30, true},
		{"1h", "60usd/hour", 30, true},
		{"60m", "60usd/hour", 30, true},
		{"24h", "60usd/day", 30, true},
		{"1d", "60usd/day", 30, true},
		{"7d", "60usd/week", 30, true},
		{"1w", "60usd/week", 30, true},
		{"30d", "60usd/month", 30, true},
		{"1mo", "60usd/month", 30, true},
		{"30s", "7200usd/hour", 3600, false},
		{"2h", "30usd/hour", 15, false},
		{"10d", "42usd/week", 21, false},
		{"2mo", "30usd/month", 15, false},
		{"soon", "60usd/total", 30, false},
		{"0d", "60usd/total", 30, false},
		{"99999999999d", "60usd/total", 30, false},
	} {
		p, left, approximate := policyOf(&litellmBounds{MaxBudget: "60", Duration: test.duration}, 30e9)
		if got := p.Budgets[0].String(); got != test.want || left != test.spent*1e9 || (approximate == "") != test.exact {
			t.Errorf("%q: %s, %d, %q", test.duration, got, left, approximate)
		}
	}
	for dollars, want := range map[string]int64{"": 0, "-1": 0, "0.1": 1e8, "1e-10": 1, "0.0000000011": 2, "1e30": 9e15, "12.5": 12_500_000_000} {
		if got := nano(json.Number(dollars)); got != want {
			t.Errorf("%s is %d", dollars, got)
		}
	}
}

// TestDatabasesThatCannotBeRead: the error says what is wrong and what to do, and has no password.
func TestDatabasesThatCannotBeRead(t *testing.T) {
	whole := server.Own(t)
	run(t, whole, tables, `CREATE USER reader PASSWORD 'pass-word'`)
	as := func(url, user string) string {
		_, rest, _ := strings.Cut(url, "@")
		return "postgres://" + user + "@" + rest
	}
	for name, test := range map[string]struct{ url, want string }{
		"no URL":               {"db.example.com", "it is not the URL of a Postgres database"},
		"another database":     {"mysql://a:pass-word@b/c", "it is not the URL of a Postgres database"},
		"nothing listens":      {"postgres://u:pass-word@127.0.0.1:1/x", "it cannot be reached: check the URL"},
		"no such database":     {strings.Replace(whole, "/test", "/no_test", 1), "there is no such database"},
		"an empty database":    {server.Database(t), "it has no table LiteLLM_VerificationToken with a column token"},
		"another schema":       {whole + "&schema=elsewhere", "it has no table LiteLLM_VerificationToken"},
		"another version":      {database(t, `CREATE TABLE "LiteLLM_VerificationToken" (hash text); CREATE TABLE "LiteLLM_TeamTable" (team_id text)`), "with a column token"},
		"other types":          {database(t, strings.Replace(tables, "rpm_limit bigint, max_budget float8, budget_duration text, budget_reset_at timestamp(3),\n\tallowed", "rpm_limit text, max_budget float8, budget_duration text, budget_reset_at timestamp(3),\n\tallowed", 1), `INSERT INTO "LiteLLM_VerificationToken" (token, rpm_limit) VALUES ('a', 'many')`), "a column rpm_limit of a type that is not known here"},
		"without rights":       {as(whole, "reader:pass-word"), "grant it SELECT on the tables"},
		"parameters of Prisma": {whole + "&schema=public&connection_limit=10&pgbouncer=true", ""},
	} {
		t.Run(name, func(t *testing.T) {
			draft, err := accounts(t, test.url)
			switch {
			case test.want == "" && err != nil, test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("%v", err)
			case err != nil && strings.Contains(err.Error(), "pass-word"):
				t.Error("the error has the password", err)
			case test.want != "" && !draft.Accounts.Empty():
				t.Error("there are accounts")
			}
		})
	}
}
