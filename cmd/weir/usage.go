package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
)

type usageCmd struct {
	adminFlags
	formatFlag
	By    *string `placeholder:"WHAT" help:"Sum by model, key, team, provider or tag, or by two of these, and by hour, day or month. Default: model."`
	Since *string `placeholder:"WHEN" help:"From when on: 24h, 7d or 2w ago, a date, or an RFC 3339 date-time. Default: 24h; with --rows no bound."`
	Until *string `placeholder:"WHEN" help:"Until when, in the same forms. Default: now."`
	Key   *string `placeholder:"KEY" help:"Of the key with this id or name alone."`
	Team  *string `placeholder:"TEAM" help:"Of the team with this id or name alone."`
	Model *string `placeholder:"MODEL" help:"Of this logical model alone."`

	Top *int `placeholder:"N" help:"Only the N groups that cost most, at most 1,000, the most first."`

	Rows    bool    `help:"Show single calls to upstreams, the newest first, and no sums."`
	Request *string `placeholder:"ID" help:"With --rows: the calls of this request."`
	Flag    *string `placeholder:"FLAG" help:"With --rows: the calls that are flagged so, as orphaned, retry or in_doubt."`
	Limit   *int    `placeholder:"N" help:"With --rows: at most so many. Default: 100."`
}

func (usageCmd) Help() string {
	return `Asks a running Weir over its admin API what was used and what it cost. Sums are kept by the hour, and by the day for tags: the span is
widened to whole ones. A request may take several attempts, which are calls to upstreams. INPUT includes what a cache gave or took,
OUTPUT includes reasoning. NOTES counts the calls whose figures Weir counted itself (estimated), those that were charged what was held
because Weir ended before they did (orphaned), and those that were sent and not answered (in doubt).

Examples:
  weir usage --by key --since 7d --top 20
  weir usage --by day --since 2026-03-01 --until 2026-04-01 --format csv
  weir usage --rows --key app --flag retry`
}

// Run prints sums, or rows.
func (c usageCmd) Run(ctx context.Context, sys *system) error {
	if err := c.check(); err != nil {
		return &exitError{2, err}
	}
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	if c.Rows {
		return c.rows(ctx, sys, client)
	}
	page, err := client.Usage(ctx, c.sums())
	if err != nil {
		return usage(err)
	}
	q, err := c.asked()
	if err != nil {
		return err
	}
	switch c.Format {
	case formatJSON:
		return printJSON(sys.stdout, page)
	case formatCSV:
		return usageCSV(sys.stdout, q.Groups(), page.Data)
	}
	return usageTable(sys.stdout, q.Groups(), page, c.Top != nil)
}

// check finds what is wrong before a server is asked.
func (c usageCmd) check() error {
	switch {
	case c.Rows && c.Top != nil:
		return errors.New("--top chooses groups and --rows shows single calls: give one of the two")
	case c.Rows && c.By != nil:
		return errors.New("--by sums calls and --rows shows each: give one of the two")
	case !c.Rows && (c.Request != nil || c.Flag != nil || c.Limit != nil):
		return errors.New("--request, --flag and --limit choose single calls: add --rows")
	case c.Limit != nil && *c.Limit < 1:
		return errors.New("--limit is a whole number from 1 on")
	}
	var err error
	if c.Rows {
		_, err = ledger.AskRows(c.singly(), time.Now())
	} else {
		_, err = c.asked()
	}
	return err
}

// asked is the question about sums.
func (c usageCmd) asked() (*ledger.UsageQuery, error) {
	return ledger.AskUsage(c.sums(), time.Now(), ledger.Groupings[:]...)
}

// sums are the parameters of a report of sums.
func (c usageCmd) sums() url.Values {
	query := c.filters()
	add(query, "by", c.By)
	if c.Top != nil {
		query.Set("top", strconv.Itoa(*c.Top))
	}
	return query
}

// singly are the parameters of a list of rows, but for its pages.
func (c usageCmd) singly() url.Values {
	query := c.filters()
	add(query, "request", c.Request)
	add(query, "flag", c.Flag)
	return query
}

// filters are the parameters of both kinds of report.
func (c usageCmd) filters() url.Values {
	query := url.Values{}
	add(query, "since", c.Since)
	add(query, "until", c.Until)
	add(query, "key", c.Key)
	add(query, "team", c.Team)
	add(query, "model", c.Model)
	return query
}

// add adds a flag that was given. An empty one is there too, and is refused: a script whose variable is not set would get the rows of all.
func add(query url.Values, name string, flag *string) {
	if flag != nil {
		query.Set(name, *flag)
	}
}

// defaultRows is how many rows are shown, and mostRows how many one page of the API has.
const defaultRows, mostRows = 100, 1000

// rows prints rows, from as many pages as are needed.
func (c usageCmd) rows(ctx context.Context, sys *system, client *admin.Client) error {
	rows, query, left := []admin.Attempt{}, c.singly(), defaultRows
	if c.Limit != nil {
		left = *c.Limit
	}
	for left > 0 {
		query.Set("limit", strconv.Itoa(min(left, mostRows)))
		page, next, err := client.Attempts(ctx, query)
		if err != nil {
			return usage(err)
		}
		rows, left = append(rows, page...), left-len(page)
		if next == nil {
			break
		}
		query.Set("cursor", *next)
	}
	switch c.Format {
	case formatJSON:
		return printJSON(sys.stdout, rows)
	case formatCSV:
		return admin.WriteTable(sys.stdout, rows)
	}
	return attemptsTable(sys.stdout, rows)
}

// usageTable has a line for each group, and one for all. Tags have none, because a call with two of them is in two lines; nor has a part of the
// groups.
func usageTable(w io.Writer, by []ledger.Grouping, page ledger.UsagePage, part bool) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(out, "%s\tREQUESTS\tATTEMPTS\tINPUT\tCACHE READ\tCACHE WRITE\tOUTPUT\tREASONING\tCOST\tNOTES\n", strings.ReplaceAll(strings.ToUpper(strings.Join(groupColumns(by), "\t")), "_", " ")) // Flush returns the errors of all
	var all ledger.Sums
	line := func(group string, f ledger.Figures) {
		fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t$%s\t%s\n", group, f.Requests, f.Attempts, f.Input, f.CacheRead, f.CacheWrite, f.Output, f.Reasoning, money.Dollars(f.Cost), notes(f))
	}
	for i := range page.Data {
		row := &page.Data[i]
		sums := ledger.Sums(row.Figures)
		all.Add(&sums)
		cells := groupCells(by, row)
		for i := range cells {
			cells[i] = cmp.Or(visible(cells[i]), "-")
		}
		line(strings.Join(cells, "\t"), row.Figures)
	}
	if !slices.Contains(by, ledger.ByTag) && !part {
		line("all"+strings.Repeat("\t", len(groupColumns(by))-1), ledger.Figures(all))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "From %s to %s.\n", page.Since.Format(time.RFC3339), page.Until.Format(time.RFC3339))
	return err
}

// groupColumns are the names of the columns of groups: keys and teams have a name besides their id.
func groupColumns(by []ledger.Grouping) (columns []string) {
	for _, g := range by {
		columns = append(columns, string(g))
		switch {
		case g == ledger.ByTeam && slices.Contains(by, ledger.ByKey):
			columns = append(columns, "team_name")
		case g == ledger.ByKey || g == ledger.ByTeam:
			columns = append(columns, "name")
		}
	}
	return columns
}

// groupCells are the cells of these columns.
func groupCells(by []ledger.Grouping, row *ledger.UsageRow) (cells []string) {
	for _, g := range by {
		cells = append(cells, row.Group(g))
		if g == ledger.ByKey || g == ledger.ByTeam {
			cells = append(cells, row.Called(g))
		}
	}
	return cells
}

// notes says how many calls of a group have figures that the provider did not report.
func notes(f ledger.Figures) string {
	var all []string
	for _, note := range []struct {
		n    int64
		what string
	}{{f.Estimated, "estimated"}, {f.Orphaned, "orphaned"}, {f.InDoubt, "in doubt"}} {
		if note.n != 0 {
			all = append(all, fmt.Sprintf("%d %s", note.n, note.what))
		}
	}
	return cmp.Or(strings.Join(all, ", "), "-")
}

// usageCSV has the members of the JSON as its columns.
func usageCSV(w io.Writer, by []ledger.Grouping, rows []ledger.UsageRow) error {
	all := [][]string{append(groupColumns(by), "requests", "attempts", "input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens", "cost_nanodollars", "orphaned", "estimated", "in_doubt")}
	for i := range rows {
		line := groupCells(by, &rows[i])
		sums := ledger.Sums(rows[i].Figures)
		for _, n := range sums.Fields() {
			line = append(line, strconv.FormatInt(*n, 10))
		}
		all = append(all, line)
	}
	return admin.WriteCSV(w, all)
}

func attemptsTable(w io.Writer, rows []admin.Attempt) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "STARTED\tREQUEST\tKEY\tMODEL\tTARGET\tOUTCOME\tINPUT\tOUTPUT\tCOST\tTOOK\tFLAGS") // Flush returns the errors of all
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t$%s\t%v\t%s\n", r.Started.Format(time.RFC3339), r.Request, cmp.Or(r.KeyName, r.Key), visible(r.Model), targetOf(r.Provider, r.Upstream),
			r.Outcome, r.Input, r.Output, money.Dollars(r.Cost), (time.Duration(r.TookMicros) * time.Microsecond).Round(time.Millisecond), cmp.Or(strings.Join(r.Flags, " "), "-"))
	}
	return out.Flush()
}
