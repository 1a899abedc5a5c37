package provider

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// baseOf makes a base URL of the address that the kind's variable holds. The clients of some vendors put a path behind it; whoever has
// written that path already means the same.
func (k *kind) baseOf(address string) string {
	if k.keyless {
		address = hostURL(address, k.baseURL)
	}
	address = strings.TrimRight(address, "/")
	path := k.path
	if own, err := url.Parse(k.baseURL); k.keyless && err == nil {
		path = own.Path
	}
	return strings.TrimSuffix(address, path) + path
}

// hostURL makes a URL of what the variable of a local server holds, as Ollama reads it: host, port, scheme and path, of which each but the
// host may lack. Such a variable also says where the server listens, and every interface is reached by loopback.
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
