package doctor

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/cloud/sigv4test"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/dial/dnstest"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/secret"
)

// tried is what a probe says of the credentials of a provider whose hosts are all on this machine.
func tried(t *testing.T, cfg config.Provider) string {
	t.Helper()
	resolver := dnstest.Resolver(t, func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.1")} })
	cfg.Name = "p"
	p, err := provider.NewWith(cfg, identity, dial.New(resolver), direct)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	var all []string
	for _, f := range Probe(t.Context(), p).Findings {
		if f.Step == stepCredential {
			all = append(all, string(f.Verdict)+" "+f.Found)
		}
		if f.Verdict != Good && f.Advice == "" {
			t.Errorf("no advice: %+v", f)
		}
	}
	return strings.Join(all, "\n")
}

// Bedrock's control plane lists models at another host, which is asked with a key or a signature.
func TestTrialAtBedrock(t *testing.T) {
	t.Parallel()
	var status int
	var typ string
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "GET" || r.URL.Path != "/foundation-models" || !strings.HasPrefix(r.Host, "bedrock.eu-central-1.test:") {
			t.Errorf("%s %s%s may cost something", r.Method, r.Host, r.URL)
		}
		if auth := r.Header.Get("Authorization"); auth != "Bearer key" {
			if err := sigv4test.Verify(r, nil, "secret"); err != nil {
				t.Error(err)
			}
			if !strings.Contains(auth, "/eu-central-1/bedrock/aws4_request") {
				t.Errorf("signed for %s", auth)
			}
		}
		w.Header().Set("X-Amzn-Errortype", typ)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, map[string]string{
			"AccessDeniedException:": `{"message":"User is not authorized to perform: bedrock:ListFoundationModels"}`,
			"AccessDeniedException":  `{"Message":"Authentication failed: Please make sure your API Key is valid."}`,
		}[typ])
	}))
	t.Cleanup(up.Close)
	base := "http://bedrock-runtime.eu-central-1.test:" + up.URL[strings.LastIndexByte(up.URL, ':')+1:]
	keyed := config.Provider{Kind: "bedrock", Region: "eu-central-1", BaseURL: base, APIKey: secret.New("key")}
	signed := config.Provider{Kind: "bedrock", Region: "eu-central-1", BaseURL: base, AWS: config.AWS{AccessKeyID: secret.New("id"), SecretAccessKey: secret.New("secret")}}
	for _, tt := range []struct {
		status    int
		typ, want string
	}{
		{200, "", "ok is taken: GET /foundation-models answered 200"},
		{403, "AccessDeniedException:", "ok is taken, though it is not allowed bedrock:ListFoundationModels, which calls do not need: GET /foundation-models answered 403"},
		{403, "AccessDeniedException", "error is refused: GET /foundation-models answered 403"},
		{403, "UnrecognizedClientException", "error is refused: GET /foundation-models answered 403"},
		{429, "ThrottlingException", "unknown is at its rate limit: GET /foundation-models answered 429"},
		{500, "InternalServerException", "error GET /foundation-models answered 500"},
		{404, "", "unknown cannot be tried: GET /foundation-models answered 404"},
	} {
		status, typ = tt.status, tt.typ
		for _, cfg := range []config.Provider{keyed, signed} {
			if got := tried(t, cfg); got != tt.want {
				t.Errorf("%d %s: %s, want %s", tt.status, tt.typ, got, tt.want)
			}
		}
	}
	// Which host manages another one is not known.
	own := keyed
	own.BaseURL = strings.Replace(base, "bedrock-runtime", "gateway", 1)
	if got := tried(t, own); !strings.HasPrefix(got, "unknown cannot be tried for free: ") {
		t.Error(got)
	}
}

// Vertex AI counts the tokens of a word, which needs all that a call needs.
func TestTrialAtVertex(t *testing.T) {
	t.Parallel()
	status := 0
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if r.Method != "POST" || r.URL.Path != "/projects/my-project/locations/europe-west1/publishers/google/models/gemini-2.5-flash:countTokens" ||
			r.Header.Get("Authorization") != "Bearer token" || !strings.Contains(string(body), `"contents"`) || err != nil {
			t.Errorf("%s %s %v: %s %v", r.Method, r.URL, r.Header, body, err)
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(up.Close)
	call := "POST /projects/my-project/locations/europe-west1/publishers/google/models/gemini-2.5-flash:countTokens answered "
	for code, want := range map[int]string{
		200: "ok is taken: " + call + "200", 401: "error is refused: " + call + "401", 403: "error is refused: " + call + "403",
		404: "unknown cannot be tried: " + call + "404",
	} {
		status = code
		cfg := config.Provider{Kind: "vertex", Project: "my-project", Region: "europe-west1", BaseURL: up.URL, Headers: map[string]secret.Text{"Authorization": secret.New("Bearer token")}}
		if got := tried(t, cfg); got != want {
			t.Errorf("%d: %s, want %s", code, got, want)
		}
	}
}
