package route

import (
	"maps"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/money"
)

// Sight is one target as a request would find it at a moment.
type Sight struct {
	*Target
	Skip        Skip // why it would not be tried; NoBudget and BudgetFull only an attempt finds out
	Breaker     State
	Probe       bool          // the attempt would decide whether the target is well again
	Last        bool          // it would be tried only if no other target is left
	Rest        time.Duration // how long it still asked to be left alone
	Full        bool          // it has as many requests as it may have, at once or in a minute
	Window      time.Duration // how long it is full by what its vendor allows a minute
	InFlight    int
	P95         time.Duration // which 95 % of its last answers did not take to their first content; 0 if there were too few
	Credentials Standing
	RefusedFor  []uint64     // the keys, as hashes, whose last request had all credentials refused
	DownFor     []uint64     // the keys, as hashes, for which alone its breaker is open
	Rates       *money.Rates // that hold for the request; nil if no price is known
	Cost        money.Nano   // about what it would cost; -1 if its length or the price is not known
}

// Standing is the state of a provider's credentials.
type Standing struct {
	All, Parked, Resting int       // those that are parked are not counted as resting
	Free                 time.Time // when the first of them may be used
}

// Look is what such a request would meet: the targets in the order in which they would be tried, and the skipped ones
// with the reason. It changes nothing, not even what is remembered.
func (r *Route) Look(ask *Ask, now time.Time) []Sight {
	aside := r.aside(ask.Caller)
	steps := aside.orderedPlan(nil, ask, now)
	sights := make([]Sight, 0, len(steps))
	for i := range steps {
		s := &steps[i]
		sight := Sight{Target: s.Target, Skip: s.Skip, Breaker: s.health.meets(now, ask.Caller), Rest: s.health.restLeft(now, ask.Caller), InFlight: s.health.InFlight()}
		sight.P95, _ = s.health.late()
		sight.Window = s.window(ask, now)
		sight.Full = sight.Window > 0 || r.Board.full(s)
		sight.Rates, sight.Cost = s.Facts.rates(ask), -1
		if cost, known := s.Facts.cost(ask); known && ask.Prompt > 0 {
			sight.Cost = cost
		}
		credentials := r.Board.credentialsAside(s.Provider, max(s.Target.Credentials, 1))
		sight.Credentials = credentials.standing(now, func(one *credential) *parking { return one.parkedToShow(ask.Caller) })
		sight.RefusedFor, sight.DownFor = credentials.refusedFor(), r.Board.downFor(s.Target)
		ok, pass := s.health.Begin(now, ask.Caller, true) // on a copy
		_, _, usable := credentials.Pick(now, ask.Caller, 0)
		switch {
		case sight.Skip != NotSkipped:
		case s.turn == full:
			sight.Skip = Full
		case !ok:
			sight.Skip = TargetDown
		case !usable:
			sight.Skip = NoCredential
		default:
			sight.Probe, sight.Last = pass.probe, pass.last
		}
		sights = append(sights, sight)
	}
	slices.SortStableFunc(sights, func(a, b Sight) int { return a.skipped() - b.skipped() })
	return sights
}

func (s *Sight) skipped() int { return int(min(s.Skip, 1)) }

// aside is a route over copies of what is known of the targets. The gates of providers are only looked at.
func (r *Route) aside(caller uint64) Route {
	c := *r
	c.Targets, c.Board = slices.Clone(r.Targets), NewSharedBoard(r.Board.source)
	r.Board.mu.RLock()
	c.Board.gates = maps.Clone(r.Board.gates)
	r.Board.mu.RUnlock()
	for i := range c.Targets {
		t := &c.Targets[i]
		t.health = r.Board.known(t).aside(caller)
	}
	return c
}

// known is what is known of a target, nil if that is nothing.
func (b *Board) known(t *Target) *Health {
	if t.health != nil {
		return t.health
	}
	h, _ := b.targets.find(targetName{t.Provider, t.Model})
	return h
}

// downFor lists the keys for which alone a target's breaker is open.
func (b *Board) downFor(t *Target) (keys []uint64) {
	if h := b.known(&Target{Provider: t.Provider, Model: t.Model}); h != nil {
		return h.downFor()
	}
	return nil
}

func (h *Health) downFor() (keys []uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, r := range h.breaker.keys.of {
		if r.value.own.open {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// aside is a copy, to look at: what is done to it changes nothing. For nil it is one without a history.
func (h *Health) aside(caller uint64) *Health {
	if h == nil {
		return new(Health)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	c := &Health{breaker: h.breaker, speed: h.speed, rest: h.rest, inFlight: h.inFlight, used: h.used, quota: h.quota, source: h.source, id: h.id}
	c.breaker.keys = h.breaker.keys.only(caller)
	h.gate.CopyTo(&c.gate)
	return c
}

// credentialsAside is a copy of what is known of a provider's n credentials.
func (b *Board) credentialsAside(provider string, n int) *Credentials {
	b.mu.RLock()
	c := b.credentials[credentialSet{provider, n}]
	b.mu.RUnlock()
	if c == nil {
		return newCredentials(n)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	aside := &Credentials{each: slices.Clone(c.each)}
	for i := range aside.each {
		aside.each[i].keys = c.each[i].keys.clone()
	}
	aside.turn.Store(c.turn.Load())
	aside.ill.Store(c.ill.Load())
	return aside
}

// standing counts how many of them are parked, for which keys, and how many others rest. If an upstream asked one to
// rest without an end, asking for its rest starts the time; so it asks a copy.
func (c *Credentials) standing(now time.Time, parked func(*credential) *parking) Standing {
	s := Standing{All: len(c.each)}
	for i := range c.each {
		one := &c.each[i]
		free := now.Add(one.rest.left(now))
		p := parked(one)
		switch {
		case p != nil:
			s.Parked++
			if until := p.until(now); until.After(free) {
				free = until
			}
		case free.After(now):
			s.Resting++
		}
		if i == 0 || free.Before(s.Free) {
			s.Free = free
		}
	}
	return s
}

// refusedFor are the keys whose last answer with each credential was that it is refused.
func (c *Credentials) refusedFor() []uint64 {
	var keys []uint64
	for key := range c.each[0].keys.of {
		everywhere := true
		for i := range c.each {
			p := c.each[i].keys.find(key)
			everywhere = everywhere && p != nil && p.last
		}
		if everywhere {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
