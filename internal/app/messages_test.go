package app_test

import (
	"bytes"
	"maps"
	"net/http"
	"testing"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// replayMessages is for traffic of Anthropic's Messages API: what the caller gets is OpenAI's form without any repair, and a
// stream that is cut behind any event before its last ends in an error.
func replayMessages(t *testing.T, rig *rig) {
	t.Helper()
	const ask = `{"model":"m","messages":[{"role":"user","content":"hi"}]`
	recorded.Messages(t, func(t *testing.T, r recorded.Interaction) {
		rig.Note(t, r)
		before := rig.repairs(t)
		body := r.Response.Body.Bytes()
		rig.player.set(func(w http.ResponseWriter) {
			w.WriteHeader(r.Response.Status)
			_, _ = w.Write(body)
		})
		options := complete
		if r.Stream {
			options = withUsage
		}
		status, answer := rig.send(t, llm.Chat, ask+options+"}")
		if want := map[int]int{200: 200, 400: 400, 401: 502, 404: 502}[r.Response.Status]; status != want {
			t.Fatalf("%d, not %d: %s", status, want, answer)
		}
		if after := rig.repairs(t); !maps.Equal(before, after) {
			t.Errorf("repairs %v, then %v", before, after)
		}
		if r.Stream {
			payloads, done := recorded.Payloads(t, answer)
			if recorded.CheckStream(t, payloads, false); !done {
				t.Errorf("no [DONE]: %s", tailOf(answer))
			}
			rig.cutMessages(t, body, ask+options+"}")
		}
	})
}

// cutMessages ends the upstream's stream behind each event but the last, and within it.
func (r *rig) cutMessages(t *testing.T, body []byte, request string) {
	t.Helper()
	for cut := range recorded.Cuts(body, `"message_stop"`) {
		r.player.set(whole(cut.Body))
		status, answer := r.send(t, llm.Chat, request)
		if _, done := recorded.Payloads(t, answer); status == http.StatusOK && (done || !bytes.Contains(answer, []byte(`data: {"error":{"message"`))) {
			t.Fatalf("cut %s, it passes for whole: %s", cut, tailOf(answer))
		}
	}
}
