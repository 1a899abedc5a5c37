package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/app/apptest"
)

const explainConfig = `
providers:
  one: {kind: openai, base_url: %q, api_key: upstream-credential}
  two: {kind: openai, base_url: %q, api_keys: [upstream-credential-a, upstream-credential-b]}
  listed: {kind: openai, base_url: "http://127.0.0.1:1/v1"} # its list of models is fetched
  claude: {kind: anthropic, api_key: upstream-credential, fetch_images: true}
  lossy: {kind: openai, base_url: "http://127.0.0.1:1/v1", params: {omit: [logit_bias]}}
models:
  smart:
    targets:
      - {provider: one, model: a, like: openai/gpt-3.5-turbo}
      - {provider: two, model: b, like: openai/gpt-4.1-mini}
    policy: weighted
    sticky: prefix
    fallbacks: {on: [error, context], to: [other/x]}
  ordered: {targets: [one/a, two/b], retries: {max_attempts: 2}}
  hedged: {targets: [one/a, two/b], hedge: {after: 1500ms, budget: 5%%}}
  late: {targets: [one/a, two/b], hedge: {}}
  second: {targets: [two/b]}
  vectors: {targets: [claude/a, two/b]}
  "other/*": {targets: ["listed/*"]}
  exact: {targets: [{provider: lossy, model: a}, {provider: claude, model: b}, two/b], strict: true}
`

// explain asks for the explanation of a request.
func explain(t *testing.T, w *apptest.Weir, query, body string) admin.Explanation {
	t.Helper()
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	a := manage(t, w, method, "/admin/v1/explain?"+query, body)
	var e admin.Explanation
	decoder := json.NewDecoder(strings.NewReader(a.body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); a.status != http.StatusOK || err != nil {
		t.Fatalf("%s: %d %s (%v)", query, a.status, a.body, err)
	}
	return e
}

// inLine lists the targets of each plan in a line: those to be tried in order, the skipped ones with the reason.
func inLine(e admin.Explanation) []string {
	var all []string
	for _, p := range e.Plans {
		line := p.Route + ":"
		for i, target := range p.Targets {
			line += " " + target.Target
			if target.Skip != nil {
				line += ":" + *target.Skip
			} else if *target.Turn != i+1 {
				line += fmt.Sprintf(":turn %d", *target.Turn)
			}
		}
		all = append(all, line)
	}
	return all
}

// What would become of a request is shown without calling a provider.
func TestExplain(t *testing.T) {
	t.Parallel()
	one, oneCalls := startUpstream(t, nil, nil, nil)
	two, twoCalls := startUpstream(t, nil, nil, nil)
	w := apptest.StartWith(t, fmt.Sprintf(explainConfig, one, two))
	w.NewKey(t, "app", "ordered", "oth*")

	e := explain(t, w, "model=ordered&key=app", "")
	turn := func(n int) *int { return &n }
	name := "app"
	want := admin.Explanation{Model: "ordered", Key: &name, MaxAttempts: 2, Limits: []admin.LimitUse{}, Budgets: []admin.BudgetUse{}, Plans: []admin.Plan{{
		Route: "ordered", Policy: "ordered", Sticky: "none", Targets: []admin.Prospect{
			{Target: "one/a", Turn: turn(1), Health: admin.Health{Breaker: "closed", Credentials: 1, RefusedFor: []string{}, DownFor: []string{}}},
			{Target: "two/b", Turn: turn(2), Health: admin.Health{Breaker: "closed", Credentials: 2, RefusedFor: []string{}, DownFor: []string{}}},
		},
	}}}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Error(diff)
	}

	tools := `{"model":"smart","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f"}}]}`
	long := fmt.Sprintf(`{"model":"smart","messages":[{"role":"user","content":%q}]}`, strings.Repeat("go ", 17000))
	for _, tt := range []struct {
		name, query, body string
		want              []string
	}{
		{"a body", "", tools, []string{"smart: two/b one/a:no_tools", "other/x: listed/x"}},
		{"a long prompt", "", long, []string{"smart: two/b one/a:prompt_too_long", "other/x: listed/x"}},
		{"the name counts more than the body's", "model=ordered", tools, []string{"ordered: one/a two/b"}},
		{"a pattern", "model=other/thing&key=app", "", []string{"other/*: listed/thing"}},
		{"embeddings", "", `{"model":"vectors","input":"x"}`, []string{"vectors: two/b claude/a:no_endpoint"}},
		{"nothing to lose", "", `{"model":"exact","messages":[{"role":"user","content":"hi"}]}`, []string{"exact: lossy/a claude/b two/b"}},
		{"what strict mode keeps", "", `{"model":"exact","messages":[{"role":"user","content":"hi"}],"logit_bias":{"1":1}}`, []string{"exact: two/b lossy/a:unsendable claude/b:unsendable"}},
		{"an image that would be fetched", "", `{"model":"exact","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.org/a.png"}}]}]}`, []string{"exact: lossy/a claude/b two/b"}},
		{"a chat, unless it is known", "model=vectors", "", []string{"vectors: claude/a two/b"}},
	} {
		if diff := cmp.Diff(tt.want, inLine(explain(t, w, tt.query, tt.body))); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
	if e := explain(t, w, "", tools); !e.Plans[0].Sticks || !e.Plans[0].Drawn || e.Plans[1].Sticks || e.Key != nil || !cmp.Equal(e.Plans[1].On, []string{"error", "context"}) {
		t.Errorf("%+v", e)
	}
	if e := explain(t, w, "model=smart", ""); e.Plans[0].Sticks {
		t.Error("nothing sticks to no request")
	}
	if n := oneCalls.Load() + twoCalls.Load(); n != 0 {
		t.Errorf("%d calls", n)
	}
}

// The explanation says when a stream would be hedged, and at which target.
func TestExplainTellsOfHedging(t *testing.T) {
	t.Parallel()
	up, _ := startUpstream(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); !strings.Contains(string(body), `"a"`) {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		tells(w, "soon")
	}, nil)
	w := apptest.StartWith(t, fmt.Sprintf(explainConfig, up, up))
	key := w.NewKey(t, "caller")
	stream := streamBody("hedged")
	after, target := int64(1500), "two/b"
	for _, tt := range []struct {
		query, body string
		want        *admin.Hedge
	}{
		{"model=hedged", "", &admin.Hedge{LateMS: &after, Target: &target, Budget: 0.05}},
		{"", stream, &admin.Hedge{LateMS: &after, Target: &target, Budget: 0.05}},
		{"", chatBody("hedged"), nil},
		{"model=late", "", &admin.Hedge{Target: &target, Budget: 0.05}},
		{"model=ordered", "", nil},
	} {
		if diff := cmp.Diff(tt.want, explain(t, w, tt.query, tt.body).Hedge); diff != "" {
			t.Errorf("%s %s: %s", tt.query, tt.body, diff)
		}
	}
	for range 20 {
		if a := post(t, w, key, chats, streamBody("late")); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	if h := explain(t, w, "model=late", "").Hedge; h.LateMS == nil || *h.LateMS < 1 || h.Target == nil {
		t.Errorf("%+v", h)
	}
	until(t, "the breaker of the second target is open", func() bool {
		post(t, w, key, chats, chatBody("second"))
		return explain(t, w, "model=late&key=caller", "").Hedge.Target == nil
	})
}

// Errors say what the operator must do.
func TestExplainRefuses(t *testing.T) {
	t.Parallel()
	w := apptest.StartWith(t, fmt.Sprintf(explainConfig, "http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1"))
	secret := w.NewKey(t, "app", "ordered", "oth*")
	for _, tt := range []struct {
		query, body  string
		status       int
		code, phrase string
	}{
		{"", "", 400, "missing_required_parameter", "?model=NAME"},
		{"model=nothing", "", 404, "model_not_found", "no pattern matches it"},
		{"model=smart&key=app", "", 404, "model_not_found", "may use only ordered, oth*"},
		{"model=nothing&key=app", "", 404, "model_not_found", "no pattern matches it"},
		{"model=smart&key=nobody", "", 404, "not_found", "No key has the id or name"},
		{"model=smart&key=" + url.QueryEscape(secret), "", 404, "not_found", "its id is"},
		{"model=smart&keys=app", "", 400, "invalid_value", "Known are: model, key"},
		{"model=smart&model=fast", "", 400, "invalid_value", "twice"},
		{"", `{"model":"smart"}`, 400, "missing_required_parameter", "messages"},
		{"", `{"model":"smart","model":"smart","messages":[]}`, 400, "invalid_json", "twice"},
		{"", "nothing", 400, "invalid_json", "JSON"},
		{"", "\xff", 400, "invalid_json", "UTF-8"},
	} {
		method := http.MethodGet
		if tt.body != "" {
			method = http.MethodPost
		}
		a := manage(t, w, method, "/admin/v1/explain?"+tt.query, tt.body)
		if a.status != tt.status || a.code() != tt.code || !strings.Contains(a.body, tt.phrase) || strings.Contains(a.body, secret) {
			t.Errorf("%s %s: %d %s", tt.query, tt.body, a.status, a.body)
		}
	}
	if a := manage(t, w, "POST", "/admin/v1/explain?model=ordered", strings.Repeat(" ", 17<<20)); a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("17 MiB: %d", a.status)
	}
	if a := manage(t, w, "POST", "/admin/v1/keys", strings.Repeat(" ", 2<<20)); a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("2 MiB for a key: %d", a.status)
	}
}

// Targets that are down and parked credentials are reported, with the time until then.
func TestExplainTellsTheSick(t *testing.T) {
	t.Parallel()
	fails := func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Header.Get("Authorization"), "Bearer upstream-credential-") {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusInternalServerError)
	}
	up, _ := startUpstream(t, nil, fails, nil)
	w := apptest.StartWith(t, fmt.Sprintf(explainConfig, up, up))
	key := w.NewKey(t, "caller")
	until(t, "the breaker is open and all credentials are parked", func() bool {
		if a := post(t, w, key, "/v1/chat/completions", chatBody("ordered")); a.status < 500 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		targets := explain(t, w, "model=ordered&key=caller", "").Plans[0].Targets
		for _, p := range targets {
			open := p.Breaker == "open"
			if open != (p.OpenUntil != nil) || open && (p.Skip == nil || *p.Skip != "down") || (p.Turn == nil) == (p.Skip == nil) {
				t.Fatalf("%+v", p)
			}
		}
		one, two := targets[0], targets[1]
		if one.Target != "one/a" {
			one, two = two, one
		}
		return one.OpenUntil != nil && two.CredentialsParked == 2 && two.CredentialsFreeAt != nil
	})
}
