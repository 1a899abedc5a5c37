package limit_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/limit"
)

// drawn is an attempt that runs.
type drawn struct {
	real   limit.Taken
	tokens limit.Instant // what they are worth
	due    [2]limit.Instant
}

// A quota follows the reference, whatever is taken and used, and its waits are true to the nanosecond.
func TestQuotaFollowsTheReference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, quotaFollowsTheReference)
}

func quotaFollowsTheReference(rt *rapid.T) {
	rates := limit.Rates{Requests: rapid.Int64Range(0, 30).Draw(rt, "requests"), Tokens: rapid.Int64Range(0, 5000).Draw(rt, "tokens")}
	var q limit.Quota
	p := newParty(limit.Limits{Requests: rates.Requests, Tokens: rates.Tokens})
	now, running := limit.Instant(0), []*drawn{}
	take := func(rt *rapid.T) {
		tokens := rapid.Int64Range(0, 6000).Draw(rt, "needs")
		want := time.Duration(p.waits(tokens, now))
		if wait := q.Wait(rates, tokens, now); wait != want {
			rt.Fatalf("waits %v, the reference %v", wait, want)
		}
		taken, ok := q.Take(rates, tokens, now)
		if ok != (want == 0) {
			rt.Fatalf("taken %v, the reference waits %v", ok, want)
		}
		if !ok {
			return
		}
		d := &drawn{real: taken}
		if rates.Requests > 0 {
			p.requests.have -= p.requests.unit()
			d.due[0] = now + p.requests.size() - p.requests.have
		}
		if rates.Tokens > 0 {
			d.tokens = p.tokens.unit() * limit.Instant(min(tokens, rates.Tokens))
			p.tokens.have -= d.tokens
			d.due[1] = now + p.tokens.size() - p.tokens.have
		}
		running = append(running, d)
	}
	settle := func(rt *rapid.T) {
		if len(running) == 0 {
			rt.Skip("nothing runs")
		}
		i := rapid.IntRange(0, len(running)-1).Draw(rt, "which")
		d := running[i]
		running = append(running[:i:i], running[i+1:]...)
		calls, tokens := rapid.Int64Range(0, 3).Draw(rt, "calls"), rapid.Int64Range(0, 8000).Draw(rt, "used")
		q.Settle(&d.real, calls, tokens, now)
		p.waits(0, now) // fills both
		if rates.Requests > 0 {
			p.requests.have += min(p.requests.unit()*limit.Instant(1-calls), max(d.due[0]-now, 0))
		}
		if rates.Tokens > 0 {
			p.tokens.have += min(d.tokens-p.tokens.unit()*limit.Instant(tokens), max(d.due[1]-now, 0))
		}
		p.waits(0, now)
	}
	wait := func(rt *rapid.T) {
		now += limit.Instant(rapid.Int64Range(0, rapid.SampledFrom([]int64{1, 1e9, 90e9}).Draw(rt, "at most")).Draw(rt, "time"))
	}
	rt.Repeat(map[string]func(*rapid.T){"take": take, "take too": take, "settle": settle, "wait": wait})
	if !q.Rests(now + limit.Instant(1_000_000*time.Hour)) {
		rt.Error("it never comes to rest")
	}
}
