package postgres

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// place is where a database is, without who connects.
type place struct{ text string }

func placeOf(c *pgx.ConnConfig) place {
	if strings.HasPrefix(c.Host, "/") {
		return place{fmt.Sprintf("postgres:///%s?host=%s", c.Database, c.Host)}
	}
	return place{fmt.Sprintf("postgres://%s/%s", net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))), c.Database)}
}

// What the database's codes of errors mean for who runs Weir.
var advice = map[string]string{
	"28P01": "the password is wrong: check store: in the config",
	"28000": "it does not let this user in: check store: in the config, and pg_hba.conf of the database",
	"3D000": "there is no such database: create it, or check store: in the config",
	"42P01": "it has no tables of this Weir yet: weir migrate makes them, and so does weir serve",
	"42501": "this user may not do that: it needs to create and write tables in its schema",
	"53300": "it has no connections left: raise its max_connections, or lower pool= of store:",
	"53100": "its disk is full",
	"25006": "it is read-only, as a standby is: have store: name the primary",
	"57P03": "it is starting or stopping",
	"57014": "a statement took too long",
}

// explain says which database an error is about and, where that is known, what to do. No error has the password: pgx shows the user, the
// host and the database, and what the server said.
func (p place) explain(verb string, err error) error {
	hint := ""
	var failure *pgconn.PgError
	var unreachable *pgconn.ConnectError
	switch {
	case errors.As(err, &failure):
		hint = advice[failure.Code]
	case errors.As(err, &unreachable):
		hint = "it cannot be reached: check store: in the config, and whether it runs"
	}
	if hint != "" {
		hint = " (" + hint + ")"
	}
	return fmt.Errorf("cannot %s the store %s%s: %w", verb, p.text, hint, err)
}

const (
	codeSerialization = "40001"
	codeDeadlock      = "40P01"
	codeTableExists   = "42P07"
	codeTypeExists    = "42710" // a table has a type of its name
	codeNotUnique     = "23505"
)

// undone is for transactions that cannot go on beside others: they were rolled back as a whole.
func undone(err error) bool {
	var failure *pgconn.PgError
	return errors.As(err, &failure) && (failure.Code == codeSerialization || failure.Code == codeDeadlock)
}

// isDuplicate is for a row that is there already.
func isDuplicate(err error) bool {
	var failure *pgconn.PgError
	return errors.As(err, &failure) && failure.Code == codeNotUnique
}
