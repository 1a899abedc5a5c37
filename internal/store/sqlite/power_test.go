package sqlite

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/weirproxy/weir/internal/ledger"
)

// image is the files of a database at one moment: the database itself, and its WAL.
type image [2][]byte

func imageOf(t *testing.T, path string) (i image) {
	t.Helper()
	for n, name := range []string{path, path + "-wal"} {
		var err error
		if i[n], err = os.ReadFile(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return i
}

// torn is what a loss of power leaves of a file: of the blocks that were written since it was synced, any may be missing.
func torn(synced, written []byte, random *rand.Rand) []byte {
	const block = 4096
	left, how := bytes.Clone(written), random.IntN(3)
	if random.IntN(4) == 0 { // its length was not synced either
		left = left[:min(len(left), len(synced)+random.IntN(1+max(0, len(left)-len(synced))))]
	}
	for at := 0; at < len(left); at += block {
		to := min(at+block, len(left))
		if how == 0 || how == 1 && random.IntN(2) == 0 || how == 2 && random.IntN(8) == 0 {
			clear(left[at:to])
			if at < len(synced) {
				copy(left[at:to], synced[at:])
			}
		}
	}
	return left
}

// open opens the image. It returns how many rows there are.
func (i image) open(t *testing.T) (rows int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "weir.db")
	for n, name := range []string{path, path + "-wal"} {
		if err := os.WriteFile(name, i[n], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	var verdict string
	if err := db.readers.QueryRow(`PRAGMA integrity_check`).Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatalf("%s, %v", verdict, err)
	}
	upto, last, err := db.Shipped(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	done, err := db.Verify(t.Context(), func(d ledger.Difference) { t.Errorf("%+v", d) })
	if err != nil || done.Rows != upto.Offset || upto.Offset > 0 && last != ledger.Seq(1_700_000_000_000_000+upto.Offset-1) {
		t.Errorf("%d rows, up to %+v and %d, %v", done.Rows, upto, last, err)
	}
	return int(done.Rows)
}

// losePower ships rows, and makes images of what a loss of power amid each shipment leaves. The rows of earlier shipments are there, those of
// this one all or not, and sums and position agree with them.
func losePower(t *testing.T, images int) {
	random := rand.New(rand.NewPCG(15, 2))
	path := filepath.Join(t.TempDir(), "weir.db")
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.writer.ExecContext(context.WithoutCancel(t.Context()), `PRAGMA wal_autocheckpoint = 60`); err != nil { // often
		t.Fatal(err)
	}
	rows, checkpoints := 0, 0
	for done := 0; done < images; {
		before, had := imageOf(t, path), rows
		rows += 1 + random.IntN(60)
		shipNumbered(t, db, had, rows)
		after := imageOf(t, path)
		// The WAL is synced when rows are shipped; only then the database is written.
		if got := (image{before[0], torn(before[1], after[1], random)}).open(t); got != had && got != rows {
			t.Fatalf("%d rows after a loss of power that had to leave %d or %d", got, had, rows)
		}
		if done++; bytes.Equal(before[0], after[0]) {
			continue
		}
		checkpoints++
		if got := (image{torn(before[0], after[0], random), after[1]}).open(t); got != rows {
			t.Fatalf("%d rows after a loss of power that had to leave %d", got, rows)
		}
		done++
	}
	if checkpoints == 0 {
		t.Error("the database itself was never written")
	}
	t.Logf("%d rows, %d images, %d of them amid a checkpoint", rows, images, checkpoints)
}

// A loss of power leaves the store with all or nothing of a shipment.
func TestPowerLoss(t *testing.T) {
	t.Parallel()
	losePower(t, 30)
}

// TestLongPowerLoss does it a thousand times.
func TestLongPowerLoss(t *testing.T) {
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("it takes a minute: set WEIR_LONG=1, as make long does")
	}
	losePower(t, 1000)
}
