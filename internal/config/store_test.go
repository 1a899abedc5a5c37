package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestStoresOfPostgres(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		url  string
		pool int
	}{
		"postgres://weir@db/weir": {"postgres://weir@db/weir", 10},
		"postgresql://weir:se%40same@db:6432/weir?pool=25&sslmode=require": {"postgresql://weir:se%40same@db:6432/weir?sslmode=require", 25},
		"postgres:///weir?host=/var/run/postgresql":                        {"postgres:///weir?host=%2Fvar%2Frun%2Fpostgresql", 10},
		"postgres://db/weir?sslrootcert=ca.pem&sslmode=verify-full":        {"postgres://db/weir?sslmode=verify-full&sslrootcert=%2Fetc%2Fweir%2Fca.pem", 10},
		"postgres://db/weir?sslrootcert=system":                            {"postgres://db/weir?sslrootcert=system", 10},
	} {
		cfg := parse(t, "store: "+text)
		if cfg.Store.URL.Reveal() != want.url || cfg.Store.Pool != want.pool || cfg.Store.Path != "" {
			t.Errorf("%s: %q, %d, %q", text, cfg.Store.URL.Reveal(), cfg.Store.Pool, cfg.Store.Path)
		}
		if place := cfg.Store.String(); strings.ContainsAny(place, "@?") || !strings.HasSuffix(place, "/weir") {
			t.Errorf("%s is shown as %s", text, place)
		}
		if err := cfg.Override(Overrides{Data: "/elsewhere"}); err != nil || cfg.Store.Path != "" {
			t.Errorf("%s: %v; a data folder elsewhere changed the store to %q", text, err, cfg.Store.Path)
		}
	}
}

// A password in a file that others may read is warned about, and one that comes from elsewhere is not.
func TestPasswordsThatOthersRead(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits for other users")
	}
	for _, tt := range []struct {
		store string
		mode  os.FileMode
		warns bool
	}{
		{"postgres://weir:sesame@db/weir", 0o644, true},
		{"postgres://weir:sesame@db/weir", 0o640, true},
		{"postgres://weir:sesame@db/weir", 0o600, false},
		{"postgres://weir@db/weir", 0o644, false},
		{`"postgres://weir:${PASSWORD}@db/weir"`, 0o644, false},
		{`"postgres://weir:sesame@${HOST:-db}/weir"`, 0o644, true},
		{`"${URL}"`, 0o644, false},
		{"sqlite:x.db", 0o644, false},
	} {
		path := filepath.Join(t.TempDir(), "weir.yaml")
		if err := os.WriteFile(path, []byte("store: "+tt.store+"\n"), tt.mode); err != nil {
			t.Fatal(err)
		}
		cfg, err := Loader{Env: func(name string) (string, bool) {
			return map[string]string{"PASSWORD": "sesame", "URL": "postgres://weir:sesame@db/weir"}[name], name != "HOST"
		}}.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		text := cfg.Warnings.Error()
		if got := strings.Contains(text, "weir.yaml:1:8: store holds a password"); got != tt.warns || strings.Contains(text, "sesame") {
			t.Errorf("%s with %v: %s", tt.store, tt.mode, text)
		}
	}
}
