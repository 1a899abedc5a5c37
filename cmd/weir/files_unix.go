//go:build unix

package main

import (
	"math"
	"syscall"
)

// openFiles is how many files the process may have open. Go has already raised it as far as allowed. It is 0 if there is no limit
// worth counting.
func openFiles() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || limit.Cur > math.MaxInt32 {
		return 0
	}
	return int(limit.Cur)
}
