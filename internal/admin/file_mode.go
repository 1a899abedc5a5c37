//go:build !windows

package admin

import "io/fs"

// exposed reports whether other users may read or write the file.
func exposed(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
