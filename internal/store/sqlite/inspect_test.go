package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/weirproxy/weir/internal/store"
)

// Looking at a store makes and changes nothing, whether it is open elsewhere or not.
func TestInspect(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "weir.db")
	if _, err := Inspect(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	known := len(migrations())
	if got, err := Inspect(t.Context(), path); err != nil || got != (store.Schema{Applied: 0, Known: known, Needed: known}) {
		t.Errorf("an empty file: %v, %v", got, err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Errorf("it was changed: %v, %v", info, err)
	}
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Inspect(t.Context(), path); err != nil || got != (store.Schema{Applied: known, Known: known, Needed: known}) {
		t.Errorf("in use: %v, %v", got, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := Inspect(t.Context(), path); err != nil || got != (store.Schema{Applied: known, Known: known, Needed: known}) {
		t.Errorf("closed: %v, %v", got, err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("it left %v, %v", left, err)
	}
}
