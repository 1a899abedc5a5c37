package app

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
)

// A config that expects HTTP/2 and does not get it causes one warning, which says what to do.
func TestWarnHTTP2(t *testing.T) {
	t.Parallel()
	secure := config.Listener{TLS: &config.TLS{}}
	for _, c := range []struct {
		cfg     config.Config
		release string
		warns   bool
	}{
		{config.Config{Listen: secure}, "go1.26.8", true},
		{config.Config{Admin: config.Admin{Listen: secure}}, "go1.26", true},
		{config.Config{Listen: secure, Admin: config.Admin{Listen: secure}}, "go1.26rc1", true},
		{config.Config{Listen: secure}, "go1.26.9", false},
		{config.Config{Listen: secure}, "go1.27", false},
		{config.Config{}, "go1.26.8", false},
	} {
		var out bytes.Buffer
		warnHTTP2(&c.cfg, c.release, slog.New(slog.NewTextHandler(&out, nil)))
		got := out.String()
		if !c.warns && got != "" || c.warns && (strings.Count(got, "level=WARN") != 1 || !strings.Contains(got, "Go 1.26.9 or later") || !strings.Contains(got, c.release)) {
			t.Errorf("%s, %v: %q", c.release, c.warns, got)
		}
	}
}
