package escrow

import (
	"fmt"
	"testing"
	"time"
)

// keeping is a cluster whose replicas have been there for long, and keep what they may.
func keeping(t *testing.T, replicas int, limit int64) *cluster {
	t.Helper()
	c := newCluster(replicas, limit)
	c.wait(11 * time.Second)
	for range limit / 10 {
		for i := range replicas {
			c.come(i, 0)
		}
		c.wait(time.Minute * 2 * time.Duration(replicas) / time.Duration(limit)) // half of the limit
	}
	c.wait(time.Minute)
	if kept := c.kept(); kept != int64(replicas)*mostKept(limit, int64(replicas)) {
		t.Fatalf("%d are kept", kept)
	}
	return c
}

// TestAllThatIsKeptAtOnce: a burst that comes when all is there gets the limit and what is kept, and the minute after it no more than the limit.
func TestAllThatIsKeptAtOnce(t *testing.T) {
	t.Parallel()
	const replicas, limit = 3, 2400
	c := keeping(t, replicas, limit)
	c.admitted = nil
	for range 2 * limit {
		for i := range replicas {
			c.come(i, 0)
		}
	}
	c.wait(100 * time.Millisecond)
	if n := len(c.admitted); n < limit+limit/80 || n > limit+limit/60 {
		t.Errorf("a burst of %d was admitted, want the limit and what is kept", n)
	}
	for c.now < 3*time.Minute {
		for i := range replicas {
			c.come(i, 0)
		}
		c.wait(10 * time.Millisecond)
	}
	if most := c.most(); most > 2*limit+limit/60 {
		t.Errorf("%d were admitted in a minute", most)
	}
}

// TestLittleDemandWaitsForNobody: requests that come one in a while at each replica wait for no answer, and statements are made every ten seconds.
func TestLittleDemandWaitsForNobody(t *testing.T) {
	t.Parallel()
	const replicas, limit = 3, 6000
	c := newCluster(replicas, limit)
	c.wait(12 * time.Second)
	for i := range replicas {
		c.come(i, 0)
	}
	c.wait(time.Second)
	c.waits, c.statements, c.refused = 0, 0, 0
	const requests = 300
	for i := range requests {
		c.come(i%replicas, 0)
		c.wait(900 * time.Millisecond)
	}
	t.Logf("%d statements, %d waits", c.statements, c.waits)
	if c.waits > 0 || c.refused > 0 || c.statements > requests/3 {
		t.Errorf("of %d requests %d waited, %d were refused; %d statements", requests, c.waits, c.refused, c.statements)
	}
}

// TestTokensBeyondTheCharge: what requests use beyond their charge is taken from what is kept, and hurries no statement. Without that it is owed.
func TestTokensBeyondTheCharge(t *testing.T) {
	t.Parallel()
	const limit = 6000
	c := keeping(t, 1, limit)
	r := c.replicas[0]
	c.wait(time.Second)
	c.statements = 0
	for range 10 {
		r.JudgeRate(c.rate, limit, 1, c.now)
		charge := r.TakeRate(c.rate, limit, 1, c.now)
		r.SettleRate(charge, 5, c.now)
		c.wait(100 * time.Millisecond)
	}
	if c.statements > 0 {
		t.Errorf("%d statements", c.statements)
	}
	if left, _ := r.RateLeft(c.rate, limit, c.now); left != limit-50 {
		t.Errorf("%d are left", left)
	}
	c.wait(refillIn)
	if c.statements != 1 || c.kept() != mostKept(limit, 1) {
		t.Errorf("after %d statements %d are kept", c.statements, c.kept())
	}
	r.SettleRate(r.TakeRate(c.rate, limit, 1, c.now), 1001, c.now)
	if st := r.State(c.now); len(st.Rates) != 1 || st.Rates[0].Debt != 1001-mostKept(limit, 1) {
		t.Errorf("stated are %+v", st.Rates)
	}
}

// TestLateNews: what was sent before, and is answered later, does not say how many replicas are there now.
func TestLateNews(t *testing.T) {
	t.Parallel()
	const limit = 2400
	r := keeping(t, 2, limit).replicas[0]
	heard := r.rates.contact.heard
	r.Hear(&News{Replicas: 6, There: r.rates.contact.there}, heard+2, heard+3)
	r.Hear(&News{Replicas: 2, There: r.rates.contact.there}, heard+1, heard+4)
	if share := r.rates.share(limit, heard+4); share != mostKept(limit, 6) {
		t.Errorf("its part is %d", share)
	}
}

// TestManyRefills: a statement fills up some limits at most, and others follow it.
func TestManyRefills(t *testing.T) {
	t.Parallel()
	c := newCluster(1, 6000)
	r := c.replicas[0]
	const limits = 3*refills + 1
	for i := range limits {
		subject := Subject(fmt.Sprint(i))
		r.ExpectRate(subject, 6000, c.now)
	}
	c.wait(11 * time.Second)
	for i := range limits {
		r.TakeRate(Subject(fmt.Sprint(i)), 6000, 1, c.now)
	}
	c.statements = 0
	c.wait(11 * time.Second)
	if c.statements != 4 {
		t.Errorf("%d statements", c.statements)
	}
	for i := range limits {
		if units := r.rates.of[Subject(fmt.Sprint(i))].units; units != mostKept(6000, 1) {
			t.Errorf("of limit %d, %d are kept", i, units)
		}
	}
}

// TestASettlementWhileDraining: what a request did not use is given back at once, and not kept.
func TestASettlementWhileDraining(t *testing.T) {
	t.Parallel()
	c := keeping(t, 1, 6000)
	r := c.replicas[0]
	charge := r.TakeRate(c.rate, 6000, 50, c.now)
	r.Drain(c.now)
	c.wait(100 * time.Millisecond)
	r.SettleRate(charge, 10, c.now)
	if c.wait(time.Second); !r.Drained() {
		t.Error("units are kept")
	}
}

// TestWhatADeadReplicaKept: it is lost, its part at most, and time fills the bucket: others have the whole limit.
func TestWhatADeadReplicaKept(t *testing.T) {
	t.Parallel()
	const limit = 2400
	c := keeping(t, 2, limit)
	c.replicas = c.replicas[:1]
	c.wait(time.Second)
	c.admitted = nil
	for range 2 * limit {
		c.come(0, 0)
	}
	c.wait(100 * time.Millisecond)
	if n := len(c.admitted); n < limit {
		t.Errorf("%d were admitted after the other died", n)
	}
}

// TestWhatALostReplicaKept: one that is away may use what it keeps for four seconds after it was heard last. Then that is lost, whatever it hears.
func TestWhatALostReplicaKept(t *testing.T) {
	t.Parallel()
	const limit = 2400
	c := keeping(t, 2, limit)
	for range limit / 2 { // so that time does not bring back at once what is given back
		c.come(0, 0)
	}
	c.wait(100 * time.Millisecond)
	c.come(0, 0)
	c.wait(refillIn)
	r := c.replicas[0]
	now := r.rates.contact.heard + keepFor - 1
	if v, _ := r.JudgeRate(c.rate, limit, mostKept(limit, 2), now); v != Fits {
		t.Errorf("in the first seconds: %v", v)
	}
	now++
	if v, _ := r.JudgeRate(c.rate, limit, 1, now); v == Fits {
		t.Error("it uses what it kept though it has not heard the database for four seconds")
	}
	r.Hear(c.db.Poll(r.Question(), now+clockOf), now, now)
	if v, _ := r.JudgeRate(c.rate, limit, 1, now+SeenFor); v == Fits {
		t.Error("it uses later what it had lost")
	}
	r.InquireRate(c.rate, limit, now)
	if st := r.State(now); len(st.Rates) != 1 || st.Rates[0].Back != 0 {
		t.Errorf("it gives back what others may have had meanwhile: %+v", st.Rates)
	}
}

// TestWhatTimeHasBroughtBack: what a replica may keep no more is not given back when time has filled the bucket without it.
func TestWhatTimeHasBroughtBack(t *testing.T) {
	t.Parallel()
	const limit = 2400
	c := keeping(t, 2, limit)
	r := c.replicas[0]
	r.Hear(&News{Replicas: 6, There: r.rates.contact.there}, c.now, c.now)
	if v, _ := r.JudgeRate(c.rate, limit, mostKept(limit, 6)+1, c.now); v != Ask {
		t.Fatalf("it uses more than its part: %v", v)
	}
	if st := r.State(c.now); len(st.Rates) != 1 || st.Rates[0].Back != 0 {
		t.Errorf("stated are %+v", st.Rates)
	}
}

// TestReplicasThatComeKeepTheirPart: while the number of replicas grows, all keep three quarters of a second's worth at every moment, though one does not hear of
// the others. In the end each of those that hear has its part.
func TestReplicasThatComeKeepTheirPart(t *testing.T) {
	t.Parallel()
	const limit = 4800
	for _, cut := range []bool{false, true} {
		c := keeping(t, 1, limit)
		c.cut[0] = cut
		c.join()
		c.join()
		for range 200 {
			for i := range 2 {
				c.come(1+i, 0)
			}
			if c.wait(2 * lotFor); c.kept() > limit/80 {
				t.Fatalf("%d are kept", c.kept())
			}
		}
		want := 3 * mostKept(limit, 3)
		if cut {
			want = 2 * mostKept(limit, 2)
		}
		if c.wait(refillIn); c.kept() != want {
			t.Errorf("in the end %d are kept, want %d", c.kept(), want)
		}
	}
}

// TestALoweredLimit: what was kept of the higher limit is neither used nor given back, which would be worth more of the lower one.
func TestALoweredLimit(t *testing.T) {
	t.Parallel()
	const high, low = 6000, 60
	c := keeping(t, 2, high)
	for range high / 4 {
		c.come(0, 0)
		c.come(1, 0)
	}
	c.wait(100 * time.Millisecond)
	c.come(0, 0)
	c.come(1, 0)
	c.wait(refillIn) // of half of the limit, two thirds are not back
	c.admitted, c.limit = nil, low
	for range 600 {
		c.come(0, 0)
		c.come(1, 0)
		c.wait(100 * time.Millisecond)
	}
	if n := len(c.admitted); n < low+38 || n > low+42 {
		t.Errorf("in the first minute of the lower limit %d are admitted", n)
	}
}

// TestReplicasThatBeginAtOnce: replicas whose first statements are executed at once each see no other. They keep nothing before they have heard of each other.
func TestReplicasThatBeginAtOnce(t *testing.T) {
	t.Parallel()
	const limit = 4800
	c := newCluster(4, limit)
	for _, r := range c.replicas {
		*r = *New(r.id, Epoch{Began: 2}, nil)
	}
	for range 2 { // the statement with which they begin, and the next
		for _, r := range c.replicas {
			r.ExpectRate(c.rate, limit, c.now)
			for _, other := range c.db.members {
				other.seen = 0 // what has not ended is not seen
			}
			r.Learn(c.db.Exchange(r.State(c.now), c.now+clockOf), c.now)
		}
		c.wait(2 * lotFor)
		if kept := c.kept(); kept > limit/80 {
			t.Errorf("%d are kept", kept)
		}
	}
}

// TestAnswersThatTookLong: between a question and its execution others may have had what the replica has, if the answer took more than two seconds. Such an answer does
// not say that it may go on.
func TestAnswersThatTookLong(t *testing.T) {
	t.Parallel()
	const limit = 2400
	c := keeping(t, 2, limit)
	r := c.replicas[0]
	c.come(0, time.Millisecond)
	c.wait(100 * time.Millisecond)
	heard := r.rates.contact.heard
	asked, now := heard+awayFor-1, heard+awayFor-1+6*time.Second // the process stood still
	r.Hear(&News{Replicas: 2, There: r.rates.contact.there}, asked, now)
	if v, _ := r.JudgePlace(c.places, limit, now); v != Ask {
		t.Errorf("a place that others may have had meanwhile: %v", v)
	}
	if share := r.rates.share(limit, now); share != 0 {
		t.Errorf("it may keep %d", share)
	}
	begins := New("late", Epoch{Began: 1}, nil)
	begins.Hear(&News{Replicas: 2}, 0, 5*time.Second)
	begins.Hear(&News{Replicas: 2}, 5*time.Second, 5*time.Second+1)
	if share := begins.rates.share(limit, keepFrom); share != 0 {
		t.Errorf("a second after its first question was answered, it may keep %d", share)
	}
}

// TestUnitsOfEarlierAreNotGivenBack: once all units were there, those that were checked out before are not given back, though time alone would have needed longer, and however
// late their replica hears of it.
func TestUnitsOfEarlierAreNotGivenBack(t *testing.T) {
	t.Parallel()
	const limit = 6000
	for _, heard := range []bool{false, true} {
		c := newCluster(2, limit)
		a, b := c.replicas[0], c.replicas[1]
		take := func(r *Replica, units int64) Charge {
			r.NeedRate(c.rate, limit, units, c.now)
			c.wait(10 * time.Millisecond)
			if v, _ := r.JudgeRate(c.rate, limit, units, c.now); v != Fits {
				t.Fatalf("%d units: %v", units, v)
			}
			return r.TakeRate(c.rate, limit, units, c.now)
		}
		short, long := take(b, limit/2), take(a, limit/2)
		b.SettleRate(short, 0, c.now)
		c.wait(31 * time.Second) // half of a minute brings half of the units back
		take(b, limit)
		if heard {
			c.wait(200 * time.Millisecond)
			take(a, 10)
		}
		a.SettleRate(long, 0, c.now)
		c.wait(time.Second)
		b.InquireRate(c.rate, limit, c.now)
		c.wait(10 * time.Millisecond)
		if left, _ := b.RateLeft(c.rate, limit, c.now); left > limit/50 {
			t.Errorf("%d are left a second after all were taken", left)
		}
	}
}

// TestAReplicaWhoseClockStood: others may have had the places and units of a replica whose machine was suspended, clock and all. The database says so, and the replica
// goes on with neither.
func TestAReplicaWhoseClockStood(t *testing.T) {
	t.Parallel()
	const limit = 2400
	for name, hear := range map[string]func(*Replica, *Memory, time.Duration, time.Duration){
		"question": func(r *Replica, db *Memory, at, now time.Duration) { r.Hear(db.Poll(r.Question(), at), now, now) },
		"statement": func(r *Replica, db *Memory, at, now time.Duration) {
			r.InquireRate("another", 1, now)
			r.Learn(db.Exchange(r.State(now), at), now)
		},
	} {
		c := keeping(t, 2, limit)
		r := c.replicas[0]
		c.come(0, time.Millisecond)
		c.wait(100 * time.Millisecond)
		for i, suspended := range []time.Duration{SeenFor - time.Second, SeenFor + time.Second} {
			hear(r, c.db, c.now+clockOf+suspended, c.now)
			place, _ := r.JudgePlace(c.places, limit, c.now)
			unit, _ := r.JudgeRate(c.rate, limit, 1, c.now)
			if want := []Verdict{Fits, Ask}[i]; place != want || unit != want {
				t.Errorf("after %v without its clock, at a %s: a place %v, a unit %v", suspended, name, place, unit)
			}
			c = keeping(t, 2, limit)
			r = c.replicas[0]
			c.come(0, time.Millisecond)
			c.wait(100 * time.Millisecond)
		}
	}
}
