package source_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/source"
	"github.com/weirproxy/weir/internal/source/vaulttest"
)

// clock is a time that a test sets.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// logged is a log that a test reads.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), text)
}

// bench is a book with its clock, its log and a Vault.
type bench struct {
	*source.Book
	clock    *clock
	log      *logged
	vault    *vaulttest.Vault
	settings config.Secrets
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{clock: newClock(), log: &logged{}}
	b.vault = vaulttest.New(t, b.clock.now)
	b.Book = source.New(source.Options{Log: slog.New(slog.NewTextHandler(b.log, nil)), Now: b.clock.now})
	b.settings = config.Secrets{Refresh: config.Duration(time.Minute), Timeout: config.Duration(10 * time.Second)}
	b.settings.Vault = config.Vault{Address: b.vault.URL(), Token: secret.New(vaulttest.Root)}
	return b
}

// read reads references, and returns values, or errors as "! text".
func (b *bench) read(t *testing.T, names ...string) []string {
	t.Helper()
	refs := refsOf(names)
	var texts []string
	for i, reading := range b.Read(t.Context(), &b.settings, refs) {
		text := reading.Value.Reveal()
		if reading.Err != nil {
			text = "! " + reading.Err.Error()
		}
		texts = append(texts, text)
		if reading.Err != nil && !reading.Value.IsZero() {
			t.Errorf("%v has both a value and an error", refs[i])
		}
	}
	return texts
}

// inForce reads references, and has a config with them be in force.
func (b *bench) inForce(t *testing.T, names ...string) []string {
	t.Helper()
	texts := b.read(t, names...)
	b.InForce(&config.Config{Secrets: b.settings, References: refsOf(names)})
	return texts
}

func refsOf(names []string) []config.Reference {
	refs := make([]config.Reference, len(names))
	for i, name := range names {
		scheme, rest, _ := strings.Cut(name, ":")
		refs[i] = config.Reference{Scheme: config.Scheme(scheme), Name: rest}
	}
	return refs
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
