// Package dnstest is a DNS server whose answers change as a test likes. It is test support.
package dnstest

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"testing"
)

// Resolver returns a resolver that asks a DNS server of the test's own. It gives every name the addresses that answer
// returns at the time of the question.
func Resolver(t testing.TB, answer func() []netip.Addr) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() }) // nothing is lost with it
	go func() {
		for buf := make([]byte, 1500); ; {
			n, from, err := server.ReadFrom(buf)
			if err != nil {
				return
			}
			_, _ = server.WriteTo(reply(buf[:n], answer()), from) // the resolver asks again
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// reply answers a query with those of the addresses that are of the type it asks for (RFC 1035 § 4.1).
func reply(query []byte, addrs []netip.Addr) []byte {
	const header, typeA = 12, 1
	end := header
	for query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 5 // the root, the type, the class
	asked := binary.BigEndian.Uint16(query[end-4:])
	answer := append([]byte(nil), query[:end]...)
	copy(answer[2:], []byte{0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}) // a response; one question, the answers are counted below
	for _, a := range addrs {
		if a.Is4() != (asked == typeA) {
			continue
		}
		answer[7]++
		answer = append(answer, 0xc0, header)                      // the name that was asked for
		answer = append(answer, query[end-4:end]...)               // its type and class
		answer = append(answer, 0, 0, 0, 0, 0, byte(a.BitLen()/8)) // not to be kept
		answer = append(answer, a.AsSlice()...)
	}
	return answer
}
