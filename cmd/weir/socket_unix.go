//go:build unix

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"syscall"
)

// firstPassed is the file descriptor of the first socket that systemd passes (sd_listen_fds).
const firstPassed = 3

// passedSocket is the socket on which systemd has this process listen for callers, nil if it passed none. Processes that this one starts do not
// get it.
func passedSocket() (net.Listener, error) {
	count := os.Getenv("LISTEN_FDS")
	if os.Getenv("LISTEN_PID") != strconv.Itoa(os.Getpid()) || count == "" {
		return nil, nil // what may be there is another process's
	}
	for _, name := range []string{"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"} {
		_ = os.Unsetenv(name)
	}
	if count != "1" {
		return nil, fmt.Errorf("systemd passed %s sockets, and Weir takes one, for callers: give weir.socket one ListenStream=; the admin listener is always Weir's own", count)
	}
	syscall.CloseOnExec(firstPassed)
	file := os.NewFile(firstPassed, "socket")
	defer func() { _ = file.Close() }() // the listener has a descriptor of its own
	if accepts, err := syscall.GetsockoptInt(firstPassed, syscall.SOL_SOCKET, syscall.SO_ACCEPTCONN); err != nil || accepts == 0 {
		return nil, errNoListener
	}
	listener, err := net.FileListener(file)
	if err != nil {
		return nil, fmt.Errorf("the socket that systemd passed cannot be used: %w", err)
	}
	if _, ok := listener.(*net.TCPListener); !ok {
		_ = listener.Close()
		return nil, errNoListener
	}
	return listener, nil
}

var errNoListener = errors.New("the socket that systemd passed does not accept TCP connections: give weir.socket a ListenStream= with an address and a port, and no Accept=yes")
