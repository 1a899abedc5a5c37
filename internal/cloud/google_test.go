package cloud

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writeJSON(t *testing.T, path string, value map[string]string) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A service account signs a statement of who it is with its key.
func TestGoogleByAServiceAccount(t *testing.T) {
	t.Parallel()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	var base string
	base = serve(t, func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		head, claims, signature := signedBy(t, &key.PublicKey, r.PostForm.Get("assertion"))
		if r.PostForm.Get("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer" || head.Alg != "RS256" || !signature ||
			claims.Iss != "weir@p.iam.gserviceaccount.com" || claims.Aud != base+"/token" || claims.Scope != googleScope || claims.Exp-claims.Iat > 3600 {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"Invalid JWT Signature."}`)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"sa-token","expires_in":3599,"token_type":"Bearer"}`)
	})
	account := map[string]string{
		"type": "service_account", "project_id": "p", "private_key_id": "1", "client_email": "weir@p.iam.gserviceaccount.com", "token_uri": base + "/token",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})),
	}
	file := writeJSON(t, filepath.Join(t.TempDir(), "sa.json"), account)
	b := NewGoogle(wayTo(nil), file)
	if got := authorized(t, b); got != "Bearer sa-token" {
		t.Error(got)
	}
	if s, err := b.State(t.Context()); err != nil || s.Source != "the service account in "+file || s.Until.IsZero() {
		t.Errorf("%+v, %v", s, err)
	}
	if got := authorized(t, NewGoogle(wayTo(map[string]string{"GOOGLE_APPLICATION_CREDENTIALS": file}), "")); got != "Bearer sa-token" {
		t.Error(got)
	}

	account["client_email"] = "another@p.iam.gserviceaccount.com"
	wrong := NewGoogle(wayTo(nil), writeJSON(t, filepath.Join(t.TempDir(), "sa.json"), account))
	t.Cleanup(wrong.Close)
	if got := lacking(t, wrong.State, "Invalid JWT", "BEGIN"); !strings.Contains(got, "the token endpoint answered 400, invalid_grant; set credentials_file") {
		t.Error(got)
	}
}

type jwtHead struct{ Alg string }

type jwtClaims struct {
	Iss, Aud, Scope string
	Exp, Iat        int64
}

func signedBy(t *testing.T, key *rsa.PublicKey, jwt string) (head jwtHead, claims jwtClaims, signed bool) {
	parts := strings.Split(jwt, ".")
	if len(parts) != 3 {
		t.Errorf("%q is no JWT", jwt)
		return head, claims, false
	}
	for i, to := range []any{&head, &claims} {
		text, err := base64.RawURLEncoding.DecodeString(parts[i])
		if err != nil || json.Unmarshal(text, to) != nil {
			t.Errorf("part %d: %q", i, parts[i])
		}
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	return head, claims, err == nil && rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature) == nil
}

// Without a file of one's own it is gcloud's, and without that the machine.
func TestGoogleByTheMachine(t *testing.T) {
	t.Parallel()
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/computeMetadata/v1/instance/service-accounts/default/token" || r.Header.Get("Metadata-Flavor") != "Google" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		_, _ = io.WriteString(w, `{"access_token":"machine-token","expires_in":1200,"token_type":"Bearer"}`)
	})
	env := map[string]string{"GCE_METADATA_HOST": strings.TrimPrefix(base, "http://"), "HOME": t.TempDir(), "APPDATA": t.TempDir()}
	if got := authorized(t, NewGoogle(wayTo(env), "")); got != "Bearer machine-token" {
		t.Error(got)
	}
	env["CLOUDSDK_CONFIG"] = t.TempDir()
	writeJSON(t, filepath.Join(env["CLOUDSDK_CONFIG"], "application_default_credentials.json"), map[string]string{"type": "something_new"})
	b := NewGoogle(wayTo(env), "")
	t.Cleanup(b.Close)
	if got := lacking(t, b.State); !strings.Contains(got, "is no file of Google credentials") {
		t.Error(got)
	}
	env = map[string]string{"GCE_METADATA_HOST": "127.0.0.1:1"}
	nobody := NewGoogle(wayTo(env), "")
	t.Cleanup(nobody.Close)
	if got := lacking(t, nobody.State); !strings.Contains(got, "gives no token: cannot connect to 127.0.0.1:1") {
		t.Error(got)
	}
}

// A workload elsewhere exchanges its own issuer's token.
func TestGoogleByAnotherIssuersToken(t *testing.T) {
	t.Parallel()
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		if r.PostForm.Get("subject_token") != "pod-token" || r.PostForm.Get("audience") != "//iam.googleapis.com/pool" {
			t.Errorf("%v", r.PostForm)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"federated-token","issued_token_type":"urn:ietf:params:oauth:token-type:access_token","token_type":"Bearer","expires_in":3600}`)
	})
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "token"), []byte("pod-token"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "external.json")
	text := `{"type":"external_account","audience":"//iam.googleapis.com/pool","subject_token_type":"urn:ietf:params:oauth:token-type:jwt","token_url":"` + base + `/v1/token","credential_source":{"file":` + quoted(filepath.Join(folder, "token")) + `}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := authorized(t, NewGoogle(wayTo(nil), file)); got != "Bearer federated-token" {
		t.Error(got)
	}
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
