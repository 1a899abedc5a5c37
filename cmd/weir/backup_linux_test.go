package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/ledger/ledgertest"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/sim"
)

// backedUp is a program whose data is in a folder, and its upstream.
type backedUp struct {
	t      *testing.T
	up     *sim.Server
	config string
	folder string // of the original
}

func newBackedUp(t *testing.T) *backedUp {
	t.Helper()
	up, server := simulate(t, followed)
	return &backedUp{t, up, "drain: {delay: 0s}\n" + meteredConfig(server.URL), t.TempDir()}
}

func (b *backedUp) start(folder string) *child {
	b.t.Helper()
	return startWith(b.t, folder, func(binary string) (string, error) { return binary, nil }, b.config)
}

// weir runs a command of the operator of the data in a folder.
func (b *backedUp) weir(folder string, c *child, args ...string) outcome {
	b.t.Helper()
	env := environment(folder, "WEIR_CONFIG", filepath.Join(folder, "weir.yaml"), "WEIR_LOG", "error")
	if c != nil {
		env["WEIR_ADMIN_LISTEN"] = strings.TrimPrefix(c.admin, "http://")
	}
	return runIn(b.t, folder, env, "", args...)
}

// stop ends the program in good order.
func (b *backedUp) stop(c *child) {
	b.t.Helper()
	if err := syscall.Kill(c.pid, syscall.SIGTERM); err != nil {
		b.t.Fatal(err)
	}
	if code := c.end(); code != 0 {
		b.t.Fatalf("exit %d: %s", code, c.stderr)
	}
}

// calls makes n requests one after the other. Each is answered, and its id begins so.
func (c *child) calls(key, prefix string, n int) {
	c.t.Helper()
	for i := range n {
		req, err := http.NewRequest(http.MethodPost, c.url+"/v1/chat/completions", strings.NewReader(fmt.Sprintf(requests[0].body, "fine-openai")))
		if err != nil {
			c.t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key)
		req.Header.Set("X-Request-Id", fmt.Sprint(prefix, "-", i))
		req.Header.Set("X-Trace", fmt.Sprint(prefix, "-", i))
		resp, err := quiet.Do(req)
		if err != nil {
			c.t.Fatal(err)
		}
		if text := read(c.t, resp.Body); resp.StatusCode != 200 {
			c.t.Fatalf("%d %s", resp.StatusCode, text)
		}
		_ = resp.Body.Close() // it was read to its end
	}
}

// loaded has so many clients make requests of all kinds while do runs.
func (c *child) loaded(clients int, do func()) {
	ctx, cancel := context.WithCancel(c.t.Context())
	var wg sync.WaitGroup
	for worker := range clients {
		own := rand.New(rand.NewPCG(uint64(worker), 45))
		wg.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				c.request(ctx, own, fmt.Sprintf("load-%d-%d", worker, n))
			}
		})
	}
	do()
	cancel()
	wg.Wait()
}

// byPlace are rows by instance and number, of which each has one.
func byPlace(t *testing.T, rows []ledger.Row) map[ledger.Place]ledger.Row {
	t.Helper()
	all := map[ledger.Place]ledger.Row{}
	for _, row := range rows {
		place := ledger.Place{Seq: row.Seq, Instance: row.Instance}
		if _, twice := all[place]; twice {
			t.Fatalf("two rows are at %+v", place)
		}
		all[place] = row
	}
	return all
}

// differ says how rows differ, "" if they do not. To compare thousands of them takes cmp a minute.
func differ[T any](want, got T) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got)
}

// restore makes a data folder of a copy.
func restore(t *testing.T, copied string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	text, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	writeTest(t, filepath.Join(folder, "data", "weir.db"), string(text))
	return folder
}

// TestBackupWhileServing copies the store amid the load of many clients. The copy has the rows of all calls that ended before, none of calls
// that began after, and each as the original has it. It can be started, again and again, and serves; its numbers go on.
func TestBackupWhileServing(t *testing.T) {
	b := newBackedUp(t)
	copied := filepath.Join(b.folder, "copy.db")
	c := b.start(b.folder)
	made := strings.TrimSpace(b.weir(b.folder, c, "keys", "create", "--name", "made-here").stdout)
	lost := strings.TrimSpace(b.weir(b.folder, c, "keys", "create", "--name", "lost").stdout)
	if did := b.weir(b.folder, c, "keys", "revoke", "lost"); did.code != 0 {
		t.Fatalf("%+v", did)
	}
	c.loaded(20, func() {
		if err := b.up.Wait(t.Context(), func(calls []sim.Served) bool { return len(calls) > 100 }); err != nil {
			t.Fatal(err)
		}
		c.calls(made, "before", 10)
		if did := b.weir(b.folder, c, "backup", copied); did.code != 0 || !strings.HasPrefix(did.stdout, copied+" has the store, ") || did.stderr != "" {
			t.Fatalf("%+v", did)
		}
		c.calls(made, "after", 10)
	})
	b.stop(c)

	original := byPlace(t, rowsIn(t, filepath.Join(b.folder, "data", "weir.db")))
	folder := restore(t, copied)
	mark := rowsIn(t, filepath.Join(restore(t, copied), "data", "weir.db"))
	before := 0
	for place, row := range byPlace(t, mark) {
		if diff := differ(original[place], row); diff != "" || strings.HasPrefix(row.ClientID, "after-") {
			t.Fatalf("%s: %s", row.ClientID, diff)
		}
		if strings.HasPrefix(row.ClientID, "before-") {
			before++
		}
	}
	if before != 10 || len(original) < len(mark)+10 || len(mark) < 100 {
		t.Errorf("%d rows, %d of them of calls before; the original has %d", len(mark), before, len(original))
	}
	b.secretsAreNot(copied, made, lost)
	for round := range 2 {
		mark = b.servesOn(folder, mark, made, lost, fmt.Sprint("new-", round))
	}
}

// secretsAreNot fails if a copy has one of the texts, or if other users may read it.
func (b *backedUp) secretsAreNot(copied string, secrets ...string) {
	b.t.Helper()
	text, err := os.ReadFile(copied)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, secret := range append(secrets, madeUp, "upstream-credential") {
		if secret == "" || strings.Contains(string(text), secret) {
			b.t.Errorf("the copy has the secret %.12s…", secret)
		}
	}
	if info, err := os.Stat(copied); err != nil || info.Mode().Perm() != 0o600 {
		b.t.Errorf("%v, %v", info.Mode(), err)
	}
}

// servesOn starts on a restored folder that has these rows, holds its sums to them, serves, and stops. It returns the rows of then.
func (b *backedUp) servesOn(folder string, mark []ledger.Row, made, lost, prefix string) []ledger.Row {
	b.t.Helper()
	c := b.start(folder)
	want, got := int64(0), usageOf(b.t, b, folder, c)
	for i := range mark {
		want += int64(mark[i].Cost)
	}
	if got.Attempts != int64(len(mark)) || got.Cost != want {
		b.t.Errorf("the sums are of %d calls that cost %d; the rows are %d and cost %d", got.Attempts, got.Cost, len(mark), want)
	}
	c.calls(made, prefix, 5)
	if resp := c.call("GET", "/v1/models", lost, ""); resp.StatusCode != 401 {
		b.t.Errorf("a key that was revoked before: %d", resp.StatusCode)
	}
	if did := b.weir(folder, c, "verify"); did.code != 0 || !strings.HasSuffix(did.stdout, "They agree.\n") {
		b.t.Errorf("%+v", did)
	}
	b.stop(c)
	now := rowsIn(b.t, filepath.Join(folder, "data", "weir.db"))
	if diff := differ(mark, now[5:]); diff != "" {
		b.t.Errorf("rows have changed: %s", diff)
	}
	for i, row := range now[:5] {
		if !strings.HasPrefix(row.ClientID, prefix) || row.Seq <= now[i+1].Seq || row.Instance == mark[len(mark)-1].Instance {
			b.t.Errorf("%s has number %d of %s, after %d", row.ClientID, row.Seq, row.Instance, now[i+1].Seq)
		}
	}
	return now
}

// usageOf is all that a running program reports.
func usageOf(t *testing.T, b *backedUp, folder string, c *child) (all ledger.Sums) {
	t.Helper()
	did := b.weir(folder, c, "usage", "--format", "json")
	var page ledger.UsagePage
	if err := json.Unmarshal([]byte(did.stdout), &page); err != nil {
		t.Fatalf("%v: %+v", err, did)
	}
	for _, row := range page.Data {
		sums := ledger.Sums(row.Figures)
		all.Add(&sums)
	}
	return all
}

// TestBackupAfterKill copies the store of a program that was killed. The copy has what the journal held, and the orphans.
func TestBackupAfterKill(t *testing.T) {
	b := newBackedUp(t)
	c := b.start(b.folder)
	c.killed(rand.New(rand.NewPCG(45, 45)), b.up, 0, 20)
	copied := filepath.Join(b.folder, "copy.db")
	if did := b.weir(b.folder, nil, "backup", copied); did.code != 0 || did.stderr != "" {
		t.Fatalf("%+v", did)
	}
	waitFor(t, patience, func() string { return "the upstream's calls end" }, func() bool { return b.up.Active() == 0 })
	rows := rowsIn(t, filepath.Join(restore(t, copied), "data", "weir.db"))
	res := ledgertest.Compare(b.up.Served(), rows, money.Plain(1_000_000, 2_000_000))
	for _, wrong := range res.Wrong {
		t.Error(wrong)
	}
	if diff := differ(rowsIn(t, filepath.Join(b.folder, "data", "weir.db")), rows); diff != "" || len(rows) < 50 {
		t.Errorf("%d rows, %s", len(rows), diff)
	}
	b.start(b.folder) // the original can go on
}

func TestBackupRefuses(t *testing.T) {
	folder := t.TempDir()
	writeTest(t, filepath.Join(folder, "there.db"), "mine")
	env := environment(folder)
	for name, want := range map[string]outcome{
		"there.db":     {2, "", "weir: there.db exists already, and this overwrites nothing: name another file, or remove that one\n"},
		".":            {2, "", "weir: . is a folder: name a file in it, such as weir-backup.db\n"},
		"none/copy.db": {2, "", "weir: the folder none is missing: make it first\n"},
		"copy.db": {1, "", fmt.Sprintf(
			"weir: there is nothing to copy: cannot look into the data folder: stat %s: no such file or directory; give --config or WEIR_DATA, or --admin for a Weir that runs elsewhere\n", env["WEIR_DATA"])},
	} {
		if diff := cmp.Diff(want, runIn(t, folder, env, "", "backup", name), cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if err := os.Mkdir(env["WEIR_DATA"], 0o700); err != nil {
		t.Fatal(err)
	}
	if did := runIn(t, folder, env, "", "backup", "copy.db"); did.code != 1 || !strings.HasPrefix(did.stderr, "weir: there is nothing to copy: cannot open the store: ") {
		t.Errorf("%+v", did)
	}
	wantFiles(t, folder, "data", "there.db")
	if text, err := os.ReadFile(filepath.Join(folder, "there.db")); err != nil || string(text) != "mine" {
		t.Errorf("%s, %v", text, err)
	}
}

func wantFiles(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

// TestBackupBreaksOff: of a copy that is not whole nothing is left.
func TestBackupBreaksOff(t *testing.T) {
	begin := func(w io.Writer, size int64) error {
		_, err := w.Write(make([]byte, size))
		return err
	}
	for want, backup := range map[string]func(context.Context, func(int64) (io.Writer, error)) error{
		"the store does not have every row of the ledger: locked": func(context.Context, func(int64) (io.Writer, error)) error {
			return errors.New("the store does not have every row of the ledger: locked")
		},
		"the copy broke off after ": func(_ context.Context, open func(int64) (io.Writer, error)) error {
			w, err := open(1_000_000)
			return errors.Join(err, begin(w, 300_000), errors.New("a page cannot be read"))
		},
	} {
		s := newAdminServerWith(t, func(o *admin.Options) { o.Backup = backup })
		if did := s.weir("backup", "copy.db"); did.code != 1 || did.stdout != "" || !strings.Contains(did.stderr, want) {
			t.Errorf("%s: %+v", want, did)
		}
		wantFiles(t, s.folder)
	}
	s := newAdminServerWith(t, func(o *admin.Options) {
		o.Backup = func(_ context.Context, open func(int64) (io.Writer, error)) error {
			w, err := open(1000)
			return errors.Join(err, begin(w, 1000))
		}
	})
	if did := s.weir("backup", "copy.db"); did.code != 0 {
		t.Errorf("%+v", did)
	}
	wantFiles(t, s.folder, "copy.db")
}
