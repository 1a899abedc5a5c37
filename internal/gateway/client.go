package gateway

import (
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/trace"
)

// client is who sent a request, as the log has it. Nothing is decided by it.
type client struct {
	address string
	agent   string // its User-Agent, at most mostAgent bytes
}

// mostAgent is how many bytes of a User-Agent are kept.
const mostAgent = 256

// clientOf reads who sent a request. It copies what it keeps of large headers, which a stream lets go of.
func clientOf(r *http.Request, proxies []netip.Prefix) client {
	c := client{address: addressOf(r, proxies), agent: secret.Hide(r.UserAgent())}
	if len(c.agent) > mostAgent {
		c.agent = strings.ToValidUTF8(c.agent[:mostAgent], "\uFFFD") + "…"
	}
	return c
}

// traceOf is where a request stands in a trace: in its caller's, or else, if Weir records traces, in one that begins with it and has the
// bytes of its id. Where Weir records none, calls belong to the caller's span.
func traceOf(header http.Header, id [16]byte, snap *Snapshot) (c trace.Context) {
	if values := header["Traceparent"]; len(values) == 1 {
		c, _ = trace.Parse(values[0])
	}
	if !snap.Traced {
		return c
	}
	if c.Parent == 0 {
		c.ID, c.Flags = id, trace.Random
		if snap.TraceRatio.Takes(c.ID) {
			c.Flags |= trace.Sampled
		}
	}
	c.Span = trace.SpanOf(rand.Uint64())
	return c
}

// addressOf is the client's address: that of the connection, or, if this is a trusted proxy's, the last one in X-Forwarded-For
// that is not. The client may have made up anything before it in the header.
func addressOf(r *http.Request, proxies []netip.Prefix) string {
	if len(proxies) == 0 {
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			return ""
		}
		return host
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	address := from.Addr().Unmap()
	lines := r.Header["X-Forwarded-For"]
	for i := len(lines) - 1; i >= 0; i-- {
		for rest := lines[i]; rest != ""; {
			if !trusted(address, proxies) {
				return address.String()
			}
			comma := strings.LastIndexByte(rest, ',')
			said, ok := parseForwarded(rest[comma+1:])
			if !ok { // the proxy does not know, or hides it
				return address.String()
			}
			address, rest = said, rest[:max(comma, 0)]
		}
	}
	return address.String()
}

// trusted reports whether an address is one of the proxies'.
func trusted(address netip.Addr, proxies []netip.Prefix) bool {
	for _, p := range proxies {
		if p.Contains(address.WithZone("")) {
			return true
		}
	}
	return false
}

// parseForwarded reads an address as proxies write it: some add the port, and brackets.
func parseForwarded(text string) (netip.Addr, bool) {
	text = strings.Trim(text, " \t")
	if a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")); err == nil {
		return a.Unmap(), true
	}
	ap, err := netip.ParseAddrPort(text)
	return ap.Addr().Unmap(), err == nil
}
