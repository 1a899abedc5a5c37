package main

import (
	"context"

	"github.com/weirproxy/weir/internal/load"
)

// beside is one round of the gateway alone, and of the same beside readers.
type beside struct {
	Alone   [2]float64     `json:"alone_us"` // the median time of a request, and the 99th percentile
	Beside  [2]float64     `json:"beside_us"`
	Answers map[string]int `json:"answers"` // of the readers, by status
}

// readersRate is how many requests a second the gateway serves meanwhile.
const readersRate = 200

// besideReaders measures the gateway beside readers, and again when they have asked for so long that they get less.
func (b *bench) besideReaders(ctx context.Context, how *reading, r *running, d *desk) (first, later []beside, err error) {
	if first, err = b.beside(ctx, how, how.rounds, r, d); err != nil {
		return nil, nil, err
	}
	stop, err := b.readers(ctx, d, how)
	if err != nil {
		return nil, nil, err
	}
	load.Pause(ctx, how.going)
	if _, err := stop(ctx.Err()); err != nil {
		return nil, nil, err
	}
	later, err = b.beside(ctx, how, how.later, r, d)
	return first, later, err
}

// beside sends requests at a steady rate, in turns with readers and without.
func (b *bench) beside(ctx context.Context, how *reading, rounds int, r *running, d *desk) (all []beside, err error) {
	plan := b.plan(r, &workload{prompt: load.Prompt{Endpoint: load.Chat, Model: "json", Size: 200}})
	plan.Rate, plan.Duration = readersRate, how.time
	if _, err := once(ctx, r, plan); err != nil { // warm
		return nil, err
	}
	for range rounds {
		var round beside
		if round.Alone, err = steady(ctx, r, plan); err != nil {
			return nil, err
		}
		stop, err := b.readers(ctx, d, how)
		if err != nil {
			return nil, err
		}
		load.Pause(ctx, how.ramp)
		round.Beside, err = steady(ctx, r, plan)
		if round.Answers, err = stop(err); err != nil {
			return nil, err
		}
		all = append(all, round)
	}
	return all, nil
}

func steady(ctx context.Context, r *running, plan load.Plan) (times [2]float64, err error) {
	result, err := once(ctx, r, plan)
	if err != nil {
		return times, err
	}
	return [2]float64{micros(result.Latency.P50), micros(result.Latency.P99)}, nil
}
