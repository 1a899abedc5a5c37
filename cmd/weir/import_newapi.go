package main

import (
	"context"
	"time"

	"github.com/weirproxy/weir/internal/importer"
)

type importNewapiCmd struct {
	sourceFlags
	Source string `arg:"" placeholder:"SOURCE" help:"The SQLite file of new-api (one-api.db), the postgres:// URL of its database, the name of a variable that has that, or a JSON file with the rows of its tables."`
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
	return c.run(ctx, sys, importer.NewAPI{Now: time.Now()}, c.Source, importer.NewAPITables{}, importer.NewAPITables{})
}
