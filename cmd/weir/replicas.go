package main

import (
	"context"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/config"
)

type replicasCmd struct {
	List   replicasListCmd   `cmd:"" help:"List the Weirs that share the store, and who holds what of budgets."`
	Forget replicasForgetCmd `cmd:"" help:"Give a Weir up that is gone for good: what it held of budgets is charged."`
}

func (replicasCmd) Help() string {
	return "Looks into the store that the config names, on Postgres. No Weir needs to run.\n\nExample:\n  weir replicas list -c /etc/weir/weir.yaml"
}

// storeFlag reads of the config only where the store is, so that no provider's credentials are needed.
type storeFlag struct {
	Config string `short:"c" placeholder:"FILE" help:"The config file. Default: WEIR_CONFIG, else ./weir.yaml."`
}

func (f storeFlag) store(sys *system) (config.Store, error) {
	loader := configLoader(sys)
	loader.Only = []string{"data", "store"}
	cfg, err := loadConfig(loader, f.Config, sys)
	if err != nil {
		return config.Store{}, err
	}
	return cfg.Store, nil
}

type replicasListCmd struct {
	storeFlag
	formatFlag
}

func (replicasListCmd) Help() string {
	return `Of each it says when it began, when the database heard of it last, of how many budgets it holds something, and of how many it may have spent something before
it was forgotten.

Example:
  weir replicas list --format json`
}

// replicaLine is a replica as it is printed.
type replicaLine struct {
	ID        string     `json:"id"`
	Since     *time.Time `json:"since"` // null for one that was forgotten
	Seen      *time.Time `json:"seen"`  // null for one that was forgotten
	Forgotten bool       `json:"forgotten"`
	Holds     int64      `json:"holds"`    // budgets
	InDoubt   int64      `json:"in_doubt"` // budgets
}

// Run lists the replicas.
func (c replicasListCmd) Run(ctx context.Context, sys *system) error {
	at, err := c.store(sys)
	if err != nil {
		return err
	}
	list, err := app.Replicas(ctx, at)
	if err != nil {
		return err
	}
	lines := make([]replicaLine, len(list))
	for i := range list {
		r := &list[i]
		lines[i] = replicaLine{ID: r.ID, Forgotten: r.Forgotten, Holds: r.Holds, InDoubt: r.InDoubt}
		if !r.Forgotten {
			lines[i].Since, lines[i].Seen = &r.Since, &r.Seen
		}
	}
	switch c.Format {
	case formatJSON:
		return printJSON(sys.stdout, lines)
	case formatCSV:
		return writeCSV(sys.stdout, replicaRows([]string{"id", "since", "seen", "forgotten", "holds", "in_doubt"}, lines))
	}
	out := tabwriter.NewWriter(sys.stdout, 0, 0, 2, ' ', 0)
	for _, row := range replicaRows([]string{"ID", "SINCE", "SEEN", "FORGOTTEN", "HOLDS", "IN DOUBT"}, lines) {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\n", row[0], row[1], row[2], row[3], row[4], row[5]) // Flush returns the errors of all
	}
	return out.Flush()
}

func replicaRows(head []string, lines []replicaLine) [][]string {
	rows := [][]string{head}
	for i := range lines {
		l := &lines[i]
		rows = append(rows, []string{
			l.ID, timeCell(l.Since), timeCell(l.Seen), strconv.FormatBool(l.Forgotten), strconv.FormatInt(l.Holds, 10), strconv.FormatInt(l.InDoubt, 10),
		})
	}
	return rows
}

type replicasForgetCmd struct {
	storeFlag
	ID            string `arg:"" name:"ID" help:"Its id: weir replicas list shows it."`
	AssumeUnspent bool   `help:"Give back what it held instead: you know that it made no more calls."`
	Force         bool   `help:"Also if it was seen within the last minute. It then refuses all keys with budgets, if it is still there."`
}

func (replicasForgetCmd) Help() string {
	return `For a Weir whose data folder is lost. What it held of budgets is charged for the period, because it may have spent it. If its data folder turns up and it starts
again, what it did spend counts instead.

Example:
  weir replicas forget 3f6c0a`
}

// Run gives a replica up.
func (c replicasForgetCmd) Run(ctx context.Context, sys *system) error {
	at, err := c.store(sys)
	if err != nil {
		return err
	}
	if err := app.ForgetReplica(ctx, at, c.ID, c.AssumeUnspent, c.Force); err != nil {
		return err
	}
	what := "charged"
	if c.AssumeUnspent {
		what = "given back"
	}
	_, err = fmt.Fprintf(sys.stdout, "The replica %s is forgotten, and what it held of budgets is %s.\n", c.ID, what)
	return err
}
