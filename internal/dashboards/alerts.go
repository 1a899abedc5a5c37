package dashboards

import (
	"fmt"
	"strconv"
	"strings"
)

// rule is an alert. lasting is how long its expression must hold, "" for an instant. severity says how urgent it is: page is for now, ticket for office
// hours.
type rule struct {
	name, expr, lasting, severity string
	summary, action               string
}

const page, ticket = "page", "ticket"

// rules are the alerts. $job is the name of Weir's job in Prometheus. Of two expressions with and, $value is the first one's.
func rules() []rule {
	return []rule{
		{"WeirDown", `up{job="$job"} == 0`, "2m", page, "Weir at {{ $labels.instance }} does not answer", "Look whether the process runs, and at the end of its log."},
		{"WeirFailing", `sum(rate(weir_requests_total{status=~"5.."}[5m])) / sum(rate(weir_requests_total[5m])) > 0.05 and sum(rate(weir_requests_total{status=~"5.."}[5m])) > 0.1`, "5m", page, "{{ $value | humanizePercentage }} of requests fail", "See which codes in weir_requests_total by error, and which provider in weir_attempts_total by outcome."},
		{"WeirNoHealthyTarget", `sum by (model) (rate(weir_requests_total{error="no_healthy_target"}[5m])) > 0`, "2m", page, "No target of {{ $labels.model }} is healthy", "weir models shows why each target is down. Add a target or a fallback at another provider."},
		{"WeirBreakerOpen", `sum by (provider, upstream_model) (weir_breakers{state="open"}) > 0`, "10m", ticket, "{{ $labels.provider }}/{{ $labels.upstream_model }} has failed too often and is not called", "weir doctor asks the provider. Other targets of its models serve their requests meanwhile."},
		{"WeirCredentialParked", `sum by (provider) (weir_credentials_parked) > 0`, "5m", ticket, "{{ $labels.provider }} refuses a credential", "Replace the key, or pay the bill. weir doctor says which one it is."},
		{"WeirFirstContentSlow", `histogram_quantile(0.95, sum by (model, le) (rate(weir_time_to_first_content_seconds_bucket[15m]))) > 3 * histogram_quantile(0.95, sum by (model, le) (rate(weir_time_to_first_content_seconds_bucket[15m] offset 1w)))`, "15m", ticket, "{{ $labels.model }} takes three times as long as a week ago until its first content", "Compare with weir_overhead_seconds: the provider is slow, unless that has grown too."},
		{"WeirSlow", `histogram_quantile(0.99, sum by (instance, le) (rate(weir_overhead_seconds_bucket[5m]))) > 0.05`, "10m", ticket, "Weir at {{ $labels.instance }} takes more than 50 ms of its own", "It may lack processors or memory: see process_cpu_seconds_total and weir_memory_held_bytes."},
		{"WeirStreamsCut", `sum by (model) (rate(weir_streams_cut_total[10m])) / sum by (model) (rate(weir_requests_total[10m])) > 0.02`, "10m", ticket, "{{ $value | humanizePercentage }} of the streams of {{ $labels.model }} are cut", "The log has the lines with cut true, and what their upstreams did in tried."},
		{"WeirConfigRefused", `weir_config_valid == 0`, "5m", ticket, "Weir at {{ $labels.instance }} runs with an older config", "weir check prints what is wrong with the file."},
		{"WeirSecretFailing", `sum by (instance, source) (weir_secrets_failing) > 0`, "10m", ticket, "Weir at {{ $labels.instance }} cannot read secrets of {{ $labels.source }} again", "Their last values stay in use until a restart, which would fail. The log and GET /admin/v1/settings say which they are, and why."},
		{"WeirVaultTokenEnds", `weir_vault_token_expires_timestamp_seconds > 0 and weir_vault_token_expires_timestamp_seconds - time() < 600`, "5m", ticket, "The token for Vault of Weir at {{ $labels.instance }} ends soon, or has ended", "Weir could not renew it: the log says why. Put another in its place."},
		{"WeirMemoryShort", `weir_memory_held_bytes / weir_memory_limit_bytes > 0.85`, "5m", page, "Weir at {{ $labels.instance }} refuses large requests for want of memory", "Give it more memory, or lower limits.requests or limits.body."},
		{"WeirLedgerBehind", `weir_ledger_behind_seconds > 300`, "1m", page, "Weir at {{ $labels.instance }} cannot write its calls to the store", "Look at the store and at the log. When the journal is full, requests are refused."},
		{"WeirLedgerFailing", `weir_ledger_failing == 1 or increase(weir_ledger_unrecorded_total[5m]) > 0 or increase(weir_ledger_damaged_segments[5m]) > 0`, "", page, "Weir at {{ $labels.instance }} cannot record calls", "The disk of its data folder may be full or broken: the log says which."},
		{"WeirJournalFull", `weir_ledger_journal_bytes / weir_ledger_journal_limit_bytes > 0.8`, "5m", page, "The journal of Weir at {{ $labels.instance }} is nearly full", "The store cannot be written. When the journal is full, requests are refused."},
		{"WeirStoreSilent", `weir_replica_store_answers == 0`, "2m", page, "Weir at {{ $labels.instance }} cannot ask the database that it shares with others", "Budgets and limits hold, as far as they reach without the others. Look at the database and at the log."},
		{"WeirCostHigh", `sum(rate(weir_cost_dollars_total[1h])) > 4 * sum(rate(weir_cost_dollars_total[7d])) and 3600 * sum(rate(weir_cost_dollars_total[1h])) > 1`, "30m", ticket, "Calls cost four times as much as in the last week", "weir usage --by key --since 1h --top 10 shows whose."},
		{"WeirRevocationUnsaved", `weir_revocations_unsaved > 0`, "5m", page, "Weir at {{ $labels.instance }} cannot store that keys were revoked", "Other Weirs still accept them. Look at the store."},
		{"WeirTokenLogin", `increase(weir_console_logins_total{with="token"}[5m]) > 0`, "", ticket, "A browser was logged in to the console of Weir at {{ $labels.instance }} with the admin token", "If you do not know of it, restart Weir with another admin token, which ends it. The log has its address."},
		{"WeirAlertsLost", `increase(weir_alerts_total{outcome!="sent"}[10m]) > 0`, "", ticket, "Alerts of budgets were not delivered", "The log says what the receiver answered."},
		{"WeirSpansLost", `sum by (instance) (rate(weir_trace_spans_total{outcome!="sent"}[10m])) > 0`, "10m", ticket, "Weir at {{ $labels.instance }} loses spans", "The log says what the collector answered."},
	}
}

// Alerts are the alerts as a file of rules for Prometheus, whose job named job scrapes Weir.
func Alerts(job string) string {
	var b strings.Builder
	b.WriteString("# Alerts on Weir, for Prometheus: rule_files in its config names this file. severity: page is for now, ticket for office hours.\ngroups:\n  - name: weir\n    rules:\n")
	for _, r := range rules() {
		fmt.Fprintf(&b, "      - alert: %s\n        expr: %s\n", r.name, quote(strings.ReplaceAll(r.expr, `"$job"`, strconv.Quote(job))))
		if r.lasting != "" {
			fmt.Fprintf(&b, "        for: %s\n", r.lasting)
		}
		fmt.Fprintf(&b, "        labels: {severity: %s}\n        annotations:\n          summary: %s\n          description: %s\n", r.severity, quote(r.summary), quote(r.action))
	}
	return b.String()
}

// quote is a text as YAML has it in single quotes, within which only the quote itself is special.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
