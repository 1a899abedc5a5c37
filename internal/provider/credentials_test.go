package provider

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/secret"
)

// login is an environment whose token endpoint gives a token to every caller.
func login(t *testing.T) Identity {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"a-token-of-it","expires_in":3600,"token_type":"Bearer"}`)
	}))
	t.Cleanup(s.Close)
	id := identity
	id.Env = func(name string) (string, bool) { return s.URL, name == "AZURE_AUTHORITY_HOST" }
	return id
}

func signedIn(t *testing.T, cfg config.Provider, id Identity) *Provider {
	t.Helper()
	cfg.Name, cfg.Kind = "p", "azure"
	cfg.Entra = &config.Entra{Tenant: "t", ClientID: "c", ClientSecret: secret.New("client-secret"), Scope: "s/.default"}
	p, err := NewWith(cfg, id, dial.New(nil), direct)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// That credentials may be fetched from a metadata service opens no way there for calls.
func TestMetadataIsForCredentialsAlone(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"http://169.254.169.254/openai/v1", "https://169.254.169.254/openai/v1", "http://[fd00:ec2::254]/openai/v1", "http://[::ffff:168.63.129.16]/openai/v1"} {
		p := signedIn(t, config.Provider{BaseURL: base}, login(t))
		var refused *dial.RefusedError
		if _, err := p.Do(t.Context(), chatCall(t)); !errors.As(err, &refused) {
			t.Errorf("a call to %s: %v", base, err)
		}
		if _, err := p.Models(t.Context()); !errors.As(err, &refused) {
			t.Errorf("the list of models of %s: %v", base, err)
		}
	}
}

// The token goes on calls, and on questions for the list of models, and stays out of what calls share.
func TestCallsCarryTheToken(t *testing.T) {
	t.Parallel()
	var seen []string
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization")+r.Header.Get("Api-Key"))
		_, _ = io.WriteString(w, `{"data":[]}`)
	}))
	t.Cleanup(up.Close)
	p := signedIn(t, config.Provider{BaseURL: up.URL + "/openai/v1"}, login(t))
	resp, err := p.Do(t.Context(), chatCall(t))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if _, err := p.Models(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(seen, ", "); got != "Bearer a-token-of-it, Bearer a-token-of-it" {
		t.Error(got)
	}
	if h := p.headers[0]; h.whole.Get("Authorization")+h.stream.Get("Authorization") != "" {
		t.Errorf("%v", h)
	}
	if said := secret.HideKnown(p.Secrets(), "Bearer a-token-of-it is wrong"); said != "Bearer [hidden] is wrong" {
		t.Error(said)
	}
}

// A token that the upstream refuses before its end is replaced for the next call, once; a key is not.
func TestRefusedTokenIsReplaced(t *testing.T) {
	t.Parallel()
	given, refused := 0, "Bearer token-1"
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		given++
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"access_token":"token-%d","expires_in":3600,"token_type":"Bearer"}`, given)
	}))
	t.Cleanup(tokens.Close)
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := r.Header.Get("Authorization"); h == refused || refused == "" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	t.Cleanup(up.Close)
	id := identity
	id.Env = func(name string) (string, bool) { return tokens.URL, name == "AZURE_AUTHORITY_HOST" }
	p := signedIn(t, config.Provider{BaseURL: up.URL + "/openai/v1"}, id)
	call := func(p *Provider, status int, renews bool) {
		t.Helper()
		resp, err := p.Do(t.Context(), chatCall(t))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if got := p.Renews(resp); resp.StatusCode != status || got != renews {
			t.Errorf("%d, renewed: %v; want %d, %v", resp.StatusCode, got, status, renews)
		}
	}
	call(p, http.StatusUnauthorized, true)
	call(p, http.StatusOK, false)
	refused = ""
	call(p, http.StatusUnauthorized, false)
	if given != 2 {
		t.Errorf("%d tokens were fetched", given)
	}
	call(newProvider(t, config.Provider{Kind: "openai", BaseURL: up.URL, APIKey: secret.New("k")}), http.StatusUnauthorized, false)
}
