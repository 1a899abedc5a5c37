package daytest

import (
	"math/rand/v2"
	"time"

	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/route"
)

// incident is a time in which the first provider, or the prompts, have a fault.
type incident struct {
	name     string
	from, to time.Duration
}

func (i incident) on(at time.Duration) bool { return i.from <= at && at < i.to }

// What goes wrong in the course of the day.
var (
	brownOut  = incident{"brown-out", at(9, 0), at(10, 0)}
	outage    = incident{"outage", at(11, 30), at(11, 50)} // for its first half nothing connects, then all is answered with 502
	slowness  = incident{"slow", at(14, 0), at(15, 0)}
	quota     = incident{"quota", at(17, 0), at(18, 0)} // for its first third one credential is at its rate limit, then out of money
	poisonous = incident{"poison", at(20, 0), at(21, 0)}
	incidents = []incident{brownOut, outage, slowness, quota, poisonous}
)

const (
	connectTimeout = 10 * time.Second // the default of the config
	brownedOut     = 0.3              // share of the calls that fail
	slowBy         = 8                // times
	overloaded     = 0.002            // share of the calls, on any day
	retryAfter     = 20 * time.Second
	poisonEvery    = 2 * time.Minute
	restart        = 20 * time.Second // time of a server that the poisonous prompt has killed
	warm           = 5 * time.Minute  // how long a prompt cache keeps what was not asked for again
)

func at(hour, minute int) time.Duration {
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
}

// provider is what is known of one: how fast it is and what it takes.
type provider struct {
	name        string
	first       time.Duration // median until the first content
	spread      float64       // sigma of the log-normal distribution around it
	prefill     float64       // tokens of a prompt that it reads in a second, if they are not in its cache
	speed       float64       // tokens that it writes in a second
	credentials int
	price       *money.Price
	cached      int64 // the price of what is in the cache
}

var providers = [...]provider{
	{name: "amber", first: 420 * time.Millisecond, spread: 0.45, prefill: 12000, speed: 80, credentials: 2, price: money.Plain(2_000_000, 8_000_000), cached: 200_000},
	{name: "birch", first: 650 * time.Millisecond, spread: 0.35, prefill: 9000, speed: 60, credentials: 1, price: money.Plain(1_000_000, 14_000_000), cached: 100_000},
	{name: "cedar", first: 540 * time.Millisecond, spread: 0.65, prefill: 10000, speed: 70, credentials: 1, price: money.Plain(3_000_000, 15_000_000), cached: 300_000},
}

// answer is what becomes of a call.
type answer struct {
	outcome route.Outcome
	first   time.Duration // until the first content, or until the call has failed
	whole   time.Duration // until it has ended
	wait    time.Duration // that it asks for
	cached  int           // tokens of the prompt
}

// world is the providers in the course of one run.
type world struct {
	seed   uint64
	caches [len(providers)]map[uint64]entry
	killed [len(providers)]time.Duration // until when
}

// entry is a prefix that a prompt cache has.
type entry struct {
	tokens int
	used   time.Duration
}

func newWorld(seed uint64) *world {
	w := &world{seed: seed}
	for i := range w.caches {
		w.caches[i] = map[uint64]entry{}
	}
	return w
}

// call is what the provider makes of a request. Chance is a matter of the two alone, so that it is the same in every run.
func (w *world) call(p, credential int, r *request, now time.Duration) answer {
	luck := rand.New(rand.NewPCG(w.seed+r.id, uint64(p)))
	vendor := &providers[p]
	first := logNormal(luck, vendor.first.Seconds(), vendor.spread)
	bad, busy := luck.Float64() < brownedOut, luck.Float64() < overloaded
	fails := func(o route.Outcome, after time.Duration) answer {
		return answer{outcome: o, first: after, whole: after}
	}
	switch {
	case now < w.killed[p]:
		return fails(route.Unreachable, 5*time.Millisecond)
	case r.poison:
		w.killed[p] = now + restart
		return fails(route.Failed, time.Second)
	case busy:
		return fails(route.Overloaded, seconds(first/2))
	case p == 0:
		if a, ill := w.ill(credential, now, bad, first); ill {
			return a
		}
		if slowness.on(now) {
			first *= slowBy
		}
	}
	cached := w.cached(p, r, now)
	first += float64(r.ask.Prompt-cached) / vendor.prefill
	return answer{outcome: route.Answered, first: seconds(first), whole: seconds(first + float64(r.output)/vendor.speed), cached: cached}
}

// ill is how the first provider fails while something is wrong with it.
func (w *world) ill(credential int, now time.Duration, bad bool, first float64) (a answer, ill bool) {
	soon := 100 * time.Millisecond
	switch middle := outage.from + (outage.to-outage.from)/2; {
	case outage.on(now) && now < middle:
		a = answer{outcome: route.Unreachable, first: connectTimeout}
	case outage.on(now):
		a = answer{outcome: route.Failed, first: seconds(first)}
	case brownOut.on(now) && bad:
		a = answer{outcome: route.Failed, first: seconds(first)}
	case quota.on(now) && credential == 1 && now < quota.from+(quota.to-quota.from)/3:
		a = answer{outcome: route.RateLimited, first: soon, wait: retryAfter}
	case quota.on(now) && credential == 1:
		a = answer{outcome: route.BadCredential, first: soon}
	default:
		return answer{}, false
	}
	a.whole = a.first
	return a, true
}

// cached is how much of the prompt the provider has in its cache: the conversation so far, or what it shares with other
// requests of the same app.
func (w *world) cached(p int, r *request, now time.Duration) int {
	for _, prefix := range []uint64{r.conversation, r.app} {
		if e, ok := w.caches[p][prefix]; ok && now-e.used < warm {
			return e.tokens
		}
	}
	return 0
}

// keep puts a prompt into the provider's cache.
func (w *world) keep(p int, r *request, now time.Duration) {
	w.caches[p][r.conversation] = entry{r.ask.Prompt, now}
	w.caches[p][r.app] = entry{r.instructions, now}
}

// cost of an answer in 10⁻¹² dollars.
func cost(p int, r *request, cached int) int64 {
	vendor := &providers[p]
	return int64(r.ask.Prompt-cached)*vendor.price.Fresh + int64(cached)*vendor.cached + int64(r.output)*vendor.price.Text
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
