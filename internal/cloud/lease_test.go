package cloud

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// clerk hands out numbered leases that last an hour, after a second.
type clerk struct {
	asked atomic.Int32
	life  time.Duration
	fails atomic.Bool
}

var errClerk = errors.New("the clerk is out")

func (c *clerk) fetch(ctx context.Context) (*lease[int32], error) {
	n := c.asked.Add(1)
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c.fails.Load() {
		return nil, errClerk
	}
	l := &lease[int32]{value: n}
	if c.life > 0 {
		l.until = time.Now().Add(c.life)
	}
	return l, nil
}

// has gets a lease and checks how long that took.
func has(t *testing.T, k *keeper[int32], want int32, wait time.Duration) {
	t.Helper()
	synctest.Wait()
	began := time.Now()
	l, err := k.get(t.Context())
	if err != nil || l.value != want || time.Since(began) != wait {
		t.Fatalf("lease %+v after %v: %v; want %d after %v", l, time.Since(began), err, want, wait)
	}
	synctest.Wait()
}

// A token is renewed before its end, and no call waits for that.
func TestRenewedBeforeTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &clerk{life: time.Hour}
		k := newKeeper(c.fetch)
		defer k.close()
		has(t, k, 1, time.Second)
		time.Sleep(54 * time.Minute)
		has(t, k, 1, 0)
		time.Sleep(time.Minute)
		has(t, k, 1, 0) // and the next is on its way
		time.Sleep(time.Second)
		has(t, k, 2, 0)
		if n := c.asked.Load(); n != 2 {
			t.Errorf("asked %d times", n)
		}
		time.Sleep(2 * time.Hour)
		has(t, k, 3, time.Second) // the old one is of no use any more
	})
}

// Many calls at once make one fetch, whether it is the first or a later one.
func TestOneFetchAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &clerk{life: time.Hour}
		k := newKeeper(c.fetch)
		defer k.close()
		for round := int32(1); round <= 2; round++ {
			var calls sync.WaitGroup
			for range 100 {
				calls.Go(func() {
					if l, err := k.get(t.Context()); err != nil || l.value != 1 {
						t.Errorf("%+v, %v", l, err)
					}
				})
			}
			calls.Wait()
			time.Sleep(56 * time.Minute)
		}
		if n := c.asked.Load(); n != 2 {
			t.Errorf("asked %d times", n)
		}
	})
}

// While credentials are good a failure to renew them has no effect; after their end it is an error, and tried again.
func TestFailuresToRenew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &clerk{life: time.Hour}
		k := newKeeper(c.fetch)
		defer k.close()
		has(t, k, 1, time.Second)
		c.fails.Store(true)
		time.Sleep(56 * time.Minute)
		for range 20 {
			has(t, k, 1, 0)
			time.Sleep(time.Second)
		}
		if n := c.asked.Load(); n < 2 || n > 6 {
			t.Errorf("asked %d times", n)
		}
		time.Sleep(time.Hour)
		if _, err := k.get(t.Context()); !errors.Is(err, errClerk) {
			t.Errorf("after the end: %v", err)
		}
		before := c.asked.Load()
		if _, err := k.get(t.Context()); !errors.Is(err, errClerk) || c.asked.Load() != before {
			t.Errorf("at once: %v, asked %d times", err, c.asked.Load()-before)
		}
		c.fails.Store(false)
		time.Sleep(pause)
		has(t, k, before+1, time.Second)
	})
}

// Credentials without an end are looked at again, because they may have been exchanged; those that live for seconds are not
// fetched for every call.
func TestOddLives(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		endless := &clerk{}
		k := newKeeper(endless.fetch)
		defer k.close()
		has(t, k, 1, time.Second)
		time.Sleep(recheck - time.Second)
		has(t, k, 1, 0)
		time.Sleep(2 * time.Second)
		has(t, k, 1, 0)
		time.Sleep(time.Second)
		has(t, k, 2, 0)

		brief := &clerk{life: 20 * time.Second}
		short := newKeeper(brief.fetch)
		defer short.close()
		has(t, short, 1, time.Second)
		time.Sleep(5 * time.Second)
		has(t, short, 1, 0)
		if n := brief.asked.Load(); n != 1 {
			t.Errorf("asked %d times", n)
		}
		time.Sleep(10 * time.Second)
		has(t, short, 2, time.Second)
	})
}

// A caller who hangs up does not end the fetch that others wait for; the end of the provider does.
func TestWhoEndsAFetch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &clerk{life: time.Hour}
		k := newKeeper(c.fetch)
		gone, leave := context.WithCancel(t.Context())
		leave()
		if _, err := k.get(gone); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		has(t, k, 1, time.Second)
		time.Sleep(2 * time.Hour)
		go func() {
			time.Sleep(time.Second / 2)
			k.close()
		}()
		if _, err := k.get(t.Context()); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// A lease that is refused before its end is replaced once, for all who were refused; the next is not better for coming soon.
func TestRefusedBeforeItsEnd(t *testing.T) {
	t.Parallel()
	is := func(n int32) func(int32) bool { return func(value int32) bool { return value == n } }
	synctest.Test(t, func(t *testing.T) {
		c := &clerk{life: time.Hour}
		k := newKeeper(c.fetch)
		defer k.close()
		has(t, k, 1, time.Second)
		for range 3 {
			if !k.refused(is(1)) {
				t.Error("nothing takes the place of the first")
			}
		}
		has(t, k, 2, time.Second)
		if !k.refused(is(1)) {
			t.Error("the second does not take the place of the first")
		}
		if k.refused(is(2)) {
			t.Error("the second is replaced at once")
		}
		has(t, k, 2, 0)
		time.Sleep(soonest)
		if !k.refused(is(2)) {
			t.Error("the second is never replaced")
		}
		has(t, k, 3, time.Second)
		if n := c.asked.Load(); n != 3 {
			t.Errorf("asked %d times", n)
		}
	})
}

// Where no other is to be had, one that was refused stays in use, because the refusal may have been a mistake.
func TestRefusedWithoutAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &clerk{life: time.Hour}
		k := newKeeper(c.fetch)
		defer k.close()
		has(t, k, 1, time.Second)
		c.fails.Store(true)
		first := func(value int32) bool { return value == 1 }
		if !k.refused(first) {
			t.Error("it was not tried to get another")
		}
		has(t, k, 1, time.Second)
		if k.refused(first) {
			t.Error("another is promised, although there was none just now")
		}
		has(t, k, 1, 0)
		c.fails.Store(false)
		time.Sleep(pause)
		has(t, k, 1, 0) // and the next is on its way
		time.Sleep(time.Second)
		has(t, k, 3, 0)
	})
}
