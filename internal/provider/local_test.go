package provider

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/weirproxy/weir/internal/catalog"
)

func TestFindLocal(t *testing.T) {
	t.Parallel()
	serve := func(status int, body string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/models" {
				t.Errorf("asked for %s", r.URL.Path)
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}))
		t.Cleanup(s.Close)
		return s.URL + "/v1"
	}
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	found := findLocal(t.Context(), []catalog.Kind{
		{Name: "openai", BaseURL: serve(200, `{"data":[{"id":"m"}]}`)}, // needs a key: not a local server
		{Name: "ollama", Keyless: true, BaseURL: serve(200, `{"data":[{"id":"an-embedder"},{"id":"m"}]}`)},
		{Name: "lmstudio", Keyless: true, BaseURL: serve(200, `<html>`)},
		{Name: "vllm", Keyless: true, BaseURL: silent.URL},
		{Name: "llama.cpp", Keyless: true, BaseURL: serve(200, `{"object":"list","data":[]}`)},
		{Name: "sim", Keyless: true},
	}, nil)
	if !slices.Equal(found, []Local{{"ollama", "m"}, {"llama.cpp", ""}}) {
		t.Errorf("found %v", found)
	}
	elsewhere := findLocal(t.Context(), []catalog.Kind{{Name: "vllm", Keyless: true, BaseURL: silent.URL}}, map[string]string{"vllm": serve(200, `{"data":[{"id":"n"}]}`)})
	if !slices.Equal(elsewhere, []Local{{"vllm", "n"}}) {
		t.Errorf("found elsewhere: %v", elsewhere)
	}
}
