package daytest

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// page has the figures between these lines.
const (
	page      = "../../../docs/how-it-works/simulated-day.md"
	picture   = "../../../docs/how-it-works/routing-day.svg"
	beginMark = "<!-- written by go test ./internal/route/daytest -update: begin -->\n"
	endMark   = "<!-- written by go test ./internal/route/daytest -update: end -->\n"
)

// checkPage holds the page against the figures, or writes them.
func checkPage(t *testing.T, runs []*run) {
	t.Helper()
	if *seed != theSeed {
		t.Log("\n" + tables(runs))
		return
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), beginMark)
	old, after, ok := strings.Cut(rest, endMark)
	if !ok {
		t.Fatalf("%s has lost the lines around the figures", page)
	}
	got := tables(runs)
	if *update {
		if err := os.WriteFile(page, []byte(before+beginMark+got+endMark+after), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(picture, []byte(plot(runs)), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if why := differ(old, got); why != "" {
		t.Errorf("%s says something else (%s); -update writes it:\n%s", page, why, got)
	}
}

var number = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

// differ says how two texts differ beyond chance. Floating-point numbers are not the same on all processors, and from the least
// difference the day takes another course, which comes to about the same.
func differ(old, got string) string {
	if number.ReplaceAllString(old, "0") != number.ReplaceAllString(got, "0") {
		return "in words"
	}
	is := number.FindAllString(got, -1)
	for i, was := range number.FindAllString(old, -1) {
		a, _ := strconv.ParseFloat(was, 64)
		b, _ := strconv.ParseFloat(is[i], 64)
		most, slack := max(a, b), 0.05
		if !strings.Contains(was, ".") { // it is counted
			slack = 2 + 4*math.Sqrt(most)
		}
		if math.Abs(a-b) > max(slack, 0.25*most) {
			return was + " and " + is[i]
		}
	}
	return ""
}

func TestDiffer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		old, got string
		same     bool
	}{
		{"| a | 12 | 0.50 |", "| a | 19 | 0.54 |", true},
		{"| a | 12 | 0.50 |", "| b | 12 | 0.50 |", false},
		{"| a | 12 | 0.50 |", "| a | 80 | 0.50 |", false},
		{"| a | 12 | 0.50 |", "| a | 12 | 0.90 |", false},
		{"| a | 12 |", "| a | 12 | 3 |", false},
	} {
		if why := differ(tt.old, tt.got); (why == "") != tt.same {
			t.Errorf("%s, %s: %q", tt.old, tt.got, why)
		}
	}
}
