package gateway

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// The address of a client is believed only from proxies that are trusted, however many addresses the client makes up before it.
func TestAddressOfClients(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8"), netip.MustParsePrefix("192.0.2.7/32")}
	for _, tt := range []struct {
		name, remote string
		forwarded    []string
		proxies      []netip.Prefix
		want         string
	}{
		{"nobody is trusted", "10.0.0.1:4", []string{"198.51.100.1"}, nil, "10.0.0.1"},
		{"nobody is trusted, IPv6", "[2001:db8::1]:4", []string{"198.51.100.1"}, nil, "2001:db8::1"},
		{"no proxy", "203.0.113.9:4", []string{"198.51.100.1"}, trusted, "203.0.113.9"},
		{"a proxy", "10.0.0.1:4", []string{"198.51.100.1"}, trusted, "198.51.100.1"},
		{"a proxy that says nothing", "10.0.0.1:4", nil, trusted, "10.0.0.1"},
		{"an IPv4 proxy on an IPv6 socket", "[::ffff:10.0.0.1]:4", []string{"198.51.100.1"}, trusted, "198.51.100.1"},
		{"several proxies", "10.0.0.1:4", []string{"198.51.100.1, 192.0.2.7,10.0.0.2"}, trusted, "198.51.100.1"},
		{"on several lines", "10.0.0.1:4", []string{"198.51.100.1", "192.0.2.7"}, trusted, "198.51.100.1"},
		{"made up by the client", "10.0.0.1:4", []string{"10.0.0.9, 127.0.0.1, 198.51.100.1"}, trusted, "198.51.100.1"},
		{"made up, and unreadable", "10.0.0.1:4", []string{"<script>, 198.51.100.1"}, trusted, "198.51.100.1"},
		{"all trusted", "10.0.0.1:4", []string{"10.0.0.3, 10.0.0.2"}, trusted, "10.0.0.3"},
		{"unknown to the proxy", "10.0.0.1:4", []string{"198.51.100.1, unknown, 10.0.0.2"}, trusted, "10.0.0.2"},
		{"with ports", "[fd00::1]:4", []string{"198.51.100.1:1234, [fd00::2]:80"}, trusted, "198.51.100.1"},
		{"IPv6 in brackets", "10.0.0.1:4", []string{"[2001:db8::5]"}, trusted, "2001:db8::5"},
		{"empty", "10.0.0.1:4", []string{"", ",", ""}, trusted, "10.0.0.1"},
		{"no address", "@", []string{"198.51.100.1"}, trusted, ""},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = tt.remote
		r.Header["X-Forwarded-For"] = tt.forwarded
		if got := clientOf(r, tt.proxies).address; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestIDsOfTraces(t *testing.T) {
	t.Parallel()
	const trace, span = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	for header, valid := range map[string]bool{
		"00-" + trace + "-" + span + "-01":                    true,
		"cc-" + trace + "-" + span + "-01-more":               true,
		"cc-" + trace + "-" + span + "-01":                    true,
		"cc-" + trace + "-" + span + "-01more":                false,
		"00-" + trace + "-" + span + "-01-more":               false,
		"ff-" + trace + "-" + span + "-01":                    false,
		"0x-" + trace + "-" + span + "-01":                    false,
		"00-" + strings.ToUpper(trace) + "-" + span + "-01":   false,
		"00-" + strings.Repeat("0", 32) + "-" + span + "-01":  false,
		"00-" + trace + "-" + strings.Repeat("0", 16) + "-01": false,
		"00-" + trace + "-" + span:                            false,
		"00_" + trace + "-" + span + "-01":                    false,
		"00-" + trace + "_" + span + "-01":                    false,
		"00-" + trace + "-" + span + "_01":                    false,
		"00-" + trace + "-" + span + "-0g":                    false,
		"":                                                    false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header["Traceparent"] = []string{header}
		c := clientOf(r, nil)
		if got := c.traceID == trace && c.spanID == span; got != valid || !valid && c.traceID+c.spanID != "" {
			t.Errorf("%s: %q, %q", header, c.traceID, c.spanID)
		}
		r.Header["Traceparent"] = []string{header, header}
		if c := clientOf(r, nil); c.traceID != "" {
			t.Errorf("twice %s: %q", header, c.traceID)
		}
	}
}

// Only the useful part of a User-Agent is kept, and no key.
func TestUserAgentIsKept(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for agent, want := range map[string]string{
		"openai-python/2.8.1":    "openai-python/2.8.1",
		strings.Repeat("x", 300): strings.Repeat("x", mostAgent) + "…",
		"app/sk-weir-0aB9zZ12cdEF-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0KLMNO": "app/[hidden]",
	} {
		r.Header.Set("User-Agent", agent)
		if got := clientOf(r, nil).agent; got != want {
			t.Errorf("%s: %s", agent, got)
		}
	}
}
