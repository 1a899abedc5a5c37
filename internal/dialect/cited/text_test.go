package cited_test

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/cited"
	"github.com/weirproxy/weir/internal/llm"
)

func TestWordsAreFoundWhereTheyStand(t *testing.T) {
	t.Parallel()
	var text cited.Text
	for _, piece := range []string{`"Lima is "`, `"\u0061 city. Peru\nhas "`, `"Lima."`} { // Lima is a city. Peru\nhas Lima.
		text.Add(llm.JSON(piece))
	}
	for _, tt := range []struct {
		words      string
		start, end int64
		from, to   int64
		ok         bool
	}{
		{"Lima", 0, 4, 0, 4, true},
		{"Lima", 25, 29, 25, 29, true},
		{"Lima", 20, 24, 25, 29, true}, // the nearer of two
		{"a city", 0, 6, 8, 14, true},
		{"Peru\nhas", 100, 108, 16, 24, true},
		{"Quito", 0, 5, -1, 4, false},
		{"Lima", 3000, 3004, 25, 29, true},
		{"", 3, 7, 3, 7, true},
	} {
		from, to, ok := text.Find(tt.words, tt.start, tt.end)
		if from != tt.from || to != tt.to || ok != tt.ok {
			t.Errorf("%q at %d is found from %d to %d, %v", tt.words, tt.start, from, to, ok)
		}
	}
	text.Add(llm.JSON(`"` + strings.Repeat("x", 64<<10) + `"`))
	if from, to, ok := text.Find("Quito", 1, 6); from != 1 || to != 6 || !ok || text.Held() > 1<<10 {
		t.Errorf("a text that is too long to be kept: %d, %d, %v, %d bytes held", from, to, ok, text.Held())
	}
}

func TestWordsAreFoundByCharacters(t *testing.T) {
	t.Parallel()
	var text cited.Text
	for _, piece := range []string{`"Là 😀 "`, `"Peru, "`, `"où? Peru"`} {
		text.Add(llm.JSON(piece))
	}
	for name, tt := range map[string]struct {
		words      string
		start, end int64
		from, to   int64
		ok         bool
	}{
		"in characters":   {"Peru", 5, 9, 5, 9, true},
		"in UTF-16":       {"Peru", 6, 10, 5, 9, true},
		"in bytes":        {"où", 16, 19, 11, 13, true},
		"behind the text": {"Peru", 1 << 40, 1<<40 + 4, 15, 19, true},
		"other words":     {"Lima", 5, 9, -1, -1, false},
		"untold":          {"", 500, 504, 500, 504, true},
	} {
		from, to, ok := text.FindCharacters(tt.words, tt.start, tt.end)
		if from != tt.from || to != tt.to || ok != tt.ok {
			t.Errorf("%s: from %d to %d, %v", name, from, to, ok)
		}
	}
}
