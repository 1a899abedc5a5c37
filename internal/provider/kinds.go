// Package provider calls upstreams. What a provider speaks and how it authenticates is its kind: a row of the
// table in this file. One kind with an address scheme of its own, azure, has a few lines in url.go.
package provider

import (
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// usageMode says how a kind reports the usage of a stream.
type usageMode uint8

const (
	asks      usageMode = iota // only if stream_options.include_usage asks for it
	sends                      // always, whether asked or not
	sendsOnly                  // always, and stream_options is refused
)

// kind is one row: everything that Weir knows about a vendor as long as nothing but the default base URL is used.
// A provider with its own base_url has no renames and omissions, and its models are not looked up, because any
// server may be there.
type kind struct {
	name    string
	baseURL string            // "" makes base_url required; config.RegionHere in it is replaced by the region of the account
	env     string            // the variable that holds its key by custom
	baseEnv string            // the variable with another address for the vendor's own clients, or ""
	path    string            // the path that these clients append to the address in the variable
	keyless bool              // works without a credential
	example string            // an example model of the kind, for a line to try
	header  string            // that carries the bare credential; "" is a bearer token in Authorization
	table   string            // its name in the table of capabilities, where that is not the kind's
	regions map[string]string // base URLs of the regions that are not in the pattern
	account string            // what base_url looks like, where there is one for each account
	hosts   string            // the ending of hosts where every base_url is the vendor's own, if each account has one
	dialect llm.Dialect
	service string       // that calls are signed for
	cloud   config.Cloud // where its credentials are from when they are no key
	version [2]string    // a header that every call carries, and its value

	rename map[string]string // top-level members it knows by another name
	omit   []string          // top-level members it refuses
	usage  usageMode

	// routing are top-level members with which a caller chooses models or providers at a kind that is itself a gateway. They would lead
	// past the scope of the caller's key, so they are left out unless the target's config passes them.
	routing []string

	bills bool // its usage says what the call costs, as it will be billed

	schemaless bool // refuses response_format with a schema

	inputs  int  // most inputs in one call of embeddings, 0 if not known; more are sent in several calls
	noFloat bool // refuses encoding_format "float", which is what it answers without
	int8    bool // answers embeddings as base64 of signed bytes, and knows neither encoding_format of OpenAI's

	paths   map[llm.Endpoint]string // below the base URL, where they differ from OpenAI's; {model} is replaced by the model's name
	streams map[llm.Endpoint]string // the same for answers in events, where they are called elsewhere
	faces   []face                  // how some of its models are spoken to otherwise
	models  string                  // path of the model list with its query, "/models" if empty; from the root if it begins with "/../"; noModels
	trial   trial                   // what shows for free that credentials are accepted, without a list
	accept  string                  // the content type of streams, if they are not server-sent events
	badKey  string                  // beginning or end of the message of a 400 or 403 that means a bad credential

	history dialect.History // what it takes of the earlier turns of a chat
}

const maxTokens = "max_tokens"

// noModels marks a kind that has no model list.
const noModels = "-"

// publishers is where the models of vendors are in a project of Google's.
const publishers = "/projects/" + projectHere + "/locations/" + config.RegionHere + "/publishers/"

// kinds is the table. Sources: the vendors' documentation and recorded traffic of July to November 2026.
var kinds = []kind{
	{name: "openai", baseURL: "https://api.openai.com/v1", env: "OPENAI_API_KEY", baseEnv: "OPENAI_BASE_URL", example: "gpt-5-mini", history: strict},
	{
		name: "azure", header: "Api-Key", account: "https://RESOURCE.openai.azure.com/openai/v1", hosts: ".azure.com", cloud: config.EntraCloud,
		history: strict,
	},
	{
		name: "anthropic", baseURL: "https://api.anthropic.com/v1", env: "ANTHROPIC_API_KEY", baseEnv: "ANTHROPIC_BASE_URL", path: "/v1", example: "claude-haiku-4-5",
		header: "X-Api-Key", dialect: llm.Anthropic, version: [2]string{"Anthropic-Version", "2023-06-01"}, usage: sends,
		paths: map[llm.Endpoint]string{llm.Chat: "/messages"}, models: "/models?limit=1000", badKey: "Your credit balance is too low",
	},
	{ // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/learn/locations, …/partner-models/claude/use-claude
		name: "vertex", baseURL: "https://" + config.RegionHere + "-aiplatform.googleapis.com/v1",
		regions: map[string]string{
			"global": "https://aiplatform.googleapis.com/v1", "us": "https://aiplatform.us.rep.googleapis.com/v1", "eu": "https://aiplatform.eu.rep.googleapis.com/v1",
		},
		dialect: llm.Vertex, usage: sends, table: "google-vertex", cloud: config.GoogleCloud, models: noModels,
		// It needs all that a call needs, and is not charged: https://firebase.google.com/docs/vertex-ai/count-tokens
		trial: trial{path: publishers + "google/models/gemini-2.5-flash:countTokens", body: `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`},
		paths: map[llm.Endpoint]string{
			llm.Chat: publishers + "google/models/{model}:generateContent", llm.Embeddings: publishers + "google/models/{model}:predict",
		},
		streams: map[llm.Endpoint]string{llm.Chat: publishers + "google/models/{model}:streamGenerateContent?alt=sse"},
		faces: []face{{
			models: "claude-", dialect: llm.Anthropic, hosted: "vertex-2023-10-16", table: "google-vertex-anthropic",
			paths:   map[llm.Endpoint]string{llm.Chat: publishers + "anthropic/models/{model}:rawPredict"},
			streams: map[llm.Endpoint]string{llm.Chat: publishers + "anthropic/models/{model}:streamRawPredict"},
		}, {
			models: "gemini-embedding-2", dialect: llm.Vertex, table: "google-vertex",
			paths: map[llm.Endpoint]string{llm.Embeddings: publishers + "google/models/{model}:embedContent"},
		}},
	},
	{
		name: "cohere", baseURL: "https://api.cohere.com", env: "COHERE_API_KEY", baseEnv: "CO_API_URL", example: "command-a-03-2025", dialect: llm.Cohere, usage: sends,
		paths: map[llm.Endpoint]string{llm.Chat: "/v2/chat", llm.Embeddings: "/v2/embed"}, models: "/v1/models?page_size=1000",
	},
	{
		name: "gemini", baseURL: "https://generativelanguage.googleapis.com/v1beta", env: "GEMINI_API_KEY", baseEnv: "GOOGLE_GEMINI_BASE_URL", path: "/v1beta", example: "gemini-2.5-flash",
		header: "X-Goog-Api-Key", dialect: llm.Gemini, usage: sends, table: "google",
		paths:   map[llm.Endpoint]string{llm.Chat: "/models/{model}:generateContent", llm.Embeddings: "/models/{model}:batchEmbedContents"},
		streams: map[llm.Endpoint]string{llm.Chat: "/models/{model}:streamGenerateContent?alt=sse"},
		models:  "/models?pageSize=1000", badKey: "API key.", // ends what is said of keys that are unknown, expired or missing
	},
	{
		// Its models are listed by another host.
		name: "bedrock", service: "bedrock", cloud: config.AWSCloud, baseURL: "https://bedrock-runtime." + config.RegionHere + ".amazonaws.com", env: "AWS_BEARER_TOKEN_BEDROCK",
		example: "us.anthropic.claude-haiku-4-5-20251001-v1:0", table: "amazon-bedrock", dialect: llm.Converse, usage: sends,
		paths:   map[llm.Endpoint]string{llm.Chat: "/model/" + modelHere + "/converse", llm.Embeddings: "/model/" + modelHere + "/invoke"},
		models:  noModels,
		trial:   trial{path: "/foundation-models", control: true, may: "bedrock:ListFoundationModels"},
		streams: map[llm.Endpoint]string{llm.Chat: "/model/" + modelHere + "/converse-stream"}, accept: "application/vnd.amazon.eventstream",
		badKey: "your API Key is valid.",
	},
	{
		name: "groq", baseURL: "https://api.groq.com/openai/v1", env: "GROQ_API_KEY", baseEnv: "GROQ_BASE_URL", path: "/openai/v1", example: "llama-3.3-70b-versatile",
		omit: []string{"logprobs", "top_logprobs", "logit_bias"},
		history: dialect.History{
			Refuses: []string{reasoningContent, reasoningDetails, thinkingBlocks, refusalText, annotations, audio, cacheControl, extraContent},
		},
	},
	{name: "together", baseURL: "https://api.together.xyz/v1", env: "TOGETHER_API_KEY", baseEnv: "TOGETHER_BASE_URL", example: "meta-llama/Llama-3.3-70B-Instruct-Turbo", table: "togetherai"},
	{name: "fireworks", baseURL: "https://api.fireworks.ai/inference/v1", env: "FIREWORKS_API_KEY", example: "accounts/fireworks/models/gpt-oss-20b", usage: sends, table: "fireworks-ai"},
	{
		name: "deepseek", baseURL: "https://api.deepseek.com/v1", env: "DEEPSEEK_API_KEY", example: "deepseek-chat",
		rename: map[string]string{"max_completion_tokens": maxTokens}, schemaless: true, history: insists,
	},
	{name: "xai", baseURL: "https://api.x.ai/v1", env: "XAI_API_KEY", example: "grok-4", badKey: "Incorrect API key", bills: true},
	{
		name: "openrouter", baseURL: "https://openrouter.ai/api/v1", env: "OPENROUTER_API_KEY", example: "openai/gpt-5-mini", bills: true,
		rename: map[string]string{"max_completion_tokens": maxTokens},
		// https://openrouter.ai/docs/api-reference/overview, …/features/provider-routing, …/features/presets
		routing: []string{"models", "route", "provider", "plugins", "transforms", "preset"},
	},
	{
		name: "perplexity", baseURL: "https://api.perplexity.ai", env: "PERPLEXITY_API_KEY", example: "sonar", usage: sends, bills: true,
		omit:  []string{"n", "logprobs", "top_logprobs", "stop", "seed", "logit_bias"},
		paths: map[llm.Endpoint]string{llm.Embeddings: "/v1/embeddings"}, models: "/v1/models", history: system,
		int8: true, // https://docs.perplexity.ai/docs/embeddings/best-practices
	},
	{
		name: "cerebras", baseURL: "https://api.cerebras.ai/v1", env: "CEREBRAS_API_KEY", baseEnv: "CEREBRAS_BASE_URL", path: "/v1", example: "gpt-oss-120b",
		omit: []string{
			"frequency_penalty", "presence_penalty", "logit_bias", "service_tier", "store", "metadata", "safety_identifier", "verbosity", "modalities", "audio",
			"web_search_options", "moderation", "prompt_cache_retention", "prompt_cache_options",
		},
		history: dialect.History{
			Reasoning: reasoning, Refuses: []string{reasoningContent, reasoningDetails, thinkingBlocks, refusalText, annotations, audio, functionCall, cacheControl, extraContent},
		},
	},
	{name: "nvidia", baseURL: "https://integrate.api.nvidia.com/v1", env: "NVIDIA_API_KEY", example: "meta/llama-3.3-70b-instruct"},
	{name: "huggingface", baseURL: "https://router.huggingface.co/v1", env: "HF_TOKEN", example: "meta-llama/Llama-3.3-70B-Instruct"},
	{
		name: "mistral", baseURL: "https://api.mistral.ai/v1", env: "MISTRAL_API_KEY", example: "mistral-small-latest", usage: sendsOnly,
		rename: map[string]string{"max_completion_tokens": maxTokens, "seed": "random_seed", "dimensions": "output_dimension"},
		omit: []string{
			"logprobs", "top_logprobs", "logit_bias", "user", "safety_identifier", "store", "service_tier", "modalities", "audio", "verbosity",
			"web_search_options", "moderation", "prompt_cache_retention", "prompt_cache_options", "functions", "function_call",
		},
		history: dialect.History{
			Refuses: []string{
				reasoningContent, reasoning, reasoningDetails, thinkingBlocks, refusalText, annotations, audio, functionCall, speaker, cacheControl, extraContent,
			},
			IDs: dialect.NineOfID, System: true,
		},
		inputs: 512,
	},
	{
		name: "voyage", baseURL: "https://api.voyageai.com/v1", env: "VOYAGE_API_KEY", inputs: 1000, noFloat: true,
		rename: map[string]string{"dimensions": "output_dimension"}, omit: []string{"user"},
	},
	{name: "moonshot", baseURL: "https://api.moonshot.ai/v1", env: "MOONSHOT_API_KEY", example: "kimi-k2.5", table: "moonshotai", history: both},
	{name: "qwen", baseURL: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", env: "DASHSCOPE_API_KEY", example: "qwen-plus", table: "alibaba", inputs: 10, history: system},
	{name: "zai", baseURL: "https://api.z.ai/api/paas/v4", env: "ZAI_API_KEY", example: "glm-4.6", history: system},
	{name: "sambanova", baseURL: "https://api.sambanova.ai/v1", env: "SAMBANOVA_API_KEY", example: "Meta-Llama-3.3-70B-Instruct"},
	{name: "deepinfra", baseURL: "https://api.deepinfra.com/v1/openai", env: "DEEPINFRA_API_KEY", example: "openai/gpt-oss-120b"},
	{name: "baseten", baseURL: "https://inference.baseten.co/v1", env: "BASETEN_API_KEY", example: "openai/gpt-oss-120b"},
	{name: "nebius", baseURL: "https://api.tokenfactory.nebius.com/v1", env: "NEBIUS_API_KEY", example: "openai/gpt-oss-120b"},
	{name: "scaleway", baseURL: "https://api.scaleway.ai/v1", env: "SCALEWAY_API_KEY", example: "gpt-oss-120b"},
	{ // https://vercel.com/docs/ai-gateway/models-and-providers/provider-options
		name: "vercel", baseURL: "https://ai-gateway.vercel.sh/v1", env: "AI_GATEWAY_API_KEY", example: "openai/gpt-5-mini", bills: true,
		routing: []string{"providerOptions", "models"},
	},
	{name: "crusoe", baseURL: "https://api.inference.crusoecloud.com/v1", env: "CRUSOE_API_KEY", example: "meta-llama/Llama-3.3-70B-Instruct"},
	{name: "minimax", baseURL: "https://api.minimax.io/v1", env: "MINIMAX_API_KEY", example: "MiniMax-M2"},
	{name: "novita", baseURL: "https://api.novita.ai/openai/v1", env: "NOVITA_API_KEY", example: "deepseek/deepseek-v3-0324"},
	{name: "siliconflow", baseURL: "https://api.siliconflow.com/v1", env: "SILICONFLOW_API_KEY", example: "openai/gpt-oss-120b"},
	{name: "ovhcloud", baseURL: "https://oai.endpoints.kepler.ai.cloud.ovh.net/v1", env: "OVHCLOUD_API_KEY", example: "gpt-oss-120b"},
	{name: "heroku", baseURL: "https://us.inference.heroku.com/v1", env: "HEROKU_INFERENCE_KEY", example: "gpt-oss-120b"},
	{name: "llama", baseURL: "https://api.llama.com/compat/v1", env: "LLAMA_API_KEY", example: "Llama-3.3-70B-Instruct"},
	{name: "nova", baseURL: "https://api.nova.amazon.com/v1", env: "NOVA_API_KEY", example: "nova-2-lite-v1"},
	{name: "github", baseURL: "https://models.github.ai/inference", env: "GITHUB_TOKEN", example: "openai/gpt-4.1", table: "github-models", models: "/../catalog/models"},
	{
		name: "databricks", account: "https://WORKSPACE.cloud.databricks.com/serving-endpoints", env: "DATABRICKS_TOKEN", example: "databricks-gpt-oss-120b",
		hosts: ".databricks.com",
	},
	{name: "snowflake", account: "https://ACCOUNT.snowflakecomputing.com/api/v2/cortex/v1"},
	{
		name: "cloudflare", account: "https://api.cloudflare.com/client/v4/accounts/ACCOUNT/ai/v1", env: "CLOUDFLARE_API_TOKEN", example: "@cf/openai/gpt-oss-120b",
		table: "cloudflare-workers-ai", hosts: "api.cloudflare.com",
	},
	{name: "ollama", baseURL: "http://127.0.0.1:11434/v1", baseEnv: "OLLAMA_HOST", keyless: true},
	{name: "lmstudio", baseURL: "http://127.0.0.1:1234/v1", keyless: true},
	{name: "vllm", baseURL: "http://127.0.0.1:8000/v1", keyless: true},
	{name: "llama.cpp", baseURL: "http://127.0.0.1:8080/v1", keyless: true},
	{name: SimKind, keyless: true},
}

// SimKind is the kind of the built-in simulated provider; the app gives it its base URL.
const SimKind = "sim"

func kindOf(name string) (kind, bool) {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if i < 0 {
		return kind{}, false
	}
	return kinds[i], true
}

// ConfigKinds is what the config file may say of each kind.
func ConfigKinds() []config.Kind {
	all := make([]config.Kind, 0, len(kinds))
	for _, k := range kinds {
		all = append(all, config.Kind{
			Name: k.name, DefaultBaseURL: k.baseURL, ExampleBaseURL: k.account, NeedsKey: !k.keyless, EnvVar: k.env,
			APIVersion: k.name == "azure", Region: strings.Contains(k.baseURL, config.RegionHere), Translated: k.dialect != llm.OpenAI, Cloud: k.cloud,
			Wordless: k.dialect == llm.Cohere, Routes: len(k.routing) > 0, BaseEnv: k.baseEnv, BaseOf: k.baseOf,
		})
	}
	return all
}

// ExampleModel is a model that a kind is likely to have, for a line to try, or "".
func ExampleModel(kind string) string {
	row, _ := kindOf(kind)
	return row.example
}
