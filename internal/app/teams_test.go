package app_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// A team of the file that a stored key is in cannot be removed: the reload is refused with line and column, and the key goes on working.
func TestATeamOfTheFileStaysWhileKeysAreInIt(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.yaml")
	const teams = "teams:\n  - {name: kept}\n"
	const rest = "  - {name: other}\n"
	text := passAll(up, "")
	rewrite(t, path, text+teams+rest)
	w := apptest.Start(t, path)
	made := manage(t, w, "POST", "/admin/v1/keys", `{"name":"app","team":"kept"}`)
	if made.status != 200 {
		t.Fatal(made.body)
	}
	rewrite(t, path, text+"teams:\n"+rest)
	line := strings.Count(text, "\n") + 1
	want := fmt.Sprintf(`%s:%d:1: the team \"kept\" is missing, and the key \"app\" is in it`, path, line)
	if a := manage(t, w, "POST", "/admin/v1/reload", ""); a.status != 400 || !strings.Contains(a.body, want) {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if a := manage(t, w, "GET", "/admin/v1/teams/kept", ""); a.status != 200 {
		t.Errorf("a refused reload removed it: %s", a.body)
	}
	if a := manage(t, w, "PATCH", "/admin/v1/keys/app", `{"team":null}`); a.status != 200 {
		t.Fatal(a.body)
	}
	if a := manage(t, w, "POST", "/admin/v1/reload", ""); a.status != 200 || !strings.Contains(a.body, `"teams":["kept"]`) {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// A team that another process revokes refuses its keys here within a second.
func TestATeamRevokedElsewhereIsRefusedHere(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	store := "store: sqlite:" + filepath.Join(t.TempDir(), "weir.db") + "\n"
	one, two := apptest.StartWith(t, store+passAll(up, "")), apptest.StartWith(t, store+passAll(up, ""))
	if a := manage(t, one, "POST", "/admin/v1/teams", `{"name":"team"}`); a.status != 200 {
		t.Fatal(a.body)
	}
	key := one.NewKey(t, "app")
	if a := manage(t, one, "PATCH", "/admin/v1/keys/app", `{"team":"team"}`); a.status != 200 {
		t.Fatal(a.body)
	}
	until(t, "the other process knows the key", func() bool { return get(t, two, key, "/v1/models").status == 200 })
	began := time.Now()
	if a := manage(t, one, "DELETE", "/admin/v1/teams/team", ""); a.status != 200 {
		t.Fatal(a.body)
	}
	if a := get(t, one, key, "/v1/models"); a.status != 401 {
		t.Errorf("here: %d %s", a.status, a.body)
	}
	until(t, "the other process refuses the key", func() bool { return get(t, two, key, "/v1/models").status == 401 })
	t.Logf("the other process refused it after %v", time.Since(began))
}
