package dialecttest

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

// Fidelity holds the part of docs/fidelity.md under a heading against what happens to each of its examples. start is a
// request without its last brace.
func (d Dialect) Fidelity(t *testing.T, heading, start string, least int) {
	t.Helper()
	page, err := os.ReadFile("../../../docs/fidelity.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(page), "\n## "+heading+"\n")
	part, _, _ = strings.Cut(part, "\n## ")
	rows := regexp.MustCompile("(?m)^\\| .*? \\| `(\".*)` \\| ([a-z ]+) \\|").FindAllStringSubmatch(part, -1)
	if len(rows) < least {
		t.Fatalf("%d rows only", len(rows))
	}
	bare, _, _ := d.Request(start + "}")
	for _, row := range rows {
		example, want := row[1], row[2]
		body, left, refusal := d.Request(start + "," + example + "}")
		got := "exact"
		switch {
		case refusal != nil && refusal.Kind == llm.UnsupportedParameter:
			got = "impossible"
		case refusal != nil:
			got = refusal.Message
		case len(left) > 0:
			got = "left out"
		case string(body) == string(bare):
			got = "without effect"
		}
		if got != want && !(want == "approximated" && got == "exact") {
			t.Errorf("%s is %s, not %s", example, got, want)
		}
	}
}
