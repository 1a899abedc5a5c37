package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
)

// The channels of NOTIFY. What they say is found by looking, too, only later: everything works without them.
const (
	keysChannel   = "weir_keys"   // a key or team has changed
	wantedChannel = "weir_wanted" // a replica lacks some of a budget
)

const (
	sqlNotify  = `SELECT pg_notify($1, '')`
	sqlProcess = `SELECT pg_backend_pid()`
)

// notifyLimit is how long a notification may take.
const notifyLimit = time.Second

// notify wakes those that listen. It makes no difference whether it succeeds.
func (db *DB) notify(ctx context.Context, channel string) error {
	ctx, cancel := context.WithTimeout(ctx, notifyLimit)
	defer cancel()
	_, err := db.pool.ExecContext(ctx, sqlNotify, channel)
	return err
}

// keysChanged is called after each change of keys and teams.
func (db *DB) keysChanged(ctx context.Context) {
	if db.notifies.Load() {
		_ = db.notify(ctx, keysChannel) // others look anyway
	}
}

// Heard is called when the database says that there is something to look at. Neither may wait.
type Heard struct{ Keys, Wanted func() }

// relisten is how long after a failure the next connection is made.
const relisten = 5 * time.Second

// Listen hears what others do, over a connection of its own, until ctx ends. Where the database has no NOTIFY, or a pooler is in between that gives
// connections away, it returns at once: there it would hear nothing.
func Listen(ctx context.Context, db *DB, heard Heard, log *slog.Logger) {
	if !db.listens || !db.notifies.Load() {
		log.Debug("changes of keys by others are looked for, since the database does not report them")
		return
	}
	for ctx.Err() == nil {
		pooled, err := db.listen(ctx, heard)
		if pooled {
			log.Debug("changes of keys by others are looked for, since a pooler is in front of the database")
			return
		}
		if ctx.Err() == nil {
			log.Debug("the database cannot be listened to: Weir keeps trying, and looks for changes meanwhile", "reason", err.Error())
		}
		timer := time.NewTimer(relisten)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
}

// listen makes a connection and listens to it until that fails.
func (db *DB) listen(ctx context.Context, heard Heard) (pooled bool, err error) {
	connecting, cancel := context.WithTimeout(ctx, connects)
	defer cancel()
	conn, err := pgx.ConnectConfig(connecting, db.config.Copy())
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // it is given up
	var process uint32
	if err := conn.QueryRow(connecting, sqlProcess).Scan(&process); err != nil {
		return false, err
	}
	if process != conn.PgConn().PID() {
		return true, nil // what answers is not what was connected to
	}
	for _, channel := range []string{keysChannel, wantedChannel} {
		if _, err := conn.Exec(connecting, fmt.Sprintf("LISTEN %s", channel)); err != nil {
			return false, err
		}
	}
	heard.Keys() // of what was said before
	heard.Wanted()
	for {
		said, err := conn.WaitForNotification(ctx)
		if err != nil {
			return false, err
		}
		switch said.Channel {
		case keysChannel:
			heard.Keys()
		case wantedChannel:
			heard.Wanted()
		}
	}
}
