package telemetry

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/dashboards"
	dialects "github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/listener"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/tracing"
)

// everything has every figure that there can be.
func everything() *Metrics {
	m := New("test", memory.NewAccount(memory.Unlimited))
	m.LogDropped(func() uint64 { return 0 })
	m.Secrets("vault", func() Secrets { return Secrets{} })
	m.VaultExpires(func() time.Time { return time.Time{} })
	m.Routing(func() *route.Table { return route.NewTable(nil, route.NewBoard(), nil) })
	m.Revocations(func() int { return 0 }, func() int64 { return 0 })
	m.ClientsRefused(func(listener.Reason) uint64 { return 0 })
	m.Sharing(func() Sharing { return Sharing{} }, func() budget.Amount { return budget.Amount{} })
	m.Ledger(func() ledger.Stats { return ledger.Stats{} }, func() int64 { return 0 }, func() ledger.Unnamed { return ledger.Unnamed{} })
	m.GenAI(func(string) (tracing.Upstream, bool) { return nil, false })
	return m
}

// figures are the names of all figures, each with its labels in order.
func figures() map[string][]string {
	have := map[string][]string{}
	described := make(chan *prometheus.Desc)
	go func() {
		everything().registry.Describe(described)
		close(described)
	}()
	parts := regexp.MustCompile(`^Desc\{fqName: "(\w+)", .* constLabels: \{(.*)\}, variableLabels: \{(.*)\}\}$`)
	for d := range described {
		if found := parts.FindStringSubmatch(d.String()); found != nil {
			have[found[1]] = labels(found[3] + "," + regexp.MustCompile(`="[^"]*"`).ReplaceAllString(found[2], ""))
		}
	}
	return have
}

// Every figure is in docs/reference/metrics.md with its labels, and nothing else is.
func TestFiguresAreDocumented(t *testing.T) {
	t.Parallel()
	have := figures()
	maps.DeleteFunc(have, func(name string, _ []string) bool {
		return strings.HasPrefix(name, "go_") || strings.HasPrefix(name, "process_")
	})
	page, err := os.ReadFile("../../docs/reference/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string][]string{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) > 4 && (strings.HasPrefix(cells[1], " `weir_") || strings.HasPrefix(cells[1], " `gen_ai_")) {
			told[strings.Trim(cells[1], " `")] = labels(strings.NewReplacer("`", "", "–", "").Replace(cells[3]))
		}
	}
	if diff := cmp.Diff(told, have); diff != "" || !slices.Contains(slices.Collect(maps.Keys(have)), "weir_requests_total") {
		t.Errorf("docs (-) and figures (+): %s", diff)
	}
}

// named finds the metrics in an expression of Prometheus with the labels in their braces, grouped the labels that results are grouped by.
var (
	named   = regexp.MustCompile(`\b((?:weir|gen_ai|go|process)_\w+|up)\b(?:\{([^}]*)\})?`)
	grouped = regexp.MustCompile(`\bby \(([^)]*)\)`)
	matcher = regexp.MustCompile(`(\w+)(?:=~|!~|!=|=)"`)
	legend  = regexp.MustCompile(`\{\{ ?(?:\$labels\.)?(\w+) ?\}\}`)
)

// served is the figure that a name in an expression means: histograms are served as several.
func served(have map[string][]string, name string) (figure string, ok bool) {
	for _, part := range []string{"", "_bucket", "_sum", "_count"} {
		base, cut := strings.CutSuffix(name, part)
		if _, known := have[base]; cut && known {
			return base, true
		}
	}
	return name, false
}

// Every metric in the dashboard and in the alerts is one that Weir serves, and every label one of that metric's, or the scraper's.
func TestDashboardsNameFigures(t *testing.T) {
	t.Parallel()
	have, used := figures(), map[string]bool{}
	have["up"] = nil // the scraper's own
	for _, e := range dashboards.Expressions() {
		allowed := []string{"instance", "job", "le"}
		for _, found := range named.FindAllStringSubmatch(e.Expr, -1) {
			name, ok := served(have, found[1])
			if used[name] = true; !ok {
				t.Errorf("%s: there is no metric %s", e.Of, name)
			}
			for _, label := range matcher.FindAllStringSubmatch(found[2], -1) {
				if !slices.Contains(slices.Concat(have[name], []string{"instance", "job"}), label[1]) {
					t.Errorf("%s: %s has no label %s", e.Of, name, label[1])
				}
			}
			allowed = append(allowed, have[name]...)
		}
		shown := legend.FindAllStringSubmatch(e.Text, -1)
		for _, by := range grouped.FindAllStringSubmatch(e.Expr, -1) {
			for _, label := range labels(by[1]) {
				shown = append(shown, []string{"", label})
			}
		}
		for _, label := range shown {
			if !slices.Contains(allowed, label[1]) {
				t.Errorf("%s groups by or shows %s, which none of its metrics has", e.Of, label[1])
			}
		}
	}
	if len(used) < 30 || !used["weir_requests_total"] {
		t.Errorf("only %d metrics are used: %v", len(used), used)
	}
}

// What calls cost is counted where it is known, and what a provider bills compared with the price.
func TestCostOfCalls(t *testing.T) {
	t.Parallel()
	m := New("test", memory.NewAccount(memory.Unlimited))
	call := func(charge money.Charge) relay.Call {
		return relay.Call{Target: &route.Target{Provider: "p", Model: "m"}, Outcome: route.Answered.String(), HasUsage: true, Charge: charge}
	}
	m.RequestBegan()
	m.RequestDone(&gateway.Event{Route: "r", Result: &relay.Result{Calls: []relay.Call{
		call(money.Charge{Cost: 5e9, Listed: 5e9}), call(money.Charge{Source: money.Unpriced, Doubt: money.PriceUnknown}), call(money.Charge{Cost: 2e9, Source: money.Billed, Listed: 3e9}),
		call(money.Charge{Cost: 1e9, Source: money.Billed, Doubt: money.PriceUnknown}),
	}}})
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, line := range []string{`weir_cost_dollars_total{provider="p",source="billed"} 3`, `weir_cost_dollars_total{provider="p",source="price"} 5`, `weir_cost_drift_dollars{provider="p"} -1`} {
		if !strings.Contains(w.Body.String(), line+"\n") {
			t.Errorf("%s is missing", line)
		}
	}
}

// Tokens count for the target that reported them, however its attempt ended, and each only once.
func TestTokensOfAttempts(t *testing.T) {
	t.Parallel()
	m := New("test", memory.NewAccount(memory.Unlimited))
	attempt := func(provider string, o route.Outcome, fresh int64) relay.Call {
		u := llm.Usage{Fresh: fresh, AudioIn: fresh, CacheWrite: fresh, CacheWrite1h: fresh}
		return relay.Call{Target: &route.Target{Provider: provider, Model: "m"}, Outcome: o.String(), Usage: u, HasUsage: fresh > 0}
	}
	m.RequestBegan()
	m.RequestDone(&gateway.Event{Route: "r", Result: &relay.Result{
		Calls: []relay.Call{attempt("failed", route.TimedOut, 1), attempt("silent", route.Failed, 0), attempt("lost", route.Lost, 2), attempt("won", route.Answered, 4)},
		Usage: llm.Usage{Fresh: 4}, HasUsage: true,
	}})
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	var got []string
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "weir_target_tokens_total") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	want := []string{
		`weir_target_tokens_total{class="cache_write",provider="failed",upstream_model="m"} 2`,
		`weir_target_tokens_total{class="cache_write",provider="lost",upstream_model="m"} 4`,
		`weir_target_tokens_total{class="cache_write",provider="won",upstream_model="m"} 8`,
		`weir_target_tokens_total{class="input_fresh",provider="failed",upstream_model="m"} 2`,
		`weir_target_tokens_total{class="input_fresh",provider="lost",upstream_model="m"} 4`,
		`weir_target_tokens_total{class="input_fresh",provider="won",upstream_model="m"} 8`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The figures of OpenTelemetry's conventions count each call, by the names of the conventions and of the config: never by what a caller chose.
func TestFiguresOfTheConventions(t *testing.T) {
	t.Parallel()
	m := New("test", memory.NewAccount(memory.Unlimited))
	m.GenAI(func(provider string) (tracing.Upstream, bool) { return vendor{}, provider == "google" })
	table := route.NewTable([]*route.Model{{Name: "any/*", Targets: []route.Target{{Provider: "google", Model: "*"}}}}, route.NewBoard(), nil)
	resolved, _ := table.Resolve("any/made-up-by-a-caller")
	chosen := &resolved.Targets[0]
	ev := &gateway.Event{Route: "any/*", Stream: true, Ingress: dialects.At("chat/completions"), Result: &relay.Result{Attempts: 2, Calls: []relay.Call{
		{Target: &route.Target{Provider: "gone", Model: "m"}, Outcome: route.Failed.String(), Duration: 3 * time.Second},
		{Target: chosen, Outcome: route.Answered.String(), Duration: 2 * time.Second, First: time.Second, Usage: llm.Usage{Fresh: 10, CacheRead: 6, Text: 4}, HasUsage: true},
	}}}
	m.RequestBegan()
	m.RequestDone(ev)
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	var got []string
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "gen_ai_") && !strings.Contains(line, "_bucket{") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	const google, gone = `gen_ai_operation_name="generate_content",gen_ai_provider_name="gcp.gemini",gen_ai_request_model="*"`, `gen_ai_operation_name="chat",gen_ai_provider_name="gone",gen_ai_request_model="m"`
	want := []string{
		`gen_ai_client_operation_duration_seconds_sum{error_type="",` + google + `} 2`,
		`gen_ai_client_operation_duration_seconds_count{error_type="",` + google + `} 1`,
		`gen_ai_client_operation_duration_seconds_sum{error_type="failed",` + gone + `} 3`,
		`gen_ai_client_operation_duration_seconds_count{error_type="failed",` + gone + `} 1`,
		`gen_ai_client_operation_time_to_first_chunk_seconds_sum{error_type="",` + google + `} 1`,
		`gen_ai_client_operation_time_to_first_chunk_seconds_count{error_type="",` + google + `} 1`,
		`gen_ai_client_token_usage_sum{` + google + `,gen_ai_token_type="input"} 16`,
		`gen_ai_client_token_usage_count{` + google + `,gen_ai_token_type="input"} 1`,
		`gen_ai_client_token_usage_sum{` + google + `,gen_ai_token_type="output"} 4`,
		`gen_ai_client_token_usage_count{` + google + `,gen_ai_token_type="output"} 1`,
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if body := w.Body.String(); !strings.Contains(body, `_seconds_bucket{error_type="",`+google+`,le="81.92"}`) || !strings.Contains(body, `le="6.7108864e+07"`) {
		t.Error("the bounds are not those of the conventions")
	}
}

// vendor implements tracing.Upstream.
type vendor struct{}

func (vendor) Convention() string         { return "gcp.gemini" }
func (vendor) Server() (string, int)      { return "", 0 }
func (vendor) Dialect(string) llm.Dialect { return llm.Gemini }

// labels are the names in a list of them.
func labels(list string) []string {
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	slices.Sort(names)
	return names
}
