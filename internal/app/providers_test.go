package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/app/apptest"
)

// A provider is shown with the breakers of its targets and the states of its credentials, never with their values, and can be had to be tried again
// at once.
func TestProvidersAreShownAndReset(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"rules":[{"match":{"model":"down","contains":"fail"},"status":500}, {"match":{"authorization":"refused-credential","path":"/chat/completions"},"status":401}]}`))
	w := apptest.StartWith(t, fmt.Sprintf(`
providers:
  up: {kind: openai, base_url: %q, api_keys: [good-credential, refused-credential]}
  idle: {kind: openai, base_url: %q, api_key: another-credential}
models:
  down: {targets: [up/down], retries: {max_attempts: 1}}
  same: {targets: [up/down]}
  all/*: {targets: ["up/*"]}
`, up.URL(), up.URL()))
	client := &admin.Client{BaseURL: w.AdminURL(), Token: w.AdminToken()}
	list := func() (of map[string]admin.Provider) {
		all, err := client.Providers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		of = map[string]admin.Provider{}
		for _, p := range all {
			of[p.Provider] = p
		}
		return of
	}
	one, other := w.NewKey(t, "one"), w.NewKey(t, "other")
	for _, key := range []string{one, other} {
		for range 4 {
			post(t, w, key, "/v1/chat/completions", chatBody("all/well"))
		}
	}
	failing := `{"model":"down","messages":[{"role":"user","content":"fail"}]}`
	for range 5 {
		post(t, w, one, "/v1/chat/completions", failing)
		post(t, w, other, "/v1/chat/completions", failing)
	}
	isDown := func(t admin.ProviderTarget) bool { return t.Target == "up/down" }
	before := list()
	p := before["up"]
	if len(before) != 2 || p.Kind != "openai" || slices.IndexFunc(p.Targets, isDown) < 0 || len(p.Credentials) != 2 || len(before["idle"].Targets) != 0 || before["idle"].Credentials[0].State != "ready" {
		t.Fatalf("%+v", before)
	}
	down := p.Targets[slices.IndexFunc(p.Targets, isDown)]
	if down.Target != "up/down" || strings.Join(down.Models, " ") != "down same" || down.Breaker == "closed" || down.OpenSince == nil {
		t.Errorf("%+v", down)
	}
	if c := p.Credentials[1]; c.Number != 1 || c.State != "parked" || c.Reason == nil || c.Since == nil || c.Until == nil || p.Credentials[0].State != "ready" {
		t.Errorf("%+v", p.Credentials)
	}
	raw := manage(t, w, "GET", "/admin/v1/providers", "").body
	if strings.Contains(raw, "-credential\"") || strings.Contains(raw, up.URL()) {
		t.Errorf("too much is shown: %s", raw)
	}
	if csv := manage(t, w, "GET", "/admin/v1/providers?format=csv", ""); !strings.HasPrefix(csv.body, "provider,kind,targets,credentials\n") {
		t.Errorf("as CSV: %s", csv.body)
	}
	if _, err := client.ResetProvider(t.Context(), "up", "up/*"); err != nil {
		t.Error(err)
	}
	if c := list()["up"].Credentials[1]; c.State != "parked" {
		t.Errorf("a target alone was reset: %+v", c)
	}
	after, err := client.ResetProvider(t.Context(), "up", "")
	if err != nil || after.Credentials[1].State != "ready" || after.Credentials[1].Until != nil || after.Targets[slices.IndexFunc(after.Targets, isDown)].Breaker == "open" {
		t.Errorf("%+v %v", after, err)
	}
	until(t, "the target serves again", func() bool {
		return post(t, w, one, "/v1/chat/completions", chatBody("down")).status == 200
	})
	logTells(t, w, `"path":"/admin/v1/providers/up/reset"`)
	for path, body := range map[string]string{"none": "", "up": `{"target":"up/none"}`, "idle": `{"target":"up/down"}`} {
		if a := manage(t, w, "POST", "/admin/v1/providers/"+path+"/reset", body); a.status != http.StatusNotFound {
			t.Errorf("%s %s: %d %s", path, body, a.status, a.body)
		}
	}
	for _, body := range []string{`{"targets":"x"}`, `[]`, `{"target":5}`} {
		if a := manage(t, w, "POST", "/admin/v1/providers/up/reset", body); a.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
}
