package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// browser is the name of the part that opens the console's pages in a real browser, of a ledger as large as that of the part console.
const browser = "browser"

// seen are the results: the times of pages and clicks, in milliseconds, of all rounds.
type seen struct {
	Load    string     `json:"load"` // of the machine before and after, as the system shows it
	After   string     `json:"load_after"`
	Rows    int        `json:"rows"`
	Browser string     `json:"browser"` // its version
	Pages   []seenPage `json:"pages"`
	Acts    []seenAct  `json:"acts"`
}

// seenPage is a page that is opened with nothing in the browser's cache, and again.
type seenPage struct {
	Name  string    `json:"name"`
	Fresh []painted `json:"fresh"`
	Again []painted `json:"again"`
}

// painted is one opening.
type painted struct {
	First   float64 `json:"first"`   // something is seen: the first contentful paint
	Largest float64 `json:"largest"` // the largest thing is seen
	Whole   float64 `json:"whole"`   // nothing changes any more
}

// seenAct is a click or a key.
type seenAct struct {
	Name  string    `json:"name"`
	Paint []float64 `json:"paint"` // until the next paint; 0 for less than 16 ms
	Whole []float64 `json:"whole"` // until nothing changes any more
	Task  []float64 `json:"task"`  // the longest time in which the page could not take another one; 0 for less than 50 ms
}

// looking says how much of it is measured.
type looking struct {
	rows, rounds int
}

// browser runs the part of this name. Without a browser it says so and measures nothing.
func (b *bench) browser(ctx context.Context) error {
	return b.look(ctx, &looking{rows: 10_000_000, rounds: 7})
}

func (b *bench) look(ctx context.Context, how *looking) error {
	for _, program := range []string{"chromium", "node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			fmt.Fprintf(os.Stderr, "the part %q is left out: %v\n", browser, err)
			return nil
		}
	}
	b.mode = b.modes[len(b.modes)-1] // Weir and the browser share all processors
	return b.bound(func() error {
		path, f, err := b.fillSQLite(ctx, how.rows)
		if err != nil {
			return fmt.Errorf("%s: %w", browser, err)
		}
		before := machineLoad()
		all, err := b.opened(ctx, how, "sqlite:"+path)
		if err := errors.Join(err, b.emptied(path)); err != nil {
			return fmt.Errorf("%s: %w", browser, err)
		}
		all.Load, all.After, all.Rows = before, machineLoad(), f.Rows
		b.done.Seen = all
		return nil
	})
}

// opened has the console's own suite open the pages of a Weir that has a store.
func (b *bench) opened(ctx context.Context, how *looking, store string) (*seen, error) {
	r, d, err := b.startAt(store, b.filledConfig, "GOMAXPROCS=64") // one reader may ask without rests, as in the part console
	if err != nil {
		return nil, err
	}
	defer r.stop()
	root, err := sources(ctx)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(b.folder, "figures-of-the-browser.json")
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-timeout=2h", "-run=^TestSpeed$", "./sdktest/console", "-console="+d.base, "-figures="+path, "-rounds="+strconv.Itoa(how.rounds))
	cmd.Dir, cmd.Env, cmd.WaitDelay = root, append(os.Environ(), "WEIR_TOKEN="+d.token), time.Second
	said, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("the suite of the console fails: %w\n%s", err, said)
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the suite of the console measured nothing:\n%s", said)
	}
	if err != nil {
		return nil, err
	}
	all := &seen{}
	return all, json.Unmarshal(text, all)
}

// sources is the repository's root.
func sources(ctx context.Context) (string, error) {
	path, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	return filepath.Dir(strings.TrimSpace(string(path))), err
}

// filledConfig has the models that the filled ledger has calls of.
func (b *bench) filledConfig(addr, admin, folder string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "listen: %s\nadmin: {listen: %s}\ndata: %s/data\nproviders:\n", addr, admin, folder)
	for n := range filledProviders {
		fmt.Fprintf(&text, "  %s: {kind: openai, base_url: %q, api_key: made-up-credential}\n", filledProvider(n), b.upstream+b.path("json")+"/v1")
	}
	text.WriteString("models:\n")
	for model := range filledModels {
		fmt.Fprintf(&text, "  model-%d:\n    targets:\n", model)
		for _, n := range targetsOf(model) {
			fmt.Fprintf(&text, "      - {provider: %s, model: %s, price: {input: 1, output: 4}}\n", filledProvider(n), filledUpstream(n))
		}
	}
	return text.String()
}

// What pages and clicks should take, in milliseconds.
const (
	firstPaint = 300
	nextPaint  = 50
)

// browserTable shows the pages, and what is done on them.
func (r *record) browserTable() string {
	var t strings.Builder
	fmt.Fprintf(&t, "Result of %s: %s; Chromium %s; %s calls on SQLite. Load of the machine before: %s; after: %s. Least / median of %d, in ms.\n\n",
		r.Date, r.Machine, r.Seen.Browser, thousands(int64(r.Seen.Rows)), r.Seen.Load, r.Seen.After, len(r.Seen.Pages[0].Fresh))
	t.WriteString("| page | first paint | largest | whole | again: first paint | whole |\n|---|---|---|---|---|---|\n")
	for _, p := range r.Seen.Pages {
		first := func(p painted) float64 { return p.First }
		whole := func(p painted) float64 { return p.Whole }
		fmt.Fprintf(&t, "| %s | %s | %s | %s | %s | %s |\n", p.Name, middle(each(p.Fresh, first), firstPaint), middle(each(p.Fresh, func(p painted) float64 { return p.Largest }), 0),
			middle(each(p.Fresh, whole), 0), middle(each(p.Again, first), firstPaint), middle(each(p.Again, whole), 0))
	}
	t.WriteString("\n| a click or a key | next paint | whole | longest task |\n|---|---|---|---|\n")
	for _, a := range r.Seen.Acts {
		fmt.Fprintf(&t, "| %s | %s | %s | %s |\n", a.Name, middle(a.Paint, nextPaint), middle(a.Whole, 0), middle(a.Task, 0))
	}
	return t.String()
}

func each(all []painted, of func(painted) float64) (values []float64) {
	for _, one := range all {
		values = append(values, of(one))
	}
	return values
}

// middle are the least and the median, in bold if the median is more than it should be. What is too short to be seen is a dash.
func middle(values []float64, should float64) string {
	values = slices.Sorted(slices.Values(values))
	median := values[len(values)/2]
	number := func(v float64) string {
		if v == 0 {
			return "–"
		}
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	text := number(values[0]) + " / " + number(median)
	if should > 0 && median > should {
		return "**" + text + "**"
	}
	return text
}

// browserLack is what a run lacks for the page, "" for nothing.
func (r *record) browserLack() string {
	if r.Seen == nil {
		return "it was not measured"
	}
	return ""
}

func (r *record) writeBrowser(folder string) error {
	return writeBetween(folder, readPage, seenBegin, seenEnd, r.browserTable())
}
