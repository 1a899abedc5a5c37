package tables

import (
	"context"
	"fmt"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
)

const (
	sqlZones = `SELECT since, name FROM zones ORDER BY since`

	sqlAddZone = `
		INSERT INTO zones (since, name) SELECT coalesce(max(last), 0) + 1, CAST($1 AS TEXT) FROM shipped WHERE true
		ON CONFLICT (since) DO UPDATE SET name = excluded.name`
)

// zones are those in which days were summed. The rows after the last that was shipped belong to the days of now.
func (s *shipping) zones(ctx context.Context, now *time.Location) (ledger.Zones, error) {
	if now == nil {
		now = time.UTC
	}
	all, err := readZones(ctx, s.tx)
	if err != nil || all.Of(1<<62).String() == now.String() {
		return all, err
	}
	if fresh, err := s.names.begin(ctx); err != nil || fresh {
		if err != nil {
			return nil, err
		}
		return s.zones(ctx, now)
	}
	if _, err := s.tx.ExecContext(ctx, sqlAddZone, now.String()); err != nil {
		return nil, err
	}
	return readZones(ctx, s.tx)
}

// readZones reads the time zones in which days were summed.
func readZones(ctx context.Context, from querier) (all ledger.Zones, err error) {
	rows, err := from.QueryContext(ctx, sqlZones)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var since int64
		var name string
		if err := rows.Scan(&since, &name); err != nil {
			return nil, err
		}
		location, err := time.LoadLocation(name)
		if err != nil {
			return nil, fmt.Errorf("days were summed in the time zone %s, which this machine does not know: install its list of time zones: %w", name, err)
		}
		all = append(all, ledger.Zone{Since: ledger.Seq(since), Location: location})
	}
	return all, rows.Err()
}
