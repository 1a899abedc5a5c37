package dial

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"syscall"
)

// NewPublic returns a dialer for addresses that callers name: it refuses with a *RefusedError whatever is not on the public
// internet. A nil resolver is the system's.
func NewPublic(resolver *net.Resolver) *net.Dialer {
	return &net.Dialer{KeepAlive: -1, Resolver: resolver, ControlContext: guardPublic}
}

func guardPublic(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("cannot read the address %q: %w", address, err)
	}
	if !Public(to.Addr()) {
		return &RefusedError{to.Addr()}
	}
	return nil
}

// inside are the networks that are not the public internet, link-local and multicast ones apart. Source: the registries of
// special-purpose addresses (RFC 6890), for IPv4; of IPv6 only 2000::/3 is given out at all.
var inside = [...]netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("10.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"), // between a carrier and its customers
	netip.MustParsePrefix("127.0.0.0/8"),
	netip.MustParsePrefix("172.16.0.0/12"),
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b:1::/48"), // NAT64 of a network's own
	netip.MustParsePrefix("2001::/23"),      // for protocols, such as Teredo
	netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("3fff::/20"), // documentation
}

var given = netip.MustParsePrefix("2000::/3")

// Public reports whether addr is on the public internet, and no cloud's metadata service. An IPv6 address that contains
// an IPv4 address is judged by that one.
func Public(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	if Forbidden(addr) || addr.IsMulticast() {
		return false
	}
	for _, network := range inside {
		if network.Contains(addr) {
			return false
		}
	}
	if addr.Is4() {
		return true
	}
	for _, c := range carriers {
		if c.network.Contains(addr) {
			return Public(carried(addr, c.at))
		}
	}
	return given.Contains(addr)
}
