package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The smallest run of the part there is: each page is opened, and each click made. What it measures means nothing.
func TestLongBrowser(t *testing.T) {
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("it opens some dozens of pages: set WEIR_LONG")
	}
	var o options
	o.parse([]string{"-concurrency=2", "-modes=" + sharedMode, "-only=" + browser, "-out=" + filepath.Join(t.TempDir(), "figures.json")})
	b, ctx := withUpstream(t, &o)
	if err := b.look(ctx, &looking{rows: 20_000, rounds: 1}); err != nil {
		t.Fatal(err)
	}
	if b.done.Seen == nil {
		t.Skip("the browser part was left out because chromium, node or npm is not installed; standard error names the missing one")
	}
	table := b.done.browserTable()
	for _, want := range []string{"20,000 calls on SQLite", "| Overview | ", "| Manual | ", "| open a request | "} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}
