package dial

import (
	"errors"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/weirproxy/weir/internal/dial/dnstest"
)

func TestPublic(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"8.8.8.8": true, "1.1.1.1": true, "172.15.0.1": true, "172.32.0.1": true, "100.63.255.255": true, "100.128.0.1": true, "2606:4700::1": true,
		"::ffff:8.8.8.8": true, "64:ff9b::8.8.8.8": true, "2002:808:808::1": true,
		"0.0.0.0": false, "0.1.2.3": false, "10.1.2.3": false, "100.64.0.1": false, "100.100.100.200": false, "127.0.0.1": false, "127.255.255.255": false,
		"168.63.129.16": false, "169.254.169.254": false, "172.16.0.1": false, "172.31.255.255": false, "192.0.0.192": false, "192.168.1.1": false,
		"198.18.0.1": false, "203.0.113.7": false, "224.0.0.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::127.0.0.1": false, "::ffff:127.0.0.1": false, "::ffff:0:10.0.0.1": false, "64:ff9b::7f00:1": false, "64:ff9b:1::a00:1": false, "64:ff9b:1::808:808": false,
		"2002:7f00:1::1": false, "2002:a9fe:a9fe::1": false, "2001:0:1::1": false, "2001:db8::1": false, "fc00::1": false, "fd00:ec2::254": false,
		"fe80::1": false, "fec0::1": false, "ff02::1": false, "4000::1": false, "100::1": false,
	} {
		if got := Public(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// A name may resolve to a public address first and to this machine later. The call fails, because the address is
// checked when it is connected to.
func TestRebindingOfACallersName(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	var asked atomic.Int32
	resolver := dnstest.Resolver(t, func() []netip.Addr {
		asked.Add(1)
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	})
	for _, host := range []string{"rebinding.test", "127.0.0.1", "[::ffff:127.0.0.1]", "0x7f000001", "localhost"} {
		var refused *RefusedError
		if _, err := NewPublic(resolver).DialContext(t.Context(), "tcp", host+":"+port); !errors.As(err, &refused) {
			t.Errorf("%s: %v", host, err)
		}
	}
	if asked.Load() == 0 {
		t.Error("no name was looked up")
	}
}
