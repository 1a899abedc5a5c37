package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/pgtest"
	"github.com/weirproxy/weir/internal/store/postgres"
)

// bucket is the name of a histogram's bucket in the metrics.
func bucket(name string, bound float64) string {
	return name + `_bucket{le="` + strconv.FormatFloat(bound, 'g', -1, 64) + `"}`
}

// boundsIn are a histogram's bounds in their order, without the last, which is infinite.
func boundsIn(figures map[string]float64, name string) []float64 {
	var bounds []float64
	for series := range figures {
		rest, ok := strings.CutPrefix(series, name+`_bucket{le="`)
		if bound, err := strconv.ParseFloat(strings.TrimSuffix(rest, `"}`), 64); ok && err == nil && rest != `+Inf"}` {
			bounds = append(bounds, bound)
		}
	}
	slices.Sort(bounds)
	return bounds
}

// trips are the costs of round trips of replicas.
type trips struct {
	One, Many, All trip
}

// trip is one kind of round trip.
type trip struct {
	Took     float64 `json:"took_ms"`     // the median
	Second   float64 `json:"a_second"`    // all together
	Postgres float64 `json:"postgres_us"` // CPU time of each
	Own      float64 `json:"own_us"`      // CPU time of the replicas' side
}

const (
	manyBudgets = 100
	atOnce      = 8 // replicas that want the same budget
)

func (t *trips) table() string {
	var b strings.Builder
	b.WriteString("| round trip | takes, ms | a second | CPU time of Postgres, µs | of the replica, µs |\n|---|---|---|---|---|\n")
	for _, row := range []struct {
		name string
		trip trip
	}{
		{"of one budget", t.One},
		{fmt.Sprintf("of %d budgets", manyBudgets), t.Many},
		{fmt.Sprintf("of one budget that %d replicas want at once", atOnce), t.All},
	} {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", row.name, digits(row.trip.Took), digits(row.trip.Second), digits(row.trip.Postgres), digits(row.trip.Own))
	}
	fmt.Fprintf(&b, "\n%d budgets take %s times as long as one. With two processors to themselves, Postgres and replicas could do %s checkouts a second of the budget that all want.\n",
		manyBudgets, digits(t.Many.Took/t.One.Took), digits(2e6/(t.All.Postgres+t.All.Own)))
	return b.String()
}

// roundTrips measures the database's answers to statements, without Weirs.
func (b *bench) roundTrips(ctx context.Context, server *pgtest.Server, s *sharing) (err error) {
	url, err := server.New()
	if err != nil {
		return err
	}
	first, err := firstProcess(ctx, url)
	if err != nil {
		return err
	}
	db, err := postgres.Open(ctx, postgres.Options{URL: secret.New(url), Pool: atOnce + 2})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	e := postgres.NewEscrow(db, func(_ context.Context, names []escrow.Name) ([]int64, error) { return make([]int64, len(names)), nil })
	all := &b.done.Shared.Trips
	for _, kind := range []struct {
		into          *trip
		name          string
		replicas, one int
	}{{&all.One, "one", 1, 1}, {&all.Many, "many", 1, manyBudgets}, {&all.All, "all", atOnce, 1}} {
		stations := make([]*station, kind.replicas)
		for i := range stations {
			if stations[i], err = newStation(ctx, e, fmt.Sprint(kind.name, i), kind.name, kind.one); err != nil {
				return err
			}
		}
		if *kind.into, err = measureTrips(ctx, first, stations, max(1, s.trips/kind.replicas)); err != nil {
			return err
		}
	}
	return nil
}

// station is a replica that states what it wants, again and again.
type station struct {
	escrow *postgres.Escrow
	s      escrow.Statement
	took   []time.Duration
}

func newStation(ctx context.Context, e *postgres.Escrow, id, budgets string, n int) (*station, error) {
	s := &station{escrow: e, s: escrow.Statement{Replica: id, Epoch: escrow.Epoch{Began: 1}, Number: 1, Whole: true}}
	for i := range n {
		s.s.Lines = append(s.s.Lines, escrow.Line{Name: escrow.Name{Budget: fmt.Sprintf("%s-%03d", budgets, i)}, Limit: 1e15, Version: 1})
	}
	_, err := e.Exchange(ctx, &s.s)
	s.s.Whole = false
	return s, err
}

// run makes n round trips.
func (s *station) run(ctx context.Context, n int) error {
	for range n {
		s.s.Number++
		s.s.Acked = s.s.Number - 1
		for i := range s.s.Lines {
			l := &s.s.Lines[i]
			l.Wants, l.Need, l.Least, l.Used, l.Keep = true, 1, 1, s.s.Number, s.s.Number
		}
		begun := time.Now()
		a, err := s.escrow.Exchange(ctx, &s.s)
		if err == nil && (a.Outcome != escrow.Executed || len(a.Grants) != len(s.s.Lines)) {
			err = fmt.Errorf("the answer is %+v", a)
		}
		if err != nil {
			return err
		}
		s.took = append(s.took, time.Since(begun))
	}
	return nil
}

// measureTrips has all make n round trips at once.
func measureTrips(ctx context.Context, first int, stations []*station, n int) (t trip, err error) {
	own, err := cpuTime(os.Getpid())
	if err != nil {
		return t, err
	}
	pg, err := serverTime(first)
	if err != nil {
		return t, err
	}
	begun, errs := time.Now(), make([]error, len(stations))
	var all sync.WaitGroup
	for i, s := range stations {
		all.Go(func() { errs[i] = s.run(ctx, n) })
	}
	all.Wait()
	seconds := time.Since(begun).Seconds()
	ownAfter, err := cpuTime(os.Getpid())
	pgAfter, failed := serverTime(first)
	if err := errors.Join(append(errs, err, failed)...); err != nil {
		return t, err
	}
	var took []time.Duration
	for _, s := range stations {
		took = append(took, s.took...)
	}
	slices.Sort(took)
	done := float64(len(took))
	return trip{micros(took[len(took)/2]) / 1000, done / seconds, micros(pgAfter-pg) / done, micros(ownAfter-own) / done}, nil
}
