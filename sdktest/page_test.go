package sdktest

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what works with each dialect into docs/how-it-works/testing.md")

// page has the table between these lines.
const (
	page  = "../docs/how-it-works/testing.md"
	begin = "<!-- written by go test ./sdktest -update: begin -->\n"
	end   = "<!-- written by go test ./sdktest -update: end -->\n"
)

// checkPage holds the table in the page against what came, unless a suite could not run.
func checkPage(t *testing.T, suites []*suite) {
	t.Helper()
	for _, s := range suites {
		if len(s.got) == 0 {
			t.Skipf("%s did not run, so the table in %s is not looked at", s.name, page)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), begin)
	old, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s has lost the lines around the table", page)
	}
	got := table(suites)
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+got+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(old, got); diff != "" {
		t.Errorf("%s says something else; -update writes it:\n%s", page, diff)
	}
}

// table is a row for each feature, in the order of the suites, and the reasons of what cannot be.
func table(suites []*suite) string {
	var features []string
	sdks := map[string][]string{} // by feature
	for _, s := range suites {
		for _, o := range s.got {
			if o.column != callers {
				continue
			}
			if sdks[o.feature] == nil {
				features = append(features, o.feature)
			}
			sdks[o.feature] = append(sdks[o.feature], s.name)
		}
	}
	var rows, reasons strings.Builder
	rows.WriteString("| feature | SDKs |")
	for _, c := range columns() {
		fmt.Fprintf(&rows, " %s |", c.title)
		for _, f := range features {
			if c.cannot[f] != "" {
				fmt.Fprintf(&reasons, "| %s | %s | %s |\n", c.title, f, c.cannot[f])
			}
		}
	}
	rows.WriteString("\n|---|---|" + strings.Repeat(":-:|", len(columns())) + "\n")
	for _, f := range features {
		fmt.Fprintf(&rows, "| %s | %s |", f, strings.Join(sdks[f], ", "))
		for _, c := range columns() {
			rows.WriteString(map[bool]string{true: " ✓ |", false: " – |"}[c.cannot[f] == ""])
		}
		rows.WriteString("\n")
	}
	return rows.String() + "\n| dialect | cannot | why |\n|---|---|---|\n" + reasons.String()
}
