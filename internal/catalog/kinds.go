// Package catalog is what is known of the vendors: a kind is a row of the table in this file, and says how a vendor is called and what
// it takes. It is data; package provider makes calls by it.
package catalog

import (
	"strings"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// usageMode says how a kind reports the usage of a stream.
type usageMode uint8

// The modes.
const (
	Asks      usageMode = iota // only if stream_options.include_usage asks for it
	Sends                      // always, whether asked or not
	SendsOnly                  // always, and stream_options is refused
)

// Kind is one row: everything that Weir knows about a vendor as long as nothing but the default base URL is used.
// A provider with its own base_url has no renames and omissions, and its models are not looked up, because any
// server may be there.
type Kind struct {
	Name    string
	BaseURL string            // "" makes base_url required; config.RegionHere in it is replaced by the region of the account
	Env     string            // the variable that holds its key by custom
	BaseEnv string            // the variable with another address for the vendor's own clients, or ""
	Path    string            // the path that these clients append to the address in the variable
	Keyless bool              // works without a credential
	Example string            // an example model of the kind, for a line to try
	Header  string            // that carries the bare credential; "" is a bearer token in Authorization
	GenAI   string            // its name in OpenTelemetry's conventions, where that is not the kind's
	Table   string            // its name in the table of capabilities, where that is not the kind's
	Regions map[string]string // base URLs of the regions that are not in the pattern
	Account string            // what base_url looks like, where there is one for each account
	Hosts   string            // the ending of hosts where every base_url is the vendor's own, if each account has one
	Dialect llm.Dialect
	Service string       // that calls are signed for
	Cloud   config.Cloud // where its credentials are from when they are no key
	Version [2]string    // a header that every call carries, and its value
	Passes  []Passed     // headers of callers that speak its dialect

	Rename map[string]string // top-level members it knows by another name
	Omit   []string          // top-level members it refuses
	Usage  usageMode

	// routing are top-level members with which a caller chooses models or providers at a kind that is itself a gateway. They would lead
	// past the scope of the caller's key, so they are left out unless the target's config passes them.
	Routing []string

	Bills bool // its usage says what the call costs, as it will be billed

	Uncounted bool // reasoning does not count among the tokens that a caller allows an answer

	Schemaless bool // refuses response_format with a schema

	Inputs  int  // most inputs in one call of embeddings, 0 if not known; more are sent in several calls
	NoFloat bool // refuses encoding_format "float", which is what it answers without
	Int8    bool // answers embeddings as base64 of signed bytes, and knows neither encoding_format of OpenAI's

	Paths   map[llm.Endpoint]string // below the base URL, where they differ from OpenAI's; {model} is replaced by the model's name
	Streams map[llm.Endpoint]string // the same for answers in events, where they are called elsewhere
	Faces   []Face                  // how some of its models are spoken to otherwise
	Also    []Face                  // how all of them are in other dialects, for callers of these
	Models  string                  // path of the model list with its query, "/models" if empty; from the root if it begins with "/../"; NoModels
	Trial   trial                   // what shows for free that credentials are accepted, without a list
	Accept  string                  // the content type of streams, if they are not server-sent events
	BadKey  string                  // beginning or end of the message of a 400 or 403 that means a bad credential

	History dialect.History // what it takes of the earlier turns of a chat
}

// trial is a call that costs nothing, for kinds whose API lists no models that can be called.
type trial struct {
	Path    string // below the base URL
	Body    string // "" for a GET
	Control bool   // at the host that manages what the base URL's serves
	May     string // what the credential may have to be allowed that calls do not need, "" if nothing
}

const maxTokens = "max_tokens"

// NoModels marks a kind that has no model list.
const NoModels = "-"

// betas is the header with the experimental parts of Anthropic's API that a caller uses, separated by commas.
const betas = "Anthropic-Beta"

// vertexBetas are those that Vertex AI takes in the header; it refuses requests with any other, as users of Claude Code report of November 2025
// to June 2026: https://github.com/anthropics/claude-code/issues/34802, …/21625, https://github.com/BerriAI/litellm/pull/31607
var vertexBetas = []string{
	"context-management-2025-06-27", "fine-grained-tool-streaming-2025-05-14", "interleaved-thinking-2025-05-14", "tool-search-tool-2025-10-19", "web-search-2025-03-05",
}

// bedrockBetas are those that Bedrock takes for Claude, each for some of its models:
// https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html
var bedrockBetas = []string{"computer-use-2025-01-24", "context-1m-2025-08-07", "interleaved-thinking-2025-05-14", "token-efficient-tools-2025-02-19"}

// claudeOnBedrock is how Bedrock's models of Anthropic's are spoken to in its own API, with the same bytes inside of AWS's frames. What the page
// above does not name is refused there; the Converse API leaves out less of it, or does more.
var claudeOnBedrock = Face{
	Named: []string{"anthropic.claude-*", "*.anthropic.claude-*", "*/anthropic.claude-*"}, Dialect: llm.Anthropic, Hosted: "bedrock-2023-05-31", Carrier: llm.Converse,
	Passes: []Passed{{Header: betas, Only: bedrockBetas, Body: true}},
	Takes: &dialect.Subset{
		Members: []string{
			"anthropic_beta", "anthropic_version", "max_tokens", "messages", "metadata", "model", "output_config", "stop_sequences", "system", "temperature", "thinking",
			"tool_choice", "tools", "top_k", "top_p",
		},
		Blocks: []string{"document", "image", "redacted_thinking", "text", "thinking", "tool_result", "tool_use"},
		Tools:  []string{"bash_", "computer_", "text_editor_"},
		Inline: true,
	},
	Paths:   map[llm.Endpoint]string{llm.Chat: "/model/" + ModelHere + "/invoke"},
	Streams: map[llm.Endpoint]string{llm.Chat: "/model/" + ModelHere + "/invoke-with-response-stream"},
}

// publishers is where the models of vendors are in a project of Google's.
const publishers = "/projects/" + ProjectHere + "/locations/" + config.RegionHere + "/publishers/"

// openaiAlone are the models that OpenAI, and Azure, serve in the Responses API alone; for chats they answer 404, "This model is only supported
// in v1/responses": https://platform.openai.com/docs/models, https://github.com/alvinunreal/tmuxai/issues/82
var openaiAlone = []string{"codex-*", "gpt-*-codex*", "gpt-*-pro", "gpt-*-pro-20*", "o1-pro", "o1-pro-20*", "o3-pro", "o3-pro-20*", "*-deep-research*", "computer-use-preview*"}

// xaiAlone are those of xAI: https://docs.x.ai/developers/model-capabilities/text/multi-agent#limitations
var xaiAlone = []string{"grok-*multi-agent*"}

// kinds is the table. Sources: the vendors' documentation and recorded traffic of July to November 2026.
var kinds = []Kind{
	{Name: "openai", BaseURL: "https://api.openai.com/v1", Env: "OPENAI_API_KEY", BaseEnv: "OPENAI_BASE_URL", Example: "gpt-5-mini", History: strict, Also: []Face{ResponsesFace}, Faces: responsesAlone(openaiAlone...)},
	{
		Name: "azure", GenAI: "azure.ai.openai", Header: "Api-Key", Account: "https://RESOURCE.openai.azure.com/openai/v1", Hosts: ".azure.com", Cloud: config.EntraCloud,
		History: strict, Also: []Face{ResponsesFace}, Faces: responsesAlone(openaiAlone...),
	},
	{
		Name: "anthropic", BaseURL: "https://api.anthropic.com/v1", Env: "ANTHROPIC_API_KEY", BaseEnv: "ANTHROPIC_BASE_URL", Path: "/v1", Example: "claude-haiku-4-5",
		Header: "X-Api-Key", Dialect: llm.Anthropic, Version: [2]string{"Anthropic-Version", "2023-06-01"}, Usage: Sends,
		Passes: []Passed{{Header: "Anthropic-Version"}, {Header: betas}},
		Paths:  map[llm.Endpoint]string{llm.Chat: "/messages", llm.Counting: "/messages/count_tokens"}, Models: "/models?limit=1000", BadKey: "Your credit balance is too low",
	},
	{ // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/learn/locations, …/partner-models/claude/use-claude
		Name: "vertex", GenAI: "gcp.vertex_ai", BaseURL: "https://" + config.RegionHere + "-aiplatform.googleapis.com/v1",
		Regions: map[string]string{
			"global": "https://aiplatform.googleapis.com/v1", "us": "https://aiplatform.us.rep.googleapis.com/v1", "eu": "https://aiplatform.eu.rep.googleapis.com/v1",
		},
		Dialect: llm.Vertex, Usage: Sends, Table: "google-vertex", Cloud: config.GoogleCloud, Models: NoModels,
		// It needs all that a call needs, and is not charged: https://firebase.google.com/docs/vertex-ai/count-tokens
		Trial: trial{Path: publishers + "google/models/gemini-2.5-flash:countTokens", Body: `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`},
		Paths: map[llm.Endpoint]string{
			llm.Chat: publishers + "google/models/{model}:generateContent", llm.Embeddings: publishers + "google/models/{model}:predict",
		},
		Streams: map[llm.Endpoint]string{llm.Chat: publishers + "google/models/{model}:streamGenerateContent?alt=sse"},
		Faces: []Face{{
			Models: "claude-", Dialect: llm.Anthropic, Hosted: "vertex-2023-10-16", Table: "google-vertex-anthropic",
			Passes: []Passed{{Header: betas, Only: vertexBetas}}, Takes: &dialect.Subset{Inline: true},
			Paths:   map[llm.Endpoint]string{llm.Chat: publishers + "anthropic/models/{model}:rawPredict"},
			Streams: map[llm.Endpoint]string{llm.Chat: publishers + "anthropic/models/{model}:streamRawPredict"},
		}, {
			Models: "gemini-embedding-2", Dialect: llm.Vertex, Table: "google-vertex",
			Paths: map[llm.Endpoint]string{llm.Embeddings: publishers + "google/models/{model}:embedContent"},
		}},
	},
	{
		Name: "cohere", BaseURL: "https://api.cohere.com", Env: "COHERE_API_KEY", BaseEnv: "CO_API_URL", Example: "command-a-03-2025", Dialect: llm.Cohere, Usage: Sends,
		Paths: map[llm.Endpoint]string{llm.Chat: "/v2/chat", llm.Embeddings: "/v2/embed"}, Models: "/v1/models?page_size=1000",
	},
	{
		Name: "gemini", GenAI: "gcp.gemini", BaseURL: "https://generativelanguage.googleapis.com/v1beta", Env: "GEMINI_API_KEY", BaseEnv: "GOOGLE_GEMINI_BASE_URL", Path: "/v1beta", Example: "gemini-2.5-flash",
		Header: "X-Goog-Api-Key", Dialect: llm.Gemini, Usage: Sends, Table: "google",
		Paths:   map[llm.Endpoint]string{llm.Chat: "/models/{model}:generateContent", llm.Embeddings: "/models/{model}:batchEmbedContents"},
		Streams: map[llm.Endpoint]string{llm.Chat: "/models/{model}:streamGenerateContent?alt=sse"},
		Models:  "/models?pageSize=1000", BadKey: "API key.", // ends what is said of keys that are unknown, expired or missing
	},
	{
		// Its models are listed by another host.
		Name: "bedrock", GenAI: "aws.bedrock", Service: "bedrock", Cloud: config.AWSCloud, BaseURL: "https://bedrock-runtime." + config.RegionHere + ".amazonaws.com", Env: "AWS_BEARER_TOKEN_BEDROCK",
		Example: "us.anthropic.claude-haiku-4-5-20251001-v1:0", Table: "amazon-bedrock", Dialect: llm.Converse, Usage: Sends,
		Paths:   map[llm.Endpoint]string{llm.Chat: "/model/" + ModelHere + "/converse", llm.Embeddings: "/model/" + ModelHere + "/invoke"},
		Models:  NoModels,
		Trial:   trial{Path: "/foundation-models", Control: true, May: "bedrock:ListFoundationModels"},
		Streams: map[llm.Endpoint]string{llm.Chat: "/model/" + ModelHere + "/converse-stream"}, Accept: "application/vnd.amazon.eventstream",
		BadKey: "your API Key is valid.", Also: []Face{claudeOnBedrock},
	},
	{
		Name: "groq", BaseURL: "https://api.groq.com/openai/v1", Env: "GROQ_API_KEY", BaseEnv: "GROQ_BASE_URL", Path: "/openai/v1", Example: "llama-3.3-70b-versatile",
		Omit: []string{"logprobs", "top_logprobs", "logit_bias"},
		History: dialect.History{
			Refuses: []string{reasoningContent, reasoningDetails, thinkingBlocks, refusalText, annotations, audio, cacheControl, extraContent},
		},
	},
	{Name: "together", BaseURL: "https://api.together.xyz/v1", Env: "TOGETHER_API_KEY", BaseEnv: "TOGETHER_BASE_URL", Example: "meta-llama/Llama-3.3-70B-Instruct-Turbo", Table: "togetherai"},
	{Name: "fireworks", BaseURL: "https://api.fireworks.ai/inference/v1", Env: "FIREWORKS_API_KEY", Example: "accounts/fireworks/models/gpt-oss-20b", Usage: Sends, Table: "fireworks-ai"},
	{
		Name: "deepseek", BaseURL: "https://api.deepseek.com/v1", Env: "DEEPSEEK_API_KEY", Example: "deepseek-chat",
		Rename: map[string]string{"max_completion_tokens": maxTokens}, Schemaless: true, History: insists,
	},
	{Name: "xai", GenAI: "x_ai", BaseURL: "https://api.x.ai/v1", Env: "XAI_API_KEY", Example: "grok-4", BadKey: "Incorrect API key", Bills: true, Uncounted: true, Faces: responsesAlone(xaiAlone...)},
	{
		Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1", Env: "OPENROUTER_API_KEY", Example: "openai/gpt-5-mini", Bills: true,
		Rename: map[string]string{"max_completion_tokens": maxTokens},
		// https://openrouter.ai/docs/api-reference/overview, …/features/provider-routing, …/features/presets
		Routing: []string{"models", "route", "provider", "plugins", "transforms", "preset"},
	},
	{
		Name: "perplexity", BaseURL: "https://api.perplexity.ai", Env: "PERPLEXITY_API_KEY", Example: "sonar", Usage: Sends, Bills: true,
		Omit:  []string{"n", "logprobs", "top_logprobs", "stop", "seed", "logit_bias"},
		Paths: map[llm.Endpoint]string{llm.Embeddings: "/v1/embeddings"}, Models: "/v1/models", History: system,
		Int8: true, // https://docs.perplexity.ai/docs/embeddings/best-practices
	},
	{
		Name: "cerebras", BaseURL: "https://api.cerebras.ai/v1", Env: "CEREBRAS_API_KEY", BaseEnv: "CEREBRAS_BASE_URL", Path: "/v1", Example: "gpt-oss-120b",
		Omit: []string{
			"frequency_penalty", "presence_penalty", "logit_bias", "service_tier", "store", "metadata", "safety_identifier", "verbosity", "modalities", "audio",
			"web_search_options", "moderation", "prompt_cache_retention", "prompt_cache_options",
		},
		History: dialect.History{
			Reasoning: reasoning, Refuses: []string{reasoningContent, reasoningDetails, thinkingBlocks, refusalText, annotations, audio, functionCall, cacheControl, extraContent},
		},
	},
	{Name: "nvidia", BaseURL: "https://integrate.api.nvidia.com/v1", Env: "NVIDIA_API_KEY", Example: "meta/llama-3.3-70b-instruct"},
	{Name: "huggingface", BaseURL: "https://router.huggingface.co/v1", Env: "HF_TOKEN", Example: "meta-llama/Llama-3.3-70B-Instruct"},
	{
		Name: "mistral", GenAI: "mistral_ai", BaseURL: "https://api.mistral.ai/v1", Env: "MISTRAL_API_KEY", Example: "mistral-small-latest", Usage: SendsOnly,
		Rename: map[string]string{"max_completion_tokens": maxTokens, "seed": "random_seed", "dimensions": "output_dimension"},
		Omit: []string{
			"logprobs", "top_logprobs", "logit_bias", "user", "safety_identifier", "store", "service_tier", "modalities", "audio", "verbosity",
			"web_search_options", "moderation", "prompt_cache_retention", "prompt_cache_options", "functions", "function_call",
		},
		History: dialect.History{
			Refuses: []string{
				reasoningContent, reasoning, reasoningDetails, thinkingBlocks, refusalText, annotations, audio, functionCall, speaker, cacheControl, extraContent,
			},
			IDs: dialect.NineOfID, System: true,
		},
		Inputs: 512,
	},
	{
		Name: "voyage", BaseURL: "https://api.voyageai.com/v1", Env: "VOYAGE_API_KEY", Inputs: 1000, NoFloat: true,
		Rename: map[string]string{"dimensions": "output_dimension"}, Omit: []string{"user"},
	},
	{Name: "moonshot", GenAI: "moonshot_ai", BaseURL: "https://api.moonshot.ai/v1", Env: "MOONSHOT_API_KEY", Example: "kimi-k2.5", Table: "moonshotai", History: both},
	{Name: "qwen", BaseURL: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", Env: "DASHSCOPE_API_KEY", Example: "qwen-plus", Table: "alibaba", Inputs: 10, History: system},
	{Name: "zai", BaseURL: "https://api.z.ai/api/paas/v4", Env: "ZAI_API_KEY", Example: "glm-4.6", History: system},
	{Name: "sambanova", BaseURL: "https://api.sambanova.ai/v1", Env: "SAMBANOVA_API_KEY", Example: "Meta-Llama-3.3-70B-Instruct"},
	{Name: "deepinfra", BaseURL: "https://api.deepinfra.com/v1/openai", Env: "DEEPINFRA_API_KEY", Example: "openai/gpt-oss-120b"},
	{Name: "baseten", BaseURL: "https://inference.baseten.co/v1", Env: "BASETEN_API_KEY", Example: "openai/gpt-oss-120b"},
	{Name: "nebius", BaseURL: "https://api.tokenfactory.nebius.com/v1", Env: "NEBIUS_API_KEY", Example: "openai/gpt-oss-120b"},
	{Name: "scaleway", BaseURL: "https://api.scaleway.ai/v1", Env: "SCALEWAY_API_KEY", Example: "gpt-oss-120b"},
	{ // https://vercel.com/docs/ai-gateway/models-and-providers/provider-options
		Name: "vercel", BaseURL: "https://ai-gateway.vercel.sh/v1", Env: "AI_GATEWAY_API_KEY", Example: "openai/gpt-5-mini", Bills: true,
		Routing: []string{"providerOptions", "models"},
	},
	{Name: "avian", BaseURL: "https://api.avian.io/v1", Env: "AVIAN_API_KEY", Example: "moonshotai/kimi-k2.5", Bills: true},
	{Name: "crusoe", BaseURL: "https://api.inference.crusoecloud.com/v1", Env: "CRUSOE_API_KEY", Example: "meta-llama/Llama-3.3-70B-Instruct"},
	{Name: "minimax", BaseURL: "https://api.minimax.io/v1", Env: "MINIMAX_API_KEY", Example: "MiniMax-M2"},
	{Name: "novita", BaseURL: "https://api.novita.ai/openai/v1", Env: "NOVITA_API_KEY", Example: "deepseek/deepseek-v3-0324"},
	{Name: "siliconflow", BaseURL: "https://api.siliconflow.com/v1", Env: "SILICONFLOW_API_KEY", Example: "openai/gpt-oss-120b"},
	{Name: "ovhcloud", BaseURL: "https://oai.endpoints.kepler.ai.cloud.ovh.net/v1", Env: "OVHCLOUD_API_KEY", Example: "gpt-oss-120b"},
	{Name: "heroku", BaseURL: "https://us.inference.heroku.com/v1", Env: "HEROKU_INFERENCE_KEY", Example: "gpt-oss-120b"},
	{Name: "llama", BaseURL: "https://api.llama.com/compat/v1", Env: "LLAMA_API_KEY", Example: "Llama-3.3-70B-Instruct"},
	{Name: "nova", BaseURL: "https://api.nova.amazon.com/v1", Env: "NOVA_API_KEY", Example: "nova-2-lite-v1"},
	{Name: "github", BaseURL: "https://models.github.ai/inference", Env: "GITHUB_TOKEN", Example: "openai/gpt-4.1", Table: "github-models", Models: "/../catalog/models"},
	{
		Name: "databricks", Account: "https://WORKSPACE.cloud.databricks.com/serving-endpoints", Env: "DATABRICKS_TOKEN", Example: "databricks-gpt-oss-120b",
		Hosts: ".databricks.com",
	},
	{Name: "snowflake", Account: "https://ACCOUNT.snowflakecomputing.com/api/v2/cortex/v1"},
	{
		Name: "cloudflare", Account: "https://api.cloudflare.com/client/v4/accounts/ACCOUNT/ai/v1", Env: "CLOUDFLARE_API_TOKEN", Example: "@cf/openai/gpt-oss-120b",
		Table: "cloudflare-workers-ai", Hosts: "api.cloudflare.com",
	},
	{Name: "ollama", BaseURL: "http://127.0.0.1:11434/v1", BaseEnv: "OLLAMA_HOST", Keyless: true},
	{Name: "lmstudio", BaseURL: "http://127.0.0.1:1234/v1", Keyless: true},
	{Name: "vllm", BaseURL: "http://127.0.0.1:8000/v1", Keyless: true},
	{Name: "llama.cpp", BaseURL: "http://127.0.0.1:8080/v1", Keyless: true},
	{Name: SimKind, Keyless: true},
}

// SimKind is the kind of the built-in simulated provider; the app gives it its base URL.
const SimKind = "sim"

// Kinds are all rows. They must not be changed.
func Kinds() []Kind { return kinds }

// Find is the row of a kind.
func Find(name string) (Kind, bool) {
	i := index(name)
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}

// index is the place of a row in the table, -1 without one. A row is large, so none is copied.
func index(name string) int {
	for i := range kinds {
		if kinds[i].Name == name {
			return i
		}
	}
	return -1
}

// ConfigKinds is what the config file may say of each kind.
func ConfigKinds() []config.Kind {
	all := make([]config.Kind, 0, len(kinds))
	for _, k := range kinds {
		all = append(all, config.Kind{
			Name: k.Name, DefaultBaseURL: k.BaseURL, ExampleBaseURL: k.Account, NeedsKey: !k.Keyless, EnvVar: k.Env,
			APIVersion: k.Name == "azure", Region: strings.Contains(k.BaseURL, config.RegionHere), Translated: k.Dialect != llm.OpenAI, Cloud: k.Cloud,
			Wordless: k.Dialect == llm.Cohere, Routes: len(k.Routing) > 0, BaseEnv: k.BaseEnv, BaseOf: k.baseOf,
		})
	}
	return all
}

// ExampleModel is a model that a kind is likely to have, for a line to try, or "".
func ExampleModel(kind string) string {
	row, _ := Find(kind)
	return row.Example
}
