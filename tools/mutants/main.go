// Command mutants tries whether the tests of a package notice when its code is wrong. It changes one thing at a time (a comparison, a
// sum, a statement, what is returned), compiles the package's own tests with it, and runs them. A mutant that no test notices has survived.
//
// Nothing is written into the tree: a mutant is an overlay of the build. Of all mutants a sample is drawn, by a hash of where each stands
// and a seed, so that the same code gives the same sample on every machine, and a longer run tries the mutants of a shorter one first.
//
//	cd tools && go run ./mutants -root .. -sample 100 ./internal/auth ./internal/limit
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run() error {
	root := flag.String("root", ".", "the module's folder")
	sample := flag.Int("sample", 100, "how many mutants of each package are tried; 0 is all")
	seed := flag.String("seed", "1", "which sample")
	budget := flag.Duration("budget", 0, "how long the mutants of a package may take; 0 is any time")
	least := flag.Float64("least", 0, "the share of killed mutants, in percent, below which it fails")
	in := flag.String("in", "", "a regular expression: only mutants in functions whose names match, such as counts.usage")
	out := flag.String("json", "", "where to write the report as JSON, too")
	flag.Parse()

	only, err := regexp.Compile(*in)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var reports []*Report
	for _, path := range flag.Args() {
		p, err := open(ctx, *root, path)
		if err != nil {
			return err
		}
		report, err := p.try(ctx, plan{seed: *seed, in: only, most: *sample, budget: *budget})
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		report.print(os.Stdout)
		reports = append(reports, report)
	}
	if *out != "" {
		text, err := json.MarshalIndent(reports, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(*out, append(text, '\n'), 0o600); err != nil {
			return err
		}
	}
	for _, r := range reports {
		if share := r.Share(); share < *least {
			return fmt.Errorf("%s: %.1f %% of the mutants were killed, which is less than %.1f %%", r.Package, share, *least)
		}
	}
	return nil
}
