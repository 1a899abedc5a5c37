package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weirproxy/weir/internal/load"
)

// benchReport is what weir bench prints as JSON. Times are in milliseconds.
type benchReport struct {
	URL         string  `json:"url"`
	Model       string  `json:"model,omitempty"` // of a body that bench generated
	Stream      bool    `json:"stream,omitempty"`
	BodyBytes   int     `json:"body_bytes"`
	Loop        string  `json:"loop"` // closed, open
	Concurrency int     `json:"concurrency"`
	Rate        float64 `json:"rate,omitempty"`

	Seconds           float64 `json:"seconds"`
	Requests          int64   `json:"requests"` // answered well
	Failed            int64   `json:"failed"`
	Unfinished        int64   `json:"unfinished"`
	Unsent            int64   `json:"unsent"`
	RequestsPerSecond float64 `json:"requests_per_second"`
	Events            int64   `json:"events"`
	EventsPerSecond   float64 `json:"events_per_second"`
	BytesReceived     int64   `json:"bytes_received"`
	Interrupted       bool    `json:"interrupted"`

	Latency       *benchTimes    `json:"latency_ms,omitempty"`
	FirstToken    *benchTimes    `json:"first_token_ms,omitempty"`
	BetweenEvents *benchTimes    `json:"between_events_ms,omitempty"`
	Failures      []benchFailure `json:"failures"`
}

type benchTimes struct {
	Count uint64  `json:"count"`
	Min   float64 `json:"min"`
	Mean  float64 `json:"mean"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P95   float64 `json:"p95"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p999"`
	Max   float64 `json:"max"`
}

type benchFailure struct {
	Status  int    `json:"status"` // 0: no answer came
	Code    string `json:"code"`
	Count   int64  `json:"count"`
	Message string `json:"message"`
}

func (c benchCmd) report(plan load.Plan, result *load.Result) benchReport {
	seconds := result.Elapsed.Seconds()
	r := benchReport{
		URL: plan.URL, Model: c.Model, Stream: c.Stream, BodyBytes: len(plan.Body), Loop: "closed", Concurrency: plan.Concurrency, Rate: plan.Rate,
		Seconds: seconds, Requests: result.Requests, Failed: result.Failed, Unfinished: result.Unfinished, Unsent: result.Unsent,
		RequestsPerSecond: float64(result.Requests) / seconds, Events: result.Events, EventsPerSecond: float64(result.Events) / seconds,
		BytesReceived: result.BytesIn, Interrupted: result.Interrupted,
		Latency: times(result.Latency), FirstToken: times(result.FirstToken), BetweenEvents: times(result.Between),
		Failures: []benchFailure{},
	}
	if plan.Rate > 0 {
		r.Loop = "open"
	}
	if c.Body != "" {
		r.Model, r.Stream = "", false // the file's are not known
	}
	for _, f := range result.Failures {
		r.Failures = append(r.Failures, benchFailure{f.Status, f.Code, f.Count, f.Example})
	}
	return r
}

// times is nil for what was never measured.
func times(s load.Summary) *benchTimes {
	if s.Count == 0 {
		return nil
	}
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	return &benchTimes{s.Count, ms(s.Min), ms(s.Mean), ms(s.P50), ms(s.P90), ms(s.P95), ms(s.P99), ms(s.P999), ms(s.Max)}
}

// print writes the report for people.
func (r benchReport) print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	what := ""
	if r.Model != "" {
		what = " for " + r.Model
	}
	if r.Stream {
		what += ", streams"
	}
	pace := fmt.Sprintf("%d at a time", r.Concurrency)
	if r.Loop == "open" {
		pace = fmt.Sprintf("%g a second were due, at most %d at a time", r.Rate, r.Concurrency)
	}
	fmt.Fprintf(w, "POST %s%s, bodies of %d bytes; %s\n\n", r.URL, what, r.BodyBytes, pace)
	fmt.Fprintf(w, "answered  %d in %.2f s, %.1f a second\nfailed    %d\n", r.Requests, r.Seconds, r.RequestsPerSecond, r.Failed)
	if r.Events > 0 {
		fmt.Fprintf(w, "events    %d, %.1f a second\n", r.Events, r.EventsPerSecond)
	}
	if r.Interrupted {
		fmt.Fprintf(w, "cut off   %d by the interrupt\n", r.Unfinished)
	}
	if r.Unsent > 0 {
		fmt.Fprintf(w, "not sent  %d, though due, because no more than %d may run at a time\n", r.Unsent, r.Concurrency)
	}
	if r.Latency != nil {
		fmt.Fprintln(w)
		fmt.Fprintln(out, "milliseconds\tmin\tmean\tp50\tp90\tp95\tp99\tp99.9\tmax\t") // Flush returns the errors of all
		printTimes(out, "whole answer", r.Latency)
		printTimes(out, "first token", r.FirstToken)
		printTimes(out, "between events", r.BetweenEvents)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return r.printFailures(w)
}

func printTimes(w io.Writer, name string, t *benchTimes) {
	if t == nil {
		return
	}
	fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t\n", name, t.Min, t.Mean, t.P50, t.P90, t.P95, t.P99, t.P999, t.Max)
}

func (r benchReport) printFailures(w io.Writer) error {
	if len(r.Failures) == 0 {
		return nil
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "\nFAILED\tSTATUS\tCODE\tFIRST MESSAGE")
	for _, f := range r.Failures {
		status := "-"
		if f.Status > 0 {
			status = fmt.Sprint(f.Status)
		}
		fmt.Fprintf(out, "%d\t%s\t%s\t%s\n", f.Count, status, f.Code, strings.ToValidUTF8(printable(f.Message), "?"))
	}
	return out.Flush()
}

// printable is a message on one line, without what would control a terminal.
func printable(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || c >= 0x80 && c < 0xa0 {
			return ' '
		}
		return c
	}, text)
}
