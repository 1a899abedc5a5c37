package importer

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bifrost is Maxim's gateway: the config.json that it is started with, or what BifrostTables reads from its database.
type Bifrost struct {
	Now time.Time // says which periods of budgets are over
}

// Name implements Source.
func (Bifrost) Name() string { return "bifrost" }

// bifrost is one conversion.
type bifrost struct {
	to *Draft
	*Report
	secrets *secrets
	root    *Node
	now     time.Time
	served  []string // the providers that are in the result, by their names there
}

// bifrostNames are the names by which a config of Bifrost's is known.
var bifrostNames = []string{"providers", "governance", "config_store", "client", "plugins", "mcp", "logs_store", "auth_config"}

// Convert implements Source.
func (from Bifrost) Convert(doc *Document, to *Draft) error {
	b := &bifrost{to: to, Report: to.Report, root: doc.Root, now: from.Now}
	dereference(doc.Root)
	b.secrets = newSecrets(to.Report, doc.Root, func(text string) (string, bool) {
		if name, ok := strings.CutPrefix(text, "env."); ok && name != "" {
			return name, true
		}
		return substituted(text)
	})
	if !slices.ContainsFunc(bifrostNames, func(name string) bool { return doc.Root.Get(name) != nil }) {
		return &SourceError{doc.Name, doc.Root.Line, doc.Root.Column, "this is no config of Bifrost's: it has neither providers nor governance, config_store or client"}
	}
	providers := doc.Root.Get("providers")
	for _, f := range providers.fields() {
		b.provider(f.Name, f.Value)
	}
	if len(providers.fields()) == 0 {
		b.Add(Finding{doc.Root.File, doc.Root.Line, doc.Root.Column, Manual, "providers", "the file has no providers: those that were added in Bifrost's web pages are in its database: add them"})
	}
	if governance := doc.Root.Get("governance"); governance.IsMap() {
		b.governance(governance)
	}
	b.settings()
	return nil
}

// dereference makes texts of the objects by which later versions of Bifrost refer to variables and vaults.
func dereference(n *Node) {
	if env, ref, value := n.Get("env_var"), n.Get("ref"), n.Get("value"); n.IsMap() && value != nil && !value.IsMap() && (env != nil || ref != nil || n.Get("from_env") != nil) {
		spelled := value.Text()
		for _, other := range []*Node{env, ref} {
			if name := other.Text(); name != "" {
				spelled = name
				if !strings.HasPrefix(name, "env.") && !strings.HasPrefix(name, "vault.") && n.Get("type").Text() != "vault" {
					spelled = "env." + name
				}
			}
		}
		n.kind, n.value, n.Fields = text, spelled, nil
		return
	}
	for _, f := range n.Fields {
		dereference(f.Value)
	}
	for _, item := range n.Items {
		dereference(item)
	}
}

// firstAllowing is the version of the format in which an empty list of models allows none.
const firstAllowing = 2

// everything reports whether a list of models allows all.
func (b *bifrost) everything(n *Node) bool {
	names := n.Texts()
	if len(names) > 0 {
		return slices.Contains(names, "*")
	}
	version, ok := b.root.Get("version").Int()
	if n != nil && !n.said {
		switch {
		case ok && version < firstAllowing:
			b.Exact(n, "all models, as the version of the file says")
		case ok:
			b.Approximate(n, "an empty list allows no model, as the version of the file says")
			return false
		default:
			b.Approximate(n, "an empty list is taken to allow all models, as in Bifrost before 1.5: later it allows none")
		}
	}
	return true
}

// Values that the source does not have begin with one of these: those in a vault, and those that are encrypted in the database.
const (
	vaultBegin     = "vault."
	encryptedBegin = "encrypted."
)

// isElsewhere reports whether a text is one of those.
func isElsewhere(text string) bool {
	return strings.HasPrefix(text, vaultBegin) || strings.HasPrefix(text, encryptedBegin)
}

// value is a value that is no secret. One that the source does not have becomes a variable, by the given name if that is free.
func (b *bifrost) value(n *Node, name string) Text {
	if !isElsewhere(n.Text()) {
		return b.secrets.value(n)
	}
	variable := b.secrets.free(strings.ToUpper(variableName(name)))
	if strings.HasPrefix(n.Text(), vaultBegin) {
		b.Manual(n, fmt.Sprintf("the value is in a vault: set the variable %s to it, or write ${vault:path#field} in its place", variable))
	} else {
		b.Manual(n, fmt.Sprintf("the value is encrypted in Bifrost's database: set the variable %s to it", variable))
	}
	return Variable(variable)
}

// secret is a credential.
func (b *bifrost) secret(n *Node, name string) Text {
	if isElsewhere(n.Text()) {
		return b.value(n, name)
	}
	return b.secrets.secret(n, name)
}

// settings reports what is not of a provider.
func (b *bifrost) settings() {
	for _, f := range []struct {
		name  string
		class Class
		why   string
	}{
		{"$schema", Exact, "not needed: it only describes the file"},
		{"version", Exact, "read: what an empty list of models means"},
		{"encryption_key", Manual, "Weir's keys are digests, so it encrypts none"},
		{"config_store", Manual, "what was changed in Bifrost's web pages is in this database, and not in the file, and so is what was spent: import the database in place of the file"},
		{"logs_store", Approximate, "not needed: Weir's ledger has each call, and keeps no prompts and no answers"},
		{"vector_store", Unsupported, "Weir keeps no answers for other requests"},
		{"plugins", Unsupported, "Weir runs no plugins: limits, metrics and traces are built in"},
		{"mcp", Unsupported, "Weir is no gateway for MCP: clients connect to these servers themselves"},
		{"framework", Approximate, "not needed: Weir has prices of its own; price at a target sets others"},
		{"server", Approximate, "not needed: see limits"},
		{"source_of_truth", Exact, "always so in Weir: the file counts"},
		{"env_label", Unsupported, "Weir shows no label"},
		{"auth_config", Manual, "Weir's managing API takes admin.token: set it, or use the one that Weir makes at its first start"},
		{"guardrails_config", Unsupported, "Weir has no guardrails: keep them in the callers, or in a service before Weir"},
		{"alerting", Manual, "see alerts for budgets, and weir alerts for rules of Prometheus"},
		{"websocket", Unsupported, "Weir does not serve this"},
		{"cluster_config", Approximate, "not needed: Weirs share their store, see store: postgres://…"},
	} {
		n := b.root.Get(f.name)
		if n == nil {
			continue
		}
		b.say(n, f.class, f.why)
	}
	for _, f := range b.root.Get("client").fields() {
		b.client(f)
	}
}

// bifrostClient are settings of client, and what Weir does instead.
var bifrostClient = map[string]string{
	"drop_excess_requests": "see limits.requests and limits.wait", "initial_pool_size": "not needed: Weir makes what it needs", "enable_logging": ledgerText,
	"disable_content_logging": "always so in Weir: Weir logs no prompts and no answers", "log_retention_days": "see ledger.keep, 400 days by default",
	"enforce_governance_header": authText, "enforce_auth_on_inference": authText, "enable_governance": authText, "enforce_scim_auth": authText,
	"max_request_body_size_mb": "see limits.body", "enable_litellm_fallbacks": "not needed", "compat": "not needed: Weir makes requests fit for each provider",
	"prometheus_labels": "see metrics: labels are Weir's own", "header_filter_config": "see forward_headers of the providers", "allow_direct_keys": "never so in Weir: callers send no keys of providers",
	"disable_db_pings_in_health": "not needed", "dump_errors_in_console_logs": logged, "routing_chain_max_depth": "not needed: fallbacks of fallbacks are not followed",
	"hide_deleted_virtual_keys_in_filters": "not needed", "allowed_headers": "see cors",
}

const authText = "always so in Weir: callers need a key"

func (b *bifrost) client(f Field) {
	switch {
	case bifrostClient[f.Name] != "":
		b.Approximate(f.Value, bifrostClient[f.Name])
	case f.Name == "allowed_origins":
		b.Manual(f.Value, "set cors.origins to these")
	case strings.HasPrefix(f.Name, "mcp_") || f.Name == "oauth2_server_config":
		b.Unsupported(f.Value, "Weir is no gateway for MCP")
	default:
		b.Unsupported(f.Value, fmt.Sprintf("Weir has no setting like %s", f.Name))
	}
}
