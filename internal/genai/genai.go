// Package genai has the names that OpenTelemetry's conventions for generative AI give to spans, attributes and metrics, and no others do.
// The conventions are still in development: here is what has to change when they do.
package genai

import "github.com/weirproxy/weir/internal/llm"

// Scope and Version say which conventions the names are from: https://github.com/open-telemetry/semantic-conventions-genai as of that day.
const (
	Scope   = "github.com/weirproxy/weir"
	Version = "genai-2026-11-23"
)

// The attributes of a call to a model.
const (
	Operation        = "gen_ai.operation.name"
	Provider         = "gen_ai.provider.name"
	RequestModel     = "gen_ai.request.model"
	RequestStream    = "gen_ai.request.stream"
	ResponseModel    = "gen_ai.response.model"
	FinishReasons    = "gen_ai.response.finish_reasons"
	TimeToFirstChunk = "gen_ai.response.time_to_first_chunk"
	InputTokens      = "gen_ai.usage.input_tokens"
	CacheRead        = "gen_ai.usage.cache_read.input_tokens"
	CacheCreation    = "gen_ai.usage.cache_creation.input_tokens"
	OutputTokens     = "gen_ai.usage.output_tokens"
	Reasoning        = "gen_ai.usage.reasoning.output_tokens"
	AudioIn          = "gen_ai.usage.audio.input_tokens"
	AudioOut         = "gen_ai.usage.audio.output_tokens"
	ImageIn          = "gen_ai.usage.image.input_tokens"
)

// The names of metrics, and of their labels, as Prometheus spells them.
const (
	DurationMetric  = "gen_ai_client_operation_duration_seconds"
	TokensMetric    = "gen_ai_client_token_usage"
	FirstMetric     = "gen_ai_client_operation_time_to_first_chunk_seconds"
	OperationLabel  = "gen_ai_operation_name"
	ProviderLabel   = "gen_ai_provider_name"
	ModelLabel      = "gen_ai_request_model"
	TokenTypeLabel  = "gen_ai_token_type"
	ErrorLabel      = "error_type"
	InputTokenType  = "input"
	OutputTokenType = "output"
)

// OperationOf is the name of what a call asks for in the dialect that its upstream speaks.
func OperationOf(e llm.Endpoint, spoken llm.Dialect) string {
	switch e {
	case llm.Completions:
		return "text_completion"
	case llm.Embeddings:
		return "embeddings"
	case llm.Counting, llm.Compacting: // for which the conventions have no name
		return e.String()
	}
	if spoken == llm.Gemini {
		return "generate_content"
	}
	return "chat"
}
