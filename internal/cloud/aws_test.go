package cloud

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/weirproxy/weir/internal/cloud/sigv4test"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/dial/dnstest"
	"github.com/weirproxy/weir/internal/secret"
)

// The example of AWS's own guide, which says what comes out: "Examples of the complete Version 4 signing process",
// GET iam:ListUsers. It holds the library to it, and what our tests verify with.
func TestSignatureOfTheGuide(t *testing.T) {
	t.Parallel()
	const key, want = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
	r := httptest.NewRequest(http.MethodGet, "/?Action=ListUsers&Version=2010-05-08", nil)
	r.Host = "iam.amazonaws.com"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	empty := sha256.Sum256(nil)
	keys := aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: key}
	if err := v4.NewSigner().SignHTTP(t.Context(), keys, r, hex.EncodeToString(empty[:]), "iam", "us-east-1", time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	if auth := r.Header.Get("Authorization"); !strings.HasSuffix(auth, "Signature="+want) {
		t.Error(auth)
	}
	if err := sigv4test.Verify(r, nil, key); err != nil {
		t.Error(err)
	}
}

const modelPath = "/model/us.amazon.nova-micro-v1%3A0/converse"

// signed makes a call signed by a and returns it as it arrived, its signature verified.
func signed(t *testing.T, a *AWS, key string) http.Header {
	t.Helper()
	t.Cleanup(a.Close)
	const body = `{"messages":[]}`
	var got http.Header
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		if r.RequestURI != modelPath || string(data) != body {
			t.Errorf("%s: %s", r.RequestURI, data)
		}
		if err := sigv4test.Verify(r, data, key); err != nil {
			t.Error(err)
		}
		got = r.Header
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+modelPath, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Via": {"1.1 weir"}, "User-Agent": {"weir"}}
	if err := a.Authorize(t.Context(), req, strings.NewReader(body)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(req.Header.Get("Authorization"), "via") {
		t.Error("Via is signed, which proxies change")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return got
}

func TestAWSByTheConfigsKeys(t *testing.T) {
	t.Parallel()
	cfg := AWSConfig{
		Region: "eu-central-1", Service: "bedrock", AccessKeyID: secret.New("AKIDCONFIG"), SecretAccessKey: secret.New("config/secret"), SessionToken: secret.New("config-session"),
	}
	a := NewAWS(wayTo(nil), cfg)
	h := signed(t, a, "config/secret")
	if got := h.Get("Authorization"); !strings.HasPrefix(got, "AWS4-HMAC-SHA256 Credential=AKIDCONFIG/") || !strings.Contains(got, "/eu-central-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, ") {
		t.Error(got)
	}
	if h.Get("X-Amz-Security-Token") != "config-session" {
		t.Errorf("%v", h)
	}
	if s, err := a.State(t.Context()); err != nil || s.Source != "the config" || !s.Until.IsZero() {
		t.Errorf("%+v, %v", s, err)
	}
	if p := a.Private(); strings.Join(p, " ") != "config-session AKIDCONFIG config/secret" {
		t.Errorf("%v may be shown", p)
	}
	if a.Refused(h) {
		t.Error("the config is said to hold others")
	}
}

// Keys that are refused before they expire are fetched again.
func TestAWSRefusedKeys(t *testing.T) {
	alone(t, map[string]string{"AWS_ACCESS_KEY_ID": "AKIDOLD", "AWS_SECRET_ACCESS_KEY": "old-secret", "AWS_SESSION_TOKEN": "old"})
	a := NewAWS(wayTo(nil), AWSConfig{Region: "eu-central-1", Service: "bedrock"})
	t.Cleanup(a.Close)
	h := signed(t, a, "old-secret")
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "AKIDNEW", "AWS_SECRET_ACCESS_KEY": "new-secret", "AWS_SESSION_TOKEN": "new"} {
		t.Setenv(name, value)
	}
	if !a.Refused(h) {
		t.Error("others are not looked for")
	}
	if h = signed(t, a, "new-secret"); !strings.Contains(h.Get("Authorization"), "AKIDNEW") || a.Refused(h) {
		t.Errorf("%v", h)
	}
}

// alone takes from the process what it has of AWS, and gives it what the test says.
func alone(t *testing.T, env map[string]string) {
	t.Helper()
	for _, name := range []string{
		"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_AUTHORIZATION_TOKEN", "AWS_ENDPOINT_URL_STS", "AWS_CA_BUNDLE",
	} {
		t.Setenv(name, "")
	}
	folder := t.TempDir()
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(folder, "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(folder, "credentials"))
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	for name, value := range env {
		t.Setenv(name, value)
	}
}

// found is where the process's keys are from, and the access key's id.
func found(t *testing.T, cfg AWSConfig, key string) (source, id string) {
	t.Helper()
	cfg.Region, cfg.Service = "eu-central-1", "bedrock"
	a := NewAWS(wayTo(nil), cfg)
	h := signed(t, a, key)
	s, err := a.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, id, _ = strings.Cut(h.Get("Authorization"), "Credential=")
	id, _, _ = strings.Cut(id, "/")
	return s.Source, id
}

func expect(t *testing.T, cfg AWSConfig, key, source, id string) {
	t.Helper()
	if s, i := found(t, cfg, key); s != source || i != id {
		t.Errorf("%s of %s, not %s of %s", i, s, id, source)
	}
}

func TestAWSByTheEnvironmentAndFiles(t *testing.T) {
	alone(t, map[string]string{"AWS_ACCESS_KEY_ID": "AKIDENV", "AWS_SECRET_ACCESS_KEY": "env-secret"})
	expect(t, AWSConfig{}, "env-secret", "the environment", "AKIDENV")
	text := "[default]\naws_access_key_id = AKIDFILE\naws_secret_access_key = file-secret\n[other]\naws_access_key_id = AKIDOTHER\naws_secret_access_key = other-secret\n"
	if err := os.WriteFile(os.Getenv("AWS_SHARED_CREDENTIALS_FILE"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, AWSConfig{Profile: "other"}, "other-secret", "a shared file of AWS's tools", "AKIDOTHER") // the config counts more
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	expect(t, AWSConfig{}, "file-secret", "a shared file of AWS's tools", "AKIDFILE")
}

// A pod signs in at STS with the token that its cluster gave it.
func TestAWSByAWebIdentity(t *testing.T) {
	sts := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		if r.PostForm.Get("Action") != "AssumeRoleWithWebIdentity" || r.PostForm.Get("RoleArn") != "arn:aws:iam::1:role/weir" || r.PostForm.Get("WebIdentityToken") != "pod-token" {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>Not authorized with `+r.PostForm.Get("WebIdentityToken")+`</Message></Error></ErrorResponse>`)
			return
		}
		_, _ = io.WriteString(w, `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>AKIDPOD</AccessKeyId><SecretAccessKey>pod-secret</SecretAccessKey><SessionToken>pod-session</SessionToken><Expiration>`+
			time.Now().Add(time.Hour).UTC().Format(time.RFC3339)+`</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`)
	})
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("pod-token"), 0o600); err != nil {
		t.Fatal(err)
	}
	alone(t, map[string]string{"AWS_ENDPOINT_URL_STS": sts, "AWS_WEB_IDENTITY_TOKEN_FILE": file, "AWS_ROLE_ARN": "arn:aws:iam::1:role/weir"})
	expect(t, AWSConfig{}, "pod-secret", "a web identity", "AKIDPOD")

	if err := os.WriteFile(file, []byte("another-pods-token"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := NewAWS(wayTo(nil), AWSConfig{Region: "eu-central-1", Service: "bedrock"})
	t.Cleanup(a.Close)
	if got := lacking(t, a.State, "another-pods-token"); !strings.Contains(got, "no credentials of AWS: STS AssumeRoleWithWebIdentity answered AccessDenied; set aws:") {
		t.Error(got)
	}
}

func TestAWSByTheContainersRole(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "container-token" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		_, _ = io.WriteString(w, `{"AccessKeyId":"AKIDTASK","SecretAccessKey":"task-secret","Token":"task-session","Expiration":"`+time.Now().Add(6*time.Hour).UTC().Format(time.RFC3339)+`"}`)
	})
	alone(t, map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": base + "/v2/credentials", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "container-token"})
	expect(t, AWSConfig{}, "task-secret", "the container's role", "AKIDTASK")
}

// containersRole asks for the role of a container, whose agent the environment names, by a way of the test's own.
func containersRole(ctx context.Context, t *testing.T, way Way, env map[string]string) (State, error) {
	t.Helper()
	alone(t, env)
	a := NewAWS(way, AWSConfig{Region: "eu-central-1", Service: "bedrock"})
	t.Cleanup(a.Close)
	return a.State(ctx)
}

// If a container's agent has a name that resolves to a metadata service, the guard refuses it, because it checks the address
// after the lookup.
func TestAWSContainersRoleIsGuarded(t *testing.T) {
	way := wayTo(nil)
	way.Dialer = dial.New(dnstest.Resolver(t, func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("169.254.169.254")} }))
	_, err := containersRole(t.Context(), t, way, map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": "https://agent.test/v2/credentials"})
	if err == nil || !strings.Contains(err.Error(), "cannot connect to agent.test: ") || !strings.Contains(err.Error(), "Weir never connects there") {
		t.Error(err)
	}
}

// A proxy never sees the keys of a container's role, whether they come from an agent on this machine or from the metadata
// service.
func TestAWSContainersRoleIsHeardByNoProxy(t *testing.T) {
	agent := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"AccessKeyId":"AKIDTASK","SecretAccessKey":"task-secret"}`)
	})
	proxy, err := url.Parse(serve(t, func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("a proxy hears of %s", r.URL)
		w.WriteHeader(http.StatusBadGateway)
	}))
	if err != nil {
		t.Fatal(err)
	}
	way := wayTo(nil)
	way.Proxy = http.ProxyURL(proxy)
	s, err := containersRole(t.Context(), t, way, map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": agent + "/v2/credentials"})
	if err != nil || s.Source != "the container's role" {
		t.Errorf("%+v, %v", s, err)
	}
	// Most machines have no such service: what counts is which address it asks.
	ctx, cancel := context.WithTimeout(t.Context(), metadataConnect/2)
	defer cancel()
	_, _ = containersRole(ctx, t, way, map[string]string{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/credentials"})
}

// The metadata service is asked as its second version wants: with a token that is got first.
func TestAWSByTheMachinesRole(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPut && r.URL.Path == "/latest/api/token":
			w.Header().Set("X-Aws-Ec2-Metadata-Token-Ttl-Seconds", "21600")
			_, _ = io.WriteString(w, "imds-token")
		case r.Header.Get("X-Aws-Ec2-Metadata-Token") != "imds-token":
			w.WriteHeader(http.StatusUnauthorized)
		case strings.HasSuffix(r.URL.Path, "/security-credentials/"):
			_, _ = io.WriteString(w, "weir-role")
		case strings.HasSuffix(r.URL.Path, "/weir-role"):
			_, _ = io.WriteString(w, `{"Code":"Success","AccessKeyId":"AKIDROLE","SecretAccessKey":"role-secret","Token":"role-session","Expiration":"`+time.Now().Add(6*time.Hour).UTC().Format(time.RFC3339)+`"}`)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	alone(t, map[string]string{"AWS_EC2_METADATA_DISABLED": "false", "AWS_EC2_METADATA_SERVICE_ENDPOINT": base})
	expect(t, AWSConfig{}, "role-secret", "the machine's role", "AKIDROLE")
}

func TestAWSLacks(t *testing.T) {
	alone(t, nil)
	a := NewAWS(wayTo(nil), AWSConfig{Region: "eu-central-1", Service: "bedrock"})
	t.Cleanup(a.Close)
	if got := lacking(t, a.State); !strings.Contains(got, "the environment and ~/.aws hold none, and this machine has no role") {
		t.Error(got)
	}
	b := NewAWS(wayTo(nil), AWSConfig{Region: "eu-central-1", Service: "bedrock", Profile: "missing"})
	t.Cleanup(b.Close)
	if got := lacking(t, b.State); !strings.Contains(got, "missing") {
		t.Error(got)
	}
}
