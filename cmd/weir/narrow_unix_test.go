//go:build unix

package main

import "syscall"

// narrow makes a connection's kernel buffers as small as those on a slow line. On loopback they would hold
// megabytes before an unread connection shows.
func narrow(_, _ string, raw syscall.RawConn) error {
	return raw.Control(func(fd uintptr) {
		const segment, buffer = 1000, 4 << 10
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, segment) // the test shows whether it worked
		_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, buffer)
		_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_SNDBUF, buffer)
	})
}
