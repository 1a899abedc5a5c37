package escrow

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// cluster is replicas with limits at one database. Its clock moves by milliseconds.
type cluster struct {
	db       *Memory
	replicas []*Replica
	sent     []time.Duration // when the statement was sent whose answer each replica awaits
	now      time.Duration
	post     []parcel
	waiting  []*arrival
	bad      func() (lost bool, delay time.Duration) // of the next statement or answer
	cut      []bool                                  // replicas that cannot reach the database

	rate, places Subject
	limit        int64
	admitted     []time.Duration
	refused      int
	waits        int
	statements   int
	running      int64
}

// parcel is something that comes later.
type parcel struct {
	at time.Duration
	do func()
}

// arrival is a request.
type arrival struct {
	replica int
	number  int64 // of the statement that it waits for, 0 if that is not made yet
	until   time.Duration
	lasts   time.Duration // above 0: it takes a place; else a unit of a rate
	tokens  *tokens       // if not nil: it takes these of a rate
}

const clockOf = 12345 * time.Hour // of the database: it differs

func newCluster(replicas int, limit int64) *cluster {
	c := &cluster{db: NewMemory(), rate: "key/rpm", places: "key/concurrent", limit: limit, now: time.Second}
	c.bad = func() (bool, time.Duration) { return false, time.Millisecond }
	for i := range replicas {
		r := New(fmt.Sprint("r", i), Epoch{Began: 1}, nil)
		c.replicas = append(c.replicas, r)
	}
	c.sent, c.cut = make([]time.Duration, replicas), make([]bool, replicas)
	for range 10 {
		c.step()
	}
	return c
}

func (c *cluster) step() {
	c.now += time.Millisecond
	if c.now%time.Second == 0 {
		c.poll()
	}
	due := c.post
	c.post = nil
	for _, p := range due {
		if p.at > c.now {
			c.post = append(c.post, p)
			continue
		}
		p.do()
	}
	for i, r := range c.replicas {
		if r.awaited && c.now-c.sent[i] > 25*time.Millisecond {
			r.GiveUp(c.now)
		}
		if at, ok := r.Due(c.now); ok && at <= c.now {
			c.send(i)
		}
	}
	c.waiting = slices.DeleteFunc(c.waiting, func(a *arrival) bool {
		if a.until < c.now {
			c.refused++
		}
		return a.until < c.now
	})
}

// poll has all replicas ask what is new.
func (c *cluster) poll() {
	for i, r := range c.replicas {
		asked := c.now
		c.deliver(i, func() {
			news := c.db.Poll(r.Question(), c.now+clockOf)
			c.deliver(i, func() {
				if c.now < asked+2*time.Second {
					r.Hear(news, asked, c.now)
					r.Tidy(c.now)
				}
			})
		})
	}
}

func (c *cluster) send(i int) {
	r := c.replicas[i]
	st := r.State(c.now)
	c.statements++
	c.sent[i] = c.now
	for _, a := range c.waiting {
		if a.replica == i && a.number == 0 {
			a.number = st.Number
		}
	}
	c.deliver(i, func() {
		answer := c.db.Exchange(st, c.now+clockOf)
		c.deliver(i, func() {
			if c.now >= r.stated+2*time.Second && r.number == answer.Number {
				return
			}
			if r.Learn(answer, c.now); answer.Outcome != Executed || c.replicas[i] != r {
				return
			}
			waiting := c.waiting
			c.waiting = nil
			for _, a := range waiting {
				if a.replica == i && a.number > 0 && a.number <= answer.Number {
					c.try(a, false)
				} else {
					c.waiting = append(c.waiting, a)
				}
			}
		})
	})
}

func (c *cluster) deliver(i int, do func()) {
	lost, delay := c.bad()
	if lost || c.cut[i] {
		return
	}
	c.post = append(c.post, parcel{c.now + delay, do})
}

// come has a request come to a replica.
func (c *cluster) come(replica int, lasts time.Duration) {
	c.try(&arrival{replica: replica, until: c.now + 25*time.Millisecond, lasts: lasts}, true)
}

func (c *cluster) try(a *arrival, first bool) {
	r := c.replicas[a.replica]
	verdict := Short
	if a.tokens != nil {
		verdict = a.tokens.try(c, r)
	} else if a.lasts > 0 {
		if verdict, _ = r.JudgePlace(c.places, c.limit, c.now); verdict == Fits {
			r.TakePlace(c.places, c.limit, c.now)
		}
	} else if verdict, _ = r.JudgeRate(c.rate, c.limit, 1, c.now); verdict == Fits {
		r.TakeRate(c.rate, c.limit, 1, c.now)
	}
	switch {
	case verdict == Fits:
		c.admitted = append(c.admitted, c.now)
		if a.lasts > 0 {
			c.running++
			c.post = append(c.post, parcel{c.now + a.lasts, func() {
				c.running--
				r.LeavePlace(c.places, c.now)
			}})
		}
	case verdict == Ask && first:
		c.waits++
		c.waiting = append(c.waiting, a)
		if a.lasts > 0 {
			r.NeedPlace(c.places, c.limit, c.now)
		} else if a.tokens != nil {
			r.NeedRate(c.rate, c.limit, a.tokens.charged, c.now)
		} else {
			r.NeedRate(c.rate, c.limit, 1, c.now)
		}
	default:
		c.refused++
	}
}

// change may change something about a replica.
func (c *cluster) change(what, which int) {
	switch what {
	case 0:
		c.cut[which] = !c.cut[which]
	case 1: // it is killed, and begins again
		old := c.replicas[which]
		c.replicas[which] = New(old.id, Epoch{Began: old.epoch.Began + 1}, nil)
	case 2:
		c.join()
	}
}

// join has another replica come.
func (c *cluster) join() {
	c.replicas = append(c.replicas, New(fmt.Sprint("r", len(c.replicas)), Epoch{Began: 1}, nil))
	c.sent, c.cut = append(c.sent, 0), append(c.cut, false)
}

// kept is how many requests replicas would let in without asking, but for those that they have just asked for.
func (c *cluster) kept() (sum int64) {
	for _, r := range c.replicas {
		if of := r.rates.of[c.rate]; of == nil || c.now < of.until {
			continue
		}
		for n := c.limit / 60; n > 0; n-- {
			if v, _ := r.JudgeRate(c.rate, c.limit, n, c.now); v == Fits {
				sum += n
				break
			}
		}
	}
	return sum
}

// wait lets time pass.
func (c *cluster) wait(d time.Duration) {
	for end := c.now + d; c.now < end; {
		c.step()
	}
}

// most is the most that was admitted in any minute.
func (c *cluster) most() (most int) {
	first := 0
	for i, at := range c.admitted {
		for at-c.admitted[first] >= time.Minute {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

// TestRatesAreKept: in any minute, at most limit + burst + one second's worth are admitted, whatever comes when, whatever is lost, and whichever replicas are cut off, begin
// again or come new. What they keep is three quarters of a second's worth at most.
func TestRatesAreKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int64{1, 7, 60, 240, 600, 3000}).Draw(t, "limit")
		c := newCluster(rapid.IntRange(1, 4).Draw(t, "replicas"), limit)
		if rapid.Bool().Draw(t, "bad network") {
			c.bad = func() (bool, time.Duration) {
				n := rapid.IntRange(0, 9).Draw(t, "luck")
				return n == 0, time.Duration(1+n/8*rapid.IntRange(0, 400).Draw(t, "late")) * time.Millisecond
			}
		}
		for range rapid.IntRange(1, 12).Draw(t, "waves") {
			c.change(rapid.IntRange(0, 5).Draw(t, "change"), rapid.IntRange(0, len(c.replicas)-1).Draw(t, "which"))
			replica := rapid.IntRange(-1, len(c.replicas)-1).Draw(t, "replica") // -1: each in turn
			each := rapid.IntRange(1, 500).Draw(t, "each")                      // milliseconds
			for i := range rapid.IntRange(0, 400).Draw(t, "requests") {
				at := replica
				if at < 0 {
					at = i % len(c.replicas)
				}
				c.come(at, 0)
				for range max(each/10, 1) {
					c.step()
				}
			}
			for range rapid.IntRange(0, 30).Draw(t, "pause") * 5 {
				for range 20 {
					c.step()
				}
				if kept := c.kept(); kept > limit/80 {
					t.Fatalf("%d are kept, with a limit of %d", kept, limit)
				}
			}
		}
		bound := int(2*limit + (limit+59)/60)
		if most := c.most(); most > bound {
			t.Fatalf("%d were admitted in a minute, with a limit of %d at %d replicas", most, limit, len(c.replicas))
		}
	})
}

// TestRatesAtFourFifths: at 80 % of the limit, spread evenly, at most one of 1,000 requests is refused: units that are not used are not lost.
func TestRatesAtFourFifths(t *testing.T) {
	t.Parallel()
	for _, replicas := range []int{1, 3, 10} {
		for _, limit := range []int64{100, 600, 6000} {
			c := newCluster(replicas, limit)
			pause := time.Minute * 10 / 8 / time.Duration(limit)
			next, requests := c.now, 0
			for c.now < 10*time.Minute {
				for ; next <= c.now; next += pause {
					c.come(requests*7%replicas, 0)
					requests++
				}
				c.step()
			}
			if c.refused*1000 > requests {
				t.Errorf("%d replicas, limit %d: %d of %d were refused", replicas, limit, c.refused, requests)
			}
		}
	}
}

// TestUnitsComeBack: what a replica checked out and did not use is the others' after a second.
func TestUnitsComeBack(t *testing.T) {
	t.Parallel()
	const limit = 600
	c := newCluster(2, limit)
	for range 5 { // it looks as if the first needed units each second
		c.come(0, 0)
		for range 100 {
			c.step()
		}
	}
	for range 3000 {
		c.step()
	}
	c.admitted = nil
	for range 2 * limit {
		c.come(1, 0)
	}
	for range 100 {
		c.step()
	}
	if len(c.admitted) != limit {
		t.Errorf("%d of a burst of %d were admitted", len(c.admitted), limit)
	}
}

// TestSettledTokens: a request that took less than it was charged gives the rest back, unless time has; one that took more is owed.
func TestSettledTokens(t *testing.T) {
	t.Parallel()
	c := newCluster(1, 6000)
	r := c.replicas[0]
	left := func() int64 { // in the database, once all is given back
		for range 2000 {
			c.step()
		}
		owed := max(c.db.buckets[c.rate].full-c.now-clockOf, 0)
		return 6000 - int64(owed/unitOf(c.limit)) - 200 // that came back meanwhile
	}
	take := func(units int64) Charge {
		r.NeedRate(c.rate, c.limit, units, c.now)
		for range 10 {
			c.step()
		}
		if v, _ := r.JudgeRate(c.rate, c.limit, units, c.now); v != Fits {
			t.Fatalf("%d units: %v", units, v)
		}
		return r.TakeRate(c.rate, c.limit, units, c.now)
	}
	charge := take(3000)
	r.SettleRate(charge, 1000, c.now)
	if n := left(); n < 4900 || n > 5100 {
		t.Errorf("%d are left after 1000 of 3000 were used", n)
	}
	for range 60_000 {
		c.step()
	}
	charge = take(1000)
	r.SettleRate(charge, 4000, c.now)
	if n := left(); n < 1900 || n > 2100 {
		t.Errorf("%d are left after 4000 were used and 1000 were charged", n)
	}
	for range 60_000 {
		c.step()
	}
	charge = take(1000)
	for range 30_000 {
		c.step()
	}
	if r.SettleRate(charge, 0, c.now); r.rates.rate(c.rate, c.limit).back != 0 {
		t.Error("units were given back that time had brought back")
	}
}

// TestPlacesAreKept: at no time do more requests run than places are, whatever is lost, if requests last two seconds at most. If none is lost,
// it holds however long they last.
func TestPlacesAreKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		replicas := rapid.IntRange(1, 4).Draw(t, "replicas")
		limit := rapid.SampledFrom([]int64{1, 2, 10, 50, 200}).Draw(t, "limit")
		c := newCluster(replicas, limit)
		longest := 30_000
		if rapid.Bool().Draw(t, "bad network") {
			longest = 2_000
			c.bad = func() (bool, time.Duration) {
				n := rapid.IntRange(0, 9).Draw(t, "luck")
				return n == 0, time.Duration(1+n/8*rapid.IntRange(0, 3000).Draw(t, "late")) * time.Millisecond
			}
		}
		for range rapid.IntRange(1, 12).Draw(t, "waves") {
			if longest == 2_000 {
				c.cut[rapid.IntRange(0, replicas-1).Draw(t, "cut")] = rapid.Bool().Draw(t, "is cut")
			}
			for range rapid.IntRange(0, 100).Draw(t, "requests") {
				c.come(rapid.IntRange(0, replicas-1).Draw(t, "replica"), time.Duration(rapid.IntRange(1, longest).Draw(t, "lasts"))*time.Millisecond)
				for range rapid.IntRange(0, 20).Draw(t, "between") {
					if c.step(); c.running > limit {
						t.Fatalf("%d requests run in %d places", c.running, limit)
					}
				}
			}
			for range rapid.IntRange(0, 120).Draw(t, "pause") * 100 {
				if c.step(); c.running > limit {
					t.Fatalf("%d requests run in %d places", c.running, limit)
				}
			}
		}
	})
}

// TestPlacesOfTheLost: a replica that cannot reach the database lets no request in from the eighth second on, and others have its places from
// the tenth.
func TestPlacesOfTheLost(t *testing.T) {
	t.Parallel()
	c := newCluster(2, 1000)
	c.come(0, time.Millisecond)
	for range 100 {
		c.step()
	}
	if len(c.admitted) != 1 {
		t.Fatal("the first request is refused")
	}
	c.cut[0] = true
	last := c.now
	for range 12_000 {
		before := len(c.admitted)
		c.come(0, time.Millisecond)
		if c.step(); len(c.admitted) > before {
			last = c.now
		}
	}
	if lasted := last - c.now + 12*time.Second; lasted < 4*time.Second || lasted > 8*time.Second {
		t.Errorf("requests were let in for %v", lasted)
	}
	c.admitted = nil
	for range 1000 {
		c.come(1, time.Minute)
	}
	for range 1000 {
		c.step()
	}
	if len(c.admitted) < 1000 {
		t.Errorf("the other has %d places", len(c.admitted))
	}
}

// TestLimitsAreForgotten: of limits that rest a replica remembers nothing.
func TestLimitsAreForgotten(t *testing.T) {
	t.Parallel()
	c := newCluster(1, 600)
	c.come(0, 0)
	c.come(0, 10*time.Millisecond)
	r := c.replicas[0]
	for range 200 {
		c.step()
	}
	r.Tidy(c.now)
	if len(c.admitted) != 2 || len(r.places.of) != 1 {
		t.Fatalf("%d were admitted, and %d and %d limits are known", len(c.admitted), len(r.rates.of), len(r.places.of))
	}
	r.Drain(c.now)
	for range 62_000 {
		c.step()
	}
	if r.Tidy(c.now); len(r.rates.of)+len(r.places.of) != 0 {
		t.Errorf("%d and %d limits are known", len(r.rates.of), len(r.places.of))
	}
}

// TestPlacesThatCameBack: a replica that was away for so long that others have its places gets only what they leave.
func TestPlacesThatCameBack(t *testing.T) {
	t.Parallel()
	c := newCluster(2, 100)
	for range 6 {
		c.come(0, time.Millisecond)
	}
	for range 10 {
		c.step()
	}
	c.cut[0] = true
	for range 11_000 {
		c.step()
	}
	for range 100 {
		c.come(1, time.Minute)
	}
	for range 10 {
		c.step()
	}
	c.cut[0] = false
	for range 1000 {
		c.come(0, time.Minute)
		c.step()
	}
	if c.running > 100 {
		t.Errorf("%d requests run in 100 places", c.running)
	}
}

// TestDebtIsStatedAgain: tokens that were used beyond what was charged are owed though the statement about them was lost.
func TestDebtIsStatedAgain(t *testing.T) {
	t.Parallel()
	c := newCluster(1, 6000)
	r := c.replicas[0]
	r.NeedRate(c.rate, c.limit, 100, c.now)
	for range 10 {
		c.step()
	}
	charge := r.TakeRate(c.rate, c.limit, 100, c.now)
	r.SettleRate(charge, 1000, c.now)
	first := r.State(c.now).Rates
	r.GiveUp(c.now)
	second := r.State(c.now).Rates
	if len(first) != 1 || len(second) != 1 || first[0].Debt < 800 || second[0].Debt != first[0].Debt {
		t.Errorf("stated are %+v, and then %+v", first, second)
	}
}

// TestUnusedUnitsAreNotLost: at 95 % of the limit, from an empty bucket on, and with arrivals that no replica can foresee, at most one of 200
// requests is refused. It is one of 600, and one of 60 if units that were not used are not given back.
func TestUnusedUnitsAreNotLost(t *testing.T) {
	t.Parallel()
	const replicas, limit = 10, 6000
	c := newCluster(replicas, limit)
	random := rand.New(rand.NewPCG(1, 1))
	for range limit {
		c.come(0, 0)
	}
	for range 100 {
		c.step()
	}
	c.refused = 0
	requests := 0
	for range 60_000 {
		if random.Float64() < 0.95*limit/60_000 {
			c.come(random.IntN(replicas), 0)
			requests++
		}
		c.step()
	}
	t.Logf("%d of %d were refused", c.refused, requests)
	if c.refused*200 > requests {
		t.Errorf("%d of %d were refused", c.refused, requests)
	}
}

// TestWhatIsTakenAloneIsStated: what a replica let in by itself is owed once the database answers, with what it let in until the answer came, and without what time
// has brought back.
func TestWhatIsTakenAloneIsStated(t *testing.T) {
	t.Parallel()
	c := newCluster(1, 60)
	r := c.replicas[0]
	for range 10 {
		r.TakeAlone(c.rate, 60, 1, c.now)
	}
	c.now += 4 * time.Second
	st := r.State(c.now)
	if len(st.Rates) != 1 || st.Rates[0].Debt != 6 {
		t.Fatalf("stated are %+v", st.Rates)
	}
	r.TakeAlone(c.rate, 60, 2, c.now)
	r.Learn(c.db.Exchange(st, c.now+clockOf), c.now)
	if next := r.State(c.now); len(next.Rates) != 1 || next.Rates[0].Debt != 2 {
		t.Errorf("and then %+v", next.Rates)
	}
}

// TestIdlePlacesAreGivenBack: places in store are given back when no request comes any more, so that nothing is stated about them.
func TestIdlePlacesAreGivenBack(t *testing.T) {
	t.Parallel()
	c := newCluster(1, 1000)
	r := c.replicas[0]
	c.come(0, time.Millisecond)
	c.wait(100 * time.Millisecond)
	before := r.number
	c.wait(placeIdle - time.Second)
	if have := r.places.place(c.places, 1000).have; have == 0 || r.number != before {
		t.Errorf("%d are in store, with %d statements", have, r.number-before)
	}
	c.wait(3 * time.Second)
	if have := r.places.place(c.places, 1000).have; have != 0 || r.number != before+1 {
		t.Errorf("%d are kept, with %d statements", have, r.number-before)
	}
}

// TestPlacesNotTaken: a place that was given to a request which did not take it is the others' at once, if none may be in store.
func TestPlacesNotTaken(t *testing.T) {
	t.Parallel()
	c := newCluster(2, 1)
	r := c.replicas[0]
	r.NeedPlace(c.places, 1, c.now)
	c.wait(2 * lotFor)
	c.come(1, time.Second)
	if c.wait(10 * time.Millisecond); c.running != 1 {
		t.Error("the place is withheld")
	}
}

// TestPlacesAfterAnAbsence: a replica that was away for so long that others may have its places uses none before the database has answered.
func TestPlacesAfterAnAbsence(t *testing.T) {
	t.Parallel()
	c := newCluster(2, 100)
	c.come(0, time.Millisecond)
	c.wait(100 * time.Millisecond)
	r := c.replicas[0]
	if v, _ := r.JudgePlace(c.places, 100, c.now); v != Fits {
		t.Fatal("none are in store")
	}
	heard := r.rates.contact.heard
	for _, test := range []struct {
		after time.Duration
		want  Verdict
	}{{awayFor - 1, Fits}, {2*awayFor - 1, Ask}} {
		r.Hear(&News{Replicas: 2, There: r.rates.contact.there}, heard+test.after, heard+test.after)
		if v, _ := r.JudgePlace(c.places, 100, heard+test.after); v != test.want {
			t.Errorf("heard again after %v: %v", test.after, v)
		}
	}
}

// TestLongRequestsAreOwed: what a request used beyond its charge is owed, also if it ran for so long that its limit came to rest and was forgotten.
func TestLongRequestsAreOwed(t *testing.T) {
	t.Parallel()
	c := newCluster(1, 6000)
	r := c.replicas[0]
	r.NeedRate(c.rate, c.limit, 100, c.now)
	for range 10 {
		c.step()
	}
	charge := r.TakeRate(c.rate, c.limit, 100, c.now)
	for range 120_000 {
		c.step()
	}
	r.Tidy(c.now)
	r.SettleRate(charge, 5000, c.now)
	if st := r.State(c.now); len(st.Rates) != 1 || st.Rates[0].Debt != 4900 || st.Rates[0].Limit != c.limit {
		t.Errorf("stated are %+v", st.Rates)
	}
}

// TestDebtCountsAlone: what the database does not know yet counts when the replica goes on by itself, also while a statement about it is under way, and is stated once.
func TestDebtCountsAlone(t *testing.T) {
	t.Parallel()
	c := newCluster(1, 60)
	r := c.replicas[0]
	r.NeedRate(c.rate, c.limit, 10, c.now)
	for range 10 {
		c.step()
	}
	charge := r.TakeRate(c.rate, c.limit, 10, c.now)
	r.SettleRate(charge, 40, c.now)
	for _, state := range []bool{false, true} {
		if state {
			r.State(c.now)
		}
		if left, _ := r.AloneLeft(c.rate, c.limit, c.now); left < 19 || left > 20 {
			t.Errorf("after 40 of 60 were used, %d are left", left)
		}
	}
	r.TakeAlone(c.rate, c.limit, 5, c.now)
	r.GiveUp(c.now)
	if st := r.State(c.now); len(st.Rates) != 1 || st.Rates[0].Debt != 35 {
		t.Errorf("stated are %+v", st.Rates)
	}
}
