package importer

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/postgres"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// bifrostSchema are Bifrost's tables in a version of 2026, with the columns that a config needs.
const bifrostSchema = `
CREATE TABLE config_providers (id integer PRIMARY KEY, name varchar(50) NOT NULL, network_config_json text, concurrency_buffer_json text, proxy_config_json text, custom_provider_config_json text,
	encryption_status varchar(20) DEFAULT 'plain_text');
CREATE TABLE config_keys (id integer PRIMARY KEY, name varchar(255) NOT NULL, provider_id integer NOT NULL, provider varchar(50), key_id varchar(255) NOT NULL, value text NOT NULL, models_json text,
	blacklisted_models_json text, weight float, enabled boolean DEFAULT true, aliases_json text, azure_endpoint text, azure_client_secret text, bedrock_region text, bedrock_access_key text, bedrock_secret_key text, ollama_url text,
	vllm_url text, vllm_model_name varchar(255), encryption_status varchar(20) DEFAULT 'plain_text');
CREATE TABLE governance_virtual_keys (id varchar(255) PRIMARY KEY, name varchar(255) NOT NULL, description text, value text NOT NULL, is_active boolean DEFAULT true, team_id varchar(255), customer_id varchar(255),
	rate_limit_id varchar(255), calendar_aligned boolean DEFAULT false, config_hash varchar(255), encryption_status varchar(20) DEFAULT 'plain_text', value_hash varchar(64), created_at timestamp, updated_at timestamp);
CREATE TABLE governance_virtual_key_provider_configs (id integer PRIMARY KEY, virtual_key_id varchar(255) NOT NULL, provider varchar(50) NOT NULL, weight float, allowed_models text, allow_all_keys boolean DEFAULT false,
	rate_limit_id varchar(255));
CREATE TABLE governance_virtual_key_provider_config_keys (table_virtual_key_provider_config_id integer, table_key_id integer);
CREATE TABLE governance_budgets (id varchar(255) PRIMARY KEY, max_limit float NOT NULL, reset_duration varchar(50) NOT NULL, last_reset timestamp, current_usage float DEFAULT 0, team_id varchar(255), virtual_key_id varchar(255),
	provider_config_id integer, customer_id varchar(255), created_at timestamp);
CREATE TABLE governance_rate_limits (id varchar(255) PRIMARY KEY, token_max_limit bigint, token_reset_duration varchar(50), request_max_limit bigint, request_reset_duration varchar(50));
CREATE TABLE governance_teams (id varchar(255) PRIMARY KEY, name varchar(255) NOT NULL, customer_id varchar(255), rate_limit_id varchar(255), profile text);
CREATE TABLE governance_customers (id varchar(255) PRIMARY KEY, name varchar(255) NOT NULL);
CREATE TABLE routing_rules (id varchar(255) PRIMARY KEY, name varchar(255), cel_expression text);
CREATE TABLE config_plugins (name varchar(255), enabled boolean, config_json text);
INSERT INTO config_providers (id, name, network_config_json, proxy_config_json, encryption_status) VALUES (1, 'openai', '{"base_url":"https://llm.example.com"}', '', 'plain_text'),
	(2, 'azure', NULL, 'aGlkZGVuLXByb3h5', 'encrypted'), (3, 'bedrock', NULL, NULL, 'plain_text');
INSERT INTO config_keys (id, name, provider_id, key_id, value, models_json, weight, enabled, encryption_status) VALUES (1, 'one', 1, 'k1', 'env.OPENAI_API_KEY', '["*"]', 1, true, 'encrypted'),
	(2, 'off', 1, 'k2', 'hidden-switched-off', '["*"]', 1, false, 'plain_text'), (3, 'plain', 1, 'k3', 'sk-hidden-plain', '["*"]', 1, NULL, 'plain_text');
INSERT INTO config_keys (id, name, provider_id, key_id, value, models_json, weight, aliases_json, azure_endpoint, azure_client_secret, encryption_status) VALUES (4, 'eu', 2, 'k4', 'aGlkZGVuLXZhbHVl', '["gpt-4o"]', 1, 'aGlkZGVuLWFsaWFzZXM', 'aGlkZGVuLWVuZHBvaW50', 'aGlkZGVuLXNlY3JldA', 'encrypted');
INSERT INTO config_keys (id, name, provider_id, key_id, value, models_json, bedrock_region, bedrock_access_key, bedrock_secret_key) VALUES (5, 'aws', 3, 'k5', '', '[]', 'eu-west-1', 'hidden-access-key', 'hidden-secret-key');
INSERT INTO governance_teams (id, name) VALUES ('t', 'platform');
INSERT INTO governance_virtual_keys (id, name, value, is_active, team_id, calendar_aligned, encryption_status, value_hash) VALUES
	('v1', 'app', 'aGlkZGVuLXZpcnR1YWw', true, 't', true, 'encrypted', 'HASH1'), ('v2', 'old', 'sk-bf-hidden-two', false, NULL, false, 'plain_text', NULL);
INSERT INTO governance_virtual_key_provider_configs VALUES (1, 'v1', 'openai', 1, '["gpt-4o"]', true, NULL), (2, 'v1', 'azure', NULL, '["*"]', false, NULL), (3, 'v2', 'openai', NULL, '["*"]', false, NULL), (4, 'v1', 'bedrock', NULL, '[]', true, NULL);
INSERT INTO governance_virtual_key_provider_config_keys VALUES (3, 3);
INSERT INTO governance_budgets (id, max_limit, reset_duration, last_reset, current_usage, virtual_key_id, team_id) VALUES ('b1', 10, '1M', '2026-03-01 00:00:00', 2.5, 'v1', NULL), ('b2', 50, '1d', '2026-03-10 00:00:00', 40, NULL, 't');
INSERT INTO governance_rate_limits VALUES ('unused', NULL, NULL, 5, '1m');
INSERT INTO routing_rules VALUES ('r', 'rule', 'true');
INSERT INTO config_plugins VALUES ('telemetry', true, '{"token":"hidden-plugin"}');`

// bifrostDump is what is read of a database, as a config.
func bifrostDump(ctx context.Context, in string, read func(context.Context, func(context.Context, *sql.Tx) error) error, of BifrostTables) (*Draft, error) {
	var text bytes.Buffer
	err := read(ctx, func(ctx context.Context, tx *sql.Tx) error { return of.Accounts(ctx, tx, &text) })
	if err != nil {
		return nil, err
	}
	if strings.Contains(text.String(), "hidden-plugin") || strings.Contains(text.String(), "aGlkZGVu") {
		return nil, errors.New("it reads secrets that it does not need: " + text.String())
	}
	input := input(in, text.String())
	input.Rows = true
	return Convert(Bifrost{Now: noon}, input)
}

func fromFile(path string) func(context.Context, func(context.Context, *sql.Tx) error) error {
	return func(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
		return sqlite.ReadOther(ctx, path, f)
	}
}

func fromServer(url string) func(context.Context, func(context.Context, *sql.Tx) error) error {
	return func(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
		return postgres.ReadOther(ctx, secret.New(url), f)
	}
}

// TestBifrostDatabase: a file of SQLite and a database in Postgres say the same, and what is encrypted there becomes variables.
func TestBifrostDatabase(t *testing.T) {
	schema := strings.ReplaceAll(bifrostSchema, "HASH1", hash("sk-bf-hidden-one"))
	ofFile, err := bifrostDump(t.Context(), "database", fromFile(otherFile(t, schema)), BifrostTables{File: true})
	if err != nil {
		t.Fatal(err)
	}
	ofServer, err := bifrostDump(t.Context(), "database", fromServer(database(t, schema)), BifrostTables{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"team platform": "{0 0 0} [50usd/day] 0 [] false",
		"app":           "platform [gpt-4o openai/gpt-4o] {0 0 0} [10usd/month] 2500000000 [] false sk-bf-hidden-one",
		"old":           "none [openai/*] {0 0 0} [] 0 [] true sk-bf-hidden-two",
	}
	var reports [2]strings.Builder
	for i, draft := range []*Draft{ofFile, ofServer} {
		if diff := cmp.Diff(want, bifrostAccounts(draft)); diff != "" {
			t.Error(diff)
		}
		if _, err := check(draft); err != nil {
			t.Errorf("weir check: %v\n%s", err, draft.YAML())
		}
		if err := draft.Report.Write(&reports[i], Exact); err != nil {
			t.Fatal(err)
		}
		reports[i].Write(draft.YAML())
	}
	if diff := cmp.Diff(reports[0].String(), reports[1].String()); diff != "" {
		t.Error(diff)
	}
	for _, want := range []string{
		"database: exact: governance.virtual_keys[id=v1]: the key app with the digest", "database: manual: providers.azure.keys[id=k4].azure_key_config.endpoint: the value is encrypted in Bifrost's database: set the variable AZURE_BASE_URL to it",
		"providers.azure.keys[id=k4].aliases: the provider's names of models are encrypted", "providers.azure.proxy_config.url: the value is encrypted in Bifrost's database: set the variable PROXY_URL",
		`api_keys: ["${OPENAI_API_KEY}", "${OPENAI_API_KEY_2}"]`, "it may use some keys of the provider alone", "it may use no key of the provider", "allowed_models is empty, which allows nothing",
		"unsupported: governance.routing_rules:", "unsupported: plugins:", "rate_limits[id=unused]: left out", `region: "eu-west-1"`,
	} {
		if !strings.Contains(reports[0].String(), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if strings.Contains(reports[0].String(), "hidden") || strings.Contains(reports[0].String(), "encrypted.") || t.Failed() {
		t.Errorf("a secret is in the report, or more is wrong:\n%s", reports[0].String())
	}
}

// TestBifrostWithoutADatabase: the error says what is wrong with the database, and what to do.
func TestBifrostWithoutADatabase(t *testing.T) {
	for _, test := range []struct{ name, statements, want string }{
		{"another program's", `CREATE TABLE x (y integer)`, "it lacks a table: check that"},
		{"before virtual keys", `CREATE TABLE config_providers (id integer, name text); CREATE TABLE config_keys (id integer, name text)`, "it lacks a table"},
		{"of another version", `CREATE TABLE config_providers (id text, name text); INSERT INTO config_providers VALUES ('a', 'b')`, "the table config_providers has a column of a type that is not known here"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := bifrostDump(t.Context(), "c.db", fromFile(otherFile(t, test.statements)), BifrostTables{File: true}); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Error(err)
			}
			if _, err := bifrostDump(t.Context(), "c.db", fromServer(database(t, test.statements)), BifrostTables{}); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Error(err)
			}
		})
	}
}

// TestBifrostOfBefore: tables of Bifrost before 1.5 lack those that came later, and there empty lists allow all.
func TestBifrostOfBefore(t *testing.T) {
	draft, err := bifrostDump(t.Context(), "c.db", fromFile(otherFile(t, `
CREATE TABLE config_providers (id integer PRIMARY KEY, name text);
CREATE TABLE config_keys (id integer PRIMARY KEY, name text, provider_id integer, key_id text, value text, models_json text);
CREATE TABLE governance_virtual_keys (id text PRIMARY KEY, name text, value text, is_active numeric, budget_id text);
CREATE TABLE governance_budgets (id text PRIMARY KEY, max_limit real, reset_duration text, last_reset datetime, current_usage real);
INSERT INTO config_providers VALUES (1, 'openai'); INSERT INTO config_keys VALUES (1, 'a', 1, 'k', 'env.A', '[]');
INSERT INTO governance_virtual_keys VALUES ('1', 'all', 'sk-bf-hidden-one', 1, 'b');
INSERT INTO governance_budgets VALUES ('b', 10, '1w', '2026-03-09 08:00:00.123456+00:00', 4);`)), BifrostTables{File: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"all": "none [openai/*] {0 0 0} [10usd/week] 4000000000 [] false sk-bf-hidden-one"}, bifrostAccounts(draft)); diff != "" {
		t.Error(diff)
	}
}
