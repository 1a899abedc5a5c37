package main

import (
	"context"
	"fmt"

	"github.com/weirproxy/weir/internal/app"
)

type migrateCmd struct{ storeFlag }

func (migrateCmd) Help() string {
	return `Brings the schema of the store up to date, as weir serve does when it starts. With a database that many Weirs share, it can be run before the
first of them is replaced: those of the version before go on with the new schema. If a step fails, the schema stays as it was before the step.

Example:
  weir migrate -c /etc/weir/weir.yaml`
}

// Run takes the steps.
func (c migrateCmd) Run(ctx context.Context, sys *system) error {
	at, err := c.store(sys)
	if err != nil {
		return err
	}
	taken, known, err := app.Migrate(ctx, at)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(sys.stdout, "%v: %s taken, schema %d\n", at, count(taken, "step"), known)
	return err
}
