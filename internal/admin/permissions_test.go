package admin

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/storetest"
)

// calls sends each route × method to a handler, with the credentials that as adds, and returns the statuses by "METHOD path".
func calls(t *testing.T, h *Handler, as func(*http.Request)) map[string]int {
	t.Helper()
	statuses := map[string]int{}
	for _, rt := range h.routes() {
		for method := range rt.methods {
			r := httptest.NewRequest(method, strings.NewReplacer("{", "", "}", "").Replace(rt.pattern), nil)
			r.Host, r.RemoteAddr = "localhost", "127.0.0.1:5"
			as(r)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			statuses[method+" "+rt.pattern] = w.Code
		}
	}
	return statuses
}

// bare is an admin API with all its routes and little behind them: what is missing panics, which is answered by 500.
func bare(t *testing.T) *Handler {
	t.Helper()
	keys, err := auth.NewKeys(t.Context(), &storetest.Memory{}, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{
		Keys: keys, Token: secret.New(rightToken), Log: slog.New(slog.DiscardHandler), Listen: "127.0.0.1:8931", MetricsToken: true,
		Ready: func() bool { return true }, Console: func(unknown http.Handler) http.Handler { return unknown },
	})
}

// Each method of each route names a permission that the token has. Without a token nothing is reached that is not open, with a session only what
// sessions may, and with the cookie in the hands of another page nothing.
func TestEveryRouteAsksForItsPermission(t *testing.T) {
	t.Parallel()
	h := bare(t)
	needs := map[string]Permission{}
	for _, rt := range h.routes() {
		for method, op := range rt.methods {
			needs[method+" "+rt.pattern] = op.needs
			if op.needs != open && !slices.ContainsFunc(grants[:], func(g struct {
				of             Permission
				token, session bool
			},
			) bool {
				return g.of == op.needs && g.token
			}) {
				t.Errorf("%s %s needs %q, which the token does not have", method, rt.pattern, op.needs)
			}
		}
	}
	for _, g := range grants {
		used := false
		for _, p := range needs {
			used = used || p == g.of
		}
		if !used {
			t.Errorf("no route needs %s", g.of)
		}
	}
	withSession := func(r *http.Request) {
		_, id := h.sessions.begin(time.Now())
		r.AddCookie(&http.Cookie{Name: "weir", Value: id})
	}
	for name, tt := range map[string]struct {
		as   func(*http.Request)
		want func(Permission) int // the status of a refusal; 0 if it is let through
	}{
		"nobody":    {func(*http.Request) {}, func(Permission) int { return 401 }},
		"the token": {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+rightToken) }, func(Permission) int { return 0 }},
		"a session": {withSession, func(p Permission) int {
			if p == CopyStore {
				return 403
			}
			return 0
		}},
		"another page":           {func(r *http.Request) { withSession(r); r.Header.Set("Sec-Fetch-Site", "cross-site") }, func(Permission) int { return 403 }},
		"a session, wrong token": {func(r *http.Request) { withSession(r); r.Header.Set("Authorization", "Bearer "+rightToken+"x") }, func(Permission) int { return 401 }},
	} {
		h.guesses = guesses{}
		for call, status := range calls(t, h, tt.as) {
			want := 0
			if needs[call] != open {
				want = tt.want(needs[call])
			}
			refused := status == 401 || status == 403 || status == 429
			if call == "POST /admin/v1/session" && name == "another page" || status == 429 && want == 401 {
				continue // it is refused there as well, or was not even looked at
			}
			if refused != (want != 0) || refused && status != want {
				t.Errorf("%s, %s: %d, want %d", name, call, status, want)
			}
		}
	}
}

// A permission that is not in the table is denied to every caller, and so is none.
func TestWhatIsNotListedIsDenied(t *testing.T) {
	t.Parallel()
	h := bare(t)
	for _, p := range []Permission{"", "keys.eat", "open "} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Authorization", "Bearer "+rightToken)
		w := httptest.NewRecorder()
		h.known(p, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Errorf("%q was served", p) })).ServeHTTP(w, r)
		if w.Code != 403 {
			t.Errorf("%q: %d", p, w.Code)
		}
	}
}

// What goes on in a session ends with it: when it is ended, and when its time is over.
func TestCallsEndWithTheirSession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s sessions
		one, _ := s.begin(time.Now())
		ctx, done := one.during(t.Context(), time.Now())
		defer done()
		if ctx.Err() != nil {
			t.Fatal("it ended at once")
		}
		s.finish(one)
		synctest.Wait()
		if ctx.Err() == nil {
			t.Error("it goes on after the logout")
		}
		two, _ := s.begin(time.Now())
		began := time.Now()
		ctx, done = two.during(t.Context(), time.Now())
		defer done()
		<-ctx.Done()
		if got := time.Since(began); got != sessionLasts || context.Cause(ctx) == nil {
			t.Errorf("it ended after %v", got)
		}
	})
}
