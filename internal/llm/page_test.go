package llm

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Rows of a table of errors: their status, or several, and their codes.
var (
	errorRow = regexp.MustCompile("(?m)^\\| ([\\d, ]+) \\| ((?:`\\w+`(?:, )?)+) \\|")
	codes    = regexp.MustCompile("`(\\w+)`")
)

// TestErrorsPage holds the pages of errors against the table of kinds: each kind that callers or operators get has a row with its status, and no row has an error
// that does not exist.
func TestErrorsPage(t *testing.T) {
	t.Parallel()
	callers, err := os.ReadFile("../../docs/reference/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	operators, err := os.ReadFile("../../docs/reference/admin.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{} // statuses and codes
	for _, m := range errorRow.FindAllStringSubmatch(string(callers)+string(operators), -1) {
		for _, status := range strings.Split(m[1], ", ") {
			for _, code := range codes.FindAllStringSubmatch(m[2], -1) {
				listed[status+" "+code[1]] = true
			}
		}
	}
	exists := map[string]bool{}
	for kind, row := range kinds {
		exists[row.code] = true
		if at := strconv.Itoa(row.status) + " " + row.code; !listed[at] && Kind(kind) != UpstreamRefused { // which callers get in the upstream's own words
			t.Errorf("no page has a row for %s", at)
		}
	}
	for at := range listed {
		if _, code, _ := strings.Cut(at, " "); !exists[code] {
			t.Errorf("a page has a row for %s, which is no error", at)
		}
	}
}
