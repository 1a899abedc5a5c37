package main

import "syscall"

// narrow leaves the buffers as they are: the tests that need it read a process's figures from Linux.
func narrow(_, _ string, _ syscall.RawConn) error { return nil }
