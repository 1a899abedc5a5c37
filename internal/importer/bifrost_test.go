package importer

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/auth"
)

// bifrostAccounts is what became of virtual keys and teams, by their names.
func bifrostAccounts(draft *Draft) map[string]string {
	got := map[string]string{}
	for _, team := range draft.Accounts.Teams {
		got["team "+team.Name] = words(team.Limits, policy(team.Budget), team.Spent, team.Longer, team.Ended)
	}
	for _, k := range draft.Accounts.Keys {
		name := "none"
		if k.Team != nil {
			name = k.Team.Name
		}
		got[k.Name] = words(name, k.Models, k.Limits, policy(k.Budget), k.Spent, k.Longer, k.Ended)
		if !k.Expires.IsZero() {
			got[k.Name] += " " + k.Expires.Format(time.RFC3339)
		}
		for _, key := range []string{"sk-bf-hidden-one", "sk-bf-hidden-two", "hidden-legacy-three", "sk-bf-hidden-six", "sk-bf-hidden-seven"} {
			if k.Digest == auth.DigestOf(key) {
				got[k.Name] += " " + key
			}
		}
	}
	return got
}

// TestBifrostGovernance: virtual keys go on with their digests, models, limits and budgets, and what was spent of these.
func TestBifrostGovernance(t *testing.T) {
	text, err := os.ReadFile("testdata/bifrost/governance.json")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"team platform": "{1 1000 0} [98.630136986usd/month] 30000000000 [] false",
		"team acme":     "{0 0 0} [0.000000001usd/total] 1 [] false",
		"app-one":       "platform [azure/gone azure/gpt-4o azure/gpt-4o-mini gpt-4o openai/gpt-4o openai/gpt-4o-mini] {100 0 0} [10ktok/hour 10.5usd/month] 2250000000 [] false sk-bf-hidden-one",
		"app-one-2":     "acme [] {0 0 0} [10usd/day 100usd/month] 1000000000 [{month 60000000000}] true sk-bf-hidden-two",
		"nothing":       "none [] {0 0 0} [] 0 [] true hidden-legacy-three",
		"orphan":        "none [openai/gpt-4o-mini] {0 0 0} [] 0 [] true sk-bf-hidden-six",
		"other-shares":  "none [openai/gpt-4o-mini openai/x/y] {0 0 0} [8usd/week] 0 [] false 2031-01-02T03:04:05Z sk-bf-hidden-seven",
	}
	if diff := cmp.Diff(want, bifrostAccounts(convert(t, Bifrost{Now: noon}, "config.json", string(text)))); diff != "" {
		t.Error(diff)
	}
}

// TestBifrostEmptyLists: an empty list allows all where the version says so, nothing where it says that, and nothing without a version, with what to do.
func TestBifrostEmptyLists(t *testing.T) {
	for version, want := range map[string]string{`"version": 1,`: "[azure/* openai/*] false", `"version": 2,`: "[] true", "": "[] true"} {
		draft := convert(t, Bifrost{Now: noon}, "config.json", `{`+version+` "providers": {"openai": {"keys": [{"value": "env.A", "models": ["*"]}]}, "azure": {"keys": [{"value": "env.B", "models": ["*"]}]}},
			"governance": {"virtual_keys": [{"id": "1", "name": "a", "value": "sk-bf-hidden"}]}}`)
		k := draft.Accounts.Keys[0]
		if got := words(k.Models, k.Ended); got != want {
			t.Errorf("%s: %s", version, got)
		}
		var report strings.Builder
		if err := draft.Report.Write(&report, Manual); err != nil {
			t.Fatal(err)
		}
		if warns := strings.Contains(report.String(), `add "version": 1 to it and import it again`); warns != (version == "") {
			t.Errorf("%s: %s", version, report.String())
		}
	}
}

// TestBifrostExceptions: a key that may use all models but some gets those others that the result names.
func TestBifrostExceptions(t *testing.T) {
	draft := convert(t, Bifrost{Now: noon}, "config.json", `{"version": 2, "providers": {"openai": {"keys": [{"value": "env.A", "models": ["gpt-4o", "o3"]}, {"value": "env.B", "models": ["*"]}]}},
		"governance": {"virtual_keys": [{"name": "a", "value": "sk-bf-hidden", "provider_configs": [{"provider": "openai", "allowed_models": ["*"], "blacklisted_models": ["o3"]}]}]}}`)
	if k := draft.Accounts.Keys[0]; words(k.Models, k.Ended) != "[openai/gpt-4o] false" {
		t.Error(k.Models, k.Ended)
	}
}

// TestBifrostBounds: the report says where a key may do more than before, and names each budget that is left out.
func TestBifrostBounds(t *testing.T) {
	draft := convert(t, Bifrost{Now: noon}, "config.json", `{"version": 2, "providers": {"openai": {"keys": [{"value": "env.A", "models": ["*"]}]}}, "governance": {
		"virtual_keys": [{"name": "a", "value": "sk-bf-hidden-1", "budget_id": "both", "rate_limit_id": "odd", "provider_configs": [{"provider": "openai", "allowed_models": ["*"], "budget_id": "part"}]},
			{"name": "b", "value": "sk-bf-hidden-2", "budget_id": "both", "rate_limit_id": "slow", "provider_configs": [{"provider": "openai", "allowed_models": ["*"]}]}],
		"teams": [{"id": "t", "name": "t"}],
		"budgets": [{"id": "both", "max_limit": 5, "reset_duration": "1d"}, {"id": "part", "max_limit": 5, "reset_duration": "1d"}],
		"rate_limits": [{"id": "shut", "request_max_limit": 0, "request_reset_duration": "1m", "team_id": "t"}, {"id": "odd", "request_max_limit": "many", "request_reset_duration": "1m"}, {"id": "slow", "request_max_limit": 100, "request_reset_duration": "1d"}]}}`)
	if !draft.Accounts.Teams[0].Ended {
		t.Error("a team with a limit of 0 is let through")
	}
	var report strings.Builder
	if err := draft.Report.Write(&report, Approximate); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"budgets[0]: several have it together", "budgets[1]: left out: a key has it for one provider alone", "rate_limits[1]: request_max_limit is no number above 0",
		"rate_limits[0]: request_max_limit is 0, which lets nothing through", "rate_limits[2]: 100 requests for 1d are 1 a minute, the least that Weir has, and so more than before",
	} {
		if strings.Count(report.String(), want) != 1 {
			t.Errorf("the report does not say once that %s:\n%s", want, report.String())
		}
	}
}

// TestBifrostPeriods: Bifrost's lengths of time, and Weir's periods.
func TestBifrostPeriods(t *testing.T) {
	for _, test := range []struct {
		duration, last string
		aligned        bool
		want           string
		spent          int64
	}{
		{"1h", "2026-03-11T11:30:00Z", false, "60usd/hour", 30},
		{"1h", "2026-03-11T11:00:00Z", false, "60usd/hour", 0},
		{"1d", "2026-03-10T13:00:00Z", false, "60usd/day", 30},
		{"1d", "2026-03-10T13:00:00Z", true, "60usd/day", 0},
		{"1w", "2026-03-09T00:00:00Z", true, "60usd/week", 30},
		{"1M", "2026-02-28T00:00:00Z", false, "60usd/month", 30},
		{"1M", "2026-02-28T00:00:00Z", true, "60usd/month", 0},
		{"3M", "2026-02-28T00:00:00Z", false, "20usd/month", 10},
		{"1Q", "2026-02-28 00:00:00+00:00", false, "20usd/month", 10},
		{"5m", "2026-03-11T11:58:00Z", false, "720usd/hour", 360},
		{"soon", "", false, "60usd/total", 30},
	} {
		n, err := parse("b", []byte(`{"max_limit": 60, "current_usage": 30, "reset_duration": "`+test.duration+`", "last_reset": "`+test.last+`"}`), nil)
		if err != nil {
			t.Fatal(err)
		}
		g := &bifrostGovernance{bifrost: &bifrost{Report: &Report{}, now: noon}}
		spec, spent := g.budget(n.Root, test.aligned)
		if spec.String() != test.want || spent != test.spent*1e9 {
			t.Errorf("%s since %s: %s, %d", test.duration, test.last, spec, spent)
		}
	}
}
