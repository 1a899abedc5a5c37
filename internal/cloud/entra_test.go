package cloud

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/secret"
)

const scope = "https://cognitiveservices.azure.com/.default"

// entraServer is the token endpoint of Entra for one tenant. want is what it accepts besides.
func entraServer(t *testing.T, want map[string]string) (base string) {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Method != http.MethodPost || r.URL.Path != "/tenant-1/oauth2/v2.0/token" {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		_ = r.ParseForm()
		for name, value := range want {
			if r.PostForm.Get(name) != value {
				w.WriteHeader(http.StatusUnauthorized)
				_, _ = io.WriteString(w, `{"error":"invalid_client","error_description":"AADSTS7000215: Invalid client secret provided, which was `+r.PostForm.Get(name)+`.","error_codes":[7000215]}`)
				return
			}
		}
		_, _ = io.WriteString(w, `{"token_type":"Bearer","expires_in":3599,"ext_expires_in":3599,"access_token":"entra-token"}`)
	})
}

func TestEntraByASecret(t *testing.T) {
	t.Parallel()
	base := entraServer(t, map[string]string{"grant_type": "client_credentials", "client_id": "app-1", "client_secret": "the-secret", "scope": scope})
	cfg := EntraConfig{Tenant: "tenant-1", ClientID: "app-1", ClientSecret: secret.New("the-secret"), Scope: scope}
	b := NewEntra(wayTo(map[string]string{"AZURE_AUTHORITY_HOST": base + "/"}), cfg)
	if got := authorized(t, b); got != "Bearer entra-token" {
		t.Error(got)
	}
	if s, err := b.State(t.Context()); err != nil || s.Source != "a client secret" || s.Until.IsZero() {
		t.Errorf("%+v, %v", s, err)
	}
	if p := b.Private(); len(p) != 1 || p[0] != "entra-token" {
		t.Errorf("%v may be shown", p)
	}

	cfg.ClientSecret = secret.New("another-secret")
	wrong := NewEntra(wayTo(map[string]string{"AZURE_AUTHORITY_HOST": base}), cfg)
	t.Cleanup(wrong.Close)
	if got := lacking(t, wrong.State, "another-secret"); !strings.Contains(got, "the token endpoint answered 401, invalid_client, AADSTS7000215; set entra:") {
		t.Error(got)
	}

	env := NewEntra(wayTo(map[string]string{
		"AZURE_AUTHORITY_HOST": base, "AZURE_TENANT_ID": "tenant-1", "AZURE_CLIENT_ID": "app-1", "AZURE_CLIENT_SECRET": "the-secret",
	}), EntraConfig{Scope: scope})
	if got := authorized(t, env); got != "Bearer entra-token" {
		t.Error(got)
	}
}

// A pod's token is exchanged for one of Entra's; it is read each time, since it changes.
func TestEntraByAnotherIssuersToken(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	base := entraServer(t, map[string]string{
		"client_id": "app-1", "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", "client_assertion": "pod-token", "scope": scope, "client_secret": "",
	})
	env := map[string]string{"AZURE_AUTHORITY_HOST": base, "AZURE_TENANT_ID": "tenant-1", "AZURE_CLIENT_ID": "app-1", "AZURE_FEDERATED_TOKEN_FILE": file}
	before := NewEntra(wayTo(env), EntraConfig{Scope: scope})
	t.Cleanup(before.Close)
	if got := lacking(t, before.State); !strings.Contains(got, "the token file cannot be read") {
		t.Error(got)
	}
	if err := os.WriteFile(file, []byte("pod-token\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := authorized(t, NewEntra(wayTo(env), EntraConfig{Scope: scope})); got != "Bearer entra-token" {
		t.Error(got)
	}
}

func TestEntraByTheAppsIdentity(t *testing.T) {
	t.Parallel()
	refuse := false
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if refuse || r.Header.Get("X-Identity-Header") != "from-the-platform" || q.Get("resource") != "https://cognitiveservices.azure.com" || q.Get("api-version") != "2019-08-01" || q.Get("client_id") != "mine" {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"statusCode":400,"message":"No User Assigned Identity, header `+r.Header.Get("X-Identity-Header")+`"}`)
			return
		}
		_, _ = io.WriteString(w, `{"access_token":"app-token","expires_on":"8000000000","resource":"x","token_type":"Bearer"}`)
	})
	env := map[string]string{"IDENTITY_ENDPOINT": base + "/msi/token", "IDENTITY_HEADER": "from-the-platform"}
	b := NewEntra(wayTo(env), EntraConfig{Scope: scope, ClientID: "mine"})
	if got := authorized(t, b); got != "Bearer app-token" {
		t.Error(got)
	}
	if s, err := b.State(t.Context()); err != nil || s.Source != "the app's managed identity" || s.Until.Year() != 2223 {
		t.Errorf("%+v, %v", s, err)
	}
	refuse = true
	none := NewEntra(wayTo(env), EntraConfig{Scope: scope})
	t.Cleanup(none.Close)
	if got := lacking(t, none.State, "from-the-platform", "No User"); !strings.Contains(got, "the app's managed identity: 127.0.0.1:") || !strings.Contains(got, "answered 400; set entra") {
		t.Error(got)
	}
}

// An incomplete sign-in reports what it lacks.
func TestEntraLacks(t *testing.T) {
	t.Parallel()
	b := NewEntra(wayTo(map[string]string{"AZURE_CLIENT_SECRET": "the-secret"}), EntraConfig{Scope: scope})
	t.Cleanup(b.Close)
	if got := lacking(t, b.State, "the-secret"); !strings.Contains(got, "no tenant or no client id") {
		t.Error(got)
	}
}

// A token that is refused before its end is dropped, and no other.
func TestEntraRefusedToken(t *testing.T) {
	t.Parallel()
	given := 0
	base := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		given++
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"token_type":"Bearer","expires_in":3599,"access_token":"token-%d"}`, given)
	})
	b := NewEntra(wayTo(map[string]string{"AZURE_AUTHORITY_HOST": base}), EntraConfig{Tenant: "tenant-1", ClientID: "app-1", ClientSecret: secret.New("s"), Scope: scope})
	call := func(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }
	if got := authorized(t, b); got != "Bearer token-1" {
		t.Error(got)
	}
	if !b.Refused(call("an-older-token")) || authorized(t, b) != "Bearer token-1" {
		t.Error("it was dropped for another")
	}
	if !b.Refused(call("token-1")) || authorized(t, b) != "Bearer token-2" {
		t.Error("it was not dropped")
	}
	if b.Refused(call("token-2")) || authorized(t, b) != "Bearer token-2" || given != 2 {
		t.Errorf("tokens are fetched for every refusal: %d", given)
	}
}
