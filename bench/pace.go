package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/ledger/disk"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// paced is the name of the subcommand that has a ledger record calls at a pace.
const paced = "paced"

// How many calls a second, for how long, and how many of them run at a time.
const (
	paceRate = 20_000
	paceTime = time.Minute
	paceOpen = 2000
	paceTick = time.Millisecond // between the calls that are made at once
)

// pace is how a ledger took calls at a pace.
type pace struct {
	Rate     int     `json:"rate"`    // calls a second
	Seconds  float64 `json:"seconds"` // that all calls took
	Recorded int     `json:"recorded"`
	Refused  int     `json:"refused"`
	Stored   int64   `json:"stored"`    // rows in the store when all was shipped
	Behind   float64 `json:"behind"`    // how old the oldest row outside the store was at most, in seconds
	CPU      float64 `json:"cpu_us"`    // of a call, shipping and the store included
	Early    float64 `json:"early_mib"` // resident after a sixth of the time
	Late     float64 `json:"late_mib"`  // the most that was resident after that
}

// words are the figures for a reader.
func (p *pace) words() string {
	return fmt.Sprintf("The ledger alone, on the disk and with the store of a gateway: %s calls a second for %.0f s, %s at a time. It recorded %s and refused %s, and the store had %s rows at the end. "+
		"Rows were in the store after %.1f s at the latest. A call cost %s µs of CPU, shipping and the store included. Resident memory was %s MiB after %.0f s, and at most %s MiB after that.",
		thousands(int64(p.Rate)), p.Seconds, thousands(paceOpen), thousands(int64(p.Recorded)), thousands(int64(p.Refused)), thousands(p.Stored),
		p.Behind, digits(p.CPU), digits(p.Early), p.Seconds/6, digits(p.Late))
}

// pace runs the ledger in a process of its own.
func (b *bench) pace(ctx context.Context) (*pace, error) {
	cmd := exec.CommandContext(ctx, b.self, paced, filepath.Join(b.folder, paced))
	dieWithParent(cmd)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the ledger at a pace: %w", err)
	}
	p := new(pace)
	return p, json.Unmarshal(out.Bytes(), p)
}

// keepPace has a new ledger in the folder record calls, and prints how it took them.
func keepPace(folder string) error {
	p, err := atPace(folder, paceRate, paceTime)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(p)
}

// atPace has a new ledger record calls at a rate, and looks whether all of them are in the store.
func atPace(folder string, rate int, d time.Duration) (p *pace, err error) {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, filepath.Join(folder, "weir.db"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	files, err := disk.Open(filepath.Join(folder, "journal"))
	if err != nil {
		return nil, err
	}
	l, err := ledger.Open(ctx, ledger.Options{Files: files, Store: db, Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err != nil {
		return nil, err
	}
	r := &recorder{ledger: l, pace: &pace{Rate: rate}}
	if err := errors.Join(r.run(rate, d), l.Close(ctx)); err != nil {
		return nil, err
	}
	verified, err := db.Verify(ctx, func(d ledger.Difference) { r.differs++ })
	if r.differs > 0 {
		err = errors.Join(err, fmt.Errorf("%d sums of the store are not what its rows add up to", r.differs))
	}
	r.pace.Stored = verified.Rows
	return r.pace, err
}

// recorder records calls, of which paceOpen run at a time.
type recorder struct {
	ledger  *ledger.Ledger
	pace    *pace
	open    [paceOpen]*ledger.Entry // a ring
	differs int
}

// run records so many calls a second. What is late is made up for, so that a slow moment lowers no rate.
func (r *recorder) run(rate int, d time.Duration) error {
	price := money.Plain(1000, 4000)
	r.ledger.Know([]ledger.PricedAs{{ID: price.ID(), JSON: price.JSON()}})
	before, err := cpuTime(os.Getpid())
	if err != nil {
		return err
	}
	calls, begun, sampled := int(d.Seconds()*float64(rate)), time.Now(), time.Duration(0)
	for n := 0; n < calls; time.Sleep(paceTick) {
		since := time.Since(begun)
		for due := min(calls, int(since.Seconds()*float64(rate))); n < due; n++ {
			r.call(n, price.ID())
		}
		if since-sampled >= d/60 {
			sampled = since
			if err := r.sample(since > d/6); err != nil {
				return err
			}
		}
	}
	r.pace.Seconds = time.Since(begun).Seconds()
	for n := range r.open {
		r.settle(n)
	}
	if err := r.ledger.Flush(context.Background()); err != nil {
		return err
	}
	after, err := cpuTime(os.Getpid())
	r.pace.CPU = micros(after-before) / float64(calls)
	return err
}

// call begins a call in the place of the one that has run longest, which ends.
func (r *recorder) call(n int, price money.ID) {
	r.settle(n % paceOpen)
	e, err := r.ledger.Begin(&ledger.Intent{
		Request: fmt.Sprintf("%026d", n), ClientID: "3f2a9c1e-7b44-4e0a-9a61-2f0c8d5e1b77", Try: 1, Started: time.Now(), Key: fmt.Sprintf("key_%012d", n%100), Team: "team_research",
		Model: "smart", Provider: "openai", Upstream: "gpt-5", Price: price, Held: llm.Usage{Fresh: 1200, Text: 500}, Hold: 3_200_000,
	}, true)
	if err != nil {
		r.pace.Refused++
		return
	}
	r.pace.Recorded++
	r.open[n%paceOpen] = e
}

// settle ends the call in a place, if one is there.
func (r *recorder) settle(at int) {
	e := r.open[at]
	if e == nil {
		return
	}
	r.open[at] = nil
	e.Settle(&ledger.Settlement{
		Status: 200, Outcome: "answered", Usage: llm.Usage{Fresh: 1000, CacheRead: 200, Text: 300}, Cost: 2_400_000, CostSource: money.ByPrice, Listed: 2_400_000,
		UpstreamModel: "gpt-5-2025-08-07", UpstreamID: "chatcmpl-9a61-2f0c8d5e1b77", First: 30 * time.Millisecond, Took: 100 * time.Millisecond, Own: 80 * time.Microsecond,
	})
}

// sample looks at the process. Late is false until its memory has had time to grow to what it needs.
func (r *recorder) sample(late bool) error {
	resident, _, err := memoryOf(os.Getpid())
	mib := float64(resident) / (1 << 20)
	if late {
		r.pace.Late = max(r.pace.Late, mib)
	} else {
		r.pace.Early = mib
	}
	stats := r.ledger.Stats()
	r.pace.Behind = max(r.pace.Behind, stats.Behind.Seconds())
	return err
}
