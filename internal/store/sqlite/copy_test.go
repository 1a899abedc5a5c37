package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/ledger"
)

// filled opens a store with n rows of an instance.
func filled(t *testing.T, path string, n int) *DB {
	t.Helper()
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for from := 0; from < n; from += 500 {
		shipNumbered(t, db, from, min(n, from+500))
	}
	return db
}

// shipNumbered ships rows that are numbered from 1 + from to to.
func shipNumbered(t *testing.T, db *DB, from, to int) {
	t.Helper()
	s := &ledger.Shipment{Instance: "one", Upto: ledger.Position{Segment: 1, Offset: int64(to)}}
	for i := from; i < to; i++ {
		r := ledger.Row{Instance: "one", Seq: ledger.Seq(1_700_000_000_000_000 + i)}
		r.Intent = ledger.Intent{Request: fmt.Sprintf("r-%d", i), Try: 1, Started: r.Seq.Time(), Key: "k", Model: "m", Provider: "p", Upstream: "u", Tags: []ledger.Tag{{Name: "n", Value: fmt.Sprint(i)}}}
		r.Settlement = ledger.Settlement{Status: 200, Outcome: "answered", Cost: 1}
		s.Rows = append(s.Rows, r)
	}
	if err := db.Ship(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

func allRows(t *testing.T, db *DB) []ledger.Row {
	t.Helper()
	rows, more, err := db.Rows(t.Context(), &ledger.RowsQuery{Limit: 1 << 20})
	if err != nil || more {
		t.Fatal(more, err)
	}
	return rows
}

// A copy is a whole store, as it was when the copy began, though rows are shipped while it is written.
func TestCopyTo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db := filled(t, filepath.Join(folder, "weir.db"), 3000)
	want := allRows(t, db)
	copied, err := os.Create(filepath.Join(folder, "copy.db"))
	if err != nil {
		t.Fatal(err)
	}
	announced, n := int64(0), 3000
	if err := db.CopyTo(t.Context(), func(size int64) (io.Writer, error) {
		announced = size
		return writerFunc(func(piece []byte) (int, error) {
			shipNumbered(t, db, n, n+500) // and does not wait
			n += 500
			return copied.Write(piece)
		}), nil
	}); err != nil {
		t.Fatal(err)
	}
	info, err := copied.Stat()
	if err != nil || info.Size() != announced || n < 4000 || copied.Close() != nil {
		t.Fatalf("%d bytes of %d, up to row %d, %v", info.Size(), announced, n, err)
	}
	restored, err := Open(t.Context(), copied.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	if diff := cmp.Diff(want, allRows(t, restored)); diff != "" {
		t.Error(diff)
	}
	if upto, _, err := restored.Shipped(t.Context(), "one"); err != nil || upto.Offset != 3000 {
		t.Errorf("%+v, %v", upto, err)
	}
	var verdict string
	if err := restored.readers.QueryRow(`PRAGMA integrity_check`).Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("%s, %v", verdict, err)
	}
	if _, err := restored.Verify(t.Context(), func(d ledger.Difference) { t.Errorf("%+v", d) }); err != nil {
		t.Error(err)
	}
	if got := len(allRows(t, db)); got != n {
		t.Errorf("the original has %d rows of %d", got, n)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// What keeps a copy from being written is said as it is, and the store can be read and written afterwards.
func TestCopyToFails(t *testing.T) {
	t.Parallel()
	db := filled(t, filepath.Join(t.TempDir(), "weir.db"), 2000)
	full := errors.New("no space left")
	for name, begin := range map[string]func(int64) (io.Writer, error){
		"to begin": func(int64) (io.Writer, error) { return nil, full },
		"to write": func(int64) (io.Writer, error) {
			return writerFunc(func([]byte) (int, error) { return 0, full }), nil
		},
	} {
		if err := db.CopyTo(t.Context(), begin); !errors.Is(err, full) || err.Error() != full.Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := db.CopyTo(ctx, func(int64) (io.Writer, error) { cancel(); return io.Discard, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	shipNumbered(t, db, 2000, 2001)
	var b bytes.Buffer
	if err := db.CopyTo(t.Context(), func(int64) (io.Writer, error) { return &b, nil }); err != nil || b.Len() == 0 {
		t.Errorf("afterwards: %v", err)
	}
}
