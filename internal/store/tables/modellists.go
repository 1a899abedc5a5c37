package tables

import (
	"context"
	"database/sql"

	"github.com/weirproxy/weir/internal/store"
)

const (
	sqlModelLists = `SELECT provider, list, fetched_at FROM model_lists ORDER BY provider`

	sqlSaveModelList = `
		INSERT INTO model_lists (provider, list, fetched_at) VALUES ($1, $2, $3)
		ON CONFLICT (provider) DO UPDATE SET list = excluded.list, fetched_at = excluded.fetched_at`
)

// ModelLists returns the last list of every provider that had one, ordered by provider. Providers that
// have left the config since are still among them.
func (db *DB) ModelLists(ctx context.Context) ([]store.ModelList, error) {
	rows, err := db.engine.Reader.QueryContext(ctx, sqlModelLists)
	if err != nil {
		return nil, db.engine.Explain("read", err)
	}
	defer rows.Close()
	var lists []store.ModelList
	for rows.Next() {
		var list store.ModelList
		var fetched sql.NullInt64
		if err := rows.Scan(&list.Provider, &list.JSON, &fetched); err != nil {
			return nil, db.engine.Explain("read", err)
		}
		list.FetchedAt = fromMicros(fetched)
		lists = append(lists, list)
	}
	if err := rows.Err(); err != nil {
		return nil, db.engine.Explain("read", err)
	}
	return lists, nil
}

// SaveModelList replaces the list of its provider. FetchedAt is kept to the microsecond.
func (db *DB) SaveModelList(ctx context.Context, list store.ModelList) error {
	err := db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, sqlSaveModelList, list.Provider, list.JSON, micros(list.FetchedAt))
		return err
	})
	if err != nil {
		return db.engine.Explain("write", err)
	}
	return nil
}
