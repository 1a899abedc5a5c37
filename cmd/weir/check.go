package main

import (
	"errors"
	"fmt"

	"github.com/weirproxy/weir/internal/config"
)

type checkCmd struct {
	Config string `placeholder:"FILE" help:"The config file, - for standard input (default: WEIR_CONFIG, else ./weir.yaml)."`
}

func (checkCmd) Help() string {
	return `Reads the config file as "weir serve" would, the files and variables that it names included, and calls
nobody. Every error is printed as file:line:column: message; the exit status is 0 or 2.

Examples:
  weir check --config /etc/weir/weir.yaml
  helm template . | yq … | weir check --config -`
}

// Run prints what is wrong on standard error, or one line on standard output if nothing is.
func (c checkCmd) Run(sys *system) error {
	path := configPath(c.Config, sys)
	if path == "" {
		return &exitError{2, errors.New("there is no config file to check: name one with --config, set WEIR_CONFIG, or write ./weir.yaml with: weir init")}
	}
	cfg, err := readConfig(configLoader(sys), path, sys)
	var list config.Errors
	if errors.As(err, &list) {
		for _, e := range list {
			fmt.Fprintln(sys.stderr, e)
		}
		return &exitError{code: 2}
	}
	if err != nil {
		return &exitError{2, err}
	}
	if path == "-" {
		path = "stdin"
	}
	_, err = fmt.Fprintf(sys.stdout, "%s: ok (%s, %s, %s)\n", path,
		count(len(cfg.Providers), "provider"), count(len(cfg.Models), "model"), count(len(cfg.Keys), "key"))
	return err
}

// count is "1 model" or "2 models".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
