package app_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
)

// play makes a call of the playground as the holder of a key.
func play(t *testing.T, w *apptest.Weir, path, key, body string, headers ...string) answer {
	t.Helper()
	all := append([]string{"Authorization", "Bearer " + w.AdminToken().Reveal(), "Weir-Playground-Key", key}, headers...)
	return do(t, http.DefaultClient, request(t, "POST", w.AdminURL()+"/admin/v1/playground"+path, body, all...))
}

// A call of the playground is one of the key that is sent with it: limited, and in the ledger. That no key is in the log, each test of this room looks.
func TestAPlaygroundCallIsThatOfItsKey(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ""))
	key := newLimitedKey(t, w, "app", `{"rpm":4}`)
	for _, path := range []string{"/v1/chat/completions", "/v1/messages", "/v1/responses"} {
		body := `{"model":"gpt-4o-mini","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`
		if path == "/v1/responses" {
			body = `{"model":"gpt-4o-mini","input":"hi","store":false}`
		}
		// A browser sends more than a caller would: it is for the admin listener alone.
		a := play(t, w, path, key, body, "Cookie", "weir=session", "Origin", w.AdminURL(), "X-Api-Key", "another")
		if a.status != 200 || a.header.Get("X-Request-Id") == "" || a.header.Get("Content-Security-Policy") == "" || !strings.Contains(a.body, `"id":`) {
			t.Errorf("%s: %d %v %s", path, a.status, a.header, a.body)
		}
	}
	long := strings.Replace(chatBody("gpt-4o-mini"), "hi", strings.Repeat("a long prompt ", 200_000), 1) // more than the admin API takes elsewhere
	if a := play(t, w, "/v1/chat/completions", key, long); a.status != 200 {
		t.Errorf("%d bytes: %d %s", len(long), a.status, a.body)
	}
	if a := play(t, w, "/v1/chat/completions", key, chatBody("gpt-4o-mini")); a.status != 429 || !strings.Contains(a.body, "the key app may have 4 requests a minute") {
		t.Errorf("one over the limit: %d %s", a.status, a.body)
	}
	for _, s := range up.Served() {
		if s.Authorization.Reveal() != "upstream-credential" {
			t.Errorf("the upstream got the credential %q", s.Authorization.Reveal())
		}
	}
	until(t, "the ledger has its calls", func() bool {
		var page struct{ Data []json.RawMessage }
		a := manage(t, w, "GET", "/admin/v1/requests?key=app", "")
		return json.Unmarshal([]byte(a.body), &page) == nil && len(page.Data) == 4
	})
}

// Who sends no key that may be used reads which header to send, and never that a session has ended.
func TestThePlaygroundNeedsAKey(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ""))
	const path = "/admin/v1/playground/v1/chat/completions"
	wanted := func(a answer, status int, code string) {
		t.Helper()
		if a.status != status || a.code() != code || status == 400 && !strings.Contains(a.body, "Weir-Playground-Key") {
			t.Errorf("%d %s, want %d %s", a.status, a.body, status, code)
		}
	}
	wanted(manage(t, w, "POST", path, chatBody("m")), 400, "missing_required_parameter")
	wanted(play(t, w, "/v1/chat/completions", "", chatBody("m")), 400, "missing_required_parameter")
	wanted(play(t, w, "/v1/chat/completions", "sk-nobodys", chatBody("m")), 400, "invalid_value")
	key := w.NewKey(t, "app")
	if a := manage(t, w, "DELETE", "/admin/v1/keys/app", ""); a.status != 200 {
		t.Fatal(a.body)
	}
	wanted(play(t, w, "/v1/chat/completions", key, chatBody("m")), 400, "invalid_value")
	wanted(play(t, w, "/v1/embeddings", w.NewKey(t, "other"), `{"model":"m","input":"hi"}`), 404, "unknown_url")
	wanted(do(t, http.DefaultClient, request(t, "POST", w.AdminURL()+path, chatBody("m"), "Weir-Playground-Key", key)), 401, "missing_api_key")
	for _, s := range up.Served() {
		if s.Endpoint != "/models" {
			t.Errorf("a call was made: %s", s.Target)
		}
	}
}

// A stream comes as it is written, and its call ends when the browser goes.
func TestThePlaygroundStreams(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"rules":[{"match":{"model":"stall"},"stall":2}]}`))
	w := apptest.StartWith(t, passAll(up, ""))
	key := w.NewKey(t, "app")
	ctx, leave := context.WithCancel(t.Context())
	r := request(t, "POST", w.AdminURL()+"/admin/v1/playground/v1/chat/completions", streamBody("stall"), "Authorization", "Bearer "+w.AdminToken().Reveal(), "Weir-Playground-Key", key)
	resp, err := http.DefaultClient.Do(r.WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	first, err := bufio.NewReader(resp.Body).ReadString('\n')
	if err != nil || resp.StatusCode != 200 || !strings.HasPrefix(first, `data: {"id"`) {
		t.Fatalf("%d %q %v", resp.StatusCode, first, err)
	}
	leave()
	served(t, up, func(all []sim.Served) bool {
		return slices.ContainsFunc(all, func(s sim.Served) bool { return s.Model == "stall" && s.ClientGone })
	})
}
