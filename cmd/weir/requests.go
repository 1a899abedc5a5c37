package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

type requestsCmd struct {
	adminFlags
	formatFlag
	ID *string `arg:"" name:"id" optional:"" help:"Show this request alone, with all that was tried for it."`

	Key      *string `placeholder:"KEY" help:"Of the key with this id or name alone."`
	Team     *string `placeholder:"TEAM" help:"Of the team with this id or name alone."`
	Model    *string `placeholder:"MODEL" help:"With a call of this logical model."`
	Provider *string `placeholder:"PROVIDER" help:"With a call to this provider."`
	Target   *string `placeholder:"TARGET" help:"With a call to this target, as provider/model."`
	Status   *string `placeholder:"STATUS" help:"That ended so: ok, failed or canceled."`
	Outcome  *string `placeholder:"OUTCOME" help:"With a call that ended so, as rate_limited: one of the outcomes in the log."`
	Flag     *string `placeholder:"FLAG" help:"With a call that is flagged so, as retry or cut."`
	Tag      *string `placeholder:"NAME=VALUE" help:"With this tag."`
	Slower   *string `placeholder:"TIME" help:"That took at least so long: 800ms, 2s, 1m30s."`
	Dearer   *string `placeholder:"DOLLARS" help:"That cost at least so many dollars: 0.05."`
	Since    *string `placeholder:"WHEN" help:"That began from then on: 24h, 7d or 2w ago, a date, or an RFC 3339 date-time."`
	Until    *string `placeholder:"WHEN" help:"That began before then, in the same forms."`
	Limit    *int    `placeholder:"N" help:"At most so many. Default: 100."`
	Cursor   *string `placeholder:"CURSOR" help:"Go on where the search before ended, which says its cursor."`
}

func (requestsCmd) Help() string {
	return `Lists requests of the ledger of a running Weir, the newest first, or shows one: each call that was made for it, what came of it, how long it
took, and its cost, class by class. COST is what all calls of a request cost, FIRST is the time to the first content. A search ends after some
100,000 calls: it says how far back it has come, and how to go on.

Examples:
  weir requests --status failed --since 1h
  weir requests --key app --slower 10s --dearer 0.05 --format csv
  weir requests req_0D1JUTABCDEFGH000000000000`
}

// Run prints requests, or one.
func (c requestsCmd) Run(ctx context.Context, sys *system) error {
	query, err := c.query()
	if err != nil {
		return &exitError{2, err}
	}
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	if c.ID != nil {
		return c.one(ctx, sys, client)
	}
	page, err := c.search(ctx, client, query)
	if err != nil {
		return usage(err)
	}
	switch c.Format {
	case formatJSON:
		return printJSON(sys.stdout, page)
	case formatCSV:
		err = admin.WriteTable(sys.stdout, page.Data)
	default:
		err = requestsTable(sys.stdout, page.Data)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(sys.stderr, searchWords(&page))
	return err
}

func (c requestsCmd) one(ctx context.Context, sys *system, client *admin.Client) error {
	trail, err := client.Request(ctx, *c.ID)
	if err != nil {
		return usage(err)
	}
	switch c.Format {
	case formatJSON:
		return printJSON(sys.stdout, trail)
	case formatCSV:
		return admin.WriteTable(sys.stdout, trail.Trail)
	}
	return printTrail(sys.stdout, &trail)
}

// query are the parameters of the list, but for its pages. What is wrong with them is found before a server is asked.
func (c requestsCmd) query() (url.Values, error) {
	query := url.Values{}
	for name, flag := range map[string]*string{
		"key": c.Key, "team": c.Team, "model": c.Model, "provider": c.Provider, "target": c.Target, "status": c.Status, "outcome": c.Outcome, "flag": c.Flag, "tag": c.Tag,
		"min_took": c.Slower, "since": c.Since, "until": c.Until, "cursor": c.Cursor,
	} {
		add(query, name, flag)
	}
	if c.Dearer != nil {
		cost := llm.JSON(*c.Dearer).Dollars()
		if !cost.Known || cost.Nanodollars == 0 {
			return nil, fmt.Errorf("--dearer %q is no amount in dollars, such as 0.05", *c.Dearer)
		}
		query.Set("min_cost_nanodollars", strconv.FormatInt(cost.Nanodollars, 10))
	}
	if c.ID != nil {
		if *c.ID == "" {
			return nil, errors.New("the id of the request is empty: weir requests without one lists requests")
		}
		if len(query) > 0 || c.Limit != nil {
			return nil, errors.New("flags choose requests of a list, and one request was named: give one of the two")
		}
	}
	if c.Limit != nil && *c.Limit < 1 {
		return nil, errors.New("--limit is a whole number from 1 on")
	}
	_, err := ledger.AskRequests(query, time.Now())
	var wrong *ledger.AskError
	if errors.As(err, &wrong) && wrong.Param == "min_took" {
		return nil, fmt.Errorf("--slower %q is no time such as 800ms, 2s or 1m30s", *c.Slower)
	}
	return query, err
}

// mostSearches bounds how often a command goes on with a search, besides the pages that hold what it may show: each time may read 10,000 calls.
const mostSearches = 10

// search gets as many requests as are wanted, from as many pages as are needed.
func (c requestsCmd) search(ctx context.Context, client *admin.Client, query url.Values) (all admin.RequestPage, err error) {
	left := defaultRows
	if c.Limit != nil {
		left = *c.Limit
	}
	all.Data = []admin.Request{}
	for range mostSearches + left/mostRows {
		query.Set("limit", strconv.Itoa(min(left, mostRows)))
		page, err := client.Requests(ctx, query)
		if err != nil {
			return all, err
		}
		all.Data, all.Next, all.Searched, left = append(all.Data, page.Data...), page.Next, page.Searched, left-len(page.Data)
		if page.Next == nil || left <= 0 {
			break
		}
		query.Set("cursor", *page.Next)
	}
	return all, nil
}

// searchWords say how far a search has come, and how to go on.
func searchWords(page *admin.RequestPage) string {
	found := strconv.Itoa(len(page.Data)) + " requests"
	if len(page.Data) == 1 {
		found = "1 request"
	}
	switch {
	case page.Next != nil && page.Searched != nil:
		return fmt.Sprintf("Searched back to %s, %s found. To go on: the same command with --cursor %s", page.Searched.Format(time.RFC3339), found, *page.Next)
	case page.Searched != nil:
		return fmt.Sprintf("Searched back to %s, %s found.", page.Searched.Format(time.RFC3339), found)
	}
	return fmt.Sprintf("Searched all that the ledger has, %s found.", found)
}

// targetOf is a target as it is named everywhere. Callers may choose the provider's name of a model.
func targetOf(provider, upstream string) string { return visible(provider + "/" + upstream) }

// millis is a time in microseconds for people, "-" without one.
func millis(micros *int64) string {
	if micros == nil {
		return "-"
	}
	return span(*micros)
}

func span(micros int64) string {
	d := time.Duration(micros) * time.Microsecond
	if d < time.Millisecond {
		return d.String()
	}
	return d.Round(time.Millisecond).String()
}

// words are a list in a cell.
func words(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, " ")
}
