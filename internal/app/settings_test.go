package app_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/app/apptest"
)

// shownSettings are what the program says of its settings.
func shownSettings(t *testing.T, w *apptest.Weir) (shown admin.Settings, of func(name string) admin.Setting) {
	t.Helper()
	a := manage(t, w, "GET", "/admin/v1/settings", "")
	if err := json.Unmarshal([]byte(a.body), &shown); err != nil || a.status != 200 {
		t.Fatalf("%d %v %s", a.status, err, a.body)
	}
	if strings.Contains(a.body, "upstream-credential") || strings.Contains(a.body, w.AdminToken().Reveal()) {
		t.Errorf("a secret is shown: %s", a.body)
	}
	return shown, func(name string) admin.Setting {
		i := slices.IndexFunc(shown.Values, func(s admin.Setting) bool { return s.Name == name })
		if i < 0 {
			t.Fatalf("no setting %s", name)
		}
		return shown.Values[i]
	}
}

// The settings of a running Weir say where each is from, what the last reload did, and what waits for a restart until it is undone.
func TestSettingsOfTheProgram(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.yaml")
	good := twoModels(up, "first")
	rewrite(t, path, good)
	w := apptest.Start(t, path)
	shown, of := shownSettings(t, w)
	if shown.File == nil || *shown.File != path || shown.Reload != nil || len(shown.NeedsRestart) != 0 || shown.Version == "" || shown.Loaded.IsZero() {
		t.Errorf("%+v", shown)
	}
	if s := shown.Store; s.Kind != "sqlite" || s.Bytes == nil || *s.Bytes < 1<<12 || s.KeepDays != 400 || !filepath.IsAbs(s.Place) {
		t.Errorf("the store: %+v", s)
	}
	if s := of("providers.up.api_key"); !s.Hidden || *s.Value != "set" || !strings.HasPrefix(*s.From, path+":") {
		t.Errorf("%+v", s)
	}
	if s := of("limits.depth"); *s.Value != "64" || *s.From != path+":2:47" {
		t.Errorf("%s from %s", *s.Value, *s.From)
	}
	if s := of("limits.wait"); *s.Value != "1s" || s.From != nil {
		t.Errorf("%+v", s)
	}

	rewrite(t, path, strings.Replace(good, "connections: 500", "connections: 501", 1))
	manage(t, w, "POST", "/admin/v1/reload", "")
	shown, of = shownSettings(t, w)
	if shown.Reload == nil || shown.Reload.Error != nil || !slices.Equal(shown.NeedsRestart, []string{"limits.connections"}) || *of("limits.connections").Value != "501" {
		t.Errorf("%+v", shown)
	}
	rewrite(t, path, strings.Replace(good, "connections: 500", "connections: 501", 1)+"# and once more\n")
	manage(t, w, "POST", "/admin/v1/reload", "")
	if shown, _ = shownSettings(t, w); !slices.Equal(shown.NeedsRestart, []string{"limits.connections"}) {
		t.Errorf("a second reload forgets what waits: %v", shown.NeedsRestart)
	}
	rewrite(t, path, good+"limits: {}\n")
	manage(t, w, "POST", "/admin/v1/reload", "")
	shown, _ = shownSettings(t, w)
	if shown.Reload.Error == nil || !strings.Contains(*shown.Reload.Error, "is here twice") {
		t.Errorf("%+v", shown.Reload)
	}
	rewrite(t, path, good)
	manage(t, w, "POST", "/admin/v1/reload", "")
	if shown, _ = shownSettings(t, w); shown.Reload.Error != nil || len(shown.NeedsRestart) != 0 {
		t.Errorf("back to the first: %+v", shown)
	}
}
