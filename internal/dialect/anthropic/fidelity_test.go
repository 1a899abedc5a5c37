package anthropic_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

// TestFidelityPage holds docs/fidelity.md against what happens to each of its examples.
func TestFidelityPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/fidelity.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| .*? \\| `(\".*)` \\| ([a-z ]+) \\|").FindAllStringSubmatch(string(page), -1)
	if len(rows) < 25 {
		t.Fatalf("%d rows only", len(rows))
	}
	const start = `{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"hi"}]`
	bare, _, _ := encode(start + "}")
	for _, row := range rows {
		example, want := row[1], row[2]
		body, left, refusal := encode(start + "," + example + "}")
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
