package archtest

import (
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var calmRooms = regexp.MustCompile(`(?m)^CALM := (.*)$`)

// Rooms that make test runs only without the race detector start no goroutine and keep no atomic state, so that it has nothing to find.
func TestCalmRooms(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	at := calmRooms.FindSubmatch(makefile)
	if at == nil {
		t.Fatal("the Makefile has no CALM")
	}
	calm := strings.Fields(strings.ReplaceAll(string(at[1]), "./", ""))
	tr := load(t)
	for _, pattern := range calm {
		if !slices.ContainsFunc(tr.rooms, func(r *room) bool { return matches(pattern, r.name) }) {
			t.Errorf("CALM has %s, which does not exist", pattern)
		}
	}
	for _, r := range tr.rooms {
		if !anyMatches(calm, r.name) {
			continue
		}
		if slices.Contains(r.imports(), "sync/atomic") {
			t.Errorf("%s is in CALM, but imports sync/atomic: let make test run it with the race detector", r.name)
		}
		for _, f := range r.code() {
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				if begun, ok := n.(*ast.GoStmt); ok {
					t.Errorf("%s: a goroutine in a room of CALM: let make test run it with the race detector", tr.fset.Position(begun.Pos()))
				}
				return true
			})
		}
	}
}

var (
	testRecipes = regexp.MustCompile(`(?m)^(?:(?:program|race|commands|sdks|browser):\n(?:\t.*\n)+|(?:CALM|STEADY) := .*\n)`)
	folders     = regexp.MustCompile(`\./[\w./]+`)
)

// No room's tests are forgotten when the recipe is changed. Other folders of sdktest and tools are modules or suites of their own.
func TestMakeTestRunsEveryRoom(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	var patterns []string
	for _, recipe := range testRecipes.FindAll(makefile, -1) {
		for _, folder := range folders.FindAll(recipe, -1) {
			patterns = append(patterns, strings.TrimPrefix(string(folder), "./"))
		}
	}
	tests := 0
	err = fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (slices.Contains([]string{".cache", ".git", "node_modules", "tools"}, path) || filepath.Dir(path) == "sdktest"):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		if tests++; !anyMatches(patterns, filepath.Dir(path)) {
			t.Errorf("make test does not run %s", path)
		}
		return nil
	})
	if err != nil || tests < 100 {
		t.Fatal(tests, err)
	}
}
