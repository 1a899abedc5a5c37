package archtest

import (
	"go/ast"
	"path"
	"regexp"
	"strings"
	"testing"
)

// conformancePage lists cases and what shows each: stories and tests, in the last column of its tables.
const conformancePage = "docs/conformance.md"

// shownBy is a row of those tables, and testName a test that the page names anywhere.
var (
	shownBy  = regexp.MustCompile("^\\|.*\\| ((?:`[\\w-]+`(?:, )?)+) \\|$")
	testName = regexp.MustCompile("`(Test[A-Z]\\w*)`")
)

// shown are the names in the last columns of the page's tables of cases, those that are decided otherwise too.
func shown(t *testing.T, page string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	inTable := false
	for i, line := range strings.Split(page, "\n") {
		switch inTable = strings.HasPrefix(line, "|") && (inTable || strings.HasPrefix(line, "| case |")); {
		case !inTable, strings.HasPrefix(line, "| case |"), strings.HasPrefix(line, "|---|"):
		case !shownBy.MatchString(line):
			t.Errorf("%s:%d: the last column does not name what shows this, each name in backticks", conformancePage, i+1)
		default:
			for _, m := range quoted.FindAllStringSubmatch(shownBy.FindStringSubmatch(line)[1], -1) {
				names[m[1]] = true
			}
		}
	}
	return names
}

// TestConformancePage: what the page says is shown, something shows; and what shows something can be found there.
func TestConformancePage(t *testing.T) {
	t.Parallel()
	stories, exists := map[string]bool{}, map[string]bool{}
	files(t, func(name string) {
		if folder, file := path.Split(name); folder == "internal/app/testdata/transcripts/" {
			stories[strings.TrimSuffix(file, ".txt")] = true
		}
	})
	for _, r := range load(t).rooms {
		for _, f := range r.files {
			for _, d := range f.syntax.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && f.test && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") {
					exists[fn.Name.Name] = true
				}
			}
		}
	}
	if len(stories) == 0 || len(exists) == 0 {
		t.Fatalf("found %d stories and %d tests", len(stories), len(exists))
	}
	page := read(t, conformancePage)
	named := shown(t, page)
	for name := range named {
		if !stories[name] && !exists[name] {
			t.Errorf("%s names %s, which is neither a story nor a test", conformancePage, name)
		}
	}
	for _, m := range testName.FindAllStringSubmatch(page, -1) {
		if !exists[m[1]] {
			t.Errorf("%s names the test %s, which does not exist", conformancePage, m[1])
		}
	}
	for name := range stories {
		if !named[name] {
			t.Errorf("%s does not name the story %s: tell there what it shows", conformancePage, name)
		}
	}
}
