//go:build !linux

package source

import "os/exec"

// dieTogether does nothing: only Linux ends programs when the process that started them ends.
func dieTogether(*exec.Cmd) (release func()) { return func() {} }
