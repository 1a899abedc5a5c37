package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// The metrics show which targets are down, which were skipped, which credentials are parked, and how warm each target's prompt
// cache is. They use only names from the config.
func TestFiguresOfRouting(t *testing.T) {
	t.Parallel()
	fails := func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Authorization"), "wrong") {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusInternalServerError)
	}
	broken, _ := startUpstream(t, nil, fails, nil)
	answer := `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"hi","refusal":null},"logprobs":null,"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":10,"completion_tokens":1,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":7}}}`
	well, _ := startUpstream(t, nil, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answer) }, nil)
	w := apptest.StartWith(t, fmt.Sprintf(`
providers:
  broken: {kind: openai, base_url: %q, api_key: upstream-credential}
  refused: {kind: openai, base_url: %q, api_keys: [wrong-credential-a, wrong-credential-b]}
  well: {kind: openai, base_url: %q, api_key: upstream-credential}
models:
  spared: {targets: [broken/x, well/y]}
  parked: {targets: [refused/x]}
  "any/*": {targets: ["broken/*", "well/*"]}
`, broken, broken, well))
	key := w.NewKey(t, "caller")
	ask := func(model string) { post(t, w, key, "/v1/chat/completions", chatBody(model)) }

	for target, want := range map[string]string{"x": "1", "*": "0"} { // no target of the pattern was named yet
		if got := figure(t, w, fmt.Sprintf(`weir_breakers{provider="broken",state="closed",upstream_model=%q}`, target)); got != want {
			t.Errorf("before anything %s closed breakers of broken/%s, want %s", got, target, want)
		}
	}
	until(t, "the target is down for the key, and was skipped", func() bool {
		ask("spared")
		return figure(t, w, `weir_breakers_of_keys{provider="broken",upstream_model="x"}`) == "1" &&
			figure(t, w, `weir_skips_total{provider="broken",reason="down"}`) != ""
	})
	if got := figure(t, w, `weir_breakers{provider="broken",state="closed",upstream_model="x"}`); got != "1" {
		t.Errorf("one key shuts the target off for all: %s breakers are closed", got)
	}
	other := w.NewKey(t, "other")
	until(t, "the target is down for all", func() bool {
		post(t, w, other, "/v1/chat/completions", chatBody("spared"))
		return figure(t, w, `weir_breakers{provider="broken",state="open",upstream_model="x"}`) == "1"
	})
	ask("parked")
	if got := figure(t, w, `weir_credentials_parked{provider="refused"}`); got != "2" {
		t.Errorf("%q are parked", got)
	}
	ask("parked")
	until(t, "a request finds no credential", func() bool {
		ask("parked")
		return figure(t, w, `weir_skips_total{provider="refused",reason="no_credential"}`) != ""
	})
	ask("any/made-up")
	for name, want := range map[string]string{
		`weir_target_tokens_total{class="cache_read",provider="well",upstream_model="*"}`:  "7",
		`weir_target_tokens_total{class="input_fresh",provider="well",upstream_model="*"}`: "3",
		`weir_target_tokens_total{class="output",provider="well",upstream_model="*"}`:      "1",
		`weir_credentials_parked{provider="well"}`:                                         "0",
		`weir_breakers{provider="broken",state="closed",upstream_model="x"}`:               "0",
	} {
		if got := figure(t, w, name); got != want {
			t.Errorf("%s is %q, want %s", name, got, want)
		}
	}
	if page := manage(t, w, "GET", "/metrics", ""); strings.Contains(page.body, "made-up") || !strings.Contains(page.body, `weir_breakers{provider="well",state="closed",upstream_model="*"}`) {
		t.Errorf("a name that a caller made up is a label, or none is told:\n%s", page.body)
	}
}
