package archtest

import (
	"strings"
	"testing"
)

// accounting is the page that says what is billed and recorded.
const accounting = "docs/reference/accounting.md"

// accounted are the ways in which a call may go that the page must have, by words of their lines.
var accounted = []string{
	"a whole answer with usage", "a whole answer without", "a stream with usage", "in any event of a stream, in several", "a stream without", "4xx, 429, 5xx", "no connection", "reset after it was sent",
	"a limit of time", "before the head or before content", "amid content", "after the end", "is cut by Weir", "ends a stream too soon", "inside a 200", "cannot be translated", "another credential",
	"a hedge: the loser", "several answers to one prompt", "several prompts", "embeddings in parts", "cached, reasoning, audio, image", "searches", "a key of your own", "a service tier",
	"is killed", "a panic", "a period of a budget ends meanwhile", "comes late", "cannot be true",
}

// TestAccountingPage: each line of the page's table names a test that holds it, and every test that the page names exists.
func TestAccountingPage(t *testing.T) {
	t.Parallel()
	exists, page := tests(t), read(t, accounting)
	for _, m := range testName.FindAllStringSubmatch(page, -1) {
		if !exists[m[1]] {
			t.Errorf("%s names the test %s, which does not exist", accounting, m[1])
		}
	}
	_, lines, _ := strings.Cut(page, "| the call |")
	lines, _, _ = strings.Cut(lines, "\n\n")
	table := strings.Split(lines, "\n")[2:]
	for _, line := range table {
		if columns := strings.Split(line, "|"); len(columns) != 6 || !testName.MatchString(columns[4]) {
			t.Errorf("%s: the last column names no test: %s", accounting, line)
		}
	}
	for _, words := range accounted {
		if !strings.Contains(lines, words) {
			t.Errorf("%s has no line with %q", accounting, words)
		}
	}
}
