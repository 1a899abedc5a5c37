package postgres

import "syscall"

// tcpUserTimeout is an option of sockets that package syscall has no name for; see tcp(7).
const tcpUserTimeout = 18

// giveUpUnheard closes a connection when the other side has not acknowledged what was sent for a while. Without it, a statement hangs for as long again as the
// network was away, since each attempt to send waits for twice as long as the one before.
func giveUpUnheard(_, _ string, socket syscall.RawConn) error {
	var failed error
	err := socket.Control(func(fd uintptr) {
		failed = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(unheard.Milliseconds()))
	})
	if err != nil {
		return err
	}
	return failed
}
