package route

import (
	"sync"
	"time"
)

// fewRepeats are granted in ten seconds however few requests there are.
const fewRepeats = 10

// callBudget bounds the additional calls for the requests of one model, so that Weir does not multiply the load of upstreams that fail
// or are slow. Each key has its share for itself, and no other key can use that up. It is safe for concurrent use.
type callBudget struct {
	mu   sync.Mutex // guards all
	all  recent[calls]
	keys perKey[recent[calls]]
	used time.Time // the last request or repeat
}

// ownFew are granted to a key in ten seconds whatever others have taken.
const ownFew = 1

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

// request counts a request of a key.
func (b *callBudget) request(now time.Time, caller uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used = now
	b.all.at(now).requests++
	b.keys.use(caller, now).at(now).requests++
}

// repeat takes one of the repeats allowed in ten seconds. They are a share of the key's requests, but at least one; or else a share
// of all keys' requests, but at least ten. It reports whether one was left.
func (b *callBudget) repeat(now time.Time, caller uint64, share float64) bool {
	return b.take(now, caller, repeats, allowance{share, fewRepeats})
}

// hedge does the same for second calls next to slow ones, which have their own count. few is how many are allowed in ten
// seconds, however few requests there are.
func (b *callBudget) hedge(now time.Time, caller uint64, share float64, few int) bool {
	return b.take(now, caller, hedges, allowance{share, few})
}

// spare gives back what Hedge took for a call that was not made.
func (b *callBudget) spare(now time.Time, caller uint64) { b.giveBack(now, caller, hedges) }

// unused does so for Repeat.
func (b *callBudget) unused(now time.Time, caller uint64) { b.giveBack(now, caller, repeats) }

func (b *callBudget) giveBack(now time.Time, caller uint64, kind extra) {
	b.mu.Lock()
	defer b.mu.Unlock()
	giveBack(&b.all, now, kind)
	giveBack(b.keys.use(caller, now), now, kind)
}

func giveBack(window *recent[calls], now time.Time, kind extra) {
	second := window.at(now)
	for i := 0; second.extra[kind] == 0; i++ { // it was taken in an earlier one
		if i == len(window.buckets) {
			return
		}
		second = &window.buckets[i]
	}
	second.extra[kind]--
}

func (b *callBudget) take(now time.Time, caller uint64, kind extra, of allowance) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used = now
	own := b.keys.use(caller, now)
	if !of.leaves(own, now, kind, min(of.few, ownFew)) && !of.leaves(&b.all, now, kind, of.few) {
		return false
	}
	own.at(now).extra[kind]++
	b.all.at(now).extra[kind]++
	return true
}

// allowance is how many calls may be made beyond the first in ten seconds: a share of the requests, but few at least.
type allowance struct {
	share float64
	few   int
}

// leaves reports whether the allowance leaves another call after those of the window; few are granted in any case.
func (a allowance) leaves(window *recent[calls], now time.Time, kind extra, few int) bool {
	window.at(now)
	var requests, taken uint32
	for i := range window.buckets {
		requests += window.buckets[i].requests
		taken += window.buckets[i].extra[kind]
	}
	const rounding = 1e-9 // 0.29 of 100 is a little less than 29
	next := float64(taken) + 1
	return next <= float64(few) || next <= a.share*float64(requests)+rounding
}

func (b *callBudget) lastUsed() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// quiet reports whether all that was counted is over.
func (b *callBudget) quiet(now time.Time) bool { return !near(now, b.lastUsed(), 10*time.Second) }
