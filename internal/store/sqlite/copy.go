package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"io"
)

const (
	sqlSize  = `SELECT page_count, page_size FROM pragma_page_count, pragma_page_size`
	sqlPages = `SELECT data FROM sqlite_dbpage ORDER BY pgno`
)

// copyPiece is how much of a copy is written at once, in bytes.
const copyPiece = 256 << 10

// CopyTo writes the file of the database as it is at one moment, which is itself a database. Writers go on meanwhile: they do not wait for
// a reader. Begin is called with the size of the file before anything is written, and returns where to write it. If it returns an error,
// nothing is written, and CopyTo returns that.
//
// While it runs, the WAL grows by all that is written, so the caller bounds how long the writing may take.
func (db *DB) CopyTo(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	var failed error // of begin, or in writing: it is not about the database
	err := inTransaction(ctx, db.readers, func(tx *sql.Tx) error {
		var pages, size int64
		if err := tx.QueryRowContext(ctx, sqlSize).Scan(&pages, &size); err != nil { // the moment: later reads of tx see the same
			return err
		}
		var w io.Writer
		if w, failed = begin(pages * size); failed != nil {
			return failed
		}
		written, err := copyPages(ctx, tx, w, &failed)
		if err == nil && written != pages*size {
			err = fmt.Errorf("%d bytes of %d could be read", written, pages*size)
		}
		return err
	})
	if failed != nil {
		return failed
	}
	if err != nil {
		return db.explain("copy", err)
	}
	return nil
}

// copyPages writes all pages. An error in writing is in failed, too.
func copyPages(ctx context.Context, tx *sql.Tx, w io.Writer, failed *error) (written int64, err error) {
	rows, err := tx.QueryContext(ctx, sqlPages)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	piece := make([]byte, 0, copyPiece)
	write := func() error {
		n, err := w.Write(piece)
		written += int64(n)
		*failed, piece = err, piece[:0]
		return err
	}
	var page sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&page); err != nil {
			return written, err
		}
		if len(piece)+len(page) > cap(piece) {
			if err := write(); err != nil {
				return written, err
			}
		}
		piece = append(piece, page...)
	}
	if err := rows.Err(); err != nil {
		return written, err
	}
	return written, write()
}
