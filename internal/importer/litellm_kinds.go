package importer

import "strings"

// litellmKind says what Weir calls a provider of LiteLLM's.
type litellmKind struct {
	kind string
	env  string // the variable that LiteLLM reads the key from where the config has none
	base string // what LiteLLM calls where the kind has no address of its own
	tail string // what Weir's base_url has after LiteLLM's api_base
}

const (
	openaiKind    = "openai"
	azureKind     = "azure"
	anthropicKind = "anthropic"
	vertexKind    = "vertex"
	bedrockKind   = "bedrock"
	geminiKind    = "gemini"
	cohereKind    = "cohere"
	ollamaKind    = "ollama"
)

// litellmKindOf returns what is known of a provider by LiteLLM's name of it.
func litellmKindOf(name string) (k litellmKind, ok bool) {
	switch name {
	case "openai", "text-completion-openai", "custom_openai", "openai_like":
		return litellmKind{kind: openaiKind, env: "OPENAI_API_KEY"}, true
	case "azure", "azure_text":
		return litellmKind{kind: azureKind, env: "AZURE_API_KEY"}, true
	case "azure_ai":
		return litellmKind{kind: openaiKind, env: "AZURE_AI_API_KEY"}, true
	case "anthropic":
		return litellmKind{kind: anthropicKind, env: "ANTHROPIC_API_KEY", tail: "/v1"}, true
	case "vertex_ai", "vertex_ai_beta":
		return litellmKind{kind: vertexKind}, true
	case "bedrock", "bedrock_converse":
		return litellmKind{kind: bedrockKind}, true
	case "gemini":
		return litellmKind{kind: geminiKind, env: "GEMINI_API_KEY", tail: "/v1beta"}, true
	case "cohere", "cohere_chat":
		return litellmKind{kind: cohereKind, env: "COHERE_API_KEY"}, true
	case "ollama", "ollama_chat":
		return litellmKind{kind: ollamaKind, tail: "/v1"}, true
	case "mistral":
		return litellmKind{kind: "mistral", env: "MISTRAL_API_KEY", tail: "/v1"}, true
	case "litellm_proxy":
		return litellmKind{kind: openaiKind, env: "LITELLM_PROXY_API_KEY"}, true
	case "databricks":
		return litellmKind{kind: "databricks", env: "DATABRICKS_API_KEY", base: "${DATABRICKS_API_BASE}"}, true
	case "cloudflare":
		return litellmKind{kind: "cloudflare", env: "CLOUDFLARE_API_KEY", base: "https://api.cloudflare.com/client/v4/accounts/${CLOUDFLARE_ACCOUNT_ID}/ai/v1"}, true
	}
	if k, ok := litellmAsNamed[name]; ok {
		return k, true
	}
	k, ok = litellmServers[name]
	return k, ok
}

// litellmAsNamed are the vendors whose kind differs from others in nothing but its name.
var litellmAsNamed = map[string]litellmKind{
	"groq":              {kind: "groq", env: "GROQ_API_KEY"},
	"together_ai":       {kind: "together", env: "TOGETHERAI_API_KEY"},
	"fireworks_ai":      {kind: "fireworks", env: "FIREWORKS_AI_API_KEY"},
	"deepseek":          {kind: "deepseek", env: "DEEPSEEK_API_KEY"},
	"xai":               {kind: "xai", env: "XAI_API_KEY"},
	"openrouter":        {kind: "openrouter", env: "OPENROUTER_API_KEY"},
	"perplexity":        {kind: "perplexity", env: "PERPLEXITYAI_API_KEY"},
	"cerebras":          {kind: "cerebras", env: "CEREBRAS_API_KEY"},
	"nvidia_nim":        {kind: "nvidia", env: "NVIDIA_NIM_API_KEY"},
	"huggingface":       {kind: "huggingface", env: "HF_TOKEN"},
	"voyage":            {kind: "voyage", env: "VOYAGE_API_KEY"},
	"moonshot":          {kind: "moonshot", env: "MOONSHOT_API_KEY"},
	"dashscope":         {kind: "qwen", env: "DASHSCOPE_API_KEY"},
	"zai":               {kind: "zai", env: "ZAI_API_KEY"},
	"zhipu":             {kind: "zai", env: "ZHIPUAI_API_KEY"},
	"sambanova":         {kind: "sambanova", env: "SAMBANOVA_API_KEY"},
	"deepinfra":         {kind: "deepinfra", env: "DEEPINFRA_API_KEY"},
	"baseten":           {kind: "baseten", env: "BASETEN_API_KEY"},
	"nebius":            {kind: "nebius", env: "NEBIUS_API_KEY"},
	"scaleway":          {kind: "scaleway", env: "SCW_SECRET_KEY"},
	"vercel_ai_gateway": {kind: "vercel", env: "VERCEL_AI_GATEWAY_API_KEY"},
	"minimax":           {kind: "minimax", env: "MINIMAX_API_KEY"},
	"novita":            {kind: "novita", env: "NOVITA_API_KEY"},
	"siliconflow":       {kind: "siliconflow", env: "SILICONFLOW_API_KEY"},
	"ovhcloud":          {kind: "ovhcloud", env: "OVHCLOUD_API_KEY"},
	"heroku":            {kind: "heroku", env: "HEROKU_API_KEY"},
	"meta_llama":        {kind: "llama", env: "LLAMA_API_KEY"},
	"amazon_nova":       {kind: "nova", env: "AMAZON_NOVA_API_KEY"},
	"github":            {kind: "github", env: "GITHUB_API_KEY"},
	"snowflake":         {kind: "snowflake", env: "SNOWFLAKE_JWT", base: "${SNOWFLAKE_API_BASE}"},
}

// litellmServers are servers that speak as OpenAI does.
var litellmServers = map[string]litellmKind{
	"vllm":                {kind: "vllm"},
	"hosted_vllm":         {kind: "vllm"},
	"lm_studio":           {kind: "lmstudio"},
	"llamafile":           {kind: "llama.cpp", base: "http://127.0.0.1:8080/v1"},
	"xinference":          {kind: openaiKind, base: "http://127.0.0.1:9997/v1"},
	"lemonade":            {kind: openaiKind, base: "http://127.0.0.1:8000/api/v1"},
	"docker_model_runner": {kind: openaiKind, base: "http://127.0.0.1:12434/engines/v1"},
	"jina_ai":             {kind: openaiKind, env: "JINA_AI_API_KEY", base: "https://api.jina.ai/v1"},
	"ai21":                {kind: openaiKind, env: "AI21_API_KEY", base: "https://api.ai21.com/studio/v1"},
	"ai21_chat":           {kind: openaiKind, env: "AI21_API_KEY", base: "https://api.ai21.com/studio/v1"},
	"codestral":           {kind: openaiKind, env: "CODESTRAL_API_KEY", base: "https://codestral.mistral.ai/v1"},
	"volcengine":          {kind: openaiKind, env: "VOLCENGINE_API_KEY", base: "https://ark.cn-beijing.volces.com/api/v3"},
	"anyscale":            {kind: openaiKind, env: "ANYSCALE_API_KEY", base: "https://api.endpoints.anyscale.com/v1"},
	"friendliai":          {kind: openaiKind, env: "FRIENDLI_TOKEN", base: "https://api.friendli.ai/serverless/v1"},
	"featherless_ai":      {kind: openaiKind, env: "FEATHERLESS_AI_API_KEY", base: "https://api.featherless.ai/v1"},
	"hyperbolic":          {kind: openaiKind, env: "HYPERBOLIC_API_KEY", base: "https://api.hyperbolic.xyz/v1"},
	"lambda_ai":           {kind: openaiKind, env: "LAMBDA_API_KEY", base: "https://api.lambda.ai/v1"},
	"inception":           {kind: openaiKind, env: "INCEPTION_API_KEY", base: "https://api.inceptionlabs.ai/v1"},
	"aiml":                {kind: openaiKind, env: "AIML_API_KEY", base: "https://api.aimlapi.com/v1"},
	"nscale":              {kind: openaiKind, env: "NSCALE_API_KEY", base: "https://inference.api.nscale.com/v1"},
	"galadriel":           {kind: openaiKind, env: "GALADRIEL_API_KEY", base: "https://api.galadriel.com/v1"},
	"morph":               {kind: openaiKind, env: "MORPH_API_KEY", base: "https://api.morphllm.com/v1"},
	"gradient_ai":         {kind: openaiKind, env: "GRADIENT_AI_API_KEY", base: "https://inference.do-ai.run/v1"},
	"wandb":               {kind: openaiKind, env: "WANDB_API_KEY", base: "https://api.inference.wandb.ai/v1"},
	"synthetic":           {kind: openaiKind, env: "SYNTHETIC_API_KEY", base: "https://api.synthetic.new/openai/v1"},
	"chutes":              {kind: openaiKind, env: "CHUTES_API_KEY", base: "https://llm.chutes.ai/v1"},
	"poe":                 {kind: openaiKind, env: "POE_API_KEY", base: "https://api.poe.com/v1"},
	"nano-gpt":            {kind: openaiKind, env: "NANOGPT_API_KEY", base: "https://nano-gpt.com/api/v1"},
}

// litellmBare is the provider that LiteLLM knows a model without a provider's name to be of, "" for none.
func litellmBare(model string) string {
	for _, known := range []struct{ begin, provider string }{
		{"gpt-", openaiKind},
		{"chatgpt-", openaiKind},
		{"o1", openaiKind},
		{"o3", openaiKind},
		{"o4", openaiKind},
		{"text-embedding-", openaiKind},
		{"ft:", openaiKind},
		{"codex-", openaiKind},
		{"davinci-", openaiKind},
		{"babbage-", openaiKind},
		{"omni-moderation", openaiKind},
		{"computer-use", openaiKind},
		{"dall-e", openaiKind},
		{"whisper", openaiKind},
		{"tts-", openaiKind},
		{"claude-", anthropicKind},
		{"gemini-", "vertex_ai"},
		{"command-", cohereKind},
		{"embed-", cohereKind},
	} {
		if strings.HasPrefix(model, known.begin) {
			return known.provider
		}
	}
	return ""
}

// litellmUnserved is what Weir does not serve of what LiteLLM calls a mode of a model.
func litellmUnserved(mode string) bool {
	switch mode {
	case "", "chat", "completion", "embedding", "embeddings", "responses":
		return false
	}
	return true
}

// litellmModeOf is the mode of a model that is known by its name, for those that Weir does not serve.
func litellmModeOf(model string) string {
	for _, known := range []struct{ part, mode string }{
		{"dall-e", "image_generation"},
		{"gpt-image", "image_generation"},
		{"imagen-", "image_generation"},
		{"whisper", "audio_transcription"},
		{"-transcribe", "audio_transcription"},
		{"tts-1", "audio_speech"},
		{"-tts", "audio_speech"},
		{"rerank", "rerank"},
		{"-realtime", "realtime"},
		{"moderation", "moderation"},
		{"sora-", "video_generation"},
		{"veo-", "video_generation"},
	} {
		if strings.Contains(model, known.part) {
			return known.mode
		}
	}
	return ""
}
