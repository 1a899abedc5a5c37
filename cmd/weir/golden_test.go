package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what commands print into testdata, instead of comparing it")

// folderOfPackage is where tests start: they go elsewhere.
var folderOfPackage, errNowhere = os.Getwd()

// wantGolden compares what a command printed with a file of testdata, which shows it as a terminal would.
func wantGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join(folderOfPackage, "testdata", name)
	if *update {
		writeTest(t, path, got)
	}
	want, err := os.ReadFile(path)
	if err := errors.Join(errNowhere, err); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-update writes it anew):\n%s", name, diff)
	}
}
