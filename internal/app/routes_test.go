package app_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// routed is a config of one model, called m, over two upstreams.
func routed(one, other *apptest.Upstream, options string) string {
	return fmt.Sprintf("providers:\n  one: {kind: openai, base_url: %q, api_key: upstream-credential}\n  other: {kind: openai, base_url: %q, api_key: upstream-credential}\n"+
		"models:\n  m: {targets: [one/m, other/m], %s}\n", one.URL(), other.URL(), options)
}

// Both targets get their share of the requests.
func TestWeightedTargetsShare(t *testing.T) {
	t.Parallel()
	one, other := apptest.NewUpstream(t, nil), apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, routed(one, other, "policy: weighted"))
	key := w.NewKey(t, "all")
	const requests = 60
	for range requests {
		if a := post(t, w, key, "/v1/chat/completions", chatBody("m")); a.status != http.StatusOK || a.header.Get("Weir-Attempts") != "1" {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	a, b := len(one.Served()), len(other.Served())
	if a+b != requests || a == 0 || b == 0 { // less likely than 1 in 10¹⁷
		t.Errorf("%d and %d calls", a, b)
	}
}

// While a stream runs at one target, the other one is the less busy; when it ended both are again.
func TestLeastBusyTarget(t *testing.T) {
	t.Parallel()
	one, other := apptest.NewUpstream(t, []byte(stalls)), apptest.NewUpstream(t, []byte(stalls))
	w := apptest.StartWith(t, fmt.Sprintf("providers:\n  one: {kind: openai, base_url: %q, api_key: upstream-credential}\n  other: {kind: openai, base_url: %q, api_key: upstream-credential}\n"+
		"models:\n  m: {targets: [one/stall, other/stall], policy: least_busy}\n", one.URL(), other.URL()))
	key := w.NewKey(t, "all")
	for open := 1; open <= 3; open++ {
		openStream(t, w, key, "m")
		openStream(t, w, key, "m")
		if a, b := len(one.Served()), len(other.Served()); a != open || b != open {
			t.Fatalf("%d streams are open at one and %d at the other, want %d at each", a, b, open)
		}
	}
}

// Conversations stay at their target, in every turn; several conversations are at both.
func TestStickyConversations(t *testing.T) {
	t.Parallel()
	for _, sticky := range []string{"prefix", "user", "session"} {
		t.Run(sticky, func(t *testing.T) {
			t.Parallel()
			one, other := apptest.NewUpstream(t, nil), apptest.NewUpstream(t, nil)
			w := apptest.StartWith(t, routed(one, other, "policy: weighted, sticky: "+map[string]string{"prefix": "prefix", "user": "user", "session": "user"}[sticky]))
			key := w.NewKey(t, "all")
			at := map[string]int{}
			for conversation := range 12 {
				// By the user the turns have nothing in common but the user; by the prefix, everything but the user.
				body := func(turn int) string {
					switch sticky {
					case "session":
						return fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":"%d"}]}`, turn)
					case "user":
						return fmt.Sprintf(`{"model":"m","user":"%d","messages":[{"role":"user","content":"%d"}]}`, conversation, turn)
					}
					return fmt.Sprintf(`{"model":"m","user":"%d","messages":[{"role":"system","content":"Hi."},{"role":"user","content":"%d"},{"role":"assistant","content":"%[1]d"}]}`, turn, conversation)
				}
				session := []string{"X-Claude-Code-Session-Id", ""}
				if sticky == "session" {
					session[1] = fmt.Sprint(conversation)
				}
				home := post(t, w, key, "/v1/chat/completions", body(0), session...).header.Get("Weir-Provider")
				at[home]++
				for turn := range 5 {
					if got := post(t, w, key, "/v1/chat/completions", body(turn+1), session...).header.Get("Weir-Provider"); got != home {
						t.Fatalf("conversation %d: turn %d is at %q, the first was at %q", conversation, turn+1, got, home)
					}
				}
			}
			if at["one"] == 0 || at["other"] == 0 || len(at) != 2 {
				t.Errorf("%v", at)
			}
		})
	}
}

// The conversations of a target that is down go on at the other one, and come back when it is well.
func TestStickyWhileDown(t *testing.T) {
	t.Parallel()
	one, other := apptest.NewUpstream(t, []byte(`{"rules":[{"status":500,"match":{"model":"m","times":10}}]}`)), apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, routed(one, other, "policy: weighted, sticky: prefix, retries: {max_attempts: 2}"))
	key := w.NewKey(t, "all")
	body := func(n int) string {
		return fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":"%d"}]}`, n)
	}
	for n := 0; len(one.Served()) < 10; n++ { // ten failures open the breaker
		if n > 1000 {
			t.Fatal("one is never asked")
		}
		if a := post(t, w, key, "/v1/chat/completions", body(n)); a.status != http.StatusOK || a.header.Get("Weir-Provider") != "other" {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	until(t, "a conversation is at home again", func() bool {
		for n := range 20 {
			a := post(t, w, key, "/v1/chat/completions", body(n))
			if a.status != http.StatusOK {
				t.Fatalf("%d %s", a.status, a.body)
			}
			if a.header.Get("Weir-Provider") == "one" {
				return true
			}
		}
		return false
	})
}
