package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"text/tabwriter"
	"time"

	"github.com/weirproxy/weir/internal/admin"
)

type limitsCmd struct {
	adminFlags
	formatFlag
	Key    *string `arg:"" optional:"" help:"All that apply to the key with this id or name."`
	Team   *string `placeholder:"TEAM" help:"Those of the team with this id or name alone."`
	Model  *string `placeholder:"MODEL" help:"Those of this logical model alone, for all callers together."`
	Target *string `placeholder:"TARGET" help:"Those of this target alone, as provider/model: what its vendor allows a minute, and its places."`
}

func (limitsCmd) Help() string {
	return `For a key, lists its own limits, its team's, and those of the models that it may use: whose each is, what is used, what is left, and when all
of it is back. Then it lists the budgets of the key and its team, with what running requests hold. FORECAST is what will have been used at
the end of the period if it goes on as until now. Of a team, a model or a target it lists those alone. Weirs that share a Postgres are
counted together, but for the places of targets, of which each has its part.

Examples:
  weir limits app
  weir limits --team search
  weir limits --target openai/gpt-5`
}

func (c limitsCmd) Run(ctx context.Context, sys *system) error {
	of := url.Values{}
	for name, flag := range map[string]*string{"key": c.Key, "team": c.Team, "model": c.Model, "target": c.Target} {
		add(of, name, flag)
	}
	if len(of) != 1 {
		return &exitError{2, errors.New("give one of a key, --team, --model and --target")}
	}
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	list, err := client.ListLimits(ctx, of)
	switch {
	case err != nil:
		return usage(err)
	case c.Format == formatJSON:
		return printJSON(sys.stdout, list)
	case c.Format == formatCSV:
		return list.WriteCSV(sys.stdout)
	case len(list.Data)+len(list.Budgets) == 0:
		for what := range of {
			_, err = fmt.Fprintf(sys.stdout, "Nothing limits the %s %s.\n", what, of.Get(what))
		}
		return err
	}
	return usesTables(sys.stdout, list.Data, list.Budgets)
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
