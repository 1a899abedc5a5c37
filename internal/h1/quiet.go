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

// quiet reports whether an idle connection is still open with nothing to read: what an origin says without being asked
// is its good-bye. No goroutine waits for that word, so it is looked for when the connection is to be used again.
func (c *conn) quiet() bool {
	if secure, ok := c.raw.(*tls.Conn); ok && !drained(secure) {
		return false
	}
	if c.peek == nil {
		return true
	}
	open := false
	err := c.peek.Control(func(fd uintptr) { open = silent(fd) })
	return err == nil && open
}

// drained reports whether nothing waits in what TLS has read ahead of its reader, which the socket does not show: it would
// be taken for the answer to the next request. A read that is late from the start does not reach the socket.
func drained(c *tls.Conn) bool {
	if c.SetReadDeadline(longAgo) != nil {
		return false
	}
	_, err := c.Read(make([]byte, 1))
	return errors.Is(err, os.ErrDeadlineExceeded) && c.SetReadDeadline(time.Time{}) == nil
}
