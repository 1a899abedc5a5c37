//go:build !linux

package postgres

import "syscall"

// giveUpUnheard does nothing where the system has no such option: its own times hold.
func giveUpUnheard(_, _ string, _ syscall.RawConn) error { return nil }
