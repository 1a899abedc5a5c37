package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

type adjustCmd struct {
	adminFlags
	Call   int64   `arg:"" name:"SEQ" help:"The seq of the call's row: weir usage --rows --format json shows it."`
	Cost   string  `required:"" help:"What the call cost in truth, in dollars: 0.0125."`
	Reason string  `required:"" help:"Why, for the log and the row: at most 128 bytes."`
	ID     *string `name:"id" help:"A name for the correction: with the same name it is made once, however often it is sent. Absent means a new one."`
	Format string  `enum:"text,json" default:"text" help:"How to print: text or json."`
}

func (adjustCmd) Help() string {
	return `Has a running Weir record what a call cost in truth, for example by a provider's late figure. Rows never change: the difference gets a row of
its own, flagged adjustment, which names the call's. Reports and budgets of the present follow; those of past periods stay as they were.

Example:
  weir adjust 1795730000000000 --cost 0.0125 --reason "invoice of March" --id invoice-17`
}

// Run corrects what a call cost.
func (c adjustCmd) Run(ctx context.Context, sys *system) error {
	cost := llm.JSON(c.Cost).Dollars()
	if !cost.Known {
		return &exitError{2, fmt.Errorf("--cost %q is no amount in dollars from 0 to 1000000, such as 0.0125", c.Cost)}
	}
	id := rand.Text()
	if c.ID != nil {
		id = *c.ID
	}
	if id == "" { // a script whose variable is not set would make a new correction each time
		return &exitError{2, errors.New("--id is empty: name the correction, or leave the flag out")}
	}
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	row, err := client.Adjust(ctx, admin.Adjustment{ID: id, Call: c.Call, Cost: cost.Nanodollars, Reason: c.Reason})
	if err != nil {
		return usage(err)
	}
	if c.Format == formatJSON {
		return printJSON(sys.stdout, row)
	}
	sign := ""
	if row.Cost < 0 {
		sign, row.Cost = "-", -row.Cost
	}
	_, err = fmt.Fprintf(sys.stdout, "The call %d costs $%s: the row %d has the difference, %s$%s.\n", c.Call, money.Dollars(cost.Nanodollars), row.Seq, sign, money.Dollars(row.Cost))
	return err
}
