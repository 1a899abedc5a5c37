// Package memory shares out the process's memory. It knows how much exists and how much of it running requests may hold,
// and decides which requests to refuse first when it runs short. It counts requested amounts in advance and does not
// measure: memory that the garbage collector has not yet freed looks the same as memory in use.
package memory

import (
	"math"
	"sync/atomic"
)

// Stage says who is refused. The stages follow one another as memory runs short.
type Stage uint8

// The stages. A large answer is refused before the small requests, because thousands of them fit into its place. The last
// part is kept for the other answers, which are already paid for.
const (
	Large   Stage = iota // bodies of more than a megabyte, from 85 % on
	Small                // bodies of more than 64 KiB, from 92 %
	All                  // every request, from 95 %
	Running              // requests that run and want more: from 92 % if that makes more than a megabyte, else when all is in use
)

// String is the word in metrics.
func (s Stage) String() string { return [...]string{"large", "small", "all", "running"}[s] }

// Stages are all of them.
func Stages() []Stage { return []Stage{Large, Small, All, Running} }

const (
	large = PerRequest + 1<<20
	tiny  = PerRequest + 64<<10
)

// PerRequest is what a request takes besides its body and its answer: the goroutines and buffers of both its sides.
const PerRequest = 64 << 10

// stageOf is the stage of a new request of n bytes, and the fill percentage up to which it is accepted.
func stageOf(n int64) (Stage, int64) {
	switch {
	case n > large:
		return Large, 85
	case n > tiny:
		return Small, 92
	default:
		return All, 95
	}
}

// ceilingOf is the fill percentage up to which a running request gets more, if it then holds n bytes gained while
// running.
func ceilingOf(n int64) int64 {
	if n > large {
		return 92
	}
	return 100
}

// Account counts what the running requests hold. It is safe for concurrent use.
type Account struct {
	most    int64
	held    atomic.Int64
	refused [Running + 1]atomic.Uint64
}

// NewAccount makes an account of most bytes.
func NewAccount(most int64) *Account { return &Account{most: most} }

// Most is how many bytes all requests together may hold.
func (a *Account) Most() int64 { return a.most }

// Held is how many bytes the running requests hold.
func (a *Account) Held() int64 { return a.held.Load() }

// Refused is how often a stage has refused.
func (a *Account) Refused(s Stage) uint64 { return a.refused[s].Load() }

// Largest is the largest body that a request can have, were it the only one.
func (a *Account) Largest() int64 {
	_, percent := stageOf(math.MaxInt64)
	return part(a.most, percent) - PerRequest
}

// part is a percentage of n, which may be the largest number there is.
func part(n, percent int64) int64 { return n/100*percent + n%100*percent/100 }

// take adds n bytes if that leaves no more than percent in use.
func (a *Account) take(n, percent int64, stage Stage) bool {
	for {
		held := a.held.Load()
		if n > part(a.most, percent)-held {
			a.refused[stage].Add(1)
			return false
		}
		if a.held.CompareAndSwap(held, held+n) {
			return true
		}
	}
}

// Hold is what one request holds of an account. The zero value holds nothing and is of no account: it gets whatever it
// asks for. It is not safe for concurrent use.
type Hold struct {
	account *Account
	bytes   int64
	grown   int64 // bytes that it got while it ran
}

// Of returns an empty hold of the account.
func (a *Account) Of() Hold { return Hold{account: a} }

// Take adds n bytes for a request that is about to begin, or to read more of its body. It reports whether a request of
// its size fits.
func (h *Hold) Take(n int64) bool {
	stage, percent := stageOf(h.bytes + n)
	return h.add(n, percent, stage)
}

// Grow adds n bytes for a request that runs, and reports whether there is room. A negative n gives bytes back.
func (h *Hold) Grow(n int) bool {
	grown := h.grown + int64(n)
	if n <= 0 {
		h.give(int64(-n))
	} else if !h.add(int64(n), ceilingOf(grown), Running) {
		return false
	}
	h.grown = grown
	return true
}

func (h *Hold) add(n, percent int64, stage Stage) bool {
	if h.account == nil {
		return true
	}
	if !h.account.take(n, percent, stage) {
		return false
	}
	h.bytes += n
	return true
}

func (h *Hold) give(n int64) {
	if h.account != nil {
		h.account.held.Add(-n)
		h.bytes -= n
	}
}

// Bytes is how much is held.
func (h *Hold) Bytes() int64 { return h.bytes }

// ShrinkTo gives back what is held beyond n bytes.
func (h *Hold) ShrinkTo(n int64) {
	if h.bytes > n {
		h.give(h.bytes - n)
		h.grown = 0
	}
}

// End gives everything back.
func (h *Hold) End() {
	h.give(h.bytes)
	h.grown = 0
}
