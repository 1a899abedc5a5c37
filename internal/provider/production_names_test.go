package provider

import (
	"net/http"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/llm"
)

// Deployments at Azure have names of the operator's. One whose name ends in "-prod" is a chat model as before.
func TestDeploymentsForProductionAreChatModels(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]config.Provider{
		"v1":    {Name: "a", Kind: "azure", BaseURL: "https://r.openai.azure.com/openai/v1"},
		"dated": {Name: "a", Kind: "azure", BaseURL: "https://r.openai.azure.com", APIVersion: "2024-10-21"},
	} {
		p, err := NewWith(cfg, Identity{}, dial.New(nil), http.ProxyFromEnvironment)
		if err != nil {
			t.Fatal(err)
		}
		for _, model := range []string{"gpt-4o-prod", "gpt-35-turbo-production", "gpt-4o-project-x", "gpt-4.1"} {
			if d := p.DialectFor(model, llm.OpenAI); d != llm.OpenAI {
				t.Errorf("%s: a chat with deployment %s is called as %v at %s", name, model, d, p.Address(llm.Chat, model, false, llm.OpenAI))
			}
			if !p.Serves(llm.Completions, model) {
				t.Errorf("%s: deployment %s serves no completions any more", name, model)
			}
		}
	}
}
