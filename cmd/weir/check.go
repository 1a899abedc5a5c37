package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/config"
)

type checkCmd struct {
	File   string `arg:"" optional:"" help:"The config file, - for standard input (default: WEIR_CONFIG, else ./weir.yaml)."`
	Config string `placeholder:"FILE" help:"The same, as the other commands take it."`
	Strict bool   `help:"Exit with 2 for warnings too."`

	WithoutSecrets bool `help:"Look up no variables and read no files that the config names, and check all but what they hold: for CI, where they are missing."`
	ReadSecrets    bool `help:"Ask Vault and run programs, too, where the config has vault: and exec: references. Without it, their values are not checked."`

	Against   string `placeholder:"URL" help:"Compare with the running Weir whose admin API is there: names what a reload of this file would remove."`
	TokenFile string `placeholder:"FILE" help:"File with the admin token for --against. Default: the token in WEIR_ADMIN_TOKEN, else the config's admin.token, else DATA/admin.token."`
}

func (checkCmd) Help() string {
	return `Reads the config file as "weir serve" would, the files and variables that it names included, and calls
no provider, no Vault and no program. Every error is printed as file:line:column: message; the exit status is 0 or 2. Warnings name what works but is
hardly meant: they are printed in the same way, and change the exit status with --strict only. Targets of which no price is known
are named after the result.

With --without-secrets a value with a ${…} in it is taken to be right (${VAR:-default} is checked as its default), and certificates
and other files that the config names are not read. Everything else is checked, in an environment that has neither.

With --read-secrets the values of ${vault:…} and ${exec:…} are read as well: Vault is asked, and programs run. It ends after
secrets.timeout at the latest.

With --against a running Weir is asked for the names of its providers, models and keys. Each that the file lacks is a warning; a
file that a reload would refuse, because it leaves none, is an error.

Examples:
  weir check
  weir check --without-secrets --strict deploy/weir.yaml
  weir check --against http://127.0.0.1:8931 new.yaml
  weir check --strict /etc/weir/weir.yaml
  helm template . | yq … | weir check -`
}

// Run prints what is wrong on standard error, or one line on standard output if nothing is.
func (c checkCmd) Run(ctx context.Context, sys *system) error {
	if c.TokenFile != "" && c.Against == "" {
		return &exitError{2, errors.New("--token-file is for --against URL, which is missing")}
	}
	if c.WithoutSecrets && c.ReadSecrets {
		return &exitError{2, errors.New("--without-secrets reads none, and --read-secrets all: give one of them")}
	}
	if c.File != "" && c.Config != "" {
		return &exitError{2, errors.New("two config files are named: give the file alone, or --config")}
	}
	path := configPath(cmp.Or(c.File, c.Config), sys)
	if path == "" {
		return &exitError{2, errors.New("no config file to check: name one (weir check FILE), set WEIR_CONFIG, or write ./weir.yaml with: weir init")}
	}
	loader := configLoader(sys)
	loader.WithoutSecrets, loader.WithoutCalls = c.WithoutSecrets, !c.ReadSecrets
	cfg, err := readConfig(loader, path, sys)
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
	warned := cfg.Warnings
	if c.Against != "" {
		removed, err := c.compare(ctx, sys, cfg, path)
		if err != nil {
			return err
		}
		warned = append(warned, removed...)
	}
	for _, w := range warned {
		fmt.Fprintln(sys.stderr, warningLine(w))
	}
	if c.Strict && len(warned) > 0 {
		return &exitError{code: 2}
	}
	less := ""
	if n := called(cfg); c.WithoutSecrets {
		less = ", without what variables and files hold"
	} else if n > 0 && !c.ReadSecrets {
		less = fmt.Sprintf(", without %s of Vault or programs, which --read-secrets reads", count(n, "value"))
	}
	_, err = fmt.Fprintf(sys.stdout, "%s: ok (%s, %s, %s)%s\n", path,
		count(len(cfg.Providers), "provider"), count(len(cfg.Models), "model"), count(len(cfg.Keys), "key"), less)
	if err == nil && !c.WithoutSecrets {
		err = tellUnpriced(sys.stdout, cfg)
	}
	return err
}

// called is how many values the config has at Vault or at programs.
func called(cfg *config.Config) (n int) {
	for _, ref := range cfg.References {
		if ref.Scheme != config.SchemeFile {
			n++
		}
	}
	return n
}

// mostUnpriced is how many targets without a price are named.
const mostUnpriced = 10

// tellUnpriced names the targets of which no price is known.
func tellUnpriced(w io.Writer, cfg *config.Config) error {
	models, err := app.ModelsOf(cfg)
	if err != nil {
		return usage(err)
	}
	var unpriced []string
	for _, m := range models {
		for _, t := range m.Targets {
			if t.Priced != nil && !*t.Priced && !slices.Contains(unpriced, t.Target) {
				unpriced = append(unpriced, t.Target)
			}
		}
	}
	if len(unpriced) == 0 {
		return nil
	}
	more := ""
	if n := len(unpriced) - mostUnpriced; n > 0 {
		unpriced, more = unpriced[:mostUnpriced], fmt.Sprintf(" and %d more", n)
	}
	_, err = fmt.Fprintf(w, "No price is known of %s%s: what they cost counts as nothing. Set price at the target, or like.\n", strings.Join(unpriced, ", "), more)
	return err
}

// compare returns a warning for each name that the running Weir has and cfg lacks.
func (c checkCmd) compare(ctx context.Context, sys *system, cfg *config.Config, file string) (config.Errors, error) {
	client, err := adminFlags{Admin: c.Against, TokenFile: c.TokenFile}.clientOf(sys, func() (*config.Config, error) {
		found := *cfg // the environment may move the data folder
		if err := found.Override(environmentOverrides(sys)); err != nil {
			return nil, &exitError{2, fmt.Errorf("a WEIR_… variable cannot be used: %w", err)}
		}
		return &found, nil
	})
	if err != nil {
		return nil, err
	}
	running, err := client.Config(ctx)
	if err != nil {
		return nil, usage(err)
	}
	keys, err := client.ListKeys(ctx)
	if err != nil {
		return nil, usage(err)
	}
	stored := slices.ContainsFunc(keys, func(k admin.Key) bool { return k.Source == admin.FromStore && k.Status == auth.Active })
	before := config.Contents(running.Contents)
	if err := cfg.Replaces(before, stored); err != nil {
		return nil, &exitError{2, fmt.Errorf("a reload would refuse this file: %w", err)}
	}
	var warned config.Errors
	gone := before.Without(cfg.Contents())
	for _, section := range []struct {
		noun  string
		names []string
	}{{"provider", gone.Providers}, {"model", gone.Models}, {"key", gone.Keys}} {
		for _, name := range section.names {
			warned = append(warned, &config.Error{File: file, Message: fmt.Sprintf("a reload would remove the %s %q, which is in force at %s", section.noun, name, client.BaseURL)})
		}
	}
	return warned, nil
}

// warningLine prints a warning like an error, but marks it as a warning.
func warningLine(w *config.Error) string {
	marked := *w
	marked.Message = "warning: " + w.Message
	return marked.Error()
}

// count is "1 model" or "2 models".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
