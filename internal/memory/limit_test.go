package memory

import (
	"os"
	"testing"
	"testing/fstest"
)

func TestOfMachine(t *testing.T) {
	t.Parallel()
	const meminfo, cgroup = "proc/meminfo", "proc/self/cgroup"
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"nothing is known", nil, Unlimited},
		{"no control groups", map[string]string{meminfo: "MemTotal:       16384 kB\nMemFree: 1 kB\n"}, 16 << 20},
		{"a container", map[string]string{meminfo: "MemTotal: 16384 kB\n", cgroup: "0::/\n", "sys/fs/cgroup/memory.max": "1048576\n"}, 1 << 20},
		{"a container without a limit", map[string]string{meminfo: "MemTotal: 16384 kB\n", cgroup: "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 16 << 20},
		{"one that is slowed down before", map[string]string{cgroup: "0::/\n", "sys/fs/cgroup/memory.max": "1048576\n", "sys/fs/cgroup/memory.high": "900000\n"}, 900_000},
		{"a service", map[string]string{cgroup: "0::/system.slice/weir.service\n", "sys/fs/cgroup/system.slice/weir.service/memory.max": "2097152\n"}, 2 << 20},
		{"a group above has less", map[string]string{
			cgroup: "0::/system.slice/weir.service\n", "sys/fs/cgroup/system.slice/weir.service/memory.max": "max\n",
			"sys/fs/cgroup/system.slice/memory.max": "1048576\n",
		}, 1 << 20},
		{"version 1", map[string]string{
			meminfo: "MemTotal: 16384 kB\n",
			cgroup:  "5:cpu,cpuacct:/x\n4:memory:/docker/abc\n1:name=systemd:/\n0::/\n", "sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": "3145728\n",
		}, 3 << 20},
		{"version 1, seen from inside", map[string]string{cgroup: "4:memory:/docker/abc\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "3145728\n"}, 3 << 20},
		{"version 1 without a limit", map[string]string{
			meminfo: "MemTotal: 16384 kB\n", cgroup: "4:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 16 << 20},
		{"more than the machine has", map[string]string{meminfo: "MemTotal: 1024 kB\n", cgroup: "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n"}, 1 << 20},
		{"what nobody understands", map[string]string{meminfo: "MemTotal: many kB\n", cgroup: "what\n::\n0::/\n", "sys/fs/cgroup/memory.max": "-5\n"}, Unlimited},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := fstest.MapFS{}
			for name, text := range tt.files {
				root[name] = &fstest.MapFile{Data: []byte(text)}
			}
			if got := OfMachine(root); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
	if got := OfMachine(os.DirFS("/")); got < 1<<20 {
		t.Errorf("this machine has %d bytes", got)
	}
}

func TestDivide(t *testing.T) {
	t.Parallel()
	if got := Divide(Unlimited); got.Connections < 1<<30 || got.Requests != Unlimited || got.Headers != Unlimited {
		t.Errorf("%+v", got)
	}
	for _, limit := range []int64{16 << 20, 256 << 20, 8 << 30} {
		s := Divide(limit)
		parts := s.Requests + s.Headers*headerCost + int64(s.Connections)*perConnection
		if parts > limit*7/8 || parts < limit/2 || s.Connections < 10 || s.Headers < 32<<10 {
			t.Errorf("%d: %+v takes %d", limit, s, parts)
		}
	}
}
