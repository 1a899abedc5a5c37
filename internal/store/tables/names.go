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
	sqlNamesAfter = `SELECT id, kind, text FROM names WHERE id > $1 ORDER BY id`

	sqlAddName = `INSERT INTO names (id, kind, text) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM names), $1, $2) RETURNING id`
)

// name is what has a number.
type name struct {
	kind kind
	text string
}

// names are the numbers of names as this process knows them. They never change, so those that it has are right.
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

// refresh reads the names that are new since.
func (n *names) refresh(ctx context.Context, from querier) error {
	n.mu.RLock()
	last := n.last
	n.mu.RUnlock()
	rows, err := from.QueryContext(ctx, sqlNamesAfter, last)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var named name
		if err := rows.Scan(&id, &named.kind, &named.text); err != nil {
			return err
		}
		n.add(id, named)
	}
	return rows.Err()
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
	return &naming{known: &db.names, tx: tx, lock: db.engine.LockNumbers, added: map[name]int64{}, more: map[kind]int{}}, db.names.refresh(ctx, tx)
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
	return true, n.known.refresh(ctx, n.tx) // nothing of this transaction is among them yet
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
