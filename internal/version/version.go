// Package version knows which Weir this is.
package version

import "runtime/debug"

// number is the release; release builds set it with -ldflags "-X …/internal/version.number=1.2.3".
var number string

// String is the release, or the module version that `go install` recorded, or "dev".
func String() string {
	if number != "" {
		return number
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}
