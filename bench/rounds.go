package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

// run measures all rounds, prints the table and saves the raw figures. An interrupted run prints what it has.
func (b *bench) run(ctx context.Context, w io.Writer) error {
	files, err := manyFiles()
	if err != nil {
		return err
	}
	for _, load := range b.workloads {
		if need := uint64(2*load.held + 200); need > files {
			return fmt.Errorf("%s needs %d open files and %d are allowed: raise the limit (ulimit -Hn), or leave it out with -only", load.name, need, files)
		}
	}
	if err := b.startUpstream(ctx); err != nil {
		return err
	}
	begun := time.Now()
	if b.grows != nil {
		if err := b.grow(ctx, b.grows); err != nil {
			return errors.Join(err, b.done.save(b.out), b.done.print(w))
		}
		b.done.Rounds = b.rounds
		fmt.Fprintf(os.Stderr, "growth after %v\n", time.Since(begun).Round(time.Second))
	}
	if err := b.allRounds(ctx, b.candidates, b.workloads); err != nil {
		return errors.Join(err, b.done.save(b.out), b.done.print(w))
	}
	if b.accounts {
		err = b.account(ctx)
	}
	if err == nil && b.shares {
		err = b.replicas(ctx)
	}
	if err == nil && b.reads {
		err = b.console(ctx)
	}
	if err == nil && b.looks {
		err = b.browser(ctx)
	}
	return errors.Join(err, b.done.save(b.out), b.done.print(w))
}

// allRounds measures each candidate with each workload, in all modes, as often as is asked for.
func (b *bench) allRounds(ctx context.Context, candidates []*candidate, workloads []*workload) error {
	if len(workloads) == 0 {
		return nil
	}
	b.candidates, b.workloads = candidates, workloads
	begun := time.Now()
	for round := range b.rounds {
		if err := b.inEachMode(ctx, round); err != nil {
			return err
		}
		b.done.Rounds = max(b.done.Rounds, round+1)
		fmt.Fprintf(os.Stderr, "round %d of %d after %v\n", round+1, b.rounds, time.Since(begun).Round(time.Second))
	}
	return nil
}

// inEachMode measures one round in all modes.
func (b *bench) inEachMode(ctx context.Context, round int) error {
	for _, b.mode = range b.modes {
		if err := b.bound(func() error { return b.round(ctx, round) }); err != nil {
			return err
		}
	}
	return nil
}

// bound calls f with load and upstream on the processors of the mode.
func (b *bench) bound(f func() error) (err error) {
	defer func() { err = errors.Join(err, bind(os.Getpid(), nil)) }()
	if err := errors.Join(bind(os.Getpid(), b.mode.others), bind(b.up.Process.Pid, b.mode.others)); err != nil {
		return err
	}
	return f()
}

// turned is the list with another candidate first, so that none always has the same place.
func turned(all []*running, by int) []*running {
	by %= len(all)
	return slices.Concat(all[by:], all[:by])
}

// round starts all candidates, puts each workload on one after the other, and ends them. Held streams come last, each on a
// fresh process.
func (b *bench) round(ctx context.Context, round int) error {
	var all []*running
	defer func() {
		for _, r := range all {
			r.stop()
		}
	}()
	for i := range b.candidates {
		r, err := b.start(b.candidates[(i+round)%len(b.candidates)])
		if err != nil {
			return err
		}
		all = append(all, r)
		if r.cmd != nil {
			b.note(round, r, "process", "start_ms", micros(r.startUp)/1000)
			b.note(round, r, "process", "idle_rss_mib", float64(r.idleRSS)/(1<<20))
		}
	}
	loaded := false
	for i, w := range b.workloads {
		if w.held > 0 && b.mode.proxy != nil && len(b.modes) > 1 {
			continue // what a stream holds does not depend on processors
		}
		if w.alone && b.mode.proxy == nil && len(b.modes) > 1 {
			continue
		}
		for _, r := range turned(all, i) {
			err := b.measure(ctx, round, r, w)
			if err != nil && ctx.Err() == nil {
				fmt.Fprintf(os.Stderr, "%s: %v\nonce more:\n", w.name, err)
				err = b.measure(ctx, round, r, w)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			loaded = loaded || w.held == 0
		}
	}
	for _, r := range all {
		if r.cmd == nil || !loaded {
			continue
		}
		rss, pss, err := memoryOf(r.cmd.Process.Pid)
		if err != nil {
			return err
		}
		b.note(round, r, "process", "loaded_rss_mib", float64(rss)/(1<<20))
		b.note(round, r, "process", "loaded_pss_mib", float64(pss)/(1<<20))
	}
	return nil
}

func (b *bench) measure(ctx context.Context, round int, r *running, w *workload) error {
	switch {
	case w.held > 0:
		return b.fresh(ctx, round, r, w)
	case w.prompt.Stream:
		return b.streams(ctx, round, r, w)
	}
	return b.requests(ctx, round, r, w)
}

// fresh measures held streams on a process that has done nothing else.
func (b *bench) fresh(ctx context.Context, round int, r *running, w *workload) error {
	if r.cmd == nil { // the upstream directly: no proxy to measure
		return nil
	}
	own, err := b.start(r.candidate)
	if err != nil {
		return err
	}
	defer own.stop()
	return b.hold(ctx, round, own, w)
}
