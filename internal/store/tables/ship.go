package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
)

var _ ledger.Store = (*DB)(nil)

const (
	sqlInstance = `SELECT number, segment, "offset" FROM shipped WHERE instance = $1`

	sqlShipped = `
		SELECT coalesce(max(segment) FILTER (WHERE instance = $1), 0), coalesce(max("offset") FILTER (WHERE instance = $1), 0), coalesce(max(last), 0)
		FROM shipped`

	sqlAddInstance = `
		INSERT INTO shipped (number, instance, segment, "offset", last) VALUES ((SELECT coalesce(max(number), 0) + 1 FROM shipped), $1, 0, 0, 0) RETURNING number`

	// The number of a journal whose rows were all forgotten becomes that of another.
	sqlReplaceInstance = `
		UPDATE shipped SET instance = $1, segment = 0, "offset" = 0, last = 0 WHERE number = (
			SELECT number FROM shipped WHERE last > 0 AND last * 1024 + number <= (SELECT upto FROM forgotten) ORDER BY last, number LIMIT 1
		) RETURNING number`

	sqlCountInstances = `SELECT count(*) FROM shipped`

	sqlSetShipped = `UPDATE shipped SET segment = $1, "offset" = $2, last = CASE WHEN last > $3 THEN last ELSE $3 END WHERE number = $4`

	sqlRowsOf = `SELECT id FROM attempts WHERE id >= $1 AND id <= $2 AND id & 1023 = $3`

	sumColumns = `requests, attempts, input, cache_read, cache_write, output, reasoning, cost, orphaned, estimated, in_doubt`
)

// maxTagLines is how many tags of a key have a line of their own on a day. The rest is summed in one line.
const maxTagLines = 1000

// instanceBits is the room in a row's id for the number of its instance.
const instanceBits = 10

func rowID(seq ledger.Seq, instance int64) int64 { return int64(seq)<<instanceBits | instance }

// bulks write what every shipment has.
type bulks struct {
	rows, tags, tagDays, tagWeeks Bulk
	sums                          map[string]Bulk // by the table's name
}

func (db *DB) prepareBulks(ctx context.Context) (_ *bulks, err error) {
	b := &bulks{sums: map[string]Bulk{}}
	for to, u := range map[*Bulk]Upsert{&b.rows: rowsUpsert, &b.tags: tagsUpsert, &b.tagDays: tagDaysUpsert, &b.tagWeeks: tagWeeksUpsert} {
		if *to, err = db.engine.Bulk(ctx, u); err != nil {
			return nil, err
		}
	}
	for i := range sumsTables {
		t := &sumsTables[i]
		if b.sums[t.name], err = db.engine.Bulk(ctx, t.upsert()); err != nil {
			return nil, err
		}
	}
	for _, u := range speedUpserts() {
		if b.sums[u.Table], err = db.engine.Bulk(ctx, u); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// shipper is what shipping keeps between shipments.
type shipper struct {
	mu      sync.Mutex
	bulks   *bulks // nil before the first
	unnamed ledger.Unnamed
	tags    tagsSeen
	prices  map[money.ID]int64 // their numbers, which change as those of names do
}

// count takes over what a shipment has counted, and the numbers of its prices.
func (s *shipper) count(on *shipping) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unnamed.Tags += on.unnamed.Tags
	s.unnamed.Targets += on.unnamed.Targets
	s.prices = on.prices
}

// Unnamed implements ledger.Bounded.
func (db *DB) Unnamed() ledger.Unnamed {
	db.shipper.mu.Lock()
	defer db.shipper.mu.Unlock()
	return db.shipper.unnamed
}

// beginShipping returns what writes a shipment, and the prices that are known.
func (db *DB) beginShipping(ctx context.Context) (*bulks, map[money.ID]int64, error) {
	db.shipper.mu.Lock()
	defer db.shipper.mu.Unlock()
	if db.shipper.bulks == nil {
		b, err := db.prepareBulks(ctx)
		if err != nil {
			return nil, nil, err
		}
		db.shipper.bulks, db.shipper.prices = b, map[money.ID]int64{}
	}
	return db.shipper.bulks, db.shipper.prices, nil
}

// Ship implements ledger.Store. Nearly always all rows are new, so they are looked up only if one turns out to be there.
func (db *DB) Ship(ctx context.Context, s *ledger.Shipment) error {
	bulks, prices, err := db.beginShipping(ctx)
	if err != nil {
		return db.engine.Explain("write", err)
	}
	for _, careful := range []bool{false, true} {
		var on *shipping
		err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
			ctx = db.unwatched(ctx)
			n, err := db.naming(ctx, tx)
			if err != nil {
				return err
			}
			on = &shipping{bulks: bulks, names: n, seen: &db.shipper.tags, tx: tx, odd: db.engine.OddRequest, arrived: db.engine.Arrived, prices: maps.Clone(prices)}
			return on.ship(ctx, s, careful)
		})
		if err == nil {
			on.names.committed()
			on.seen.add(on.tagLines)
			db.shipper.count(on)
			return nil
		}
		if !db.engine.Duplicate(err) {
			break
		}
	}
	return db.engine.Explain("write", err)
}

// unwatched is the context for the statements of a long transaction. Where no statement can hang, they need not watch the context, since the
// transaction ends with it: that takes a goroutine for each.
func (db *DB) unwatched(ctx context.Context) context.Context {
	if db.engine.Limit > 0 {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// shipping is one shipment on its way.
type shipping struct {
	*bulks
	odd      func(string) any
	arrived  func(context.Context, *sql.Tx, string, func() *budget.Taken) error // the engine's
	names    *naming
	seen     *tagsSeen
	tx       *sql.Tx
	prices   map[money.ID]int64
	tagLines []tagLine // that it wrote
	unnamed  ledger.Unnamed
	args     []any // of the last statements, for room
}

func (s *shipping) ship(ctx context.Context, all *ledger.Shipment, careful bool) error {
	instance, err := s.instance(ctx, all.Instance, all.From)
	if err != nil {
		return err
	}
	if err := s.checkPrices(ctx); err != nil {
		return err
	}
	if err := s.addPrices(ctx, all.Prices); err != nil {
		return err
	}
	zones, err := s.zones(ctx, all.Zone)
	if err != nil {
		return err
	}
	rows, last := all.Rows, ledger.Seq(0)
	for i := range rows {
		last = max(last, rows[i].Seq)
	}
	if careful {
		if rows, err = s.absent(ctx, rows, instance); err != nil {
			return err
		}
	}
	times := &timing{cells: map[timedCell]*ledger.Speeds{}}
	cells, err := s.addRows(ctx, rows, instance, clock{zones: zones}, times)
	if err != nil {
		return err
	}
	if err := s.raiseSpeeds(ctx, times); err != nil {
		return err
	}
	for i := range sumsTables {
		if err := s.raise(ctx, &sumsTables[i], cells); err != nil {
			return err
		}
	}
	if err := s.raiseTags(ctx, rows, &clock{zones: zones}); err != nil {
		return err
	}
	if s.arrived != nil {
		if err := s.arrived(ctx, s.tx, all.Instance, func() *budget.Taken { return taken(rows, all.Zone) }); err != nil {
			return err
		}
	}
	_, err = s.tx.ExecContext(ctx, sqlSetShipped, int64(all.Upto.Segment), all.Upto.Offset, int64(last), instance)
	return err
}

// taken is what rows took of budgets that replicas share. A correction counts when it was made.
func taken(rows []ledger.Row, zone *time.Location) *budget.Taken {
	if zone == nil {
		zone = time.UTC
	}
	sums := budget.NewTaken(zone)
	for i := range rows {
		r := &rows[i]
		began := r.Started
		if r.Adjusts != 0 {
			began = r.Seq.Time()
		}
		sums.Add(r.Key, r.Team, began, budget.Amount{Money: r.Cost, Tokens: r.Usage.Input() + r.Usage.Output()})
	}
	return sums
}

// instance is the number of an instance. If less of its journal is here than it has heard, that is an error.
func (s *shipping) instance(ctx context.Context, name string, from ledger.Position) (number int64, err error) {
	var has ledger.Position
	err = s.tx.QueryRowContext(ctx, sqlInstance, name).Scan(&number, &has.Segment, &has.Offset)
	absent := errors.Is(err, sql.ErrNoRows)
	if err != nil && !absent {
		return 0, err
	}
	if has.Before(from) {
		return 0, &ledger.ForgotError{Upto: has}
	}
	if !absent {
		return number, nil
	}
	if fresh, err := s.names.begin(ctx); err != nil || fresh {
		if err != nil {
			return 0, err
		}
		return s.instance(ctx, name, from)
	}
	return s.addInstance(ctx, name)
}

// maxInstances is how many journals have a number, which is part of the ids of their rows.
const maxInstances = 1<<instanceBits - 1

var errNoNumber = fmt.Errorf("it has rows of %d journals, and no number for another before those of one are older than ledger.keep: give Weirs the data folders of those that they replace, or keep rows for less long", maxInstances)

// addInstance gives an instance a number. It is a new number while there are some.
func (s *shipping) addInstance(ctx context.Context, name string) (number int64, err error) {
	var all int64
	if err := s.tx.QueryRowContext(ctx, sqlCountInstances).Scan(&all); err != nil {
		return 0, err
	}
	if all < maxInstances {
		err = s.tx.QueryRowContext(ctx, sqlAddInstance, name).Scan(&number)
		return number, err
	}
	err = s.tx.QueryRowContext(ctx, sqlReplaceInstance, name).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoNumber
	}
	return number, err
}

// absent are the rows that are not in the store.
func (s *shipping) absent(ctx context.Context, rows []ledger.Row, instance int64) ([]ledger.Row, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	there, err := s.there(ctx, rows[0].Seq, rows[len(rows)-1].Seq, instance)
	if err != nil {
		return nil, err
	}
	var left []ledger.Row
	for _, r := range rows {
		if id := rowID(r.Seq, instance); !there[id] {
			left = append(left, r)
			there[id] = true // it may be in the shipment twice
		}
	}
	return left, nil
}

// there are the ids of an instance's rows between two.
func (s *shipping) there(ctx context.Context, first, last ledger.Seq, instance int64) (map[int64]bool, error) {
	found, err := s.tx.QueryContext(ctx, sqlRowsOf, rowID(first, instance), rowID(last, instance), instance)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	there := map[int64]bool{}
	for found.Next() {
		var id int64
		if err := found.Scan(&id); err != nil {
			return nil, err
		}
		there[id] = true
	}
	return there, found.Err()
}

// addRows writes rows, and returns what they add up to.
func (s *shipping) addRows(ctx context.Context, rows []ledger.Row, instance int64, in clock, times *timing) ([]added[cell], error) {
	args := make([]any, 0, len(rows)*max(len(rowsUpsert.Columns), columnCount+len(sumColumnsRaised)))
	packed := make([]byte, 0, len(rows)*usualFacts) // ids of requests and facts, one after the other
	cells := newAdding[cell](len(rows))
	known := map[namesOfRow]numberedNames{}
	for i := range rows {
		r := &rows[i]
		n, err := s.named(ctx, r, known)
		if err != nil {
			return nil, err
		}
		outcome, err := s.names.number(ctx, outcomeName, r.Outcome)
		if err != nil {
			return nil, err
		}
		price, err := s.price(ctx, r.Price, sql.NullString{})
		if err != nil {
			return nil, err
		}
		if !n.own {
			s.unnamed.Targets++
		}
		var request any
		request, packed = packRequest(packed, r.Request, s.odd)
		from := len(packed)
		packed = r.AppendFacts(packed, n.own)
		args = append(args, rowID(r.Seq, instance), n.key, n.team, n.model, n.target, outcome, price, int64(r.Flags), request, packed[from:len(packed):len(packed)])
		hour, day, minute := in.of(r.Seq)
		times.add(r, hour, day, n.numbers)
		sums := r.Sums()
		cells.add(cell{hour, day, n.numbers}, &sums, marks{flagged: int64(r.Flags), minuted: 1 << minute})
	}
	s.args = args
	return cells.lines, s.rows.Run(ctx, s.tx, args)
}

// usualFacts is about how many bytes a row's packed values have.
const usualFacts = 96

// namesOfRow are the names that have numbers.
type namesOfRow struct {
	key, team, model, provider, upstream string
	chosen                               bool
}

// numberedNames are their numbers.
type numberedNames struct {
	numbers
	own bool // false if the target is counted under other
}

// named are the numbers of a row's names.
func (s *shipping) named(ctx context.Context, r *ledger.Row, known map[namesOfRow]numberedNames) (n numberedNames, err error) {
	by := namesOfRow{r.Key, r.Team, r.Model, r.Provider, r.Upstream, r.Chosen}
	if n, ok := known[by]; ok {
		return n, nil
	}
	n.own = true
	for _, of := range [...]struct {
		to   *int64
		kind kind
		text string
	}{{&n.key, keyName, r.Key}, {&n.team, teamName, r.Team}, {&n.model, modelName, r.Model}} {
		if *of.to, err = s.names.number(ctx, of.kind, of.text); err != nil {
			return n, err
		}
	}
	target := targetText(r.Provider, r.Upstream)
	if r.Chosen {
		n.target, n.own, err = s.names.chosen(ctx, targetName, target)
	} else {
		n.target, err = s.names.number(ctx, targetName, target)
	}
	if err != nil {
		return n, err
	}
	known[by] = n
	return n, nil
}

// targetText is a target as a name. No provider's name has a slash.
func targetText(provider, upstream string) string { return provider + "/" + upstream }

func splitTarget(text string) (provider, upstream string) {
	provider, upstream, _ = strings.Cut(text, "/")
	return provider, upstream
}

// Shipped implements ledger.Store.
func (db *DB) Shipped(ctx context.Context, instance string) (upto ledger.Position, last ledger.Seq, err error) {
	var segment, greatest int64
	err = db.read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, sqlShipped, instance).Scan(&segment, &upto.Offset, &greatest)
	})
	if err != nil {
		return ledger.Position{}, 0, db.engine.Explain("read", err)
	}
	upto.Segment = uint64(segment)
	return upto, ledger.Seq(greatest), nil
}
