package relay

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

// Each dialect has names of its own for the classes of tokens. They are read into classes of which no token is in two, whether the answer
// passes or is translated.
func TestClassesInEveryDialect(t *testing.T) {
	t.Parallel()
	chat := strings.Replace(streamPrompts["chat/completions"], `"stream":true,`, "", 1)
	response := strings.Replace(streamPrompts["responses"], `"stream":true,`, "", 1)
	for _, tt := range []struct {
		kind, path, body, answer string
		want                     llm.Usage
	}{
		{
			"openai", "chat/completions", chat,
			`{"id":"c","object":"chat.completion","created":1,"model":"up","choices":[{"index":0,"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":60,"total_tokens":160,` +
				`"prompt_tokens_details":{"cached_tokens":10,"cache_write_tokens":20,"audio_tokens":30},"completion_tokens_details":{"reasoning_tokens":5,"audio_tokens":15,"image_tokens":25}}}`,
			llm.Usage{Fresh: 40, CacheRead: 10, CacheWrite: 20, AudioIn: 30, Text: 15, Reasoning: 5, AudioOut: 15, ImageOut: 25},
		},
		{
			"openai responses", "responses", response,
			`{"id":"r","object":"response","created_at":1,"model":"up","status":"completed","output":[` + messageItem + `],"usage":{"input_tokens":60,"output_tokens":9,"total_tokens":69,` +
				`"input_tokens_details":{"cached_tokens":20,"cache_write_tokens":30},"output_tokens_details":{"reasoning_tokens":4}}}`,
			llm.Usage{Fresh: 10, CacheRead: 20, CacheWrite: 30, Text: 5, Reasoning: 4},
		},
		{
			"anthropic", "messages", chat,
			`{"id":"a","type":"message","role":"assistant","model":"up","content":[{"type":"text","text":"A"}],"stop_reason":"end_turn","usage":{"input_tokens":10,"cache_read_input_tokens":20,"cache_creation_input_tokens":30,` +
				`"cache_creation":{"ephemeral_5m_input_tokens":18,"ephemeral_1h_input_tokens":12},"output_tokens":5,"server_tool_use":{"web_search_requests":2}}}`,
			llm.Usage{Fresh: 10, CacheRead: 20, CacheWrite: 18, CacheWrite1h: 12, Text: 5, Searches: 2},
		},
		{
			"gemini", "v1beta/models/m:generateContent", streamPrompts["v1beta/models/m:streamGenerateContent"],
			`{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[{"text":"A"}]}}],"modelVersion":"up","usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":10,"toolUsePromptTokenCount":5,` +
				`"candidatesTokenCount":50,"thoughtsTokenCount":7,"totalTokenCount":162,"promptTokensDetails":[{"modality":"TEXT","tokenCount":60},{"modality":"AUDIO","tokenCount":20},{"modality":"IMAGE","tokenCount":20}],` +
				`"cacheTokensDetails":[{"modality":"TEXT","tokenCount":10}],"candidatesTokensDetails":[{"modality":"TEXT","tokenCount":15},{"modality":"IMAGE","tokenCount":30},{"modality":"AUDIO","tokenCount":5}]}}`,
			llm.Usage{Fresh: 55, CacheRead: 10, AudioIn: 20, ImageIn: 20, Text: 15, Reasoning: 7, ImageOut: 30, AudioOut: 5},
		},
		{
			"bedrock", "chat/completions", chat,
			`{"output":{"message":{"role":"assistant","content":[{"text":"A"}]}},"stopReason":"end_turn","usage":{"inputTokens":10,"outputTokens":5,"totalTokens":65,"cacheReadInputTokens":20,"cacheWriteInputTokens":30,` +
				`"cacheDetails":[{"ttl":"1h","inputTokens":12},{"ttl":"5m","inputTokens":18}]}}`,
			llm.Usage{Fresh: 10, CacheRead: 20, CacheWrite: 18, CacheWrite1h: 12, Text: 5},
		},
		{
			"cohere", "chat/completions", chat,
			`{"id":"c","finish_reason":"COMPLETE","message":{"role":"assistant","content":[{"type":"text","text":"A"}]},"usage":{"billed_units":{"input_tokens":3,"output_tokens":4},"tokens":{"input_tokens":30,"output_tokens":5}}}`,
			llm.Usage{Fresh: 30, Text: 5, Charged: llm.Charged{Input: 3, Output: 4, Known: true}},
		},
	} {
		for _, path := range []string{tt.path, "chat/completions"} {
			body := tt.body
			if path != tt.path {
				body = chat
			}
			c, _ := answeredCall(t, tt.kind, path, body, "application/json", []byte(tt.answer))
			if c.Usage != tt.want || c.Estimated || !c.HasUsage {
				t.Errorf("%s at %s: %+v, want %+v", path, tt.kind, c.Usage, tt.want)
			}
		}
	}
}
