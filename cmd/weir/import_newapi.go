package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/importer"
	"github.com/weirproxy/weir/internal/secret"
)

type importNewapiCmd struct {
	importFlags
	Accounts string `placeholder:"FILE" default:"weir.export" help:"Where to write keys, teams and what they spent (default: weir.export), for weir import archive. It must not exist yet."`
	Source   string `arg:"" placeholder:"SOURCE" help:"The SQLite file of new-api (one-api.db), the postgres:// URL of its database, the name of a variable that has that, or a JSON file with the rows of its tables."`
}

func (importNewapiCmd) Help() string {
	return `Reads the channels, tokens and users of new-api or one-api from their database, in one transaction that only reads, and writes a commented weir.yaml. It prints
what became of each value: exact, approximate, manual (to be done by hand) or unsupported, with the row. Nothing else is called. Secrets of channels are not
copied: the report names a variable for each. The exit status is 0 only if the result passes weir check --without-secrets.

Tokens and users go, with quotas and what they used, into a file for weir import archive. Tokens go as digests: callers go on with those that they have.
A database in MySQL is read from a JSON file: docs/guides/import-others.md has the query.

Examples:
  weir import newapi one-api.db && weir import archive -c weir.yaml weir.export
  weir import newapi SQL_DSN -o new.yaml > report.txt`
}

// Run makes the config, and the archive of the keys.
func (c importNewapiCmd) Run(ctx context.Context, sys *system) error {
	if err := errors.Join(newFile(c.Output).check(), newFile(c.Accounts).check()); err != nil {
		return &exitError{2, err}
	}
	ctx, cancel := sys.interruptible(ctx)
	defer cancel()
	input, err := c.input(ctx, sys)
	if err != nil {
		return err
	}
	draft, err := importer.Convert(importer.NewAPI{}, input)
	if err != nil {
		return err
	}
	return errors.Join(c.print(sys.stdout, draft.Report), c.write(sys, draft), keysFlags{Accounts: c.Accounts}.write(ctx, draft, c.Output, sys))
}

// sqliteBegin is what a file of SQLite begins with.
const sqliteBegin = "SQLite format 3\x00"

// input reads the source.
func (c importNewapiCmd) input(ctx context.Context, sys *system) (importer.Input, error) {
	in := importer.Input{Name: c.Source, Read: importer.ReadFile, Known: catalog.Known}
	at := c.Source
	if !strings.Contains(at, "://") {
		data, err := importer.ReadFile(at) // of a database that is larger, this is the beginning
		if err == nil && strings.HasPrefix(string(data), sqliteBegin) {
			return rows(in, func(to *bytes.Buffer) error {
				return app.ReadOtherFile(ctx, c.Source, importer.NewAPITables{}, to)
			})
		}
		if err == nil {
			in.Data = data
			return in, nil
		}
		value, set := sys.env(at)
		if !set || value == "" {
			var file *fs.PathError
			if errors.As(err, &file) {
				err = file.Err // without the name, which may be an address with a password
			}
			return in, fmt.Errorf("SOURCE is no file that can be read (%w), no variable that is set, and no postgres:// URL", err)
		}
		at = value
	}
	in.Name = "database"
	return rows(in, func(to *bytes.Buffer) error { return app.ReadOther(ctx, secret.New(at), importer.NewAPITables{}, to) })
}

// rows are those of a database.
func rows(in importer.Input, read func(to *bytes.Buffer) error) (importer.Input, error) {
	var text bytes.Buffer
	err := read(&text)
	in.Data, in.Rows = text.Bytes(), true
	return in, err
}
