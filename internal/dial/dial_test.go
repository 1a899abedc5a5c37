package dial

import (
	"errors"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/weirproxy/weir/internal/dial/dnstest"
)

func TestForbidden(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"169.254.169.254":                        true,
		"169.254.0.0":                            true,
		"169.254.255.255":                        true,
		"169.253.255.255":                        false,
		"169.255.0.0":                            false,
		"fe80::1":                                true,
		"fe80::1%eth0":                           true,
		"febf:ffff::1":                           true,
		"fec0::1":                                false,
		"::ffff:169.254.169.254":                 true,
		"::169.254.169.254":                      true,
		"::ffff:0:169.254.169.254":               true,
		"64:ff9b::a9fe:a9fe":                     true,
		"64:ff9b::1":                             false,
		"64:ff9b:1:2:3:4:a9fe:a9fe":              true,
		"64:ff9b:1:a9fe:a9:fe00:808:808":         true,
		"64:ff9b:1:a9:fe:a9fe:808:808":           true,
		"64:ff9b:1:2:a9:fea9:fe08:808":           true,
		"64:ff9b:1:808:8:800::":                  false,
		"2002:a9fe:a9fe::1":                      true,
		"2002:a9fd::1":                           false,
		"fd00:ec2::254":                          true,
		"fd00:ec3::254":                          false,
		"fd20:ce::254":                           true,
		"100.100.100.200":                        true,
		"::ffff:100.100.100.200":                 true,
		"64:ff9b::100.100.100.200":               true,
		"168.63.129.16":                          true,
		"192.0.0.192":                            true,
		"127.0.0.1":                              false,
		"::1":                                    false,
		"::":                                     false,
		"0.0.0.0":                                false,
		"10.0.0.1":                               false,
		"192.168.1.1":                            false,
		"fd12:3456::1":                           false,
		"8.8.8.8":                                false,
		"2001:4860:4860::8888":                   false,
		"2002:7f00:1::1":                         false,
		"2600:1f18:a9fe:a9fe:a9fe:a9fe:a9fe:a9f": false,
	} {
		if got := Forbidden(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// Names are checked by what they resolve to at the moment of connecting.
func TestNames(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	_, port, _ := net.SplitHostPort(l.Addr().String())
	metadata, loopback := netip.MustParseAddr("169.254.169.254"), netip.MustParseAddr("127.0.0.1")
	for _, tt := range []struct {
		name    string
		host    string
		answers []netip.Addr
		refused bool
	}{
		{"a name of this machine", "here.test", []netip.Addr{loopback}, false},
		{"a name of the metadata service", "metadata.test", []netip.Addr{metadata}, true},
		{"a name of a mapped address", "mapped.test", []netip.Addr{netip.MustParseAddr("64:ff9b::a9fe:a9fe")}, true},
		{"a name of both", "both.test", []netip.Addr{metadata, loopback}, false},
		{"a number in hex, as libc reads it", "0xa9fea9fe", []netip.Addr{metadata}, true},
		{"parts in hex and octal, as libc reads them", "0xa9.0376.0xa9fe", []netip.Addr{metadata}, true},
		{"the address itself", "169.254.169.254", nil, true},
		{"the address itself in IPv6", "[::ffff:169.254.169.254]", nil, true},
		{"a link-local address with its interface", "[fe80::1%lo]", nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := New(dnstest.Resolver(t, func() []netip.Addr { return tt.answers }))
			conn, err := d.DialContext(t.Context(), "tcp", tt.host+":"+port)
			var refused *RefusedError
			if got := errors.As(err, &refused); got != tt.refused || (err == nil) == tt.refused {
				t.Errorf("%v", err)
			}
			if err == nil {
				conn.Close()
			}
		})
	}
}

// A name that means a harmless address when it is looked up first, and another one afterwards, gains nothing.
func TestRebinding(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var later atomic.Bool
	d := New(dnstest.Resolver(t, func() []netip.Addr {
		if later.Load() {
			return []netip.Addr{netip.MustParseAddr("169.254.169.254")}
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	}))
	_, port, _ := net.SplitHostPort(l.Addr().String())
	conn, err := d.DialContext(t.Context(), "tcp", net.JoinHostPort("rebinding.test", port))
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	later.Store(true)
	var refused *RefusedError
	if _, err := d.DialContext(t.Context(), "tcp", net.JoinHostPort("rebinding.test", port)); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
}
