package gateway

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/trace"
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

// A request belongs to its caller's trace. Without one it begins a trace if Weir records them: one of the request's id.
func TestTraceOf(t *testing.T) {
	t.Parallel()
	const header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	theirs, _ := trace.Parse(header)
	id := newID(time.Unix(1, 0))
	off, none, all := &Snapshot{}, &Snapshot{Traced: true}, &Snapshot{Traced: true, TraceRatio: trace.All}
	begun := trace.Context{ID: trace.ID(id), Flags: trace.Random}
	kept := begun
	kept.Flags |= trace.Sampled
	for _, tt := range []struct {
		name    string
		headers []string
		snap    *Snapshot
		want    trace.Context // but for the span
		own     bool          // whether there is one
	}{
		{"passed on", []string{header}, off, theirs, false},
		{"none", nil, off, trace.Context{}, false},
		{"the caller's, recorded", []string{header}, none, theirs, true},
		{"begun", nil, none, begun, true},
		{"begun, and of the share", nil, all, kept, true},
		{"twice", []string{header, header}, none, begun, true},
		{"not valid", []string{"00-1"}, none, begun, true},
	} {
		got := traceOf(http.Header{"Traceparent": tt.headers}, id, tt.snap)
		own := got.Span != 0
		if got.Span = 0; got != tt.want || own != tt.own {
			t.Errorf("%s: %+v, an own span %v", tt.name, got, own)
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

// What requests pay for a place in a trace, beside what tracing.BenchmarkRequestDone measures.
func BenchmarkTraceOf(b *testing.B) {
	snap, id := &Snapshot{Traced: true, TraceRatio: trace.RatioOf(50_000)}, newID(time.Unix(1, 0))
	for name, header := range map[string]http.Header{
		"begun":        {},
		"the caller's": {"Traceparent": {"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if c := traceOf(header, id, snap); c.Span == 0 {
					b.Fatal("no span")
				}
			}
		})
	}
}
