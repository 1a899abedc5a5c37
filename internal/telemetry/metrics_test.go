package telemetry

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/route"
)

// Every figure is in docs/metrics.md with its labels, and nothing else is.
func TestFiguresAreDocumented(t *testing.T) {
	t.Parallel()
	m := New("test", memory.NewAccount(memory.Unlimited))
	m.Routing(func() *route.Table { return route.NewTable(nil, route.NewBoard(), nil) })
	have := map[string][]string{}
	described := make(chan *prometheus.Desc)
	go func() {
		m.registry.Describe(described)
		close(described)
	}()
	parts := regexp.MustCompile(`^Desc\{fqName: "(weir_\w+)", .* constLabels: \{(.*)\}, variableLabels: \{(.*)\}\}$`)
	for d := range described {
		if found := parts.FindStringSubmatch(d.String()); found != nil {
			have[found[1]] = labels(found[3] + "," + regexp.MustCompile(`="[^"]*"`).ReplaceAllString(found[2], ""))
		}
	}

	page, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string][]string{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) > 4 && strings.HasPrefix(cells[1], " `weir_") {
			told[strings.Trim(cells[1], " `")] = labels(strings.NewReplacer("`", "", "–", "").Replace(cells[3]))
		}
	}
	if diff := cmp.Diff(told, have); diff != "" || !slices.Contains(slices.Collect(maps.Keys(have)), "weir_requests_total") {
		t.Errorf("docs (-) and figures (+): %s", diff)
	}
}

// labels are the names in a list of them.
func labels(list string) []string {
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	slices.Sort(names)
	return names
}
