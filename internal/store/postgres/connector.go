package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// connector makes connections whose transactions have a time limit in the database, too.
type connector struct {
	driver.Connector
	heard    *heard
	settings string // of transactions, if the database has them
}

// heard is what is known of the database.
type heard struct {
	closed atomic.Bool // no connection is made: it is not known yet whether the schema is as it should be
	plans  atomic.Bool // it has the settings of asReports
}

// errClosed is the error of statements before Begin.
var errClosed = errors.New("it has not been reached since the start")

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if c.heard.closed.Load() {
		return nil, errClosed
	}
	made, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{made.(*stdlib.Conn), c}, nil // which it always is
}

type connection struct {
	*stdlib.Conn
	of connector
}

// asReports are settings of the planner for reports, which read parts of large tables by their primary keys. It takes the times of a span for far more than
// they are, and would read a whole table for them. To compile a statement, or to have another process help with it, takes longer than to run it.
const asReports = "; SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL random_page_cost = 1.1; SET LOCAL work_mem = '32MB'"

// grace is how much later than here a statement ends in the database, so that the error is that of the context.
const grace = time.Second

// BeginTx implements driver.ConnBeginTx. The limits are settings of this transaction alone: a statement ends when the context does, and so
// does a transaction whose process is gone, with the locks that it holds. All goes to the database at once.
func (c *connection) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	conn := c.Conn.Conn()
	if conn.IsClosed() {
		return nil, driver.ErrBadConn
	}
	begin := "BEGIN"
	if sql.IsolationLevel(o.Isolation) == sql.LevelRepeatableRead {
		begin += " ISOLATION LEVEL REPEATABLE READ"
	}
	if o.ReadOnly {
		begin += " READ ONLY"
	}
	if end, limited := ctx.Deadline(); limited {
		left := max(time.Until(end)+grace, grace).Milliseconds()
		begin += fmt.Sprintf("; SET LOCAL statement_timeout = %d; SET LOCAL idle_in_transaction_session_timeout = %[1]d", left)
	}
	if c.of.heard.plans.Load() {
		begin += c.of.settings
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
	if err != nil && pgconn.SafeToRetry(err) {
		return nil, driver.ErrBadConn
	}
	if err != nil {
		return nil, err
	}
	return transaction{ctx, tx}, nil
}

// transaction ends with the context that it began with, as database/sql has it.
type transaction struct {
	ctx context.Context
	tx  pgx.Tx
}

func (t transaction) Commit() error { return t.tx.Commit(t.ctx) }

func (t transaction) Rollback() error {
	err := t.tx.Rollback(t.ctx)
	if t.ctx.Err() != nil && errors.Is(err, t.ctx.Err()) {
		return nil // the connection was closed, which undoes the transaction
	}
	return err
}
