package escrow

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// tokens are a request's: it is charged more than it uses, and says so when it ends.
type tokens struct {
	charged, used int64
	runs          time.Duration
	at            time.Duration // when it was let in, 0 if it was not
	ended         bool
}

// try has the request be let in.
func (k *tokens) try(c *cluster, r *Replica) Verdict {
	v, _ := r.JudgeRate(c.rate, c.limit, k.charged, c.now)
	if v != Fits {
		return v
	}
	charge := r.TakeRate(c.rate, c.limit, k.charged, c.now)
	k.at = c.now
	c.post = append(c.post, parcel{c.now + k.runs, func() {
		r.SettleRate(charge, k.used, c.now)
		k.ended = true
	}})
	return v
}

// counts is what it takes of the limit.
func (k *tokens) counts() int64 {
	if k.ended {
		return k.used
	}
	return k.charged
}

// mostTokens is the most that requests took which were let in within a minute.
func mostTokens(list []*tokens) (most int64) {
	first, sum := 0, int64(0)
	for _, k := range list {
		for sum += k.counts(); k.at-list[first].at >= time.Minute; first++ {
			sum -= list[first].counts()
		}
		most = max(most, sum)
	}
	return most
}

// TestTokensAreKept: whatever requests give back of what they were charged, and whenever they end, those of a minute use at most limit + burst + one second's worth, and half of
// the limit more. This half is of long requests: when time would have brought their units back is known as if no other gave any back.
func TestTokensAreKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int64{60, 600, 6000}).Draw(t, "limit")
		c := newCluster(rapid.IntRange(1, 3).Draw(t, "replicas"), limit)
		if rapid.Bool().Draw(t, "bad network") {
			c.bad = func() (bool, time.Duration) {
				n := rapid.IntRange(0, 9).Draw(t, "luck")
				return n == 0, time.Duration(1+n/8*rapid.IntRange(0, 400).Draw(t, "late")) * time.Millisecond
			}
		}
		var all []*tokens
		for range rapid.IntRange(1, 40).Draw(t, "waves") {
			replica := rapid.IntRange(0, len(c.replicas)-1).Draw(t, "replica")
			charged := max(limit/rapid.SampledFrom([]int64{1, 2, 3, 10, 60}).Draw(t, "a part"), 1)
			used := charged / rapid.SampledFrom([]int64{1, 1, 10, charged + 1}).Draw(t, "of which it uses a part")
			runs := time.Duration(rapid.SampledFrom([]int{0, 50, 1000, 20_000, 31_000, 59_000}).Draw(t, "runs")) * time.Millisecond
			for range rapid.IntRange(1, 4).Draw(t, "requests") {
				k := &tokens{charged: charged, used: used, runs: runs}
				all = append(all, k)
				c.try(&arrival{replica: replica, until: c.now + 25*time.Millisecond, tokens: k}, true)
			}
			c.wait(time.Duration(rapid.SampledFrom([]int{1, 30, 110, 600, 5000, 15_000, 30_000}).Draw(t, "pause")) * time.Millisecond)
		}
		c.wait(time.Minute)
		var admitted []*tokens
		for _, k := range all {
			if k.at > 0 {
				admitted = append(admitted, k)
			}
		}
		slices.SortStableFunc(admitted, func(a, b *tokens) int { return cmp.Compare(a.at, b.at) })
		if most := mostTokens(admitted); most > 2*limit+limit/2+(limit+59)/60 {
			t.Fatalf("%d were used in a minute, with a limit of %d at %d replicas", most, limit, len(c.replicas))
		}
	})
}
