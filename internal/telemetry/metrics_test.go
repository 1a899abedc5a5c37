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

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/listener"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
)

// Every figure is in docs/reference/metrics.md with its labels, and nothing else is.
func TestFiguresAreDocumented(t *testing.T) {
	t.Parallel()
	m := New("test", memory.NewAccount(memory.Unlimited))
	m.LogDropped(func() uint64 { return 0 })
	m.Routing(func() *route.Table { return route.NewTable(nil, route.NewBoard(), nil) })
	m.Revocations(func() int { return 0 }, func() int64 { return 0 })
	m.ClientsRefused(func(listener.Reason) uint64 { return 0 })
	m.Sharing(func() Sharing { return Sharing{} }, func() budget.Amount { return budget.Amount{} })
	m.Ledger(func() ledger.Stats { return ledger.Stats{} }, func() int64 { return 0 }, func() ledger.Unnamed { return ledger.Unnamed{} })
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

	page, err := os.ReadFile("../../docs/reference/metrics.md")
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

// labels are the names in a list of them.
func labels(list string) []string {
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	slices.Sort(names)
	return names
}
