package importer

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/postgres"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// newapiSchema are new-api's tables, with some of their columns.
const newapiSchema = `
CREATE TABLE channels (id integer PRIMARY KEY, type integer, "key" text, status integer, name text, weight integer, base_url text, models text, "group" text, priority integer, auto_ban integer);
CREATE TABLE tokens (id integer PRIMARY KEY, user_id integer, "key" text, status integer, name text, expired_time bigint, remain_quota bigint, unlimited_quota boolean, used_quota bigint, "group" text, deleted_at timestamp);
CREATE TABLE users (id integer PRIMARY KEY, username text, password text, status integer, quota bigint, used_quota bigint, "group" text);
CREATE TABLE options ("key" text PRIMARY KEY, value text);
INSERT INTO channels VALUES (7, 1, 'sk-hidden-channel', 1, 'main', 0, '', 'gpt-4o', 'default', 0, 1);
INSERT INTO tokens VALUES (3, 1, 'hidden-token', 1, 'app', -1, 500000, false, 250000, '', NULL);
INSERT INTO users VALUES (1, 'ada', 'hidden-password', 1, 1000000, 250000, 'default');
INSERT INTO options VALUES ('QuotaPerUnit', '500000'), ('SMTPToken', 'hidden-smtp');`

// otherFile is a file of SQLite that a program made.
func otherFile(t *testing.T, statements string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "one-api.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func dump(ctx context.Context, path string) (string, error) {
	var text bytes.Buffer
	err := sqlite.ReadOther(ctx, path, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM channels`); err == nil {
			return errors.New("the transaction can write")
		}
		return NewAPITables{}.Accounts(ctx, tx, &text)
	})
	return text.String(), err
}

// TestNewAPIDatabase: a token goes on with the digest of what its callers send, with its quota and what it used; no secret is read that is not needed.
func TestNewAPIDatabase(t *testing.T) {
	text, err := dump(t.Context(), otherFile(t, newapiSchema))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "hidden-smtp") || strings.Contains(text, "hidden-password") {
		t.Error("it reads secrets that it does not need")
	}
	in := input("database", text)
	in.Rows = true
	draft, err := Convert(NewAPI{Now: noon}, in)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := check(draft); err != nil {
		t.Fatalf("weir check: %v\n%s", err, draft.YAML())
	}
	k, team := draft.Accounts.Keys[0], draft.Accounts.Teams[0]
	if k.Digest != auth.DigestOf("sk-hidden-token") || k.Name != "app" || k.Spent != 500_000_000 || k.Budget.Budgets[0].Limit != 1_500_000_000 || k.Team != team ||
		team.Name != "ada" || team.Spent != 500_000_000 || team.Budget.Budgets[0].Limit != 2_500_000_000 {
		t.Errorf("%+v %+v of %+v", k, k.Budget, team)
	}
	var report strings.Builder
	if err := draft.Report.Write(&report, Exact); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"database: manual: channels[id=7].key: the secret is not copied: set the variable MAIN_API_KEY to it\n",
		"database: exact: tokens[id=3]: the key app with the digest of sk- and the token",
	} {
		if !strings.Contains(report.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, report.String())
		}
	}
	if strings.Contains(report.String(), "hidden-") {
		t.Error("a secret is in the report")
	}
}

// TestNewAPIWithoutADatabase: the error says what is wrong with the file, and what to do.
func TestNewAPIWithoutADatabase(t *testing.T) {
	for _, test := range []struct{ name, statements, want string }{
		{"another program's", `CREATE TABLE x (y integer)`, "it lacks a table: check that it is the right file"},
		{"of another version", `CREATE TABLE channels (name text)`, "it lacks a column: it is of another version"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := dump(t.Context(), otherFile(t, test.statements)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Error(err)
			}
		})
	}
	if _, err := Convert(NewAPI{Now: noon}, input("c.json", `{"channels": [{"id": 1}]}`)); err == nil || !strings.Contains(err.Error(), "channel 0 has no type or no models") {
		t.Error(err)
	}
}

// TestNewAPITooManyRows: a database that is too large is not read whole, and the error says what to do.
func TestNewAPITooManyRows(t *testing.T) {
	path := otherFile(t, newapiSchema+`
INSERT INTO tokens (id, "key", name) WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i+1 FROM n WHERE i < 50) SELECT i, i, hex(zeroblob(1 << 19)) FROM n;`)
	if text, err := dump(t.Context(), path); err == nil || !strings.Contains(err.Error(), "more rows than can be imported") || len(text) > maxSource+4<<20 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	in := input("database", strings.Repeat(",", maxMarks+1))
	in.Rows = true
	if _, err := Convert(NewAPI{Now: noon}, in); err == nil || !strings.Contains(err.Error(), "more rows than can be imported") {
		t.Error(err)
	}
}

// TestNewAPIRefuses: a token that new-api refuses is refused, and one for some models is for no others.
func TestNewAPIRefuses(t *testing.T) {
	const format = `{
  "channels": [{"id": 1, "type": 1, "key": "sk-hidden", "status": 1, "name": "a", "models": "one,two", "group": "default"}, {"id": 2, "type": 1, "key": "sk-hidden", "status": 1, "name": "b", "models": "three", "group": "vip"}],
  "users": [{"id": 1, "username": "ada", "status": 1, "quota": 500, "group": "default"}, {"id": 2, "username": "gone", "status": 1, "quota": 500, "group": "default", "deleted_at": "2026-01-01T00:00:00Z"}],
  "tokens": [{"id": 1, "key": "k", "name": "t", %s}]}`
	for _, test := range []struct {
		name, token string
		ended       bool
		models      string
	}{
		{"in use", `"user_id": 1, "status": 1, "unlimited_quota": true`, false, "[one two]"},
		{"switched off", `"user_id": 1, "status": 2, "unlimited_quota": true`, true, "[one two]"},
		{"expired, and by its time", `"user_id": 1, "status": 3, "expired_time": 1700000000, "unlimited_quota": true`, false, "[one two]"},
		{"expired, and not by its time", `"user_id": 1, "status": 3, "expired_time": -1, "unlimited_quota": true`, true, "[one two]"},
		{"exhausted, and by its quota", `"user_id": 1, "status": 4, "remain_quota": 0, "used_quota": 9`, false, "[one two]"},
		{"exhausted, and not by its quota", `"user_id": 1, "status": 4, "remain_quota": 9, "used_quota": 9`, true, "[one two]"},
		{"of a status that is not known", `"user_id": 1, "status": 9, "unlimited_quota": true`, true, "[one two]"},
		{"of a user that was deleted", `"user_id": 2, "status": 1, "unlimited_quota": true`, true, "[one two]"},
		{"of a user that is missing", `"user_id": 3, "status": 1, "unlimited_quota": true`, true, "[one two]"},
		{"for no models", `"user_id": 1, "status": 1, "unlimited_quota": true, "model_limits_enabled": true, "model_limits": ""`, true, "[]"},
		{"for a model of another group", `"user_id": 1, "status": 1, "unlimited_quota": true, "model_limits_enabled": true, "model_limits": "one,three"`, false, "[one]"},
		{"for what would be a pattern", `"user_id": 1, "status": 1, "unlimited_quota": true, "model_limits_enabled": true, "model_limits": "*"`, true, "[]"},
		{"of the group that is several", `"user_id": 1, "status": 1, "unlimited_quota": true, "group": "auto"`, false, "[one two]"},
		{"of a group without channels", `"user_id": 1, "status": 1, "unlimited_quota": true, "group": "none"`, true, "[]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			draft := convert(t, NewAPI{Now: noon}, "c.json", fmt.Sprintf(format, test.token))
			k := draft.Accounts.Keys[0]
			if k.Ended != test.ended || fmt.Sprint(k.Models) != test.models {
				t.Errorf("ended %t, models %v", k.Ended, k.Models)
			}
		})
	}
}

// TestNewAPIGroups: a token of the group auto may use what the groups that it stands for have, and one of no group what users have who are of none.
func TestNewAPIGroups(t *testing.T) {
	const format = `{
  "channels": [{"id": 1, "type": 1, "key": "sk-hidden", "status": 1, "name": "a", "models": "one", "group": "default"}, {"id": 2, "type": 1, "key": "sk-hidden", "status": 1, "name": "b", "models": "two", "group": "gold"},
    {"id": 3, "type": 1, "key": "sk-hidden", "status": 1, "name": "c", "models": "three", "group": "staff"}],
  %s
  "tokens": [{"id": 1, "user_id": 1, "key": "k", "name": "t", "status": 1, "unlimited_quota": true, "group": "%s"}],
  "options": [%s]}`
	const of, without = `"users": [{"id": 1, "username": "ada", "status": 1, "quota": 500, "group": "gold"}],`, ""
	for _, test := range []struct{ users, group, options, models string }{
		{of, "auto", ``, "[one]"},
		{of, "auto", `{"key": "AutoGroups", "value": "[\"default\",\"gold\",\"staff\"]"}`, "[one two]"},
		{of, "auto", `{"key": "AutoGroups", "value": "[\"staff\"]"}`, "[]"},
		{of, "auto", `{"key": "AutoGroups", "value": "[\"staff\"]"}, {"key": "UserUsableGroups", "value": "{\"staff\": \"us\"}"}`, "[three]"},
		{of, "auto", `{"key": "AutoGroups", "value": "no JSON"}`, "[]"},
		{of, "", ``, "[two]"},
		{without, "", ``, "[one]"},
		{without, "staff", ``, "[three]"},
		{without, "auto", ``, "[one]"},
	} {
		draft := convert(t, NewAPI{Now: noon}, "c.json", fmt.Sprintf(format, test.users, test.group, test.options))
		k := draft.Accounts.Keys[0]
		if fmt.Sprint(k.Models) != test.models || k.Ended != (test.models == "[]") {
			t.Errorf("%q %s: %v, ended %t", test.group, test.options, k.Models, k.Ended)
		}
	}
}

// TestNewAPIKeysThatAreOff: a channel whose keys are all switched off serves nothing.
func TestNewAPIKeysThatAreOff(t *testing.T) {
	draft := convert(t, NewAPI{Now: noon}, "c.json", `{"channels": [{"id": 1, "type": 1, "key": "sk-hidden-1\nsk-hidden-2", "status": 1, "name": "a", "models": "one", "channel_info": {"is_multi_key": true, "multi_key_status_list": {"0": 3, "1": 2}}}]}`)
	if len(draft.Providers)+len(draft.Models) > 0 {
		t.Errorf("%+v", draft.Models)
	}
}

// TestNewAPIExpiry: a token that has expired for new-api has expired for Weir. A time after the year 9999 means never.
func TestNewAPIExpiry(t *testing.T) {
	for unix, want := range map[int64]string{
		-1: "", 0: "1970-01-01T00:00:01Z", -5: "1970-01-01T00:00:01Z", math.MinInt64: "1970-01-01T00:00:01Z", 1893456000: "2030-01-01T00:00:00Z",
		253402300799: "9999-12-31T23:59:59Z", 253402300800: "", math.MaxInt64: "",
	} {
		got := ""
		if at := expiry(unix); !at.IsZero() {
			text, err := at.MarshalText()
			if err != nil {
				t.Error(err)
			}
			got = string(text)
		}
		if got != want {
			t.Errorf("%d is %q, want %q", unix, got, want)
		}
	}
}

// TestNewAPISameSecret: of two tokens with one secret, which no store takes, the first goes over.
func TestNewAPISameSecret(t *testing.T) {
	draft := convert(t, NewAPI{Now: noon}, "c.json", `{"channels": [], "tokens": [{"id": 1, "key": "hidden", "name": "one", "status": 1}, {"id": 2, "key": "sk-hidden", "name": "two", "status": 1}]}`)
	if len(draft.Accounts.Keys) != 1 || draft.Accounts.Keys[0].Name != "one" || !slices.ContainsFunc(draft.Report.Findings, func(f Finding) bool {
		return f.Class == Manual && f.Path == "tokens[1]" && strings.Contains(f.Text, "the same secret as the key one")
	}) {
		t.Errorf("%+v", draft.Report.Findings)
	}
}

// TestNewAPIFilledUpKeys: a column of a fixed length has blanks after a key that is shorter, and callers send none.
func TestNewAPIFilledUpKeys(t *testing.T) {
	draft := convert(t, NewAPI{Now: noon}, "c.json", `{"channels": [], "tokens": [{"id": 1, "key": "short      ", "name": "t", "status": 1, "unlimited_quota": true}]}`)
	if draft.Accounts.Keys[0].Digest != auth.DigestOf("sk-short") {
		t.Error("the digest is of the blanks, too")
	}
}

// TestNewAPINoQuota: who has no quota and has used none is refused at the first call, too.
func TestNewAPINoQuota(t *testing.T) {
	draft := convert(t, NewAPI{Now: noon}, "c.json", `{"channels": [{"id": 1, "type": 1, "key": "sk-hidden", "status": 1, "name": "a", "models": "one", "group": "default"}],
  "users": [{"id": 1, "username": "ada", "status": 1, "quota": 0, "group": "default"}], "tokens": [{"id": 1, "user_id": 1, "key": "k", "name": "t", "status": 1, "remain_quota": -5}]}`)
	k, team := draft.Accounts.Keys[0], draft.Accounts.Teams[0]
	if k.Spent < k.Budget.Budgets[0].Limit || team.Spent < team.Budget.Budgets[0].Limit {
		t.Errorf("%d of %v, %d of %v", k.Spent, k.Budget, team.Spent, team.Budget)
	}
}

// TestNewAPIPrices: ratios become prices, with the ratio of the groups if that is one, and a price for calls.
func TestNewAPIPrices(t *testing.T) {
	const format = `{"channels": [{"id": 1, "type": 1, "key": "sk-hidden", "status": 1, "name": "a", "models": "one,two", "group": "a,b"}], "options": [%s]}`
	ratios := `{"key": "ModelRatio", "value": "{\"one\": 1.25, \"two\": 1}"}, {"key": "CompletionRatio", "value": "{\"one\": 4}"}`
	for options, want := range map[string]string{
		``:     "[] []",
		ratios: "[{input 2.5} {output 10}] []",
		ratios + `, {"key": "QuotaPerUnit", "value": "1000000"}`:                                                                                                     "[{input 1.25} {output 5}] []",
		ratios + `, {"key": "GroupRatio", "value": "{\"a\": 2, \"b\": 2.0}"}`:                                                                                        "[{input 5} {output 20}] []",
		ratios + `, {"key": "GroupRatio", "value": "{\"a\": 2}"}`:                                                                                                    "[{input 2.5} {output 10}] []",
		ratios + `, {"key": "CacheRatio", "value": "{\"one\": 0.1}"}, {"key": "ModelPrice", "value": "{\"two\": 0.02}"}`:                                             "[{input 2.5} {output 10} {cache_read 0.25}] [{input 0} {output 0} {request 0.02}]",
		`{"key": "ModelRatio", "value": "{\"one\": -1, \"two\": \"1/3\"}"}, {"key": "CompletionRatio", "value": "{\"one\": 1, \"two\": 1}"}`:                         "[] []",
		ratios + `, {"key": "QuotaPerUnit", "value": "250000.5"}`:                                                                                                    "[{input 4.99999} {output 19.99996}] []",
		`{"key": "ModelRatio", "value": "{\"one\": 1e-9, \"two\": 5001}"}, {"key": "CompletionRatio", "value": "{\"one\": 1, \"two\": 1}"}`:                          "[{input 0.000001} {output 0.000001}] []",
		`{"key": "ModelRatio", "value": "{\"one\": 1}"}, {"key": "CompletionRatio", "value": "{\"one\": 9999}"}, {"key": "ModelPrice", "value": "{\"two\": 10001}"}`: "[] []",
		`{"key": "ModelRatio", "value": "not JSON"}, {"key": "GroupRatio", "value": ""}`:                                                                             "[] []",
	} {
		draft := convert(t, NewAPI{Now: noon}, "c.json", fmt.Sprintf(format, options))
		if got := words(draft.Models[0].Targets[0].Price, draft.Models[1].Targets[0].Price); got != want {
			t.Errorf("%s: %s, want %s", options, got, want)
		}
		if _, err := check(draft); err != nil {
			t.Errorf("weir check: %v\n%s", err, draft.YAML())
		}
	}
}

// TestNewAPIServer: a database in Postgres says the same as a file of SQLite.
func TestNewAPIServer(t *testing.T) {
	of, err := dump(t.Context(), otherFile(t, newapiSchema))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	err = postgres.ReadOther(t.Context(), secret.New(database(t, newapiSchema)), func(ctx context.Context, tx *sql.Tx) error {
		return NewAPITables{}.Accounts(ctx, tx, &text)
	})
	if err != nil {
		t.Fatal(err)
	}
	var reports [2]strings.Builder
	for i, rows := range []string{of, text.String()} {
		in := input("database", rows)
		in.Rows = true
		draft, err := Convert(NewAPI{Now: noon}, in)
		if err != nil {
			t.Fatal(err)
		}
		if err := draft.Report.Write(&reports[i], Exact); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&reports[i], "%s%+v %+v", draft.YAML(), *draft.Accounts.Keys[0].Budget, draft.Accounts.Keys[0].Digest)
	}
	if diff := cmp.Diff(reports[0].String(), reports[1].String()); diff != "" {
		t.Error(diff)
	}
}

// TestNewAPIServerThatCannotBeRead: the error says what is wrong with the database, and what to do.
func TestNewAPIServerThatCannotBeRead(t *testing.T) {
	whole := server.Own(t)
	run(t, whole, newapiSchema, `CREATE USER newapi_reader PASSWORD 'pass-word'`)
	_, rest, _ := strings.Cut(whole, "@")
	for name, test := range map[string]struct{ url, want string }{
		"without rights":    {"postgres://newapi_reader:pass-word@" + rest, "grant it SELECT on the tables"},
		"another program's": {database(t, `CREATE TABLE x (y integer)`), "it lacks a table"},
		"another version":   {database(t, `CREATE TABLE channels (name text)`), "it lacks a column"},
		"nothing listens":   {"postgres://u:pass-word@127.0.0.1:1/x", "it cannot be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			err := postgres.ReadOther(t.Context(), secret.New(test.url), func(ctx context.Context, tx *sql.Tx) error { return NewAPITables{}.Accounts(ctx, tx, &text) })
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "pass-word") {
				t.Error(err)
			}
		})
	}
}
