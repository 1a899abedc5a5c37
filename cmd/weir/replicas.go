package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/money"
)

type replicasCmd struct {
	List   replicasListCmd   `cmd:"" default:"withargs" help:"List the Weirs that share the store, and who holds what of budgets."`
	Forget replicasForgetCmd `cmd:"" help:"Give a Weir up that is gone for good: what it held of budgets is charged."`
}

func (replicasCmd) Help() string {
	return "Looks into the store that the config names, on Postgres. No Weir needs to run.\n\nExample:\n  weir replicas -c /etc/weir/weir.yaml"
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
	return `Of each it says since when its process runs, when the database heard of it last, of how many budgets it holds something, how much that is, and of how many it may
have spent something before it was forgotten. A state is here, left (it has stopped), silent (not seen for ten seconds) or forgotten. CONFIG stands for what its config
says about callers; a * marks one that differs from what most of those have that are here.

Example:
  weir replicas list --format json`
}

// replicaLine is a replica as it is printed.
type replicaLine struct {
	Name        string     `json:"name"` // "" for one that never said it
	ID          string     `json:"id"`
	State       string     `json:"state"`
	Since       *time.Time `json:"since"` // null for one that was forgotten
	Seen        *time.Time `json:"seen"`  // null for one that was forgotten
	Forgotten   bool       `json:"forgotten"`
	Holds       int64      `json:"holds"` // budgets
	HeldMoney   int64      `json:"held_nanodollars"`
	HeldTokens  int64      `json:"held_tokens"`
	InDoubt     int64      `json:"in_doubt"` // budgets
	DoubtMoney  int64      `json:"doubt_nanodollars"`
	DoubtTokens int64      `json:"doubt_tokens"`
	Config      string     `json:"config"`
	OtherConfig bool       `json:"config_differs"`
	Version     string     `json:"version"` // of Weir
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
	lines := replicaLines(list)
	switch c.Format {
	case formatJSON:
		return printJSON(sys.stdout, lines)
	case formatCSV:
		return admin.WriteCSV(sys.stdout, replicaRows([]string{"name", "id", "state", "since", "seen", "holds", "held", "in_doubt", "doubt", "config", "version"}, lines))
	}
	out := tabwriter.NewWriter(sys.stdout, 0, 0, 2, ' ', 0)
	for _, row := range replicaRows([]string{"NAME", "ID", "STATE", "SINCE", "SEEN", "HOLDS", "HELD", "IN DOUBT", "DOUBT", "CONFIG", "VERSION"}, lines) {
		fmt.Fprintln(out, strings.Join(row, "\t")) // Flush returns the errors of all
	}
	return out.Flush()
}

func replicaLines(list []app.Replica) []replicaLine {
	lines := make([]replicaLine, len(list))
	configs := map[string]int{}
	for i := range list {
		r := &list[i]
		lines[i] = replicaLine{
			Name: r.Name, ID: r.ID, State: "forgotten", Forgotten: r.Forgotten, Config: r.Config, Version: r.Program, Holds: r.Holds, HeldMoney: r.Held.Money, HeldTokens: r.Held.Tokens,
			InDoubt: r.InDoubt, DoubtMoney: r.Doubt.Money, DoubtTokens: r.Doubt.Tokens,
		}
		if r.Forgotten {
			continue
		}
		l := &lines[i]
		l.Since, l.Seen, l.State = &r.Since, &r.Seen, "here"
		switch {
		case r.Left:
			l.State = "left"
		case !r.Here:
			l.State = "silent"
		case r.Config != "":
			configs[r.Config]++
		}
	}
	usual := ""
	for i := range lines { // of two that as many have, that of the one that was seen last
		if configs[lines[i].Config] > configs[usual] {
			usual = lines[i].Config
		}
	}
	for i := range lines {
		l := &lines[i]
		l.OtherConfig = l.State == "here" && l.Config != "" && l.Config != usual
	}
	return lines
}

func replicaRows(head []string, lines []replicaLine) [][]string {
	rows := [][]string{head}
	for i := range lines {
		l := &lines[i]
		config := l.Config
		if l.OtherConfig {
			config += "*"
		}
		rows = append(rows, []string{
			l.Name, l.ID, l.State, timeCell(l.Since), timeCell(l.Seen), strconv.FormatInt(l.Holds, 10), amountCell(l.HeldMoney, l.HeldTokens),
			strconv.FormatInt(l.InDoubt, 10), amountCell(l.DoubtMoney, l.DoubtTokens), config, l.Version,
		})
	}
	return rows
}

// amountCell is what is had of budgets in dollars and of those in tokens.
func amountCell(nanodollars, tokens int64) string {
	cell := "$" + money.Dollars(nanodollars)
	if tokens > 0 {
		cell += " + " + strconv.FormatInt(tokens, 10) + " tokens"
	}
	return cell
}

type replicasForgetCmd struct {
	storeFlag
	Replica       string `arg:"" name:"REPLICA" help:"Its id or name: weir replicas list shows them."`
	AssumeUnspent bool   `help:"Give back what it held instead: you know that it made no more calls."`
	Force         bool   `help:"Also if it was seen within the last minute. It then refuses all keys with budgets, if it is still there."`
}

func (replicasForgetCmd) Help() string {
	return `For a Weir whose data folder is lost. What it held of budgets is charged for the period, because it may have spent it. If its data folder turns up and it starts
again, what it did spend counts instead.

Example:
  weir replicas forget weir-2`
}

// Run gives a replica up.
func (c replicasForgetCmd) Run(ctx context.Context, sys *system) error {
	at, err := c.store(sys)
	if err != nil {
		return err
	}
	id, err := app.ForgetReplica(ctx, at, c.Replica, c.AssumeUnspent, c.Force)
	if err != nil {
		return err
	}
	what := "charged"
	if c.AssumeUnspent {
		what = "given back"
	}
	_, err = fmt.Fprintf(sys.stdout, "The replica %s is forgotten, and what it held of budgets is %s.\n", id, what)
	return err
}
