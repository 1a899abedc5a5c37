package config

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	manualPage  = "../../docs/reference/config.md"
	manualBegin = "<!-- written by go test ./internal/config -run TestManualPage -update: begin -->\n"
	manualEnd   = "<!-- written by go test ./internal/config -run TestManualPage -update: end -->\n"
)

// TestManualPage holds the page of the config file against the comments of its structs, which are the manual.
func TestManualPage(t *testing.T) {
	t.Parallel()
	manual, err := parseComments()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range sections() {
		name, typ := s.v.Type().Name(), s.v.Type()
		title := "The file"
		if s.path != "" {
			title = "`" + strings.TrimPrefix(s.path, ".") + "`"
		}
		fmt.Fprintf(&b, "\n## %s\n\n| field | meaning |\n|---|---|\n", title)
		for _, f := range fieldsOf(typ) {
			owner := name
			if n := len(f.index) - 1; n > 0 {
				owner = typ.FieldByIndex(f.index[:n]).Type.Name()
			}
			comment := manual[owner+"."+typ.FieldByIndex(f.index).Name]
			fmt.Fprintf(&b, "| `%s` | %s |\n", f.name, strings.ReplaceAll(strings.ReplaceAll(comment, "\n", " "), "|", "\\|"))
		}
	}
	page, err := os.ReadFile(manualPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), manualBegin)
	old, after, ok := strings.Cut(rest, manualEnd)
	want := b.String() + "\n"
	switch {
	case !ok:
		t.Fatalf("%s has lost the lines around the manual", manualPage)
	case *update:
		if err := os.WriteFile(manualPage, []byte(before+manualBegin+want+manualEnd+after), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		if diff := cmp.Diff(old, want); diff != "" {
			t.Errorf("%s says something else; -update writes it:\n%s", manualPage, diff)
		}
	}
}
