package provider_test

import (
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
)

// Models that a vendor serves in its Responses API alone are called so for callers of every dialect, and all others as before.
func TestModelsThatHaveResponsesAlone(t *testing.T) {
	t.Parallel()
	mine := config.Provider{Kind: "openai", BaseURL: "https://models.example.com/v1"}
	speaks := func(list ...config.API) config.Provider {
		p := mine
		p.Speaks = list
		return p
	}
	azure := config.Provider{Kind: "azure", BaseURL: "https://mine.openai.azure.com/openai/v1"}
	for _, tt := range []struct {
		cfg       config.Provider
		model     string
		chat, own llm.Dialect // for callers of chats, and of Responses
		path      string
	}{
		{config.Provider{Kind: "openai"}, "gpt-5", llm.OpenAI, llm.Responses, "/v1/chat/completions"},
		{config.Provider{Kind: "openai"}, "gpt-5-chat-latest", llm.OpenAI, llm.Responses, "/v1/chat/completions"},
		{config.Provider{Kind: "openai"}, "o3", llm.OpenAI, llm.Responses, "/v1/chat/completions"},
		{config.Provider{Kind: "openai"}, "gpt-5-pro", llm.Responses, llm.Responses, "/v1/responses"},
		{config.Provider{Kind: "openai"}, "gpt-5.2-pro-2025-12-11", llm.Responses, llm.Responses, "/v1/responses"},
		{config.Provider{Kind: "openai"}, "gpt-5.1-codex-mini", llm.Responses, llm.Responses, "/v1/responses"},
		{config.Provider{Kind: "openai"}, "codex-mini-latest", llm.Responses, llm.Responses, "/v1/responses"},
		{config.Provider{Kind: "openai"}, "o3-pro", llm.Responses, llm.Responses, "/v1/responses"},
		{config.Provider{Kind: "openai"}, "o4-mini-deep-research", llm.Responses, llm.Responses, "/v1/responses"},
		{azure, "gpt-5-codex", llm.Responses, llm.Responses, "/openai/v1/responses"},
		{config.Provider{Kind: "xai"}, "grok-4.20-multi-agent-0309", llm.Responses, llm.Responses, "/v1/responses"},
		{config.Provider{Kind: "xai"}, "grok-4.20", llm.OpenAI, llm.OpenAI, "/v1/chat/completions"},
		{mine, "gpt-5-pro", llm.OpenAI, llm.OpenAI, "/v1/chat/completions"},
		{speaks(config.APIResponses), "any", llm.Responses, llm.Responses, "/v1/responses"},
		{speaks(config.APIResponses, config.APIMessages), "any", llm.Responses, llm.Responses, "/v1/responses"},
		{speaks(config.APIChat, config.APIResponses), "any", llm.OpenAI, llm.Responses, "/v1/chat/completions"},
	} {
		p, err := provider.New(tt.cfg, provider.Identity{})
		if err != nil {
			t.Fatal(err)
		}
		chat, own := p.DialectFor(tt.model, llm.OpenAI), p.DialectFor(tt.model, llm.Responses)
		if path := p.Address(llm.Chat, tt.model, false, chat); chat != tt.chat || own != tt.own || path != tt.path || !p.Serves(llm.Chat, tt.model) {
			t.Errorf("%s %s: %d, %d at %s", tt.cfg.Kind, tt.model, chat, own, path)
		}
		p.Close()
	}
}
