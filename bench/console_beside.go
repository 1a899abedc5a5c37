package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

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

// beside sends requests at a steady rate, in turns with readers and without.
func (b *bench) beside(ctx context.Context, how *reading, r *running, d *desk) (all []beside, err error) {
	plan := b.plan(r, &workload{prompt: load.Prompt{Endpoint: load.Chat, Model: "json", Size: 200}})
	plan.Rate, plan.Duration = readersRate, how.time
	if _, err := once(ctx, r, plan); err != nil { // warm
		return nil, err
	}
	for range how.rounds {
		var round beside
		if round.Alone, err = steady(ctx, r, plan); err != nil {
			return nil, err
		}
		reads, stop := context.WithCancel(ctx)
		begun, answers := d.tabs(reads, how.tabs)
		select {
		case <-begun:
		case <-ctx.Done():
		}
		round.Beside, err = steady(ctx, r, plan)
		stop()
		if round.Answers = <-answers; err != nil {
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

// tabs are so many readers, each of which asks for something large as soon as it has an answer, or a second after a refusal.
// begun is closed at the first answer. When ctx has ended, the other channel has how many there were.
func (d *desk) tabs(ctx context.Context, n int) (begun <-chan struct{}, answers <-chan map[string]int) {
	hostile := []string{
		"/admin/v1/usage?by=hour" + d.days(90), "/admin/v1/usage?by=key,hour" + d.days(31), "/admin/v1/usage?by=key,model,day&top=50" + d.days(90), "/admin/v1/usage?by=key,tag" + d.days(90),
		"/admin/v1/latency?by=target,hour" + d.days(31), "/admin/v1/requests?min_took=10h" + d.days(90), "/admin/v1/usage?by=key,day" + d.days(30),
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n}, Timeout: time.Minute}
	first, counts, sums := make(chan struct{}), make(chan map[string]int, 1), map[string]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for tab := range n {
		all.Go(func() {
			random := rand.New(rand.NewPCG(5, uint64(tab)))
			for ctx.Err() == nil {
				status, _, err := d.ask(ctx, client, hostile[random.IntN(len(hostile))])
				if errors.Is(err, context.Canceled) {
					return
				}
				mu.Lock()
				if len(sums) == 0 {
					close(first)
				}
				sums[fmt.Sprint(status)]++
				mu.Unlock()
				if status != http.StatusOK && !load.Pause(ctx, time.Second) {
					return
				}
			}
		})
	}
	go func() {
		all.Wait()
		client.CloseIdleConnections()
		counts <- sums
	}()
	return first, counts
}
