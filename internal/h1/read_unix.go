//go:build unix

package h1

import (
	"io"
	"os"
	"syscall"
)

// reads says that a socket can be asked for what is there without waiting.
const reads = true

// fill reads what is there, once. It reports false if nothing is, and holds no buffer then.
func (c *conn) fill(socket uintptr) bool {
	buf := aheads.Get().(*[aheadSize]byte)
	n, err := syscall.Read(int(socket), buf[:])
	for err == syscall.EINTR {
		n, err = syscall.Read(int(socket), buf[:])
	}
	if err == syscall.EAGAIN {
		aheads.Put(buf)
		return false
	}
	c.ahead, c.rest, c.late = buf, buf[:max(n, 0)], os.NewSyscallError("read", err)
	if n == 0 {
		c.late = io.EOF
	}
	return true
}
