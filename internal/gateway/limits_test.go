package gateway

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/limit"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

// A request that panics once it is admitted has settled its tokens and has left its place.
func TestAPanicSettles(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	m := &route.Model{
		Name: "m", MaxAttempts: 1, Limits: limit.Limits{Requests: 5, Tokens: 1000, Concurrent: 1},
		Targets: []route.Target{{Provider: "missing", Model: "m"}}, // there is no such provider, which no config allows
	}
	g := newGateway(&log, func(string) (*auth.Principal, *llm.Error) { return &auth.Principal{KeyID: "k"}, nil }, nil, m)
	for _, left := range []int64{4, 3} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/chat/completions", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`))
		r.Header.Set("Authorization", "Bearer key")
		g.ServeHTTP(w, r)
		if w.Code != http.StatusInternalServerError || !strings.Contains(log.String(), "nil pointer") {
			t.Fatalf("no panic: %d %s\n%s", w.Code, w.Body, &log)
		}
		states := g.limits.table.States(nil, &limit.Claims{limit.OfModel: {ID: "m", Limits: m.Limits}}, g.limits.now())
		for i, want := range []int64{left, 1000, 1} {
			if states[i].Remaining != want {
				t.Errorf("%s: %d left, want %d", states[i].What, states[i].Remaining, want)
			}
		}
	}
}
