package relay

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// A target that lacks the model or endpoint does not decide the answer, unless it is the only one.
func TestUnfitTargets(t *testing.T) {
	t.Parallel()
	limited := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	t.Cleanup(limited.Close)
	providers := map[string]*provider.Provider{
		"unfit": upstreamOf(t, config.Provider{Name: "unfit", Kind: "anthropic", BaseURL: limited.URL}),
		"fit":   upstreamOf(t, config.Provider{Name: "fit", Kind: "openai", BaseURL: limited.URL}),
	}
	unfit, fit := route.Target{Provider: "unfit", Model: "m"}, route.Target{Provider: "fit", Model: "m"}
	for _, tt := range []struct {
		name    string
		targets []route.Target
		state   func(*route.Board, time.Time)
		want    llm.Kind
	}{
		{"nobody has it", []route.Target{unfit}, nil, llm.ModelNotFound},
		{"who has it is at its limit", []route.Target{unfit, fit}, nil, llm.UpstreamRateLimited},
		{"who has it is down", []route.Target{unfit, fit}, func(b *route.Board, now time.Time) {
			for range 10 {
				_, pass := b.Health("fit", "m").Begin(now, 0, false)
				b.Health("fit", "m").End(now, route.Failed, pass)
			}
		}, llm.NoHealthyTarget},
		{"who has it is full", []route.Target{unfit, {Provider: "fit", Model: "m", Concurrent: 1}}, func(b *route.Board, now time.Time) {
			var a route.Attempts
			targets := []route.Target{{Provider: "fit", Model: "m", Concurrent: 1}}
			a.Begin(route.Route{Board: b, Model: &route.Model{MaxAttempts: 1}, Targets: targets}, &route.Ask{}, now)
			a.Next(now) // and does not end
		}, llm.Overloaded},
		{"nobody may be asked for it", []route.Target{unfit, fit}, func(b *route.Board, now time.Time) {
			b.Credentials("fit", 1).Refused(0, 0, now)
			b.Credentials("fit", 1).Pick(now, 0, 0) // the one request of this second
		}, llm.UpstreamAuth},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			call, bad := passthrough.ParseRequest(llm.Embeddings, []byte(`{"model":"m","input":"hi"}`), 64)
			if bad != nil {
				t.Fatal(bad)
			}
			b := route.NewBoard()
			if tt.state != nil {
				tt.state(b, time.Now())
			}
			res := Serve(t.Context(), httptest.NewRecorder(), &Request{
				Ingress: ingressOf(call), Asked: call, Route: route.Route{Board: b, Model: &route.Model{MaxAttempts: 3}, Targets: tt.targets}, Providers: providers, MaxAnswer: 10 << 20,
			})
			if res.Err == nil || res.Err.Kind != tt.want {
				t.Errorf("%+v, want kind %d", res.Err, tt.want)
			}
		})
	}
}
