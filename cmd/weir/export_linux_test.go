package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/ledger"
)

// on has the program keep its store elsewhere: in the database with a URL, or in its data folder if that is "".
func (b *backedUp) on(folder, store string) {
	b.t.Helper()
	_, config, _ := strings.Cut(b.config, "drain:")
	if b.config = "drain:" + config; store != "" {
		b.config = "store: \"" + store + "\"\n" + b.config
	}
	writeTest(b.t, filepath.Join(folder, "weir.yaml"), b.config)
}

// forecast ends a line about a budget; it changes as time passes.
var forecast = regexp.MustCompile(`(?m)(Z +)\S+$`)

// TestMoveToPostgresAndBack: a Weir goes on with another store where it was with the first, its keys, its sums, its journal and what is left of
// budgets, and comes back.
func TestMoveToPostgresAndBack(t *testing.T) {
	b := newBackedUp(t)
	c := b.start(b.folder)
	made := strings.TrimSpace(b.weir(b.folder, c, "keys", "create", "--name", "made-here", "--budget", "50usd/month").stdout)
	c.calls(made, "first", 10)
	file, second := filepath.Join(b.folder, "one.export"), filepath.Join(b.folder, "two.export")
	refused := func(code int, want string, args ...string) {
		t.Helper()
		if did := b.weir(b.folder, nil, args...); did.code != code || !strings.Contains(did.stderr, want) {
			t.Errorf("%v: %+v, want it to say %q", args, did, want)
		}
	}
	did := func(want string, args ...string) {
		t.Helper()
		if did := b.weir(b.folder, nil, args...); did.code != 0 || did.stderr != "" || !strings.Contains(did.stdout, want) {
			t.Fatalf("%v: %+v, want it to say %q", args, did, want)
		}
	}
	refused(1, "another Weir is using the data folder", "export", file)
	var was ledger.Sums
	waitFor(t, patience, func() string { return "all calls are in the store" }, func() bool {
		was = usageOf(t, b, b.folder, c)
		return was.Attempts == 10
	})
	b.stop(c)
	did("1 key, 0 teams and 10 rows; the sums of all days say 10 calls that cost $", "export", file)
	refused(2, "exists already", "export", file)
	b.secretsAreNot(file, made)

	url := postgres.Database(t)
	b.on(b.folder, url)
	did("1 key, 0 teams and 10 rows", "import", file)
	refused(1, "it is not empty", "import", file)
	c = b.start(b.folder)
	if diff := differ(was, usageOf(t, b, b.folder, c)); diff != "" {
		t.Errorf("the sums are others in Postgres: %s", diff)
	}
	c.calls(made, "second", 5)
	left := forecast.ReplaceAllString(b.weir(b.folder, c, "limits", "made-here").stdout, "")
	apart := t.TempDir()
	b.on(apart, url)
	if other := b.weir(apart, nil, "export", second); other.code != 1 || !strings.Contains(other.stderr, "use the store: stop them first") {
		t.Errorf("%+v", other)
	}
	b.stop(c)
	did("1 key, 0 teams and 15 rows", "export", second)

	back := t.TempDir()
	b.on(back, "")
	if did := b.weir(back, nil, "import", second); did.code != 0 || !strings.Contains(did.stdout, "15 rows") {
		t.Fatalf("%+v", did)
	}
	c = b.start(back)
	if got := usageOf(t, b, back, c); got.Attempts != 15 {
		t.Errorf("%d calls came back", got.Attempts)
	}
	if now := forecast.ReplaceAllString(b.weir(back, c, "limits", "made-here").stdout, ""); now != left || !strings.Contains(now, "50usd/month") {
		t.Errorf("what is left is\n%s\nand was\n%s", now, left)
	}
	c.calls(made, "third", 1)
	b.stop(c)
	instances := map[string]int{}
	for _, row := range rowsIn(t, filepath.Join(back, "data", "weir.db")) {
		instances[row.Instance]++
	}
	if len(instances) != 2 {
		t.Errorf("rows by instance: %v; the journal of the first data folder went on in Postgres, and a new one began in the new folder", instances)
	}
}

// TestImportRefuses: what is no whole file of weir export is refused, and the store stays empty.
func TestImportRefuses(t *testing.T) {
	folder := t.TempDir()
	env := environment(folder)
	writeTest(t, filepath.Join(folder, "other.export"), "SQLite format 3")
	for name, want := range map[string]string{
		"missing.export": "cannot read the file: open missing.export: no such file",
		"other.export":   "other.export: it is no file of weir export",
	} {
		if did := runIn(t, folder, env, "", "import", name); did.code != 1 || !strings.Contains(did.stderr, want) {
			t.Errorf("%s: %+v", name, did)
		}
	}
	if did := runIn(t, folder, env, "", "export", "x.export"); did.code != 1 || !strings.Contains(did.stderr, "there is nothing to copy") {
		t.Errorf("%+v", did)
	}
	wantFiles(t, folder, "other.export")
}
