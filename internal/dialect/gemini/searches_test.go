package gemini

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// Searches of the web are billed by their number, as the vendor counts: each query once, and for models before Gemini 3 all of them as one. They count
// alike where an answer passes and where it is read.
func TestSearchesCount(t *testing.T) {
	t.Parallel()
	grounded := func(queries string) string {
		return `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},"index":0,"groundingMetadata":{"webSearchQueries":` + queries + `}}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":1},"modelVersion":"MODEL"}`
	}
	end := strings.Replace(grounded(`["a","b"]`), `"index":0`, `"index":0,"finishReason":"STOP"`, 1)
	for name, tt := range map[string]struct {
		pieces []string
		model  string
		want   int64
	}{
		"none":             {[]string{grounded(`[]`)}, "gemini-3-pro", 0},
		"one by one":       {[]string{grounded(`["a"]`), end}, "gemini-3-pro", 2},
		"twice, and empty": {[]string{grounded(`["a","","a"]`)}, "gemini-3-flash", 1},
		"before Gemini 3":  {[]string{end}, "gemini-2.5-flash", 1},
	} {
		asked, refused := Parse([]byte(`{"contents":[]}`), true, dialect.ParseOptions{Model: "m"})
		if refused != nil {
			t.Fatal(refused)
		}
		walk, read := asked.Walk(nil, ""), new(Stream)
		for _, piece := range tt.pieces {
			piece = strings.Replace(piece, "MODEL", tt.model, 1)
			if _, err := walk.WalkBehind(nil, []byte(piece)); err != nil {
				t.Error(err)
			}
			if err := read.Read([]byte(piece), func(*llm.Event) {}); err != nil {
				t.Error(err)
			}
		}
		if passed, translated := walk.Account().Usage.Searches, read.Used().Searches; passed != tt.want || translated != tt.want {
			t.Errorf("%s: %d passed, %d were read", name, passed, translated)
		}
	}
}
