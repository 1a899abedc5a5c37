package admin

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// hosts are the names that a request to the listener may use. With DNS rebinding, a web page makes its own name resolve to this
// address, and could read what needs no token. It must call by that name: a page cannot use an address as its name.
type hosts struct {
	network bool     // any name will do: the listener is there for a whole network
	every   bool     // any address is ours: the listener is on all interfaces
	names   []string // in lower case
}

// hostsOf returns the names of the listener at host:port, and that of the URL at which others call it, if set.
func hostsOf(listen, called string) hosts {
	var h hosts
	if host, _, err := net.SplitHostPort(listen); err == nil {
		ip, err := netip.ParseAddr(host)
		h.every = host == "" || err == nil && ip.IsUnspecified()
		h.names = append(h.names, plainHost(host))
	}
	if u, err := url.Parse(called); err == nil && u.Hostname() != "" {
		h.names = append(h.names, plainHost(u.Hostname()))
	}
	return h
}

// loopback reports whether the address host:port is reached from this machine only.
func loopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return false
	}
	return loopbackName(host)
}

// loopbackName reports whether a host, without a port, is this machine by its name or address.
func loopbackName(host string) bool {
	host = plainHost(host)
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// plainHost is a name without what may be spelled in several ways.
func plainHost(host string) string {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().WithZone("").String()
	}
	return host
}

// allow reports whether a request may name this Host. Only HTTP/1.0 may lack one, and browsers do not speak it.
func (h hosts) allow(host string) bool {
	if h.network {
		return true
	}
	host = plainHost(nameOf(host))
	_, err := netip.ParseAddr(host)
	if err == nil && h.every || loopbackName(host) || host == "" {
		return true
	}
	for _, name := range h.names {
		if name != "" && name == host {
			return true
		}
	}
	return false
}

// isHealth reports whether a path only says that this Weir is alive. Load balancers ask there by names of their own.
func isHealth(path string) bool { return path == "/healthz" || path == "/readyz" || path == "/health" }

// checked guards next by the rule.
func (h hosts) checked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isHealth(r.URL.Path) && !h.allow(r.Host) {
			render(w, r, &llm.Error{Kind: llm.Misdirected, Message: "This listener of Weir has another name than the request's Host: call it by a loopback name " +
				"(127.0.0.1, localhost) or by the address that it listens on, or set admin.url in the config to the URL that you call."})
			return
		}
		next.ServeHTTP(w, r)
	})
}
