package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/money"
)

type exportCmd struct {
	Config string `short:"c" placeholder:"FILE" help:"The config file. Default: WEIR_CONFIG, else ./weir.yaml."`
	File   string `arg:"" placeholder:"FILE" help:"The file to write. It must not exist yet."`
}

func (exportCmd) Help() string {
	return `Writes the store that the config names into one file, from which weir import fills a store of another kind: keys and teams with their limits and
budgets, the ledger with all sums and what replicas have of budgets, stored responses, and answers to requests with an Idempotency-Key. Keys are in it as
digests. Stop all Weirs that use the store before, and start them again with the new one, on their data folders.

Example:
  weir export -c old.yaml weir.export && weir import archive -c new.yaml weir.export`
}

// Run writes the file beside its place and moves it there when it is whole.
func (c exportCmd) Run(ctx context.Context, sys *system) error {
	if err := newFile(c.File).check(); err != nil {
		return &exitError{2, err}
	}
	cfg, err := loadArchived(c.Config, sys)
	if err != nil {
		return err
	}
	log, err := newLog(sys)
	if err != nil {
		return &exitError{2, err}
	}
	ctx, cancel := sys.interruptible(ctx)
	defer cancel()
	defer func() {
		patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), logGrace)
		defer cancel()
		log.Close(patience)
	}()
	var moved app.Moved
	_, err = newFile(c.File).write(func(w io.Writer) (_ int64, err error) {
		moved, err = app.Export(ctx, cfg, log.Logger, w)
		return 0, err
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.New("it was interrupted, and wrote nothing")
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w; give --config or WEIR_DATA", err)
	case err != nil:
		return err
	}
	_, err = fmt.Fprintf(sys.stdout, "%s has %s. Fill another store with it: weir import archive\n", c.File, inArchive(&moved))
	return err
}

// loadArchived reads of the config what an export or an import needs.
func loadArchived(path string, sys *system) (*config.Config, error) {
	loader := configLoader(sys)
	loader.Only = []string{"data", "store", "journal", "durability", "timezone"}
	return loadConfig(loader, path, sys)
}

// inArchive are the contents of an archive in words.
func inArchive(m *app.Moved) string {
	return fmt.Sprintf("%s, %s and %s; the sums of all days say %s that cost $%s", count(int(m.Keys), "key"), count(int(m.Teams), "team"), count(int(m.Rows), "row"), count(int(m.Sums.Attempts), "call"), money.Dollars(m.Sums.Cost))
}
