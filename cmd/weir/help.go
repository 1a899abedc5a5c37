package main

import (
	"context"
	"errors"
	"regexp"
	"strings"

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

// What the parser's errors leave to guess.
var (
	missingArgument = regexp.MustCompile(`^expected "(<[a-z]+>)"$`)
	missingCommand  = regexp.MustCompile(`^expected one of .*$`)
	dashedValue     = regexp.MustCompile(`^(--[a-z-]+): expected \S+ value but got "(-.*?)" .*$`)
	badDuration     = regexp.MustCompile(`^(--[a-z-]+): expected duration but got (".*?"): .*$`)
)

// usageWords are an error of the parser, and where to read on.
func usageWords(err error) string {
	path := "weir help"
	var parse *kong.ParseError
	var below []string
	if errors.As(err, &parse) && parse.Context != nil && len(parse.Context.Path) > 0 {
		node := parse.Context.Path[len(parse.Context.Path)-1].Node()
		if selected := parse.Context.Selected(); selected != nil {
			node = selected
		}
		path = "weir help" + strings.TrimPrefix(node.FullPath(), "weir")
		for _, child := range node.Children {
			below = append(below, child.Name)
		}
	}
	text := err.Error()
	text = missingArgument.ReplaceAllString(text, "$1 is missing: give it after the command")
	text = dashedValue.ReplaceAllString(text, "$1 cannot take $2, which is read as a flag: give a value that does not begin with a dash")
	text = badDuration.ReplaceAllString(text, "$1 cannot take $2: give a time such as 15s or 2m")
	if missingCommand.MatchString(text) && len(below) > 0 {
		text = "a command is missing: give one of " + strings.Join(below, ", ")
	}
	if !strings.HasSuffix(text, "?") {
		text += "."
	}
	return text + " See: " + path
}

// versionFlag is --version, which people try before they look for a command.
type versionFlag bool

// BeforeReset implements kong's hook: the flag works alone, whatever else is missing on the command line.
func (versionFlag) BeforeReset(k *kong.Kong, sys *system) error {
	if err := (versionCmd{}).Run(sys); err != nil {
		return err
	}
	k.Exit(0)
	return nil
}
