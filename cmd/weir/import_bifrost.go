package main

import (
	"context"
	"time"

	"github.com/weirproxy/weir/internal/importer"
)

type importBifrostCmd struct {
	sourceFlags
	Source string `arg:"" placeholder:"SOURCE" help:"Bifrost's config.json, the SQLite file of its config store (config.db), the postgres:// URL of its database, or the name of a variable that has that."`
}

func (importBifrostCmd) Help() string {
	return `Reads the config.json that Bifrost is started with, or the database of its config store in one transaction that only reads, writes a commented weir.yaml, and
prints what became of each value: exact, approximate, manual (to be done by hand) or unsupported, with its line or its row. Nothing else is called. Secrets
of providers are not copied: env.NAME becomes ${NAME}, and for all others the report names a variable to set. The exit status is 0 only if the result passes
weir check --without-secrets.

Virtual keys, teams and customers go, with limits, budgets and what was spent, into a file for weir import archive. Virtual keys go as digests: callers go on
with those that they have. What was spent, and keys that were made in Bifrost's web pages, are in the database alone.

Examples:
  weir import bifrost config.json
  weir import bifrost config.db && weir import archive -c weir.yaml weir.export
  weir import bifrost DATABASE_URL -o new.yaml > report.txt`
}

// Run makes the config, and the archive of the keys.
func (c importBifrostCmd) Run(ctx context.Context, sys *system) error {
	return c.run(ctx, sys, importer.Bifrost{Now: time.Now()}, c.Source, importer.BifrostTables{File: true}, importer.BifrostTables{})
}
