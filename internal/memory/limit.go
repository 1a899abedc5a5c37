package memory

import (
	"bufio"
	"bytes"
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// Unlimited is the limit of a process that may use any amount.
const Unlimited = math.MaxInt64

// Share is what a limit leaves to each purpose. A quarter is for connections, a sixteenth for request headers that have
// not arrived whole, half for requests. The rest is for the program itself and for garbage.
type Share struct {
	Requests    int64 // bytes
	Headers     int64 // bytes as they are sent
	Connections int
}

const (
	perConnection = 32 << 10 // 20 KiB were measured for one that waits for its next request
	headerCost    = 20       // how many bytes a byte of header takes, at most, once it is parsed: 16 were measured
)

// Divide shares out a limit.
func Divide(limit int64) Share {
	if limit == Unlimited {
		return Share{Unlimited, Unlimited, math.MaxInt}
	}
	return Share{Requests: limit / 2, Headers: limit / 16 / headerCost, Connections: int(limit / 4 / perConnection)}
}

// Reserve is how much of a container's limit Go may use. The rest is left for memory that Go does not count: the
// program's own pages, SQLite, and the kernel's buffers.
func Reserve(limit int64) int64 { return part(limit, 90) }

// OfMachine is the memory that this process may use: that of the machine, or less if a control group, such as a
// container's, limits it. If both are unknown it is Unlimited. root is the file system's.
func OfMachine(root fs.FS) int64 {
	limit := machine(root)
	for _, group := range groups(root) {
		for dir := group.dir; ; dir = path.Dir(dir) {
			for _, file := range group.files {
				limit = min(limit, number(root, path.Join(group.mount, dir, file)))
			}
			if dir == "/" || dir == "." {
				break
			}
		}
	}
	return limit
}

// group is a control group that limits memory.
type group struct {
	mount string
	dir   string // below mount; inside a container it may be the host's, and then only the mount itself is there
	files []string
}

// groups are those of this process: of version 2 there is one, of version 1 the one of the memory controller.
func groups(root fs.FS) []group {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	var found []group
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		switch {
		case len(fields) != 3:
		case fields[0] == "0":
			found = append(found, group{"sys/fs/cgroup", fields[2], []string{"memory.max", "memory.high"}})
		case strings.Contains(","+fields[1]+",", ",memory,"):
			found = append(found, group{"sys/fs/cgroup/memory", fields[2], []string{"memory.limit_in_bytes"}})
		}
	}
	return found
}

// number reads a file that holds a number of bytes. One that is missing, or that says "max", is no limit.
func number(root fs.FS, name string) int64 {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return Unlimited
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	if err != nil || n <= 0 {
		return Unlimited
	}
	return n
}

// machine is how much memory there is.
func machine(root fs.FS) int64 {
	text, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return Unlimited
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 3 && fields[0] == "MemTotal:" && fields[2] == "kB" {
			if n, err := strconv.ParseInt(fields[1], 10, 64); err == nil && n > 0 {
				return n << 10
			}
		}
	}
	return Unlimited
}
