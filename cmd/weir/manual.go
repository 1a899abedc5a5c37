package main

import (
	"fmt"
	"path/filepath"

	"github.com/weirproxy/weir/internal/version"
	"github.com/weirproxy/weir/web"
)

type manualCmd struct {
	Dir string `arg:"" placeholder:"DIR" help:"The folder. It must be empty, or not exist yet."`
}

func (manualCmd) Help() string {
	return `A running Weir serves the same pages at /docs of its admin listener, as long as it serves
the console: http://127.0.0.1:8931/docs

Example:
  weir manual weir-manual`
}

// Run writes the manual of this version.
func (c *manualCmd) Run(sys *system) error {
	if err := web.WriteManual(c.Dir, version.String()); err != nil {
		return fmt.Errorf("the manual cannot be written: %w", err)
	}
	_, err := fmt.Fprintf(sys.stdout, "The manual is in %s: open %s in a browser.\n", c.Dir, filepath.Join(c.Dir, "index.html"))
	return err
}
