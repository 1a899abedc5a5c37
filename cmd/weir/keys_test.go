package main

import (
	"context"
	"crypto/rand"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/storetest"
)

const adminToken = "weir-admin-of-these-tests"

// adminServer is a real admin API on a port of its own, over a store in memory.
type adminServer struct {
	t      *testing.T
	url    string
	keys   *auth.Keys
	store  *storetest.Memory
	folder string
}

func newAdminServer(t *testing.T) *adminServer {
	t.Helper()
	return newAdminServerWith(t, func(*admin.Options) {})
}

// newAdminServerWith is newAdminServer with other options.
func newAdminServerWith(t *testing.T, change func(*admin.Options)) *adminServer {
	t.Helper()
	store := &storetest.Memory{}
	keys, err := auth.NewKeys(t.Context(), store, time.Now, rand.Reader)
	if err == nil {
		err = keys.SetFile(auth.File{Keys: []auth.Key{{Name: "ci", Digest: auth.DigestOf("x")}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	options := admin.Options{
		Keys: keys, Token: secret.New(adminToken), Log: slog.New(slog.DiscardHandler), Metrics: http.NotFoundHandler(), Reports: store,
		Limits: func(_ context.Context, of admin.Limited) (all []admin.LimitUse, budgets []admin.BudgetUse, _ error) {
			caller := of.Caller
			if team := of.Team; team != nil {
				for _, spec := range team.Team().Spending.Budgets {
					budgets = append(budgets, admin.BudgetUse{Of: "team", ID: team.Team().ID, Name: team.Team().Name, Budget: spec, Unit: "nanodollars", Most: spec.Limit, Used: 1e9, Remaining: spec.Limit - 1e9, Forecast: new(int64(3e9))})
				}
				return nil, budgets, nil
			}
			if caller == nil {
				return []admin.LimitUse{{Of: "model", ID: of.Model + of.Target, Name: of.Model + of.Target, Limit: "rpm", Most: 9, Remaining: 9, ResetMS: new(int64)}}, nil, nil
			}
			if n := caller.Limits().Requests; n > 0 {
				all = append(all, admin.LimitUse{Of: "key", ID: caller.KeyID, Name: caller.KeyName, Limit: "rpm", Most: n, Remaining: n, ResetMS: new(int64)})
			}
			if p := caller.Spending(); p != nil {
				for _, spec := range p.Budgets {
					budgets = append(budgets, admin.BudgetUse{
						Of: "key", ID: caller.KeyID, Name: caller.KeyName, Budget: spec, Unit: "nanodollars", Most: spec.Limit, Used: 1e9, Held: 5e8, Remaining: spec.Limit - 15e8,
					})
				}
			}
			return all, budgets, nil
		},
		Unmatched: func(patterns []string) (warnings []string) {
			for _, pattern := range patterns {
				if hint, none := config.MatchesNone(pattern, []string{"fast", "smart", "slow", "embed-small", "openai/*"}); none {
					warnings = append(warnings, fmt.Sprintf("%q matches no model today%s", pattern, hint))
				}
			}
			return warnings
		},
	}
	change(&options)
	server := httptest.NewServer(admin.New(options))
	t.Cleanup(server.Close)
	return &adminServer{t, server.URL, keys, store, t.TempDir()}
}

// weir runs a command that finds the server through the environment.
func (s *adminServer) weir(args ...string) outcome {
	s.t.Helper()
	return runIn(s.t, s.folder, map[string]string{"WEIR_ADMIN": s.url, "WEIR_ADMIN_TOKEN": adminToken}, "", args...)
}

// ok runs a command that must succeed, and returns what it printed.
func (s *adminServer) ok(args ...string) string {
	s.t.Helper()
	did := s.weir(args...)
	if did.code != 0 {
		s.t.Fatalf("weir %s: %+v", strings.Join(args, " "), did)
	}
	return did.stdout
}

func (s *adminServer) show(name string) admin.Key {
	s.t.Helper()
	var key admin.Key
	if err := json.Unmarshal([]byte(s.ok("keys", "show", "--format", "json", name)), &key); err != nil {
		s.t.Fatal(err)
	}
	return key
}

func (s *adminServer) works(key string) bool {
	_, err := s.keys.Authenticate(key)
	return err == nil
}

// oneKey is the key in what a command printed, which is nothing else, so that a shell can take it.
func oneKey(t *testing.T, stdout string) string {
	t.Helper()
	text, ended := strings.CutSuffix(stdout, "\n")
	if _, ok := auth.ParseKey(text); !ok || !ended {
		t.Fatalf("standard output is not one key: %q", stdout)
	}
	return text
}

func TestKeysCreate(t *testing.T) {
	s := newAdminServer(t)
	did := s.weir("keys", "create", "--name", "app", "--models", "fast, embed-*", "--expires", "90d")
	text := oneKey(t, did.stdout)
	key := s.show("app")
	if did.code != 0 || !s.works(text) || strings.Contains(did.stderr, text[21:]) || !strings.Contains(did.stderr, "It may use fast,embed-* and expires "+timeWords(key.ExpiresAt)) {
		t.Errorf("%+v", did)
	}
	if diff := cmp.Diff([]string{"fast", "embed-*"}, key.Models); diff != "" {
		t.Error(diff)
	}
	if left := time.Until(*key.ExpiresAt); left > 90*24*time.Hour || left < 89*24*time.Hour {
		t.Errorf("it expires in %v", left)
	}
	did = s.weir("keys", "create", "--name", "all")
	if key := s.show("all"); !s.works(oneKey(t, did.stdout)) || key.Models != nil || key.ExpiresAt != nil || !strings.Contains(did.stderr, "all models and expires never") {
		t.Errorf("%+v %+v", key, did)
	}
	s.ok("keys", "create", "--name", "curious", "--explain")
	if key := s.show("curious"); !key.Explain || s.show("all").Explain {
		t.Errorf("%+v", key)
	}
	s.ok("keys", "create", "--name", "dated", "--expires", "2999-12-31")
	if key := s.show("dated"); timeWords(key.ExpiresAt) != "2999-12-31T00:00:00Z" {
		t.Errorf("%+v", key)
	}
}

func TestPatternsThatMatchNoModelAreWarnings(t *testing.T) {
	s := newAdminServer(t)
	const warning = "warning: models: \"smartt\" matches no model today; did you mean \"smart\"?\n"
	did := s.weir("keys", "create", "--name", "app", "--models", "smartt,openai/gpt-5,*/gpt*")
	if oneKey(t, did.stdout); did.code != 0 || !strings.HasPrefix(did.stderr, "This is the key app") || !strings.HasSuffix(did.stderr, "\n"+warning) {
		t.Errorf("create: %+v", did)
	}
	if did := s.weir("keys", "update", "app", "--models", "fast,smartt"); did.code != 0 || did.stderr != warning {
		t.Errorf("update: %+v", did)
	}
	const refusal = "weir: models: \"smartt\" matches no model today; did you mean \"smart\"?\n"
	if did := s.weir("keys", "update", "app", "--strict", "--models", "smartt"); did != (outcome{2, "", refusal}) || len(s.show("app").Models) != 2 {
		t.Errorf("update, strictly: %+v", did)
	}
	if did := s.weir("keys", "create", "--strict", "--name", "other", "--models", "smartt"); did != (outcome{2, "", refusal}) || strings.Contains(s.ok("keys", "list"), "other") {
		t.Errorf("create, strictly: %+v", did)
	}
	if did := s.weir("keys", "create", "--strict", "--name", "fine", "--models", "fast,embed-*"); did.code != 0 || strings.Contains(did.stderr, "warning") {
		t.Errorf("what matches: %+v", did)
	}
}

func TestAKeyCannotExpireInThePast(t *testing.T) {
	s := newAdminServer(t)
	s.ok("keys", "create", "--name", "app")
	for _, args := range [][]string{{"create", "--name", "old"}, {"create", "--name", "old", "--offline"}, {"update", "app"}} {
		did := s.weir(append(append([]string{"keys"}, args...), "--expires", "2020-01-31")...)
		if did.code != 2 || did.stdout != "" || !strings.HasPrefix(did.stderr, "weir: --expires is in the past: give a date after today") {
			t.Errorf("%v: %+v", args, did)
		}
	}
}

func TestKeysListAndShow(t *testing.T) {
	s := newAdminServer(t)
	s.ok("keys", "create", "--name", `quo"te,comma`, "--models", "a,b*")
	s.ok("keys", "create", "--name", "gone")
	s.ok("keys", "revoke", "gone")

	table := s.ok("keys", "list")
	form := regexp.MustCompile(`^ID +NAME +STATUS +MODELS +TEAM +LIMITS +CREATED +EXPIRES +SOURCE
cfg-ci +ci +active +all models +- +- +- +never +config
\w{12} +quo"te,comma +active +a,b\* +- +- +20\S+Z +never +store
\w{12} +gone +revoked +all models +- +- +20\S+Z +never +store
$`)
	if !form.MatchString(table) {
		t.Errorf("table:\n%s", table)
	}
	var listed []admin.Key
	if err := json.Unmarshal([]byte(s.ok("keys", "list", "--format=json")), &listed); err != nil || len(listed) != 3 {
		t.Errorf("%v, %v", listed, err)
	}
	rows, err := csv.NewReader(strings.NewReader(s.ok("keys", "list", "--format=csv"))).ReadAll()
	if err != nil || len(rows) != 4 || rows[2][1] != `quo"te,comma` || rows[2][3] != "a,b*" || rows[3][2] != "revoked" {
		t.Errorf("%v, %v", rows, err)
	}
	byID := s.ok("keys", "show", listed[1].ID, "--format=json")
	if byName := s.ok("keys", "show", `quo"te,comma`, "--format=json"); byName != byID {
		t.Errorf("by name %s, by id %s", byName, byID)
	}
	if out := s.ok("keys", "show", "ci"); !strings.Contains(out, "cfg-ci") || strings.Count(out, "\n") != 2 {
		t.Error(out)
	}
}

func TestKeysUpdate(t *testing.T) {
	oneAfterAnother(t)
	s := newAdminServer(t)
	s.ok("keys", "create", "--name", "app", "--models", "a", "--expires", "1d")
	want := s.show("app")
	want.Name, want.Models = "renamed", []string{"b", "c"}
	s.ok("keys", "update", "app", "--name", "renamed", "--models", "b,c")
	if diff := cmp.Diff(want, s.show("renamed")); diff != "" {
		t.Error(diff)
	}
	for flag, may := range map[string]bool{"--explain": true, "--no-explain": false} {
		if s.ok("keys", "update", "renamed", flag); s.show("renamed").Explain != may {
			t.Errorf("%s: %+v", flag, s.show("renamed"))
		}
		s.ok("keys", "update", "renamed", "--models", "b,c") // what is not named stays as it is
		if s.show("renamed").Explain != may {
			t.Errorf("after %s another change has changed it", flag)
		}
	}
	s.ok("keys", "update", "renamed", "--no-explain")
	want.Models, want.ExpiresAt = nil, nil
	s.ok("keys", "update", "renamed", "--models", "none", "--expires", "none")
	if diff := cmp.Diff(want, s.show("renamed")); diff != "" {
		t.Error(diff)
	}
}

func TestKeysRotateAndRevoke(t *testing.T) {
	s := newAdminServer(t)
	first := oneKey(t, s.ok("keys", "create", "--name", "app"))
	did := s.weir("keys", "rotate", "app", "--grace", "1d")
	second := oneKey(t, did.stdout)
	if !s.works(first) || !s.works(second) || !strings.Contains(did.stderr, "works until 20") {
		t.Errorf("%+v", did)
	}
	did = s.weir("keys", "rotate", "app")
	third := oneKey(t, did.stdout)
	if s.works(first) || s.works(second) || !s.works(third) || !strings.Contains(did.stderr, "no longer works") {
		t.Errorf("%+v", did)
	}
	p, _ := s.keys.Authenticate(third)
	cut := make(cutRequest)
	p.Enter(cut)
	if out := s.ok("keys", "revoke", "app"); s.works(third) || !strings.Contains(out, "revoked") {
		t.Error(out)
	}
	s.ok("keys", "revoke", "app", "--now")
	<-cut
}

func TestKeysErrors(t *testing.T) {
	oneAfterAnother(t)
	s := newAdminServer(t)
	s.ok("keys", "create", "--name", "taken")
	for _, c := range []struct {
		args string
		code int
		word string
	}{
		{"create", 2, "--name"},
		{"create --name x --rpm 0", 2, "--rpm"},
		{"create --name x --rpm 1.5", 2, "whole number from 1 to 1000000000, such as 60"},
		{"create --name x --rpm=-3", 2, "whole number"},
		{"create --name x --tpm 2000000000", 2, "whole number"},
		{"create --name x --concurrent none", 2, "omit --rpm"},
		{"create --name x --budget 5", 2, "has no period: write it like 50usd/month"},
		{"create --name x --budget 5usd", 2, "has no period: write it like 50usd/month"},
		{"create --name x --budget 5eur/month", 2, "has no known unit, which are usd and tok"},
		{"create --name x --budget=-1usd/day", 2, "no amount that is a plain number above 0"},
		{"create --name x --budget 0usd/day", 2, "no amount that is a plain number above 0"},
		{"create --name x --budget 1e99usd/day", 2, "no amount that is a plain number above 0"},
		{"create --name x --budget 5usd/fortnight", 2, "unknown period"},
		{"create --name x --budget 5usd/day --budget 6usd/day", 2, "one unit and period"},
		{"create --name x --budget none", 2, "no budget to take away"},
		{"create --name x --reserve strict", 2, "--reserve, --cut and --warn say how budgets are kept"},
		{"create --name x --cut", 2, "give --budget"},
		{"create --name x --warn 50%", 2, "give --budget"},
		{"create --name x --budget 5usd/day --reserve some", 2, "neither strict nor expected"},
		{"create --name x --budget 5usd/day --warn 0%", 2, "whole shares from 1% to 100%"},
		{"create --name x --budget 5usd/day --warn 50", 2, "whole shares from 1% to 100%"},
		{"create --name x --budget 5usd/day --warn 50%,50%", 2, "50% twice"},
		{"update taken --cut", 2, "a budget is missing"},
		{"update taken --budget 5", 2, "write it like"},
		{"update taken --budget none --budget 5usd/day", 2, "stands alone"},
		{"update taken --budget 5usd/day,7usd/day", 2, "each budget by itself"},
		{"update ci --budget 5usd/day", 1, "config file"},
		{"create --name x --team t", 2, "weir teams list"},
		{"create --name x --models none", 2, "omit --models"},
		{"create --name x --models a,,b", 2, "a model is missing"},
		{"create --name x --models=", 2, "a model is missing"},
		{"create --name x --expires none", 2, "--expires, --team or --idempotency"},
		{"create --name x --expires soon", 2, "90d"},
		{"create --name x --expires 0d", 2, "revoke it"},
		{"create --name x --expires 2001-01-01", 2, "--expires is in the past: give a date after today"},
		{"create --name a\u200bb", 2, "printable"},
		{"create --name taken", 1, "take another name"},
		{"create --name x --offline --admin http://127.0.0.1:1", 2, "asks no server"},
		{"create --name taken extra", 2, "extra"},
		{"create --name x --idempotency none", 2, "no value to clear"},
		{"create --name x --idempotency 59s", 2, "duration from 1m to 30d"},
		{"create --name x --idempotency 31d", 2, "duration from 1m to 30d"},
		{"create --name x --idempotency 90.5s", 2, "in whole seconds, such as 24h"},
		{"create --name x --idempotency soon", 2, "such as 24h"},
		{"create --name x --idempotency=-1h", 2, "such as 24h"},
		{"update ci --idempotency 24h", 1, "config file"},
		{"list --format xml", 2, "--format"},
		{"show", 2, "<key>"},
		{"show nobody", 1, "No key has the id or name"},
		{"update taken", 2, "nothing to change"},
		{"update ci --models a", 1, "config file"},
		{"update ci --explain", 1, "config file"},
		{"rotate taken --grace soon", 2, "90d"},
		{"rotate taken --grace 400d", 2, "365"},
		{"revoke nobody --now", 1, "No key"},
		{"list --admin ftp://127.0.0.1", 2, "--admin or WEIR_ADMIN is a URL"},
		{"list --admin http://127.0.0.1:8931/v1", 2, "without a path"},
		{"list --admin http://user:hunter2@127.0.0.1", 2, "user name"},
		{"list --token-file none.txt", 2, "--token-file: cannot read the admin token"},
		{"list --admin " + closedURL(t), 1, "is weir serve running?"},
	} {
		did := s.weir(append([]string{"keys"}, strings.Fields(c.args)...)...)
		if did.code != c.code || !strings.Contains(did.stderr, c.word) || did.stdout != "" || !strings.HasPrefix(did.stderr, "weir: ") {
			t.Errorf("weir keys %s: %+v, want exit %d and %q", c.args, did, c.code, c.word)
		}
		if strings.Contains(did.stderr, "hunter2") || strings.Contains(did.stderr, adminToken) {
			t.Errorf("weir keys %s shows a secret: %s", c.args, did.stderr)
		}
	}
}

func closedURL(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	return server.URL
}

// The server and its token are found by flag, environment, config, in this order.
func TestKeysFindTheServer(t *testing.T) {
	s := newAdminServer(t)
	address := strings.TrimPrefix(s.url, "http://")
	write := func(name, text string) { writeTest(t, filepath.Join(s.folder, name), text) }
	write("data/admin.token", adminToken+"\n")
	write("other.token", adminToken+"\n")
	write("bad.token", "another-token-altogether\n")
	write("weir.yaml", "admin: {listen: '"+address+"'}\ndata: ./data\n")
	write("token.yaml", "admin: {listen: '"+address+"', token: '${T}'}\ndata: ./none\n")
	write("broken.yaml", "admin: {lisen: x}\n")
	write("lacking.yaml", "admin: {listen: '"+address+"'}\ndata: ./data\nproviders: {a: {kind: openai, api_key: '${NOT_HERE}'}}\n")
	const wrong = "http://127.0.0.1:1"
	for what, c := range map[string]struct {
		env  map[string]string
		args string
		code int
		word string
	}{
		"the config":           {nil, "", 0, ""},
		"its token":            {map[string]string{"T": adminToken}, "--config token.yaml", 0, ""},
		"WEIR_CONFIG":          {map[string]string{"WEIR_CONFIG": "token.yaml", "T": adminToken}, "", 0, ""},
		"WEIR_ADMIN":           {map[string]string{"WEIR_ADMIN": wrong}, "", 1, "cannot reach"},
		"WEIR_ADMIN_LISTEN":    {map[string]string{"WEIR_ADMIN_LISTEN": "127.0.0.1:1"}, "", 1, "cannot reach"},
		"the flag beats it":    {map[string]string{"WEIR_ADMIN": wrong}, "--admin " + address, 0, ""},
		"WEIR_ADMIN_TOKEN":     {map[string]string{"WEIR_ADMIN_TOKEN": "another-token-altogether"}, "", 1, "admin token in WEIR_ADMIN_TOKEN was refused"},
		"the file beats it":    {map[string]string{"WEIR_ADMIN_TOKEN": "another-token-altogether"}, "--token-file other.token", 0, ""},
		"a wrong file":         {nil, "--token-file bad.token", 1, "admin token in bad.token was refused"},
		"no token there":       {map[string]string{"WEIR_DATA": "elsewhere"}, "", 1, "has no admin token"},
		"a broken config":      {nil, "--config broken.yaml", 2, "To do without the config, give --admin"},
		"others' credentials":  {nil, "--config lacking.yaml", 0, ""},
		"which is not needed":  {map[string]string{"WEIR_ADMIN": address, "WEIR_ADMIN_TOKEN": adminToken}, "--config broken.yaml", 0, ""},
		"no port in the admin": {map[string]string{"WEIR_ADMIN_LISTEN": "127.0.0.1:0"}, "", 2, "give --admin URL"},
	} {
		did := runIn(t, s.folder, c.env, "", append([]string{"keys", "list"}, strings.Fields(c.args)...)...)
		if did.code != c.code || !strings.Contains(did.stderr, c.word) {
			t.Errorf("%s: %+v, want exit %d and %q", what, did, c.code, c.word)
		}
		if strings.Contains(did.stderr, "another-token") {
			t.Errorf("%s shows the token: %s", what, did.stderr)
		}
	}
}

func TestAdminURL(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"127.0.0.1:8931": "http://127.0.0.1:8931", ":8931": "http://127.0.0.1:8931", "0.0.0.0:1": "http://127.0.0.1:1", "[::]:1": "http://127.0.0.1:1",
		"[::1]:1": "http://[::1]:1", "weir.internal:8931": "http://weir.internal:8931",
	} {
		if got, err := localURL("admin.listen", "--admin URL", config.Listener{Addr: addr}); err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %q", addr, got, err, want)
		}
	}
	if got, err := localURL("admin.listen", "--admin URL", config.Listener{Addr: "h:1", TLS: &config.TLS{}}); err != nil || got != "https://h:1" {
		t.Errorf("%q, %v", got, err)
	}
}

// What --offline prints admits the key: the lines are read back by the config loader.
func TestKeysCreateOffline(t *testing.T) {
	folder := t.TempDir()
	const name = `${HOME}$$"quo'te\#:{[😀`
	const models = "providers: {p: {kind: k}}\nmodels: {fast: &m {targets: [p/m]}, '$x': *m, 'a\"b': *m}\n"
	loader := config.Loader{Kinds: []config.Kind{{Name: "k", DefaultBaseURL: "http://127.0.0.1"}}}
	for _, args := range [][]string{
		{"--name", name, "--models", `fast,<b>-*,$x,a"b`, "--expires", "2999-01-02T03:04:05Z", "--explain", "--idempotency", "24h"},
		{"--name", name},
	} {
		did := runIn(t, folder, nil, "", append([]string{"keys", "create", "--offline"}, args...)...)
		text := oneKey(t, did.stdout)
		_, lines, found := strings.Cut(did.stderr, "\n\n")
		if did.code != 0 || !found || strings.Contains(did.stderr, text[21:]) {
			t.Fatalf("%+v", did)
		}
		cfg, err := loader.Parse("weir.yaml", []byte(models+lines))
		if err != nil || len(cfg.Keys) != 1 {
			t.Fatalf("%s\n%v", lines, err)
		}
		want := config.Key{Name: name, Digest: config.Digest(auth.DigestOf(text))}
		if len(args) > 2 {
			want.Explain, want.Idempotency = true, config.Duration(24*time.Hour)
			want.Models, want.Expires = []string{"fast", "<b>-*", "$x", `a"b`}, time.Date(2999, 1, 2, 3, 4, 5, 0, time.UTC)
		}
		if diff := cmp.Diff(want, cfg.Keys[0]); diff != "" {
			t.Errorf("%s\n%s", lines, diff)
		}
	}
	did := runIn(t, folder, nil, "", "keys", "create", "--offline", "--name", "x", "--models", "a\u200bb")
	if did.code != 2 || did.stdout != "" || !strings.Contains(did.stderr, "pattern") {
		t.Errorf("%+v", did)
	}
}

func TestKeysHelpHasExamples(t *testing.T) {
	for _, command := range []string{"create", "list", "show", "update", "rotate", "revoke"} {
		did := runIn(t, t.TempDir(), nil, "", "keys", command, "--help")
		if did.code != 0 || !strings.Contains(did.stdout, "Example") || !strings.Contains(did.stdout, "weir keys "+command) {
			t.Errorf("%s: %+v", command, did)
		}
	}
}

// A key that cannot be printed is lost, and its maker must hear of it.
func TestKeyThatCannotBePrinted(t *testing.T) {
	t.Parallel()
	closed, w := io.Pipe()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	err := printSecret(&system{stdout: w}, secret.New("x"))
	if !errors.Is(err, io.ErrClosedPipe) || !strings.Contains(err.Error(), "revoke or rotate it") {
		t.Error(err)
	}
}

// cutRequest is a request that is closed when its key is cut.
type cutRequest chan struct{}

// Revoke implements auth.Cuttable.
func (c cutRequest) Revoke() { close(c) }
