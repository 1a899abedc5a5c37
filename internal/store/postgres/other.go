package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/weirproxy/weir/internal/secret"
)

// adviceOnOther is what the database's codes of errors mean for who reads another program's database.
var adviceOnOther = map[string]string{
	"28P01": "the password is wrong: check the URL",
	"28000": "it does not let this user in: check the URL, and pg_hba.conf of the database",
	"3D000": "there is no such database: check the URL",
	"42P01": "it lacks a table: check that the URL names the right database, and its schema with ?schema=NAME",
	"42703": "it lacks a column: it is of another version",
	"42501": "this user may not read it: grant it SELECT on the tables, and USAGE on their schema",
	"3F000": "there is no such schema: check ?schema= in the URL",
	"53300": "it has no connections left: try again later",
	"57P03": "it is starting or stopping: try again later",
	"57014": "a statement took too long: try again when the database is less busy",
}

// notOurs are parameters that other programs put into URLs, and that are no settings of a connection.
var notOurs = []string{"connection_limit", "pool_timeout", "pgbouncer", "socket_timeout", "statement_cache_size", "sslaccept", "sslidentity", "sslpassword", "max_idle_connection_lifetime", "connect_timeout"}

// ReadOther calls read with a transaction in the database of another program, all of which is as it was at one moment, and which cannot write. An
// error says what to do where that is known. It has no password.
func ReadOther(ctx context.Context, at secret.Text, read func(ctx context.Context, tx *sql.Tx) error) (err error) {
	config, err := otherConfig(at)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	pool := sql.OpenDB(stdlib.GetConnector(*config))
	defer func() { err = errors.Join(err, pool.Close()) }()
	where := placeOf(config)
	tx, err := pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return where.explainOther(err)
	}
	defer func() { _ = tx.Rollback() }() // it has written nothing
	if err := read(ctx, tx); err != nil {
		return where.explainOther(err)
	}
	return nil
}

// otherConfig reads the URL of another program's database, which may name a schema as Prisma does.
func otherConfig(at secret.Text) (*pgx.ConnConfig, error) {
	parsed, err := url.Parse(at.Reveal())
	if err != nil || parsed.Scheme != "postgres" && parsed.Scheme != "postgresql" {
		return nil, errors.New("it is not the URL of a Postgres database, such as postgres://user:password@host:5432/database") // the cause may show the password
	}
	query := parsed.Query()
	schema := query.Get("schema")
	for _, name := range append(notOurs, "schema") {
		query.Del(name)
	}
	parsed.RawQuery = query.Encode()
	config, err := pgx.ParseConfig(parsed.String())
	if err != nil {
		return nil, errors.New("it is not the URL of a Postgres database, or a file that it names cannot be read")
	}
	config.ConnectTimeout = connects
	config.DefaultQueryExecMode = pgx.QueryExecModeExec // it may be behind a pool
	config.StatementCacheCapacity, config.DescriptionCacheCapacity = 0, 0
	if schema != "" {
		config.RuntimeParams["search_path"] = `"` + strings.ReplaceAll(schema, `"`, `""`) + `"`
	}
	return config, nil
}

// explainOther says which database an error is about and, where that is known, what to do.
func (p place) explainOther(err error) error {
	hint := ""
	var failure *pgconn.PgError
	var unreachable *pgconn.ConnectError
	switch {
	case errors.As(err, &failure):
		hint = adviceOnOther[failure.Code]
	case errors.As(err, &unreachable):
		hint = "it cannot be reached: check the URL, and whether it runs"
	}
	if hint != "" {
		hint = " (" + hint + ")"
	}
	return fmt.Errorf("cannot read the database %s%s: %w", p.text, hint, err)
}
