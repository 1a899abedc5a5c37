package fetch

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/dial/dnstest"
)

var png = []byte("\x89PNG\r\n\x1a\n and so on")

// room is a Room of so many bytes.
type room struct{ held, most int }

func (r *room) Grow(n int) bool {
	if n > 0 && r.held+n > r.most {
		return false
	}
	r.held += n
	return true
}

// server answers each path in a way of its own.
func server(t *testing.T) *httptest.Server {
	t.Helper()
	endless := func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(png)
		for piece := bytes.Repeat([]byte("x"), 64<<10); r.Context().Err() == nil; {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	}
	answers := map[string]http.HandlerFunc{
		"/image": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(png) },
		"/believed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write(png)
		},
		"/page": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "image/png")
			_, _ = io.WriteString(w, "<!doctype html>")
		},
		"/svg":     func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<svg/>") },
		"/nothing": func(http.ResponseWriter, *http.Request) {},
		"/moved": func(w http.ResponseWriter, _ *http.Request) {
			http.Redirect(w, &http.Request{}, "http://127.0.0.1/", http.StatusFound)
		},
		"/missing": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound); _, _ = w.Write(png) },
		"/compressed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(png)
		},
		"/large": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10485761")
			_, _ = w.Write(png)
		},
		"/short": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "500")
			_, _ = w.Write(png)
		},
		"/endless": endless,
		"/silent":  func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"/slow": func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(png)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		},
		"/asked": func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("User-Agent") == "weir/test" && r.Header.Get("Accept-Encoding") == "" && r.Header.Get("Cookie") == "" && r.URL.RawQuery == "a=b" {
				_, _ = w.Write(png)
			}
		},
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answers[r.URL.Path](w, r) }))
	t.Cleanup(s.Close)
	return s
}

func TestImage(t *testing.T) {
	t.Parallel()
	s := server(t)
	for _, tt := range []struct{ address, wrong string }{
		{s.URL + "/image", ""},
		{s.URL + "/believed", ""},
		{s.URL + "/asked?a=b#fragment", ""},
		{s.URL + "/page", "no PNG"},
		{s.URL + "/svg", "no PNG"},
		{s.URL + "/nothing", "no PNG"},
		{s.URL + "/moved", "answered 302, and redirects are not followed"},
		{s.URL + "/missing", "answered 404"},
		{s.URL + "/compressed", "compresses"},
		{s.URL + "/large", "larger than"},
		{s.URL + "/endless", "larger than"},
		{s.URL + "/short", "broke off"},
		{s.URL + "/silent", "did not arrive within"},
		{s.URL + "/slow", "did not arrive within"},
		{strings.Replace(s.URL, "http://", "http://user:secret@", 1) + "/image", "credential"},
		{"ftp://example.com/a.png", "not a data: URL"},
		{"file:///etc/passwd", "no URL"},
		{"data:image/png,x", "no URL"},
		{"//example.com/a.png", "not a data: URL"},
		{"http://", "no URL"},
		{"http://a b/", "no URL"},
		{"https://example.com/" + strings.Repeat("a", maxURL), "no URL"},
		{"http://127.0.0.1:1/", "cannot be reached"},
	} {
		t.Run(tt.address[:min(len(tt.address), 60)], func(t *testing.T) {
			t.Parallel()
			f := New(dial.New(nil), "weir/test")
			if strings.HasSuffix(tt.address, "/silent") || strings.HasSuffix(tt.address, "/slow") {
				f.within = 50 * time.Millisecond
			}
			memory := &room{most: 64 << 20}
			image, err := f.Image(t.Context(), tt.address, memory)
			if err == nil {
				if want := base64.StdEncoding.EncodeToString(png); image.Media != "image/png" || string(image.Data) != want || memory.held != len(want) {
					t.Errorf("%s %s, %d bytes held", image.Media, image.Data, memory.held)
				}
			} else if memory.held != 0 {
				t.Errorf("%d bytes stay counted", memory.held)
			}
			if tt.wrong == "" && err != nil || tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)) {
				t.Errorf("%v", err)
			}
		})
	}
}

// What does not fit into memory is not read, and nothing stays counted.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	s := server(t)
	for _, most := range []int{0, len(png) + 8, 1 << 20} {
		path := "/image"
		if most > 1000 {
			path = "/endless"
		}
		memory := &room{most: most}
		if _, err := New(dial.New(nil), "").Image(t.Context(), s.URL+path, memory); !errors.Is(err, ErrNoRoom) || memory.held != 0 {
			t.Errorf("%d: %v, %d held", most, err, memory.held)
		}
	}
}

// No address outside the public internet is connected to, whatever its name. The errors for private addresses and for silent
// servers are the same.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()
	s := server(t)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "[::1]", "2130706433", "0x7f.1", "rebinding.test", "10.0.0.1", "169.254.169.254", "[fd00:ec2::254]", "192.168.0.1"} {
		resolver := dnstest.Resolver(t, func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.1")} })
		_, err := New(dial.NewPublic(resolver), "").Image(t.Context(), "http://"+net.JoinHostPort(strings.Trim(host, "[]"), u.Port())+"/image", nil)
		if err == nil || err.Error() != "its server cannot be reached on the public internet, or broke off" {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// No proxy of the environment is asked, because it would connect where Weir does not.
func TestNoProxy(t *testing.T) { //nolint:paralleltest // it sets the environment
	s := server(t)
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the proxy was asked") }))
	defer proxy.Close()
	t.Setenv("HTTP_PROXY", proxy.URL)
	resolver := dnstest.Resolver(t, func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.1")} })
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	if _, err := New(dial.New(resolver), "").Image(t.Context(), fmt.Sprintf("http://images.test:%s/image", port), nil); err != nil {
		t.Error(err)
	}
}
