package admin_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/logging/logtest"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const token = "weir-admin-token-of-this-test"

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// server is an admin API on a port of its own.
type server struct {
	*httptest.Server
	t     *testing.T
	keys  *auth.Keys
	store *storetest.Memory
	log   *logtest.Buffer
	ready bool
	fails error // what a reload returns
	now   time.Time

	logins int
}

// console has one page.
func console(unknown http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			unknown.ServeHTTP(w, r)
			return
		}
		_, _ = io.WriteString(w, "<!doctype html>")
	})
}

func newServer(t *testing.T, change func(*admin.Options)) *server {
	t.Helper()
	s := &server{t: t, store: &storetest.Memory{}, log: &logtest.Buffer{}, ready: true, now: start}
	clock := func() time.Time { return s.now }
	keys, err := auth.NewKeys(t.Context(), s.store, clock, rand.Reader)
	if err == nil {
		err = keys.SetFile(auth.File{
			Teams: []auth.Team{{Name: "filed", Models: []string{"fast"}}},
			Keys:  []auth.Key{{Name: "ci", Digest: auth.DigestOf("from the file"), Models: []string{"fast"}, TeamID: auth.FileID("filed")}},
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	s.keys = keys
	options := admin.Options{
		Keys: keys, Token: secret.New(token), Now: clock,
		Log: slog.New(slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Reload: func(context.Context) (admin.ReloadResult, error) {
			return admin.ReloadResult{Applied: s.fails == nil, Removed: admin.Contents{Providers: []string{}, Models: []string{}, Teams: []string{}, Keys: []string{}}}, s.fails
		},
		Reports: s.store,
		Running: func(*admin.RunningQuery) admin.RunningList {
			return admin.RunningList{Data: []admin.Running{{Tags: []string{}}}, Instance: "weir"}
		},
		Settings: func(context.Context) admin.Settings {
			value, from := "256", "weir.yaml:3:7"
			return admin.Settings{
				Version: "test", Loaded: start, NeedsRestart: []string{}, Warnings: []string{}, Values: []admin.Setting{{Name: "limits.depth", Value: &value, From: &from}, {Name: "alerts.url", Hidden: true}},
				Reload: &admin.Reload{At: start, Error: &from, Removed: admin.Contents{Providers: []string{}, Models: []string{}, Teams: []string{}, Keys: []string{}}},
				Store:  admin.StoreInfo{Kind: "sqlite", Place: "/data/weir.db"},
			}
		},
		Unmatched: func([]string) []string { return nil },
		Ready:     func() bool { return s.ready },
		Metrics:   http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "weir_up 1\n") }),
		Console:   console, LoggedIn: func() { s.logins++ },
	}
	if change != nil {
		change(&options)
	}
	s.Server = httptest.NewServer(admin.New(options))
	t.Cleanup(s.Close)
	return s
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

func (s *server) do(method, path, body string, headers ...string) answer {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := s.Client().Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(content)}
}

// envelope is an error body; members that are missing stay nil.
type envelope struct {
	Error map[string]*string `json:"error"`
}

func wantError(t *testing.T, got answer, status int, code, param string, words ...string) {
	t.Helper()
	var e envelope
	if err := json.Unmarshal([]byte(got.body), &e); err != nil || len(e.Error) != 4 || e.Error["message"] == nil {
		t.Fatalf("%d %s: no envelope (%v)", got.status, got.body, err)
	}
	gotParam := ""
	if e.Error["param"] != nil {
		gotParam = *e.Error["param"]
	}
	if got.status != status || *e.Error["code"] != code || gotParam != param || got.header.Get("Content-Type") != "application/json" {
		t.Errorf("got %d %s, want %d with code %s and param %q", got.status, got.body, status, code, param)
	}
	for _, word := range words {
		if !strings.Contains(*e.Error["message"], word) {
			t.Errorf("the message %q lacks %q", *e.Error["message"], word)
		}
	}
}

func wantOK(t *testing.T, got answer, into any) {
	t.Helper()
	if got.status != http.StatusOK || got.header.Get("Content-Type") != "application/json" || got.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("got %d %v %s", got.status, got.header, got.body)
	}
	decoder := json.NewDecoder(strings.NewReader(got.body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%v in %s", err, got.body)
	}
}

// made is the answer to a creation or rotation.
type made struct {
	Text string `json:"key"`
	admin.Key
}

func (s *server) create(body string) made {
	s.t.Helper()
	var key made
	wantOK(s.t, s.do("POST", "/admin/v1/keys", body), &key)
	return key
}

func (s *server) works(text string) bool {
	_, err := s.keys.Authenticate(text)
	return err == nil
}

func TestLifeOfAKey(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	key := s.create(`{"name":"app","models":["fast","embed-*"],"expires_at":"2026-06-01T00:00:00+02:00"}`)
	expires := time.Date(2026, 5, 31, 22, 0, 0, 0, time.UTC)
	want := admin.Key{
		ID: key.ID, Name: "app", Models: []string{"fast", "embed-*"}, CreatedAt: &start, ExpiresAt: &expires,
		Source: admin.FromStore, Status: auth.Active, Warnings: []string{},
	}
	if diff := cmp.Diff(want, key.Key); diff != "" || !s.works(key.Text) {
		t.Errorf("works: %v, %s", s.works(key.Text), diff)
	}
	var shown admin.Key
	for _, ref := range []string{key.ID, "app"} {
		shown = admin.Key{}
		wantOK(t, s.do("GET", "/admin/v1/keys/"+ref, ""), &shown)
		if diff := cmp.Diff(want, shown); diff != "" {
			t.Error(diff)
		}
	}
	shown = admin.Key{}
	wantOK(t, s.do("PATCH", "/admin/v1/keys/app", `{"name":"a/b?c#d%2F","models":null,"expires_at":null}`), &shown)
	want.Name, want.Models, want.ExpiresAt = "a/b?c#d%2F", nil, nil
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Error(diff)
	}
	path := "/admin/v1/keys/a%2Fb%3Fc%23d%252F"
	var rotated made
	wantOK(t, s.do("POST", path+"/rotate", `{"grace":"1d"}`), &rotated)
	until := start.Add(24 * time.Hour)
	want.PreviousUntil = &until
	if diff := cmp.Diff(want, rotated.Key); diff != "" || !s.works(key.Text) || !s.works(rotated.Text) {
		t.Errorf("both secrets should work: %s", diff)
	}
	shown = admin.Key{}
	wantOK(t, s.do("DELETE", path, ""), &shown)
	want.PreviousUntil, want.RevokedAt, want.Status = nil, &start, auth.Revoked
	if diff := cmp.Diff(want, shown); diff != "" || s.works(key.Text) || s.works(rotated.Text) {
		t.Errorf("a revoked key works, or: %s", diff)
	}
	wantError(t, s.do("PATCH", "/admin/v1/keys/"+key.ID, `{"name":"x"}`), 409, "conflict", "", "revoked")
}

func TestPatchReplacesOnlyWhatItNames(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	key := s.create(`{"name":"app","models":["a"],"expires_at":"2027-01-01T00:00:00Z"}`)
	var got admin.Key
	wantOK(t, s.do("PATCH", "/admin/v1/keys/app", `{"models":["b"]}`), &got)
	key.Models = []string{"b"}
	if diff := cmp.Diff(key.Key, got); diff != "" {
		t.Error(diff)
	}
	s.now = start.Add(365 * 24 * time.Hour)
	got = admin.Key{}
	wantOK(t, s.do("GET", "/admin/v1/keys/app", ""), &got)
	if got.Status != auth.Expired {
		t.Errorf("status %q", got.Status)
	}
}

func TestRevokeNowCutsAndWithoutDoesNot(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for _, query := range []string{"", "?now=false", "?now=true"} {
		key := s.create(`{"name":"app"}`)
		p, refused := s.keys.Authenticate(key.Text)
		if refused != nil {
			t.Fatal(refused)
		}
		cut := make(cutRequest)
		p.Enter(cut)
		var shown admin.Key
		wantOK(t, s.do("DELETE", "/admin/v1/keys/app"+query, ""), &shown)
		if query == "?now=true" {
			<-cut
		} else if cut.isCut() {
			t.Errorf("%q cut a running request", query)
		}
	}
}

func TestListPages(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for i := range 4 {
		s.create(fmt.Sprintf(`{"name":"k%d"}`, i))
		s.now = s.now.Add(time.Second)
	}
	type list struct {
		Data []admin.Key `json:"data"`
		Next *string     `json:"next"`
	}
	var names []string
	for path := "/admin/v1/keys?limit=2"; path != ""; {
		var page list
		wantOK(t, s.do("GET", path, ""), &page)
		path = ""
		for _, key := range page.Data {
			names = append(names, key.Name)
		}
		if page.Next != nil {
			path = "/admin/v1/keys?limit=2&cursor=" + *page.Next
		}
	}
	if diff := cmp.Diff([]string{"ci", "k0", "k1", "k2", "k3"}, names); diff != "" {
		t.Error(diff)
	}
	got := s.do("GET", "/admin/v1/keys?limit=1", "")
	if !strings.HasPrefix(got.body, `{"data":[{"id":"cfg-ci","name":"ci","models":["fast"],"team_id":"cfg-filed","team":"filed","rpm":null,"tpm":null,"concurrent":null,"budgets":null,"reserve":null,"cut":false,"warn":null,"explain":false,"idempotency":null,"created_at":null,"expires_at":null,"revoked_at":null,"previous_until":null,"source":"config","status":"active","unsaved":null,"warnings":[]}],"next":"`) {
		t.Errorf("the form of a list has changed: %s", got.body)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	s.create(`{"name":"taken"}`)
	const keys, teams = "/admin/v1/keys", "/admin/v1/teams"
	wantOK(t, s.do("POST", teams, `{"name":"over"}`), new(admin.Team))
	wantOK(t, s.do("DELETE", teams+"/over", ""), new(admin.Team))
	for _, c := range []struct {
		method, path, body string
		status             int
		code, param, word  string
	}{
		{"POST", keys, ``, 400, "missing_required_parameter", "name", "name"},
		{"POST", keys, `{}`, 400, "missing_required_parameter", "name", "name"},
		{"POST", keys, `{"name":null}`, 400, "missing_required_parameter", "name", "name"},
		{"POST", keys, `{"name":""}`, 400, "missing_required_parameter", "name", "name"},
		{"POST", keys, `{"name":"a b"}`, 400, "invalid_value", "name", "spaces"},
		{"POST", keys, `{"name":7}`, 400, "invalid_type", "name", "number"},
		{"POST", keys, `{"name":"x","idempotency":"soon"}`, 400, "invalid_value", "idempotency", "24h"},
		{"POST", keys, `{"name":"x","idempotency":"0s"}`, 400, "invalid_value", "idempotency", "24h"},
		{"POST", keys, `{"name":"x","idempotency":24}`, 400, "invalid_type", "idempotency", "24h"},
		{"POST", keys, `{"name":"x","idempotency":"31d"}`, 400, "invalid_value", "idempotency", "720h"},
		{"POST", keys, `{"name":"x","explain":"yes"}`, 400, "invalid_type", "explain", "wrong type"},
		{"POST", keys, `{"Name":"x"}`, 400, "invalid_value", "Name", "Known are: rpm, tpm, concurrent, budgets, reserve, cut, warn, name, models, expires_at, explain, team, idempotency."},
		{"POST", keys, `{"name":"x","rpm":0}`, 400, "invalid_value", "rpm", "from 1 to 1000000000"},
		{"POST", keys, `{"name":"x","rpm":1.5}`, 400, "invalid_value", "rpm", "whole number"},
		{"POST", keys, `{"name":"x","tpm":-3}`, 400, "invalid_value", "tpm", "whole number"},
		{"POST", keys, `{"name":"x","concurrent":2000000000}`, 400, "invalid_value", "concurrent", "whole number"},
		{"POST", keys, `{"name":"x","rpm":"60"}`, 400, "invalid_value", "rpm", "whole number"},
		{"PATCH", teams + "/over", `{"rpm":0}`, 400, "invalid_value", "rpm", "null for no limit"},
		{"POST", keys, `{"name":"x","budgets":["5"]}`, 400, "invalid_value", "budgets", "no period"},
		{"POST", keys, `{"name":"x","budgets":["5usd"]}`, 400, "invalid_value", "budgets", "write it like 50usd/month"},
		{"POST", keys, `{"name":"x","budgets":["5eur/month"]}`, 400, "invalid_value", "budgets", "no known unit"},
		{"POST", keys, `{"name":"x","budgets":["-1usd/day"]}`, 400, "invalid_value", "budgets", "plain number above 0"},
		{"POST", keys, `{"name":"x","budgets":["0usd/day"]}`, 400, "invalid_value", "budgets", "plain number above 0"},
		{"POST", keys, `{"name":"x","budgets":["1e99usd/day"]}`, 400, "invalid_value", "budgets", "plain number above 0"},
		{"POST", keys, `{"name":"x","budgets":["5usd/fortnight"]}`, 400, "invalid_value", "budgets", "unknown period"},
		{"POST", teams, `{"name":"x","budgets":["5usd/day","7usd/day"]}`, 400, "invalid_value", "budgets", "one unit and period"},
		{"POST", teams, `{"name":"x","budgets":[]}`, 400, "invalid_value", "budgets", "null takes all budgets away"},
		{"POST", keys, `{"name":"x","budgets":"5usd/day"}`, 400, "invalid_type", "budgets", "a list such as"},
		{"POST", keys, `{"name":"x","budgets":["5usd/day"],"warn":[]}`, 400, "invalid_value", "warn", "null takes all shares away"},
		{"POST", keys, `{"name":"x","budgets":["5usd/day"],"warn":[0]}`, 400, "invalid_value", "warn", "from 1% to 100%"},
		{"POST", keys, `{"name":"x","budgets":["5usd/day"],"warn":[50,50]}`, 400, "invalid_value", "warn", "twice"},
		{"POST", keys, `{"name":"x","budgets":["5usd/day"],"warn":[0.5]}`, 400, "invalid_type", "warn", "whole percentages"},
		{"POST", keys, `{"name":"x","budgets":["5usd/day"],"reserve":"some"}`, 400, "invalid_value", "reserve", "strict"},
		{"POST", keys, `{"name":"x","reserve":"strict"}`, 400, "invalid_value", "reserve", "a budget is missing"},
		{"PATCH", keys + "/taken", `{"cut":true}`, 400, "invalid_value", "cut", "a budget is missing"},
		{"PATCH", keys + "/taken", `{"warn":[50]}`, 400, "invalid_value", "warn", "a budget is missing"},
		{"PATCH", keys + "/ci", `{"budgets":["5usd/day"]}`, 409, "conflict", "", "config file"},
		{"PATCH", keys + "/ci", `{"rpm":null}`, 409, "conflict", "", "config file"},
		{"GET", "/admin/v1/limits", ``, 400, "missing_required_parameter", "key", "key=app, team=search, model=smart or target=openai/gpt-5"},
		{"GET", "/admin/v1/limits?key=nobody", ``, 404, "not_found", "", "nobody"},
		{"GET", "/admin/v1/limits?provider=x", ``, 400, "invalid_value", "provider", "Known are: key, team, model, target."},
		{"GET", "/admin/v1/limits?team=nobody", ``, 404, "not_found", "", "nobody"},
		{"GET", "/admin/v1/limits?key=ci&team=filed", ``, 400, "invalid_value", "team", "Name one key, team, model or target"},
		{"GET", "/admin/v1/limits?model=", ``, 400, "invalid_value", "model", "names nothing"},
		{"GET", "/admin/v1/limits?target=&format=csv", ``, 400, "invalid_value", "target", "names nothing"},
		{"POST", keys, `{"name":"x","budget":"50usd/month"}`, 400, "invalid_value", "budget", "no member"},
		{"POST", keys, `{"name":"x","name":"y"}`, 400, "invalid_json", "", "twice"},
		{"POST", keys, `{"name":"x","n\u0061me":"y"}`, 400, "invalid_json", "", "twice"},
		{"POST", keys, `{"name":"x"} {}`, 400, "invalid_json", "", "follows"},
		{"POST", keys, `["name"]`, 400, "invalid_json", "", "object"},
		{"POST", keys, `null`, 400, "invalid_json", "", "object"},
		{"POST", keys, `{"name":"x"`, 400, "invalid_json", "", "object"},
		{"POST", keys, `{"name":"x",}`, 400, "invalid_json", "", "object"},
		{"POST", keys, "{\"name\":\"\xff\"}", 400, "invalid_json", "", "UTF-8"},
		{"POST", keys, `{"name":"x","models":[]}`, 400, "invalid_value", "models", "empty"},
		{"POST", keys, `{"name":"x","models":"fast"}`, 400, "invalid_type", "models", "list"},
		{"POST", keys, `{"name":"x","models":[1]}`, 400, "invalid_type", "models", "list"},
		{"POST", keys, `{"name":"x","models":["a "]}`, 400, "invalid_value", "models", "pattern"},
		{"POST", keys, `{"name":"x","expires_at":"90d"}`, 400, "invalid_value", "expires_at", "RFC 3339"},
		{"POST", keys, `{"name":"x","expires_at":1}`, 400, "invalid_type", "expires_at", "RFC 3339"},
		{"POST", keys, `{"name":"x","expires_at":"2020-01-01T00:00:00Z"}`, 400, "invalid_value", "expires_at", "in the past"},
		{"POST", keys, `{"name":"taken"}`, 409, "conflict", "name", "taken"},
		{"POST", keys, `{"name":"ci"}`, 409, "conflict", "name", "ci"},
		{"POST", keys, `{"name":"` + strings.Repeat("x", 1<<20) + `"}`, 413, "request_too_large", "", "1048576"},
		{"POST", keys + "?x=1", `{"name":"x"}`, 400, "invalid_value", "x", "no parameter"},
		{"GET", keys + "?limit=ten", ``, 400, "invalid_value", "limit", "number"},
		{"GET", keys + "?limit=0", ``, 400, "invalid_value", "limit", "1000"},
		{"GET", keys + "?limit=1&limit=2", ``, 400, "invalid_value", "limit", "twice"},
		{"GET", keys + "?cursor=x", ``, 400, "invalid_value", "cursor", "cursor"},
		{"GET", keys + "?team=t", ``, 400, "invalid_value", "team", "Known are: cursor, limit."},
		{"GET", keys + "/nobody", ``, 404, "not_found", "", "nobody"},
		{"GET", keys + "/taken?x=1", ``, 400, "invalid_value", "x", ""},
		{"PATCH", keys + "/nobody", `{"name":"x"}`, 404, "not_found", "", "nobody"},
		{"PATCH", keys + "/taken", `{}`, 400, "missing_required_parameter", "", "This changes nothing"},
		{"PATCH", keys + "/taken", `{"models":[]}`, 400, "invalid_value", "models", "empty"},
		{"PATCH", keys + "/taken", `{"status":"revoked"}`, 400, "invalid_value", "status", "no member"},
		{"PATCH", keys + "/ci", `{"name":"x"}`, 409, "conflict", "", "config file"},
		{"DELETE", keys + "/ci", ``, 409, "conflict", "", "config file"},
		{"DELETE", keys + "/nobody", ``, 404, "not_found", "", "nobody"},
		{"DELETE", keys + "/taken?now=soon", ``, 400, "invalid_value", "now", "true or false"},
		{"DELETE", keys + "/taken?force=true", ``, 400, "invalid_value", "force", "no parameter"},
		{"POST", keys + "/ci/rotate", ``, 409, "conflict", "", "config file"},
		{"POST", keys + "/nobody/rotate", ``, 404, "not_found", "", "nobody"},
		{"POST", keys + "/taken/rotate", `{"grace":"soon"}`, 400, "invalid_value", "grace", "90d"},
		{"POST", keys + "/taken/rotate", `{"grace":"999d"}`, 400, "invalid_value", "grace", "365"},
		{"POST", keys + "/taken/rotate", `{"grace":60}`, 400, "invalid_type", "grace", "number"},
		{"POST", keys + "/taken/rotate?x=1", ``, 400, "invalid_value", "x", ""},
		{"POST", "/admin/v1/reload", `{"force":true}`, 400, "invalid_value", "force", "It takes none."},
		{"POST", "/admin/v1/reload?x=1", ``, 400, "invalid_value", "x", ""},
		{"POST", keys, `{"name":"x","team":"nobody"}`, 400, "invalid_value", "team", "weir teams list"},
		{"POST", keys, `{"name":"x","team":""}`, 400, "invalid_type", "team", "null for none"},
		{"POST", keys, `{"name":"x","team":["a"]}`, 400, "invalid_type", "team", "null for none"},
		{"PATCH", keys + "/taken", `{"team":"over"}`, 400, "invalid_value", "team", "is revoked: name another"},
		{"POST", teams, `{}`, 400, "missing_required_parameter", "name", "A team needs a name"},
		{"POST", teams, `{"name":"a b"}`, 400, "invalid_value", "name", "A team's name"},
		{"POST", teams, `{"name":"x","models":[]}`, 400, "invalid_value", "models", "empty"},
		{"POST", teams, `{"name":"x","budget":"5usd/day"}`, 400, "invalid_value", "budget", "Known are: rpm, tpm, concurrent, budgets, reserve, cut, warn, name, models."},
		{"POST", teams, `{"name":"filed"}`, 409, "conflict", "name", "filed"},
		{"POST", teams, `{"name":"cfg-filed"}`, 409, "conflict", "name", "cfg-filed"},
		{"POST", teams + "?x=1", `{"name":"x"}`, 400, "invalid_value", "x", "no parameter"},
		{"GET", teams + "?limit=0", ``, 400, "invalid_value", "limit", "1000"},
		{"GET", teams + "?cursor=x", ``, 400, "invalid_value", "cursor", "cursor"},
		{"GET", teams + "/nobody", ``, 404, "not_found", "", "weir teams list"},
		{"PATCH", teams + "/nobody", `{"name":"x"}`, 404, "not_found", "", "nobody"},
		{"PATCH", teams + "/over", `{}`, 400, "missing_required_parameter", "", "This changes nothing"},
		{"PATCH", teams + "/over", `{"name":"x"}`, 409, "conflict", "", "is revoked and can no longer be changed"},
		{"PATCH", teams + "/filed", `{"name":"x"}`, 409, "conflict", "", "edit it there, under teams"},
		{"DELETE", teams + "/filed", ``, 409, "conflict", "", "config file"},
		{"DELETE", teams + "/over?now=true", ``, 400, "invalid_value", "now", "no parameter"},
		{"GET", "/admin/v1/nothing", ``, 404, "unknown_url", "", "openapi.json"},
		{"GET", "/v1/models", ``, 404, "unknown_url", "", "public address"},
		{"GET", "/nothing", ``, 404, "unknown_url", "", ""},
	} {
		t.Run(c.method+" "+c.path+" "+c.body[:min(len(c.body), 40)], func(t *testing.T) {
			wantError(t, s.do(c.method, c.path, c.body), c.status, c.code, c.param, c.word)
		})
	}
	if page, err := s.keys.List("", 10); err != nil || len(page.Keys) != 2 {
		t.Errorf("a refused call changed something: %v, %v", page, err)
	}
}

func TestMethodNotAllowed(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for path, allow := range map[string]string{
		"/admin/v1/keys": "GET, POST, HEAD", "/admin/v1/keys/x": "DELETE, GET, PATCH, HEAD", "/admin/v1/keys/x/rotate": "POST",
		"/admin/v1/teams": "GET, POST, HEAD", "/admin/v1/teams/x": "DELETE, GET, PATCH, HEAD",
		"/admin/v1/reload": "POST", "/admin/v1/openapi.json": "GET, HEAD", "/healthz": "GET, HEAD", "/readyz": "GET, HEAD", "/metrics": "GET, HEAD",
	} {
		got := s.do("PUT", path, "")
		wantError(t, got, 405, "method_not_allowed", "", "PUT", allow)
		if got.header.Get("Allow") != allow {
			t.Errorf("%s: Allow: %q, want %q", path, got.header.Get("Allow"), allow)
		}
	}
	wantError(t, s.do("GET", "/admin/v1/reload", ""), 405, "method_not_allowed", "")
	if got := s.do("HEAD", "/admin/v1/keys", ""); got.status != 200 || got.body != "" {
		t.Errorf("HEAD: %d %q", got.status, got.body)
	}
}

func TestToken(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	text := s.create(`{"name":"app"}`).Text
	for _, path := range []string{"/admin/v1/keys", "/admin/v1/keys/app", "/admin/v1/reload", "/admin/v1/openapi.json", "/admin/v1/no-such-thing", "/admin/"} {
		for header, code := range map[string]string{
			"": "missing_api_key", "Bearer": "missing_api_key", "Bearer ": "missing_api_key", "Basic " + token: "missing_api_key", token: "missing_api_key",
			"Bearer " + token + "x": "invalid_api_key", "Bearer " + token[:len(token)-1]: "invalid_api_key", "Bearer " + text: "invalid_api_key", "Bearer x " + token: "invalid_api_key",
		} {
			s.now = s.now.Add(time.Second) // the address may send one wrong token each
			got := s.do("GET", path, "", "Authorization", header)
			wantError(t, got, 401, code, "")
			if got.header.Get("Www-Authenticate") != "Bearer" || strings.Contains(got.body, token) || strings.Contains(got.body, text) {
				t.Errorf("%v %s", got.header, got.body)
			}
		}
	}
	for _, header := range []string{"bearer " + token, "BEARER   " + token} {
		if got := s.do("GET", "/admin/v1/keys", "", "Authorization", header); got.status != 200 {
			t.Errorf("%q was refused: %s", header, got.body)
		}
	}
}

func TestProbesAndMetricsNeedNoToken(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for path, want := range map[string]string{"/healthz": "{\"status\":\"ok\"}\n", "/readyz": "{\"status\":\"ready\"}\n", "/metrics": "weir_up 1\n"} {
		if got := s.do("GET", path, "", "Authorization", ""); got.status != 200 || got.body != want {
			t.Errorf("%s: %d %q", path, got.status, got.body)
		}
	}
	s.ready = false
	wantError(t, s.do("GET", "/readyz", "", "Authorization", ""), 503, "overloaded", "")
	if got := s.do("GET", "/healthz", ""); got.status != 200 {
		t.Error("a draining process is alive")
	}
	guarded := newServer(t, func(o *admin.Options) { o.MetricsToken = true })
	wantError(t, guarded.do("GET", "/metrics", "", "Authorization", ""), 401, "missing_api_key", "")
	if got := guarded.do("GET", "/metrics", ""); got.status != 200 {
		t.Errorf("with the token: %d", got.status)
	}
}

func TestReload(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for _, body := range []string{"", "{}", " \n"} {
		if got := s.do("POST", "/admin/v1/reload", body); got.status != 200 || got.body != `{"applied":true,"needs_restart":[],"removed":{"providers":[],"models":[],"teams":[],"keys":[]}}`+"\n" {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
	s.fails = errors.New("weir.yaml:3:1: unknown field \"polcy\"\nweir.yaml:9:5: no such provider")
	wantError(t, s.do("POST", "/admin/v1/reload", ""), 400, "invalid_value", "", "weir.yaml:3:1", "weir.yaml:9:5", "stays in force")
}

func TestFailuresAreLoggedAndShowNothing(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(o *admin.Options) { o.Ready = func() bool { panic("the roof") } })
	wantError(t, s.do("GET", "/readyz", ""), 500, "internal_error", "")
	if !strings.Contains(s.log.String(), "the roof") {
		t.Errorf("the panic is not in the log: %s", s.log)
	}
}

// While the store cannot be written, a key is revoked all the same, and everything else fails: with the cause, and nothing changed.
func TestChangesWhileTheStoreCannotBeWritten(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	text := s.create(`{"name":"leaked","models":["fast"]}`).Text
	s.store.Fail(errors.New("disk on fire at /var/x"))
	for _, call := range [][3]string{
		{"POST", "/admin/v1/keys", `{"name":"x"}`},
		{"POST", "/admin/v1/keys/leaked/rotate", `{}`},
		{"PATCH", "/admin/v1/keys/leaked", `{"models":["none"]}`},
		{"PATCH", "/admin/v1/keys/leaked", `{"expires_at":"2026-03-02T00:00:00Z"}`},
	} {
		wantError(t, s.do(call[0], call[1], call[2]), 500, "internal_error", "", "Nothing was changed", "disk on fire")
	}
	if !strings.Contains(s.log.String(), "disk on fire") {
		t.Errorf("the log: %s", s.log)
	}
	var list struct {
		Data []admin.Key
		Next *string
	}
	wantOK(t, s.do("GET", "/admin/v1/keys", ""), &list)
	if len(list.Data) != 2 || list.Data[1].Models[0] != "fast" || list.Data[1].ExpiresAt != nil {
		t.Errorf("%+v", list)
	}
	if _, err := s.keys.Authenticate(text); err != nil {
		t.Error(err)
	}

	var revoked admin.Key
	wantOK(t, s.do("DELETE", "/admin/v1/keys/leaked?now=true", ""), &revoked)
	want := &admin.Unsaved{Reason: "disk on fire at /var/x", SurvivesRestart: false}
	if diff := cmp.Diff(want, revoked.Unsaved); diff != "" || revoked.Status != auth.Revoked || revoked.RevokedAt == nil {
		t.Errorf("%+v %s", revoked, diff)
	}
	if _, err := s.keys.Authenticate(text); err == nil {
		t.Error("the key works")
	}
	wantOK(t, s.do("GET", "/admin/v1/keys", ""), &list)
	if diff := cmp.Diff(want, list.Data[1].Unsaved); diff != "" {
		t.Error(diff)
	}
	s.store.Fail(nil)
	wantOK(t, s.do("DELETE", "/admin/v1/keys/leaked", ""), &revoked)
	if revoked.Unsaved != nil {
		t.Errorf("%+v", revoked.Unsaved)
	}
}

func TestChangesAreLoggedWithoutSecrets(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	text := s.create(`{"name":"app"}`).Text
	var rotated made
	wantOK(t, s.do("POST", "/admin/v1/keys/app/rotate", `{"grace":"1h"}`), &rotated)
	s.do("GET", "/admin/v1/keys", "")
	s.do("DELETE", "/admin/v1/keys/app", "")
	s.do("POST", "/admin/v1/keys", `{"name":"`+text+` "}`)
	log := s.log.String()
	for _, secret := range []string{token, text[21:], rotated.Text[21:]} {
		if strings.Contains(log, secret) {
			t.Errorf("a secret is in the log: %s", log)
		}
	}
	if n := strings.Count(log, "admin call"); n != 4 {
		t.Errorf("%d lines, want one for each call that changes something: %s", n, log)
	}
	if n := strings.Count(log, `"key_id":"`+rotated.ID+`","key":"app"`); n != 3 {
		t.Errorf("%d lines name the key that was made, rotated and revoked: %s", n, log)
	}
}

// cutRequest is a request that is closed when its key is cut.
type cutRequest chan struct{}

// Revoke implements auth.Cuttable.
func (c cutRequest) Revoke() { close(c) }

// isCut reports whether it was.
func (c cutRequest) isCut() bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
