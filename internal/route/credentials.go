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

	mu    sync.Mutex // guards the rest
	each  []credential
	tried time.Time // while all were parked
}

// credential is how one of them stands.
type credential struct {
	parking time.Duration // for how long it is parked; 0 if it is not
	parked  time.Time     // since when
	whose   uint64        // the caller for whom it is
	shared  bool          // it is for all
	probed  time.Time     // when the probe that is under way began; zero if none is
	rest    rest
}

// newCredentials is n of them. A provider that needs none has one, which is empty.
func newCredentials(n int) *Credentials {
	return &Credentials{each: make([]credential, max(n, 1))}
}

// Pick is the one to be used, the next in turn that is neither parked nor resting. A probe is the first attempt with one
// whose parking is over; until its outcome is told, by Good, Refused, Limited or Ended, the others pass it by. One that
// rests is used only if there is no other. If all are parked, one a second is tried, the one whose time is over
// soonest; for all others it is not ok. Those that the request has tried before, by their bits in tried, are not picked again.
// Callers may meet different ones parked, see Refused.
func (c *Credentials) Pick(now time.Time, caller, tried uint64) (index int, probe, ok bool) {
	if !c.ill.Load() {
		return c.next(), false, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	parked, ill := 0, false
	for i := range c.each {
		one := &c.each[i]
		ill = one.rest.left(now) > 0 || one.parking > 0 || ill
		if one.parkedFor(caller) {
			parked++
		}
	}
	if parked == len(c.each) {
		return c.hope(now, tried)
	}
	c.ill.Store(ill)
	index, probe = c.choose(now, caller, tried)
	return index, probe, index >= 0
}

func (c *Credentials) next() int {
	if len(c.each) == 1 {
		return 0
	}
	return int((c.turn.Add(1) - 1) % uint64(len(c.each)))
}

// hope tries one of those that are all parked.
func (c *Credentials) hope(now time.Time, tried uint64) (index int, probe, ok bool) {
	if near(now, c.tried, lastHope) {
		return 0, false, false
	}
	index = -1
	for i := range c.each {
		one := &c.each[i]
		switch {
		case tried>>i&1 != 0:
		case index < 0:
			index = i
		case near(now, one.probed, patience) != near(now, c.each[index].probed, patience):
			if !near(now, one.probed, patience) {
				index = i
			}
		case one.free(now).Before(c.each[index].free(now)):
			index = i
		}
	}
	if index < 0 {
		return 0, false, false
	}
	c.tried, c.each[index].probed = now, now
	return index, true, true
}

// choose takes the next that may be used; it is -1 if the request has tried all that may.
func (c *Credentials) choose(now time.Time, caller, tried uint64) (index int, probe bool) {
	start, resting := c.next(), -1
	for k := range c.each {
		i := (start + k) % len(c.each)
		one := &c.each[i]
		parked, rests := one.parkedFor(caller), one.rest.left(now)
		switch {
		case tried>>i&1 != 0:
		case parked && one.free(now).After(now):
		case rests > 0:
			if !parked && (resting < 0 || rests < c.each[resting].rest.left(now)) {
				resting = i
			}
		case !parked:
			c.turn.Store(uint64(i) + 1)
			return i, false
		case !near(now, one.probed, patience):
			one.probed = now
			c.turn.Store(uint64(i) + 1)
			return i, true
		}
	}
	return resting, false
}

// Good is told that the provider took a credential: it is parked no longer.
func (c *Credentials) Good(i int) {
	if c.ill.Load() {
		c.tell(i, func(one *credential) { one.parking = 0 })
	}
}

// locked reports whether Pick would give the caller none. It changes nothing.
func (c *Credentials) locked(now time.Time, caller uint64) bool {
	if !c.ill.Load() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.each {
		if !c.each[i].parkedFor(caller) {
			return false
		}
	}
	return near(now, c.tried, lastHope)
}

// Refused is told that the provider refused a credential. It is parked, at each probe in vain for twice as long. One that
// is tried before its time, because all are parked, stays parked as it was. What a single caller meets may be due to what
// it asks for: the credential is parked for that caller alone, until it is refused to another one as well.
func (c *Credentials) Refused(i int, caller uint64, now time.Time) {
	c.tell(i, func(one *credential) {
		c.ill.Store(true)
		if one.parking == 0 {
			one.whose, one.shared = caller, false
		}
		one.shared = one.shared || one.whose != caller
		if one.parking == 0 || !near(now, one.parked, one.parking) {
			one.parked, one.parking = now, min(max(2*one.parking, firstParking), longestParking)
		}
	})
}

// Limited is told that a credential is at its rate limit, and until when; the zero time means that the provider did not
// say. A minute is the most that it rests.
func (c *Credentials) Limited(i int, until time.Time) {
	c.tell(i, func(one *credential) {
		c.ill.Store(true)
		one.rest.extend(until)
	})
}

// Ended is told that an attempt ended in a way that says nothing of its credential.
func (c *Credentials) Ended(i int) {
	if c.ill.Load() {
		c.tell(i, func(*credential) {})
	}
}

// tell changes how one stands. Whatever is told of it, no probe of it is under way any more.
func (c *Credentials) tell(i int, change func(*credential)) {
	if i < 0 || i >= len(c.each) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.each[i].probed = time.Time{}
	change(&c.each[i])
}

// Next is when the first of them may be used, which is now unless all are parked or resting.
func (c *Credentials) Next(now time.Time) time.Time {
	if !c.ill.Load() {
		return now
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	next := c.each[0].free(now)
	for i := range c.each {
		if free := c.each[i].free(now); free.Before(next) {
			next = free
		}
	}
	return next
}

// Exhausted reports whether each of them rests, or is parked for everybody, and until when.
func (c *Credentials) Exhausted(now time.Time) (until time.Time, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.each {
		one := &c.each[i]
		free := now.Add(one.rest.left(now))
		if one.parking > 0 && one.shared {
			free = one.free(now)
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

// release forgets all that was told.
func (c *Credentials) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.each)
	c.tried = time.Time{}
	c.ill.Store(false)
}

// parkedFor reports whether it is parked for the caller.
func (c *credential) parkedFor(caller uint64) bool {
	return c.parking > 0 && (c.shared || c.whose == caller)
}

func (c *credential) parkedForSome() bool { return c.parking > 0 }

// free is when it may be used: now, or when its parking and its rest are over.
func (c *credential) free(now time.Time) time.Time {
	free := now.Add(c.rest.left(now))
	if near(now, c.parked, c.parking) && c.parked.Add(c.parking).After(free) {
		free = c.parked.Add(c.parking)
	}
	return free
}
