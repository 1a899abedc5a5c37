package h1

import (
	"crypto/tls"
	"errors"
	"net"
	"os"
	"syscall"
	"time"
)

// rawConn is the socket under a connection, nil if it cannot be had.
func rawConn(c net.Conn) syscall.RawConn {
	socket, ok := under(c).(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// quiet reports whether an idle connection is still open with no data to read: data that comes unasked means that the
// origin closes it. No goroutine waits for that word, so it is looked for when the connection is to be used again.
func (c *conn) quiet() bool {
	if secure, ok := c.raw.(*tls.Conn); ok && !drained(secure) {
		return false
	}
	if c.peek == nil {
		return true
	}
	return c.peek.Control(c.look) == nil && c.silent
}

// drained reports whether TLS has no data read ahead, which the socket does not show. Such data would be taken for the
// answer to the next request. A read that is late from the start does not reach the socket.
func drained(c *tls.Conn) bool {
	if c.SetReadDeadline(longAgo) != nil {
		return false
	}
	_, err := c.Read(make([]byte, 1))
	return errors.Is(err, os.ErrDeadlineExceeded) && c.SetReadDeadline(time.Time{}) == nil
}
