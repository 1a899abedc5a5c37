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
func (c importPortkeyCmd) Run(_ context.Context, sys *system) error {
	return c.file(importer.Portkey{}, c.File, sys)
}

type importBifrostCmd struct {
	importFlags
	File string `arg:"" placeholder:"FILE" help:"Bifrost's config.json."`
}

func (importBifrostCmd) Help() string {
	return `Reads the config.json that Bifrost is started with, writes a commented weir.yaml, and prints what became of each value: exact, approximate, manual (to be done
by hand) or unsupported, with its line. Nothing is called. Secrets are not copied: env.NAME becomes ${NAME}, and for one that stands in the file the report
names a variable to set. The exit status is 0 only if the result passes weir check --without-secrets.

Examples:
  weir import bifrost config.json
  weir import bifrost config.json -o new.yaml > report.txt`
}

// Run makes the config.
func (c importBifrostCmd) Run(_ context.Context, sys *system) error {
	return c.file(importer.Bifrost{}, c.File, sys)
}

// file makes the config of one in a file.
func (f importFlags) file(from importer.Source, name string, sys *system) error {
	draft, err := f.read(from, name, true)
	if err != nil {
		return err
	}
	return errors.Join(f.print(sys.stdout, draft.Report), f.write(sys, draft))
}
