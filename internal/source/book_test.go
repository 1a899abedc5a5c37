package source_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
)

// Values change without a restart: Changed says that the config is to be read again, when it is time and not before.
func TestRotation(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.vault.Put("openai", "key", "first")
	same(t, b.inForce(t, "vault:secret/data/openai#key"), "first")
	b.vault.Put("openai", "key", "second")
	b.clock.pass(59 * time.Second)
	if calls := b.vault.Calls("secret/data/openai"); b.Changed(t.Context()) || b.vault.Calls("secret/data/openai") != calls {
		t.Error("it was asked before it was time")
	}
	b.clock.pass(time.Second)
	if !b.Changed(t.Context()) || b.log.count("a secret has changed") != 1 {
		t.Error("the change is not seen")
	}
	same(t, b.inForce(t, "vault:secret/data/openai#key"), "second")
	b.clock.pass(time.Minute)
	if b.Changed(t.Context()) {
		t.Error("nothing has changed")
	}
	if f := b.Figures(config.SchemeVault); f.InForce != 1 || f.Failing != 0 || f.Read != 4 || f.Failed != 0 {
		t.Errorf("%+v", f)
	}
	if b.log.count("first") > 0 {
		t.Error("a value is in the log")
	}
}

// Where a source fails, its last value stays in use, for a reload too. The log says so once, and says when it is over.
func TestFailingSources(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "credential")
	if err := os.WriteFile(file, []byte("of a file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.vault.Put("openai", "key", "of Vault")
	names := []string{"vault:secret/data/openai#key", "file:" + file}
	same(t, b.inForce(t, names...), "of Vault", "of a file")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	b.vault.Instead(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	for range 3 {
		b.clock.pass(time.Minute)
		if b.Changed(t.Context()) {
			t.Error("a source that fails is no change")
		}
		same(t, b.inForce(t, names...), "of Vault", "of a file")
	}
	if n := b.log.count("cannot be read again; its last value stays in use"); n != 2 {
		t.Errorf("the log has %d lines", n)
	}
	failing := b.Failing()
	if len(failing) != 2 || !strings.HasSuffix(failing[0].Reason, "answered with status 503: it is sealed, or in maintenance") || failing[1].Reason != "no such file or directory" ||
		!failing[0].Since.Equal(b.clock.now().Add(-2*time.Minute)) {
		t.Errorf("%+v", failing)
	}
	if f := b.Figures(config.SchemeVault); f.Failing != 1 || f.Failed != 6 {
		t.Errorf("%+v", f)
	}
	// A reference that is new has no last value.
	got := b.read(t, "vault:secret/data/new#key", names[0])
	if !strings.HasPrefix(got[0], "! Vault at "+b.vault.URL()+" answered with status 503") || got[1] != "of Vault" {
		t.Errorf("%q", got)
	}
	b.vault.Instead(nil)
	b.clock.pass(time.Minute)
	if b.Changed(t.Context()) || len(b.Failing()) != 1 || b.log.count("can be read again") != 1 {
		t.Errorf("after it is over: %+v", b.Failing())
	}
	// What no config refers to is forgotten, and has no last value later.
	same(t, b.inForce(t, names[0]), "of Vault")
	if len(b.Failing()) != 0 {
		t.Errorf("%+v", b.Failing())
	}
	same(t, b.read(t, names[1]), "! no such file or directory")
}

// Without refresh, values are read with the config alone.
func TestWithoutRefresh(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.settings.Refresh = 0
	b.vault.Put("openai", "key", "first")
	b.inForce(t, "vault:secret/data/openai#key")
	b.vault.Put("openai", "key", "second")
	b.clock.pass(1000 * time.Hour)
	if b.Changed(t.Context()) || b.vault.Calls("secret/data/openai") != 1 {
		t.Error("it was asked")
	}
}

// A Weir that stops says of no source that it fails.
func TestStopping(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.vault.Put("openai", "key", "first")
	b.inForce(t, "vault:secret/data/openai#key")
	ctx, cancel := context.WithCancel(t.Context())
	b.vault.Instead(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	b.clock.pass(time.Minute)
	if b.Changed(ctx) || len(b.Failing()) > 0 {
		t.Errorf("%+v", b.Failing())
	}
}
