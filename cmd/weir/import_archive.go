package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/weirproxy/weir/internal/app"
)

type importArchiveCmd struct {
	Config        string `short:"c" placeholder:"FILE" help:"The config file. Default: WEIR_CONFIG, else ./weir.yaml."`
	AssumeUnspent bool   `help:"Into a store in a file: count as unspent what replicas may have spent of budgets. You know that they made no more calls."`
	File          string `arg:"" placeholder:"FILE" help:"The file that weir export wrote."`
}

func (importArchiveCmd) Help() string {
	return `Fills the store that the config names from a file of weir export. The store must be empty, and no Weir may use it. All is written in one transaction, and
compared with the sums in the file at the end: whatever goes wrong, the store stays empty.

Example:
  weir import archive -c new.yaml weir.export`
}

// Run fills the store.
func (c importArchiveCmd) Run(ctx context.Context, sys *system) (err error) {
	cfg, err := loadArchived(c.Config, sys)
	if err != nil {
		return err
	}
	file, err := os.Open(c.File)
	if err != nil {
		return fmt.Errorf("cannot read the file: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	ctx, cancel := sys.interruptible(ctx)
	defer cancel()
	moved, err := app.Import(ctx, cfg, bufio.NewReader(file), c.AssumeUnspent)
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.New("it was interrupted, and imported nothing")
	case err != nil:
		return fmt.Errorf("%s: %w", c.File, err)
	}
	_, err = fmt.Fprintf(sys.stdout, "%v has %s, as %s says.\n", cfg.Store, inArchive(&moved), c.File)
	return err
}
