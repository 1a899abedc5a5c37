package importer

import (
	"slices"
	"strings"
)

// vendor says what Weir calls a provider.
type vendor struct {
	kind string
	base string // where the kind has no address of its own, or another one
	tail string // what Weir's base_url has after the address that Bifrost and new-api are given
}

// vendorOf is what Weir calls a provider, given another gateway's name of it.
func vendorOf(name string) (v vendor, ok bool) {
	switch name = strings.ToLower(name); name {
	case openaiKind:
		return vendor{kind: openaiKind, tail: "/v1"}, true
	case azureKind, "azure-openai":
		return vendor{kind: azureKind}, true
	case anthropicKind:
		return vendor{kind: anthropicKind, tail: "/v1"}, true
	case bedrockKind:
		return vendor{kind: bedrockKind}, true
	case vertexKind, "vertex-ai":
		return vendor{kind: vertexKind}, true
	case geminiKind, "google":
		return vendor{kind: geminiKind, tail: "/v1beta"}, true
	case cohereKind:
		return vendor{kind: cohereKind}, true
	case ollamaKind:
		return vendor{kind: ollamaKind, tail: "/v1"}, true
	}
	if kind, ok := vendorKinds[name]; ok {
		return vendor{kind: kind, tail: "/v1"}, true
	}
	base, ok := vendorBases[name]
	return vendor{kind: openaiKind, base: base, tail: "/v1"}, ok
}

// vendorKinds are the vendors that Weir has a kind for, by the names that other gateways give them.
var vendorKinds = map[string]string{
	"groq": "groq", "mistral": "mistral", "mistral-ai": "mistral", "together-ai": "together", "together": "together", "fireworks": "fireworks",
	"fireworks-ai": "fireworks", "deepseek": "deepseek", "xai": "xai", "x-ai": "xai", "openrouter": "openrouter", "perplexity": "perplexity",
	"perplexity-ai": "perplexity", "cerebras": "cerebras", "huggingface": "huggingface", "nebius": "nebius", "sambanova": "sambanova",
	"deepinfra": "deepinfra", "moonshot": "moonshot", "dashscope": "qwen", "z-ai": "zai", "zai": "zai", "novita-ai": "novita", "novita": "novita",
	"siliconflow": "siliconflow", "voyage": "voyage", "github": "github", "ovhcloud": "ovhcloud", "nvidia": "nvidia", "minimax": "minimax",
	"vllm": "vllm", "lmstudio": "lmstudio", "databricks": "databricks", "baseten": "baseten", "scaleway": "scaleway", "vercel": "vercel",
	"workers-ai": "cloudflare", "cloudflare": "cloudflare", "cortex": "snowflake",
}

// vendorBases are the addresses of vendors that speak as OpenAI does, and that Weir has no kind for.
var vendorBases = map[string]string{
	"sgl": "http://127.0.0.1:30000/v1", "parasail": "https://api.parasail.io/v1", "anyscale": "https://api.endpoints.anyscale.com/v1",
	"jina": "https://api.jina.ai/v1", "ai21": "https://api.ai21.com/studio/v1", "lambda": "https://api.lambda.ai/v1", "inference-net": "https://api.inference.net/v1",
	"hyperbolic": "https://api.hyperbolic.xyz/v1", "nscale": "https://inference.api.nscale.com/v1", "featherless-ai": "https://api.featherless.ai/v1",
	"upstage": "https://api.upstage.ai/v1/solar", "lingyi": "https://api.lingyiwanwu.com/v1", "kluster-ai": "https://api.kluster.ai/v1",
	"zhipu": "https://open.bigmodel.cn/api/paas/v4", "monsterapi": "https://llm.monsterapi.ai/v1", "deepbricks": "https://api.deepbricks.ai/v1",
	"302ai": "https://api.302.ai/v1", "cometapi": "https://api.cometapi.com/v1", "iointelligence": "https://api.intelligence.io.solutions/api/v1",
	"krutrim": "https://cloud.olakrutrim.com/v1", "ncompass": "https://api.ncompass.tech/v1", "lemonfox-ai": "https://api.lemonfox.ai/v1",
}

// vendorNamed is the vendor of an account that someone named, such as openai-prod or my-anthropic-key, or of the model that it serves.
func vendorNamed(account, model string) (v vendor, ok bool) {
	name := strings.ToLower(strings.NewReplacer("_", "-", " ", "-", ".", "-").Replace(account))
	parts := strings.Split(name, "-")
	for size := len(parts); size > 0; size-- {
		for from := 0; from+size <= len(parts); from++ {
			if v, ok := vendorOf(strings.Join(parts[from:from+size], "-")); ok {
				return v, true
			}
		}
	}
	for _, known := range []struct{ part, name string }{{"openai", openaiKind}, {"open-ai", openaiKind}, {"claude", anthropicKind}, {"anthropic", anthropicKind}, {"gemini", geminiKind}, {"aws", bedrockKind}, {"azure", azureKind}} {
		if strings.Contains(name, known.part) {
			return vendorOf(known.name)
		}
	}
	switch bare := litellmBare(model); bare {
	case "":
		return vendor{}, false
	case "vertex_ai":
		return vendorOf(geminiKind)
	default:
		return vendorOf(bare)
	}
}

// unserved are vendors of images, sound and stores of vectors, which Weir does not serve.
var unserved = []string{"stability-ai", "segmind", "recraft-ai", "elevenlabs", "deepgram", "runway", "runware", "replicate", "meshy", "tripo3d", "milvus", "qdrant", "sarvam", "sagemaker", "triton", "oracle", "palm", "nomic"}

// isUnserved reports whether a vendor is one of those.
func isUnserved(name string) bool { return slices.Contains(unserved, name) }
