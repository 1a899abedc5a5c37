package source_test

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/source/vaulttest"
)

// A path is asked for once for all its fields, by its parts as they are written.
func TestVault(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.vault.Namespace, b.settings.Vault.Namespace = "team-a", "team-a"
	b.vault.PutJSON("models/open ai%2F", `{"key":"one","other key":"two\nlines","empty":"","number":7,"null":null}`)
	path := "vault:secret/data/models/open ai%2F#"
	same(t, b.read(t, path+"key", path+"other key", path+"empty", path+"number", path+"null", path+"nothing", path+"Key"),
		"one", "two\nlines", "! the field is empty", "! the field is not a text: put it into quotes in Vault", "! the field is not a text: put it into quotes in Vault",
		"! the secret has no such field", "! the secret has no such field")
	if n := b.vault.Calls("secret/data/models/open ai%2F"); n != 1 {
		t.Errorf("asked %d times", n)
	}
	b.vault.PutJSON("models/open ai%2F", "null")
	same(t, b.read(t, path+"empty"), "! Vault at "+b.vault.URL()+" answered with status 404: it has no secret at this path, or its newest version is deleted")
	b.settings.Vault.Token = secret.New("hvs.of-another")
	same(t, b.read(t, path+"null"), "! Vault at "+b.vault.URL()+" answered with status 403: the token is not valid any more, or no policy of it allows to read this path")
}

// Vault's certificate is checked, by the authorities of ca_file if there is one.
func TestVaultTLS(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.vault = vaulttest.NewTLS(t, b.clock.now)
	b.vault.Put("a", "b", "c")
	b.settings.Vault.Address = b.vault.URL()
	got := b.read(t, "vault:secret/data/a#b")
	if !strings.Contains(got[0], "certificate") || b.vault.Calls("secret/data/a") > 0 {
		t.Errorf("%q", got)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: b.vault.Authority()}), 0o600); err != nil {
		t.Fatal(err)
	}
	b.settings.Vault.CAFile = file
	same(t, b.read(t, "vault:secret/data/a#b"), "c")
}

// A Vault that answers anything else is an error that says what to do, and shows nothing of what it answered.
func TestVaultThatAnswersNonsense(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a redirect was followed, with %v", r.Header)
	}))
	t.Cleanup(elsewhere.Close)
	const planted = "pl4nted-s3cret"
	text := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			_, _ = w.Write([]byte(`{"errors":["` + planted + `"]}`))
		}
	}
	const metadata = `"metadata":{"version":1,"destroyed":false,"deletion_time":""}`
	for name, tt := range map[string]struct {
		instead http.HandlerFunc
		want    string
	}{
		"HTML":           {text("<html>" + planted), "is it one?"},
		"nothing":        {text(""), "is it one?"},
		"cut":            {text(`{"data":{"data":{"b":"` + planted), "is it one?"},
		"null":           {text("null"), "of version 2?"},
		"a list":         {text(`[{"b":"` + planted + `"}]`), "is it one?"},
		"version 1":      {text(`{"data":{"b":"` + planted + `"}}`), "of version 2?"},
		"without data":   {text(`{"data":{` + metadata + `}}`), "no such field"},
		"a text as data": {text(`{"data":{"data":"` + planted + `",` + metadata + `}}`), "is it one?"},
		"nested":         {text(`{"data":{"data":{"b":{"c":"` + planted + `"}},` + metadata + `}}`), "not a text"},
		"destroyed":      {text(`{"data":{"data":{"b":"` + planted + `"},"metadata":{"destroyed":true}}}`), "is deleted"},
		"a huge field":   {text(`{"data":{"data":{"b":"` + strings.Repeat(planted, 5000) + `"},` + metadata + `}}`), "longer than 64 KiB"},
		"a huge answer":  {text(`{"data":{"data":{"a":"` + strings.Repeat("x", 3<<20) + `"},` + metadata + `}}`), "answered more than 2 MiB"},
		"deep":           {text(strings.Repeat("[", 1<<20)), "is it one?"},
		"huge headers":   {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat(planted, 10_000)) }, "broke off"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, "not followed"},
		"no content":      {status(http.StatusNoContent), "status 204"},
		"a bad request":   {status(http.StatusBadRequest), "status 400"},
		"a limit":         {status(http.StatusTooManyRequests), "limits how often"},
		"a standby":       {status(473), "standby"},
		"an error":        {status(http.StatusInternalServerError), "status 500"},
		"no Vault yet":    {status(http.StatusNotImplemented), "not initialized"},
		"sealed":          {status(http.StatusServiceUnavailable), "sealed"},
		"a broken answer": {func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }, "broke off"},
		"half an answer": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"data":"` + planted))
		}, "broke off its answer"},
		"an endless answer": {func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write([]byte("          ")); err != nil {
					return
				}
			}
		}, "answered more than 2 MiB"},
		"silence":     {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "the time for it is over, which secrets.timeout says (100ms)"},
		"half a head": {halfAHead, "the time for it is over"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.vault.Put("a", "b", "before")
			if strings.Contains(tt.want, "the time") {
				b.settings.Timeout = config.Duration(100 * time.Millisecond)
			}
			b.vault.Instead(tt.instead)
			got := b.read(t, "vault:secret/data/a#b")[0]
			if !strings.HasPrefix(got, "! ") || !strings.Contains(got, tt.want) || strings.Contains(got, planted) || strings.Contains(got, vaulttest.Root) || len(got) > 300 {
				t.Errorf("%.500s", got)
			}
			// Where it has answered before, that stays in use.
			b.settings.Timeout = config.Duration(10 * time.Second)
			b.vault.Instead(nil)
			same(t, b.inForce(t, "vault:secret/data/a#b"), "before")
			if strings.Contains(tt.want, "the time") {
				b.settings.Timeout = config.Duration(100 * time.Millisecond)
			}
			b.vault.Instead(tt.instead)
			same(t, b.read(t, "vault:secret/data/a#b"), "before")
			if len(b.Failing()) != 1 || b.log.count(planted) > 0 {
				t.Errorf("%+v", b.Failing())
			}
		})
	}
}

// halfAHead begins an answer, and does not go on.
func halfAHead(w http.ResponseWriter, r *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\nX-Half: "))
	var one [1]byte
	_, _ = conn.Read(one[:]) // until the client gives up
}

// Vault is reached by the dialer that keeps away from metadata services.
func TestVaultIsNoMetadataService(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.settings.Vault.Address = "http://169.254.169.254"
	got := b.read(t, "vault:secret/data/a#b")[0]
	if !strings.Contains(got, "never connects there") {
		t.Error(got)
	}
}
