package sqlite

import (
	"context"
	"database/sql"
	"encoding/base32"
	"errors"
	"strings"
	"sync"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
)

var _ ledger.Store = (*DB)(nil)

const (
	sqlInstance = `SELECT number FROM shipped WHERE instance = ?`

	sqlShipped = `SELECT coalesce(max(segment) FILTER (WHERE instance = ?1), 0), coalesce(max(offset) FILTER (WHERE instance = ?1), 0), coalesce(max(last), 0)
		FROM shipped`

	sqlAddInstance = `INSERT INTO shipped (instance, segment, offset, last) VALUES (?, 0, 0, 0) RETURNING number`

	sqlSetShipped = `UPDATE shipped SET segment = ?, offset = ?, last = max(last, ?) WHERE number = ?`

	sqlAddPrice = `
		INSERT INTO prices (hash, rates) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET rates = coalesce(rates, excluded.rates) RETURNING id`

	sqlHasRow = `SELECT 1 FROM attempts WHERE id = ?`

	sqlAddRows     = `INSERT INTO attempts (id, key, team, model, target, outcome, price, flags, request, facts) VALUES `
	rowColumnCount = 10

	sumColumns = `requests, attempts, input, cache_read, cache_write, output, reasoning, cost, orphaned, estimated, in_doubt`

	sumCount = 11

	// Sums stop at ledger.MaxSum.
	raiseSums = ` DO UPDATE SET
		requests = requests + excluded.requests, attempts = attempts + excluded.attempts,
		input = min(input + excluded.input, 9007199254740992), cache_read = min(cache_read + excluded.cache_read, 9007199254740992),
		cache_write = min(cache_write + excluded.cache_write, 9007199254740992), output = min(output + excluded.output, 9007199254740992),
		reasoning = min(reasoning + excluded.reasoning, 9007199254740992), cost = min(cost + excluded.cost, 9007199254740992),
		orphaned = orphaned + excluded.orphaned, estimated = estimated + excluded.estimated, in_doubt = in_doubt + excluded.in_doubt`

	tagColumns     = ` (at, key, tag, ` + sumColumns + `) VALUES `
	raiseTag       = ` ON CONFLICT (at, key, tag)` + raiseSums
	tagColumnCount = 3 + sumCount

	tagDayColumns     = ` (at, tag, ` + sumColumns + `) VALUES `
	raiseTagDay       = ` ON CONFLICT (at, tag)` + raiseSums
	tagDayColumnCount = 2 + sumCount

	sqlHasTag = `SELECT 1 FROM tagdays WHERE at = ? AND key = ? AND tag = ?`

	sqlTagLines = `SELECT lines FROM taglines WHERE at = ? AND key = ?`

	sqlSetTagLines = `INSERT INTO taglines (at, key, lines) VALUES (?, ?, ?) ON CONFLICT (at, key) DO UPDATE SET lines = excluded.lines`
)

// maxTagLines is how many tags of a key have a line of their own on a day. The rest is summed in one line.
const maxTagLines = 1000

// instanceBits is the room in a row's id for the number of its instance.
const instanceBits = 10

func rowID(seq ledger.Seq, instance int64) int64 { return int64(seq)<<instanceBits | instance }

// shippingStatements are those that every shipment needs.
type shippingStatements struct {
	rows, tags, tagDays        *bulk
	sums                       map[string]*bulk // by the table's name
	hasTag, countTags, setTags *sql.Stmt
}

func (db *DB) prepareShipping(ctx context.Context) (_ *shippingStatements, err error) {
	s := &shippingStatements{sums: map[string]*bulk{}}
	for _, b := range []struct {
		to         **bulk
		head, tail string
		columns    int
	}{
		{&s.rows, sqlAddRows, "", rowColumnCount},
		{&s.tags, `INSERT INTO tagdays` + tagColumns, raiseTag, tagColumnCount},
		{&s.tagDays, `INSERT INTO tag_days` + tagDayColumns, raiseTagDay, tagDayColumnCount},
	} {
		if *b.to, err = prepareBulk(ctx, db.writer, b.head, b.columns, b.tail); err != nil {
			return nil, err
		}
	}
	for i := range sumsTables {
		t := &sumsTables[i]
		if s.sums[t.name], err = prepareBulk(ctx, db.writer, t.head(), t.width(), t.tail()); err != nil {
			return nil, err
		}
	}
	for to, text := range map[**sql.Stmt]string{&s.hasTag: sqlHasTag, &s.countTags: sqlTagLines, &s.setTags: sqlSetTagLines} {
		if *to, err = db.writer.PrepareContext(ctx, text); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// shipper is what shipping keeps between shipments.
type shipper struct {
	mu         sync.Mutex
	statements *shippingStatements // nil before the first
	unnamed    ledger.Unnamed
	tags       tagsSeen
}

func (s *shipper) count(more ledger.Unnamed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unnamed.Tags += more.Tags
	s.unnamed.Targets += more.Targets
}

// Unnamed implements ledger.Bounded.
func (db *DB) Unnamed() ledger.Unnamed {
	db.shipper.mu.Lock()
	defer db.shipper.mu.Unlock()
	return db.shipper.unnamed
}

func (db *DB) shippingStatements(ctx context.Context) (*shippingStatements, error) {
	db.shipper.mu.Lock()
	defer db.shipper.mu.Unlock()
	if db.shipper.statements != nil {
		return db.shipper.statements, nil
	}
	s, err := db.prepareShipping(ctx)
	if err == nil {
		db.shipper.statements = s
	}
	return s, err
}

// Ship implements ledger.Store. Nearly always all rows are new, so they are looked up only if one turns out to be there.
func (db *DB) Ship(ctx context.Context, s *ledger.Shipment) error {
	statements, err := db.shippingStatements(ctx)
	if err != nil {
		return db.explain("write", err)
	}
	for _, careful := range []bool{false, true} {
		var on *shipping
		err = db.write(ctx, func(tx *sql.Tx) error {
			// The transaction ends with ctx. Its statements need not watch it, too: that takes a goroutine for each.
			ctx := context.WithoutCancel(ctx)
			n, err := db.naming(ctx, tx)
			if err != nil {
				return err
			}
			on = &shipping{shippingStatements: statements, names: n, seen: &db.shipper.tags, tx: tx, prices: map[money.ID]int64{}}
			return on.ship(ctx, s, careful)
		})
		if err == nil {
			on.names.committed()
			on.seen.add(on.tagLines)
			db.shipper.count(on.unnamed)
			return nil
		}
		if !isDuplicate(err) {
			break
		}
	}
	return db.explain("write", err)
}

func isDuplicate(err error) bool {
	var failure *driver.Error
	return errors.As(err, &failure) && failure.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
}

// shipping is one shipment on its way.
type shipping struct {
	*shippingStatements
	names    *naming
	seen     *tagsSeen
	tx       *sql.Tx
	prices   map[money.ID]int64
	tagLines []tagLine // that it wrote
	unnamed  ledger.Unnamed
	args     []any // of the last statements, for room
}

func (s *shipping) ship(ctx context.Context, all *ledger.Shipment, careful bool) error {
	instance, err := s.instance(ctx, all.Instance)
	if err != nil {
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
	cells, err := s.addRows(ctx, rows, instance, clock{zones: zones})
	if err != nil {
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
	_, err = s.tx.ExecContext(ctx, sqlSetShipped, int64(all.Upto.Segment), all.Upto.Offset, int64(last), instance)
	return err
}

func (s *shipping) instance(ctx context.Context, name string) (number int64, err error) {
	err = s.tx.QueryRowContext(ctx, sqlInstance, name).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		err = s.tx.QueryRowContext(ctx, sqlAddInstance, name).Scan(&number)
	}
	return number, err
}

func (s *shipping) addPrices(ctx context.Context, prices []ledger.PricedAs) error {
	for _, p := range prices {
		var id int64
		if err := s.tx.QueryRowContext(ctx, sqlAddPrice, int64(p.ID), string(p.JSON)).Scan(&id); err != nil {
			return err
		}
		s.prices[p.ID] = id
	}
	return nil
}

// price is the number of a price. One that was not told gets its text when it is.
func (s *shipping) price(ctx context.Context, of money.ID) (id int64, err error) {
	if of == 0 {
		return 0, nil
	}
	if id, known := s.prices[of]; known {
		return id, nil
	}
	if err := s.tx.QueryRowContext(ctx, sqlAddPrice, int64(of), nil).Scan(&id); err != nil {
		return 0, err
	}
	s.prices[of] = id
	return id, nil
}

// absent are the rows that are not in the store.
func (s *shipping) absent(ctx context.Context, rows []ledger.Row, instance int64) ([]ledger.Row, error) {
	var left []ledger.Row
	seen := map[ledger.Seq]bool{}
	for _, r := range rows {
		var found int
		err := s.tx.QueryRowContext(ctx, sqlHasRow, rowID(r.Seq, instance)).Scan(&found)
		switch {
		case errors.Is(err, sql.ErrNoRows) && !seen[r.Seq]:
			left = append(left, r)
			seen[r.Seq] = true
		case err != nil && !errors.Is(err, sql.ErrNoRows):
			return nil, err
		}
	}
	return left, nil
}

// addRows writes rows, and returns what they add up to.
func (s *shipping) addRows(ctx context.Context, rows []ledger.Row, instance int64, in clock) ([]added[cell], error) {
	args := make([]any, 0, len(rows)*max(rowColumnCount, columnCount+sumCount))
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
		price, err := s.price(ctx, r.Price)
		if err != nil {
			return nil, err
		}
		if !n.own {
			s.unnamed.Targets++
		}
		var request any
		request, packed = packRequest(packed, r.Request)
		from := len(packed)
		packed = r.AppendFacts(packed, n.own)
		args = append(args, rowID(r.Seq, instance), n.key, n.team, n.model, n.target, outcome, price, int64(r.Flags), request, packed[from:len(packed):len(packed)])
		hour, day, minute := in.of(r.Seq)
		sums := r.Sums()
		cells.add(cell{hour, day, n.numbers}, &sums, marks{flagged: int64(r.Flags), minuted: 1 << minute})
	}
	s.args = args
	return cells.lines, s.rows.run(ctx, s.tx, args)
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
	if err := db.readers.QueryRowContext(ctx, sqlShipped, instance).Scan(&segment, &upto.Offset, &greatest); err != nil {
		return ledger.Position{}, 0, db.explain("read", err)
	}
	upto.Segment = uint64(segment)
	return upto, ledger.Seq(greatest), nil
}

// requestIDs is how the gateway spells the ids of requests.
var requestIDs = base32.HexEncoding.WithPadding(base32.NoPadding)

// packRequest is the id of a request as the table holds it: the 16 bytes that it spells, which are appended to b, or the text if it is another.
func packRequest(b []byte, id string) (any, []byte) {
	from := len(b)
	longer, err := requestIDs.AppendDecode(b, []byte(id))
	if err != nil || len(id) != requestIDs.EncodedLen(16) || len(longer) != from+16 || requestIDs.EncodeToString(longer[from:]) != id {
		return id, b
	}
	return longer[from:len(longer):len(longer)], longer
}
