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

// sqliteBegin is what a file of SQLite begins with.
const sqliteBegin = "SQLite format 3\x00"

// sourceFlags are of gateways whose config, with its keys, may be in a database.
type sourceFlags struct {
	importFlags
	Accounts string `placeholder:"FILE" default:"weir.export" help:"Where to write keys, teams and what they spent, if there are any (default: weir.export), for weir import archive. It must not exist yet."`
}

// run makes the config, and the archive of the keys.
func (f sourceFlags) run(ctx context.Context, sys *system, from importer.Source, source string, ofFile, ofDatabase tables) error {
	if err := errors.Join(newFile(f.Output).check(), newFile(f.Accounts).check(), f.apart(f.Accounts)); err != nil {
		return &exitError{2, err}
	}
	ctx, cancel := sys.interruptible(ctx)
	defer cancel()
	input, err := sourceInput(ctx, sys, source, ofFile, ofDatabase)
	if err != nil {
		return err
	}
	draft, err := importer.Convert(from, input)
	if err != nil {
		return err
	}
	return errors.Join(f.print(sys.stdout, draft.Report), f.write(ctx, sys, draft, f.Accounts))
}

// tables are those of a gateway's database, which are read as JSON.
type tables = app.Reader[*bytes.Buffer]

// sourceInput reads a source: a file of JSON or YAML, a file of SQLite, the address of a database in Postgres, or the name of a variable that has one.
func sourceInput(ctx context.Context, sys *system, source string, ofFile, ofDatabase tables) (importer.Input, error) {
	in := importer.Input{Name: source, Read: interruptibleRead(ctx), Known: catalog.Known}
	at := source
	if !strings.Contains(at, "://") {
		data, err := in.Read(at) // of a database that is larger, this is the beginning
		if err == nil && strings.HasPrefix(string(data), sqliteBegin) {
			return rows(in, func(to *bytes.Buffer) error {
				return app.ReadOtherFile(ctx, source, ofFile, to)
			})
		}
		if err == nil {
			in.Data = data
			return in, nil
		}
		if ctx.Err() != nil {
			return in, err
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
	return rows(in, func(to *bytes.Buffer) error { return app.ReadOther(ctx, secret.New(at), ofDatabase, to) })
}

// rows are those of a database.
func rows(in importer.Input, read func(to *bytes.Buffer) error) (importer.Input, error) {
	var text bytes.Buffer
	err := read(&text)
	in.Data, in.Rows = text.Bytes(), true
	return in, err
}
