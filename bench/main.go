// Command bench compares Weir with other proxies in one run on loopback. It measures the upstream directly, nginx,
// httputil.ReverseProxy as an expert would run it, and a pass-through (the least that such a proxy can do on net/http). Weir runs
// with key authentication, a logical model, usage tapping and the JSON log of requests.
//
//	go run ./bench                                                            everything, five rounds
//	go run ./bench -only 200B,8K -candidates weir,reverseproxy -rounds 3      two bodies, two candidates
//	go run ./bench -only stream,held-1000 -rounds 1 -time 3s
//	go run ./bench -weir old=/tmp/weir-old -weir new=/tmp/weir-new -candidates old,new,reverseproxy
//
// Modes: pinned (the proxy alone on one processor, the load and the upstream on the others) and shared (all on all processors).
// Workloads: 200B, 8K, 400K, 400K-code, 400K-translated, 400K-code-translated, stream (paced events), stream-translated, burst
// (events as fast as they go), held-1000, held-5000. Translated ones go to and from Anthropic's dialect in Weir; the other candidates
// pass them. Streams are held in the shared mode only: memory does not depend on processors.
// growth is a part of its own, in the first of the modes, of Weir alone: what a request of 200 B costs with 10 to a million keys, 10
// and 1,000 models, 1 and 20 targets, and 1 to 10,000 open streams, or as many as the limit of open files allows.
// account is a part of its own, too: what the ledger, limits and budgets cost, as a Weir that has them compares with one that has not, and
// how the ledger takes 20,000 calls a second for a minute.
// replicas is one more: what Weirs that share a throwaway Postgres cost it and themselves, how often they ask it, and how long requests wait. It is left out where
// Postgres is not installed.
// console is one more: how long the pages of the console wait for a ledger of ten million calls, on SQLite and on a throwaway Postgres, and what the gateway's
// requests take beside readers that ask for as much as they can. It takes about twelve minutes, of which nine are for filling, and 4 GB of disk: with -kept and -database, what was filled is used
// again on the same day.
// browser is the last one: when Chromium paints these pages, of the same ledger on SQLite, and how long a click or a key waits for its paint. It takes three minutes for filling and 15 for measuring.
// It is left out where Chromium or Node is missing.
// Candidates: direct, nginx, reverseproxy, passthrough, litellm (with -litellm), weir (built from the tree), and the names given with -weir.
// The figure that survives a noisy machine is cpu_us, the proxy's CPU time for each request (or stream event) in microseconds.
// Times with other load on the machine say little; ratios of CPU within one run say most.
//
// -write puts the results of a whole run into docs/how-it-works/performance.md. The raw figures are in .cache/bench/figures.json;
// -from prints them again (and, with -write, writes them).
//
// It needs Linux. The parts of it that run as processes of their own are its subcommands.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	// Children are tied to the thread that started them.
	runtime.LockOSThread()
	if err := dispatch(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// dispatch runs what the first argument names: a server for the benchmark, or the benchmark.
func dispatch(args []string) error {
	if len(args) > 1 {
		switch args[0] {
		case "upstream":
			return serveUpstream(args[1])
		case "sim":
			return serveSim(args[1])
		case reverseProxy.name:
			return serveReverseProxy(args[1], args[len(args)-1])
		case passThrough.name:
			return servePassthrough(args[1], args[len(args)-1])
		case accounted.name, freely.name:
			return serveWeir(args[1], args[0] == freely.name)
		case paced:
			return keepPace(args[1])
		case readers:
			return serveReaders()
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var o options
	o.parse(args)
	if o.from != "" {
		done, err := readRecord(o.from)
		if err != nil {
			return err
		}
		return errors.Join(done.print(os.Stdout), o.show(done))
	}
	b, err := newBench(&o)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.folder)
	if err := b.run(ctx, os.Stdout); err != nil {
		return err
	}
	return o.show(&b.done)
}

// options are the command line.
type options struct {
	rounds      int
	time        time.Duration
	concurrency int
	only        string
	modes       string
	candidates  string
	weirs       weirFlags
	litellm     string
	sim         bool
	out         string
	from        string
	write       bool
	kept        string
	database    string
}

func (o *options) parse(args []string) {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	flags.IntVar(&o.rounds, "rounds", 5, "how often everything is measured")
	flags.DurationVar(&o.time, "time", 1200*time.Millisecond, "how long each closed loop runs")
	flags.IntVar(&o.concurrency, "concurrency", 32, "connections of the closed loops")
	flags.StringVar(&o.modes, "modes", "", "modes, with commas between; all if empty")
	flags.StringVar(&o.only, "only", "", "workloads, with commas between; all if empty")
	flags.StringVar(&o.candidates, "candidates", "", "candidates, with commas between; all if empty")
	flags.Var(&o.weirs, "weir", "another Weir to measure, as `NAME=PATH` of its binary; repeatable")
	flags.StringVar(&o.litellm, "litellm", "", "LiteLLM's proxy to measure too, as the `PATH` of its program")
	flags.BoolVar(&o.sim, "sim", false, "let the simulated provider be the upstream, in place of a cheaper one")
	flags.StringVar(&o.out, "out", filepath.Join(".cache", "bench", "figures.json"), "where the raw figures go")
	flags.StringVar(&o.from, "from", "", "measure nothing: print the raw figures of this file")
	flags.BoolVar(&o.write, "write", false, "write the table and the plots into docs")
	flags.StringVar(&o.kept, "kept", "", "of the parts console and browser: a `FOLDER` whose SQLite file is filled, stays, and is used again")
	flags.StringVar(&o.database, "database", "", "of the part console: the `URL` of an empty Postgres database, or of one that it has filled")
	_ = flags.Parse(args) // it exits on an error
	if flags.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "bench: %q is no flag\n", flags.Arg(0))
		os.Exit(2)
	}
}

// show writes the page, if that is asked for and the run is whole.
func (o *options) show(done *record) error {
	if !o.write {
		return nil
	}
	return done.write(".")
}

// bench is one run.
type bench struct {
	rounds      int
	time        time.Duration
	concurrency int
	modes       []*mode
	candidates  []*candidate
	workloads   []*workload
	out         string
	grows       *candidate    // of which growth is measured; nil for none
	dimensions  []dimension   // of growth
	accounts    bool          // the part account is measured
	shares      bool          // the part replicas is measured
	reads       bool          // the part console is measured
	looks       bool          // the part browser is measured
	kept        string        // the folder of its SQLite file, "" for one that is gone afterwards
	database    string        // the URL of its Postgres, "" for one that is gone afterwards
	sim         bool          // the upstream is the simulated provider
	settle      time.Duration // from the first event of the last held stream to weighing

	mode     *mode  // the one being measured
	self     string // this program
	folder   string // for what candidates write
	up       *exec.Cmd
	upstream string // its URL

	done record
}

// weirFlags are the -weir flags: name=path.
type weirFlags []*candidate

func (w *weirFlags) String() string { return "" }

// Set implements flag.Value.
func (w *weirFlags) Set(text string) error {
	name, path, ok := strings.Cut(text, "=")
	if !ok {
		name, path = filepath.Base(text), text
	}
	if _, err := os.Stat(path); err != nil {
		return err
	}
	absolute, err := filepath.Abs(path)
	*w = append(*w, weirCandidate(name, absolute))
	return err
}

func newBench(o *options) (b *bench, err error) {
	b = &bench{rounds: o.rounds, time: o.time, concurrency: o.concurrency, out: o.out, sim: o.sim, settle: heldInterval, kept: o.kept, database: o.database}
	defer func(made *bench) {
		if err != nil && made.folder != "" {
			err = errors.Join(err, os.RemoveAll(made.folder))
		}
	}(b)
	if b.self, err = os.Executable(); err != nil {
		return nil, err
	}
	parts := append(workloads(), &workload{name: growth}, &workload{name: account}, &workload{name: replicas}, &workload{name: console}, &workload{name: browser})
	if b.workloads, err = chosen(o.only, parts, func(w *workload) string { return w.name }); err != nil {
		return nil, err
	}
	grows := b.take(growth) && !o.sim // of the simulated provider streams do not stand still
	accounts, shares, reads, looks := b.take(account), b.take(replicas), b.take(console), b.take(browser)
	if b.modes, err = chosen(o.modes, modes(runtime.NumCPU()), func(m *mode) string { return m.name }); err != nil {
		return nil, err
	}
	if b.folder, err = os.MkdirTemp("", "weir-bench-"); err != nil {
		return nil, err
	}
	tree := weirCandidate("weir", filepath.Join(b.folder, "weir"))
	known := append([]*candidate{direct, nginx, reverseProxy, passThrough, tree}, o.weirs...)
	if o.litellm != "" {
		known = append(known, liteLLM(o.litellm))
	}
	if b.candidates, err = chosen(o.candidates, known, func(c *candidate) string { return c.name }); err != nil {
		return nil, err
	}
	if slices.Contains(b.candidates, tree) {
		build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(b.folder, "weir"), "github.com/weirproxy/weir/cmd/weir")
		build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
		if err := build.Run(); err != nil {
			return nil, fmt.Errorf("cannot build Weir: %w; run this in the repository's root", err)
		}
	}
	b.done = record{
		Date: time.Now().Format(time.DateOnly), Machine: machine(), Go: "Go " + strings.TrimPrefix(runtime.Version(), "go"), Nginx: nginxVersion(),
		Seconds: o.time.Seconds(), Concurrency: o.concurrency,
	}
	if grows && slices.Contains(b.candidates, tree) {
		files, err := manyFiles()
		if err != nil {
			return nil, err
		}
		b.done.Streams = mostStreams(files)
		b.grows, b.dimensions = tree, dimensions(b.done.Streams)
	}
	ours := slices.Contains(b.candidates, tree)
	b.accounts, b.shares, b.reads, b.looks = accounts && ours, shares && ours, reads && ours, looks && ours
	for _, c := range b.candidates {
		b.done.Candidates = append(b.done.Candidates, c.name)
	}
	if b.accounts {
		b.done.Candidates = append(b.done.Candidates, freely.name, accounted.name)
	}
	return b, nil
}

// take reports whether a part is to be measured that is no workload.
func (b *bench) take(part string) bool {
	all := len(b.workloads)
	b.workloads = slices.DeleteFunc(b.workloads, func(w *workload) bool { return w.name == part })
	return len(b.workloads) < all
}

// nginxVersion is what nginx says that it is.
func nginxVersion() string {
	text, err := exec.Command("nginx", "-v").CombinedOutput()
	if err != nil {
		return "no nginx"
	}
	_, version, _ := strings.Cut(strings.TrimSpace(string(text)), ": ") // nginx version: nginx/1.22.1
	return strings.ReplaceAll(version, "/", " ")
}

// chosen are those of all that the list names, in the order of all; all for an empty list.
func chosen[T any](list string, all []T, name func(T) string) ([]T, error) {
	if list == "" {
		return all, nil
	}
	var picked []T
	wanted := strings.Split(list, ",")
	for _, one := range all {
		if i := slices.Index(wanted, name(one)); i >= 0 {
			picked = append(picked, one)
			wanted = slices.Delete(wanted, i, i+1)
		}
	}
	if len(wanted) > 0 {
		var names []string
		for _, one := range all {
			names = append(names, name(one))
		}
		return nil, fmt.Errorf("%q is not one of %s", wanted[0], strings.Join(names, ", "))
	}
	return picked, nil
}
