package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// record is the result of a run: the raw figures and what they were measured with.
type record struct {
	Date        string   `json:"date"`
	Machine     string   `json:"machine"`
	Go          string   `json:"go"`
	Nginx       string   `json:"nginx"`
	Rounds      int      `json:"rounds"`
	Seconds     float64  `json:"seconds"` // duration of each closed loop
	Concurrency int      `json:"concurrency"`
	Streams     int      `json:"streams"` // open at most while growth is measured
	Candidates  []string `json:"candidates"`
	Figures     []figure `json:"figures"`
	Pace        *pace    `json:"pace,omitempty"`   // of the journal; nil if that was not measured
	Shared      *shared  `json:"shared,omitempty"` // what replicas cost; nil if that was not measured
	Read        *read    `json:"read,omitempty"`   // how the console's pages read; nil if that was not measured
	Seen        *seen    `json:"seen,omitempty"`   // how a browser shows them; nil if that was not measured
}

// figure is one measured value.
type figure struct {
	Mode      string  `json:"mode"`
	Round     int     `json:"round"`
	Workload  string  `json:"workload"`
	Candidate string  `json:"candidate"`
	Metric    string  `json:"metric"`
	Value     float64 `json:"value"`
}

func (r *record) save(path string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

func readRecord(path string) (*record, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &r, nil
}

// series are the values of one metric by round.
type series map[int]float64

func (r *record) series(mode, workload, candidate, metric string) series {
	s := series{}
	for _, f := range r.Figures {
		if f.Mode == mode && f.Workload == workload && f.Candidate == candidate && f.Metric == metric {
			s[f.Round] = f.Value
		}
	}
	return s
}

func (s series) sorted() []float64 {
	all := make([]float64, 0, len(s))
	for _, v := range s {
		all = append(all, v)
	}
	slices.Sort(all)
	return all
}

func (s series) median() float64 {
	all := s.sorted()
	if len(all) == 0 {
		return 0
	}
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

func (s series) least() float64 { return slices.Min(s.sorted()) }
func (s series) most() float64  { return slices.Max(s.sorted()) }

// with combines the rounds that both have.
func (s series) with(other series, f func(a, b float64) float64) series {
	both := series{}
	for round, v := range s {
		if o, ok := other[round]; ok {
			both[round] = f(v, o)
		}
	}
	return both
}

// minus is what s has more than other in the same rounds.
func (s series) minus(other series) series {
	return s.with(other, func(a, b float64) float64 { return a - b })
}

// ratio is the median of the rounds' ratios, as text.
func (s series) ratio(other series) string {
	all := s.with(other, func(a, b float64) float64 { return a / b })
	if len(all) == 0 || other.least() <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", all.median())
}

// references are the candidates that others are compared with: the other proxies, the first Weir, and the one without an account.
func (r *record) references() []string {
	var names []string
	foreign := []string{direct.name, nginx.name, reverseProxy.name, passThrough.name, freely.name}
	weir := false
	for _, c := range r.Candidates {
		known := slices.Contains(foreign, c)
		if c != direct.name && (known || !weir) {
			names = append(names, c)
		}
		weir = weir || !known
	}
	return names
}

// print writes the median and the range of every metric, and how it compares in the same rounds.
func (r *record) print(w io.Writer) error {
	var order []figure
	for _, f := range r.Figures {
		if !slices.ContainsFunc(order, func(o figure) bool { return o.Mode == f.Mode && o.Workload == f.Workload && o.Metric == f.Metric }) {
			order = append(order, f)
		}
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(out, "MODE\tWORKLOAD\tMETRIC\tCANDIDATE\tMEDIAN\tLEAST\tMOST")
	for _, name := range r.references() {
		fmt.Fprint(out, "\tTO "+strings.ToUpper(name))
	}
	fmt.Fprintln(out)
	for _, o := range order {
		for _, c := range r.Candidates {
			s := r.series(o.Mode, o.Workload, c, o.Metric)
			if len(s) == 0 || s.most() == 0 { // the way without proxy has no costs of a proxy
				continue
			}
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s", o.Mode, o.Workload, o.Metric, c, digits(s.median()), digits(s.least()), digits(s.most()))
			for _, name := range r.references() {
				fmt.Fprint(out, "\t"+s.ratio(r.series(o.Mode, o.Workload, name, o.Metric)))
			}
			fmt.Fprintln(out)
		}
	}
	err := out.Flush()
	if r.Pace != nil {
		_, failed := fmt.Fprintln(w, r.Pace.words())
		err = errors.Join(err, failed)
	}
	if r.Shared != nil {
		_, failed := fmt.Fprintln(w, r.replicasTable())
		err = errors.Join(err, failed)
	}
	if r.Read != nil {
		_, failed := fmt.Fprintln(w, r.consoleTable())
		err = errors.Join(err, failed)
	}
	if r.Seen != nil {
		_, failed := fmt.Fprintln(w, r.browserTable())
		err = errors.Join(err, failed)
	}
	return err
}

// digits writes a figure with no more digits than mean something.
func digits(v float64) string {
	switch abs := max(v, -v); {
	case abs >= 100:
		return thousands(int64(math.Round(v)))
	case abs >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// thousands groups digits by three.
func thousands(n int64) string {
	if n < 0 {
		return "-" + thousands(-n)
	}
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
