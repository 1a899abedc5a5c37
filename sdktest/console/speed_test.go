package console

import (
	"cmp"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// With -console, the pages of a Weir that runs already are measured; WEIR_TOKEN is its admin token. go run ./bench -only browser does so.
var (
	console = flag.String("console", "", "the address of the console whose pages are measured, in place of the seeded one")
	figures = flag.String("figures", "", "a file for how long pages and clicks take")
	rounds  = flag.String("rounds", "1", "how often they are measured")
)

// TestSpeed measures how long pages and clicks take, and fails for none that is slow.
func TestSpeed(t *testing.T) {
	if !*all && *figures == "" {
		t.Skip("without -all or -figures")
	}
	if *figures == "" { // then the times mean nothing, but that there are some
		t.Parallel()
	}
	path, err := filepath.Abs(cmp.Or(*figures, filepath.Join(t.TempDir(), "figures.json")))
	if err != nil {
		t.Fatal(err)
	}
	run(t, suite{file: "speed.test.mjs", fewest: 38, served: *console != "", long: *figures != "", env: []string{"WEIR_CONSOLE=" + *console, "WEIR_ROUNDS=" + *rounds, "WEIR_FIGURES=" + path}})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var taken struct {
		Pages []struct {
			Name  string
			Fresh []struct{ First, Largest, Whole float64 }
		}
		Acts []struct {
			Name  string
			Whole []float64
		}
	}
	if err := json.Unmarshal(text, &taken); err != nil {
		t.Fatal(err)
	}
	for _, page := range taken.Pages {
		for _, one := range page.Fresh {
			if one.First <= 0 || one.Largest < one.First || one.Whole < one.First {
				t.Errorf("%s: %+v", page.Name, one)
			}
		}
	}
	for _, act := range taken.Acts {
		if len(act.Whole) == 0 {
			t.Errorf("%s: it was not measured", act.Name)
		}
	}
}
