//go:build unix

package main

import (
	"math"
	"syscall"
)

// openFiles is how many files the process may have open, which Go has raised as far as it may; 0 if that is as good as any number.
func openFiles() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || limit.Cur > math.MaxInt32 {
		return 0
	}
	return int(limit.Cur)
}
