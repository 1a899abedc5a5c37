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
Steps that take something away wait until no Weir of the version before has been seen for an hour. A Weir that runs takes them then.

Example:
  weir migrate -c /etc/weir/weir.yaml`
}

// Run takes the steps.
func (c migrateCmd) Run(ctx context.Context, sys *system) error {
	at, err := c.store(sys)
	if err != nil {
		return err
	}
	taken, now, err := app.Migrate(ctx, at)
	if err != nil {
		return err
	}
	waiting := ""
	if now.Waiting != "" {
		waiting = "; " + now.Waiting
	}
	_, err = fmt.Fprintf(sys.stdout, "%v: %s taken, schema %d%s\n", at, count(taken, "step"), now.Applied, waiting)
	return err
}
