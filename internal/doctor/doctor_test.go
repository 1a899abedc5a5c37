package doctor

import (
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/secret"
)

var identity = provider.Identity{UserAgent: "weir/test", Via: "1.1 weir-test"}

func newProvider(t *testing.T, cfg config.Provider) *provider.Provider {
	t.Helper()
	cfg.Name = "p"
	p, err := provider.New(cfg, identity)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// direct uses no proxy, whatever the environment says.
func direct(*http.Request) (*url.URL, error) { return nil, nil }

// caFile is a file with the certificate of a server.
func caFile(t *testing.T, s *httptest.Server) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(path, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// login is a process whose tokens come from a server on this machine.
func login(t *testing.T) provider.Identity {
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

func signedIn(t *testing.T, cfg config.Provider, id provider.Identity) *provider.Provider {
	t.Helper()
	cfg.Name, cfg.Kind = "p", "azure"
	cfg.Entra = &config.Entra{Tenant: "t", ClientID: "c", ClientSecret: secret.New("client-secret"), Scope: "s/.default"}
	p, err := provider.NewWith(cfg, id, dial.New(nil), direct)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// What a probe finds of a sign-in.
func TestProbeOfASignIn(t *testing.T) {
	t.Parallel()
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	t.Cleanup(up.Close)
	probe := func(id provider.Identity) string {
		var found []string
		for _, f := range Probe(t.Context(), signedIn(t, config.Provider{BaseURL: up.URL + "/openai/v1"}, id)).Findings {
			found = append(found, string(f.Step)+" "+string(f.Verdict)+" "+f.Found)
		}
		return strings.Join(found, "\n")
	}
	got := probe(login(t))
	if !strings.Contains(got, "sign-in ok credentials are from a client secret, good until 2") || !strings.Contains(got, "credential error is refused: GET /openai/v1/models answered 401") {
		t.Error(got)
	}
	nowhere := identity
	nowhere.Env = func(name string) (string, bool) { return "http://127.0.0.1:1", name == "AZURE_AUTHORITY_HOST" }
	if got := probe(nowhere); !strings.HasSuffix(got, "sign-in error no credentials of Microsoft Entra: cannot connect to 127.0.0.1:1: connect: connection refused") {
		t.Error(got)
	}
}

// That credentials may be fetched from a metadata service opens no way there for a probe.
func TestProbeOfMetadata(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"http://169.254.169.254/openai/v1", "https://169.254.169.254/openai/v1", "http://[fd00:ec2::254]/openai/v1", "http://[::ffff:168.63.129.16]/openai/v1"} {
		if r := Probe(t.Context(), signedIn(t, config.Provider{BaseURL: base}, login(t))); !strings.Contains(r.Findings[0].Found, "Weir never connects there") {
			t.Errorf("%s: %+v", base, r)
		}
	}
}

// Nothing free shows what a provider without a list of models thinks of its keys, and a probe says so.
func TestProbeWithoutAList(t *testing.T) {
	t.Parallel()
	up := httptest.NewServer(nil)
	t.Cleanup(up.Close)
	const found = "cannot be tried for free: this provider's API has no list of models"
	r := Probe(t.Context(), newProvider(t, config.Provider{Kind: "bedrock", BaseURL: up.URL, APIKeys: []secret.Text{secret.New("k1"), secret.New("k2")}}))
	if n := len(r.Findings); n != 3 || r.Findings[1].Found != found || r.Findings[1].Credential != 1 || r.Findings[2].Credential != 2 || r.Findings[2].Verdict != Unknown {
		t.Errorf("%+v", r.Findings)
	}
	bare := Probe(t.Context(), newProvider(t, config.Provider{Kind: "bedrock", BaseURL: up.URL}))
	if n := len(bare.Findings); n != 2 || bare.Findings[1].Step != StepModels || bare.Findings[1].Found != found {
		t.Errorf("%+v", bare.Findings)
	}
}
