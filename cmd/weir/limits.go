package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/weirproxy/weir/internal/admin"
)

type limitsCmd struct {
	adminFlags
	formatFlag
	Key string `arg:"" help:"Its id or its name."`
}

func (limitsCmd) Help() string {
	return "Lists the key's own limits, its team's, and those of the models that it may use: whose each is, what is used, what is left, and when all\nof it is back. Then it lists the budgets of the key and its team, with what running requests hold. Weirs that share a Postgres are counted together.\n\nExample:\n  weir limits app"
}

func (c limitsCmd) Run(ctx context.Context, sys *system) error {
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	list, err := client.ListLimits(ctx, c.Key)
	limits, budgets := list.Data, list.Budgets
	switch {
	case err != nil:
		return usage(err)
	case c.Format == formatJSON:
		return printJSON(sys.stdout, list)
	case c.Format == formatCSV:
		return limitRows(sys.stdout, limits, budgets)
	case len(limits)+len(budgets) == 0:
		_, err := fmt.Fprintf(sys.stdout, "Nothing limits the key %s.\n", c.Key)
		return err
	}
	return usesTables(sys.stdout, limits, budgets)
}

// usesTables writes how limits and budgets stand for people, as far as there are any.
func usesTables(w io.Writer, limits []admin.LimitUse, budgets []admin.BudgetUse) (err error) {
	if len(limits) > 0 {
		err = limitTable(w, limits)
	}
	if len(budgets) > 0 {
		if len(limits) > 0 {
			_, err = fmt.Fprintln(w)
		}
		err = cmp.Or(err, budgetTable(w, budgets))
	}
	return err
}

func limitRows(w io.Writer, limits []admin.LimitUse, budgets []admin.BudgetUse) error {
	rows := [][]string{{"of", "id", "name", "limit", "most", "used", "remaining", "reset_ms", "held", "unit", "reset"}}
	for _, l := range limits {
		rows = append(rows, []string{
			l.Of, l.ID, l.Name, l.Limit, strconv.FormatInt(l.Most, 10), strconv.FormatInt(l.Used, 10), strconv.FormatInt(l.Remaining, 10), numberCell(l.ResetMS), "", "", "",
		})
	}
	for i := range budgets {
		b := &budgets[i]
		rows = append(rows, []string{
			b.Of, b.ID, b.Name, b.Budget.String(), strconv.FormatInt(b.Most, 10), strconv.FormatInt(b.Used, 10), strconv.FormatInt(b.Remaining, 10), "",
			strconv.FormatInt(b.Held, 10), b.Unit, timeCell(b.Reset),
		})
	}
	return admin.WriteCSV(w, rows)
}

func limitTable(w io.Writer, limits []admin.LimitUse) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "OF\tNAME\tLIMIT\tMOST\tUSED\tREMAINING\tRESET") // Flush returns the errors of all
	for _, l := range limits {
		reset := "-"
		if l.ResetMS != nil {
			reset = (time.Duration(*l.ResetMS) * time.Millisecond).String()
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%d\t%d\t%d\t%s\n", l.Of, l.Name, l.Limit, l.Most, l.Used, l.Remaining, reset)
	}
	return out.Flush()
}
