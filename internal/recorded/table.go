package recorded

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Table records for every recording who replayed it and how that went. Notes may come from tests that run at once.
type Table struct {
	files []string // provider/name

	mu       sync.Mutex
	replayed map[string]bool // by file: whether all that replayed it passed; guarded by mu
}

// Exception says why recordings are not replayed.
type Exception struct {
	Pattern string // provider/name, a pattern of path.Match
	Why     string
}

// NewTable is the table of the recordings next to the repository; without any, the test is skipped.
func NewTable(t *testing.T) *Table {
	t.Helper()
	root := beside(t)
	found, err := filepath.Glob(filepath.Join(root, "*", "*.json"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no files in %s: %v", root, err)
	}
	table := &Table{replayed: map[string]bool{}}
	for _, file := range found {
		table.files = append(table.files, nameOf(file))
	}
	return table
}

// nameOf is a recording's name: its provider's, and its file's without .json.
func nameOf(file string) string {
	return filepath.Base(filepath.Dir(file)) + "/" + strings.TrimSuffix(filepath.Base(file), ".json")
}

// Note says that a test replays a recording, which ends with the test.
func (tb *Table) Note(t *testing.T, r Interaction) {
	t.Helper()
	t.Cleanup(func() {
		tb.mu.Lock()
		defer tb.mu.Unlock()
		before, known := tb.replayed[r.Name]
		tb.replayed[r.Name] = !t.Failed() && (before || !known)
	})
}

// Check fails the test for every recording that was not replayed and is not an exception. It also fails for every
// exception that was replayed or matches no recording. What it returns is the table, as a page has it.
func (tb *Table) Check(t *testing.T, exceptions []Exception) string {
	t.Helper()
	tb.mu.Lock()
	defer tb.mu.Unlock()
	excepted := make([]int, len(exceptions))
	cells, without, passed := map[string]map[string]int{}, map[string]int{}, 0
	for _, file := range tb.files {
		provider, name, _ := strings.Cut(file, "/")
		if cells[provider] == nil {
			cells[provider] = map[string]int{}
		}
		at := slices.IndexFunc(exceptions, func(e Exception) bool { return e.fits(t, file) })
		ok, replayed := tb.replayed[file]
		switch {
		case replayed && at >= 0:
			t.Errorf("%s is replayed, and excepted: %s", file, exceptions[at].Why)
		case !replayed && at < 0:
			t.Errorf("%s is replayed by no test", file)
		case at >= 0:
			excepted[at]++
			without[provider]++
		case ok:
			passed++
			cells[provider][class(name)]++
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%d of %d recordings are replayed, and pass.\n\n| provider | %s | not |\n|---|%s---|\n",
		passed, len(tb.files), strings.Join(classes[:], " | "), strings.Repeat("---|", len(classes)))
	for _, provider := range slices.Sorted(maps.Keys(cells)) {
		out.WriteString("| " + provider + " |")
		for _, c := range classes {
			out.WriteString(count(cells[provider][c]))
		}
		out.WriteString(count(without[provider]) + "\n")
	}
	out.WriteString("\n| not replayed | | why |\n|---|---|---|\n")
	for i, e := range exceptions {
		if excepted[i] == 0 {
			t.Errorf("nothing is excepted by %s", e.Pattern)
		}
		fmt.Fprintf(&out, "| `%s` | %d | %s |\n", e.Pattern, excepted[i], e.Why)
	}
	return out.String()
}

func (e Exception) fits(t *testing.T, file string) bool {
	t.Helper()
	ok, err := path.Match(e.Pattern, file)
	if err != nil {
		t.Fatalf("%s: %v", e.Pattern, err)
	}
	return ok
}

func count(n int) string {
	if n == 0 {
		return " |"
	}
	return fmt.Sprintf(" %d |", n)
}

// classes are what recordings are about, as their names say.
var classes = [...]string{"basic", "cache", "image", "schema", "thinking", "tool-call", "parallel-tools", "tool-result", "embeddings", "error", "other"}

// class is what a recording is about: its name begins with endpoint.class, or endpoint.class.stream.
func class(name string) string {
	name, _, _ = strings.Cut(name, "--")
	parts := strings.Split(name, ".")
	c, _, _ := strings.Cut(parts[min(1, len(parts)-1)], "-4") // error-400
	if !slices.Contains(classes[:], c) {
		c = ""
	}
	return cmp.Or(c, "other")
}
