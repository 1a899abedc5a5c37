package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/admin"
)

// figures are what GET /metrics says at a moment, as far as it is shown.
type figures struct {
	at      time.Time
	sums    map[string]float64 // of counters, over all labels
	first   map[float64]float64
	targets map[string]*targetFigures
	alerts  []string
	version string
}

// targetFigures are those of a target of the config.
type targetFigures struct {
	closed, open, trying float64 // breakers
	tokens               float64
}

// The sums of figures.
const (
	sumRequests = "requests"
	sumFailed   = "failed"
	sumInput    = "input"
	sumOutput   = "output"
	sumCost     = "cost"
)

// readFigures reads Prometheus' text format. Lines of other metrics are passed over.
func readFigures(text string, at time.Time) (*figures, error) {
	f := &figures{at: at, sums: map[string]float64{}, first: map[float64]float64{}, targets: map[string]*targetFigures{}}
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "weir_") {
			continue
		}
		name, labels, value, err := readFigure(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, err
		}
		f.add(name, labels, value)
	}
	if f.version == "" {
		return nil, errors.New("weir_build_info is missing")
	}
	slices.Sort(f.alerts)
	return f, nil
}

// readFigure reads a line: a name, labels if there are any, and a value.
func readFigure(line string) (name string, labels map[string]string, value float64, err error) {
	malformed := fmt.Errorf("%q is no line of figures", line)
	end := strings.IndexAny(line, "{ ")
	if end < 0 {
		return "", nil, 0, malformed
	}
	name, rest := line[:end], line[end:]
	labels = map[string]string{}
	for rest[0] != ' ' { // rest begins with the brace, or with a comma
		label, after, ok := strings.Cut(rest[1:], "=")
		if !ok {
			return "", nil, 0, malformed
		}
		quoted, err := strconv.QuotedPrefix(after)
		if err != nil || len(after) == len(quoted) {
			return "", nil, 0, malformed
		}
		if labels[label], err = strconv.Unquote(quoted); err != nil {
			return "", nil, 0, malformed
		}
		var closed bool
		rest, closed = strings.CutPrefix(after[len(quoted):], "}")
		if want := map[bool]string{true: " ", false: ","}[closed]; !strings.HasPrefix(rest, want) {
			return "", nil, 0, malformed
		}
	}
	if value, err = strconv.ParseFloat(rest[1:], 64); err != nil {
		return "", nil, 0, malformed
	}
	return name, labels, value, nil
}

// add takes a figure over.
func (f *figures) add(name string, labels map[string]string, value float64) {
	switch name {
	case "weir_build_info":
		f.version = labels["version"]
	case "weir_requests_total":
		f.sums[sumRequests] += value
		if status, err := strconv.Atoi(labels["status"]); err == nil && status >= 500 {
			f.sums[sumFailed] += value
		}
	case "weir_tokens_total":
		sum := sumInput
		if labels["class"] == "output" {
			sum = sumOutput
		}
		f.sums[sum] += value
	case "weir_cost_dollars_total":
		f.sums[sumCost] += value
	case "weir_time_to_first_content_seconds_bucket":
		if below, err := strconv.ParseFloat(labels["le"], 64); err == nil {
			f.first[below] += value
		}
	case "weir_target_tokens_total":
		f.target(labels).tokens += value
	case "weir_breakers":
		t := f.target(labels)
		if state := map[string]*float64{"closed": &t.closed, "open": &t.open, "trying": &t.trying}[labels["state"]]; state != nil { // a later Weir may have more
			*state += value
		}
	default:
		f.alert(name, labels, value)
	}
}

func (f *figures) target(labels map[string]string) *targetFigures {
	name := targetOf(labels["provider"], labels["upstream_model"])
	if f.targets[name] == nil {
		f.targets[name] = new(targetFigures)
	}
	return f.targets[name]
}

// alert notes what an operator has to know at once.
func (f *figures) alert(name string, labels map[string]string, value float64) {
	switch {
	case name == "weir_credentials_parked" && value > 0:
		f.alerts = append(f.alerts, fmt.Sprintf("%s of %s parked: the provider refused them", count(int(value), "credential"), visible(labels["provider"])))
	case name == "weir_ledger_failing" && value > 0:
		f.alerts = append(f.alerts, "the journal of the ledger cannot be written")
	case name == "weir_ledger_behind_seconds" && value > 10:
		f.alerts = append(f.alerts, fmt.Sprintf("the store is %s behind the journal", (time.Duration(value)*time.Second).String()))
	case name == failingSecrets && value > 0:
		f.alerts = append(f.alerts, sayFailing(labels, value))
	case name == "weir_config_valid" && value == 0:
		f.alerts = append(f.alerts, "the config file was refused; the one before is in force")
	}
}

// failingSecrets is the figure of values that cannot be read again.
const failingSecrets = "weir_secrets_failing"

func sayFailing(labels map[string]string, value float64) string {
	return fmt.Sprintf("%s of source %s cannot be read again: the last ones are in use", count(int(value), "secret"), visible(labels["source"]))
}

// began reports whether counters began again after other figures: Weir was started again, or another one answers.
func (f *figures) began(other *figures) bool {
	for name, was := range other.sums {
		if f.sums[name] < was {
			return true
		}
	}
	return f.version != other.version
}

// topView is what is shown of a moment.
type topView struct {
	At       time.Time `json:"at"`
	Admin    string    `json:"admin"`
	Instance string    `json:"instance"` // the Weir that is watched
	Version  string    `json:"version"`
	Seconds  float64   `json:"over_seconds"` // rates are of so long; 0 in the first reading, which has none

	Running     int      `json:"running"`
	PerSecond   float64  `json:"requests_per_second"`
	Failed      *float64 `json:"failed_share"` // of the requests that ended; nil without any
	Input       float64  `json:"input_tokens_per_second"`
	Output      float64  `json:"output_tokens_per_second"`
	CostPerHour int64    `json:"cost_nanodollars_per_hour"`
	FirstP50    *int64   `json:"first_p50_ms"` // nil without an answer
	FirstP95    *int64   `json:"first_p95_ms"`

	Alerts   []string        `json:"alerts"`   // never null
	Targets  []topTarget     `json:"targets"`  // those that are not well first; never null
	Requests []admin.Running `json:"requests"` // the oldest first, at most 200
}

// topTarget is a target of the config.
type topTarget struct {
	Target  string  `json:"target"`
	Breaker string  `json:"breaker"` // closed, open or trying
	Open    int     `json:"open"`    // of a target that ends in *: how many of its breakers are
	Running *int    `json:"running"` // nil if more requests run than are listed
	Tokens  float64 `json:"tokens_per_second"`
}

// since is what happened between earlier figures and these.
func (f *figures) since(past *figures) *topView {
	v := &topView{At: f.at, Version: f.version, Seconds: f.at.Sub(past.at).Seconds(), Alerts: append([]string{}, f.alerts...), Targets: []topTarget{}}
	rate := func(now, was float64) float64 {
		if v.Seconds <= 0 {
			return 0
		}
		return max(now-was, 0) / v.Seconds
	}
	sum := func(name string) float64 { return rate(f.sums[name], past.sums[name]) }
	v.PerSecond, v.Input, v.Output = sum(sumRequests), sum(sumInput), sum(sumOutput)
	v.CostPerHour = int64(math.Round(sum(sumCost) * 3600 * 1e9))
	if v.PerSecond > 0 {
		share := sum(sumFailed) / v.PerSecond
		v.Failed = &share
	}
	v.FirstP50, v.FirstP95 = quantileSince(f.first, past.first, 0.5), quantileSince(f.first, past.first, 0.95)
	for name, t := range f.targets {
		was := cmp.Or(past.targets[name], &targetFigures{})
		one := topTarget{Target: name, Breaker: "closed", Open: int(t.open), Tokens: rate(t.tokens, was.tokens)}
		switch {
		case t.open > 0:
			one.Breaker = "open"
		case t.trying > 0:
			one.Breaker = "trying"
		}
		v.Targets = append(v.Targets, one)
	}
	return v
}

// quantileSince is the time, in milliseconds, that a share of what was counted since did not exceed: within a range of the histogram it is taken to be
// spread evenly.
func quantileSince(now, was map[float64]float64, share float64) *int64 {
	var bounds []float64
	for below := range now {
		bounds = append(bounds, below)
	}
	slices.Sort(bounds)
	if len(bounds) == 0 {
		return nil
	}
	last := bounds[len(bounds)-1]
	all := now[last] - was[last]
	if all <= 0 {
		return nil
	}
	begin, counted := 0.0, 0.0
	for _, below := range bounds {
		n := now[below] - was[below]
		if n < share*all {
			begin, counted = below, n
			continue
		}
		at := begin
		if !math.IsInf(below, 1) {
			at += (below - begin) * (share*all - counted) / (n - counted)
		}
		ms := int64(math.Round(at * 1000))
		return &ms
	}
	return nil
}

// count counts the requests that run at each target, if all are known, and puts the targets in order.
func (v *topView) count() {
	at := map[string]int{}
	for i := range v.Requests {
		r := &v.Requests[i]
		if r.Provider != nil && r.Upstream != nil {
			at[configured(v.Targets, targetOf(*r.Provider, *r.Upstream))]++
		}
	}
	if v.Running <= len(v.Requests) {
		for i := range v.Targets {
			n := at[v.Targets[i].Target]
			v.Targets[i].Running = &n
		}
	}
	rank := map[string]int{"open": 0, "trying": 1, "closed": 2}
	slices.SortFunc(v.Targets, func(a, b topTarget) int {
		return cmp.Or(cmp.Compare(rank[a.Breaker], rank[b.Breaker]), cmp.Compare(at[b.Target], at[a.Target]), cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Target, b.Target))
	})
}

// configured is the target of the config that a target belongs to: itself, or the longest that ends in * and has all that begin so.
func configured(targets []topTarget, name string) (found string) {
	for i := range targets {
		of := targets[i].Target
		if of == name {
			return of
		}
		if prefix, wild := strings.CutSuffix(of, "*"); wild && strings.HasPrefix(name, prefix) && len(of) > len(found) {
			found = of
		}
	}
	return found
}
