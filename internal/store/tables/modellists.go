package tables

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/store"
)

const (
	sqlModelLists = `SELECT provider, list, fetched_at FROM model_lists`

	sqlSaveModelList = `
		INSERT INTO model_lists (provider, list, fetched_at) VALUES ($1, $2, $3)
		ON CONFLICT (provider) DO UPDATE SET list = excluded.list, fetched_at = excluded.fetched_at`
)

// ModelLists returns the last list of every provider that had one, ordered by provider. Providers that
// have left the config since are still among them.
func (db *DB) ModelLists(ctx context.Context) (lists []store.ModelList, err error) {
	err = db.read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, sqlModelLists)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var list store.ModelList
			var fetched sql.NullInt64
			if err := rows.Scan(&list.Provider, &list.JSON, &fetched); err != nil {
				return err
			}
			list.FetchedAt = fromMicros(fetched)
			lists = append(lists, list)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, db.engine.Explain("read", err)
	}
	// The database's own order depends on its locale.
	slices.SortFunc(lists, func(a, b store.ModelList) int { return strings.Compare(a.Provider, b.Provider) })
	return lists, nil
}

// SaveModelList replaces the list of its provider. FetchedAt is kept to the microsecond.
func (db *DB) SaveModelList(ctx context.Context, list store.ModelList) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, sqlSaveModelList, list.Provider, list.JSON, micros(list.FetchedAt))
		return err
	})
	if err != nil {
		return db.engine.Explain("write", err)
	}
	return nil
}
