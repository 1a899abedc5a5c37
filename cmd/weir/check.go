package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/weirproxy/weir/internal/config"
)

type checkCmd struct {
	File   string `arg:"" optional:"" help:"The config file, - for standard input (default: WEIR_CONFIG, else ./weir.yaml)."`
	Config string `placeholder:"FILE" help:"The same, as the other commands take it."`
	Strict bool   `help:"Exit with 2 for warnings too."`
}

func (checkCmd) Help() string {
	return `Reads the config file as "weir serve" would, the files and variables that it names included, and calls
nobody. Every error is printed as file:line:column: message; the exit status is 0 or 2. Warnings name what works but is
hardly meant: they are printed in the same way, and change the exit status with --strict only.

Examples:
  weir check
  weir check --strict /etc/weir/weir.yaml
  helm template . | yq … | weir check -`
}

// Run prints what is wrong on standard error, or one line on standard output if nothing is.
func (c checkCmd) Run(sys *system) error {
	if c.File != "" && c.Config != "" {
		return &exitError{2, errors.New("two config files are named: give the file alone, or --config")}
	}
	path := configPath(cmp.Or(c.File, c.Config), sys)
	if path == "" {
		return &exitError{2, errors.New("there is no config file to check: name one (weir check FILE), set WEIR_CONFIG, or write ./weir.yaml with: weir init")}
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
	for _, w := range cfg.Warnings {
		fmt.Fprintln(sys.stderr, warningLine(w))
	}
	if c.Strict && len(cfg.Warnings) > 0 {
		return &exitError{code: 2}
	}
	if path == "-" {
		path = "stdin"
	}
	_, err = fmt.Fprintf(sys.stdout, "%s: ok (%s, %s, %s)\n", path,
		count(len(cfg.Providers), "provider"), count(len(cfg.Models), "model"), count(len(cfg.Keys), "key"))
	return err
}

// warningLine is a warning as it is printed: like an error, but told apart from one.
func warningLine(w *config.Error) string {
	told := *w
	told.Message = "warning: " + w.Message
	return told.Error()
}

// count is "1 model" or "2 models".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
