package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/pgtest"
	"github.com/weirproxy/weir/internal/store/postgres"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// console is the name of the part that measures what the pages of the console ask of a large ledger.
const console = "console"

// reading says how much of it is measured.
type reading struct {
	rows   int
	runs   int           // of each question
	most   time.Duration // that the runs of one question take
	rounds int           // of the gateway beside readers: so few that their allowance lasts
	later  int           // of the gateway beside those who have gone on asking
	time   time.Duration // of half a round
	ramp   time.Duration // within which all of them begin
	tabs   int           // readers
	going  time.Duration // they go on so long, until they get less
}

// read are the results.
type read struct {
	Load   string        `json:"load"` // of the machine before, as the system shows it
	Stores []readOfStore `json:"stores"`
}

// readOfStore are those of one kind of store.
type readOfStore struct {
	Store  string     `json:"store"`
	Filled filled     `json:"filled"`
	Pages  []pageTime `json:"pages"`
	Beside []beside   `json:"beside"`
	Later  []beside   `json:"later"` // beside readers who have gone on asking
}

// console runs the part of this name. Without Postgres it measures SQLite alone, and says so.
func (b *bench) console(ctx context.Context) error {
	return b.read(ctx, &reading{rows: 10_000_000, runs: 100, most: 2 * time.Second, rounds: 3, later: 7, time: 12 * time.Second, ramp: 10 * time.Second, tabs: 200, going: 150 * time.Second})
}

func (b *bench) read(ctx context.Context, how *reading) error {
	b.mode = b.modes[len(b.modes)-1] // a Weir and its database have all processors
	b.done.Read = &read{Load: machineLoad()}
	err := b.bound(func() error {
		if err := b.readSQLite(ctx, how); err != nil {
			return err
		}
		return b.readPostgres(ctx, how)
	})
	if len(b.done.Read.Stores) == 0 {
		b.done.Read = nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", console, err)
	}
	return nil
}

func (b *bench) readSQLite(ctx context.Context, how *reading) error {
	path, f, err := b.fillSQLite(ctx, how.rows)
	if err != nil {
		return err
	}
	return errors.Join(b.readStore(ctx, how, "SQLite", "sqlite:"+path, f), b.emptied(path))
}

// fillSQLite fills a file, or finds the one that is kept.
func (b *bench) fillSQLite(ctx context.Context, rows int) (path string, f *filled, err error) {
	path = filepath.Join(b.folder, "console.db")
	if b.kept != "" {
		path = filepath.Join(b.kept, "console.db")
	}
	db, err := sqlite.Open(ctx, path)
	if err != nil {
		return "", nil, err
	}
	f, err = fill(ctx, db, rows)
	if err := errors.Join(err, db.Close()); err != nil {
		return "", nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", nil, err
	}
	f.Size = info.Size()
	return path, f, nil
}

// emptied removes a file that is not kept: its room is needed.
func (b *bench) emptied(path string) error {
	if b.kept != "" {
		return nil
	}
	return os.Remove(path)
}

func (b *bench) readPostgres(ctx context.Context, how *reading) (err error) {
	var server pgtest.Server
	defer server.Stop()
	url := b.database
	if url == "" {
		if url, err = server.New(); err != nil {
			fmt.Fprintf(os.Stderr, "the part %q is of SQLite alone: no Postgres: %v\n", console, err)
			return nil
		}
	}
	db, err := postgres.Open(ctx, postgres.Options{URL: secret.New(url), Pool: 10})
	if err != nil {
		return err
	}
	f, err := fill(ctx, db, how.rows)
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	if f.Size, err = sizeOf(ctx, url); err != nil {
		return err
	}
	return b.readStore(ctx, how, "Postgres", url, f)
}

// readStore has a Weir serve a store, and asks it; then another one, whose gateway is beside readers.
func (b *bench) readStore(ctx context.Context, how *reading, kind, store string, f *filled) error {
	done := readOfStore{Store: kind, Filled: *f}
	for _, part := range []struct {
		env     string
		measure func(*running, *desk) error
	}{
		// A Weir with many processors makes reports without rests. It has no more of them for that.
		{"GOMAXPROCS=64", func(_ *running, d *desk) (err error) {
			done.Pages, err = d.measure(ctx, how)
			return err
		}},
		{"WEIR_LOG=info", func(r *running, d *desk) (err error) {
			done.Beside, done.Later, err = b.besideReaders(ctx, how, r, d)
			return err
		}},
	} {
		r, d, err := b.startAt(store, b.weirConfig, part.env)
		if err != nil {
			return err
		}
		d.end = f.End
		err = part.measure(r, d)
		r.stop()
		if err != nil {
			return err
		}
	}
	b.done.Read.Stores = append(b.done.Read.Stores, done)
	return nil
}

// startAt starts a Weir that has a store.
func (b *bench) startAt(store string, text func(addr, admin, folder string) string, env string) (*running, *desk, error) {
	admin := ""
	r, err := b.start(&candidate{name: console, gateway: true, ready: "/readyz", command: func(b *bench, addr, folder, _ string) (cmd *exec.Cmd, err error) {
		if admin, err = freeAddr(); err != nil {
			return nil, err
		}
		path := filepath.Join(b.folder, "weir")
		config, err := b.configuredWith(path, text(addr, admin, folder)+"store: \""+store+"\"\n", folder)
		if err != nil {
			return nil, err
		}
		cmd = exec.Command(path, "serve", "--config", config)
		cmd.Env = append(os.Environ(), "WEIR_LOG_FORMAT=json", "WEIR_LOG=info", env)
		return cmd, nil
	}})
	if err != nil {
		return nil, nil, err
	}
	token, err := os.ReadFile(filepath.Join(filepath.Dir(r.log.Name()), "data", "admin.token"))
	if err != nil {
		r.stop()
		return nil, nil, err
	}
	return r, &desk{base: "http://" + admin, token: strings.TrimSpace(string(token))}, nil
}

// sizeOf is how large a Postgres database is, in bytes.
func sizeOf(ctx context.Context, url string) (size int64, err error) {
	db, err := sql.Open("pgx", url)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return size, db.QueryRowContext(ctx, "SELECT pg_database_size(current_database())").Scan(&size)
}
