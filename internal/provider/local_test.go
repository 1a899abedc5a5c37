package provider

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
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
	found := findLocal(t.Context(), []kind{
		{name: "openai", baseURL: serve(200, `{"data":[{"id":"m"}]}`)}, // needs a key: not a local server
		{name: "ollama", keyless: true, baseURL: serve(200, `{"data":[{"id":"an-embedder"},{"id":"m"}]}`)},
		{name: "lmstudio", keyless: true, baseURL: serve(200, `<html>`)},
		{name: "vllm", keyless: true, baseURL: silent.URL},
		{name: "llama.cpp", keyless: true, baseURL: serve(200, `{"object":"list","data":[]}`)},
		{name: "sim", keyless: true},
	}, nil)
	if !slices.Equal(found, []Local{{"ollama", "m"}, {"llama.cpp", ""}}) {
		t.Errorf("found %v", found)
	}
	elsewhere := findLocal(t.Context(), []kind{{name: "vllm", keyless: true, baseURL: silent.URL}}, map[string]string{"vllm": serve(200, `{"data":[{"id":"n"}]}`)})
	if !slices.Equal(elsewhere, []Local{{"vllm", "n"}}) {
		t.Errorf("found elsewhere: %v", elsewhere)
	}
}
