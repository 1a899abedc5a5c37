package route

import (
	"sync"
	"time"
)

// fewRepeats are granted in ten seconds however few requests there are.
const fewRepeats = 10

// Budget bounds the calls that are made beyond the first for the requests of one model, so that Weir does not multiply
// the load of upstreams that fail or are slow. It is safe for concurrent use.
type Budget struct {
	mu     sync.Mutex // guards all
	window recent[calls]
	used   time.Time // the last request or repeat
}

// extra is a kind of calls beyond the first.
type extra uint8

const (
	repeats extra = iota
	hedges
	extras // how many kinds there are
)

// calls are those of a second.
type calls struct {
	requests uint32
	extra    [extras]uint32
}

// Request counts a request.
func (b *Budget) Request(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used = now
	b.window.at(now).requests++
}

// Repeat takes one of the repeats that there may be in ten seconds, which are a share of their requests, but ten at least.
// It reports whether one was left.
func (b *Budget) Repeat(now time.Time, share float64) bool {
	return b.take(now, repeats, share, fewRepeats)
}

// Hedge does the same for second calls beside ones that are late, which are counted by themselves; few is how many there
// may be in ten seconds however few requests there are.
func (b *Budget) Hedge(now time.Time, share float64, few int) bool {
	return b.take(now, hedges, share, few)
}

// Spare gives back what Hedge took for a call that was not made.
func (b *Budget) Spare(now time.Time) { b.giveBack(now, hedges) }

// Unused does so for Repeat.
func (b *Budget) Unused(now time.Time) { b.giveBack(now, repeats) }

func (b *Budget) giveBack(now time.Time, kind extra) {
	b.mu.Lock()
	defer b.mu.Unlock()
	second := b.window.at(now)
	for i := 0; second.extra[kind] == 0; i++ { // it was taken in an earlier one
		if i == len(b.window.buckets) {
			return
		}
		second = &b.window.buckets[i]
	}
	second.extra[kind]--
}

func (b *Budget) take(now time.Time, kind extra, share float64, few int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used = now
	second := b.window.at(now)
	var requests, taken uint32
	for i := range b.window.buckets {
		requests += b.window.buckets[i].requests
		taken += b.window.buckets[i].extra[kind]
	}
	const rounding = 1e-9 // 0.29 of 100 is a little less than 29
	if next := float64(taken) + 1; next > float64(few) && !(next <= share*float64(requests)+rounding) {
		return false
	}
	second.extra[kind]++
	return true
}

func (b *Budget) lastUsed() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// quiet reports whether all that was counted is over.
func (b *Budget) quiet(now time.Time) bool { return !near(now, b.lastUsed(), 10*time.Second) }
