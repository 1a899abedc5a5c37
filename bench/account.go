package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/logging"
	"github.com/weirproxy/weir/internal/memory"
)

// account is the name of the part that measures what it costs to account for calls: the ledger, limits of requests and tokens, and two
// budgets.
const account = "account"

// Both are this program with the whole of Weir in it. They differ in nothing but what is measured: no config of a Weir turns its ledger off.
var (
	accounted = accountCandidate("accounted", "--rpm=1000000000", "--tpm=1000000000", "--budget=1000000usd/month", "--budget=1000000Mtok/day")
	freely    = accountCandidate("freely")
)

// accountCandidate is a Weir in this program, whose callers have a key made with these flags.
func accountCandidate(name string, flags ...string) *candidate {
	return &candidate{name: name, gateway: true, ready: "/readyz", command: func(b *bench, addr, folder, more string) (*exec.Cmd, error) {
		config, err := b.configured(filepath.Join(b.folder, "weir"), addr, folder, more, flags...)
		if err != nil {
			return nil, err
		}
		return exec.Command(b.self, name, config), nil
	}}
}

// serveWeir serves as `weir serve` does, until a signal. Unrecorded leaves its ledger out.
func serveWeir(path string, unrecorded bool) (err error) {
	log, err := logging.Open(logging.Options{To: os.Stderr, Format: "json"})
	if err != nil {
		return err
	}
	defer log.Close(context.Background())
	loader := config.Loader{Kinds: catalog.ConfigKinds(), Known: catalog.Known, Env: os.LookupEnv}
	cfg, err := loader.Load(path)
	if err != nil {
		return err
	}
	defer memory.Floor(memory.SmallHeap)()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a, err := app.New(ctx, app.Options{Config: cfg, Log: log.Logger, LogDropped: log.Dropped, Version: "bench", Unrecorded: unrecorded})
	if err != nil {
		return err
	}
	a.Start()
	<-ctx.Done()
	return a.Stop(ctx)
}

// accountWorkloads are what it is measured with.
func accountWorkloads() []*workload {
	names := []string{"200B", "400K", "stream", "held-1000"}
	all, _ := chosen(strings.Join(names, ","), workloads(), func(w *workload) string { return w.name }) // a test has each of them
	return all
}

// accountRows are the lines of its table. Those of memory are measured in the shared mode only.
func accountRows() []group {
	rows := []row{
		{"CPU time of a body of 200 B, µs", "200B", "cpu_us", false},
		{"of 400 KB", "400K", "cpu_us", false},
		{"of an event of a paced stream", "stream", "cpu_us", false},
		{"median time of a body of 200 B, µs", "200B", "p50_us", false},
		{"of 400 KB", "400K", "p50_us", false},
	}
	return []group{
		{name: "one processor", mode: pinnedMode, rows: rows},
		{name: "all processors", mode: sharedMode, rows: append(rows[:len(rows):len(rows)], row{"each of 1,000 held streams, KiB", "held-1000", "kib_per_stream", false})},
	}
}

// accountTable shows both in the same rounds.
func (r *record) accountTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Result of %s: %s; %s. Medians of %d rounds, in brackets the least and the most.\n\n", r.Date, r.Machine, r.Go, r.Rounds)
	b.WriteString("| | off | on | on : off |\n|---|---|---|---|\n")
	for _, g := range accountRows() {
		fmt.Fprintf(&b, "| **%s** | | | |\n", g.name)
		for _, row := range g.rows {
			off, on := r.values(g.mode, row, freely.name), r.values(g.mode, row, accounted.name)
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", row.name, cell(off, row, freely.name), cell(on, row, accounted.name), on.ratio(off))
		}
	}
	b.WriteString("\n" + r.Pace.words() + "\n")
	return b.String()
}

// accountLack is what a run lacks for the page's part on this, "" for nothing.
func (r *record) accountLack() string {
	if r.Rounds < wholeRounds {
		return fmt.Sprintf("it takes %d rounds", wholeRounds)
	}
	for _, g := range accountRows() {
		for _, row := range g.rows {
			for _, c := range []*candidate{freely, accounted} {
				if len(r.values(g.mode, row, c.name)) < r.Rounds {
					return fmt.Sprintf("%s was not measured with all workloads in all rounds", c.name)
				}
			}
		}
	}
	if r.Pace == nil {
		return "the journal was not measured"
	}
	return ""
}

func (r *record) writeAccount(folder string) error {
	return writeBetween(folder, page, accountBegin, accountEnd, r.accountTable())
}

// account measures all rounds, and then the journal alone.
func (b *bench) account(ctx context.Context) error {
	if err := b.allRounds(ctx, []*candidate{freely, accounted}, accountWorkloads()); err != nil {
		return err
	}
	b.mode = b.modes[len(b.modes)-1]
	return b.bound(func() (err error) {
		b.done.Pace, err = b.pace(ctx)
		return err
	})
}
