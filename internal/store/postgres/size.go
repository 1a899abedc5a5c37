package postgres

import "context"

// sqlSize needs no right but to connect, which a caller has.
const sqlSize = `SELECT pg_database_size(current_database())`

// Size returns how many bytes the whole database has on disk.
func (db *DB) Size(ctx context.Context) (bytes int64, err error) {
	if err = db.reports.QueryRowContext(ctx, sqlSize).Scan(&bytes); err != nil {
		return 0, db.explain("measure", err)
	}
	return bytes, nil
}
