package relay

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// Without streams, a target that failed once is soon as good as the others again: answers count, although they do not show how soon
// they began.
func TestCompleteAnswersMakeUpForFailures(t *testing.T) {
	t.Parallel()
	fails := true
	p := racer(t, func(w http.ResponseWriter, _ *http.Request) {
		if fails {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		_, _ = fmt.Fprint(w, `{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[{"type":"text","text":"a"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`)
	})
	board := route.NewBoard()
	health := board.Health("a", "claude-haiku-4-5")
	ask := func(status int) float64 {
		call, refused := passthrough.ParseRequest(llm.Chat, []byte(`{"model":"m","messages":[{"role":"user","content":"a"}]}`), 64)
		if refused != nil {
			t.Fatal(refused)
		}
		req := &Request{
			Ingress: ingressOf(call), Asked: call, Providers: map[string]*provider.Provider{"a": p}, MaxAnswer: 10 << 20, Caller: http.Header{}, Started: time.Now(),
			Route: route.Route{Board: board, Model: &route.Model{Name: "m", MaxAttempts: 1}, Targets: []route.Target{{Provider: "a", Model: "claude-haiku-4-5"}}},
		}
		if res := Serve(t.Context(), httptest.NewRecorder(), req); res.Status != status {
			t.Fatalf("%+v", res)
		}
		return health.Score(time.Now(), 0)
	}
	bad := ask(0)
	fails = false
	for range 8 {
		ask(http.StatusOK)
	}
	if good := ask(http.StatusOK); good > bad/3 {
		t.Errorf("it scores %.2f after one failure, and %.2f after nine answers", bad, good)
	}
}
