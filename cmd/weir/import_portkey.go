package main

import (
	"context"
	"errors"

	"github.com/weirproxy/weir/internal/importer"
)

type importPortkeyCmd struct {
	importFlags
	File string `arg:"" placeholder:"FILE" help:"A config of Portkey's, as JSON."`
}

func (importPortkeyCmd) Help() string {
	return `Reads one config of Portkey's gateway, as its clients name it or send it in x-portkey-config, writes a commented weir.yaml, and prints what became of each
value: exact, approximate, manual (to be done by hand) or unsupported, with its line. Nothing is called. Secrets are not copied: the report names a variable
for each. The exit status is 0 only if the result passes weir check --without-secrets.

Callers of Portkey name any model, and the config decides: so does the model "*" of the result.

Example:
  weir import portkey config.json -o new.yaml > report.txt`
}

// Run makes the config.
func (c importPortkeyCmd) Run(ctx context.Context, sys *system) error {
	ctx, cancel := sys.interruptible(ctx)
	defer cancel()
	draft, err := c.read(ctx, importer.Portkey{}, c.File, true)
	if err != nil {
		return err
	}
	return errors.Join(c.print(sys.stdout, draft.Report), c.write(ctx, sys, draft, ""))
}
