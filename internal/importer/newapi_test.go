package importer

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/auth"
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
	draft, err := Convert(NewAPI{}, in)
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
	if _, err := Convert(NewAPI{}, input("c.json", `{"channels": [{"id": 1}]}`)); err == nil || !strings.Contains(err.Error(), "channel 0 has no type or no models") {
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
		{"of a user that was deleted", `"user_id": 2, "status": 1, "unlimited_quota": true`, true, "[]"},
		{"of a user that is missing", `"user_id": 3, "status": 1, "unlimited_quota": true`, true, "[]"},
		{"for no models", `"user_id": 1, "status": 1, "unlimited_quota": true, "model_limits_enabled": true, "model_limits": ""`, true, "[]"},
		{"for a model of another group", `"user_id": 1, "status": 1, "unlimited_quota": true, "model_limits_enabled": true, "model_limits": "one,three"`, false, "[one]"},
		{"for what would be a pattern", `"user_id": 1, "status": 1, "unlimited_quota": true, "model_limits_enabled": true, "model_limits": "*"`, true, "[]"},
		{"of a group without channels", `"user_id": 1, "status": 1, "unlimited_quota": true, "group": "none"`, true, "[]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			draft := convert(t, NewAPI{}, "c.json", fmt.Sprintf(format, test.token))
			k := draft.Accounts.Keys[0]
			if k.Ended != test.ended || fmt.Sprint(k.Models) != test.models {
				t.Errorf("ended %t, models %v", k.Ended, k.Models)
			}
		})
	}
}

// TestNewAPINoQuota: who has no quota and has used none is refused at the first call, too.
func TestNewAPINoQuota(t *testing.T) {
	draft := convert(t, NewAPI{}, "c.json", `{"channels": [{"id": 1, "type": 1, "key": "sk-hidden", "status": 1, "name": "a", "models": "one", "group": "default"}],
  "users": [{"id": 1, "username": "ada", "status": 1, "quota": 0, "group": "default"}], "tokens": [{"id": 1, "user_id": 1, "key": "k", "name": "t", "status": 1, "remain_quota": -5}]}`)
	k, team := draft.Accounts.Keys[0], draft.Accounts.Teams[0]
	if k.Spent < k.Budget.Budgets[0].Limit || team.Spent < team.Budget.Budgets[0].Limit {
		t.Errorf("%d of %v, %d of %v", k.Spent, k.Budget, team.Spent, team.Budget)
	}
}
