package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/weirproxy/weir/internal/secret"
)

// client is who sent a request, as the log has it. Nothing is decided by it.
type client struct {
	address string
	agent   string // its User-Agent, at most mostAgent bytes
	traceID string // ids of its traceparent: the trace, and its span there; "" without one
	spanID  string
}

// mostAgent is how many bytes of a User-Agent are kept.
const mostAgent = 256

// clientOf reads who sent a request. It copies what it keeps of large headers, which a stream lets go of.
func clientOf(r *http.Request, proxies []netip.Prefix) client {
	c := client{address: addressOf(r, proxies), agent: secret.Hide(r.UserAgent())}
	if len(c.agent) > mostAgent {
		c.agent = strings.ToValidUTF8(c.agent[:mostAgent], "\uFFFD") + "…"
	}
	if values := r.Header["Traceparent"]; len(values) == 1 {
		c.traceID, c.spanID = parseTrace(values[0])
	}
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

// parseTrace reads the ids of a traceparent (W3C Trace Context, section 3.2), "" if it is not valid. Later versions may have
// more at its end.
func parseTrace(text string) (traceID, spanID string) {
	const length = len("00-") + 32 + len("-") + 16 + len("-00")
	if len(text) < length || text[2] != '-' || text[35] != '-' || text[52] != '-' || text[:2] == "ff" ||
		len(text) > length && (text[:2] == "00" || text[length] != '-') {
		return "", ""
	}
	if len(text) > length {
		text = strings.Clone(text[:length])
	}
	traceID, spanID = text[3:35], text[36:52]
	if !isHex(text[:2]) || !isHex(traceID) || !isHex(spanID) || !isHex(text[53:55]) || strings.Trim(traceID, "0") == "" || strings.Trim(spanID, "0") == "" {
		return "", ""
	}
	return traceID, spanID
}

// isHex reports whether a text has only the digits of lower-case hex.
func isHex(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
