package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/money"
)

func requestsTable(w io.Writer, list []admin.Request) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "STARTED\tREQUEST\tKEY\tMODEL\tTARGET\tSTATUS\tCALLS\tFIRST\tTOOK\tINPUT\tOUTPUT\tCOST\tFLAGS") // Flush returns the errors of all
	for i := range list {
		r := &list[i]
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%d\t%d\t$%s\t%s\n", r.Started.Format(time.RFC3339), r.Request, cmp.Or(r.KeyName, r.Key), visible(r.Model), targetOf(r.Provider, r.Upstream),
			statusWords(r), r.Calls, millis(r.FirstMicros), span(r.TookMicros), r.Input, r.Output, money.Dollars(r.Cost), words(r.Flags))
	}
	return out.Flush()
}

// statusWords are how a request ended, with the outcome of the call that decided it where that says more.
func statusWords(r *admin.Request) string {
	if r.Status == r.Outcome {
		return r.Status
	}
	return r.Status + " (" + r.Outcome + ")"
}

// printTrail shows one request for people: what it was, a line for each call, and what each call cost.
func printTrail(w io.Writer, t *admin.Trail) error {
	p := printer{w: w}
	p.line("%s: %s, %s, $%s", t.Request.Request, statusWords(&t.Request), count(t.Calls, "call"), money.Dollars(t.Cost))
	who := t.Key
	if t.KeyName != "" {
		who = t.KeyName + " (" + t.Key + ")"
	}
	if t.Team != nil {
		who += " of the team " + *t.Team
	}
	p.line("Key %s, model %s, target %s", who, visible(t.Model), targetOf(t.Provider, t.Upstream))
	p.line("Started %s, first content after %s, ended after %s; Weir itself took %s before the first call", t.Started.Format(time.RFC3339Nano), millis(t.FirstMicros), span(t.TookMicros), span(t.OwnMicros))
	if len(t.Tags) > 0 {
		p.line("Tags: %s", visible(words(t.Tags)))
	}
	if t.ClientID != nil {
		p.line("The caller's own id: %s", visible(*t.ClientID))
	}
	p.line("")
	p.keep(trailTable(w, t))
	for i := range t.Trail {
		p.call(&t.Trail[i])
	}
	p.line("\nweir explain %s shows what such a request would meet now.", visible(t.Model))
	return p.err
}

// printer writes lines until one fails.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) keep(err error) { p.err = cmp.Or(p.err, err) }

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// trailTable has a line for each call, with when it began after the request did.
func trailTable(w io.Writer, t *admin.Trail) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "CALL\tATTEMPT\tAFTER\tTARGET\tOUTCOME\tHTTP\tFIRST\tTOOK\tINPUT\tOUTPUT\tCOST\tFLAGS") // Flush returns the errors of all
	for i := range t.Trail {
		c := &t.Trail[i]
		if c.Adjusts != nil {
			continue
		}
		status := "-"
		if c.Status != nil {
			status = strconv.Itoa(*c.Status)
		}
		fmt.Fprintf(out, "%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t$%s\t%s\n", c.Call, c.Try, span(c.Started.Sub(t.Started).Microseconds()), targetOf(c.Provider, c.Upstream),
			c.Outcome, status, millis(c.FirstMicros), span(c.TookMicros), c.Input, c.Output, money.Dollars(c.Cost), words(c.Flags))
	}
	return out.Flush()
}

// call says what a call cost and why, or what corrects it.
func (p *printer) call(c *admin.Tried) {
	if c.Reason != nil {
		p.line("\nCorrected on %s by %s: %s", c.Started.Format(time.RFC3339), signed(c.Cost), visible(*c.Reason))
		return
	}
	p.line("\nCall %d: %s. Its row is %d.", c.Call, costWords(c), c.Seq)
	for _, passed := range c.Skipped {
		if more, found := strings.CutPrefix(passed, "+"); found {
			passed = more + " more"
		}
		p.line("  Before it was passed over: %s", visible(passed))
	}
	for _, item := range c.Charges {
		p.line("  %-14s %9d x $%s = $%s", item.Class, item.Units, perUnit(item), money.Dollars(money.CostOf([]money.Item{item})))
	}
	if c.UpstreamID != nil {
		p.line("  The provider calls it %s.", visible(*c.UpstreamID))
	}
	if c.UpstreamModel != nil && *c.UpstreamModel != c.Upstream {
		p.line("  Its answer names the model %s.", visible(*c.UpstreamModel))
	}
}

// costWords say what a call cost, and where its tokens and its cost come from.
func costWords(c *admin.Tried) string {
	if c.Cost == 0 && c.Listed == 0 && c.Input == 0 && c.Output == 0 {
		return "it took nothing"
	}
	cost := "$" + money.Dollars(c.Cost)
	switch c.CostSource {
	case money.Billed.String():
		cost += fmt.Sprintf(" as the provider states it, $%s by the price", money.Dollars(c.Listed))
	case money.Unpriced.String():
		cost += ", because no price is known"
	case money.Fixed.String():
		cost += " as the config sets it"
	}
	tokens := map[string]string{
		"provider": "tokens as the provider reported them", "counted": "tokens as Weir counted them (estimated)", "reserved": "tokens as they were reserved: Weir ended before the call did",
	}[c.Source]
	if c.Price != nil {
		cost += ", price " + *c.Price
	}
	if c.Tier != nil {
		cost += ", tier " + visible(*c.Tier)
	}
	return cost + "; " + tokens
}

// perUnit is the price of a class: of a million tokens, or of one search or request.
func perUnit(item money.Item) string {
	switch item.Class {
	case "search", "request":
		return money.Dollars(item.Price/1000) + " each"
	}
	return money.Dollars(item.Price*1000) + "/M"
}

// visible is a text of others without what a terminal would obey: it may hold escapes, or lines that look like Weir's.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

func signed(n money.Nano) string {
	if n < 0 {
		return "-$" + money.Dollars(-n)
	}
	return "$" + money.Dollars(n)
}
