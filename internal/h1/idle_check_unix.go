//go:build unix

package h1

import "syscall"

// silent reports whether the socket is open with no data to read.
func silent(socket uintptr) bool {
	var b [1]byte
	_, _, err := syscall.Recvfrom(int(socket), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	return err == syscall.EAGAIN || err == syscall.EINTR
}
