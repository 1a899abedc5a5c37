package refusal

import (
	"regexp"
	"slices"
	"strings"
)

// absent is one way in which an upstream says that it lacks the requested model. An error is meant if it has all that the row has.
type absent struct {
	code, typ string
	message   *regexp.Regexp
}

// absents are the ways of the vendors, of any dialect, from their documentation, recorded answers and what their users report. Messages
// are matched from their beginning: what follows may repeat what the caller sent.
var absents = []absent{
	{code: "model_not_found"},                            // OpenAI, Groq, Cerebras, Qwen, LM Studio, Hugging Face, Vercel
	{code: "model_not_available"},                        // Together
	{code: "model_not_supported"},                        // Hugging Face
	{code: "unknown_model"},                              // GitHub
	{code: "DeploymentNotFound"},                         // Azure
	{code: "InvalidEndpointOrModel.NotFound"},            // Volcengine
	{code: "1211"},                                       // Z.ai, whose message is in Chinese or English
	{code: "20012"},                                      // SiliconFlow
	{typ: "invalid_model"},                               // Mistral, Perplexity
	{typ: "ResourceNotFoundException"},                   // Bedrock; the model is the only resource that Weir names there
	{typ: "not_found_error", message: begins(`model: `)}, // Anthropic

	// OpenAI, vLLM, Nebius, xAI, Ollama, llama.cpp, Cohere, DeepSeek, Qwen, Fireworks, Cloudflare.
	{message: begins(`(the |that )?(requested )?model (or endpoint )?(NAME )?(does not exist|not exist|is not found|was not found|not found|was removed)\b`)},
	{message: begins(`(the )?(requested )?model NAME is not (supported by any provider|supported\. Supported models are|available on )`)}, // Hugging Face, Voyage, SambaNova
	{message: begins(`the supported API model names are .* but you passed `)},                                                             // DeepSeek
	{message: begins(`models/\S+ is not found for API version\b`)},                                                                        // Gemini
	{message: begins(`this model models/\S+ is no longer available\b`)},                                                                   // Gemini
	{message: begins(`\* GenerateContentRequest\.model: unexpected model name format`)},                                                   // Gemini
	{message: begins(`publisher model NAME (was )?not found\b`)},                                                                          // Vertex AI
	{message: begins(`the provided model identifier is invalid`)},                                                                         // Bedrock
	{message: begins(`invocation of model ID NAME with on-demand throughput`)},                                                            // Bedrock, whose inference profiles may have it
	{message: begins(`NAME is not a valid model ID$`)},                                                                                    // OpenRouter
	{message: begins(`no endpoints found for (this model\b|\S+/)`)},                                                                       // OpenRouter
	{message: begins(`unable to access (non-serverless )?model `)},                                                                        // Together
	{message: begins(`not found the model `)},                                                                                             // Moonshot
	{message: begins(`invalid model identifier `)},                                                                                        // LM Studio
	{message: begins(`no models loaded\.`)},                                                                                               // LM Studio
	{message: begins(`invalid model( ['"]|: )`)},                                                                                          // Perplexity, Mistral
	{message: begins(`(\S+: )*(\{'error': ')?('|")?invalid model name passed in model=`)},                                                 // LiteLLM
	{message: begins(`(invalid params, )?unknown model([:,]| ['"]|$)`)},                                                                   // Snowflake, GitHub, Z.ai, MiniMax
	{message: begins(`(AiError: )?no such model `)},                                                                                       // Cloudflare
	{message: begins(`function '[^']*': not found for account\b`)},                                                                        // NVIDIA
	{message: begins(`(endpoint with name '[^']*'|the given endpoint) does not exist\b`)},                                                 // Databricks
}

// begins is a pattern of a message's beginning, whatever the case. NAME matches the name of a model, quoted or not.
func begins(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^["\s]*` + strings.ReplaceAll(pattern, "NAME", "(?:\"[^\"]*\"|'[^']*'|`[^`]*`|\\S+)"))
}

// ModelNotFound reports whether the upstream says that it does not have the model.
func (e Error) ModelNotFound() bool {
	words := e.words()
	return slices.ContainsFunc(absents, func(a absent) bool {
		return (a.code == "" || a.code == e.Code) && (a.typ == "" || a.typ == e.Type) && (a.message == nil || a.message.MatchString(words))
	})
}
