package main

import (
	"fmt"
	"runtime"

	"github.com/weirproxy/weir/internal/version"
)

type versionCmd struct{}

func (versionCmd) Help() string { return "Example:\n  weir version" }

// Run prints one line: the version, the Go release it was built with, the platform.
func (versionCmd) Run(sys *system) error {
	_, err := fmt.Fprintf(sys.stdout, "weir %s %s %s/%s\n", version.String(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
