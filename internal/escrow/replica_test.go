package escrow

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// group is replicas at one database, whose statements arrive at once.
type group struct {
	t        *testing.T
	db       *Memory
	replicas []*Replica
	now      time.Duration
}

func newGroup(t *testing.T, replicas int, limit int64) *group {
	t.Helper()
	g := &group{t: t, db: NewMemory(), now: time.Minute}
	for i := range replicas {
		r := New(fmt.Sprint("r", i), Epoch{Began: 1}, nil)
		r.Set(budgetName, limit, 1)
		g.replicas = append(g.replicas, r)
		g.talk(r)
	}
	return g
}

// talk has a replica state what it has to, now, and hear the answer.
func (g *group) talk(r *Replica) *Answer {
	a := g.db.Exchange(r.State(g.now), g.now)
	r.Learn(a, g.now)
	return a
}

// need has a call of a replica ask for so much, and says what then is judged.
func (g *group) need(i int, n int64, strict bool) Verdict {
	r := g.replicas[i]
	if v := r.Judge(budgetName, n, strict, g.now); v != Ask {
		return v
	}
	r.Need(budgetName, n, !strict, g.now)
	g.talk(r)
	return r.Judge(budgetName, n, strict, g.now)
}

// take has a call hold so much, which fits.
func (g *group) take(i int, n int64, strict bool) {
	g.t.Helper()
	if v := g.need(i, n, strict); v != Fits {
		g.t.Fatalf("replica %d needs %d and is told %v", i, n, v)
	}
	g.replicas[i].Take(budgetName, n, g.now)
}

// poll has all replicas hear what is wanted, and give it back.
func (g *group) poll() {
	for _, r := range g.replicas {
		r.Hear(g.db.Poll(r.Question(), g.now), g.now, g.now)
		if _, due := r.Due(g.now); due {
			g.talk(r)
		}
	}
}

// books are the database's.
func (g *group) books() (granted, used int64) {
	g.t.Helper()
	granted, used, err := g.db.Books(budgetName)
	if err != nil {
		g.t.Error(err)
	}
	return granted, used
}

func (g *group) mustBooks() [2]int64 {
	granted, used := g.books()
	return [2]int64{granted, used}
}

func (v Verdict) String() string {
	return [...]string{"fits", "ask", "short", "used up", "gone"}[v]
}

func (g *group) want(have, want Verdict) {
	g.t.Helper()
	if have != want {
		g.t.Errorf("the verdict is %q, want %q", have, want)
	}
}

// TestRecall: what one replica has and does not need is given back for another that lacks it, which asks no more than four times a second.
func TestRecall(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 2, 1000)
	for range 18 {
		g.take(0, 50, true) // and may have more in store
	}
	g.replicas[0].Settle(budgetName, 900, 100, g.now)
	g.want(g.need(1, 500, true), Short)
	g.now += Quiet - 1
	g.want(g.need(1, 500, true), Short)
	number := g.replicas[1].number
	g.poll()
	if number != g.replicas[1].number {
		t.Error("a replica gave back what it lacks")
	}
	if free, second := g.replicas[0].Free(budgetName), int64(900/10); free != second {
		t.Errorf("it keeps %d, and one second needs %d", free, second)
	}
	g.now++
	g.want(g.need(1, 500, true), Fits)
}

// TestRecallKeepsNoPartOfACall: where one second needs less than a call, all is given back.
func TestRecallKeepsNoPartOfACall(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 2, 1000)
	g.take(0, 900, true)
	g.replicas[0].Settle(budgetName, 900, 100, g.now)
	g.want(g.need(1, 900, true), Short)
	g.poll()
	g.now += Quiet
	g.want(g.need(1, 900, true), Fits)
}

// TestLeftoversComeBackWhereLittleIsLeft: what a call leaves over is given back at once, if what is left would not do for as much at every replica.
func TestLeftoversComeBackWhereLittleIsLeft(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		replicas int
		limit    int64
		back     bool
	}{{2, 700, true}, {2, 1000, false}, {8, 2000, true}, {8, 10_000, false}} {
		g := newGroup(t, c.replicas, c.limit)
		g.take(0, 300, true)
		before, _ := g.books()
		g.replicas[0].Settle(budgetName, 300, 10, g.now)
		g.now += GatherCalm
		if _, due := g.replicas[0].Due(g.now); due {
			g.talk(g.replicas[0])
		}
		granted, _ := g.books()
		if back := granted < before; back != c.back {
			t.Errorf("%+v: %d are granted, and were %d", c, granted, before)
		}
	}
}

// TestNothingIsStoredThatOthersLack: while a budget is wanted, a replica is given what it needs and nothing ahead.
func TestNothingIsStoredThatOthersLack(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 2, 1000)
	g.want(g.need(1, 1001, true), UsedUp)
	g.take(0, 1, true)
	if g.replicas[0].Free(budgetName) == 0 {
		t.Fatal("nothing is given ahead of need")
	}
	g.replicas[1].Need(budgetName, 1000, false, g.now)
	g.talk(g.replicas[1])
	free := g.replicas[0].Free(budgetName)
	g.take(0, free+5, true)
	if n := g.replicas[0].Free(budgetName); n != 0 {
		t.Errorf("%d was given ahead", n)
	}
}

// TestUsedUp: that no room is left is known without asking, until the budget is changed; while others only hold what is left, it is
// not said.
func TestUsedUp(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 2, 100)
	g.take(0, 95, true)
	g.want(g.need(1, 10, true), Short)
	g.replicas[0].Settle(budgetName, 95, 95, g.now)
	g.poll()
	g.now += Quiet
	g.want(g.need(1, 10, true), UsedUp)
	g.now += Quiet
	number := g.replicas[1].number
	g.want(g.need(1, 10, true), UsedUp)
	if g.replicas[1].number != number {
		t.Error("the database was asked again")
	}
	g.want(g.need(1, 5, true), Fits)
	g.replicas[1].Set(budgetName, 200, 2)
	g.want(g.need(1, 10, true), Fits)
}

// TestLastRequest: of a budget that is not strict, one call passes that needs more than is left, of all replicas together, and only while no replica has
// anything outstanding.
func TestLastRequest(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 3, 100)
	g.take(0, 95, false)
	g.replicas[0].Settle(budgetName, 95, 95, g.now)
	g.talkAll()
	passed := 0
	for i := range g.replicas {
		if g.need(i, 10, false) == Fits {
			g.replicas[i].Take(budgetName, 10, g.now)
			passed++
		}
	}
	if passed != 1 {
		t.Fatalf("%d calls passed", passed)
	}
	for _, r := range g.replicas {
		if r.slice(budgetName).held > 0 {
			r.Settle(budgetName, 10, 2, g.now) // it took less: something is left
		}
	}
	g.now += Quiet
	g.talkAll()
	if v := g.need(1, 10, false); v != Fits {
		t.Errorf("after it ended with 3 left, the next is told %v", v)
	}
	g.replicas[1].Take(budgetName, 10, g.now)
	g.replicas[1].Settle(budgetName, 10, 50, g.now)
	g.talkAll()
	g.now += Quiet
	for i := range g.replicas {
		g.want(g.need(i, 1, false), UsedUp)
	}
}

// talkAll has each replica state all that it has.
func (g *group) talkAll() {
	for _, r := range g.replicas {
		r.enqueue(r.slice(budgetName), false, g.now)
		g.talk(r)
	}
}

// TestLowered: a budget that is lowered below what is granted grants nothing, and what is not used of it is given back.
func TestLowered(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 2, 1000)
	g.take(0, 300, true)
	g.take(1, 300, true)
	g.replicas[0].Settle(budgetName, 300, 10, g.now)
	g.replicas[1].Settle(budgetName, 300, 10, g.now)
	g.replicas[0].Set(budgetName, 100, 2)
	g.talkAll()
	for _, r := range g.replicas {
		if _, due := r.Due(g.now); due {
			g.talk(r)
		}
	}
	if granted, used := g.books(); granted != used || used != 20 {
		t.Errorf("%d is granted, and %d used", granted, used)
	}
	g.now += Quiet
	g.want(g.need(1, 81, true), UsedUp)
	g.want(g.need(1, 80, true), Fits)
	if s := g.replicas[1].slice(budgetName); s.limit != 100 || s.version != 2 {
		t.Errorf("the other knows %d by version %d", s.limit, s.version)
	}
	g.replicas[1].Set(budgetName, 1000, 1) // an older change comes late
	if g.replicas[1].slice(budgetName).limit != 100 {
		t.Error("an older change undid a later one")
	}
}

// TestIdle: what a replica has and did not use for ten minutes is given back.
func TestIdle(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 1, 1000)
	r := g.replicas[0]
	g.take(0, 10, true)
	r.Settle(budgetName, 10, 7, g.now)
	g.talkAll()
	g.now += Idle - 1
	if r.Tidy(g.now); r.Free(budgetName) == 0 {
		t.Fatal("nothing is in store")
	}
	if _, due := r.Due(g.now); due {
		t.Error("a slice is given back too early")
	}
	g.now++
	for range 2 {
		r.Tidy(g.now)
	}
	if _, due := r.Due(g.now); !due {
		t.Fatal("an idle slice is not given back")
	}
	g.talk(r)
	if granted, _ := g.books(); granted != 7 {
		t.Errorf("%d is granted, and 7 used", granted)
	}
}

// TestEnd: of a period that is over a replica remembers nothing, once its last call has ended and the database knows what it took.
func TestEnd(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 1, 1000)
	r := g.replicas[0]
	g.take(0, 10, true)
	r.End(budgetName, g.now)
	turn := func() {
		for range 6 {
			r.Tidy(g.now)
			if _, due := r.Due(g.now); due {
				g.talk(r)
			}
		}
	}
	turn()
	if granted, _ := g.books(); granted != 10 || len(r.slices) != 1 {
		t.Errorf("%d is granted while a call holds 10, and %d slices are known", granted, len(r.slices))
	}
	r.Settle(budgetName, 10, 4, g.now)
	turn()
	if granted, used := g.books(); granted != 4 || used != 4 || len(r.slices)+len(r.all) != 0 {
		t.Errorf("%d is granted and %d used, and %d slices are known", granted, used, len(r.slices))
	}
}

// TestDrain: before a replica exits, it gives all back.
func TestDrain(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 1, 1000)
	r := g.replicas[0]
	g.take(0, 10, true)
	r.Drain(g.now)
	g.want(r.Judge(budgetName, 900, true, g.now), Short)
	g.talk(r)
	if granted, _ := g.books(); granted != 10 || r.Drained() {
		t.Errorf("%d is granted while a call holds 10; drained: %v", granted, r.Drained())
	}
	r.Settle(budgetName, 10, 4, g.now)
	for range 2 {
		r.Tidy(g.now)
	}
	g.talk(r)
	if granted, used := g.books(); granted != 4 || used != 4 || !r.Drained() {
		t.Errorf("%d is granted and %d used; drained: %v", granted, used, r.Drained())
	}
}

// TestForget: what a dead replica has outstanding stays charged, as in doubt, until its rows come or it comes back itself.
func TestForget(t *testing.T) {
	t.Parallel()
	begin := func() *group {
		g := newGroup(t, 2, 1000)
		g.take(0, 600, true)
		g.replicas[0].Settle(budgetName, 600, 100, g.now)
		g.take(0, 50, true)
		g.talkAll()
		before, used := g.books()
		if before < 150 || used != 100 {
			t.Fatalf("%d is granted and %d used", before, used)
		}
		if g.db.Forget("r0", false); g.mustBooks() != [2]int64{before, before} {
			t.Errorf("%v is granted and charged of %d", g.mustBooks(), before)
		}
		return g
	}
	g := begin()
	before := g.mustBooks()
	g.talk(g.replicas[0])
	if !g.replicas[0].Gone() {
		t.Error("a process that was believed dead goes on")
	}
	g.want(g.need(0, 1, true), Gone)
	g.db.Arrive("r0", budgetName, 20)
	if g.mustBooks() != before {
		t.Errorf("rows that come late are charged beside the doubt: %v, %v before", g.mustBooks(), before)
	}
	again := New("r0", Epoch{Began: 9}, []Kept{{budgetName, 150}})
	g.replicas[0] = again
	g.talk(again)
	if granted, used := g.books(); granted != 150 || used != 150 {
		t.Errorf("the replica came back and used 150: %d is granted, %d used", granted, used)
	}
	g = begin()
	g.db.Forget("r0", true)
	if granted, used := g.books(); granted != 100 || used != 100 {
		t.Errorf("on the operator's word 100 was used: %d is granted, %d used", granted, used)
	}
}

// TestClockBehind: a process that begins while the clock is behind learns which epoch there is, and begins once more with a later one. The earlier
// process hears of it, also if it has nothing to state.
func TestClockBehind(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 1, 1000)
	g.take(0, 10, true)
	early := g.replicas[0]
	kept := []Kept{{budgetName, 10}}
	late := New("r0", Epoch{Began: 0, Process: 7}, kept)
	a := g.talk(late)
	if !late.Gone() || a.Last != early.epoch {
		t.Fatalf("the answer is %+v", a)
	}
	late = New("r0", Epoch{Began: a.Last.Began, Process: 7}, kept)
	late.Set(budgetName, 1000, 1)
	g.talk(late)
	early.Hear(g.db.Poll(early.Question(), g.now), g.now, g.now)
	if late.Gone() || !early.Gone() {
		t.Error("the earlier process goes on")
	}
	g.want(early.Judge(budgetName, 1, true, g.now), Gone)
	g.replicas[0] = late
	g.take(0, 10, true)
}

// TestDue: urgent lines wait for others for two milliseconds, or for twenty while most are refused; what is asked ahead of need does not
// hurry.
func TestDue(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 2, 100_000)
	r := g.replicas[0]
	due := func(want time.Duration) {
		t.Helper()
		if at, ok := r.Due(g.now); !ok || at-g.now != want {
			t.Errorf("a statement is due in %v (%v), want %v", at-g.now, ok, want)
		}
	}
	if _, ok := r.Due(g.now); ok {
		t.Error("a statement is due that has nothing to say")
	}
	r.Need(budgetName, 10, false, g.now)
	due(Gather)
	r.State(g.now)
	if _, ok := r.Due(g.now); ok {
		t.Error("a statement is due while an answer is awaited")
	}
	r.GiveUp(g.now)
	due(GatherCalm) // what may have been given is stated again
	g.talk(r)
	g.take(0, 12_000, true)
	due(GatherCalm) // two seconds of this demand are not in store
	g.talk(r)
	if free := r.Free(budgetName); free < 2*12_000/demandSpan {
		t.Errorf("%d is in store", free)
	}
	g.replicas[1].Need(budgetName, 200_000, false, g.now)
	g.talk(g.replicas[1])
	r = g.replicas[1]
	g.now += Quiet
	r.Need(budgetName, 200_000, false, g.now)
	due(GatherMany)
}

// TestShare: how much is given of what is left.
func TestShare(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		line Line
		room Room
		want int64
	}{
		{"nothing is wanted", Line{Need: 5}, Room{100, 1, 1, false}, 0},
		{"the budget was lowered", Line{Wants: true, Need: 5}, Room{-1, 1, 1, false}, 0},
		{"a quarter ahead, for one replica", Line{Wants: true, Need: 5, Least: 5}, Room{1000, 1, 1, false}, 250},
		{"a fortieth ahead, for ten", Line{Wants: true, Need: 5, Least: 5}, Room{1000, 1, 10, false}, 25},
		{"ten seconds of demand", Line{Wants: true, Demand: 300}, Room{1000, 1, 10, false}, 300},
		{"at most the half", Line{Wants: true, Demand: 3000}, Room{1000, 1, 10, false}, 500},
		{"at most the tenth, of five holders", Line{Wants: true, Demand: 3000}, Room{1000, 5, 10, false}, 100},
		{"but what is needed", Line{Wants: true, Need: 900, Least: 900}, Room{1000, 5, 10, false}, 900},
		{"what is left, if some call fits", Line{Wants: true, Need: 90, Least: 30}, Room{40, 5, 10, false}, 40},
		{"nothing, if none does", Line{Wants: true, Need: 90, Least: 50}, Room{40, 5, 10, false}, 0},
		{"nothing ahead of what others lack", Line{Wants: true, Need: 5, Least: 5}, Room{1000, 1, 1, true}, 5},
	} {
		if got := Share(&test.line, test.room); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

// TestStatementsOfABudget: a budget costs about replicas × log(budget ÷ request) statements, however many calls there are.
func TestStatementsOfABudget(t *testing.T) {
	t.Parallel()
	const replicas, calls = 5, 100_000
	g := newGroup(t, replicas, calls)
	var made int
	for i := 0; ; i++ {
		turn := i % replicas
		if g.need(turn, 1, true) != Fits {
			turn = slices.IndexFunc(g.replicas, func(r *Replica) bool { return r.Free(budgetName) > 0 })
		}
		if turn < 0 {
			break
		}
		g.replicas[turn].Take(budgetName, 1, g.now)
		g.replicas[turn].Settle(budgetName, 1, 1, g.now)
		made++
		g.now += time.Millisecond
	}
	var statements int64
	for _, r := range g.replicas {
		statements += r.number
	}
	if made != calls || statements > 400 {
		t.Errorf("%d calls were made of %d, with %d statements", made, calls, statements)
	}
}

// TestFailover: a database that forgot what a replica had does nothing for it until the replica has stated all that it keeps, also of budgets that
// it does not need at the moment.
func TestFailover(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 2, 100)
	standby := NewMemory()
	other := Name{Budget: "other"}
	for _, r := range g.replicas {
		r.Set(other, 100, 1)
		st := r.State(g.now)
		standby.Exchange(st, g.now)
		r.Learn(g.db.Exchange(st, g.now), g.now)
	}
	r := g.replicas[0]
	g.take(0, 20, true)
	r.Need(other, 80, false, g.now)
	g.talk(r)
	r.Take(other, 80, g.now)
	g.db = standby // which lacks all of that

	r.Need(budgetName, 70, false, g.now)
	if a := g.talk(r); a.Outcome != Forgot {
		t.Fatalf("the outcome is %v", a.Outcome)
	}
	if granted, _ := g.books(); granted != 0 {
		t.Errorf("%d is granted before the replica stated what it has", granted)
	}
	r.Need(other, 100, false, g.now)
	st := r.State(g.now)
	if !st.Whole || len(st.Lines) != 2 || st.Lines[0].Wants || st.Lines[1].Wants {
		t.Errorf("the replica states %+v", st)
	}
	r.Learn(g.db.Exchange(st, g.now), g.now)
	granted, _, err := g.db.Books(other)
	if granted < 80 || err != nil {
		t.Errorf("the other budget has %d granted: %v", granted, err)
	}
	if next := r.State(g.now); next.Whole || !slices.ContainsFunc(next.Lines, func(l Line) bool { return l.Name == other && l.Need == 100 }) {
		t.Errorf("what waited besides is stated as %+v", next)
	}
	g.replicas[1].Need(other, 21, false, g.now)
	g.talk(g.replicas[1])
	if n := g.replicas[1].Free(other); n >= 21 {
		t.Errorf("another gets %d of what the first has", n)
	}
}

// TestUnnamed: what a whole statement does not name is given back down to what is booked as used.
func TestUnnamed(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 1, 1000)
	g.take(0, 10, true)
	g.replicas[0].Settle(budgetName, 10, 7, g.now)
	g.talkAll()
	if granted, _ := g.books(); granted == 7 {
		t.Fatal("nothing is in store")
	}
	g.talk(New("r0", Epoch{Began: 2}, nil))
	if granted, used := g.books(); granted != 7 || used != 7 {
		t.Errorf("%d is granted and %d used", granted, used)
	}
}

// A recall leaves what one second needs. A replica to which no call comes any more needs nothing, and gives all back within seconds of the last.
func TestARecallTakesAllOfWhatIsNotUsed(t *testing.T) {
	t.Parallel()
	r, name := New("one", Epoch{1, 0}, nil), Name{Budget: "a"}
	m := NewMemory()
	exchange := func(now time.Duration) {
		if at, ok := r.Due(now); ok && at <= now {
			r.Learn(m.Exchange(r.State(now), now), now)
		}
	}
	exchange(0)
	r.Set(name, 1000, 1)
	r.Need(name, 100, false, 0)
	exchange(time.Second)
	for range 10 {
		r.Take(name, 10, time.Second)
		r.Settle(name, 10, 10, time.Second)
	}
	free := r.Free(name)
	for now, keeps := range map[time.Duration]int64{2 * time.Second: 10, 3 * time.Second: 0} {
		if free < 11 {
			t.Fatalf("%d is free", free)
		}
		of := *r.slices[name]
		of.asked.recall = true
		if kept := of.lower(now, false); kept != of.used+keeps {
			t.Errorf("at %v, %d is kept beside what is used, want %d", now, kept-of.used, keeps)
		}
	}
}
