package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/config"
)

type backupCmd struct {
	adminFlags
	File string `arg:"" placeholder:"FILE" help:"The file to write. It must not exist yet."`
}

func (backupCmd) Help() string {
	return `Copies the store into one file, while Weir serves: keys, teams, stored responses and the ledger, with every call that ended before the command.
The running Weir is asked over its admin API, so it may be on another machine. If none uses the data folder and no --admin is given, the
command reads the store itself. Calls that still run have no row in the copy. The config and the admin token are not in it.

A Weir starts on the copy: put it as weir.db into a new data folder.

Examples:
  weir backup weir-backup.db
  mkdir -m 700 restored && cp weir-backup.db restored/weir.db && WEIR_DATA=restored weir serve`
}

// Run writes the copy beside its place and moves it there when it is whole.
func (c backupCmd) Run(ctx context.Context, sys *system) error {
	if err := newFile(c.File).check(); err != nil {
		return &exitError{2, err}
	}
	source, err := c.source(sys)
	if err != nil {
		return err
	}
	ctx, cancel := sys.interruptible(ctx)
	defer cancel()
	size, err := newFile(c.File).write(func(w io.Writer) (int64, error) { return source(ctx, w) })
	if err != nil {
		if ctx.Err() != nil {
			err = errors.New("it was interrupted, and wrote nothing")
		}
		return usage(err)
	}
	_, err = fmt.Fprintf(sys.stdout, "%s has the store, %d bytes. To restore it, put it as weir.db into a new data folder, and start Weir there.\n", c.File, size)
	return err
}

// A copying writes a copy of a store and returns its size.
type copying func(ctx context.Context, w io.Writer) (int64, error)

// source is the Weir that is running, or the store itself if none is.
func (c backupCmd) source(sys *system) (copying, error) {
	named, _ := sys.env("WEIR_ADMIN")
	if c.Admin == "" && named == "" {
		loader := configLoader(sys)
		loader.Only = []string{"admin", "data", "store", "journal", "durability", "timezone"}
		cfg, err := loadConfig(loader, c.Config, sys)
		if err != nil {
			return nil, err
		}
		running, err := app.InUse(cfg.Data)
		if err != nil {
			return nil, fmt.Errorf("cannot see whether a Weir uses the data folder %s: run this as the user that runs Weir, or give --admin (%w)", cfg.Data, err)
		}
		if !running {
			return func(ctx context.Context, w io.Writer) (int64, error) { return copyStore(ctx, sys, cfg, w) }, nil
		}
	}
	client, err := c.client(sys)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, w io.Writer) (int64, error) { return copyRunning(ctx, client, w) }, nil
}

func copyRunning(ctx context.Context, client *admin.Client, w io.Writer) (int64, error) {
	client.HTTP.Timeout = 0 // it ends when Weir's own patience does
	return client.Backup(ctx, w)
}

// copyStore copies the store of a Weir that is not running.
func copyStore(ctx context.Context, sys *system, cfg *config.Config, w io.Writer) (size int64, err error) {
	log, err := newLog(sys)
	if err != nil {
		return 0, &exitError{2, err}
	}
	defer func() {
		patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), logGrace)
		defer cancel()
		log.Close(patience)
	}()
	err = app.Backup(ctx, cfg, log.Logger, func(n int64) (io.Writer, error) { size = n; return w, nil })
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; give --config or WEIR_DATA, or --admin for a Weir that runs elsewhere", err)
	}
	return size, err
}
