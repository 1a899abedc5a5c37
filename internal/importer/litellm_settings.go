package importer

import (
	"fmt"
	"strings"
)

// settings converts what is left of the sections.
func (l *litellm) settings() {
	l.admin()
	l.environment()
	l.callbacks()
	l.cache()
	for _, section := range []string{"litellm_settings", "router_settings", "general_settings"} {
		for _, f := range l.doc.Root.Get(section).fields() {
			if !f.Value.said {
				l.plain(f)
			}
		}
	}
	for _, section := range []struct{ name, why string }{
		{"mcp_servers", "Weir is no gateway for MCP: clients connect to these servers themselves"},
		{"guardrails", "Weir has no guardrails: keep them in the callers, or in a service before Weir"},
		{"callback_settings", "settings of callbacks, which Weir does not have"},
		{"vector_store_registry", "Weir has no stores of vectors"},
		{"files_settings", "Weir does not serve files"},
		{"finetune_settings", "Weir does not serve fine-tuning"},
		{"assistant_settings", "Weir does not serve assistants; callers of the Responses API can go on from answers: see responses"},
		{"search_tools", "Weir has no tools of its own"},
		{"prompts", "Weir keeps no prompts"},
		{"policies", "Weir has no guardrails"},
	} {
		if n := l.doc.Root.Get(section.name); !n.IsNull() {
			l.Unsupported(n, section.why)
		}
	}
}

// fields are the fields of a mapping, none for anything else.
func (n *Node) fields() []Field {
	if n == nil {
		return nil
	}
	return n.Fields
}

// admin converts the master key, which with LiteLLM is both a token for managing and a key.
func (l *litellm) admin() {
	n := l.doc.Root.Get("general_settings").Get("master_key")
	if n.Text() == "" {
		return
	}
	if len(n.Text()) < shortest {
		l.Manual(n, "it is too short for a token: Weir makes one of its own at the first start. Callers that use it need a key")
	} else if l.to.AdminToken = l.secret(n, "LITELLM_MASTER_KEY"); !strings.HasPrefix(string(l.to.AdminToken), "${") {
		l.to.AdminToken = ""
		l.Manual(n, "it only fills the field: Weir makes a token of its own at the first start")
	} else {
		const text = "admin.token, and no API key: callers that use it need a key of their own, or its digest in keys"
		if !n.said {
			l.Approximate(n, text)
		} else {
			l.Add(Finding{n.File, n.Line, n.Column, Approximate, n.Path, text})
		}
	}
	l.to.Offers = append(l.to.Offers, Offer{
		"Callers that use LiteLLM's master key as their API key go on with it if its digest is here: printf %s \"$LITELLM_MASTER_KEY\" | sha256sum",
		[]string{"keys:", `  - {name: master, digest: "sha256:…"}`},
	})
}

// environment reports variables that the file sets.
func (l *litellm) environment() {
	for _, f := range l.doc.Root.Get("environment_variables").fields() {
		l.Manual(f.Value, fmt.Sprintf("set the variable %s where Weir runs: its config sets none", f.Name))
	}
}

// callbacks converts where LiteLLM reports what happens.
func (l *litellm) callbacks() {
	for _, name := range []string{"callbacks", "success_callback", "failure_callback", "service_callbacks", "service_callback", "audit_log_callbacks"} {
		n := l.doc.Root.Get("litellm_settings").Get(name)
		items := n.list()
		if n.IsText() {
			items = []*Node{n}
		}
		for _, item := range items {
			l.callback(item)
		}
		if n.IsList() && len(items) == 0 {
			l.Exact(n, "always so in Weir")
		}
	}
}

// traced are callbacks that take, or write, spans of OpenTelemetry.
var traced = []string{"otel", "opentelemetry", "langfuse_otel", "langfuse", "arize", "arize_phoenix", "langtrace", "logfire", "traceloop", "weave_otel", "levo", "opik", "langsmith", "braintrust", "galileo", "agentops", "honeycomb"}

func (l *litellm) callback(n *Node) {
	name := n.Text()
	switch {
	case name == "prometheus" || name == "prometheus_system":
		l.Exact(n, "built in: GET /metrics on the admin listener, whose names are Weir's own")
		return
	case name == "max_parallel_requests" || name == "parallel_request_limiter" || name == "dynamic_rate_limiter" || name == "dynamic_rate_limiter_v3":
		l.Exact(n, "built in: limits of keys, teams, models and targets")
		return
	}
	for _, known := range traced {
		if name != known {
			continue
		}
		l.Manual(n, "set traces.endpoint to its address for OpenTelemetry; Weir's spans hold no prompts and no answers")
		if len(l.to.Offers) == 0 || l.to.Offers[len(l.to.Offers)-1].Why != tracesOffer {
			l.to.Offers = append(l.to.Offers, Offer{tracesOffer, []string{"traces:", `  endpoint: "${OTEL_EXPORTER_OTLP_ENDPOINT}"`}})
		}
		return
	}
	l.Unsupported(n, fmt.Sprintf("Weir runs no callback %q: what it would be given is in the log, the metrics and the ledger", name))
}

const tracesOffer = "Spans of requests for a collector of OpenTelemetry, with the path of the API, such as /v1/traces:"

// cache reports LiteLLM's cache of answers.
func (l *litellm) cache() {
	section := l.doc.Root.Get("litellm_settings")
	on, _ := section.Get("cache").Bool()
	if n := section.Get("cache"); n != nil {
		if on {
			l.Unsupported(n, "Weir keeps no answers for other requests: each goes to a provider")
		} else {
			l.Exact(n, "always so in Weir")
		}
	}
	if n := section.Get("cache_params"); n != nil {
		l.Unsupported(n, "settings of the cache of answers, which Weir does not have")
	}
}

// builtIn are settings of things that Weir does in its own way.
var builtIn = map[string]string{
	"allowed_fails": breaker, "allowed_fails_policy": breaker, "cooldown_time": breaker, "disable_cooldowns": breaker, "retry_after": breaker,
	"retry_policy": "not needed: Weir repeats by the class of a failure", "model_group_retry_policy": "not needed: Weir repeats by the class of a failure",
	"enable_pre_call_checks": "not needed: targets whose window is too small for a prompt are always passed over", "max_fallbacks": "not needed: each fallback is tried once",
	"routing_strategy_args": "not needed: policies have no parameters", "default_litellm_params": "", "set_verbose": logged, "json_logs": logged, "detailed_debug": logged, "debug": logged,
	"suppress_debug_info": logged, "turn_off_message_logging": "always so in Weir: Weir logs no prompts and no answers", "redact_user_api_key_info": "always so in Weir: Weir logs no keys",
	"log_raw_request_response": "Weir logs no prompts and no answers", "store_prompts_in_spend_logs": "Weir keeps no prompts and no answers",
	"telemetry": "always so in Weir: Weir reports nothing to its makers", "redis_host": shared, "redis_port": shared, "redis_password": shared, "redis_url": shared, "redis_db": shared, "cache_kwargs": shared,
	"redis_ssl": shared, "cache_responses": "", "use_redis_transaction_buffer": shared, "proxy_batch_write_at": ledgerText, "disable_spend_logs": ledgerText, "disable_spend_updates": ledgerText,
	"disable_error_logs": ledgerText, "proxy_budget_rescheduler_min_time": ledgerText, "proxy_budget_rescheduler_max_time": ledgerText, "maximum_spend_logs_retention_period": "see ledger.keep, 400 days by default",
	"database_connection_pool_limit": "the pool parameter of store, 10 by default", "database_connection_timeout": databases, "allow_requests_on_db_unavailable": "see stale_keys and start_without_store",
	"background_health_checks": probes, "health_check_interval": probes, "health_check_details": probes, "disable_add_transform_inline_image_block": "not needed",
	"modify_params": "not needed: Weir makes requests fit for each provider", "force_ipv4": "not needed: both are tried", "ssl_verify": "see ca_file of the providers",
	"num_workers": "not needed: one process uses all processors", "disable_master_key_return": "always so in Weir", "disable_adding_master_key_hash_to_db": "always so in Weir",
	"disable_end_user_cost_tracking": ledgerText, "enable_json_schema_validation": "left to the providers", "drop_params": "",
}

const (
	breaker    = "not needed: Weir watches how targets fare, and passes over those that fail"
	logged     = "not needed: the log is lines of JSON, on a terminal text"
	shared     = "not needed: Weirs share their store, see store: postgres://…"
	ledgerText = "not needed: the ledger has each call, and sums are always right"
	databases  = "not needed: Weir bounds its statements itself"
	probes     = "not needed: requests show how targets fare, and weir doctor asks them for free"
)

// plain converts a setting that stands for itself.
func (l *litellm) plain(f Field) {
	n := f.Value
	if why := builtIn[f.Name]; why != "" {
		l.Approximate(n, why)
		return
	}
	switch f.Name {
	case "drop_params":
		if on, _ := n.Bool(); on {
			l.Exact(n, "always so in Weir: what a model does not take is left out, and weir-ignored-params says so")
		} else {
			l.Approximate(n, "Weir leaves out what a model does not take, and says so in weir-ignored-params: strict: true at a model refuses such requests")
		}
	case "global_max_parallel_requests":
		if value, ok := n.Int(); ok && value > 0 && value <= maxPlaces {
			l.to.Requests = value
			l.Exact(n, "limits.requests")
			return
		}
		l.Manual(n, "it is no number of requests: it was left out")
	case "timezone":
		l.to.Timezone = n.Text()
		l.Exact(n, "timezone")
	case "database_url":
		l.Manual(n, "keys and teams are there: weir import litellm --keys reads them once. Weir's own store is store:, a file by default")
	case "store_model_in_db":
		l.Manual(n, "models that were added in LiteLLM's web pages are in its database, and not in the file: add them to models")
	case "max_parallel_requests":
		l.Manual(n, "set concurrent at the targets that it was for")
	case "max_budget", "budget_duration", "max_user_budget", "internal_user_budget_duration", "max_internal_user_budget", "default_internal_user_params", "default_team_settings", "default_key_generate_params", "upperbound_key_generate_params", "key_generation_settings", "default_team_params":
		l.Manual(n, "Weir has budgets of keys and teams, and none for all: give them to keys (weir keys update --budget)")
	case "extra_spend_tag_headers", "user_header_name", "user_header_mappings":
		l.Manual(n, "Weir's tags are in the header weir-tags: see docs/guides/see-what-is-used.md")
	case "alerting", "alerting_threshold", "alerting_args", "alert_types", "alert_to_webhook_url", "slack_alerting", "spend_report_frequency":
		l.Manual(n, "see alerts for budgets, and weir alerts for rules of Prometheus")
	case "custom_auth", "enable_jwt_auth", "litellm_jwtauth", "enable_oauth2_auth", "enable_oauth2_proxy_auth", "custom_key_generate", "custom_sso", "allowed_ips", "key_management_system", "key_management_settings", "pass_through_endpoints", "public_routes", "allowed_routes", "admin_only_routes", "ui_access_mode":
		l.Unsupported(n, "Weir lets callers in by API keys alone, and has no such setting")
	}
}
