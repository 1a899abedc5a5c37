package sqlite

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/stored"
)

// BenchmarkSaveResponse is one more answer of a key that has as many small ones as the usual bound lets it have. No other write of the store goes on
// meanwhile.
func BenchmarkSaveResponse(b *testing.B) {
	db, err := Open(b.Context(), filepath.Join(b.TempDir(), "weir.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	most := stored.Bounds{Key: 64 << 20, Total: 1 << 30}
	row := stored.Row{KeyID: "k", Sealed: bytes.Repeat([]byte{1}, 1<<10), CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour)}
	number := 0
	next := func() stored.Row {
		number++
		row.ID, row.CreatedAt = "resp_"+strconv.Itoa(number), row.CreatedAt.Add(time.Microsecond)
		return row
	}
	err = inTransaction(b.Context(), db.writer, func(tx *sql.Tx) error {
		for range most.Key / int64(len(row.Sealed)) {
			r := next()
			if _, err := tx.ExecContext(b.Context(), `INSERT INTO responses (id, key_id, size, created_at, expires_at, sealed) VALUES (?, ?, ?, ?, ?, ?)`,
				r.ID, r.KeyID, len(r.Sealed), r.CreatedAt.UnixMicro(), r.ExpiresAt.UnixMicro(), r.Sealed); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if saved, err := db.SaveResponse(b.Context(), next(), most); err != nil || !saved {
			b.Fatal(saved, err)
		}
	}
}
