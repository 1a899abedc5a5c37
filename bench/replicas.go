package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/store/pgtest"
)

// replicas is the name of the part that measures Weirs that share a database.
const replicas = "replicas"

// The Weirs that are compared, by their number.
var fleets = []struct {
	name string
	n    int
}{{"one replica", 1}, {"two replicas", 2}}

// The costs of a request that fleets are compared by, and how the table calls them.
var costs = []struct{ name, metric string }{
	{"CPU time of Weir for a request, µs", "cpu_us"}, {"of Postgres besides, µs", "postgres_us"}, {"requests refused because the database was late, %", "late_percent"},
}

// manyReplicas is how many Weirs many keys come to.
const manyReplicas = 3

// sharing says how much of it is measured.
type sharing struct {
	rounds int
	time   time.Duration // of each closed loop
	keys   int           // that come to all replicas
	rate   float64       // requests a second of all keys together
	steady time.Duration
	trips  int // round trips of each kind
}

// shared are the results without the costs of requests, which are among the figures.
type shared struct {
	Rounds int     `json:"rounds"`
	Keys   int     `json:"keys"`
	Rate   float64 `json:"rate"`
	Phases []phase `json:"phases"`
	Trips  trips   `json:"trips"`
}

// phase is some time in which keys came to all replicas.
type phase struct {
	Name       string  `json:"name"`
	Requests   float64 `json:"requests"`
	Repeated   float64 `json:"repeated"` // refused because the database was late, and sent again
	Statements float64 `json:"statements"`
	Waits      float64 `json:"waits"`
	P99        float64 `json:"p99_ms"` // of the waits
}

// replicas runs the part of this name. Without Postgres it says so and measures nothing.
func (b *bench) replicas(ctx context.Context) (err error) {
	var server pgtest.Server
	defer server.Stop()
	if _, err := server.New(); err != nil {
		fmt.Fprintf(os.Stderr, "the part %q is left out: no Postgres: %v\n", replicas, err)
		return nil
	}
	return b.share(ctx, &server, &sharing{rounds: b.rounds, time: b.time, keys: 1000, rate: 500, steady: 20 * time.Second, trips: 300})
}

func (b *bench) share(ctx context.Context, server *pgtest.Server, s *sharing) error {
	b.mode = b.modes[len(b.modes)-1] // replicas and the database share all processors
	b.done.Shared = &shared{Rounds: s.rounds, Keys: s.keys, Rate: s.rate}
	for _, part := range []func(context.Context, *pgtest.Server, *sharing) error{b.oneAndTwo, b.manyKeys, b.roundTrips} {
		if err := b.bound(func() error { return part(ctx, server, s) }); err != nil {
			b.done.Shared = nil // half of it has no table
			return fmt.Errorf("%s: %w", replicas, err)
		}
	}
	return nil
}

// oneAndTwo puts the same load on one Weir and on two, in turns, with a key that is accounted for as in the part account.
func (b *bench) oneAndTwo(ctx context.Context, server *pgtest.Server, s *sharing) (err error) {
	all := make([]*fleet, len(fleets))
	defer func() { err = errors.Join(err, stopAll(all)) }()
	for i, kind := range fleets {
		if all[i], err = b.newFleet(ctx, server, kind.n); err != nil {
			return err
		}
		if err := all[i].mint(ctx, kind.name, 1, auth.Limits{Requests: auth.MaxLimit, Tokens: auth.MaxLimit}); err != nil {
			return err
		}
		if _, err := all[i].phase(ctx, all[i].first()); err != nil {
			return err
		}
		if _, err := all[i].closed(ctx, s.time/2); err != nil { // warm
			return err
		}
	}
	for round := range s.rounds {
		for turn := range fleets {
			i := (turn + round) % len(fleets)
			cost, err := all[i].closed(ctx, s.time)
			if err != nil {
				return err
			}
			for metric, value := range map[string]float64{"cpu_us": cost.weir, "postgres_us": cost.postgres, "late_percent": cost.refused} {
				b.done.Figures = append(b.done.Figures, figure{b.mode.name, round, replicas, fleets[i].name, metric, value})
			}
		}
	}
	return nil
}

// manyKeys has keys with budgets come to each of three Weirs, and then all at a steady rate. Other keys, with limits a minute too, do the same.
func (b *bench) manyKeys(ctx context.Context, server *pgtest.Server, s *sharing) (err error) {
	f, err := b.newFleet(ctx, server, manyReplicas)
	defer func() { err = errors.Join(err, stopAll([]*fleet{f})) }()
	if err != nil {
		return err
	}
	for _, kind := range []struct {
		name   string
		limits auth.Limits
	}{{"two budgets", auth.Limits{}}, {"two budgets, and limits a minute", auth.Limits{Requests: auth.MaxLimit, Tokens: auth.MaxLimit}}} {
		if err := f.mint(ctx, kind.name, s.keys, kind.limits); err != nil {
			return err
		}
		for _, when := range []struct {
			name string
			come demand
		}{{"each key comes to each replica first", f.first()}, {"then steadily", f.zipf(s.rate, s.steady)}} {
			p, err := f.phase(ctx, when.come)
			if err != nil {
				return err
			}
			p.Name = kind.name + ": " + when.name
			b.done.Shared.Phases = append(b.done.Shared.Phases, p)
		}
	}
	return nil
}

func stopAll(all []*fleet) error {
	var errs []error
	for _, f := range all {
		if f != nil {
			errs = append(errs, f.stop())
		}
	}
	return errors.Join(errs...)
}

// replicaCost is the series of one kind of cost of a request.
func (r *record) replicaCost(fleet int, metric string) series {
	return r.series(sharedMode, replicas, fleets[fleet].name, metric)
}

// replicasTable shows all results.
func (r *record) replicasTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Result of %s: %s; %s. Medians of %d rounds, in brackets the least and the most.\n\n", r.Date, r.Machine, r.Go, r.Shared.Rounds)
	b.WriteString("| | one replica | two replicas |\n|---|---|---|\n")
	for _, row := range costs {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", row.name, valueOf(r.replicaCost(0, row.metric)), valueOf(r.replicaCost(1, row.metric)))
	}
	served := r.replicaCost(0, "cpu_us").with(r.replicaCost(1, "cpu_us"), func(one, two float64) float64 { return 2 * one / two })
	fmt.Fprintf(&b, "| requests that as much CPU time for each replica serves | 1 | %s |\n\n", valueOf(served))
	b.WriteString("| " + thousands(int64(r.Shared.Keys)) + " keys at three replicas | requests | sent again, as the database was late | statements for 1,000 | waits for the database, for 1,000 | 99 of 100 waits within, ms |\n|---|---|---|---|---|---|\n")
	for _, p := range r.Shared.Phases {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", p.Name, thousands(int64(p.Requests)), thousands(int64(p.Repeated)), digits(1000*p.Statements/p.Requests), digits(1000*p.Waits/p.Requests), digits(p.P99))
	}
	b.WriteString("\n" + r.Shared.Trips.table())
	return b.String()
}

func valueOf(s series) string { return cell(s, row{}, "") }

// replicasLack is what a run lacks for the page, "" for nothing.
func (r *record) replicasLack() string {
	if r.Shared == nil {
		return "it was not measured"
	}
	if r.Shared.Rounds < wholeRounds {
		return fmt.Sprintf("it takes %d rounds", wholeRounds)
	}
	for i := range fleets {
		for _, cost := range costs {
			if len(r.replicaCost(i, cost.metric)) < r.Shared.Rounds {
				return fleets[i].name + " was not measured in all rounds"
			}
		}
	}
	return ""
}

func (r *record) writeReplicas(folder string) error {
	return writeBetween(folder, scalePage, replicasBegin, replicasEnd, r.replicasTable())
}
