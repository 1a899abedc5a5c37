package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/ledger/ledgertest"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/sim"
)

// smallDisk is a file system in memory that ends with the test.
type smallDisk struct {
	folder  string // where the processes of its holder's namespace have it
	holder  int    // the process whose mounts have it
	outside string // where others have it; SQLite would follow the link in it
}

func newSmallDisk(t *testing.T, bytes int) smallDisk {
	t.Helper()
	folder := t.TempDir()
	cmd := exec.Command("unshare", "-Urm", "sh", "-c", fmt.Sprintf(`mount -t tmpfs -o size=%d tmpfs "$0" && echo mounted && exec cat`, bytes), folder) //nolint:gosec // our own
	var said strings.Builder
	cmd.Stderr = &said
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		_ = in.Close() // cat ends with it, and the mount with cat
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "mounted\n" {
		t.Skipf("a small disk cannot be mounted here, which takes a user namespace: %v, %s", err, said.String())
	}
	return smallDisk{folder, cmd.Process.Pid, filepath.Join("/proc", fmt.Sprint(cmd.Process.Pid), "root", folder)}
}

// wrap is a program that has the disk.
func (d smallDisk) wrap(folder, binary string) (string, error) {
	path := filepath.Join(folder, "within")
	script := fmt.Sprintf("#!/bin/sh\nexec nsenter -t %d -U -m --preserve-credentials %s \"$@\"\n", d.holder, binary)
	return path, os.WriteFile(path, []byte(script), 0o700) //nolint:gosec // it is run
}

// fill takes what is left of a disk.
func fill(t *testing.T, disk string) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(disk, "filler"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for page := make([]byte, 4096); err == nil; {
		_, err = file.Write(page)
	}
	if !errors.Is(err, syscall.ENOSPC) || file.Close() != nil {
		t.Fatal(err)
	}
}

// full is a program whose data is on a small disk.
type full struct {
	*child
	up      *sim.Server
	disk    string // as seen from outside
	spender string // a key with a budget; madeUp has none
	client  *http.Client
	n       int  // requests that were sent
	filling bool // takes from the disk what the program gives back of it
}

// manyTags make the records of a call large, so that few calls fill the journal.
var manyTags = func() string {
	var all []string
	for i := range 8 {
		all = append(all, fmt.Sprintf("tag-%d=%s", i, strings.Repeat("x", 60)))
	}
	return strings.Join(all, ",")
}()

func newFull(t *testing.T, config string) *full {
	t.Helper()
	disk := newSmallDisk(t, 8<<20)
	return newCramped(t, disk.outside, disk.folder, disk.wrap, "journal: 4MiB\n"+config)
}

// newCramped starts a program whose data is on a disk, which is seen from outside and by the program.
func newCramped(t *testing.T, outside, within string, wrap func(folder, binary string) (string, error), config string) *full {
	t.Helper()
	folder := t.TempDir()
	up, server := simulate(t, followed)
	f := &full{up: up, disk: outside, client: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(f.client.CloseIdleConnections)
	f.child = startWith(t, folder, func(binary string) (string, error) { return wrap(folder, binary) },
		"drain: {delay: 0s}\n"+config+meteredConfig(server.URL), "WEIR_DATA", filepath.Join(within, "data"))
	token, err := admin.ReadToken(filepath.Join(f.disk, "data", "admin.token"))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := budget.Parse("1000usd/month")
	if err != nil {
		t.Fatal(err)
	}
	client := &admin.Client{BaseURL: f.admin, Token: token, HTTP: quiet}
	_, key, err := client.CreateKey(t.Context(), admin.NewKey{Name: "spender", Budgets: admin.BudgetsChange{Budgets: &[]budget.Spec{spec}}})
	if err != nil {
		t.Fatal(err)
	}
	f.spender = key.Reveal()
	return f
}

// ask makes one request. It is served, or refused because it cannot be recorded.
func (f *full) ask(key string) (served bool) {
	f.t.Helper()
	if f.n++; f.filling && f.n%20 == 0 {
		fill(f.t, f.disk)
	}
	id := fmt.Sprint("call-", f.n)
	req, err := http.NewRequestWithContext(f.t.Context(), http.MethodPost, f.url+requests[f.n%2].path, strings.NewReader(fmt.Sprintf(requests[f.n%2].body, "fine-openai")))
	if err != nil {
		f.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("X-Request-Id", id)
	req.Header.Set("X-Trace", id)
	req.Header.Set("Weir-Tags", manyTags)
	resp, err := f.client.Do(req)
	if err != nil {
		f.t.Fatalf("%v\n%s", err, f.stderr)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		f.t.Fatalf("%v after %s", err, text)
	case resp.StatusCode == 200 && !strings.Contains(string(text), `"error"`):
		return true
	case resp.StatusCode != 503 || !strings.Contains(string(text), "ledger_unavailable") || resp.Header.Get("Retry-After") != "1":
		f.t.Fatalf("%d, retry-after %q: %s", resp.StatusCode, resp.Header.Get("Retry-After"), text)
	}
	return false
}

// askUntil makes requests until one has come to that end, and returns how many did not.
func (f *full) askUntil(key string, served bool) (n int) {
	f.t.Helper()
	for ; f.ask(key) != served; n++ {
		if n > 20_000 {
			f.t.Fatalf("after %d requests it is not so that requests are served: %v", n, served)
		}
	}
	return n
}

// overflow makes calls until those of keys with budgets are refused, while others go on.
func (f *full) overflow() {
	f.t.Helper()
	f.askUntil(f.spender, false)
	if !f.ask(madeUp) {
		f.t.Error("a key without a budget is refused, too, though space is reserved")
	}
}

// free gives back the disk.
func (f *full) free() {
	f.t.Helper()
	f.filling = false
	if err := os.Remove(filepath.Join(f.disk, "filler")); err != nil {
		f.t.Fatal(err)
	}
}

// recovers waits until all are served again, for which nothing has to be done.
func (f *full) recovers() {
	f.t.Helper()
	for _, key := range []string{f.spender, madeUp} {
		waitFor(f.t, patience, func() string { return "requests are served again" }, func() bool { return f.ask(key) })
	}
	waitFor(f.t, patience, func() string { return "the store takes rows again" }, func() bool { return f.metric("weir_ledger_pending_rows") == 0 })
}

// settle ends the program, and joins what was served with the rows, but for calls that were made without a record.
func (f *full) settle(unrecorded int) {
	f.t.Helper()
	if err := syscall.Kill(f.pid, syscall.SIGTERM); err != nil {
		f.t.Fatal(err)
	}
	code, said := f.end(), f.stderr.String()
	if code != 0 || strings.Contains(said, "panic") || !strings.Contains(said, "the ledger's journal cannot grow: calls of keys with budgets are refused") || !strings.Contains(said, "the ledger's journal can grow again") {
		f.t.Errorf("exit %d: %s", code, said)
	}
	rows := rowsIn(f.t, filepath.Join(restore(f.t, filepath.Join(f.disk, "data", "weir.db")), "data", "weir.db"))
	recorded := map[string]bool{}
	for _, row := range rows {
		recorded[row.ClientID] = true
	}
	var served []sim.Served
	for _, s := range f.up.Served() {
		if s.Client != "" && !recorded[s.Client] {
			unrecorded--
			continue
		}
		served = append(served, s)
	}
	res := ledgertest.Compare(served, rows, money.Plain(1_000_000, 2_000_000))
	f.t.Logf("%d calls, %d rows, %+v", res.Served, res.Rows, res.Taken)
	for _, wrong := range res.Wrong {
		f.t.Error(wrong)
	}
	if unrecorded != 0 || res.Orphaned != 0 || res.Taken.Calls < 200 {
		f.t.Errorf("the metric is off by %d; %+v", unrecorded, res.Taken)
	}
}

// TestFullDisk fills the disk under the data folder. Calls of keys with budgets are refused, others go on while reserved space lasts, and
// then they are refused, too. When there is space again, all go on, and each call that was served has its row.
func TestFullDisk(t *testing.T) {
	f := newFull(t, "")
	f.filling = true
	f.overflow()
	after := f.askUntil(madeUp, false)
	t.Logf("%d requests without a budget were served from reserved space", after)
	if f.ask(f.spender) || after < 10 {
		t.Errorf("only %d were served from reserved space", after)
	}
	if did := f.backup("copy.db"); did.code != 1 || !strings.Contains(did.stderr, "No copy was made: the store does not have every row of the ledger: ") {
		t.Errorf("a backup of a store that lacks rows: %+v", did)
	}
	f.free()
	f.recovers()
	fill(t, f.disk)
	if did := f.backup("copy.db"); did.code != 1 || !strings.Contains(did.stderr, "copy.db is full: make room, or write elsewhere\n") {
		t.Errorf("a backup to a full disk: %+v", did)
	}
	wantFiles(t, f.disk, "data", "filler")
	f.free()
	f.recovers()
	f.settle(0)
}

func (f *full) backup(name string) outcome {
	f.t.Helper()
	env := map[string]string{"WEIR_ADMIN": f.admin}
	return runIn(f.t, f.t.TempDir(), env, "", "backup", "--token-file", filepath.Join(f.disk, "data", "admin.token"), filepath.Join(f.disk, name))
}

// TestLongFullDiskServesUnrecorded: with `unrecorded: serve` calls without a budget are served when they cannot be recorded, and counted.
func TestLongFullDiskServesUnrecorded(t *testing.T) {
	long(t)
	f := newFull(t, "ledger: {unrecorded: serve}\n")
	f.filling = true
	f.overflow()
	for n := 0; f.metric("weir_ledger_unrecorded_total") == 0; n++ {
		if !f.ask(madeUp) || n > 20_000 {
			t.Fatalf("after %d requests none went unrecorded", n)
		}
	}
	for range 20 {
		if !f.ask(madeUp) || f.ask(f.spender) {
			t.Error("a key without a budget is refused, or one with a budget is served")
		}
	}
	unrecorded := int(f.metric("weir_ledger_unrecorded_total"))
	if unrecorded < 20 {
		t.Errorf("%d were counted", unrecorded)
	}
	f.free()
	f.recovers()
	f.settle(int(f.metric("weir_ledger_unrecorded_total")))
}

// TestLongLockedStore: while another process holds the lock of the store, the journal takes all calls, up to its bound. Then they are refused,
// those with a budget first, and when the lock is free, all go on.
func TestLongLockedStore(t *testing.T) {
	long(t)
	folder := t.TempDir()
	f := newCramped(t, folder, folder, func(_, binary string) (string, error) { return binary, nil }, "journal: 1MiB\n")
	f.ask(madeUp)
	waitFor(t, patience, func() string { return "the store has the call" }, func() bool { return f.metric("weir_ledger_pending_rows") == 0 })
	unlock := lockWriters(t, filepath.Join(folder, "data", "weir.db-shm"))
	f.overflow()
	if after, pending := f.askUntil(madeUp, false), f.metric("weir_ledger_pending_rows"); after < 10 || int(pending) < after {
		t.Errorf("%d without a budget were served from reserved space, %v calls wait for the store", after, pending)
	}
	if size := f.metric("weir_ledger_journal_bytes"); size > 1<<20 || size < (1<<20)*8/10 {
		t.Errorf("the journal has %v bytes", size)
	}
	unlock()
	f.recovers()
	f.settle(0)
}

// lockWriters takes the lock that a process needs to write to a database of SQLite with a WAL: the first byte of those in its index.
func lockWriters(t *testing.T, index string) (unlock func()) {
	t.Helper()
	const writeLock = 120
	file, err := os.OpenFile(index, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Start: writeLock, Len: 1}
	for err = syscall.EINTR; errors.Is(err, syscall.EINTR); {
		err = syscall.FcntlFlock(file.Fd(), syscall.F_SETLKW, &lock)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
}
