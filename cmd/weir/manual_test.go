package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The manual is written into a new folder, and never over what is there.
func TestManual(t *testing.T) {
	oneAfterAnother(t)
	folder := t.TempDir()
	did := runIn(t, folder, nil, "", "manual", filepath.Join(folder, "pages"))
	if did.code != 0 || did.stderr != "" || !strings.Contains(did.stdout, filepath.Join("pages", "index.html")) {
		t.Fatalf("%+v", did)
	}
	if page, err := os.ReadFile(filepath.Join(folder, "pages", "index.html")); err != nil || !strings.Contains(string(page), "<h1>") {
		t.Errorf("%.100s %v", page, err)
	}
	if did := runIn(t, folder, nil, "", "manual", filepath.Join(folder, "pages")); did.code != 1 || !strings.Contains(did.stderr, "is not empty: name a folder that is, or one that does not exist") {
		t.Errorf("over another: %+v", did)
	}
}
