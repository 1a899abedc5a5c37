package main

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/doctor"
	"github.com/weirproxy/weir/internal/sim"
)

const (
	goodCredential = "upstream-key-that-works"
	badCredential  = "upstream-key-that-does-not"
)

// examined is what weir doctor says of a config as JSON. No credential is in it.
func examined(t *testing.T, folder string, env map[string]string, text string) (all []finding, code int) {
	t.Helper()
	path := filepath.Join(folder, "weir.yaml")
	writeTest(t, path, text)
	did := runIn(t, folder, env, "", "doctor", "--config", path, "--format", "json")
	if err := json.Unmarshal([]byte(did.stdout), &all); err != nil {
		t.Fatalf("%v: %+v", err, did)
	}
	if strings.Contains(did.stdout+did.stderr, "upstream-key") {
		t.Errorf("a credential is shown: %+v", did)
	}
	return all, did.code
}

// about are the findings of one check, as "status found".
func about(all []finding, check string) string {
	var found []string
	for _, f := range all {
		if f.Check == check {
			found = append(found, string(f.Status)+" "+f.Found)
		}
	}
	return strings.Join(found, "\n")
}

func simulated(t *testing.T) string {
	t.Helper()
	up := httptest.NewServer(sim.New(sim.Script{Key: goodCredential, Models: []string{"a", "b"}}))
	t.Cleanup(up.Close)
	return up.URL + "/v1"
}

// Without a running Weir nothing is made, and with one it is found.
func TestDoctor(t *testing.T) {
	folder := t.TempDir()
	base := simulated(t)
	text := "providers:\n  up: {kind: openai, base_url: '" + base + "', api_keys: [" + goodCredential + ", " + badCredential + "]}\nmodels: {m: {targets: [up/a]}}\n"
	env := environment(folder)
	all, code := examined(t, folder, env, text)
	if code != 1 {
		t.Errorf("exit %d with a refused credential", code)
	}
	if got := about(all, "credential"); got != "ok lists 2 models\nerror is refused: GET /v1/models answered 401" {
		t.Error(got)
	}
	if got := about(all, "data") + about(all, "store"); strings.Count(got, "is not there yet; the first weir serve makes it") != 2 {
		t.Error(got)
	}
	if got := about(all, "clock"); got != "ok within 1s of that of up" {
		t.Error(got)
	}
	if _, err := os.Stat(filepath.Join(folder, "data")); err == nil {
		t.Error("it made the data folder")
	}

	text = strings.ReplaceAll(text, ", "+badCredential, "")
	writeTest(t, filepath.Join(folder, "weir.yaml"), text)
	start(t, env, "--config", filepath.Join(folder, "weir.yaml")).ready()
	all, code = examined(t, folder, env, text)
	if code != 0 || !strings.HasSuffix(about(all, "data"), "a Weir is running with it") || !strings.Contains(about(all, "store"), "is readable, schema ") {
		t.Errorf("exit %d: %+v", code, all)
	}

	table := runIn(t, folder, env, "", "doctor", "--config", "weir.yaml")
	if table.code != 0 || !strings.HasPrefix(table.stdout, "STATUS") || !strings.Contains(table.stdout, "credential 1") {
		t.Errorf("%+v", table)
	}
	rows, err := csv.NewReader(strings.NewReader(runIn(t, folder, env, "", "doctor", "--format=csv").stdout)).ReadAll()
	if err != nil || len(rows) != len(all)+1 {
		t.Errorf("%v, %v", rows, err)
	}
	if did := runIn(t, folder, env, "", "doctor", "--timeout", "0s"); did.code != 2 || !strings.Contains(did.stderr, "--timeout") {
		t.Errorf("%+v", did)
	}
}

// Google's servers take a key in a header of their own, and answer 400, not 401, to one that they do not know.
func TestDoctorAtGoogle(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/v1beta/models" {
			t.Errorf("%s %s may cost something", r.Method, r.URL)
		}
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		switch r.Header.Get("X-Goog-Api-Key") {
		case goodCredential:
			_, _ = io.WriteString(w, `{"models":[{"name":"models/a","supportedGenerationMethods":["generateContent"]},{"name":"models/b","supportedGenerationMethods":["generateContent"]}]}`)
		case "":
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"error":{"code":403,"message":"Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.","status":"PERMISSION_DENIED"}}`)
		default:
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com","metadata":{"service":"generativelanguage.googleapis.com"}}]}}`)
		}
	}))
	t.Cleanup(up.Close)
	folder := t.TempDir()
	all, code := examined(t, folder, environment(folder), "providers:\n  up: {kind: gemini, base_url: '"+up.URL+"/v1beta', api_keys: ["+goodCredential+", "+badCredential+"]}\nmodels: {m: {targets: [up/a]}}\n")
	if code != 1 {
		t.Errorf("exit %d with a refused credential", code)
	}
	if got := about(all, "credential"); got != "ok lists 2 models\nerror is refused: GET /v1beta/models answered 400" {
		t.Error(got)
	}
	for _, f := range all {
		if f.Check == "credential" && f.Status != doctor.Good && !strings.HasPrefix(f.Advice, "replace it") {
			t.Errorf("%+v", f)
		}
	}
}

// What is wrong on this machine is an error with advice.
func TestDoctorFindsFaults(t *testing.T) {
	base := simulated(t)
	providers := "providers: {up: {kind: openai, base_url: '" + base + "', api_key: " + goodCredential + "}}\nmodels: {m: {targets: [up/a]}}\n"
	for name, tt := range map[string]struct {
		prepare     func(data string)
		text        string
		check, want string
		code        int
	}{
		"a config with errors": {nil, "providers: {up: {kind: opnai}}\n", "config", `unknown kind "opnai"`, 1},
		"no folder":            {func(data string) { writeTest(t, data, "x") }, providers, "data", "is no folder", 1},
		"another's store": {func(data string) {
			writeTest(t, filepath.Join(data, "weir.db"), "this is not a database, and long enough to be looked at as one, which takes a hundred bytes and more than that")
		}, providers, "store", "this is no SQLite database", 1},
		"no server":   {nil, strings.ReplaceAll(providers, base, closedURL(t)), "tcp", "cannot connect to 127.0.0.1:", 1},
		"open to all": {nil, "listen: 0.0.0.0:8930\n" + providers, "config", "warning listen 0.0.0.0:8930 has no TLS", 0},
		"unused":      {nil, strings.ReplaceAll(providers, "{up: ", "{idle: {kind: sim}, up: "), "config", "warning no model uses the provider idle", 0},
	} {
		folder := t.TempDir()
		env := map[string]string{"WEIR_DATA": filepath.Join(folder, "data")}
		if tt.prepare != nil {
			tt.prepare(filepath.Join(folder, "data"))
			if info, err := os.Stat(filepath.Join(folder, "data")); err == nil && info.IsDir() {
				_ = os.Chmod(filepath.Join(folder, "data"), 0o700)
			}
		}
		all, code := examined(t, folder, env, tt.text)
		if got := about(all, tt.check); code != tt.code || !strings.Contains(got, tt.want) {
			t.Errorf("%s: exit %d: %s", name, code, got)
		}
		for _, f := range all {
			if f.Status != doctor.Good && f.Advice == "" {
				t.Errorf("%s: no advice: %+v", name, f)
			}
		}
	}
}

func TestCheckGo(t *testing.T) {
	t.Parallel()
	secure := &config.Config{Listen: config.Listener{TLS: &config.TLS{}}}
	for release, want := range map[string]doctor.Verdict{"go1.26.8": doctor.Warning, "go1.26.9": doctor.Good, "go1.27": doctor.Good} {
		if got := checkGo(release, secure); got.Status != want || (got.Advice == "") != (want == doctor.Good) {
			t.Errorf("%s: %+v", release, got)
		}
	}
}

func TestCheckClock(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		clocks []clock
		want   string
	}{
		{nil, "unknown no provider reported the time"},
		{[]clock{{"a", time.Hour}, {"b", -2 * time.Second}}, "ok within 2s of that of b"},
		{[]clock{{"a", time.Hour}, {"b", -2 * time.Minute}}, "error 2m0s behind that of b"},
		{[]clock{{"a", time.Hour}}, "error 1h0m0s ahead of that of a"},
	} {
		if f := checkClock(tt.clocks); string(f.Status)+" "+f.Found != tt.want {
			t.Errorf("%+v, want %s", f, tt.want)
		}
	}
}
