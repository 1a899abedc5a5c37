package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// dieWithParent ends a child when this process ends, however it does.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// affinity lets a thread run on these processors alone; nil means on all. 0 is the calling thread. What a thread starts inherits it.
func affinity(thread int, cpus []int) error {
	var mask [16]uint64 // 1,024 processors, the kernel's usual maximum
	for i := range mask {
		if cpus == nil {
			mask[i] = ^uint64(0)
		}
	}
	for _, cpu := range cpus {
		mask[cpu/64] |= 1 << (cpu % 64)
	}
	if _, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, uintptr(thread), unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask))); errno != 0 {
		return fmt.Errorf("binding thread %d to processors %v: %w", thread, cpus, errno)
	}
	return nil
}

// startOn starts the command on these processors. The caller must be locked to the thread that the others were started from.
func startOn(cmd *exec.Cmd, cpus, own []int) error {
	if err := affinity(0, cpus); err != nil {
		return err
	}
	return errors.Join(cmd.Start(), affinity(0, own))
}

// bind moves all threads of a process to these processors. A thread that is started meanwhile inherits the old ones or the new ones,
// so it repeats until it finds no new thread.
func bind(pid int, cpus []int) error {
	seen := map[int]bool{}
	for {
		tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
		if err != nil {
			return err
		}
		fresh := false
		for _, task := range tasks {
			id, err := strconv.Atoi(task.Name())
			if err != nil || seen[id] {
				continue
			}
			seen[id], fresh = true, true
			if err := affinity(id, cpus); err != nil && !errors.Is(err, syscall.ESRCH) { // it has ended
				return err
			}
		}
		if !fresh {
			return nil
		}
	}
}

// manyFiles raises the limit of open files as far as allowed, for this process and its children.
func manyFiles() (uint64, error) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0, err
	}
	limit.Max = max(limit.Max, 1<<16)
	limit.Cur = limit.Max
	if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit) != nil { // only root may raise the hard limit
		if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
			return 0, err
		}
		limit.Cur = limit.Max
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
			return 0, err
		}
	}
	return limit.Cur, nil
}

// processes are pid and its children, which a server's workers are.
func processes(pid int) []int {
	all := []int{pid}
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		for _, child := range strings.Fields(string(text)) {
			if n, err := strconv.Atoi(child); err == nil {
				all = append(all, processes(n)...)
			}
		}
	}
	return all
}

// cpuTime is the time that a process has spent on processors, in user and in system mode. It is the kernel's own clock
// of the process (clock_getcpuclockid), in nanoseconds, and includes threads that ended.
func cpuTime(pid int) (time.Duration, error) {
	const scheduled = 2 // CPUCLOCK_SCHED
	clock := ^pid<<3 | scheduled
	var ts syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(clock), uintptr(unsafe.Pointer(&ts)), 0); errno != 0 {
		return 0, fmt.Errorf("the CPU time of process %d: %w", pid, errno)
	}
	return time.Duration(ts.Nano()), nil
}

// memoryOf is what the process and its children hold in RAM, in bytes. pss shares what several map out between them.
func memoryOf(pid int) (rss, pss int64, err error) {
	for _, p := range processes(pid) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p))
		if err != nil {
			return 0, 0, err
		}
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			fields := strings.Fields(lines.Text())
			if len(fields) < 2 {
				continue
			}
			kb, _ := strconv.ParseInt(fields[1], 10, 64)
			switch fields[0] {
			case "Rss:":
				rss += kb << 10
			case "Pss:":
				pss += kb << 10
			}
		}
	}
	return rss, pss, nil
}

// machine is what this runs on.
func machine() string {
	model := runtime.GOARCH
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			model = strings.TrimSpace(value)
			break
		}
	}
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	version, _, _ := strings.Cut(strings.TrimSpace(string(release)), "-")
	return fmt.Sprintf("%d processors (%s), Linux %s", runtime.NumCPU(), model, version)
}

// machineLoad is how many processes want to run: on average in the last minute, five and fifteen.
func machineLoad() string {
	text, _ := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	return strings.Join(fields[:min(3, len(fields))], ", ")
}
