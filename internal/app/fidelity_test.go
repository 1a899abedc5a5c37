package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/dialecttest"
)

// Every outcome of docs/how-it-works/translation holds in the real program, against a provider that refuses what the vendor's
// refuses. Omitted parameters are announced, and refused by name in strict mode. Impossible ones are always refused.
func TestFidelity(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartIn(t, fmt.Sprintf(`
providers:
  anthropic: {kind: anthropic, base_url: %[1]q, api_key: k}
  cohere: {kind: cohere, base_url: %[2]q, api_key: k}
  gemini: {kind: gemini, base_url: %[1]q, api_key: k}
  vertex: {kind: vertex, project: "12", region: global, base_url: %[1]q, headers: {Authorization: Bearer k}}
  converse: {kind: bedrock, base_url: %[1]q, api_key: k}
models:
  anthropic: {targets: [anthropic/claude-sonnet-4-5]}
  cohere: {targets: [cohere/command-a-reasoning-08-2025]}
  gemini: {targets: [gemini/gemini-2.5-flash]}
  vertex: {targets: [vertex/gemini-2.5-flash]}
  converse: {targets: [converse/eu.anthropic.claude-sonnet-4-5-20250929-v1:0]}
`, up.URL(), strings.TrimSuffix(up.URL(), "/v1")), nil)
	key := w.NewKey(t, "k")
	for model, least := range map[string]int{"anthropic": 25, "cohere": 25, "gemini": 25, "vertex": 4, "converse": 25} {
		all := dialecttest.Outcomes(t, "../..", model)
		if len(all) < least {
			t.Fatalf("%d rows for %s", len(all), model)
		}
		for _, row := range all {
			for _, example := range row.Examples {
				t.Run(model+"/"+example, func(t *testing.T) {
					body := `{"model":"` + model + `","messages":[{"role":"user","content":"hi"}],` + example + "}"
					holds(t, row.Is, post(t, w, key, "/chat/completions", body), post(t, w, key, "/chat/completions", body, "Weir-Strict", "true"))
				})
			}
		}
	}
}

// holds checks what a caller gets in both modes.
func holds(t *testing.T, outcome string, lax, strict answer) {
	t.Helper()
	const ignored = "Weir-Ignored-Params"
	switch outcome {
	case "left out":
		first, _, _ := strings.Cut(lax.header.Get(ignored), ",")
		if lax.status != http.StatusOK || first == "" {
			t.Errorf("%d, ignored %q: %s", lax.status, first, lax.body)
		}
		if strict.status != http.StatusBadRequest || strict.code() != "unsupported_parameter" || !strings.Contains(strict.body, `"param":"`+first+`"`) {
			t.Errorf("%s in strict mode: %d %s", first, strict.status, strict.body)
		}
	case "impossible":
		for _, one := range []answer{lax, strict} {
			if one.status != http.StatusBadRequest || one.code() != "unsupported_parameter" || strings.Contains(one.body, `"param":null`) {
				t.Errorf("%d %s", one.status, one.body)
			}
		}
	default:
		for _, one := range []answer{lax, strict} {
			if one.status != http.StatusOK || one.header.Get(ignored) != "" {
				t.Errorf("%d, ignored %q: %s", one.status, one.header.Get(ignored), one.body)
			}
		}
	}
}
