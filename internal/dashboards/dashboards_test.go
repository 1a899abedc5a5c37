package dashboards

import (
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "draw the picture of the dashboard")

// parsed is the dashboard that Grafana would import.
func parsed(t *testing.T) (d dashboard) {
	t.Helper()
	text, err := Grafana()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// Each panel has a place of its own on the grid, an id, a title, and queries by the Weirs that were chosen.
func TestPanels(t *testing.T) {
	t.Parallel()
	d := parsed(t)
	taken, ids, titles := map[[2]int]string{}, map[int]bool{}, map[string]bool{}
	for _, p := range d.Panels {
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if x > 23 || taken[[2]int{x, y}] != "" {
					t.Fatalf("%s is where %s is, at %d, %d", p.Title, taken[[2]int{x, y}], x, y)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
		if ids[p.ID] || titles[p.Title] || p.Title == "" {
			t.Errorf("%d, %s is there twice", p.ID, p.Title)
		}
		ids[p.ID], titles[p.Title] = true, true
		if p.Type == "row" {
			continue
		}
		if p.Description == "" || len(p.Targets) == 0 || p.FieldConfig.Defaults.Unit == "" {
			t.Errorf("%s lacks a description, a unit or a query", p.Title)
		}
		for _, q := range p.Targets {
			if !strings.Contains(q.Expr, chosen) || strings.Contains(q.Expr, "$by") || q.LegendFormat == "" {
				t.Errorf("%s: %s", p.Title, q.Expr)
			}
		}
	}
	if len(ids) < 30 {
		t.Errorf("%d panels", len(ids))
	}
}

// An alert says what is wrong and what to do. The job is the user's.
func TestAlerts(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, r := range rules() {
		if names[r.name] || !strings.HasPrefix(r.name, "Weir") || r.summary == "" || r.action == "" || r.severity != page && r.severity != ticket {
			t.Errorf("%+v", r)
		}
		names[r.name] = true
	}
	if text := Alerts("it's"); !strings.Contains(text, `expr: 'up{job="it''s"} == 0'`) || strings.Contains(text, "$job") {
		t.Error(text)
	}
}

// Prometheus' own checker accepts the alerts, and the queries of the dashboard.
func TestPromtool(t *testing.T) {
	t.Parallel()
	tool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool, which comes with Prometheus, is not installed: scripts/prometheus installs it")
	}
	queries := strings.Builder{}
	queries.WriteString("groups:\n  - name: dashboard\n    rules:\n")
	filled := strings.NewReplacer("$__rate_interval", "5m", `"$instance"`, `".*"`)
	n := 0
	for _, p := range parsed(t).Panels {
		for _, q := range p.Targets {
			n++
			fmt.Fprintf(&queries, "      - record: query:%d\n        expr: %s\n", n, quote(filled.Replace(q.Expr)))
		}
	}
	for name, text := range map[string]string{"alerts.yaml": Alerts("weir"), "queries.yaml": queries.String()} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), tool, "check", "rules", file).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "SUCCESS") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// An alert with a figure in its summary shows that figure: here a tenth of 10 requests a second fails.
func TestFiguresOfAlerts(t *testing.T) {
	t.Parallel()
	tool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool, which comes with Prometheus, is not installed: scripts/prometheus installs it")
	}
	failing := rules()[1]
	if failing.name != "WeirFailing" {
		t.Fatalf("it is %s", failing.name)
	}
	folder := t.TempDir()
	test := filepath.Join(folder, "test.yaml")
	for file, text := range map[string]string{filepath.Join(folder, "alerts.yaml"): Alerts("weir"), test: `rule_files: [alerts.yaml]
tests:
  - interval: 1m
    input_series:
      - {series: 'weir_requests_total{status="200"}', values: 0+540x30}
      - {series: 'weir_requests_total{status="500"}', values: 0+60x30}
    alert_rule_test:
      - eval_time: 20m
        alertname: WeirFailing
        exp_alerts:
          - exp_labels: {severity: page}
            exp_annotations: {summary: 10% of requests fail, description: ` + quote(failing.action) + `}
`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), tool, "test", "rules", test).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The picture in the documentation is drawn from the JSON that Grafana would import. Its lines are made up.
func TestPicture(t *testing.T) {
	t.Parallel()
	file := "../../docs/guides/dashboard.svg"
	want := draw(parsed(t))
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), want); diff != "" {
		t.Errorf("the picture (-) differs from the dashboard (+). Run: go test ./internal/dashboards -update\n%s", diff)
	}
}

// The picture's measures, in pixels, and its colours, which are those of Grafana's dark theme.
const (
	column, line = 50, 24
	margin       = 4
)

var colours = []string{"#73bf69", "#f2cc0c", "#8ab8ff", "#ff780a", "#f2495c", "#b877d9"}

// draw draws a dashboard as Grafana lays it out.
func draw(d dashboard) string {
	var b strings.Builder
	last := d.Panels[len(d.Panels)-1].GridPos
	height := (last.Y + last.H) * line
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"system-ui, sans-serif\" font-size=\"11\">\n", 24*column, height+8, 24*column, height+8)
	fmt.Fprintf(&b, "<title>The dashboard of weir dashboards, with lines that are made up</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#111217\"/>\n")
	for i := range d.Panels {
		p := &d.Panels[i]
		x, y, w, h := p.GridPos.X*column+margin, p.GridPos.Y*line+margin, p.GridPos.W*column-2*margin, p.GridPos.H*line-2*margin
		if p.Type == "row" {
			fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" fill=\"#ccccdc\" font-size=\"14\" font-weight=\"500\">%s</text>\n", x+4, y+14, html.EscapeString(p.Title))
			continue
		}
		fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" fill=\"#181b1f\" stroke=\"#2c3038\"/>\n", x, y, w, h)
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" fill=\"#ccccdc\" font-weight=\"500\">%s</text><text x=\"%d\" y=\"%d\" fill=\"#7b8087\" text-anchor=\"end\">%s</text>\n",
			x+10, y+18, html.EscapeString(p.Title), x+w-10, y+18, html.EscapeString(p.FieldConfig.Defaults.Unit))
		p.drawLines(&b, x+10, y+30, w-20, h-58)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// drawLines draws a line for each query, stacked if the panel is, and the legend below.
func (p *plot) drawLines(b *strings.Builder, x, y, w, h int) {
	const steps = 48
	for i := range 3 {
		fmt.Fprintf(b, "<path d=\"M%d %dh%d\" stroke=\"#24272d\"/>\n", x, y+h*i/2, w)
	}
	stacked := p.FieldConfig.Defaults.Custom.Stacking.Mode == "normal"
	var names []string
	for _, q := range p.Targets {
		names = append(names, q.LegendFormat)
		if strings.Contains(q.LegendFormat, "{{") { // a line for each value of the label
			names = append(names, q.LegendFormat)
		}
	}
	base, under := make([]float64, steps+1), x
	for i := range names {
		var points []string
		for s := range steps + 1 {
			share := 0.85 / float64(len(names)) // of the height
			value := share * (0.65 + 0.3*math.Sin(float64(s)/6+float64(i+p.ID)) + 0.05*math.Sin(float64(s*(i+3))))
			if stacked {
				value += base[s]
				base[s] = value
			} else {
				value += share * float64(i)
			}
			points = append(points, fmt.Sprintf("%d,%d", x+w*s/steps, y+h-int(math.Round(value*float64(h)))))
		}
		fmt.Fprintf(b, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.3\"/>\n", strings.Join(points, " "), colours[i%len(colours)])
	}
	for i, name := range slices.Compact(names) {
		if under+24+6*len(name) > x+w {
			break // as much as fits
		}
		fmt.Fprintf(b, "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"3\" fill=\"%s\"/><text x=\"%d\" y=\"%d\" fill=\"#9fa7b3\">%s</text>\n", under, y+h+15, colours[i%len(colours)], under+14, y+h+20, html.EscapeString(name))
		under += 28 + 6*len(name)
	}
}
