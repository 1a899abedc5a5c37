package route

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// The law: as long as an upstream serves a key, nothing that other keys send may make that key's requests fail or wait.

// client is a key and what it sends.
type client struct {
	key   uint64
	loops int           // that send one request after the other
	every time.Duration // pause of each
}

// met is what becomes of an attempt, and after how long.
type met struct {
	outcome Outcome
	after   time.Duration
}

// lawCase is a model, the keys that use it, and what its upstreams answer them. Key 1 is the one that is served.
type lawCase struct {
	name    string
	model   func() *Model
	long    time.Duration
	clients []client
	answer  func(key uint64, target string, credential int, luck *rand.Rand) met
	wasted  int // percent of the served key's requests whose first attempt may fail
}

// served are the requests of key 1.
type served struct {
	mu                 sync.Mutex
	all, lost, stumble int
}

// run lets the clients send for as long as the case says.
func (c *lawCase) run() *served {
	s, m, b, begin := new(served), c.model(), NewBoard(), time.Now()
	var wg sync.WaitGroup
	for n, one := range c.clients {
		for loop := range one.loops {
			wg.Go(func() {
				luck := rand.New(rand.NewPCG(uint64(n), uint64(loop)))
				if one.key == 1 {
					time.Sleep(20 * time.Second) // the others have done what they can by then
				}
				for time.Since(begin) < c.long {
					attempts, ok := c.request(m, b, one.key, luck)
					if one.key == 1 {
						s.note(attempts, ok)
					}
					time.Sleep(one.every)
				}
			})
		}
	}
	wg.Wait()
	return s
}

func (s *served) note(attempts int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all++
	if !ok {
		s.lost++
	}
	if attempts != 1 {
		s.stumble++
	}
}

func (c *lawCase) request(m *Model, b *Board, key uint64, luck *rand.Rand) (attempts int, ok bool) {
	var a Attempts
	a.Begin(Route{Model: m, Targets: m.Targets, Board: b}, &Ask{Caller: key, Seed: luck.Uint64()}, time.Now())
	for try, more := a.Next(time.Now()); more; try, more = a.Next(time.Now()) {
		attempts++
		time.Sleep(try.Wait)
		met := c.answer(key, try.Target.String(), try.Credential, luck)
		time.Sleep(met.after)
		if ok = met.outcome == Answered; ok {
			try.Heard(met.after, time.Now())
		}
		a.Ended(try, met.outcome, 0, time.Now())
	}
	return attempts, ok
}

// flood is what a key sends that wants to harm others.
func flood(key uint64) client { return client{key, 5, 100 * time.Millisecond} }

// fails is an answer to all keys but the first; the first is answered after so long.
func fails(o Outcome, after, first time.Duration) func(uint64, string, int, *rand.Rand) met {
	return func(key uint64, _ string, _ int, _ *rand.Rand) met {
		if key == 1 {
			return met{Answered, first}
		}
		return met{o, after}
	}
}

func with(policy Policy, credentials int, targets ...string) func() *Model {
	return func() *Model {
		m := inOrder(targets...)
		m.Policy, m.MaxAttempts = policy, 3
		for i := range m.Targets {
			m.Targets[i].Credentials = credentials
		}
		return m
	}
}

// lawCases are what other keys can do to one that is served.
func lawCases() []lawCase {
	const ms = time.Millisecond
	busy, quiet := client{1, 1, 80 * ms}, client{1, 1, 20 * time.Second}
	single, pair := with(Ordered, 1, "a/x"), with(Ordered, 1, "a/x", "b/y")
	return []lawCase{
		{"poisoned prompts at a single target", single, 90 * time.Second, []client{busy, {2, 1, 1600 * ms}}, fails(Failed, 20*ms, 20*ms), 0},
		{"a flood of poisoned prompts at a single target", single, 5 * time.Minute, []client{busy, flood(2)}, fails(Failed, 20*ms, 20*ms), 0},
		{"answers that take long", single, 5 * time.Minute, []client{{1, 10, 80 * ms}, flood(2)}, fails(Failed, 20*ms, 8*time.Second), 0},
		{"poisoned prompts at two providers", pair, 90 * time.Second, []client{busy, {2, 1, 1600 * ms}}, fails(Failed, 20*ms, 20*ms), 0},
		{"a flood of poisoned prompts at two providers", pair, 5 * time.Minute, []client{busy, flood(2)}, fails(Failed, 20*ms, 20*ms), 0},
		{"a key whose answers outlast total", single, 20 * time.Minute, []client{{1, 1, time.Second}, {2, 12, 100 * ms}}, fails(TimedOut, 30*time.Second, time.Second), 0},
		{"two keys of three", single, 5 * time.Minute, []client{busy, flood(2), flood(3)}, fails(Failed, 20*ms, 20*ms), 0},
		{"five keys that keep below their own breakers", single, 5 * time.Minute, []client{busy, {2, 1, 1200 * ms}, {3, 1, 1200 * ms}, {4, 1, 1200 * ms}, {5, 1, 1200 * ms}, {6, 1, 1200 * ms}}, fails(Failed, 0, 20*ms), 0},
		{"five keys, and one that asks seldom", single, time.Hour, []client{quiet, {2, 1, 1200 * ms}, {3, 1, 1200 * ms}, {4, 1, 1200 * ms}, {5, 1, 1200 * ms}, {6, 1, 1200 * ms}}, fails(Failed, 0, 20*ms), 0},
		{"five keys at two providers, and one that asks seldom", pair, time.Hour, []client{quiet, {2, 1, 1200 * ms}, {3, 1, 1200 * ms}, {4, 1, 1200 * ms}, {5, 1, 1200 * ms}, {6, 1, 1200 * ms}}, fails(Failed, 0, 20*ms), 0},
		{"connections that break, so that no repeat is left", single, 5 * time.Minute, []client{busy, flood(2), flood(3)}, now(Unreachable, 0.005), 1},
		{"one credential, refused to two keys", single, 5 * time.Minute, []client{{1, 1, 10 * time.Second}, {2, 1, 9 * time.Second}, {3, 1, 9 * time.Second}}, fails(BadCredential, 20*ms, 20*ms), 0},
		{"two credentials, refused to floods of two keys", with(Ordered, 2, "a/x"), 5 * time.Minute, []client{busy, flood(2), flood(3)}, fails(BadCredential, 20*ms, 20*ms), 0},
		{"rate limits of other keys", single, 5 * time.Minute, []client{busy, flood(2), flood(3)}, fails(RateLimited, 20*ms, 20*ms), 0},
		{"the fastest serves the others, and not this key", with(Fastest, 1, "a/x", "b/y", "c/z"), time.Hour, []client{{1, 1, time.Second}, flood(2), flood(3)}, attracts, 10},
	}
}

// now is an answer to other keys, which fails; a share of those to the first key fails likewise.
func now(o Outcome, share float64) func(uint64, string, int, *rand.Rand) met {
	return func(key uint64, _ string, _ int, luck *rand.Rand) met {
		if key == 1 && luck.Float64() > share {
			return met{Answered, 20 * time.Millisecond}
		}
		return met{o, 0}
	}
}

// attracts has a/x answer other keys at once and fail the first, while the others answer only the first.
func attracts(key uint64, target string, _ int, _ *rand.Rand) met {
	switch {
	case (target == "a/x") != (key == 1):
		return met{Answered, time.Duration(map[bool]int{true: 5, false: 500}[key != 1]) * time.Millisecond}
	default:
		return met{Failed, 5 * time.Millisecond}
	}
}

func TestNoKeyHarmsAnother(t *testing.T) {
	t.Parallel()
	for _, c := range lawCases() {
		if testing.Short() && c.long >= time.Hour { // the race detector sees the same code in the others
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := c.run()
				if s.all < 15 || s.lost*100 >= s.all {
					t.Errorf("%d of %d requests failed", s.lost, s.all)
				}
				if s.stumble*100 > s.all*c.wasted {
					t.Errorf("%d of %d requests were not answered by the first target that they met", s.stumble, s.all)
				}
			})
		})
	}
}

// Whatever other keys do, and however its own requests are spread, a key that is always answered is never refused its last target.
// It is also never refused a target that answered it in the last ten seconds.
func TestAServedKeyIsNeverTurnedAway(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h, now, last := new(Health), start, time.Time{}
		var flying []Pass
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			if rapid.IntRange(0, 3).Draw(t, "later") == 0 {
				now = now.Add(rapid.SampledFrom(passes).Draw(t, "passes"))
			}
			switch {
			case rapid.IntRange(0, 4).Draw(t, "whose") == 0:
				resort := rapid.Bool().Draw(t, "last resort") || !near(now, last, evidence)
				ok, pass := h.Begin(now, 1, resort)
				if !ok {
					t.Fatalf("the key was turned away: %v", h.meets(now, 1))
				}
				if rapid.Bool().Draw(t, "a stream") {
					h.heard(now, time.Second, pass)
				}
				h.End(now, Answered, pass)
				last = now
			case len(flying) == 0 || rapid.Bool().Draw(t, "begin"):
				if ok, pass := h.Begin(now, rapid.Uint64Range(2, 9).Draw(t, "other key"), rapid.Bool().Draw(t, "last resort")); ok {
					flying = append(flying, pass)
				}
			default:
				i := rapid.IntRange(0, len(flying)-1).Draw(t, "which")
				h.End(now, rapid.SampledFrom([]Outcome{Failed, Failed, Failed, TimedOut, Lost, Answered}).Draw(t, "outcome"), flying[i])
				flying = append(flying[:i], flying[i+1:]...)
			}
		}
	})
}

// In an outage each key finds out by itself that its last target is down, and then leaves it alone: as many calls as keys.
func TestLastResortOfAnOutage(t *testing.T) {
	t.Parallel()
	const keys = 50
	h, calls := new(Health), 0
	for i := range 6000 { // ten requests of each key in a second, for twelve seconds
		at := after(time.Duration(i) * 2 * time.Millisecond)
		if ok, pass := h.Begin(at, uint64(i%keys), true); ok {
			calls++
			h.End(at, Failed, pass)
		}
	}
	if calls > 3*keys {
		t.Errorf("%d calls", calls)
	}
}

// A target remembers a bounded number of keys, those that asked last. A flood from one key pushes out no other.
func TestKeysAreBounded(t *testing.T) {
	t.Parallel()
	h := new(Health)
	try(t, h, start, 1, Answered)
	for i := range 100_000 {
		if ok, pass := h.Begin(after(time.Duration(i)*time.Microsecond), 2, true); ok {
			h.End(after(time.Duration(i)*time.Microsecond), Failed, pass)
		}
	}
	if len(h.breaker.keys.of) != 2 {
		t.Fatalf("%d keys", len(h.breaker.keys.of))
	}
	for i := range uint64(3 * mostKeys) {
		try(t, h, after(time.Second+time.Duration(i)), 10+i, Answered)
		if i%100 == 0 {
			try(t, h, after(time.Second+time.Duration(i)), 1, Answered)
		}
	}
	if n := len(h.breaker.keys.of); n > mostKeys || h.breaker.keys.find(1) == nil || h.breaker.keys.find(2) != nil {
		t.Error(fmt.Sprint(n, " keys"), h.breaker.keys.find(1), h.breaker.keys.find(2))
	}
}

// What a target asked of one key, another key that is answered later need not keep.
func TestARestEndsForKeysThatAreAnswered(t *testing.T) {
	t.Parallel()
	h := new(Health)
	_, before := h.Begin(start, 2, false)
	_, told := h.Begin(start, 1, false)
	h.End(start, Overloaded, told)
	h.restUntil(start, after(30*time.Second), told)
	resting := func(key uint64, at time.Duration, want bool) {
		t.Helper()
		if got := h.resting(after(at), key); got != want {
			t.Errorf("after %v, for key %d: %v", at, key, got)
		}
	}
	resting(1, 0, true)
	resting(2, 0, true)
	h.End(after(time.Second), Answered, before)
	resting(2, time.Second, true) // it began before the target asked
	_, again := h.Begin(after(2*time.Second), 1, false)
	h.End(after(2*time.Second), Answered, again)
	resting(2, 2*time.Second, true) // this key got the limit
	_, other := h.Begin(after(3*time.Second), 2, false)
	h.End(after(3*time.Second), Answered, other)
	resting(1, 3*time.Second, true)
	resting(2, 3*time.Second, false)
	resting(3, 3*time.Second, false)
	resting(1, 30*time.Second, false)
}

// However much of the repeats other keys have used up, a key has its share, and one at least.
func TestRepeatsOfAKey(t *testing.T) {
	t.Parallel()
	b := new(callBudget)
	for range 1000 {
		b.request(start, 1)
	}
	for range 100 {
		b.request(start, 2)
	}
	for n := range 111 {
		if got := b.repeat(start, 1, 0.1); got != (n < 110) {
			t.Fatalf("repeat %d of the key that sends most: %v", n+1, got)
		}
	}
	for key, want := range map[uint64]int{2: 10, 3: 1} {
		n := 0
		for b.repeat(start, key, 0.1) {
			n++
		}
		if n != want {
			t.Errorf("key %d has %d repeats, not %d", key, n, want)
		}
	}
}

// That a target refuses stream_options holds for the key that met it.
func TestUsageIsRefusedToAKey(t *testing.T) {
	t.Parallel()
	b := NewBoard()
	h := b.Health("p", "m")
	refuses := func(key uint64) bool {
		_, pass := h.Begin(start, key, false)
		defer h.End(start, Answered, pass)
		return h.refusesUsage(pass)
	}
	_, pass := h.Begin(start, 1, false)
	h.refusedUsage(pass)
	h.End(start, Answered, pass)
	if !refuses(1) || refuses(2) {
		t.Errorf("refused to the key: %v, to another: %v", refuses(1), refuses(2))
	}
	if b.Release(); refuses(1) {
		t.Error("a reload lets it be asked for again")
	}
}

// A target that fails for other keys is the last that a key has when its first has just broken. That each of its requests tries it does not
// depend on repeats that others have used up.
func TestTheLastResortNeedsNoBudget(t *testing.T) {
	t.Parallel()
	b, m := NewBoard(), inOrder("a/x", "b/y")
	m.MaxAttempts, m.Repeats = 3, 0.1
	for key := range uint64(3) { // b fails for all others
		for range 10 {
			if ok, pass := b.Health("b", "y").Begin(start, 10+key, true); ok {
				b.Health("b", "y").End(start, Failed, pass)
			}
		}
	}
	for range 1000 {
		b.repeats(m.Name).repeat(start, 10, m.Repeats)
	}
	b.repeats(m.Name).repeat(start, 1, m.Repeats) // the key's own
	var burst [5]Attempts
	var tries [5]Try
	for i := range burst {
		burst[i].Begin(Route{Model: m, Targets: m.Targets, Board: b}, &Ask{Caller: 1, Seed: 1}, start)
		tries[i], _ = burst[i].Next(start)
	}
	for i := range burst {
		burst[i].Ended(tries[i], Failed, 0, start)
		var ok bool
		if tries[i], ok = burst[i].Next(start); !ok || tries[i].Target.Provider != "b" {
			t.Errorf("request %d of the burst does not get to b: %v", i, burst[i].Steps())
		}
	}
	for i := range burst {
		if tries[i].Target != nil {
			burst[i].Ended(tries[i], Answered, 0, start)
		}
	}
}
