package archtest

import (
	"go/ast"
	"path"
	"regexp"
	"strings"
	"testing"
)

// conformance is the folder of the pages that list cases and what shows each: stories and tests, in the last column of their tables.
const conformance = "docs/how-it-works/conformance/"

// shownBy is a row of those tables, and testName a test that the page names anywhere.
var (
	shownBy  = regexp.MustCompile("^\\|.*\\| ((?:`[\\w-]+`(?:, )?)+) \\|$")
	testName = regexp.MustCompile("`(Test[A-Z]\\w*)`")
)

// shown adds the names in the last columns of a page's tables of cases, those that are decided otherwise too.
func shown(t *testing.T, file, page string, names map[string]bool) {
	t.Helper()
	inTable := false
	for i, line := range strings.Split(page, "\n") {
		switch inTable = strings.HasPrefix(line, "|") && (inTable || strings.HasPrefix(line, "| case |")); {
		case !inTable, strings.HasPrefix(line, "| case |"), strings.HasPrefix(line, "|---|"):
		case !shownBy.MatchString(line):
			t.Errorf("%s:%d: the last column does not name what shows this, each name in backticks", file, i+1)
		default:
			for _, m := range quoted.FindAllStringSubmatch(shownBy.FindStringSubmatch(line)[1], -1) {
				names[m[1]] = true
			}
		}
	}
}

// tests are the names of all tests.
func tests(t *testing.T) map[string]bool {
	t.Helper()
	exists := map[string]bool{}
	for _, r := range load(t).rooms {
		for _, f := range r.files {
			for _, d := range f.syntax.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && f.test && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") {
					exists[fn.Name.Name] = true
				}
			}
		}
	}
	return exists
}

// TestConformancePages: what the pages say is shown, something shows; and what shows something can be found there.
func TestConformancePages(t *testing.T) {
	t.Parallel()
	stories, exists := map[string]bool{}, tests(t)
	files(t, func(name string) {
		if folder, file := path.Split(name); folder == "internal/app/testdata/transcripts/" {
			stories[strings.TrimSuffix(file, ".txt")] = true
		}
	})
	if len(stories) == 0 || len(exists) == 0 {
		t.Fatalf("found %d stories and %d tests", len(stories), len(exists))
	}
	named := map[string]bool{}
	files(t, func(file string) {
		if !strings.HasPrefix(file, conformance) {
			return
		}
		page := read(t, file)
		shown(t, file, page, named)
		for _, m := range testName.FindAllStringSubmatch(page, -1) {
			if !exists[m[1]] {
				t.Errorf("%s names the test %s, which does not exist", file, m[1])
			}
		}
	})
	for name := range named {
		if !stories[name] && !exists[name] {
			t.Errorf("%s names %s, which is neither a story nor a test", conformance, name)
		}
	}
	for name := range stories {
		if !named[name] {
			t.Errorf("%s does not name the story %s: add a row that says what it shows", conformance, name)
		}
	}
}
