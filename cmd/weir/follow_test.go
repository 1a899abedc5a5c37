package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// Two programs share a store. A key made through one works at the other. A change or revocation through either holds at both.
// Neither is restarted or asked to reload.
func TestTwoProgramsOnOneStore(t *testing.T) {
	folder, file := t.TempDir(), filepath.Join(t.TempDir(), "shared.db")
	path := filepath.Join(folder, "weir.yaml")
	writeTest(t, path, "providers: {s: {kind: sim}}\nmodels: {m: {targets: [s/chat]}}\nstore: sqlite:"+file+"\n")
	one, two := environment(filepath.Join(folder, "one")), environment(filepath.Join(folder, "two"))
	a, b := start(t, one, "--config", path).ready(), start(t, two, "--config", path).ready()
	one["WEIR_ADMIN"], two["WEIR_ADMIN"] = a.admin, b.admin
	weir := func(env map[string]string, args ...string) string {
		t.Helper()
		did := runIn(t, folder, env, "", append(args, "--config", path)...)
		if did.code != 0 {
			t.Fatalf("weir %s: %+v", strings.Join(args, " "), did)
		}
		return did.stdout
	}
	answered := func(s *serving, key string, want int) func() bool {
		return func() bool { return s.status(t, key) == want }
	}

	key := oneKey(t, weir(one, "keys", "create", "--name", "shared"))
	eventually(t, "a key made through the one works at the other", answered(b, key, http.StatusOK))
	weir(two, "keys", "update", "shared", "--name", "renamed")
	eventually(t, "a new name is known to the one", func() bool { return strings.Contains(weir(one, "keys", "list"), "renamed") })
	second := oneKey(t, weir(one, "keys", "rotate", "renamed"))
	eventually(t, "the secret before is refused by the other", answered(b, key, http.StatusUnauthorized))
	eventually(t, "the new one works there", answered(b, second, http.StatusOK))
	weir(two, "keys", "revoke", "renamed")
	eventually(t, "a revocation through the other holds at the one", answered(a, second, http.StatusUnauthorized))
}
