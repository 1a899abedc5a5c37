package admin_test

import (
	"crypto/rand"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/secret"
)

func TestTokenIsMadeOnceForTheOwnerOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := admin.Token(dir, secret.Text{}, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(admin.TokenFile(dir))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	second, err := admin.Token(dir, secret.Text{}, iotest.ErrReader(errors.New("not needed")))
	if err != nil || second != first || len(first.Reveal()) < 43 {
		t.Errorf("%d characters, then the same: %v, %v", len(first.Reveal()), second == first, err)
	}
	read, err := admin.ReadToken(admin.TokenFile(dir))
	if err != nil || read != first {
		t.Error(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("something is left beside the token: %v, %v", entries, err)
	}
	other, err := admin.Token(t.TempDir(), secret.Text{}, rand.Reader)
	if err != nil || other == first {
		t.Error("two data folders share a token")
	}
}

func TestConfiguredTokenWinsAndLeavesNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	configured := secret.New("a-configured-token")
	got, err := admin.Token(dir, configured, rand.Reader)
	if err != nil || got != configured {
		t.Error(err)
	}
	if _, err := os.Stat(admin.TokenFile(dir)); err == nil {
		t.Error("a file was made")
	}
	for _, weak := range []string{"short", "long enough but with spaces"} {
		if _, err := admin.Token(dir, secret.New(weak), rand.Reader); err == nil || strings.Contains(err.Error(), weak) {
			t.Errorf("%q: %v", weak, err)
		}
	}
}

func TestTokenErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	broken := errors.New("no entropy")
	if _, err := admin.Token(dir, secret.Text{}, iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := admin.Token(filepath.Join(dir, "missing"), secret.Text{}, rand.Reader); err == nil {
		t.Error("a token without a folder")
	}
	if err := os.WriteFile(admin.TokenFile(dir), []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Token(dir, secret.Text{}, rand.Reader); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("an empty file: %v", err)
	}
}

func TestParseDuration(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"90d": 90 * day, "2w": 14 * day, "1w2d12h": 9*day + 12*time.Hour, "12h": 12 * time.Hour, "1h30m": 90 * time.Minute, "0": 0, "0d": 0, "1.5h": 90 * time.Minute,
		"106751d": 106751 * day,
	} {
		if got, err := admin.ParseDuration(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "5", "d", "w", "-1d", "-1h", "1d-1h", "1.5d", "1h2d", "1d2w", "1d 2h", "90 d", "soon", "none", "999999999w", "106752d", "106751d24h", "15250w2d",
	} {
		if got, err := admin.ParseDuration(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
	if math.MaxInt64/int64(day) != 106751 {
		t.Error("the longest duration is another")
	}
}
