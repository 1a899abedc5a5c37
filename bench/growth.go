package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/load"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// growth is the name of the part that measures how the cost of a request grows with what Weir holds.
const growth = "growth"

// dimension is something of which a Weir holds little or much.
type dimension struct {
	name  string
	sizes []int
	// prepare makes what a Weir holds at its start, and returns what its config has more.
	prepare func(ctx context.Context, folder string, n int) (string, error)
	streams bool // the size is the number of streams that are open meanwhile
}

// mostStreams is how many streams are open at most, if each process may open so many files: Weir has two for each stream, and keeps
// some free.
func mostStreams(files uint64) int { return int(min(10_000, files*7/20)) / 1000 * 1000 }

// dimensions are all there are, with so many open streams at most.
func dimensions(streams int) []dimension {
	return []dimension{
		{name: "keys", sizes: []int{10, 10_000, 1_000_000}, prepare: withKeys},
		{name: "models", sizes: []int{10, 1000}, prepare: withModels},
		{name: "targets", sizes: []int{1, 20}, prepare: withTargets},
		{name: "streams", sizes: []int{1, 1000, streams}, prepare: withStreams, streams: true},
	}
}

// withKeys fills the store.
func withKeys(ctx context.Context, folder string, n int) (_ string, err error) {
	if err := os.MkdirAll(filepath.Join(folder, "data"), 0o700); err != nil {
		return "", err
	}
	db, err := sqlite.Open(ctx, filepath.Join(folder, "data", "weir.db"))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return "", db.InsertKeys(ctx, func(yield func(auth.Key) bool) {
		for i := range n {
			id := fmt.Sprintf("%012d", i)
			if !yield(auth.Key{ID: id, Name: "key-" + id, Digest: auth.DigestOf(id), Models: []string{"json", "s*"}, CreatedAt: time.UnixMicro(int64(i) + 1).UTC()}) {
				return
			}
		}
	})
}

func withModels(_ context.Context, _ string, n int) (string, error) {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "  model-%04d: {targets: [json/json-%d]}\n", i, i)
	}
	return b.String(), nil
}

// withTargets makes a model of many targets, the first of which serves all requests.
func withTargets(_ context.Context, _ string, n int) (string, error) {
	var targets []string
	for i := range n {
		targets = append(targets, fmt.Sprintf("json/json-%d", i))
	}
	return "  " + growth + ": {targets: [" + strings.Join(targets, ", ") + "]}\n", nil
}

// withStreams allows more streams than a Weir has by default.
func withStreams(_ context.Context, _ string, n int) (string, error) {
	return fmt.Sprintf("limits: {requests: %d, connections: %d}\n", n+1000, n+1000), nil
}

// grown is a Weir that holds n of something.
func (d *dimension) grown(ctx context.Context, tree *candidate, n int) *candidate {
	c := *tree
	c.prepare = func(folder string) (string, error) { return d.prepare(ctx, folder, n) }
	return &c
}

// model is what the requests call.
func (d *dimension) model(n int) string {
	switch d.name {
	case "models":
		return fmt.Sprintf("model-%04d", n-1)
	case "targets":
		return growth
	}
	return "json"
}

// workloadOf names the figures of one size.
func (d *dimension) workloadOf(n int) string { return fmt.Sprintf("%s-%d", d.name, n) }

// grow measures what a request of 200 B costs, one dimension after the other. All sizes of one run at the same time, and are
// measured in turns, so that what disturbs a whole round does not count.
func (b *bench) grow(ctx context.Context, tree *candidate) error {
	b.mode = b.modes[0]
	return b.bound(func() error {
		for _, d := range b.dimensions {
			if err := b.growIn(ctx, tree, &d); err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
		}
		return nil
	})
}

func (b *bench) growIn(ctx context.Context, tree *candidate, d *dimension) (err error) {
	all := make([]*running, 0, len(d.sizes))
	held, let := context.WithCancel(ctx)
	var ended []<-chan error
	defer func() {
		let()
		for _, e := range ended {
			<-e // they were cut off
		}
		for _, r := range all {
			r.stop()
		}
	}()
	for _, n := range d.sizes {
		r, err := b.start(d.grown(ctx, tree, n))
		if err != nil {
			return err
		}
		all = append(all, r)
		if d.streams {
			still := b.plan(r, &workload{prompt: load.Prompt{Endpoint: load.Chat, Model: "still", Size: 200, Stream: true}})
			end, err := b.keep(held, r, still, n)
			if err != nil {
				return err
			}
			ended = append(ended, end)
		}
	}
	for round := range b.rounds {
		for i := range d.sizes {
			i = (i + round) % len(d.sizes)
			n := d.sizes[i]
			w := &workload{name: d.workloadOf(n), prompt: load.Prompt{Endpoint: load.Chat, Model: d.model(n), Size: 200}}
			if _, err := b.closed(ctx, round, all[i], w); err != nil {
				return err
			}
		}
	}
	return nil
}

// growthTable shows the median of each size, and how it compares with the smallest in the same rounds.
func (r *record) growthTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Result of %s: %s; %s. Medians of %d rounds, in brackets the least and the most.\n\n", r.Date, r.Machine, r.Go, r.Rounds)
	b.WriteString("| Weir holds | CPU time of a request, µs | to the least |\n|---|---|---|\n")
	for _, d := range dimensions(r.Streams) {
		least := r.grown(d.workloadOf(d.sizes[0]))
		for _, n := range d.sizes {
			s := r.grown(d.workloadOf(n))
			fmt.Fprintf(&b, "| %s | %s | %s |\n", d.words(n), cell(s, row{}, "weir"), s.ratio(least))
		}
	}
	return b.String()
}

// words are a size for a reader.
func (d *dimension) words(n int) string {
	noun := map[string]string{"keys": "key", "models": "model", "targets": "target of the model", "streams": "open stream"}[d.name]
	if n != 1 {
		noun = map[string]string{"keys": "keys", "models": "models", "targets": "targets of the model", "streams": "open streams"}[d.name]
	}
	return thousands(int64(n)) + " " + noun
}

// grown are the figures of one size, in whichever mode they were measured.
func (r *record) grown(workload string) series {
	for _, mode := range []string{pinnedMode, sharedMode} {
		if s := r.series(mode, workload, "weir", "cpu_us"); len(s) > 0 {
			return s
		}
	}
	return nil
}

// growthLack is what a run lacks for the page's part on growth, "" for nothing.
func (r *record) growthLack() string {
	if r.Rounds < wholeRounds {
		return fmt.Sprintf("it takes %d rounds", wholeRounds)
	}
	for _, d := range dimensions(r.Streams) {
		for _, n := range d.sizes {
			if len(r.grown(d.workloadOf(n))) < r.Rounds {
				return d.words(n) + " were not measured in all rounds"
			}
		}
	}
	return ""
}
