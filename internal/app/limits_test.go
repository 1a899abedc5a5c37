package app_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// newLimitedKey makes a key with limits.
func newLimitedKey(t *testing.T, w *apptest.Weir, name, limits string) string {
	t.Helper()
	key := w.NewKey(t, name)
	if a := manage(t, w, "PATCH", "/admin/v1/keys/"+name, limits); a.status != 200 {
		t.Fatal(a.body)
	}
	return key
}

// left are the requests that a key's answers say are left.
func left(t *testing.T, w *apptest.Weir, key string) string {
	t.Helper()
	return get(t, w, key, "/v1/models").header.Get("X-Ratelimit-Remaining-Requests")
}

// One more than may run at once is refused at once, and takes nothing. When one has ended there is room, however it ended.
func TestRequestsAtOnce(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(stalls))
	w := apptest.StartWith(t, passAll(up, ""))
	key := newLimitedKey(t, w, "app", `{"concurrent":1,"rpm":100,"tpm":1000000}`)
	running := openStream(t, w, key, "stall")
	a := post(t, w, key, "/v1/chat/completions", chatBody("m"))
	if a.status != 429 || a.header.Get("Retry-After") != "1" || a.header.Get("Retry-After-Ms") != "1000" ||
		!strings.Contains(a.body, "the key app may have 1 requests at once, and has them running. Please try again in 1s.") {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
	if n := left(t, w, key); n != "99" {
		t.Errorf("%s requests are left", n)
	}
	_ = running.resp.Body.Close() // the client leaves
	until(t, "there is room again", func() bool { return post(t, w, key, "/v1/chat/completions", chatBody("m")).status == 200 })
}

// A request that finds no place has taken nothing of its limits in the end.
func TestWhatFindsNoPlaceTakesNothing(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(stalls))
	w := apptest.StartWith(t, "limits: {requests: 1, wait: 20ms}\n"+passAll(up, ""))
	openStream(t, w, w.NewKey(t, "other"), "stall")
	key := newLimitedKey(t, w, "app", `{"rpm":5,"tpm":1000000,"concurrent":1}`)
	for range 3 {
		if a := post(t, w, key, "/v1/chat/completions", chatBody("m")); a.status != 503 || a.code() != "overloaded" {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	for _, header := range []string{"X-Ratelimit-Remaining-Requests", "X-Ratelimit-Remaining-Tokens"} {
		a := get(t, w, key, "/v1/models")
		if most := a.header.Get(strings.Replace(header, "Remaining", "Limit", 1)); a.header.Get(header) != most || most == "" {
			t.Errorf("%s is %q of %q", header, a.header.Get(header), most)
		}
	}
	if a := manage(t, w, "GET", "/admin/v1/limits?key=app", ""); !strings.Contains(a.body, `"limit":"concurrent","most":1,"used":0`) {
		t.Error(a.body)
	}
}

// Of the tokens, what was used counts in the end, not what was estimated.
func TestTokensAreSettled(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ""))
	key := newLimitedKey(t, w, "app", `{"tpm":1000}`)
	for i := range 4 { // each is estimated at 1,000 and more
		if a := post(t, w, key, "/v1/chat/completions", `{"model":"m","max_tokens":900,"messages":[{"role":"user","content":"hi"}]}`); a.status != 200 {
			t.Fatalf("%d: %d %s", i, a.status, a.body)
		}
	}
	// One that fails has used nothing.
	if a := post(t, w, key, "/v1/chat/completions", `{"model":"m","messages":"no list"}`); a.status != 400 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// tokensLeft are the tokens that the key's answers say are left.
func tokensLeft(t *testing.T, w *apptest.Weir, key string) int {
	t.Helper()
	n, err := strconv.Atoi(get(t, w, key, "/v1/models").header.Get("X-Ratelimit-Remaining-Tokens"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A stream that client or upstream ends midway has used what it used, and not what was estimated.
func TestTokensOfCutStreamsAreSettled(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"rules":[{"match":{"model":"stall"},"stall":2},{"match":{"model":"cut"},"cut":2}]}`))
	w := apptest.StartWith(t, passAll(up, ""))
	for name, end := range map[string]func(*stream){
		"stall": func(s *stream) { _ = s.resp.Body.Close() },
		"cut":   func(s *stream) { s.rest(t) },
	} {
		key := newLimitedKey(t, w, name, `{"tpm":1000}`)
		running := openStream(t, w, key, name)
		if n := tokensLeft(t, w, key); name == "stall" && n > 100 { // some come back while it runs
			t.Errorf("while it runs, %d tokens are left", n)
		}
		end(running)
		until(t, "its tokens are back", func() bool { return tokensLeft(t, w, key) > 900 })
	}
}

// What is left is on errors, too, those of Weir and those of upstreams.
func TestErrorsSayWhatIsLeft(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"rules":[{"match":{"model":"broken"},"status":500}]}`))
	w := apptest.StartWith(t, passAll(up, ""))
	key := newLimitedKey(t, w, "app", `{"rpm":2,"tpm":100000}`)
	for i, tt := range []struct {
		body   string
		status int
		left   string
	}{{"{", 400, "2"}, {chatBody("broken"), 502, "1"}, {chatBody("m"), 200, "0"}, {chatBody("m"), 429, "0"}} {
		a := post(t, w, key, "/v1/chat/completions", tt.body)
		if h := a.header; a.status != tt.status || h.Get("X-Ratelimit-Remaining-Requests") != tt.left || h.Get("X-Ratelimit-Limit-Tokens") != "100000" || h.Get("X-Ratelimit-Reset-Tokens") == "" {
			t.Errorf("%d: %d %v %s", i, a.status, h, a.body)
		}
	}
}

// A team's limits are for all of its keys together.
func TestATeamsLimitsAreForAllItsKeys(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ""))
	if a := manage(t, w, "POST", "/admin/v1/teams", `{"name":"research","rpm":2}`); a.status != 200 {
		t.Fatal(a.body)
	}
	one, two := newLimitedKey(t, w, "one", `{"team":"research"}`), newLimitedKey(t, w, "two", `{"team":"research","rpm":100}`)
	for _, key := range []string{one, two} {
		if a := post(t, w, key, "/v1/chat/completions", chatBody("m")); a.status != 200 {
			t.Fatal(a.body)
		}
	}
	a := post(t, w, two, "/v1/chat/completions", chatBody("m"))
	if a.status != 429 || !strings.Contains(a.body, "the team research may have 2 requests a minute") || a.header.Get("X-Ratelimit-Limit-Requests") != "2" {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// A team, a model and a target show their own limits, with what is used of them now.
func TestLimitsOfOneThing(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(stalls))
	w := apptest.StartWith(t, fmt.Sprintf(`
providers:
  up: {kind: openai, base_url: %q, api_key: upstream-credential}
  both: {kind: openai, base_url: %q, api_key: upstream-credential, concurrent: 9}
models:
  "*": {targets: ["both/*"]}
  few: {targets: [{provider: up, model: stall, concurrent: 3, rpm: 7, price: {input: 10, output: 10}}], limits: {rpm: 40, concurrent: 2}}
`, up.URL(), up.URL()))
	if a := manage(t, w, "POST", "/admin/v1/teams", `{"name":"research","rpm":5,"budgets":["5usd/month","9usd/total"]}`); a.status != 200 {
		t.Fatal(a.body)
	}
	openStream(t, w, newLimitedKey(t, w, "one", `{"team":"research","rpm":100}`), "few")
	for of, want := range map[string][]string{
		"team=research":            {`"of":"team"`, `"name":"research","limit":"rpm","most":5,"used":1,"remaining":4`, `"budget":"5usd/month"`, `"budget":"9usd/total"`, `"forecast":null`},
		"model=few":                {`"of":"model","id":"few","name":"few","limit":"rpm","most":40,"used":1,"remaining":39`, `"limit":"concurrent","most":2,"used":1,"remaining":1,"reset_ms":null`},
		"model=whatever":           {`{"data":[],"budgets":[],"next":null}`},
		"target=up/stall":          {`"of":"target","id":"up/stall","name":"up/stall","limit":"rpm","most":7,"used":1,"remaining":6`, `"limit":"concurrent","most":3,"used":1,"remaining":2`},
		"target=both/other":        {`"of":"provider","id":"both","name":"both","limit":"concurrent","most":9,"used":0,"remaining":9`},
		"team=research&format=csv": {"of,id,name,limit,most,used,remaining,reset_ms,held,unit,reset,forecast\nteam,", ",research,rpm,5,1,4,", ",research,5usd/month,5000000000,", ",nanodollars,"},
	} {
		a := manage(t, w, "GET", "/admin/v1/limits?"+of, "")
		for _, words := range want {
			if a.status != 200 || !strings.Contains(a.body, words) {
				t.Errorf("%s: %d %s, want %s", of, a.status, a.body, words)
			}
		}
		if strings.Contains(a.body, `"of":"key"`) || !strings.HasPrefix(of, "model") && strings.Contains(a.body, `"of":"model"`) {
			t.Errorf("%s shows limits of others: %s", of, a.body)
		}
	}
	for _, of := range []string{"target=none/x", "target=up", "target=up/other", "team=none"} {
		if a := manage(t, w, "GET", "/admin/v1/limits?"+of, ""); a.status != 404 {
			t.Errorf("%s: %d %s", of, a.status, a.body)
		}
	}
	if a := manage(t, w, "DELETE", "/admin/v1/teams/research", ""); a.status != 200 {
		t.Fatal(a.body)
	}
	if a := manage(t, w, "GET", "/admin/v1/limits?team=research", ""); a.status != 409 {
		t.Errorf("a revoked team: %d %s", a.status, a.body)
	}
}
