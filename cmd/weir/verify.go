package main

import (
	"context"
	"fmt"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
)

type verifyCmd struct {
	adminFlags
	Format string `enum:"text,json" default:"text" help:"How to print: text or json."`
}

func (verifyCmd) Help() string {
	return `Has a running Weir add up all rows of its ledger again, and compares that with the sums by hour, by day and by tag from which reports are
made, and looks in the store for the shipped rows that the journal still has. Weir serves meanwhile. It takes seconds for each million rows. Rows that were forgotten by age are not missed.
Exits with 1 if anything differs.

Example:
  weir verify --format json`
}

// Run prints what differs.
func (c verifyCmd) Run(ctx context.Context, sys *system) error {
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	client.HTTP.Timeout = 0 // it ends when Weir's own patience does
	v, err := client.Verify(ctx)
	if err != nil {
		return usage(err)
	}
	if c.Format == formatJSON {
		err = printJSON(sys.stdout, v)
	} else {
		err = verified(sys, v)
	}
	if err == nil && v.Found > 0 {
		return &exitError{code: 1}
	}
	return err
}

func verified(sys *system, v admin.Verification) error {
	for _, d := range v.Differences {
		if _, err := fmt.Fprintf(sys.stdout, "%s of %s: the sums say %s, the rows add up to %s\n", d.Table, d.Line, inWords(d.Sums), inWords(d.Rows)); err != nil {
			return err
		}
	}
	if more := v.Found - int64(len(v.Differences)); more > 0 {
		if _, err := fmt.Fprintf(sys.stdout, "and %d more\n", more); err != nil {
			return err
		}
	}
	verdict := "They agree."
	if v.Found > 0 {
		verdict = fmt.Sprintf("%d lines differ: reports show the sums.", v.Found)
	}
	_, err := fmt.Fprintf(sys.stdout, "%d rows were added up and compared with %d hours, %d days and %d tags; %d rows of the journal were looked for, %d wait to be shipped. %s\n", v.Rows, v.Hours, v.Days, v.Tags, v.Journal, v.Pending, verdict)
	return err
}

// inWords are figures on one line.
func inWords(f ledger.Figures) string {
	return fmt.Sprintf("%d requests, %d attempts, %d+%d tokens, $%s (%d orphaned, %d estimated, %d in doubt)", f.Requests, f.Attempts, f.Input, f.Output, money.Dollars(f.Cost), f.Orphaned, f.Estimated, f.InDoubt)
}
