package main

import (
	"runtime"
	"strconv"
)

// mode says which processors the proxy has, and which the load and the upstream. Nil means all of them.
type mode struct {
	name   string
	proxy  []int
	others []int
}

// The proxy has one processor to itself, like a container with one CPU, so its cost shows without scheduling among several. Or
// all processes share all processors, as on a small machine.
const (
	pinnedMode = "pinned"
	sharedMode = "shared"
)

// modes are the ways to measure on a machine with n processors. With one processor nothing can be pinned apart.
func modes(n int) []*mode {
	all := []*mode{{name: sharedMode}}
	if n < 2 {
		return all
	}
	m := &mode{name: pinnedMode, proxy: []int{0}}
	for cpu := 1; cpu < n; cpu++ {
		m.others = append(m.others, cpu)
	}
	return append([]*mode{m}, all...)
}

// workers is how many processes a candidate should have, if it must be set.
func (m *mode) workers() int {
	if m.proxy != nil {
		return len(m.proxy)
	}
	return runtime.NumCPU()
}

// environment is for programs that do not look at their affinity.
func (m *mode) environment() []string {
	if m.proxy == nil {
		return nil
	}
	return []string{"GOMAXPROCS=" + strconv.Itoa(len(m.proxy))}
}
