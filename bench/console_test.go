package main

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// The smallest run of the part there is: each question is answered, and the gateway serves beside readers. What it measures means nothing.
func TestConsole(t *testing.T) {
	if testing.Short() {
		t.Skip("what it measures are other programs: the race detector has no use for it")
	}
	if runtime.GOOS != "linux" {
		t.Skip("CPU time is read from /proc, which only Linux has")
	}
	kept := t.TempDir()
	var o options
	o.parse([]string{"-concurrency=2", "-modes=" + sharedMode, "-only=" + console, "-kept=" + kept, "-out=" + filepath.Join(t.TempDir(), "figures.json")})
	b, ctx := withUpstream(t, &o)
	how := &reading{rows: 20_000, runs: 2, most: time.Second, rounds: 1, later: 1, time: time.Second, ramp: time.Millisecond, tabs: 20, going: 100 * time.Millisecond}
	if err := b.read(ctx, how); err != nil {
		t.Fatal(err)
	}
	for _, s := range b.done.Read.Stores {
		if s.Filled.Rows != how.rows || s.Filled.Whole <= 0 || s.Filled.Last <= 0 || s.Filled.Size == 0 || len(s.Beside) != 1 || len(s.Beside[0].Answers) == 0 || len(s.Later) != 1 || len(s.Later[0].Answers) == 0 {
			t.Errorf("%s: %+v, %+v, %+v", s.Store, s.Filled, s.Beside, s.Later)
		}
		for _, p := range s.Pages {
			if p.Runs < 1 || p.Least <= 0 || p.P99 < p.P50 || p.Bytes == 0 || p.Lines == 0 && !strings.Contains(p.Page, "one step") && !strings.HasPrefix(p.Page, "one request") {
				t.Errorf("%s: %+v", s.Store, p)
			}
		}
	}
	table := b.done.consoleTable()
	for _, want := range []string{"store of 20,000 calls | SQLite |", "| newest 100 requests (100 lines, ", "| beside readers | ", "| beside readers who go on asking | "} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	if lack := b.done.consoleLack(); lack != "" && len(b.done.Read.Stores) == 2 {
		t.Errorf("it lacks %q", lack)
	}
	b.filledBefore(t, filepath.Join(kept, "console.db"), how.rows)
}

// filledBefore looks whether a store stays as it is if it is filled again, and adds up.
func (b *bench) filledBefore(t *testing.T, path string, rows int) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if f, err := fill(t.Context(), db, rows); err != nil || f.Whole != 0 {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err := fill(t.Context(), db, rows+1); err == nil {
		t.Errorf("%+v", f)
	}
	if done, err := db.Verify(t.Context(), func(d ledger.Difference) { t.Errorf("%+v", d) }); err != nil || done.Rows < int64(rows) {
		t.Errorf("%+v, %v", done, err)
	}
}
