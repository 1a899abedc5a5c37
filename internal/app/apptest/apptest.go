// Package apptest runs the real program in a test's own process, on free ports and in folders of its own, against
// simulated providers. It is test support.
package apptest

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/logging"
	"github.com/weirproxy/weir/internal/shape"
	"github.com/weirproxy/weir/internal/sim"
	"github.com/weirproxy/weir/internal/source"
	"github.com/weirproxy/weir/internal/transcript"
)

// Upstream is a simulated provider on a port of its own. It ends with the test.
type Upstream struct {
	*sim.Server
	base string
}

// NewUpstream starts one. An empty script answers everything; a wrong one ends the test.
func NewUpstream(t testing.TB, script []byte) *Upstream {
	t.Helper()
	return newUpstream(t, script, (*httptest.Server).Start)
}

// NewUpstreamHTTP2 starts one that speaks HTTP/2 too, over TLS, and returns the file with its certificate.
func NewUpstreamHTTP2(t testing.TB, script []byte) (u *Upstream, caFile string) {
	t.Helper()
	caFile = filepath.Join(t.TempDir(), "ca.pem")
	return newUpstream(t, script, func(server *httptest.Server) {
		server.EnableHTTP2 = true
		server.StartTLS()
		certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
		if err := os.WriteFile(caFile, certificate, 0o600); err != nil {
			t.Fatal(err)
		}
	}), caFile
}

func newUpstream(t testing.TB, script []byte, begin func(*httptest.Server)) *Upstream {
	t.Helper()
	var parsed sim.Script
	if len(bytes.TrimSpace(script)) > 0 {
		var err error
		if parsed, err = sim.ParseScript(script); err != nil {
			t.Fatal(err)
		}
	}
	u := &Upstream{Server: sim.New(parsed)}
	server := httptest.NewUnstartedServer(u.Server)
	begin(server)
	t.Cleanup(func() {
		server.CloseClientConnections() // a stalled call ends only with its connection
		server.Close()
	})
	u.base = server.URL + "/v1"
	return u
}

// URL is the base URL, /v1 included.
func (u *Upstream) URL() string { return u.base }

// Weir is a running program. It stops with the test, without waiting for what still runs; its log is then searched for
// secrets. Its methods are for the test's own goroutine.
type Weir struct {
	*app.App
	// Requests are the log events of requests; its String is the whole log.
	Requests *transcript.Log

	secrets []string // what the log must not hold
}

// Start runs Weir with the config file at path. It uses the data folder and store of the file; without a data folder it
// gets one of the test's. The listeners are always on free loopback ports. Every answer is compared with OpenAI's
// schema, if that is next to the repository.
func Start(t testing.TB, path string) *Weir {
	t.Helper()
	return start(t, path, shaped(t), nil, nil, nil)
}

// StartAt runs Weir with the config file at path, on a machine whose clock says now.
func StartAt(t testing.TB, path string, now func() time.Time) *Weir {
	t.Helper()
	return start(t, path, shaped(t), nil, nil, now)
}

func shaped(t testing.TB) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler { return shape.Handler(t, next) }
}

// StartIn runs Weir with the text of a config file, in an environment.
func StartIn(t testing.TB, text string, env map[string]string) *Weir {
	t.Helper()
	return start(t, write(t, text), shaped(t), env, nil, nil)
}

// journal bounds the journals of all but bare Weirs. A start fills two segments with zeros, and segments are as large as the bound allows: 32 MiB
// were more work under the race detector than the rest of a start.
const journal = 16 << 20

// mostLog is how many bytes of a log a failed test shows: the rest of what it says should be found beside them.
const mostLog = 16 << 10

// start runs Weir. log is where it logs, nil for Requests.
func start(t testing.TB, path string, watch func(http.Handler) http.Handler, env map[string]string, log *slog.Logger, now func() time.Time) *Weir {
	t.Helper()
	w := &Weir{Requests: &transcript.Log{Keep: isRequest}}
	if log == nil {
		log = slog.New(slog.NewJSONHandler(w.Requests, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	book := source.New(source.Options{Log: log, Now: now})
	read := func(ctx context.Context) (*config.Config, error) {
		loader := config.Loader{Kinds: catalog.ConfigKinds(), Known: catalog.Known} // no environment: the machine has no say
		loader.Sources = book.Sources(ctx)
		cfg, err := loader.Load(path)
		if err != nil {
			return nil, err
		}
		if watch != nil && cfg.Journal > journal {
			cfg.Journal = journal
		}
		return cfg, cfg.Override(config.Overrides{
			Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0", Data: filepath.Join(filepath.Dir(path), "weir-data"),
		})
	}
	cfg, err := read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ctx, skipWaiting := context.WithCancel(context.Background())
	skipWaiting()
	w.App, err = app.New(context.Background(), app.Options{
		Config: cfg, Version: "test", Reread: read, Secrets: book, Watch: watch,
		Env: func(name string) (string, bool) { value, ok := env[name]; return value, ok },
		Log: log, Now: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.secrets = append(credentials(cfg), w.AdminToken().Reveal())
	w.App.Start()
	t.Cleanup(func() {
		if err := w.Stop(ctx); err != nil {
			t.Errorf("stopping: %v", err)
		}
		w.checkLog(t)
		if t.Failed() {
			log := w.Requests.String()
			t.Logf("the end of the log:\n%s", log[max(0, len(log)-mostLog):])
		}
	})
	return w
}

// StartWith runs Weir with the text of a config file.
func StartWith(t testing.TB, text string) *Weir {
	t.Helper()
	return Start(t, write(t, text))
}

// StartAhead runs Weir with the text of a config file on a machine whose clock is so far ahead.
func StartAhead(t testing.TB, text string, ahead time.Duration) *Weir {
	t.Helper()
	return start(t, write(t, text), shaped(t), nil, nil, func() time.Time { return time.Now().Add(ahead) })
}

// StartBare runs Weir with the text of a config file, for tests that measure time and memory. Answers are not compared with the schema.
// The log is written as operators have it, and kept nowhere.
func StartBare(t testing.TB, text string) *Weir {
	t.Helper()
	log, err := logging.Open(logging.Options{To: io.Discard, Format: "json"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close(context.Background()) })
	return start(t, write(t, text), nil, nil, log.Logger, nil)
}

func write(t testing.TB, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "weir.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// credentials are the providers' keys in cfg that are long enough to differ from ordinary words.
func credentials(cfg *config.Config) []string {
	var list []string
	for _, p := range cfg.Providers {
		secrets := append(p.APIKeys, p.APIKey)
		secrets = append(secrets, p.AWS.AccessKeyID, p.AWS.SecretAccessKey, p.AWS.SessionToken)
		if p.Entra != nil {
			secrets = append(secrets, p.Entra.ClientSecret)
		}
		for _, key := range secrets {
			if len(key.Reveal()) >= 8 {
				list = append(list, key.Reveal())
			}
		}
	}
	for _, header := range cfg.Traces.Headers {
		list = append(list, header.Reveal())
	}
	if secret := cfg.Alerts.Secret.Reveal(); secret != "" {
		list = append(list, secret)
	}
	return list
}

// checkLog fails the test if a key, the admin token or a provider's credential is in the log.
func (w *Weir) checkLog(t testing.TB) {
	t.Helper()
	text := w.Requests.String()
	for _, secret := range w.secrets {
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("a secret is in the log: …%s", text[max(0, i-200):min(len(text), i+200)])
		}
	}
}

func isRequest(line json.RawMessage) bool {
	return bytes.Contains(line, []byte(`,"msg":"request",`)) && !bytes.Contains(line, []byte(transcript.Closing))
}

// NewKey makes a key for the models; none means all.
func (w *Weir) NewKey(t testing.TB, name string, models ...string) string {
	t.Helper()
	_, key, err := w.Keys().Create(context.Background(), auth.Draft{Name: name, Models: models})
	if err != nil {
		t.Fatal(err)
	}
	w.secrets = append(w.secrets, key.Reveal())
	return key.Reveal()
}

// Addr is the public listener's host:port.
func (w *Weir) Addr() string { return strings.TrimPrefix(w.URL(), "http://") }

// AdminAddr is the admin listener's host:port.
func (w *Weir) AdminAddr() string { return strings.TrimPrefix(w.AdminURL(), "http://") }
