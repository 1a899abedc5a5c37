// Package escrowtest is the suite that every escrow.Database passes.
package escrowtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/escrow"
)

// Engine is a Database whose books can be looked at.
type Engine interface {
	escrow.Database
	// Books returns what is granted and used by the leases of a budget. The error says that the budget's own sums differ.
	Books(ctx context.Context, name escrow.Name) (granted, used int64, err error)
}

// Run runs the suite. open returns an engine that knows nothing of earlier tests; it may be called several times.
func Run(t *testing.T, open func(t *testing.T) Engine) {
	t.Run("statements", func(t *testing.T) { statements(t, open(t)) })
	t.Run("wanted", func(t *testing.T) { wanted(t, open(t)) })
	t.Run("last request", func(t *testing.T) { lastRequest(t, open(t)) })
	t.Run("limits", func(t *testing.T) { limits(t, open(t)) })
	t.Run("crowd", func(t *testing.T) { crowd(t, open(t)) })
}

// statements: whatever is stated, in whatever order, late and twice, the engine answers as escrow.Memory does, and has the same books.
// What is needed is always more than what would be given ahead, and units of rates take twelve seconds and more to come back, so that clocks do not matter.
func statements(t *testing.T, db Engine) {
	var tries atomic.Int64
	ignored := cmp.Options{cmpopts.IgnoreFields(escrow.Answer{}, "Replicas", "There"), cmpopts.IgnoreFields(escrow.RateGrant{}, "Wait", "Full", "Since")}
	rapid.Check(t, func(rt *rapid.T) {
		try := tries.Add(1)
		memory := escrow.NewMemory()
		names := []escrow.Name{{Budget: fmt.Sprintf("%d-a", try)}, {Budget: fmt.Sprintf("%d-a", try), Period: 3600}, {Budget: fmt.Sprintf("%d-b", try)}}
		since := map[escrow.Subject][2]time.Duration{} // as the memory and the engine said last
		for i := range rapid.IntRange(1, 25).Draw(rt, "statements") {
			s := statement(rt, fmt.Sprintf("%d-r%d", try, rapid.IntRange(0, 2).Draw(rt, "replica")))
			if rapid.IntRange(0, 9).Draw(rt, "forget") == 0 {
				unspent := rapid.Bool().Draw(rt, "unspent")
				memory.Forget(s.Replica, unspent)
				if err := db.Forget(t.Context(), s.Replica, unspent); err != nil {
					rt.Fatal(err)
				}
			}
			if rapid.IntRange(0, 9).Draw(rt, "reclaim") == 0 {
				after := time.Duration(rapid.SampledFrom([]int{-1, 1}).Draw(rt, "after")) * time.Hour // those that were seen are lost, or none is
				want := memory.Reclaim(names, after, 0)
				if got, err := db.Reclaim(t.Context(), names, after); err != nil || got != want {
					rt.Fatalf("%d leases are reclaimed (%v), want %d", got, err, want)
				}
			}
			for _, name := range names {
				if rapid.Bool().Draw(rt, "named") {
					s.Lines = append(s.Lines, line(rt, name, s.Whole))
				}
			}
			for _, name := range []string{"x", "y"} {
				if subject := escrow.Subject(fmt.Sprint(try, "-", name)); rapid.Bool().Draw(rt, "limited") {
					s.Rates = append(s.Rates, rateLine(rt, subject))
					s.Places = append(s.Places, placeLine(rt, subject))
				}
			}
			other := namingSince(rt, s, since)
			want := memory.Exchange(s, time.Duration(i+1))
			got, err := db.Exchange(t.Context(), other)
			if err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(want, got, ignored, cmpopts.EquateEmpty()); diff != "" {
				rt.Fatalf("the answer to %+v differs from that of the memory (-):\n%s", s, diff)
			}
			for i := range want.Rates {
				since[want.Rates[i].Subject] = [2]time.Duration{want.Rates[i].Since, got.Rates[i].Since}
			}
			for _, name := range names {
				granted, used, err := db.Books(t.Context(), name)
				wantGranted, wantUsed, _ := memory.Books(name)
				if err != nil || granted != wantGranted || used != wantUsed {
					rt.Fatalf("of %v, %d is granted and %d used (%v), want %d and %d", name, granted, used, err, wantGranted, wantUsed)
				}
			}
		}
	})
}

// statement is one of a replica, without lines.
func statement(rt *rapid.T, replica string) *escrow.Statement {
	return &escrow.Statement{
		Replica: replica,
		Epoch:   escrow.Epoch{Began: rapid.Int64Range(1, 2).Draw(rt, "epoch"), Process: uint64(rapid.IntRange(0, 1).Draw(rt, "process"))},
		Number:  rapid.Int64Range(1, 9).Draw(rt, "number"),
		Acked:   rapid.Int64Range(0, 3).Draw(rt, "acked"),
		Whole:   rapid.Bool().Draw(rt, "whole"),
	}
}

// namingSince has most lines of a statement give back units that were checked out since all were there, and returns the statement as it is to another engine, whose clock is
// another. since is as the two said last.
func namingSince(rt *rapid.T, s *escrow.Statement, since map[escrow.Subject][2]time.Duration) *escrow.Statement {
	other := *s
	other.Rates = slices.Clone(s.Rates)
	for i := range s.Rates {
		if known := since[s.Rates[i].Subject]; rapid.IntRange(0, 4).Draw(rt, "since") > 0 {
			s.Rates[i].Since, other.Rates[i].Since = known[0], known[1]
		}
	}
	return &other
}

// line states something about a budget.
func line(rt *rapid.T, name escrow.Name, whole bool) escrow.Line {
	l := escrow.Line{Name: name, Limit: rapid.Int64Range(0, 100).Draw(rt, "limit"), Version: rapid.Int64Range(0, 3).Draw(rt, "version")}
	l.Used = rapid.Int64Range(0, 40).Draw(rt, "used")
	l.Keep = l.Used + rapid.Int64Range(0, 20).Draw(rt, "held")
	if l.Wants = !whole && rapid.Bool().Draw(rt, "wants"); l.Wants {
		l.Need = rapid.Int64Range(30, 60).Draw(rt, "need") // a 4th of a budget is less
		l.Least = rapid.Int64Range(1, l.Need).Draw(rt, "least")
		l.Last = rapid.Bool().Draw(rt, "last")
	}
	return l
}

// rateLine states something about a limit a minute.
func rateLine(rt *rapid.T, subject escrow.Subject) escrow.RateLine {
	l := escrow.RateLine{Subject: subject, Limit: rapid.Int64Range(1, 5).Draw(rt, "rate")}
	l.Back, l.Debt, l.Need = rapid.Int64Range(0, 2).Draw(rt, "back"), rapid.Int64Range(0, 1).Draw(rt, "debt"), rapid.Int64Range(0, l.Limit).Draw(rt, "needs")
	l.Least, l.Spare = rapid.Int64Range(min(l.Need, 1), l.Need).Draw(rt, "needs at least"), rapid.Int64Range(0, 9).Draw(rt, "spare")
	return l
}

// placeLine states something about a limit of requests at once.
func placeLine(rt *rapid.T, subject escrow.Subject) escrow.PlaceLine {
	l := escrow.PlaceLine{Subject: subject, Limit: rapid.Int64Range(1, 7).Draw(rt, "places"), Running: rapid.Int64Range(0, 5).Draw(rt, "running")}
	l.Keep, l.Need = l.Running+rapid.Int64Range(0, 2).Draw(rt, "more"), rapid.Int64Range(0, 4).Draw(rt, "lacks")
	return l
}

// member is a replica at the engine, whose statements arrive at once.
type member struct {
	*escrow.Replica
	t   *testing.T
	db  Engine
	now time.Duration
}

func join(t *testing.T, db Engine, id string) *member {
	m := &member{escrow.New(id, escrow.Epoch{Began: 1}, nil), t, db, time.Second}
	m.talk()
	return m
}

func (m *member) talk() {
	m.t.Helper()
	m.Learn(m.exchange(m.State(m.now)), m.now)
}

// poll asks the engine what is new, and states what follows from it.
func (m *member) poll() {
	m.t.Helper()
	news, err := m.db.Poll(m.t.Context(), m.Question())
	if err != nil {
		m.t.Fatal(err)
	}
	m.Hear(news, m.now, m.now)
	if _, due := m.Due(m.now); due {
		m.talk()
	}
}

// need asks for something, if it has to.
func (m *member) need(name escrow.Name, n int64, strict bool) escrow.Verdict {
	m.t.Helper()
	if v := m.Judge(name, n, strict, m.now); v != escrow.Ask {
		return v
	}
	m.Need(name, n, !strict, m.now)
	m.talk()
	return m.Judge(name, n, strict, m.now)
}

// wanted: what a replica lacks others hear of, and nothing is given ahead meanwhile.
func wanted(t *testing.T, db Engine) {
	name := escrow.Name{Budget: "wanted"}
	a, b := join(t, db, "a"), join(t, db, "b")
	a.Set(name, 1000, 1)
	b.Set(name, 1000, 1)
	if v := a.need(name, 10, true); v != escrow.Fits || a.Free(name) <= 10 || a.Free(name) > 500 {
		t.Fatalf("the first replica gets %d, and %v", a.Free(name), v)
	}
	if v := b.need(name, 995, true); v != escrow.Short {
		t.Fatalf("the second finds %v", v)
	}
	a.poll()
	b.now += escrow.Quiet
	if v := b.need(name, 995, true); v != escrow.Fits {
		t.Errorf("after the first gave back what it does not need, the second finds %v", v)
	}
	if n := a.Replicas(); n != 2 {
		t.Errorf("%d replicas are there", n)
	}
	join(t, db, "c")
	b.poll()
	if n := b.Replicas(); n != 3 {
		t.Errorf("%d replicas are there after another one has come", n)
	}
}

// lastRequest: one call may exceed what is left, of all replicas together.
func lastRequest(t *testing.T, db Engine) {
	name := escrow.Name{Budget: "last"}
	var all []*member
	for i := range 3 {
		m := join(t, db, fmt.Sprint("m", i))
		m.Set(name, 100, 1)
		all = append(all, m)
	}
	if v := all[0].need(name, 95, false); v != escrow.Fits {
		t.Fatal(v)
	}
	all[0].Take(name, 95, all[0].now)
	all[0].Settle(name, 95, 95, all[0].now)
	all[0].Drain(all[0].now)
	all[0].talk()
	passed := 0
	for _, m := range all[1:] {
		if m.need(name, 50, false) == escrow.Fits {
			m.Take(name, 50, m.now)
			passed++
		}
	}
	if passed != 1 {
		t.Errorf("%d calls passed", passed)
	}
}

// limits: a burst of all units passes, of all replicas together; units that come back do so once; a replica is given its part to keep, and less where little is left; places
// are not given twice.
func limits(t *testing.T, db Engine) {
	const rpm, slots = escrow.Subject("rpm"), escrow.Subject("slots")
	numbers := map[string]int64{}
	say := func(replica string, rate escrow.RateLine, place escrow.PlaceLine) (escrow.RateGrant, escrow.PlaceGrant) {
		t.Helper()
		numbers[replica]++
		s := &escrow.Statement{
			Replica: replica, Epoch: escrow.Epoch{Began: 1}, Number: numbers[replica], Whole: numbers[replica] == 1,
			Rates: []escrow.RateLine{rate}, Places: []escrow.PlaceLine{place},
		}
		a, err := db.Exchange(t.Context(), s)
		if err != nil || len(a.Rates) != 1 || len(a.Places) != 1 {
			t.Fatalf("%+v, %v", a, err)
		}
		if again, err := db.Exchange(t.Context(), s); err != nil || again.Outcome != escrow.Late || len(again.Rates) > 0 {
			t.Fatalf("the same statement again: %+v, %v", again, err)
		}
		return a.Rates[0], a.Places[0]
	}
	var since time.Duration
	rate := func(back, need, spare int64) escrow.RateLine {
		return escrow.RateLine{Subject: rpm, Limit: 3, Back: back, Since: since, Need: need, Least: need, Spare: spare} // one unit is back in 20 s
	}
	place := func(keep, need int64) escrow.PlaceLine {
		return escrow.PlaceLine{Subject: slots, Limit: 3, Running: keep, Keep: keep, Need: need}
	}
	r, p := say("x", rate(0, 2, 9), place(0, 2))
	if r.Given != 2 || p.Have != 2 || r.Full <= 0 || r.Full > 40*time.Second {
		t.Errorf("two of three: %+v, %+v", r, p)
	}
	since = r.Since
	if r, p = say("y", rate(0, 2, 0), place(0, 2)); r.Given != 0 || r.Wait <= 0 || r.Wait > 20*time.Second || p.Have != 1 {
		t.Errorf("two more: %+v, %+v", r, p)
	}
	if r, p = say("x", rate(1, 0, 0), place(1, 0)); r.Given != 0 || p.Have != 1 {
		t.Errorf("one comes back: %+v, %+v", r, p)
	}
	if r, p = say("y", rate(0, 3, 0), place(1, 2)); r.Given != 0 || p.Have != 2 {
		t.Errorf("one came back, not two: %+v, %+v", r, p)
	}
	if r, p = say("y", rate(0, 2, 0), place(2, 0)); r.Given != 2 || p.Left != 0 {
		t.Errorf("two are there: %+v, %+v", r, p)
	}
	if r, p = say("x", escrow.RateLine{Subject: rpm, Limit: 3, Back: 2, Since: since, Need: 3, Least: 1}, place(0, 0)); r.Given != 2 || p.Left != 1 {
		t.Errorf("two of three that are needed: %+v, %+v", r, p)
	}
	if r, _ = say("y", escrow.RateLine{Subject: rpm, Limit: 3, Back: 2, Since: since - 1, Need: 1, Least: 1}, place(0, 0)); r.Given != 0 || r.Since != since {
		t.Errorf("units come back that were checked out before all were there: %+v", r)
	}
	for _, test := range []struct {
		need, spare, want int64
	}{{0, 49, 49}, {0, 51, 50}, {10, 1000, 60}, {7600, 1000, 7650}, {7960, 1000, 7965}, {8000, 1000, 8000}} {
		whole := escrow.RateLine{Subject: escrow.Subject(fmt.Sprint("kept ", test)), Limit: 8000, Need: test.need, Least: min(test.need, 1), Spare: test.spare}
		if r, _ := say("x", whole, place(0, 0)); r.Given != test.want {
			t.Errorf("%d of 8000 that are needed and %d to be kept, at two replicas: %+v", test.need, test.spare, r)
		}
	}
}

// The crowd of the last test.
const (
	crowdReplicas = 6
	crowdBudgets  = 10
	crowdLimit    = 200
	crowdRounds   = 300
)

// crowded is what its replicas share.
type crowded struct {
	spent [crowdBudgets]atomic.Int64
	late  sync.WaitGroup // statements that are executed while others are
}

func crowdName(i int) escrow.Name { return escrow.Name{Budget: fmt.Sprintf("crowd%02d", i)} }

// crowd: replicas whose statements are executed at once, late, twice and not at all spend no budget twice. At the end the books say what was
// spent.
func crowd(t *testing.T, db Engine) {
	var c crowded
	var running sync.WaitGroup
	for id := range crowdReplicas {
		running.Go(func() {
			m := &member{escrow.New(fmt.Sprint("c", id), escrow.Epoch{Began: 1}, nil), t, db, time.Second}
			for i := range crowdBudgets {
				m.Set(crowdName(i), crowdLimit, 1)
			}
			random := rand.New(rand.NewPCG(uint64(id), 1))
			for range crowdRounds {
				c.round(m, random)
			}
			if !m.leave() {
				t.Errorf("replica %d cannot give back what it has", id)
			}
		})
	}
	running.Wait()
	c.late.Wait()
	var sum int64
	for i := range crowdBudgets {
		granted, used, err := db.Books(t.Context(), crowdName(i))
		n := c.spent[i].Load()
		if err != nil || n > crowdLimit || granted != n || used != n {
			t.Errorf("%d of %d was spent, and %d is granted, %d used by the books (%v)", n, crowdLimit, granted, used, err)
		}
		sum += n
	}
	if sum < crowdBudgets*crowdLimit/2 {
		t.Errorf("only %d was spent", sum)
	}
}

// round makes a call, or asks for what it needs, and makes a statement.
func (c *crowded) round(m *member, random *rand.Rand) {
	m.now += 100 * time.Millisecond
	i, need := random.IntN(crowdBudgets), 1+random.Int64N(5)
	switch name := crowdName(i); m.Judge(name, need, true, m.now) {
	case escrow.Fits:
		m.Take(name, need, m.now)
		c.spent[i].Add(need)
		m.Settle(name, need, need, m.now)
	case escrow.Ask:
		m.Need(name, need, false, m.now)
	}
	if news, err := m.db.Poll(m.t.Context(), m.Question()); err != nil {
		m.t.Error(err)
	} else {
		m.Hear(news, m.now, m.now)
	}
	if _, due := m.Due(m.now); !due {
		return
	}
	switch s := m.State(m.now); random.IntN(8) {
	case 0: // lost
		m.GiveUp(m.now)
	case 1, 2: // executed while later ones are
		m.GiveUp(m.now)
		c.late.Go(func() { m.exchange(s) })
	case 3: // twice
		c.late.Go(func() { m.exchange(s) })
		m.Learn(m.exchange(s), m.now)
	default:
		m.Learn(m.exchange(s), m.now)
	}
}

// exchange may be called by several goroutines.
func (m *member) exchange(s *escrow.Statement) *escrow.Answer {
	a, err := m.db.Exchange(m.t.Context(), s)
	if err != nil {
		m.t.Error(err)
		return &escrow.Answer{}
	}
	return a
}

// leave gives back what the replica has. Late statements of its own may be executed meanwhile.
func (m *member) leave() bool {
	m.Drain(m.now)
	for range 20 {
		if m.Learn(m.exchange(m.State(m.now)), m.now); m.Drained() {
			return true
		}
	}
	return false
}
