package route

import (
	"testing"
	"time"
)

// picks are the indexes of the next n picks; a probe is its index + 100, no pick is -1.
func picks(c *Credentials, at time.Duration, n int) []int {
	var got []int
	for range n {
		i, probe, ok := c.Pick(after(at), 1, 0)
		switch {
		case !ok:
			i = -1
		case probe:
			i += 100
		}
		got = append(got, i)
	}
	return got
}

func expect(t *testing.T, c *Credentials, at time.Duration, want ...int) {
	t.Helper()
	got := picks(c, at, len(want))
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("after %v: %v, want %v", at, got, want)
			return
		}
	}
}

// freeAt is when the first of them may be used by key 1, which is now unless all are parked or resting.
func freeAt(c *Credentials, now time.Time) time.Time {
	var next time.Time
	for i := range c.each {
		free := now.Add(c.each[i].rest.left(now))
		if own := c.each[i].parkedFor(1); own != nil && own.until(now).After(free) {
			free = own.until(now)
		}
		if i == 0 || free.Before(next) {
			next = free
		}
	}
	return next
}

func TestRotation(t *testing.T) {
	t.Parallel()
	expect(t, newCredentials(0), 0, 0, 0)
	expect(t, newCredentials(1), 0, 0, 0)
	expect(t, newCredentials(3), 0, 0, 1, 2, 0, 1)
}

func TestParking(t *testing.T) {
	t.Parallel()
	c := newCredentials(3)
	c.Refused(1, 1, start)
	expect(t, c, 0, 0, 2, 0, 2)
	for range 50 { // those that were on their way say the same
		c.Refused(1, 1, after(time.Second))
	}
	expect(t, c, 30*time.Second-1, 0, 2, 0)
	now := 30 * time.Second
	for _, next := range []time.Duration{60, 120, 240, 480, 600, 600} {
		expect(t, c, now, 101, 2, 0, 2)
		c.Refused(1, 1, after(now))
		now += next * time.Second
		expect(t, c, now-1, 0, 2, 0)
	}
	expect(t, c, now, 101)
	c.good(1, 1)
	expect(t, c, now, 2, 0, 1, 2, 0)
	c.Refused(1, 1, after(now))
	expect(t, c, now+29*time.Second, 2, 0, 2, 0)
	expect(t, c, now+30*time.Second, 101)
}

// A probe that says nothing makes place for the next one, and so does one that hangs.
func TestProbesOfCredentials(t *testing.T) {
	t.Parallel()
	c := newCredentials(2)
	c.Refused(0, 1, start)
	at := 30 * time.Second
	expect(t, c, at, 100, 1, 1)
	c.ended(0, 1)
	expect(t, c, at, 100, 1, 1)
	c.limited(0, 1, after(at+time.Second))
	expect(t, c, at, 1, 1)
	expect(t, c, at+time.Second, 100, 1, 1)
	expect(t, c, at+31*time.Second-1, 1, 1)
	expect(t, c, at+31*time.Second, 100, 1)
}

func TestAllParked(t *testing.T) {
	t.Parallel()
	c := newCredentials(2)
	c.Refused(0, 1, start)
	c.Refused(1, 1, after(5*time.Second))
	if next := freeAt(c, after(6*time.Second)); !next.Equal(after(30 * time.Second)) {
		t.Errorf("the soonest is free after %v", next.Sub(start))
	}
	expect(t, c, 6*time.Second, 100, -1, -1)
	c.Refused(0, 1, after(6*time.Second)) // it stays parked for as long as it was
	expect(t, c, 7*time.Second-1, -1)
	expect(t, c, 7*time.Second, 100, -1)
	expect(t, c, 8*time.Second, 101, -1) // the first one's outcome is not known yet
	c.good(1, 1)
	expect(t, c, 8*time.Second, 1, 1, 1)
	c.Refused(0, 1, after(9*time.Second))
	expect(t, c, 30*time.Second, 100, 1, 1)

	c = newCredentials(1)
	c.Refused(0, 1, start)
	expect(t, c, 0, 100, -1)
	expect(t, c, time.Second, 100, -1)
	c.good(0, 1)
	expect(t, c, time.Second, 0, 0)
}

func TestResting(t *testing.T) {
	t.Parallel()
	c := newCredentials(3)
	c.limited(0, 1, after(10*time.Second))
	expect(t, c, 0, 1, 2, 1)
	c.limited(1, 1, time.Time{})
	expect(t, c, 0, 2, 2)
	c.Refused(2, 1, start)
	expect(t, c, 0, 1, 1) // the one whose rest is over soonest
	if next := freeAt(c, start); !next.Equal(after(5 * time.Second)) {
		t.Errorf("the soonest is free after %v", next.Sub(start))
	}
	expect(t, c, 5*time.Second, 1, 1)
	expect(t, c, 10*time.Second, 0, 1, 0)
	if next := freeAt(c, after(10*time.Second)); !next.Equal(after(10 * time.Second)) {
		t.Errorf("one is free now, not after %v", next.Sub(start))
	}
	c.limited(0, 1, after(10*time.Hour))
	expect(t, c, 10*time.Second, 1, 1)
	expect(t, c, 70*time.Second-1, 102, 1, 1)
	expect(t, c, 70*time.Second, 0, 1, 0)
	c.good(2, 1)
	expect(t, c, 70*time.Second, 1, 2, 0, 1)
}

func TestCredentialsOfNobody(t *testing.T) {
	t.Parallel()
	c := newCredentials(1)
	for _, i := range []int{-1, 1, 1 << 40} {
		c.Refused(i, 1, start)
		c.limited(i, 1, start)
		c.good(i, 1)
		c.ended(i, 1)
	}
	expect(t, c, 0, 0, 0)
}

func TestCredentialsWhenTheClockGoesBack(t *testing.T) {
	t.Parallel()
	c := newCredentials(2)
	c.Refused(0, 1, start)
	c.limited(1, 1, after(time.Minute))
	expect(t, c, -time.Hour, 100)
	expect(t, c, -time.Hour+time.Minute, 1, 100, 1)
	c.Refused(0, 1, start)
	c.Refused(1, 1, start)
	expect(t, c, 0, 100, -1)
	if _, _, ok := c.Pick(after(-time.Hour), 1, 0); !ok {
		t.Error("nothing may be tried for an hour")
	}
}

// A refusal to one key, which its own requests may have caused, takes the credential from no other key.
func TestCallersParkForThemselves(t *testing.T) {
	t.Parallel()
	pick := func(c *Credentials, caller uint64, at time.Duration, index int, probe, ok bool) {
		t.Helper()
		if i, p, picked := c.Pick(after(at), caller, 0); i != index || p != probe || picked != ok {
			t.Errorf("after %v, for %d: %d, %v, %v", at, caller, i, p, picked)
		}
	}
	c := newCredentials(1)
	for range 50 {
		c.Refused(0, 1, start)
	}
	pick(c, 1, 0, 0, true, true)
	pick(c, 1, 0, 0, false, false)
	for range 50 {
		pick(c, 2, 0, 0, false, true)
	}
	c.good(0, 1) // to one key: so it is good
	pick(c, 1, 0, 0, false, true)

	c.Refused(0, 1, start)
	c.Refused(0, 2, start)
	for range 50 {
		pick(c, 3, 2*time.Second, 0, true, true)
	}
	c.good(0, 3)
	c.Refused(0, 3, start)
	pick(c, 1, 2*time.Second, 0, false, true)

	c = newCredentials(2)
	c.Refused(0, 1, start)
	pick(c, 3, 0, 0, false, true) // what one key met says little
	c.Refused(0, 2, start)
	for range 5 {
		pick(c, 3, 0, 1, false, true) // what several met: there is a better one
	}
	c.Refused(1, 3, start)
	pick(c, 3, 0, 0, true, true) // and now no pick

	c = newCredentials(2)
	c.Refused(0, 1, start)
	c.limited(1, 1, after(time.Minute))
	pick(c, 1, time.Second, 1, false, true)
	pick(c, 2, time.Second, 0, false, true)
	c.limited(0, 1, after(30*time.Second))
	pick(c, 1, time.Second, 1, false, true)
	pick(c, 2, time.Second, 0, false, true) // it rests for less
}

// Credentials are exhausted until the first of them is free again, wherever it is in the list.
func TestExhaustedUntilTheSoonestIsFree(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		meet func(*Credentials)
		want time.Duration // 0 if one is free
	}{
		{"nothing happened", func(*Credentials) {}, 0},
		{"the other one is free", func(c *Credentials) { c.limited(0, 1, after(10*time.Second)) }, 0},
		{"the first is free sooner", func(c *Credentials) {
			c.limited(0, 1, after(10*time.Second))
			c.limited(1, 1, after(20*time.Second))
		}, 10 * time.Second},
		{"the last is free sooner", func(c *Credentials) {
			c.limited(0, 1, after(20*time.Second))
			c.limited(1, 1, after(10*time.Second))
		}, 10 * time.Second},
		{"one was refused to one key alone", func(c *Credentials) {
			c.limited(0, 1, after(10*time.Second))
			c.Refused(1, 1, start)
		}, 0},
		{"one was refused to several keys", func(c *Credentials) {
			c.limited(0, 1, after(50*time.Second))
			c.Refused(1, 1, start)
			c.Refused(1, 2, start)
		}, 30 * time.Second},
		{"one rests for longer than it is refused", func(c *Credentials) {
			c.limited(0, 1, after(50*time.Second))
			c.limited(1, 1, after(40*time.Second))
			c.Refused(1, 1, start)
			c.Refused(1, 2, start)
		}, 40 * time.Second},
	} {
		c := newCredentials(2)
		tt.meet(c)
		until, ok := c.exhausted(start)
		if ok != (tt.want > 0) || ok && !until.Equal(after(tt.want)) {
			t.Errorf("%s: %v, after %v; want after %v", tt.name, ok, until.Sub(start), tt.want)
		}
	}
}

// A credential may be refused to many keys. The one try each second belongs to each key alone.
func TestTheLastHopeOfAKeyIsItsOwn(t *testing.T) {
	t.Parallel()
	c := newCredentials(1)
	for key := range uint64(3) {
		c.Refused(0, key, start)
	}
	for second := range 5 {
		at := after(time.Duration(second+2) * time.Second)
		for key := range uint64(2) {
			if _, _, ok := c.Pick(at, key, 0); ok {
				c.Refused(0, key, at)
			} else {
				t.Errorf("in second %d key %d has no try", second, key)
			}
			if _, _, ok := c.Pick(at, key, 0); ok {
				t.Errorf("in second %d key %d has two", second, key)
			}
		}
	}
	if _, _, ok := c.Pick(after(7*time.Second), 2, 0); !ok || c.locked(after(7*time.Second), 3) {
		t.Error("a key is kept out by others' tries")
	}
}
