package provider

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
)

// A region makes the address. The model is one segment of the path, whatever is in its name; a caller's must not lead out of it.
func TestBedrock(t *testing.T) {
	t.Parallel()
	p := newProvider(t, config.Provider{Kind: "bedrock", Region: "eu-central-1", APIKey: secret.New("k1")})
	const host = "https://bedrock-runtime.eu-central-1.amazonaws.com/model/"
	for model, segment := range map[string]string{
		"eu.amazon.nova-lite-v1:0": "eu.amazon.nova-lite-v1%3A0",
		"arn:aws:bedrock:eu-central-1:1:inference-profile/eu.amazon.nova-lite-v1:0": "arn%3Aaws%3Abedrock%3Aeu-central-1%3A1%3Ainference-profile%2Feu.amazon.nova-lite-v1%3A0",
		"a b?c#d": "a%20b%3Fc%23d",
	} {
		if got := p.url(p.face(model), llm.Chat, model, false).String(); got != host+segment+"/converse" {
			t.Errorf("%s: %s", model, got)
		}
		if got := p.url(p.face(model), llm.Chat, model, true).String(); got != host+segment+"/converse-stream" {
			t.Errorf("%s: %s", model, got)
		}
		if got := p.url(p.face(model), llm.Embeddings, model, false).String(); got != host+segment+"/invoke" {
			t.Errorf("%s: %s", model, got)
		}
		if !p.CanName(model) {
			t.Errorf("%s cannot be", model)
		}
	}
	for _, model := range []string{"", ".", "..", "a/b", `a\b`, "arn:x/../y", "arn:x//y", "arn:x/", "arn:x/.", `arn:x/a\b`} {
		if p.CanName(model) {
			t.Errorf("%q could be", model)
		}
	}
	if h := p.headers[0]; h.stream.Get("Accept") != "application/vnd.amazon.eventstream" || h.whole.Get("Accept") != "application/json" || h.whole.Get("Authorization") != "Bearer k1" {
		t.Errorf("%v", h)
	}
	if !p.Serves(llm.Embeddings, "m") || p.Serves(llm.Completions, "m") || !p.Serves(llm.Chat, "m") || p.table != "amazon-bedrock" {
		t.Error("it is another provider")
	}
}

// No list of models is requested from a provider without one.
func TestNoList(t *testing.T) {
	t.Parallel()
	up := httptest.NewServer(nil)
	t.Cleanup(up.Close)
	p := newProvider(t, config.Provider{Kind: "bedrock", BaseURL: up.URL, APIKeys: []secret.Text{secret.New("k1"), secret.New("k2")}})
	if _, err := p.Models(context.Background()); !errors.Is(err, ErrNoModelList) {
		t.Error(err)
	}
}
