package main

import (
	"context"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// What the ledger has that pages are measured with: a quarter of a year of a company.
const (
	filledDays    = 90
	filledKeys    = 500
	filledTeams   = 40
	filledModels  = 25
	filledTargets = 51
	modelsOfAKey  = 4

	filledProviders = 7

	filledBy = "filled" // the instance that its rows are of
	fillRows = 8000     // rows of one shipment: a ledger that is behind ships so many
)

// filling is a store that rows are shipped to.
type filling interface {
	ledger.Store
	InsertKeys(context.Context, iter.Seq[auth.Key]) error
	InsertTeam(context.Context, auth.Team) (auth.Team, error)
}

// filled is how a store took the rows.
type filled struct {
	Rows  int       `json:"rows"`
	End   time.Time `json:"end"`  // of the last
	Whole float64   `json:"rate"` // rows a second, 0 if they were there already
	Last  float64   `json:"last"` // the same of the last tenth, when the store is nearly full
	Size  int64     `json:"size"` // bytes
}

// fill ships so many rows, up to now, to an empty store. One that has them already stays as it is.
func fill(ctx context.Context, store filling, rows int) (*filled, error) {
	upto, last, err := store.Shipped(ctx, filledBy)
	switch {
	case err != nil:
		return nil, err
	case upto.Offset == int64(rows):
		return &filled{Rows: rows, End: last.Time()}, nil
	case last != 0:
		return nil, fmt.Errorf("the store has other rows than these %d: take an empty one", rows)
	}
	if err := holders(ctx, store); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	f, took, tenth := &filled{Rows: rows}, time.Duration(0), time.Duration(0)
	for batch := range shipments(ctx, newCaller(time.Now().UTC().Truncate(time.Minute), rows), rows) {
		begun := time.Now()
		if err := store.Ship(ctx, batch); err != nil {
			return nil, err
		}
		took += time.Since(begun)
		if batch.Upto.Offset > int64(rows)*9/10 {
			tenth += time.Since(begun)
			f.Last += float64(len(batch.Rows))
		}
		f.End = batch.Rows[len(batch.Rows)-1].Seq.Time()
	}
	f.Whole, f.Last = float64(rows)/took.Seconds(), f.Last/tenth.Seconds()
	return f, ctx.Err()
}

// shipments makes the next ones while one is shipped.
func shipments(ctx context.Context, c *caller, rows int) <-chan *ledger.Shipment {
	made := make(chan *ledger.Shipment, 1)
	go func() {
		defer close(made)
		for done := 0; done < rows; {
			batch := c.shipment(min(fillRows, rows-done))
			done += len(batch.Rows)
			batch.Upto = ledger.Position{Segment: 1, Offset: int64(done)}
			select {
			case made <- batch:
			case <-ctx.Done():
				return
			}
		}
	}()
	return made
}

func filledKey(n int) string { return fmt.Sprintf("key%09d", n) }

func filledTeam(n int) string { return fmt.Sprintf("team%08d", n) }

// filledProvider is that of a target.
func filledProvider(target int) string { return fmt.Sprint("provider-", target%filledProviders) }

// filledUpstream is what a target's provider calls the model.
func filledUpstream(target int) string { return fmt.Sprintf("vendor-model-%d-2026-01-01", target/2) }

// holders are the keys and teams that the rows are of.
func holders(ctx context.Context, store filling) error {
	var errs []error
	for n := range filledTeams {
		_, err := store.InsertTeam(ctx, auth.Team{ID: filledTeam(n), Name: fmt.Sprint("team-", n), Models: []string{"*"}, CreatedAt: time.UnixMicro(1).UTC()})
		errs = append(errs, err)
	}
	keys := make([]auth.Key, filledKeys)
	for n := range keys {
		keys[n] = auth.Key{
			ID: filledKey(n), Name: fmt.Sprint("service-", n), TeamID: filledTeam(n % filledTeams), Digest: auth.DigestOf(filledKey(n)), Models: []string{"*"}, CreatedAt: time.UnixMicro(1).UTC(),
			Limits: auth.Limits{Requests: 6000, Tokens: 10_000_000, Concurrent: 100},
		}
	}
	return errors.Join(append(errs, store.InsertKeys(ctx, slices.Values(keys)))...)
}

// caller makes the calls of requests: the same ones each time, but for when they were.
type caller struct {
	random       *rand.Rand
	holds, picks *rand.Zipf    // which key calls, and which of its models: some are used far more than others
	at, due      time.Time     // of the last call, and from when on the next request may come
	step         time.Duration // in which one request comes
	price        *money.Price
	next         []ledger.Row // calls of the last request that are left

	keys, teams, models []string
	targets             [][2]string // provider, and its name of the model
	jobs                [][]ledger.Tag
}

// One request in twenty falls back.
const (
	fallbackOneIn   = 20
	callsOfARequest = 1 + 1.0/fallbackOneIn
)

// jobsOfAKey is how many values of a tag the requests of a key have.
const jobsOfAKey = 6

func newCaller(end time.Time, rows int) *caller {
	random := rand.New(rand.NewPCG(1, 2))
	c := &caller{
		random: random, holds: rand.NewZipf(random, 1.05, 1, filledKeys-1), picks: rand.NewZipf(random, 1.3, 1, modelsOfAKey-1), due: end.AddDate(0, 0, -filledDays),
		step: time.Duration(float64(filledDays*24*time.Hour) / float64(rows) * callsOfARequest), price: money.Plain(1000, 4000),
	}
	for n := range filledKeys {
		c.keys, c.teams = append(c.keys, filledKey(n)), append(c.teams, filledTeam(n%filledTeams))
		for job := range jobsOfAKey {
			c.jobs = append(c.jobs, []ledger.Tag{{Name: "job", Value: fmt.Sprint(n/2*jobsOfAKey + job)}, {Name: "stage", Value: []string{"production", "staging"}[job%2]}})
		}
	}
	for n := range filledModels {
		c.models = append(c.models, fmt.Sprint("model-", n))
	}
	for n := range filledTargets {
		c.targets = append(c.targets, [2]string{filledProvider(n), filledUpstream(n)})
	}
	return c
}

func (c *caller) shipment(n int) *ledger.Shipment {
	s := &ledger.Shipment{Instance: filledBy, Prices: []ledger.PricedAs{{ID: c.price.ID(), JSON: c.price.JSON()}}, Rows: make([]ledger.Row, 0, n)}
	for len(s.Rows) < n {
		if len(c.next) == 0 {
			c.request()
		}
		s.Rows = append(s.Rows, c.next[0])
		c.next = c.next[1:]
	}
	return s
}

// request makes the calls of one. The first of two was refused.
func (c *caller) request() {
	c.at, c.due = later(c.at.Add(time.Microsecond), c.due.Add(time.Duration(c.random.Int64N(int64(c.step))))), c.due.Add(c.step)
	key := int(c.holds.Uint64())
	model := (key*7 + int(c.picks.Uint64())*13) % filledModels
	r := ledger.Row{Instance: filledBy, Seq: ledger.SeqAt(c.at)}
	r.Intent = ledger.Intent{
		Request: c.requestID(), Try: 1, Started: c.at, Key: c.keys[key], Team: c.teams[key], Model: c.models[model], Price: c.price.ID(), Hold: int64(c.random.IntN(20_000_000)),
	}
	if c.random.IntN(4) == 0 {
		r.Tags = c.jobs[key*jobsOfAKey+c.random.IntN(jobsOfAKey)]
	}
	c.aim(&r, model, c.random.IntN(8)/7)
	if c.random.IntN(fallbackOneIn) > 0 {
		c.answer(&r)
		c.next = append(c.next[:0], r)
		return
	}
	first := r
	first.Status, first.Outcome, first.Took = 429, "rate_limited", 40*time.Millisecond
	c.at = c.at.Add(time.Duration(1+c.random.IntN(40)) * time.Millisecond)
	r.Seq, r.Started, r.Try, r.Call, r.Flags = ledger.SeqAt(c.at), c.at, 2, 1, ledger.Retry
	c.aim(&r, model, 1)
	c.answer(&r)
	c.next = append(c.next[:0], first, r)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// targetsOf are the numbers of a model's targets, of which each has two, and the first a third.
func targetsOf(model int) []int {
	if model == 0 {
		return []int{0, 1, filledTargets - 1}
	}
	return []int{2 * model, 2*model + 1}
}

// aim gives a call one of the targets of its model.
func (c *caller) aim(r *ledger.Row, model, second int) {
	all := targetsOf(model)
	target := all[second]
	if len(all) > 2 && second == 1 && c.random.IntN(2) == 0 {
		target = all[2]
	}
	r.Provider, r.Upstream = c.targets[target][0], c.targets[target][1]
}

// answer ends a call: of a thousand, ten fail, five are left by their caller, and one takes over a minute.
func (c *caller) answer(r *ledger.Row) {
	took := time.Duration(300+c.random.IntN(20_000)) * time.Millisecond
	r.Settlement = ledger.Settlement{
		Status: 200, Outcome: "ok", Flags: r.Flags, UpstreamID: "chatcmpl-" + c.letters(29), UpstreamModel: r.Upstream, First: took / 5, Took: took,
		Own:   time.Duration(60+c.random.IntN(200)) * time.Microsecond,
		Usage: llm.Usage{Fresh: int64(c.random.IntN(4000)), Text: int64(c.random.IntN(800))},
	}
	if c.random.IntN(3) == 0 {
		r.Usage.CacheRead, r.Usage.Reasoning = int64(c.random.IntN(20_000)), int64(c.random.IntN(500))
	}
	switch n := c.random.IntN(1000); {
	case n < 10:
		r.Status, r.Outcome, r.Usage, r.First, r.UpstreamID, r.UpstreamModel = 500, "failed", llm.Usage{}, 0, "", ""
	case n < 15:
		r.Outcome, r.Flags = "canceled", r.Flags|ledger.Cancelled
	case n < 16:
		r.Took += time.Minute
	}
	r.Cost = 1000*r.Usage.Fresh + 4000*r.Usage.Output() + 100*r.Usage.CacheRead
	r.Listed = r.Cost
}

// requestID makes an id as the gateway does: 48 bits of milliseconds, then random ones.
func (c *caller) requestID() string {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:], uint64(c.at.UnixMilli())<<16|uint64(c.random.Uint32()>>16))
	binary.BigEndian.PutUint64(id[8:], c.random.Uint64())
	return base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(id[:])
}

func (c *caller) letters(n int) string {
	const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
	text, bits := make([]byte, n), uint64(0)
	for i := range text {
		if i%10 == 0 {
			bits = c.random.Uint64()
		}
		text[i], bits = letters[bits&63], bits>>6
	}
	return string(text)
}
