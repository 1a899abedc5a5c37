package archtest

import (
	"regexp"
	"strings"
	"testing"
)

var (
	loggedField = regexp.MustCompile(`(?:text|slog\.\w+)\("([a-z_]+)"`)
	fieldRow    = regexp.MustCompile("(?m)^\\| ((?:`\\w+`(?:, )?)+) \\|")
)

// TestLogPage holds the page of the log against the fields of a request's event, in both directions.
func TestLogPage(t *testing.T) {
	t.Parallel()
	_, section, _ := strings.Cut(read(t, "docs/reference/log.md"), "\n## A request\n")
	section, _, _ = strings.Cut(section, "\n## ")
	described := map[string]bool{}
	for _, row := range fieldRow.FindAllStringSubmatch(section, -1) {
		for _, name := range quoted.FindAllStringSubmatch(row[1], -1) {
			described[name[1]] = true
		}
	}
	logged := map[string]bool{}
	for _, m := range loggedField.FindAllStringSubmatch(read(t, "internal/gateway/event.go"), -1) {
		logged[m[1]] = true
	}
	if len(logged) < 30 {
		t.Errorf("only %d fields were found", len(logged))
	}
	for name := range logged {
		if !described[name] {
			t.Errorf("docs/reference/log.md does not describe %s", name)
		}
	}
	for name := range described {
		if !logged[name] {
			t.Errorf("docs/reference/log.md describes %s, which no event has", name)
		}
	}
}
