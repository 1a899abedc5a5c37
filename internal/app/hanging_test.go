package app_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// The model's own limit finds a target that accepts connections and never answers, if no other limit does. It applies to complete
// answers, and to streams where it is the shortest. A caller's own limit says nothing of the target. A limit of the caller's says
// nothing of the target.
func TestHangingTargetIsFoundOut(t *testing.T) {
	t.Parallel()
	m, up := newMute(t), apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, fmt.Sprintf(`
providers:
  mute: {kind: openai, base_url: "http://%s/v1", api_key: upstream-credential}
  good: {kind: openai, base_url: %q, api_key: upstream-credential}
models:
  chat: {targets: [mute/chat, good/chat], timeouts: {total: 500ms}}
  stream: {targets: [mute/stream, good/stream], timeouts: {total: 500ms}}
  hasty: {targets: [mute/hasty, good/hasty], timeouts: {total: 1h}}
`, m.addr, up.URL()))
	key := w.NewKey(t, "torture")
	together := func(body string, header ...string) {
		var wg sync.WaitGroup
		for range 12 {
			wg.Go(func() {
				if a := post(t, w, key, "/v1/chat/completions", body, header...); a.status != 200 && (a.status != 504 || a.code() != "timeout") {
					t.Errorf("%d %s", a.status, a.body)
				}
			})
		}
		wg.Wait()
	}
	for _, body := range []string{chatBody("chat"), streamBody("stream")} {
		until(t, "the other target is asked", func() bool {
			together(body)
			return post(t, w, key, "/v1/chat/completions", body).status == 200
		})
	}
	together(chatBody("hasty"), "X-Request-Timeout", "0.1")
	if n := calls(up, "hasty"); n != 0 {
		t.Errorf("those who could not wait took the target from others: %d", n)
	}
	if n := figure(t, w, `weir_breakers{provider="mute",state="closed",upstream_model="hasty"}`); n != "1" {
		t.Errorf("%s of one breaker is closed", n)
	}
}
