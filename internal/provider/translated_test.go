package provider

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
)

// A provider of another dialect has its own path and headers wherever it is, serves only chats, and leaves what its models
// take to the dialect.
func TestAnotherDialect(t *testing.T) {
	t.Parallel()
	seen := make(chan *http.Request, 1)
	up := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen <- r }))
	defer up.Close()
	p := newProvider(t, config.Provider{
		Kind: "anthropic", BaseURL: up.URL + "/v1", APIKey: secret.New("k1"), Headers: map[string]secret.Text{"Anthropic-Version": secret.New("2030-01-01")},
	})
	resp, err := p.Do(t.Context(), chatCall(t))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	r := <-seen
	got := []string{r.URL.Path, r.Header.Get("X-Api-Key"), r.Header.Get("Authorization"), r.Header.Get("Anthropic-Version")}
	if diff := cmp.Diff([]string{"/v1/messages", "k1", "", "2030-01-01"}, got); diff != "" {
		t.Error(diff)
	}
	if p.Dialect("m") != llm.Anthropic || !p.Serves(llm.Chat, "m") || p.Serves(llm.Embeddings, "m") || p.Serves(llm.Completions, "m") {
		t.Error("it is taken for a provider of OpenAI's dialect")
	}
	own := newProvider(t, config.Provider{Kind: "anthropic", APIKey: secret.New("k1"), Params: config.Params{Omit: []string{"seed"}}})
	c := own.Changes(parse(t, `{"model":"m","messages":[{}],"temperature":0,"max_tokens":2,"seed":1}`), "claude-opus-4-7", "", nil)
	if diff := cmp.Diff([]string{"seed"}, c.Omit); diff != "" || len(c.Rename) > 0 {
		t.Errorf("%v %s", c.Rename, diff)
	}
}
