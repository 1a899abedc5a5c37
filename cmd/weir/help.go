package main

import (
	"context"

	"github.com/alecthomas/kong"
)

type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command, with its subcommand if there is one."`
}

func (helpCmd) Help() string { return "Examples:\n  weir help\n  weir help keys create" }

// Run prints what --help prints there.
func (c helpCmd) Run(ctx context.Context, sys *system) error {
	if code := run(ctx, append(c.Command, "--help"), sys); code != 0 {
		return &exitError{code: code} // it was printed why
	}
	return nil
}

// versionFlag is --version, which people try before they look for a command.
type versionFlag bool

// BeforeReset implements kong's hook: the flag stands alone, whatever else is missing on the command line.
func (versionFlag) BeforeReset(k *kong.Kong, sys *system) error {
	if err := (versionCmd{}).Run(sys); err != nil {
		return err
	}
	k.Exit(0)
	return nil
}
