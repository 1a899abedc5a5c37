// Package dial is the only way out of the process. Its dialer makes every connection to an upstream, or to the proxy
// in front of one. It checks the address itself, just before it connects, so no name, spelling or DNS answer can avoid
// the check. It also says how long a connection may be used.
package dial

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// MaxAge is how long a connection may be given new calls. A name may move to another address, while a busy connection
// would stay with the old one for ever. Operators who move a service expect to wait about five minutes, and one
// handshake in five minutes costs nothing.
const MaxAge = 5 * time.Minute

// RefusedError is a connection that was not made because of its address.
type RefusedError struct{ Addr netip.Addr }

// Error implements error.
func (e *RefusedError) Error() string {
	if Forbidden(e.Addr) {
		return fmt.Sprintf("%s is a link-local or metadata address, where machines hand out credentials; Weir never connects there", e.Addr)
	}
	return fmt.Sprintf("%s is not on the public internet; Weir does not connect there for a caller", e.Addr)
}

// New returns a dialer that refuses link-local and metadata addresses with a *RefusedError. A nil resolver is the
// system's.
func New(resolver *net.Resolver) *net.Dialer {
	return &net.Dialer{KeepAlive: 30 * time.Second, Resolver: resolver, ControlContext: guard}
}

// Metadata returns the dialer that reaches what New's refuses, and nothing else. It fetches the credentials that a cloud
// gives to its machines, at addresses that are fixed or come from the process's environment. A config, a caller or an
// upstream must not choose its address: only internal/cloud may use it, which archtest checks.
func Metadata() *net.Dialer {
	return &net.Dialer{ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("cannot read the address %q: %w", address, err)
		}
		if !Forbidden(to.Addr()) {
			return fmt.Errorf("%s is no link-local or metadata address", to.Addr())
		}
		return nil
	}}
}

// guard is called with each address right before it is connected to: what a name meant a moment ago does not matter.
func guard(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("cannot read the address %q: %w", address, err)
	}
	if Forbidden(to.Addr()) {
		return &RefusedError{to.Addr()}
	}
	return nil
}

// metadata are the addresses, outside the link-local ranges, at which clouds give credentials to machines.
var metadata = [...]netip.Prefix{
	netip.MustParsePrefix("fd00:ec2::/32"),      // AWS: instance metadata and the identities of pods
	netip.MustParsePrefix("fd20:ce::254/128"),   // Google Cloud
	netip.MustParsePrefix("168.63.129.16/32"),   // Azure's platform
	netip.MustParsePrefix("100.100.100.200/32"), // Alibaba Cloud
	netip.MustParsePrefix("192.0.0.192/32"),     // Oracle Cloud, of old
}

// carriers are the IPv6 networks whose addresses contain an IPv4 address, and the place of its bytes.
var carriers = [...]struct {
	network netip.Prefix
	at      [4]int
}{
	{netip.MustParsePrefix("::/96"), [4]int{12, 13, 14, 15}},           // IPv4-compatible
	{netip.MustParsePrefix("::ffff:0:0:0/96"), [4]int{12, 13, 14, 15}}, // translated, RFC 2765
	{netip.MustParsePrefix("64:ff9b::/96"), [4]int{12, 13, 14, 15}},    // NAT64, RFC 6052
	{netip.MustParsePrefix("64:ff9b:1::/48"), [4]int{12, 13, 14, 15}},  // NAT64 of one's own, RFC 8215, as /96
	{netip.MustParsePrefix("64:ff9b:1::/48"), [4]int{6, 7, 9, 10}},     // the same as /48, RFC 6052 § 2.2
	{netip.MustParsePrefix("64:ff9b:1::/48"), [4]int{7, 9, 10, 11}},    // as /56
	{netip.MustParsePrefix("64:ff9b:1::/48"), [4]int{9, 10, 11, 12}},   // as /64
	{netip.MustParsePrefix("2002::/16"), [4]int{2, 3, 4, 5}},           // 6to4
}

// carried is the IPv4 address at those bytes of one of IPv6.
func carried(addr netip.Addr, at [4]int) netip.Addr {
	b := addr.As16()
	return netip.AddrFrom4([4]byte{b[at[0]], b[at[1]], b[at[2]], b[at[3]]})
}

// Forbidden reports whether nothing may connect to addr: it is link-local, or a cloud's metadata service, whichever way
// it is written. NAT64 prefixes of a network's own choice cannot be known.
func Forbidden(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	if addr.IsLinkLocalUnicast() {
		return true
	}
	for _, m := range metadata {
		if m.Contains(addr) {
			return true
		}
	}
	if !addr.Is6() {
		return false
	}
	for _, c := range carriers {
		if c.network.Contains(addr) && Forbidden(carried(addr, c.at)) {
			return true
		}
	}
	return false
}
