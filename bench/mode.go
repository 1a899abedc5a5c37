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

// The proxy has one processor to itself, as a container with one CPU has, so its cost shows without what the scheduler does among
// several; or everything shares all processors, as on a small machine.
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

// workers is how many processes a candidate should have that needs to be told.
func (m *mode) workers() int {
	if m.proxy != nil {
		return len(m.proxy)
	}
	return runtime.NumCPU()
}

// environment tells programs that do not look at their affinity.
func (m *mode) environment() []string {
	if m.proxy == nil {
		return nil
	}
	return []string{"GOMAXPROCS=" + strconv.Itoa(len(m.proxy))}
}
