package tables

import (
	"context"
	"database/sql"
	"strings"
	"sync"
	"unicode/utf8"
)

// kind is what a name is the name of. Its numbers are in the file.
type kind int64

const (
	keyName kind = iota + 1
	teamName
	modelName
	targetName // provider/upstream's model
	outcomeName
)

// maxNames is up to how many targets one that a caller chose, where the config has a pattern, gets a number of its own. What is beyond is counted
// under other. What the operator names always gets a number, however many there are.
const maxNames = 10_000

const other = "other"

const (
	sqlNamesAfter = `SELECT id, kind, text FROM names WHERE id > $1`

	sqlAddName = `INSERT INTO names (id, kind, text) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM names), $1, $2) RETURNING id`
)

// name is what has a number.
type name struct {
	kind kind
	text string
}

// names are the numbers of names as this process knows them. They never change, unless the database forgets its last commits when it fails over.
type names struct {
	most    int // up to how many targets those that callers chose are among them
	mu      sync.RWMutex
	numbers map[name]int64
	texts   map[int64]string
	count   map[kind]int
	last    int64
}

// querier is a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// overlap is how many of the last numbers are read again, in case the database has forgotten them: far more than are given in the second that a
// copy of it lacks.
const overlap = 64

// refresh reads the names that are new since. If a number is not what it was, all are read again.
func (n *names) refresh(ctx context.Context, from querier) error {
	return n.read(ctx, from, func(missing, other bool) bool { return other })
}

// recheck is refresh for a transaction that sees every commit before it: a number that is not there any more was forgotten.
func (n *names) recheck(ctx context.Context, from querier) error {
	return n.read(ctx, from, func(missing, other bool) bool { return missing || other })
}

func (n *names) read(ctx context.Context, from querier, forgotten func(missing, other bool) bool) error {
	n.mu.RLock()
	last := n.last
	n.mu.RUnlock()
	found, err := namesAfter(ctx, from, last-overlap)
	if err != nil {
		return err
	}
	if forgotten(n.compare(found, last)) {
		if found, err = namesAfter(ctx, from, 0); err != nil {
			return err
		}
		n.forget()
	}
	for id, named := range found {
		n.add(id, named)
	}
	return nil
}

func namesAfter(ctx context.Context, from querier, last int64) (map[int64]name, error) {
	rows, err := from.QueryContext(ctx, sqlNamesAfter, last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[int64]name{}
	for rows.Next() {
		var id int64
		var named name
		if err := rows.Scan(&id, &named.kind, &named.text); err != nil {
			return nil, err
		}
		found[id] = named
	}
	return found, rows.Err()
}

// compare says whether the last numbers up to one are missing among those that were found, or are those of other names.
func (n *names) compare(found map[int64]name, last int64) (missing, other bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	for id := max(last-overlap, 0) + 1; id <= last; id++ {
		named, there := found[id]
		missing = missing || !there
		other = other || there && n.numbers[named] != id
	}
	return missing, other
}

// forget forgets all names.
func (n *names) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.numbers, n.texts, n.count, n.last = nil, nil, nil, 0
}

func (n *names) add(id int64, named name) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, known := n.texts[id]; known {
		return
	}
	if n.numbers == nil {
		n.numbers, n.texts, n.count = map[name]int64{}, map[int64]string{}, map[kind]int{}
	}
	n.numbers[named], n.texts[id], n.last = id, named.text, max(n.last, id)
	n.count[named.kind]++
}

// number is that of a name: 0 for "" and for a name without one.
func (n *names) number(of kind, text string) (id int64, known bool) {
	if text == "" {
		return 0, true
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	id, known = n.numbers[name{of, text}]
	return id, known
}

// text is the name with a number, "" for 0.
func (n *names) text(id int64) string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.texts[id]
}

// full says whether no further name of a kind gets a number if a caller chose it.
func (n *names) full(of kind, more int) bool {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.count[of]+more >= n.most
}

// naming gives numbers to names within a transaction. What it adds is known to others once the transaction is committed.
type naming struct {
	known  *names
	tx     *sql.Tx
	lock   string // the statement before which no other process numbers anything, "" for none
	locked bool
	added  map[name]int64
	more   map[kind]int
}

func (db *DB) naming(ctx context.Context, tx *sql.Tx) (*naming, error) {
	return &naming{known: &db.names, tx: tx, lock: db.engine.LockNumbers, added: map[name]int64{}, more: map[kind]int{}}, db.names.recheck(ctx, tx)
}

// begin has this transaction be the only one that numbers anything, until it ends. So numbers become visible in their order. It reports
// whether that is new, and what was known before may have become more.
func (n *naming) begin(ctx context.Context) (fresh bool, err error) {
	if n.locked {
		return false, nil
	}
	n.locked = true
	if n.lock == "" {
		return false, nil
	}
	if _, err := n.tx.ExecContext(ctx, n.lock); err != nil {
		return false, err
	}
	return true, n.known.recheck(ctx, n.tx) // nothing of this transaction is among them yet
}

// chosen is the number of a name that a caller chose. own is false if the name is counted under other.
func (n *naming) chosen(ctx context.Context, of kind, text string) (id int64, own bool, err error) {
	text = storable(text)
	_, known := n.known.number(of, text)
	_, added := n.added[name{of, text}]
	rest := otherOf(of, text)
	if known || added || text == rest || !n.known.full(of, n.more[of]) {
		id, err := n.number(ctx, of, text)
		return id, true, err
	}
	id, err = n.number(ctx, of, rest)
	return id, false, err
}

// number is that of a name, a new one if it has none.
func (n *naming) number(ctx context.Context, of kind, text string) (id int64, err error) {
	text = storable(text)
	if id, known := n.known.number(of, text); known {
		return id, nil
	}
	if id, known := n.added[name{of, text}]; known {
		return id, nil
	}
	if fresh, err := n.begin(ctx); err != nil || fresh {
		if err != nil {
			return 0, err
		}
		return n.number(ctx, of, text)
	}
	if err := n.tx.QueryRowContext(ctx, sqlAddName, int64(of), text).Scan(&id); err != nil {
		return 0, err
	}
	n.added[name{of, text}] = id
	n.more[of]++
	return id, nil
}

// storable is a text as every database takes it: callers choose names and tags, and Postgres refuses what is no UTF-8, and zeros.
func storable(text string) string {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// otherOf is the name under which what has no number is counted: of a target, the provider stays.
func otherOf(of kind, text string) string {
	if of != targetName {
		return other
	}
	provider, _ := splitTarget(text)
	return targetText(provider, other)
}

// committed makes known what was added.
func (n *naming) committed() {
	for named, id := range n.added {
		n.known.add(id, named)
	}
}
