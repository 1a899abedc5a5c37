package tables

import (
	"context"
	"database/sql"
	"errors"
	"maps"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
)

const (
	sqlPricesAfter = `SELECT id, hash FROM prices WHERE id > $1`

	sqlPrice = `SELECT id FROM prices WHERE hash = $1`

	sqlRates = `SELECT rates FROM prices WHERE hash = $1 AND rates IS NOT NULL`

	sqlLacksText = `SELECT rates IS NULL FROM prices WHERE hash = $1`

	sqlSetPrice = `UPDATE prices SET rates = $2 WHERE hash = $1 AND rates IS NULL`

	sqlAddPrice = `INSERT INTO prices (id, hash, rates) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM prices), $1, $2) RETURNING id`
)

// checkPrices has the shipment know no number of a price that the database has forgotten. Those that it knows are the process's: it works on a copy.
func (s *shipping) checkPrices(ctx context.Context) error {
	var last int64
	for _, id := range s.prices {
		last = max(last, id)
	}
	found, err := s.pricesAfter(ctx, last-overlap)
	if err != nil {
		return err
	}
	for of, id := range s.prices {
		if id > last-overlap && found[of] != id {
			s.prices = map[money.ID]int64{}
			return nil
		}
	}
	maps.Copy(s.prices, found)
	return nil
}

func (s *shipping) pricesAfter(ctx context.Context, last int64) (map[money.ID]int64, error) {
	rows, err := s.tx.QueryContext(ctx, sqlPricesAfter, last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[money.ID]int64{}
	for rows.Next() {
		var id, hash int64
		if err := rows.Scan(&id, &hash); err != nil {
			return nil, err
		}
		found[money.ID(hash)] = id
	}
	return found, rows.Err()
}

// addPrices writes the texts of prices.
func (s *shipping) addPrices(ctx context.Context, prices []ledger.PricedAs) error {
	for _, p := range prices {
		if err := s.addText(ctx, p); err != nil {
			return err
		}
		if _, err := s.price(ctx, p.ID, sql.NullString{String: string(p.JSON), Valid: true}); err != nil {
			return err
		}
	}
	return nil
}

// addText gives a price its text that has none yet. Who changes a price numbers prices, too, so that of two shipments neither waits for the other.
func (s *shipping) addText(ctx context.Context, p ledger.PricedAs) error {
	var lacks bool
	err := s.tx.QueryRowContext(ctx, sqlLacksText, int64(p.ID)).Scan(&lacks)
	if errors.Is(err, sql.ErrNoRows) || err == nil && !lacks {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := s.names.begin(ctx); err != nil {
		return err
	}
	_, err = s.tx.ExecContext(ctx, sqlSetPrice, int64(p.ID), string(p.JSON))
	return err
}

// price is the number of a price. One whose text is not known gets it when it is.
func (s *shipping) price(ctx context.Context, of money.ID, text sql.NullString) (id int64, err error) {
	if of == 0 {
		return 0, nil
	}
	if id, known := s.prices[of]; known {
		return id, nil
	}
	err = s.tx.QueryRowContext(ctx, sqlPrice, int64(of)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		var fresh bool
		if fresh, err = s.names.begin(ctx); err == nil && fresh {
			return s.price(ctx, of, text)
		}
		if err == nil {
			err = s.tx.QueryRowContext(ctx, sqlAddPrice, int64(of), text).Scan(&id)
		}
	}
	if err == nil {
		s.prices[of] = id
	}
	return id, err
}

// Prices implements ledger.Reports.
func (db *DB) Prices(ctx context.Context, ids []money.ID) (known []ledger.PricedAs, err error) {
	err = db.report(ctx, func(ctx context.Context, tx *sql.Tx) error {
		known = nil
		for _, id := range ids {
			var text string
			switch err := tx.QueryRowContext(ctx, sqlRates, int64(id)).Scan(&text); {
			case errors.Is(err, sql.ErrNoRows):
			case err != nil:
				return err
			default:
				known = append(known, ledger.PricedAs{ID: id, JSON: []byte(text)})
			}
		}
		return nil
	})
	return known, err
}
