package app_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// A target that fails is soon not called any more. Callers get their answer elsewhere, or an error at once.
func TestBreaker(t *testing.T) {
	t.Parallel()
	fails := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }
	broken, calls := startUpstream(t, nil, fails, nil)
	well, _ := startUpstream(t, nil, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, completion("well")) }, nil)
	w := apptest.StartWith(t, fmt.Sprintf(`
providers:
  broken: {kind: openai, base_url: %q, api_key: upstream-credential}
  well: {kind: openai, base_url: %q, api_key: upstream-credential}
models:
  alone: {targets: [broken/x]}
  spared: {targets: [broken/y, well/y]}
`, broken, well))
	key := w.NewKey(t, "caller")
	ask := func(model string) answer {
		return post(t, w, key, "/v1/chat/completions", fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":"hi"}]}`, model))
	}

	// A moment that lasts longer than it should may let a probe through, so what must come is waited for.
	until(t, "a request for the lone target is refused at once", func() bool {
		before := calls.Load()
		a := ask("alone")
		if a.code() == "upstream_failed" {
			return false
		}
		if a.code() != "no_healthy_target" || a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" || calls.Load() != before {
			t.Fatalf("%d %v %s, %d calls", a.status, a.header, a.body, calls.Load()-before)
		}
		return true
	})
	until(t, "a request is answered at the first attempt", func() bool {
		a := ask("spared")
		if a.status != http.StatusOK || a.header.Get("Weir-Provider") != "well" {
			t.Fatalf("%d %s", a.status, a.body)
		}
		return a.header.Get("Weir-Attempts") == "1"
	})
	logTells(t, w, `"skipped":["broken/x down"]`, `"skipped":["broken/y down"]`)
}
