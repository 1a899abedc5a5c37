// Package dashboards has what operators watch, as data: the panels of a dashboard for Grafana, and alerts for Prometheus. Tests check that every
// metric and label that they name is one of package telemetry.
package dashboards

import "strings"

// panel is one plot. Its queries have $by for what the dashboard filters by.
type panel struct {
	title   string
	help    string // says what to make of it
	unit    string // as Grafana names it
	stacked bool
	queries []query
}

// query is a line of a plot, or several. legend names them, with labels as {{label}}.
type query struct{ expr, legend string }

// chosen is what every query is filtered by: the Weirs that the user of the dashboard chooses.
const chosen = `instance=~"$instance"`

// filtered is the query's expression for these Weirs.
func (q *query) filtered() string { return strings.ReplaceAll(q.expr, "$by", chosen) }

// row is panels side by side under a heading.
type row struct {
	title  string
	panels []panel
}

// rows are the dashboard.
func rows() []row {
	return []row{
		{"Traffic", traffic()},
		{"Latency", latency()},
		{"Upstreams", upstreams()},
		{"Money", money()},
		{"Ledger", ledger()},
		{"Process", process()},
	}
}

func traffic() []panel {
	return []panel{
		{"Requests, by model", "Requests that were answered, whatever the answer. A request of no known model has an empty name.", "reqps", true, []query{
			{`sum by (model) (rate(weir_requests_total{$by}[$__rate_interval]))`, "{{model}}"},
		}},
		{"Failures, by code", "Answers with an error. The codes are in docs/reference/errors.md.", "reqps", true, []query{
			{`sum by (error) (rate(weir_requests_total{error!="",$by}[$__rate_interval]))`, "{{error}}"},
		}},
		{"Running, and cut streams", "Requests being served now, and streams a minute that ended with an error.", "short", false, []query{
			{`sum(weir_requests_running{$by})`, "running"},
			{`60 * sum(rate(weir_streams_cut_total{$by}[$__rate_interval]))`, "cut a minute"},
		}},
	}
}

func latency() []panel {
	return []panel{
		{"Duration of requests", "From the arrival of a request to the end of its answer.", "s", false, quantiles("weir_request_duration_seconds")},
		{"First content", "From the arrival of a request to the first content that its caller gets.", "s", false, quantiles("weir_time_to_first_content_seconds")},
		{"Weir's own time", "Before a request goes upstream, without waiting for its body or for a place.", "s", false, quantiles("weir_overhead_seconds")},
	}
}

func upstreams() []panel {
	return []panel{
		{"Calls, by outcome", "The outcomes are in docs/reference/outcomes.md.", "reqps", true, []query{
			{`sum by (outcome) (rate(weir_attempts_total{$by}[$__rate_interval]))`, "{{outcome}}"},
		}},
		{"Failed calls, by provider", "The share of calls that were not answered, without those that lost a race, whose caller left or whose request was at fault.", "percentunit", false, []query{
			{`(sum by (provider) (rate(weir_attempts_total{outcome!~"ok|lost|canceled|refused",$by}[$__rate_interval])) or 0 * sum by (provider) (rate(weir_attempts_total{$by}[$__rate_interval]))) / sum by (provider) (rate(weir_attempts_total{$by}[$__rate_interval]))`, "{{provider}}"},
		}},
		{"Open breakers, parked credentials", "Targets that are not called for a while, and credentials that their provider refused.", "short", false, []query{
			{`sum by (provider, upstream_model) (weir_breakers{state="open",$by}) > 0`, "{{provider}}/{{upstream_model}}"},
			{`sum by (provider) (weir_credentials_parked{$by}) > 0`, "{{provider}}, credentials"},
		}},
		{"Skipped targets, by reason", "Targets that were considered and not called.", "reqps", true, []query{
			{`sum by (reason) (rate(weir_skips_total{$by}[$__rate_interval]))`, "{{reason}}"},
		}},
		{"Hedges", "Second attempts that raced a late stream, and those that won.", "reqps", false, []query{
			{`sum(rate(weir_hedges_total{$by}[$__rate_interval]))`, "made"},
			{`sum(rate(weir_hedges_won_total{$by}[$__rate_interval]))`, "won"},
		}},
		{"Repairs, by kind", "Places in answers that depart from the convention. The kinds are in docs/reference/repairs.md.", "short", true, []query{
			{`sum by (provider, kind) (rate(weir_repairs_total{$by}[$__rate_interval]))`, "{{provider}} {{kind}}"},
		}},
	}
}

func money() []panel {
	return []panel{
		{"Cost an hour, by provider", "What calls cost: by the targets' prices, or as the provider bills.", "currencyUSD", true, []query{
			{`3600 * sum by (provider) (rate(weir_cost_dollars_total{$by}[$__rate_interval]))`, "{{provider}}"},
		}},
		{"Tokens, by class", "The classes do not overlap.", "short", true, []query{
			{`sum by (class) (rate(weir_tokens_total{$by}[$__rate_interval]))`, "{{class}}"},
		}},
		{"Share read from prompt caches", "Of all tokens that models read. A drop means that prompts have changed, or that requests go to other targets.", "percentunit", false, []query{
			{`sum by (model) (rate(weir_tokens_total{class="cache_read",$by}[$__rate_interval])) / sum by (model) (rate(weir_tokens_total{class!="output",$by}[$__rate_interval]))`, "{{model}}"},
		}},
		{"Refused for budgets and limits", "Requests over a budget or a rate limit, and targets that were skipped for a budget.", "reqps", true, []query{
			{`sum by (error) (rate(weir_requests_total{error=~"insufficient_quota|rate_limit_exceeded|request_exceeds_limit|price_unknown",$by}[$__rate_interval]))`, "{{error}}"},
			{`sum by (reason) (rate(weir_skips_total{reason=~"budget|no_price",$by}[$__rate_interval]))`, "skipped: {{reason}}"},
		}},
		{"Shares of budgets that were spent", "Warnings a day, and alerts by what became of them.", "short", false, []query{
			{`sum by (of) (increase(weir_budget_warnings_total{$by}[1d]))`, "{{of}}"},
			{`sum by (outcome) (increase(weir_alerts_total{$by}[1d]))`, "alerts {{outcome}}"},
		}},
		{"Difference to what providers bill", "Since the start. Far from 0, a price is out of date.", "currencyUSD", false, []query{
			{`sum by (provider) (weir_cost_drift_dollars{$by})`, "{{provider}}"},
		}},
	}
}

func ledger() []panel {
	return []panel{
		{"Calls that wait for the store", "They are in the journal.", "short", false, []query{
			{`sum by (instance) (weir_ledger_pending_rows{$by})`, "{{instance}} waiting"},
			{`sum by (instance) (weir_ledger_waiting_settlements{$by})`, "{{instance}} ends in memory"},
			{`sum by (instance) (weir_ledger_orphaned{$by})`, "{{instance}} without an end"},
		}},
		{"Age of the oldest", "Above a few seconds the store cannot be written.", "s", false, []query{
			{`max by (instance) (weir_ledger_behind_seconds{$by})`, "{{instance}}"},
		}},
		{"Journal", "How full it is. Calls are refused when it is full.", "percentunit", false, []query{
			{`max by (instance) (weir_ledger_journal_bytes{$by} / weir_ledger_journal_limit_bytes{$by})`, "{{instance}}"},
		}},
	}
}

func process() []panel {
	return []panel{
		{"Memory", "Of the process, and what running requests hold of what they may.", "bytes", false, []query{
			{`sum by (instance) (process_resident_memory_bytes{$by})`, "{{instance}}"},
			{`sum by (instance) (weir_memory_held_bytes{$by})`, "{{instance}} held"},
			{`sum by (instance) (weir_memory_limit_bytes{$by}) < Inf`, "{{instance}} may hold"},
		}},
		{"Refused early", "For lack of memory, and clients that were refused before there was a request.", "reqps", true, []query{
			{`sum by (stage) (rate(weir_memory_refusals_total{$by}[$__rate_interval]))`, "memory, {{stage}}"},
			{`sum by (reason) (rate(weir_clients_refused_total{$by}[$__rate_interval]))`, "clients, {{reason}}"},
		}},
		{"Processors", "Processors in use.", "short", false, []query{
			{`sum by (instance) (rate(process_cpu_seconds_total{$by}[$__rate_interval]))`, "{{instance}}"},
		}},
		{"Config in force", "1 if the config file as last read is in force.", "short", false, []query{
			{`min by (instance) (weir_config_valid{$by})`, "{{instance}}"},
		}},
		{"Versions", "Weirs by version.", "short", false, []query{
			{`count by (version) (weir_build_info{$by})`, "{{version}}"},
		}},
		{"Dropped", "Lines of the log that were dropped, and spans by what became of them.", "short", true, []query{
			{`sum(rate(weir_log_dropped_total{$by}[$__rate_interval]))`, "lines of the log"},
			{`sum by (outcome) (rate(weir_trace_spans_total{outcome!="sent",$by}[$__rate_interval]))`, "spans {{outcome}}"},
		}},
	}
}

// Expression is one in the language of Prometheus.
type Expression struct {
	Of   string // the panel or the alert that has it
	Expr string
	Text string // that shows its labels, in double braces
}

// Expressions are all of the dashboard and of the alerts.
func Expressions() (all []Expression) {
	for _, r := range rows() {
		for _, p := range r.panels {
			for _, q := range p.queries {
				all = append(all, Expression{p.title, q.filtered(), q.legend})
			}
		}
	}
	for _, r := range rules() {
		all = append(all, Expression{r.name, r.expr, r.summary + r.action})
	}
	return all
}

// quantiles are three of a histogram.
func quantiles(metric string) (all []query) {
	for _, q := range []struct{ q, name string }{{"0.5", "half"}, {"0.95", "95 %"}, {"0.99", "99 %"}} {
		all = append(all, query{"histogram_quantile(" + q.q + ", sum by (le) (rate(" + metric + `_bucket{$by}[$__rate_interval])))`, q.name})
	}
	return all
}
