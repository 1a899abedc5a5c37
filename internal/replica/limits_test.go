package replica

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
)

func rpm(subject escrow.Subject, most int64) Limit {
	return Limit{Subject: subject, Most: most, Units: 1}
}

func atOnce(subject escrow.Subject, most int64) Limit {
	return Limit{Subject: subject, Most: most, AtOnce: true}
}

// comes has a request come.
func (d *Desk) comes(t *testing.T, limits ...Limit) (*Entry, Lack) {
	t.Helper()
	return d.Enter(t.Context(), limits)
}

// beginning is how long a replica that begins among others keeps no units, and more.
const beginning = 8 * time.Second

func (d *Desk) left(t *testing.T, l Limit) int64 {
	t.Helper()
	d.Inquire(t.Context(), []Limit{l})
	left, _ := d.Left(&l)
	return left
}

// All units may be taken at once, wherever, and no more. A caller that waits as its refusal says, and is alone, is let in.
func TestReplicasCountTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		desks := []*Desk{open(t, db, "one", 1), open(t, db, "two", 1), open(t, db, "three", 1)}
		limit := rpm("key", 20)
		for i := range 20 {
			if e, lack := desks[i%3].comes(t, limit); e == nil {
				t.Fatalf("request %d: %+v", i, lack)
			}
		}
		for i := range 12 {
			d := desks[i%3]
			e, lack := d.comes(t, limit)
			if e != nil || lack.Wait <= 0 || lack.Wait > 3*time.Second {
				t.Fatalf("one more: %v %+v", e, lack)
			}
			if left, reset := d.Left(&limit); left != 0 || reset < 57*time.Second || reset > 60*time.Second {
				t.Errorf("%d are left, all in %v", left, reset)
			}
			time.Sleep(lack.Wait)
			if e, lack := d.comes(t, limit); e == nil {
				t.Fatalf("after the wait: %+v", lack)
			}
		}
		time.Sleep(30 * time.Second)
		if n := desks[1].left(t, limit); n != 10 {
			t.Errorf("after half a minute %d are left", n)
		}
	})
}

// A request that one limit does not let in takes nothing of the others.
func TestARefusedRequestTakesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		desks := []*Desk{open(t, db, "one", 1), open(t, db, "two", 1)}
		key, team, slots := rpm("key", 10), rpm("team", 1), atOnce("slots", 2)
		first, _ := desks[0].comes(t, key, team, slots)
		if first == nil {
			t.Fatal("the first is refused")
		}
		for i := range 20 {
			if e, lack := desks[i%2].comes(t, key, team, slots); e != nil || lack.Of != 1 {
				t.Fatalf("%v %+v", e, lack)
			}
		}
		time.Sleep(4 * time.Second)
		if n := desks[1].left(t, key); n != 9 {
			t.Errorf("%d of the key's units are left", n)
		}
		if n := desks[1].left(t, slots); n != 1 {
			t.Errorf("%d places are left", n)
		}
		first.Settle([]int64{1, 1, 0})
		time.Sleep(time.Second)
		if n := desks[1].left(t, slots); n != 2 {
			t.Errorf("%d places are left in the end", n)
		}
	})
}

// A caller that sends one request after the other, each to another replica, always finds its one place free. A second request at the same time is refused, and
// only the first such request waits for that.
func TestPlacesMove(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		desks := []*Desk{open(t, db, "one", 1), open(t, db, "two", 1), open(t, db, "three", 1)}
		limit := atOnce("key", 1)
		for i := range 50 {
			e, lack := desks[i%3].comes(t, limit)
			if e == nil {
				t.Fatalf("request %d: %+v", i, lack)
			}
			time.Sleep(5 * time.Millisecond)
			e.Settle([]int64{0})
		}
		e, _ := desks[0].comes(t, limit)
		if e == nil {
			t.Fatal("refused")
		}
		began := time.Now()
		if e, lack := desks[1].comes(t, limit); e != nil || lack.Wait != endsIn || lack.Unanswered || time.Since(began) > waitFor {
			t.Errorf("a second one: %v %+v after %v", e, lack, time.Since(began))
		}
		began = time.Now()
		if e, _ := desks[1].comes(t, limit); e != nil || time.Since(began) != 0 {
			t.Errorf("a third one: %v after %v", e, time.Since(began))
		}
		if n := desks[2].left(t, limit); n != 0 {
			t.Errorf("%d places are left", n)
		}
		e.Settle([]int64{0})
		for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
			if e, _ := desks[1].comes(t, limit); e != nil {
				break
			}
			if time.Since(began) > 150*time.Millisecond {
				t.Fatal("the place does not become free for a caller that asks all the time")
			}
		}
	})
}

// What a request did not use of its tokens comes back at once; what it used beyond is owed, whichever replica asks.
func TestTokensAreSettledForAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		desks := []*Desk{open(t, db, "one", 1), open(t, db, "two", 1)}
		limit := Limit{Subject: "tokens", Most: 1000, Units: 900}
		for i := range 2 {
			e, lack := desks[i%2].comes(t, limit)
			if e == nil {
				t.Fatalf("request %d: %+v", i, lack)
			}
			e.Settle([]int64{50})
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		e, _ := desks[0].comes(t, limit)
		e.Settle([]int64{2500})
		time.Sleep(time.Second)
		if n := desks[1].left(t, limit); n != 0 {
			t.Errorf("%d are left in debt", n)
		}
		if e, lack := desks[1].comes(t, limit); e != nil || lack.Wait < 140*time.Second || lack.Wait > 145*time.Second {
			t.Errorf("in debt: %v %+v", e, lack)
		}
	})
}

// While the database is gone, one request waits for a short while and others do not, and each replica lets in its part of the limit. Of places it has those
// that it had, for eight seconds. When the database is back it learns what was used.
func TestLimitsWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		desks := []*Desk{open(t, db, "one", 1), open(t, db, "two", 1), open(t, db, "three", 1)}
		time.Sleep(2 * time.Second)
		limit, slots := rpm("key", 30), atOnce("slots", 240)
		for _, d := range desks {
			if e, lack := d.comes(t, limit, slots); e == nil {
				t.Fatal(lack)
			} else {
				e.Settle([]int64{1, 0})
			}
		}
		db.set(func() { db.silent = true })
		for _, d := range desks {
			began, n := time.Now(), 0
			for range 100 {
				if e, lack := d.comes(t, limit); e != nil {
					n++
				} else if lack.Wait <= 0 || lack.Wait > 7*time.Second || lack.Unanswered {
					t.Fatalf("%+v", lack)
				}
			}
			if waited := time.Since(began); n != 9 || waited > waitFor {
				t.Errorf("%d were let in, after %v", n, waited)
			}
			if left, reset := d.Left(&limit); left != 0 || reset < 55*time.Second {
				t.Errorf("%d are left, all in %v", left, reset)
			}
		}
		for range 7 {
			if e, lack := desks[0].comes(t, slots); e == nil {
				t.Errorf("in the first seconds: %+v", lack)
			} else {
				e.Settle([]int64{0})
			}
			time.Sleep(time.Second)
		}
		time.Sleep(time.Second)
		if e, lack := desks[0].comes(t, slots); e != nil || !lack.Unanswered {
			t.Errorf("after eight: %v %+v", e, lack)
		}
		n := 0
		for range 120 { // a minute
			if e, _ := desks[1].comes(t, limit); e != nil {
				n++
			}
			time.Sleep(time.Second / 2)
		}
		if n < 10 || n > 11 {
			t.Errorf("in a minute %d were let in", n)
		}
		for range 20 {
			desks[2].comes(t, limit)
		}
		db.set(func() { db.silent = false })
		time.Sleep(3 * time.Second)
		if left := desks[0].left(t, limit); left < 10 || left > 13 {
			t.Errorf("after 20 were used just now, %d are left", left)
		}
		if e, lack := desks[0].comes(t, limit, slots); e == nil {
			t.Errorf("after the database is back: %+v", lack)
		}
	})
}

// Free places are not said to be taken because the database answers late: requests hear that it does not answer, and get the places once it has.
func TestPlacesOfALateDatabaseAreNotTaken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		d, slots := open(t, db, "one", 1), atOnce("slots", 30)
		db.set(func() { db.late = 10 * waitFor })
		began, unanswered := time.Now(), 0
		for time.Since(began) < 5*waitFor {
			if e, lack := d.comes(t, slots); e != nil || !lack.Unanswered {
				t.Fatalf("after %v: %v %+v", time.Since(began), e, lack)
			}
			unanswered++
			time.Sleep(time.Millisecond)
		}
		time.Sleep(10 * waitFor)
		if e, lack := d.comes(t, slots); e == nil || unanswered < 100 {
			t.Errorf("after %d requests the database has answered: %+v", unanswered, lack)
		}
	})
}

// A limit that no caller has reached is not said to be reached because the database answers late, however requests and answers meet.
func TestUnitsOfALateDatabaseAreNotUsedUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		d := open(t, db, "one", 1)
		for late := time.Millisecond; late < 2*waitFor; late += time.Millisecond {
			db.set(func() { db.late = late })
			limits := []Limit{rpm(escrow.Subject("key "+late.String()), 1_000_000_000), {Subject: escrow.Subject("tokens " + late.String()), Most: 1_000_000_000_000, Units: 1000}}
			unanswered := 0
			var running sync.WaitGroup
			var mu sync.Mutex
			for range 100 {
				running.Go(func() {
					e, lack := d.comes(t, limits...)
					mu.Lock()
					defer mu.Unlock()
					switch {
					case e != nil:
					case lack.Unanswered:
						unanswered++
					default:
						t.Errorf("answers take %v: %+v", late, lack)
					}
				})
				time.Sleep(300 * time.Microsecond)
			}
			running.Wait()
			if late < waitFor/4 && unanswered > 5 { // others may be faster
				t.Errorf("answers take %v: %d of 100 did not get one", late, unanswered)
			}
			time.Sleep(5 * time.Second)
		}
	})
}

// Of several limits that do not let a request in, the one is named that lacks for the longest.
func TestTheLongestLackIsNamed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := open(t, newDatabase(), "one", 1)
		limits := []Limit{rpm("a", 60), rpm("b", 1), rpm("c", 30)}
		for _, l := range limits {
			for range l.Most {
				d.comes(t, l)
			}
		}
		for range limits { // the database is asked for one that may be there, and answers
			d.comes(t, limits[0])
			d.comes(t, limits[1])
			d.comes(t, limits[2])
		}
		if e, lack := d.comes(t, limits...); e != nil || lack.Of != 1 || lack.Wait < 50*time.Second {
			t.Errorf("%v %+v", e, lack)
		}
	})
}

// Before there is a database, a replica counts as if it were alone, and has no places.
func TestLimitsBeforeTheDatabase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := Alone(slog.New(slog.DiscardHandler))
		limit := rpm("key", 3)
		for range 3 {
			if e, lack := d.comes(t, limit); e == nil {
				t.Error(lack)
			} else {
				e.Settle([]int64{1})
			}
		}
		if e, lack := d.comes(t, limit); e != nil || lack.Wait != 20*time.Second {
			t.Errorf("%v %+v", e, lack)
		}
		if e, lack := d.comes(t, atOnce("slots", 3)); e != nil || !lack.Unanswered {
			t.Errorf("%v %+v", e, lack)
		}
		if n := d.left(t, limit); n != 0 || d.Replicas() != 1 || d.Lacks([]Limit{limit}) != 20*time.Second {
			t.Errorf("%d are left", n)
		}
	})
}

// A process that another one has superseded goes on with its part.
func TestLimitsOfASupersededProcess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := newDatabase()
		first := open(t, db, "one", 1)
		open(t, db, "one", 2)
		time.Sleep(2 * time.Second)
		if e, lack := first.comes(t, rpm("key", 10)); e == nil {
			t.Error(lack)
		}
		if e, lack := first.comes(t, atOnce("slots", 10)); e != nil || !lack.Unanswered {
			t.Errorf("%v %+v", e, lack)
		}
		if left := first.left(t, rpm("key", 10)); left != 9 {
			t.Errorf("%d are left", left)
		}
	})
}

// BenchmarkEnter is a request with three limits, of which the replica has enough at nearly every moment.
func BenchmarkEnter(b *testing.B) {
	db := newDatabase()
	d, err := Open(b.Context(), Options{Database: db, ID: "one", Epoch: escrow.Epoch{Began: 1}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() { d.Run(ctx) })
	defer running.Wait()
	defer cancel()
	limits := []Limit{rpm("key", 1_000_000_000), {Subject: "tokens", Most: 1_000_000_000_000, Units: 1000}, atOnce("model", 100_000)}
	used := []int64{1, 1000, 0}
	b.ReportAllocs()
	for b.Loop() {
		e, lack := d.Enter(ctx, limits)
		if e == nil {
			b.Fatal(lack)
		}
		e.Settle(used)
	}
	b.ReportMetric(float64(db.statements())/float64(b.N)*1000, "statements/1000")
}

// Only a request that needs the database waits, and its wait is counted.
func TestWaitsForLimitsAreCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := open(t, newDatabase(), "one", 1)
		time.Sleep(beginning)
		var waits []time.Duration
		d.waited = func(w time.Duration) { waits = append(waits, w) }
		late := 0
		for range 40 {
			began := time.Now()
			if e, lack := d.comes(t, rpm("a", 60_000)); e == nil {
				t.Fatal(lack)
			}
			if waited := time.Since(began); waited > 0 {
				if late++; len(waits) != late || waits[late-1] != waited {
					t.Errorf("it waited for %v; counted are %v", waited, waits)
				}
			}
		}
		if late == 0 || late == 40 || len(waits) != late {
			t.Errorf("%d of 40 waited; counted are %v", late, waits)
		}
	})
}
