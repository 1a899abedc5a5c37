package app

import (
	"bufio"
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/http"
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

// A server that accepts no more connections still serves those that are open: the other side may send a request at any moment.
func TestOpenConnectionsAreServed(t *testing.T) {
	t.Parallel()
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s, err := listen(config.Listener{Addr: "127.0.0.1:0"}, nil, publicSetting, handler, bounds{connections: 10, headers: 1 << 20}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.serve() }()
	c, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	answers := bufio.NewReader(c)
	for n := range 2 {
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: weir\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(answers, nil)
		if err != nil || resp.StatusCode != http.StatusNoContent {
			t.Fatalf("request %d: %v %v", n, resp, err)
		}
		s.refuse()
		if err := <-served; err != nil {
			t.Error(err)
		}
		served <- nil // for the next look
		if other, err := net.Dial("tcp", s.listener.Addr().String()); err == nil {
			other.Close()
			t.Error("another connection is accepted")
		}
	}
	if err := s.http.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := answers.ReadByte(); err != io.EOF {
		t.Errorf("the connection is open after the end: %v", err)
	}
}
