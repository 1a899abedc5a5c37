package importer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// encrypted is the status of a row with values that are.
const encrypted = "encrypted"

// bifrostProviderRow is a row of config_providers.
type bifrostProviderRow struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	Network    string `json:"network_config_json"`
	Buffer     string `json:"concurrency_buffer_json"`
	Proxy      string `json:"proxy_config_json"`
	Custom     string `json:"custom_provider_config_json"`
	Encryption string `json:"encryption_status"`
}

// bifrostKeyRow is a row of config_keys.
type bifrostKeyRow struct {
	ID         int64    `json:"id"`
	Name       string   `json:"name"`
	Provider   int64    `json:"provider_id"`
	KeyID      string   `json:"key_id"`
	Value      string   `json:"value"`
	Models     string   `json:"models_json"`
	Not        string   `json:"blacklisted_models_json"`
	Aliases    string   `json:"aliases_json"`
	Weight     *float64 `json:"weight"`
	Enabled    *sqlBool `json:"enabled"`
	Encryption string   `json:"encryption_status"`

	AzureEndpoint string `json:"azure_endpoint"`
	AzureVersion  string `json:"azure_api_version"`
	AzureClient   string `json:"azure_client_id"`
	AzureSecret   string `json:"azure_client_secret"`
	AzureTenant   string `json:"azure_tenant_id"`
	AzureNames    string `json:"azure_deployments_json"`

	VertexProject string `json:"vertex_project_id"`
	VertexRegion  string `json:"vertex_region"`
	VertexSecret  string `json:"vertex_auth_credentials"`
	VertexNames   string `json:"vertex_deployments_json"`

	BedrockAccess string `json:"bedrock_access_key"`
	BedrockSecret string `json:"bedrock_secret_key"`
	BedrockToken  string `json:"bedrock_session_token"`
	BedrockRegion string `json:"bedrock_region"`
	BedrockARN    string `json:"bedrock_arn"`
	BedrockRole   string `json:"bedrock_role_arn"`
	BedrockNames  string `json:"bedrock_deployments_json"`

	Ollama    string `json:"ollama_url"`
	SGL       string `json:"sgl_url"`
	VLLM      string `json:"vllm_url"`
	VLLMModel string `json:"vllm_model_name"`
}

// bifrostVirtualRow is a row of governance_virtual_keys. Its value may be encrypted; the digest is there all the same.
type bifrostVirtualRow struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Value      string   `json:"value"`
	Hash       string   `json:"value_hash"`
	Active     *sqlBool `json:"is_active"`
	Team       string   `json:"team_id"`
	Customer   string   `json:"customer_id"`
	Budget     string   `json:"budget_id"`
	Rate       string   `json:"rate_limit_id"`
	Aligned    sqlBool  `json:"calendar_aligned"`
	Expires    string   `json:"expires_at"`
	Encryption string   `json:"encryption_status"`
}

// bifrostConfigRow is a row of governance_virtual_key_provider_configs.
type bifrostConfigRow struct {
	ID      int64    `json:"id"`
	Virtual string   `json:"virtual_key_id"`
	From    string   `json:"provider"`
	Weight  *float64 `json:"weight"`
	Models  string   `json:"allowed_models"`
	Not     string   `json:"blacklisted_models"`
	AllKeys *sqlBool `json:"allow_all_keys"`
	Budget  string   `json:"budget_id"`
	Rate    string   `json:"rate_limit_id"`
}

// bifrostSomeRow is a row of governance_virtual_key_provider_config_keys: a key of a provider that a virtual key may use.
type bifrostSomeRow struct {
	Config int64 `json:"table_virtual_key_provider_config_id"`
	Key    int64 `json:"table_key_id"`
}

// bifrostFile is a config.json.
type bifrostFile struct {
	Version    int                         `json:"version"`
	Providers  map[string]*bifrostProvider `json:"providers"`
	Governance struct {
		Virtual   []bifrostVirtual  `json:"virtual_keys"`
		Teams     []json.RawMessage `json:"teams,omitempty"`
		Customers []json.RawMessage `json:"customers,omitempty"`
		Budgets   []json.RawMessage `json:"budgets,omitempty"`
		Rates     []json.RawMessage `json:"rate_limits,omitempty"`
		Rules     []json.RawMessage `json:"routing_rules,omitempty"`
		Models    []json.RawMessage `json:"model_configs,omitempty"`
	} `json:"governance"`
	Plugins []json.RawMessage `json:"plugins,omitempty"`
	MCP     []json.RawMessage `json:"mcp,omitempty"`
}

type bifrostProvider struct {
	Keys    []bifrostKey    `json:"keys"`
	Network json.RawMessage `json:"network_config,omitempty"`
	Buffer  json.RawMessage `json:"concurrency_and_buffer_size,omitempty"`
	Proxy   json.RawMessage `json:"proxy_config,omitempty"`
	Custom  json.RawMessage `json:"custom_provider_config,omitempty"`
}

type bifrostKey struct {
	ID      string            `json:"id"`
	Name    string            `json:"name"`
	Value   string            `json:"value"`
	Models  json.RawMessage   `json:"models,omitempty"`
	Not     json.RawMessage   `json:"blacklisted_models,omitempty"`
	Aliases json.RawMessage   `json:"aliases,omitempty"`
	Weight  *float64          `json:"weight,omitempty"`
	Enabled *sqlBool          `json:"enabled,omitempty"`
	Azure   map[string]string `json:"azure_key_config,omitempty"`
	Vertex  map[string]string `json:"vertex_key_config,omitempty"`
	Bedrock map[string]string `json:"bedrock_key_config,omitempty"`
	Ollama  map[string]string `json:"ollama_key_config,omitempty"`
	SGL     map[string]string `json:"sgl_key_config,omitempty"`
	VLLM    map[string]string `json:"vllm_key_config,omitempty"`
}

type bifrostVirtual struct {
	ID       string               `json:"id"`
	Name     string               `json:"name"`
	Value    string               `json:"value,omitempty"`
	Hash     string               `json:"value_hash,omitempty"`
	Active   *sqlBool             `json:"is_active,omitempty"`
	Team     string               `json:"team_id,omitempty"`
	Customer string               `json:"customer_id,omitempty"`
	Budget   string               `json:"budget_id,omitempty"`
	Rate     string               `json:"rate_limit_id,omitempty"`
	Aligned  sqlBool              `json:"calendar_aligned,omitempty"`
	Expires  string               `json:"expires_at,omitempty"`
	Configs  []bifrostVirtualPart `json:"provider_configs"`
}

type bifrostVirtualPart struct {
	ID      int64           `json:"id"`
	From    string          `json:"provider"`
	Weight  *float64        `json:"weight,omitempty"`
	Models  json.RawMessage `json:"allowed_models,omitempty"`
	Not     json.RawMessage `json:"blacklisted_models,omitempty"`
	AllKeys *sqlBool        `json:"allow_all_keys,omitempty"`
	Keys    []string        `json:"key_ids,omitempty"`
	Budget  string          `json:"budget_id,omitempty"`
	Rate    string          `json:"rate_limit_id,omitempty"`
}

// config is the config.json that the rows are.
func (r *bifrostRows) config() *bifrostFile {
	file := &bifrostFile{Version: firstAllowing - 1, Providers: map[string]*bifrostProvider{}, Plugins: r.plugins, MCP: r.clients}
	if r.deny {
		file.Version = firstAllowing
	}
	byID, names := map[int64]*bifrostProvider{}, map[int64]string{}
	for i := range r.providers {
		row := &r.providers[i]
		p := &bifrostProvider{Keys: []bifrostKey{}, Network: jsonColumn(row.Network), Buffer: jsonColumn(row.Buffer), Proxy: jsonColumn(row.Proxy), Custom: jsonColumn(row.Custom)}
		if row.Proxy != "" && p.Proxy == nil {
			p.Proxy = json.RawMessage(`{"type":"http","url":"` + encryptedBegin + `proxy"}`)
		}
		file.Providers[row.Name], byID[row.ID] = p, p
	}
	for i := range r.keys {
		row := &r.keys[i]
		names[row.ID] = cmp.Or(row.KeyID, row.Name)
		if p := byID[row.Provider]; p != nil {
			p.Keys = append(p.Keys, row.key())
		}
	}
	configs := r.parts(names)
	g := &file.Governance
	g.Teams, g.Customers, g.Budgets, g.Rates, g.Rules, g.Models = r.teams, r.customers, r.budgets, r.rates, r.rules, r.models
	for i := range r.virtual {
		row := &r.virtual[i]
		v := bifrostVirtual{row.ID, row.Name, row.Value, row.Hash, row.Active, row.Team, row.Customer, row.Budget, row.Rate, row.Aligned, row.Expires, configs[row.ID]}
		if row.Encryption == encrypted {
			v.Value = encryptedBegin + row.ID
		}
		g.Virtual = append(g.Virtual, v)
	}
	return file
}

// parts are what virtual keys may use of providers, by the virtual keys' ids. names are those of the providers' keys.
func (r *bifrostRows) parts(names map[int64]string) map[string][]bifrostVirtualPart {
	some := map[int64][]string{}
	for _, s := range r.some {
		some[s.Config] = append(some[s.Config], names[s.Key])
	}
	all := map[string][]bifrostVirtualPart{}
	for i := range r.configs {
		c := &r.configs[i]
		all[c.Virtual] = append(all[c.Virtual], bifrostVirtualPart{c.ID, c.From, c.Weight, jsonColumn(c.Models), jsonColumn(c.Not), c.AllKeys, some[c.ID], c.Budget, c.Rate})
	}
	return all
}

// key is the key of a provider.
func (row *bifrostKeyRow) key() bifrostKey {
	settings := func(pairs ...string) map[string]string {
		all := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			if text := row.plain(pairs[i+1], pairs[i]); text != "" {
				all[pairs[i]] = text
			}
		}
		return all
	}
	k := bifrostKey{
		ID: row.KeyID, Name: row.Name, Value: row.plain(row.Value, "value"), Models: jsonColumn(row.Models), Not: jsonColumn(row.Not), Weight: row.Weight, Enabled: row.Enabled,
		Azure:   settings("endpoint", row.AzureEndpoint, "api_version", row.AzureVersion, "client_id", row.AzureClient, "client_secret", row.AzureSecret, "tenant_id", row.AzureTenant),
		Vertex:  settings("project_id", row.VertexProject, "region", row.VertexRegion, "auth_credentials", row.VertexSecret),
		Bedrock: settings("access_key", row.BedrockAccess, "secret_key", row.BedrockSecret, "session_token", row.BedrockToken, "region", row.BedrockRegion, "arn", row.BedrockARN, "role_arn", row.BedrockRole),
		Ollama:  settings("url", row.Ollama), SGL: settings("url", row.SGL), VLLM: settings("url", row.VLLM),
	}
	if row.VLLMModel != "" {
		k.VLLM["model_name"] = row.VLLMModel
	}
	for _, text := range []string{row.Aliases, row.AzureNames, row.VertexNames, row.BedrockNames} {
		switch names := jsonColumn(text); {
		case names != nil:
			k.Aliases = names
		case text != "" && row.Encryption == encrypted:
			k.Aliases = json.RawMessage(quote(encryptedBegin + "aliases"))
		}
	}
	return k
}

// plain is a value of a row, or a mark in its place if it is encrypted. References to variables and vaults are not.
func (row *bifrostKeyRow) plain(text, name string) string {
	if row.Encryption != encrypted || text == "" || strings.HasPrefix(text, "env.") || strings.HasPrefix(text, vaultBegin) {
		return text
	}
	return fmt.Sprintf("%s%d.%s", encryptedBegin, row.ID, name)
}

// jsonColumn is a column that has JSON, nil if it has none.
func jsonColumn(text string) json.RawMessage {
	if text == "" || text == "null" || text == "{}" || !json.Valid([]byte(text)) {
		return nil
	}
	return json.RawMessage(text)
}
