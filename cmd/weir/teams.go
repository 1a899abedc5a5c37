package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/weirproxy/weir/internal/admin"
)

type teamsCmd struct {
	Create teamsCreateCmd `cmd:"" help:"Make a team."`
	List   teamsListCmd   `cmd:"" help:"List all teams, those of the config file and the revoked ones too."`
	Show   teamsShowCmd   `cmd:"" help:"Show one team."`
	Update teamsUpdateCmd `cmd:"" help:"Change a team's name, models, limits or budgets."`
	Revoke teamsRevokeCmd `cmd:"" help:"End a team for good, and refuse its keys."`
}

func (teamsCmd) Help() string {
	return "Talks to a running Weir over its admin API. A team is named by its id or its name. weir keys create and update put a key into a\nteam with --team.\n\nExample:\n  weir teams create --name research --models 'fast,embed-*'\n  weir keys create --name app --team research"
}

type teamsCreateCmd struct {
	adminFlags
	teamFormat
	Name   string     `required:"" placeholder:"NAME" help:"Its name in lists and logs: printable, no spaces, unique among living teams."`
	Models modelsFlag `placeholder:"A,B-*" help:"The logical models that its keys may see and call at most; * matches any run of characters. Default: all, later ones included."`
	limitsFlags
	budgetFlags
	Strict bool `help:"Make no team if one of --models matches no model today; else that is a warning."`
}

func (teamsCreateCmd) Help() string {
	return "Example:\n  weir teams create --name research --models 'fast,embed-*'"
}

func (c teamsCreateCmd) Run(ctx context.Context, sys *system) error {
	if c.Models.none {
		return &exitError{2, errors.New("a new team has no value to clear: omit --models")}
	}
	if err := c.limitsFlags.check(); err != nil {
		return err
	}
	budgets, err := c.policy()
	if err != nil {
		return err
	}
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	return c.printOne(sys)(client.CreateTeam(ctx, admin.NewTeam{Name: c.Name, Models: c.Models.list, Limits: c.limitsFlags.change(), Budgets: admin.BudgetsOf(budgets), Strict: c.Strict}))
}

type teamsListCmd struct {
	adminFlags
	teamFormat
}

func (teamsListCmd) Help() string {
	return "Example:\n  weir teams list --format json"
}

func (c teamsListCmd) Run(ctx context.Context, sys *system) error {
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	teams, err := client.ListTeams(ctx)
	if err != nil {
		return usage(err)
	}
	if c.Format == formatJSON {
		return printJSON(sys.stdout, teams)
	}
	return c.print(sys.stdout, teams)
}

type teamsShowCmd struct {
	adminFlags
	teamFormat
	Team string `arg:"" help:"Its id or its name."`
}

func (teamsShowCmd) Help() string {
	return "Example:\n  weir teams show research"
}

func (c teamsShowCmd) Run(ctx context.Context, sys *system) error {
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	return c.printOne(sys)(client.ShowTeam(ctx, c.Team))
}

type teamsUpdateCmd struct {
	adminFlags
	teamFormat
	Team   string     `arg:"" help:"Its id or its name."`
	Name   *string    `placeholder:"NAME" help:"A new name."`
	Models modelsFlag `placeholder:"A,B-*" help:"The logical models that its keys may see and call at most; none lifts the limit: all."`
	limitsFlags
	budgetFlags
	Strict bool `help:"Change nothing if one of --models matches no model today; else that is a warning."`
}

func (teamsUpdateCmd) Help() string {
	return "What is not named stays as it is. The change holds at once for all keys of the team.\n\nExample:\n  weir teams update research --models 'fast,smart'"
}

func (c teamsUpdateCmd) Run(ctx context.Context, sys *system) error {
	change := admin.TeamChange{Name: c.Name}
	if c.Models.given {
		change.Models = &c.Models.list
	}
	change.Limits = c.limitsFlags.change()
	var err error
	if change.Budgets, err = c.budgetFlags.change(); err != nil {
		return err
	}
	if change == (admin.TeamChange{}) {
		return &exitError{2, errors.New("nothing to change: give --name, --models, --rpm, --tpm, --concurrent, --budget, --reserve, --cut or --warn")}
	}
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	change.Strict = c.Strict
	return c.printOne(sys)(client.UpdateTeam(ctx, c.Team, change))
}

type teamsRevokeCmd struct {
	adminFlags
	teamFormat
	Team string `arg:"" help:"Its id or its name."`
}

func (teamsRevokeCmd) Help() string {
	return "The team's keys are refused from the moment this returns, and their running requests finish. A key works again once it is moved:\nweir keys update KEY --team OTHER, or --team none.\n\nExample:\n  weir teams revoke research"
}

func (c teamsRevokeCmd) Run(ctx context.Context, sys *system) error {
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	return c.printOne(sys)(client.RevokeTeam(ctx, c.Team))
}

// teamFormat is how a command prints teams.
type teamFormat struct{ formatFlag }

// printOne returns a function that takes what a call of the admin API returns.
func (f teamFormat) printOne(sys *system) func(admin.Team, error) error {
	return func(team admin.Team, err error) error {
		if err != nil {
			return usage(err)
		}
		if f.Format == formatJSON {
			err = printJSON(sys.stdout, team)
		} else {
			err = f.print(sys.stdout, []admin.Team{team})
		}
		return errors.Join(err, warn(sys, team.Warnings))
	}
}

// print writes teams as a table for people or as CSV, whose column names are the members of the JSON.
func (f teamFormat) print(w io.Writer, teams []admin.Team) error {
	if f.Format == formatCSV {
		rows := [][]string{{"id", "name", "status", "models", "rpm", "tpm", "concurrent", "budgets", "reserve", "cut", "warn", "created_at", "revoked_at", "source"}}
		for _, t := range teams {
			rows = append(rows, []string{t.ID, t.Name, string(t.Status), strings.Join(t.Models, ","), numberCell(t.RPM), numberCell(t.TPM), numberCell(t.Concurrent), budgetWords(t.Budgets.Budgets), reserveCell(&t.Budgets), cutCell(&t.Budgets), shareWords(t.Warn), timeCell(t.CreatedAt), timeCell(t.RevokedAt), string(t.Source)})
		}
		return admin.WriteCSV(w, rows)
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "ID\tNAME\tSTATUS\tMODELS\tLIMITS\tCREATED\tSOURCE") // Flush returns the errors of all
	for _, t := range teams {
		created := "-"
		if t.CreatedAt != nil {
			created = timeCell(t.CreatedAt)
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", t.ID, t.Name, t.Status, modelWords(t.Models), limitWords(t.Limits, &t.Budgets), created, t.Source)
	}
	return out.Flush()
}
