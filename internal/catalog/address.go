package catalog

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// baseOf makes a base URL of the address that the kind's variable holds. The clients of some vendors append a path; an address that
// already has that path means the same.
func (k *Kind) baseOf(address string) string {
	if k.Keyless {
		address = hostURL(address, k.BaseURL)
	}
	address = strings.TrimRight(address, "/")
	path := k.Path
	if own, err := url.Parse(k.BaseURL); k.Keyless && err == nil {
		path = own.Path
	}
	return strings.TrimSuffix(address, path) + path
}

// hostURL makes a URL of the variable of a local server, as Ollama reads it: host, port, scheme and path, where all but the host may
// be missing. Such a variable also says where the server listens; an address of all interfaces is reached by loopback.
// https://github.com/ollama/ollama/blob/main/docs/faq.mdx
func hostURL(address, standard string) string {
	base, err := url.Parse(standard)
	if err != nil {
		return address
	}
	scheme, rest, schemed := strings.Cut(address, "://")
	port := base.Port()
	switch {
	case !schemed:
		scheme, rest = base.Scheme, address
	case scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	authority, path, _ := strings.Cut(rest, "/")
	host := authority
	if h, p, err := net.SplitHostPort(authority); err == nil {
		host = h
		if p != "" {
			port = p
		}
	}
	host = strings.Trim(host, "[]")
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + strings.TrimSuffix("/"+path, "/")
}
