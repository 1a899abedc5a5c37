// Package provider calls upstreams. What a provider speaks and how it authenticates is its kind: a row of the
// table in this file. One kind with an address scheme of its own, azure, has a few lines in url.go.
package provider

import (
	"cmp"
	"slices"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/llm"
)

// usageMode says how a kind tells the usage of a stream.
type usageMode uint8

const (
	asks      usageMode = iota // only if stream_options.include_usage asks for it
	sends                      // always, whether asked or not
	sendsOnly                  // always, and stream_options is refused
)

// kind is one row: everything that Weir knows about a vendor as long as nothing but the default base URL is
// used. A provider with a base_url of its own has no renames and omissions, for behind it may be anything.
type kind struct {
	name    string
	baseURL string // "" makes base_url required
	env     string // the variable that holds its key by custom
	keyless bool   // works without a credential
	example string // a model that stands for the kind in a line to try
	header  string // that carries the bare credential; "" is a bearer token in Authorization

	rename map[string]string // top-level members it knows by another name
	omit   []string          // top-level members it refuses
	usage  usageMode

	paths  map[llm.Endpoint]string // below the base URL, where they differ from OpenAI's
	models string                  // path of the model list, "/models" if empty
	badKey string                  // text in a 400's message that means a bad credential
}

const maxTokens = "max_tokens"

// kinds is the table. Sources: the vendors' documentation and recorded traffic of July to November 2026.
var kinds = []kind{
	{name: "openai", baseURL: "https://api.openai.com/v1", env: "OPENAI_API_KEY", example: "gpt-5-mini"},
	{name: "azure", header: "Api-Key"},
	{
		name: "groq", baseURL: "https://api.groq.com/openai/v1", env: "GROQ_API_KEY", example: "llama-3.3-70b-versatile",
		omit: []string{"logprobs", "top_logprobs", "logit_bias"},
	},
	{name: "together", baseURL: "https://api.together.xyz/v1", env: "TOGETHER_API_KEY", example: "meta-llama/Llama-3.3-70B-Instruct-Turbo"},
	{name: "fireworks", baseURL: "https://api.fireworks.ai/inference/v1", env: "FIREWORKS_API_KEY", example: "accounts/fireworks/models/gpt-oss-20b", usage: sends},
	{
		name: "deepseek", baseURL: "https://api.deepseek.com/v1", env: "DEEPSEEK_API_KEY", example: "deepseek-chat",
		rename: map[string]string{"max_completion_tokens": maxTokens},
	},
	{name: "xai", baseURL: "https://api.x.ai/v1", env: "XAI_API_KEY", example: "grok-4", badKey: "Incorrect API key"},
	{
		name: "openrouter", baseURL: "https://openrouter.ai/api/v1", env: "OPENROUTER_API_KEY", example: "openai/gpt-5-mini",
		rename: map[string]string{"max_completion_tokens": maxTokens},
	},
	{
		name: "perplexity", baseURL: "https://api.perplexity.ai", env: "PERPLEXITY_API_KEY", example: "sonar", usage: sends,
		omit:  []string{"n", "logprobs", "top_logprobs", "stop", "seed", "logit_bias"},
		paths: map[llm.Endpoint]string{llm.Embeddings: "/v1/embeddings"}, models: "/v1/models",
	},
	{
		name: "cerebras", baseURL: "https://api.cerebras.ai/v1", env: "CEREBRAS_API_KEY", example: "gpt-oss-120b",
		omit: []string{"frequency_penalty", "presence_penalty", "logit_bias", "service_tier"},
	},
	{name: "nvidia", baseURL: "https://integrate.api.nvidia.com/v1", env: "NVIDIA_API_KEY", example: "meta/llama-3.3-70b-instruct"},
	{name: "huggingface", baseURL: "https://router.huggingface.co/v1", env: "HF_TOKEN", example: "meta-llama/Llama-3.3-70B-Instruct"},
	{
		name: "mistral", baseURL: "https://api.mistral.ai/v1", env: "MISTRAL_API_KEY", example: "mistral-small-latest", usage: sendsOnly,
		rename: map[string]string{"max_completion_tokens": maxTokens, "seed": "random_seed", "dimensions": "output_dimension"},
		omit: []string{
			"logprobs", "top_logprobs", "logit_bias", "user", "store", "service_tier", "modalities", "verbosity",
			"functions", "function_call",
		},
	},
	{name: "moonshot", baseURL: "https://api.moonshot.ai/v1", env: "MOONSHOT_API_KEY", example: "kimi-k2.5"},
	{name: "qwen", baseURL: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", env: "DASHSCOPE_API_KEY", example: "qwen-plus"},
	{name: "zai", baseURL: "https://api.z.ai/api/paas/v4", env: "ZAI_API_KEY", example: "glm-4.6"},
	{name: "sambanova", baseURL: "https://api.sambanova.ai/v1", env: "SAMBANOVA_API_KEY", example: "Meta-Llama-3.3-70B-Instruct"},
	{name: "ollama", baseURL: "http://127.0.0.1:11434/v1", keyless: true},
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
			Name: k.name, DefaultBaseURL: k.baseURL, NeedsKey: !k.keyless, APIVersion: k.name == "azure", EnvVar: k.env,
		})
	}
	return all
}

// ExampleModel is a model that a kind is likely to have, for a line to try, "" if there is none to name.
func ExampleModel(kind string) string {
	row, _ := kindOf(kind)
	return row.example
}

// path of an endpoint below the base URL.
func (k kind) path(e llm.Endpoint) string { return cmp.Or(k.paths[e], e.Path()) }
