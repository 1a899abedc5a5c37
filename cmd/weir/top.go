package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/weirproxy/weir/internal/admin"
)

type topCmd struct {
	adminFlags
	Over time.Duration `default:"5s" help:"Rates are those of so long: 1s to 5m."`
	Once bool          `help:"Print one view, and end."`
	JSON bool          `name:"json" help:"With --once: print it as JSON."`
}

func (topCmd) Help() string {
	return `Watches a running Weir in the terminal: what runs, how many requests a second come, what fails, tokens, cost, the time to the first content, and
whether targets are well. It redraws once a second, until q or Ctrl-C. Of Weirs that share a store it shows the one that is called, whose name is at
the top. Rates are made of counters, and a call is counted when it ends. FAILED is the share of requests that got a status of 500 or more.

Without --once, standard output must be a terminal. NO_COLOR turns colours off.

Examples:
  weir top
  ssh gateway weir top --once --json --over 10s`
}

// Run shows one view, or one after another.
func (c topCmd) Run(ctx context.Context, sys *system) error {
	if err := c.check(sys); err != nil {
		return &exitError{2, err}
	}
	client, err := c.client(sys)
	if err != nil {
		return err
	}
	ctx, cancel := sys.interruptible(ctx)
	defer cancel()
	w := &watching{client: client, over: c.Over}
	first, err := w.read(ctx)
	if err != nil {
		return usage(err)
	}
	if c.Once {
		return c.once(ctx, sys, w)
	}
	return watch(ctx, sys, w, first)
}

// check finds what is wrong before a server is asked.
func (c topCmd) check(sys *system) error {
	term, _ := sys.env("TERM")
	switch {
	case c.Over < time.Second || c.Over > 5*time.Minute:
		return errors.New("--over is a time from 1s to 5m")
	case c.JSON && !c.Once:
		return errors.New("--json prints one view: add --once")
	case !c.Once && (!sys.terminal || sys.screen == nil || term == "dumb"):
		return errors.New("standard output is no terminal that can be drawn on: give --once")
	}
	return nil
}

// once prints one view, whose rates begin with the reading before.
func (c topCmd) once(ctx context.Context, sys *system, w *watching) error {
	timer := time.NewTimer(c.Over)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return nil
	case <-timer.C:
	}
	view, err := w.read(ctx)
	if err != nil {
		return usage(err)
	}
	if c.JSON {
		return printJSON(sys.stdout, view)
	}
	return printLines(sys.stdout, view.lines(0, 0))
}

// mostRunning bounds how many running requests are asked for: a terminal has room for few more.
const mostRunning = 200

// longestReading is how long one reading may take.
const longestReading = 5 * time.Second

// watching asks one Weir, again and again.
type watching struct {
	client *admin.Client
	over   time.Duration
	past   []*figures // the oldest first; the first is as old as rates reach back
}

// read is one reading: two calls, of which one is for figures and the other for what runs.
func (w *watching) read(ctx context.Context) (*topView, error) {
	ctx, cancel := context.WithTimeout(ctx, longestReading)
	defer cancel()
	text, err := w.client.Metrics(ctx)
	if err != nil {
		return nil, err
	}
	now, err := readFigures(text, time.Now())
	if err != nil {
		return nil, fmt.Errorf("what answers at %s/metrics are not Weir's figures: %w", w.client.BaseURL, err)
	}
	running, err := w.client.Running(ctx, url.Values{"limit": {strconv.Itoa(mostRunning)}})
	if err != nil {
		return nil, err
	}
	w.keep(now)
	view := now.since(w.past[0])
	view.Admin, view.Instance = w.client.BaseURL, running.Instance
	view.Running, view.Requests = running.Admitted, running.Data
	view.count()
	return view, nil
}

// keep forgets what is older than needed, and everything when the counters began again.
func (w *watching) keep(now *figures) {
	if n := len(w.past); n > 0 && now.began(w.past[n-1]) {
		w.past = nil
	}
	w.past = append(w.past, now)
	for len(w.past) > 2 && now.at.Sub(w.past[1].at) >= w.over {
		w.past = w.past[1:]
	}
}
