package route

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	firstParking   = 30 * time.Second
	longestParking = 10 * time.Minute
	lastHope       = time.Second // between tries while all are parked
)

// Credentials are those of one provider, used in turn. One that is refused is parked, one at its rate limit rests. It is
// safe for concurrent use.
type Credentials struct {
	turn atomic.Uint64
	ill  atomic.Bool // one may be parked or resting; else nothing below is looked at

	mu   sync.Mutex // guards the rest
	each []credential
}

// credential is the state of one of them. A key that had it refused does not use it for a while. The cause may be that key's
// requests, so the others go on with it. Once it was refused to two of them without an answer in between, they try it last.
type credential struct {
	keys    perKey[parking]
	all     parking // it was refused to several keys
	refused int     // number of keys for which it is parked
	rest    rest
}

// parking is for how long a credential is left alone.
type parking struct {
	long   time.Duration // 0 if it is not
	since  time.Time
	probed time.Time // when the probe that is under way began; zero without one
	tried  time.Time // when its key was last given this one while all were parked for it
	last   bool      // refused was the last that its key has met
}

// refuse parks it, at each probe that is refused for twice as long. One that is tried before its time stays parked as it was.
func (p *parking) refuse(now time.Time) {
	p.probed, p.last = time.Time{}, true
	if p.long == 0 || !near(now, p.since, p.long) {
		p.since, p.long = now, min(max(2*p.long, firstParking), longestParking)
	}
}

// until is when it may be tried again; it has passed if it is not parked.
func (p *parking) until(now time.Time) time.Time {
	if near(now, p.since, p.long) {
		return p.since.Add(p.long)
	}
	return now
}

// due reports whether its time is over, and it is not being probed.
func (p *parking) due(now time.Time) bool {
	return !p.until(now).After(now) && !near(now, p.probed, patience)
}

// newCredentials is n of them. A provider that needs none has one, which is empty.
func newCredentials(n int) *Credentials {
	return &Credentials{each: make([]credential, max(n, 1))}
}

// Pick returns the credential to use for a key: the next in turn that is neither parked nor resting. A probe is the first attempt
// with a credential whose parking is over. Until Good, Refused, Limited or Ended reports its outcome, other requests pass it by. A
// credential that was refused only to other keys is used if no better one exists, and a resting one if no other exists at all. If
// all were refused to the key itself, one is tried when its time is over, and one each second in any case; otherwise ok is false.
// Those that the request has tried before, by their bits in tried, are not picked again.
func (c *Credentials) Pick(now time.Time, caller, tried uint64) (index int, probe, ok bool) {
	if !c.ill.Load() {
		return c.next(), false, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	parked, ill := 0, false
	for i := range c.each {
		one := &c.each[i]
		ill = one.rest.left(now) > 0 || len(one.keys.of) > 0 || ill
		if one.parkedFor(caller) != nil {
			parked++
		}
	}
	c.ill.Store(ill)
	index, probe = c.choose(now, caller, tried)
	switch {
	case parked < len(c.each):
	case index < 0:
		return c.hope(now, caller, tried)
	default:
		c.each[index].parkedFor(caller).tried = now
	}
	return index, probe, index >= 0
}

func (c *Credentials) next() int {
	if len(c.each) == 1 {
		return 0
	}
	return int((c.turn.Add(1) - 1) % uint64(len(c.each)))
}

// hope tries one before its time, because all are parked for the key. Each key has its own rate for this. Otherwise keys to which
// all are refused for good would use up the tries of a key that would be served.
func (c *Credentials) hope(now time.Time, caller, tried uint64) (index int, probe, ok bool) {
	if c.hoped(now, caller) {
		return 0, false, false
	}
	index = -1
	var best *parking
	for i := range c.each {
		p := c.each[i].parkedFor(caller)
		if tried>>i&1 != 0 {
			continue
		}
		if index < 0 || p.sooner(best, now) {
			index, best = i, p
		}
	}
	if index < 0 {
		return 0, false, false
	}
	best.tried, best.probed = now, now
	return index, true, true
}

// hoped reports whether the key was given one lately while all were parked for it.
func (c *Credentials) hoped(now time.Time, caller uint64) bool {
	for i := range c.each {
		if own := c.each[i].keys.find(caller); own != nil && near(now, own.tried, lastHope) {
			return true
		}
	}
	return false
}

// sooner reports whether one is to be tried before another: one that is not being probed, whose time is over soonest.
func (p *parking) sooner(than *parking, now time.Time) bool {
	if probed := near(now, p.probed, patience); probed != near(now, than.probed, patience) {
		return !probed
	}
	return p.until(now).Before(than.until(now))
}

// choose takes the next that may be used; it is -1 if the request has tried all that may.
func (c *Credentials) choose(now time.Time, caller, tried uint64) (index int, probe bool) {
	start, shunned, resting := c.next(), -1, -1
	for k := range c.each {
		i := (start + k) % len(c.each)
		one := &c.each[i]
		own, rests := one.parkedFor(caller), one.rest.left(now)
		switch {
		case tried>>i&1 != 0:
		case own != nil && (rests > 0 || !own.due(now)):
		case rests > 0:
			if resting < 0 || rests < c.each[resting].rest.left(now) {
				resting = i
			}
		case own == nil && one.all.long > 0 && !one.all.due(now):
			if shunned < 0 {
				shunned = i
			}
		default:
			return c.take(i, own, now)
		}
	}
	if shunned >= 0 {
		return c.take(shunned, nil, now)
	}
	return resting, false
}

// take uses a credential, as a probe if it is parked. own is its parking for the key, or nil.
func (c *Credentials) take(i int, own *parking, now time.Time) (index int, probe bool) {
	one := &c.each[i]
	if probe = own != nil || one.all.long > 0; probe {
		one.all.probed = now
	}
	if own != nil {
		own.probed = now
	}
	c.turn.Store(uint64(i) + 1)
	return i, probe
}

// good records that the provider accepted a credential for a key: it is no longer parked for any.
func (c *Credentials) good(i int, caller uint64) {
	if !c.ill.Load() {
		return
	}
	c.tell(i, caller, func(one *credential, own *parking) {
		if own != nil {
			delete(one.keys.of, caller)
		}
		if one.refused > 0 {
			one.free()
		}
	})
}

// free has it be parked for none. That its last answer to a key was a refusal is remembered.
func (c *credential) free() {
	for _, r := range c.keys.of {
		*r.value = parking{last: r.value.last}
	}
	c.all, c.refused = parking{}, 0
}

// locked reports whether Pick would give the key none. It changes nothing.
func (c *Credentials) locked(now time.Time, caller uint64) bool {
	if !c.ill.Load() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.each {
		if own := c.each[i].parkedFor(caller); own == nil || own.due(now) && c.each[i].rest.left(now) == 0 {
			return false
		}
	}
	return c.hoped(now, caller)
}

// Refused records that the provider refused a credential to a key.
func (c *Credentials) Refused(i int, caller uint64, now time.Time) {
	c.tell(i, caller, func(one *credential, own *parking) {
		c.ill.Store(true)
		if own == nil {
			own = one.keys.use(caller, now)
		}
		own.refuse(now)
		one.refused = 0
		for _, r := range one.keys.of {
			if r.value.long > 0 {
				one.refused++
			}
		}
		if one.refused > 1 {
			one.all.refuse(now)
		}
	})
}

// limited records that a credential is at its rate limit, and until when; the zero time means that the provider did not
// say. A minute is the most that it rests.
func (c *Credentials) limited(i int, caller uint64, until time.Time) {
	c.tell(i, caller, func(one *credential, _ *parking) {
		c.ill.Store(true)
		one.rest.extend(until)
	})
}

// ended records that an attempt ended in a way that says nothing of its credential.
func (c *Credentials) ended(i int, caller uint64) {
	if c.ill.Load() {
		c.tell(i, caller, func(*credential, *parking) {})
	}
}

// tell changes the state of a credential; own is what is known of it for the key, or nil. Whatever is noted about it, no probe of it
// is under way any more.
func (c *Credentials) tell(i int, caller uint64, change func(one *credential, own *parking)) {
	if i < 0 || i >= len(c.each) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	one := &c.each[i]
	own := one.keys.find(caller)
	one.all.probed = time.Time{}
	if own != nil {
		own.probed = time.Time{}
	}
	change(one, own)
}

// exhausted reports whether each of them rests, or was refused to several keys, and until when.
func (c *Credentials) exhausted(now time.Time) (until time.Time, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.each {
		one := &c.each[i]
		free := now.Add(one.rest.left(now))
		if parked := one.all.until(now); parked.After(free) {
			free = parked
		}
		if !free.After(now) {
			return time.Time{}, false
		}
		if i == 0 || free.Before(until) {
			until = free
		}
	}
	return until, true
}

// release forgets all reports.
func (c *Credentials) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.each)
	c.ill.Store(false)
}

// parkedFor is its parking for a key, nil if it is not parked for it.
func (c *credential) parkedFor(caller uint64) *parking {
	if own := c.keys.find(caller); own != nil && own.long > 0 {
		return own
	}
	return nil
}

// parkedToShow is its parking as a key meets it: its own, or that of all.
func (c *credential) parkedToShow(caller uint64) *parking {
	if own := c.parkedFor(caller); own != nil {
		return own
	}
	return c.parkedForAll()
}

// parkedForAll is nil if it is not parked for all.
func (c *credential) parkedForAll() *parking {
	if c.all.long > 0 {
		return &c.all
	}
	return nil
}

// parkedForSome is its parking for any key.
func (c *credential) parkedForSome() *parking {
	for _, r := range c.keys.of {
		if r.value.long > 0 {
			return r.value
		}
	}
	return c.parkedForAll()
}
