package admin_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/secret"
)

func (s *server) client() *admin.Client {
	return &admin.Client{BaseURL: s.URL + "/", Token: secret.New(token), TokenFrom: "/data/admin.token", HTTP: s.Client()}
}

func TestClientSpeaksWithTheServer(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	c, ctx := s.client(), t.Context()
	expires := start.Add(time.Hour)
	key, text, err := c.CreateKey(ctx, admin.NewKey{Name: "a/b", Models: []string{"fast"}, ExpiresAt: expires})
	if err != nil || !s.works(text.Reveal()) {
		t.Fatal(err)
	}
	want := admin.Key{ID: key.ID, Name: "a/b", Models: []string{"fast"}, CreatedAt: &start, ExpiresAt: &expires, Source: admin.FromStore, Status: auth.Active, Warnings: []string{}}
	check := func(got admin.Key, err error) {
		t.Helper()
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
	}
	check(key, nil)
	check(c.ShowKey(ctx, "a/b"))

	want.Name = "%2e%2e"
	check(c.UpdateKey(ctx, "a/b", admin.KeyChange{Name: &want.Name}))
	want.Models, want.ExpiresAt = nil, nil
	check(c.UpdateKey(ctx, "%2e%2e", admin.KeyChange{Models: new([]string), ExpiresAt: new(time.Time)}))
	for _, want.Explain = range []bool{true, false} {
		check(c.UpdateKey(ctx, key.ID, admin.KeyChange{Explain: &want.Explain}))
	}
	want.Models = []string{"x", "y*"}
	check(c.UpdateKey(ctx, key.ID, admin.KeyChange{Models: &want.Models}))

	rotated, second, err := c.RotateKey(ctx, key.ID, 90*time.Minute)
	until := start.Add(90 * time.Minute)
	want.PreviousUntil = &until
	check(rotated, err)
	if !s.works(text.Reveal()) || !s.works(second.Reveal()) {
		t.Error("a secret does not work")
	}
	want.PreviousUntil, want.RevokedAt, want.Status = nil, &start, auth.Revoked
	check(c.RevokeKey(ctx, key.ID, true))

	if result, err := c.Reload(ctx); err != nil || !result.Applied {
		t.Errorf("%v, %v", result, err)
	}
}

func TestClientListsAllPages(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for i := range 1001 {
		if _, _, err := s.keys.Create(t.Context(), auth.Draft{Name: fmt.Sprint("k", i)}); err != nil {
			t.Fatal(err)
		}
	}
	keys, err := s.client().ListKeys(t.Context())
	if err != nil || len(keys) != 1002 {
		t.Errorf("%d keys, %v", len(keys), err)
	}
}

func TestClientErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	stranger := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<html>hello</html>")
	}))
	t.Cleanup(stranger.Close)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	missing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(missing.Close)
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0) // it would report the failing handshake
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)

	for what, c := range map[string]struct {
		client admin.Client
		words  []string
	}{
		"nobody there":     {admin.Client{BaseURL: closed.URL}, []string{"cannot reach", closed.URL, "weir serve", "--admin"}},
		"another server":   {admin.Client{BaseURL: stranger.URL}, []string{"not Weir's admin API", stranger.URL, "--admin"}},
		"another's 404":    {admin.Client{BaseURL: missing.URL}, []string{"not Weir's admin API", "404"}},
		"below a path":     {admin.Client{BaseURL: s.URL + "/v1", Token: secret.New(token)}, []string{"not Weir's admin API"}},
		"untrusted":        {admin.Client{BaseURL: untrusted.URL}, []string{"certificate", "not trusted", untrusted.URL, "SSL_CERT_FILE", "x509"}},
		"no URL":           {admin.Client{BaseURL: "::"}, []string{"no URL"}},
		"wrong token":      {admin.Client{BaseURL: s.URL, Token: secret.New("wrong-token"), TokenFrom: "/data/admin.token"}, []string{"admin token in /data/admin.token was refused", "--token-file"}},
		"no token":         {admin.Client{BaseURL: s.URL}, []string{"needs its token"}},
		"the server's own": {*s.client(), []string{`No key has the id or name "nobody"`}},
	} {
		_, err := c.client.ShowKey(t.Context(), "nobody")
		if err == nil {
			t.Errorf("%s: no error", what)
			continue
		}
		for _, word := range c.words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %q lacks %q", what, err, word)
			}
		}
		if what == "untrusted" && strings.Contains(err.Error(), "weir serve") {
			t.Errorf("%s: %q blames what is well", what, err)
		}
		if strings.Contains(err.Error(), "wrong-token") || strings.Contains(err.Error(), token) {
			t.Errorf("%s: the token is in %q", what, err)
		}
	}
}

// The admin token goes to the address that it was given for, and not where that one points.
func TestClientFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("it was followed, with %q", r.Header.Get("Authorization"))
	}))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := httptest.NewServer(http.RedirectHandler(elsewhere.URL, status))
		c := &admin.Client{BaseURL: s.URL, Token: secret.New(token)}
		if _, err := c.ListKeys(t.Context()); err == nil || !strings.Contains(err.Error(), "is not Weir's admin API") {
			t.Errorf("%d: %v", status, err)
		}
		s.Close()
	}
}
