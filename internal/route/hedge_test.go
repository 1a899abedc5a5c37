package route

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// hedged is a request that is being served by its first target, and its model.
func hedged(t *testing.T, b *Board, m *Model, now time.Time) (*Attempts, Try) {
	t.Helper()
	a := new(Attempts)
	a.Begin(Route{Model: m, Targets: m.Targets, Board: b}, &Ask{Caller: 1, Seed: 1}, now)
	try, ok := a.Next(now)
	if !ok {
		t.Fatal("there is no first attempt")
	}
	return a, try
}

func racing(targets ...string) *Model {
	m := inOrder(targets...)
	m.Hedge = Hedge{After: time.Second, Budget: 1}
	return m
}

func TestBeside(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	breakDown := func(h *Health) {
		for range enoughOfOne {
			_, pass := h.Begin(now, 1, false)
			h.End(now, Failed, pass)
		}
	}
	few, falling := racing("a/x", "b/y"), racing("a/x")
	few.MaxAttempts = 1
	falling.Fallbacks = []Fallback{{On: OnError, To: []*Model{inOrder("b/y")}}}
	for _, tt := range []struct {
		name  string
		model *Model
		at    time.Duration // later
		state func(*Board)
		want  string // the target that races the first, and then those that are left
	}{
		{"the next", racing("a/x", "b/y", "c/z"), 0, nil, "b/y c/z"},
		{"there is none", racing("a/x"), 0, nil, ""},
		{"not one that is down", racing("a/x", "b/y", "c/z"), 0, func(b *Board) { breakDown(b.Health("b", "y")) }, "c/z"},
		{"nor one whose probe is due", racing("a/x", "b/y", "c/z"), 2 * time.Second, func(b *Board) { breakDown(b.Health("b", "y")) }, "c/z b/y"},
		{"not one that wants rest", racing("a/x", "b/y", "c/z"), 0, func(b *Board) { b.Health("b", "y").restUntil(start, now.Add(time.Minute), Pass{}) }, "c/z b/y"},
		{"only such", racing("a/x", "b/y"), 0, func(b *Board) { b.Health("b", "y").restUntil(start, now.Add(time.Minute), Pass{}) }, " b/y"},
		{"no more attempts than allowed", few, 0, nil, ""},
		{"no other model", falling, 0, nil, " b/y"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := NewBoard()
			a, first := hedged(t, b, tt.model, now)
			if tt.state != nil {
				tt.state(b)
			}
			now := now.Add(tt.at)
			second, ok := a.Beside(now)
			var got []string
			if got = append(got, ""); ok {
				got[0] = second.Target.String()
				a.Ended(second, Overloaded, 0, now)
			}
			a.Ended(first, Overloaded, 0, now)
			for try, ok := a.Next(now); ok; try, ok = a.Next(now) {
				got = append(got, try.Target.String())
				a.Ended(try, Overloaded, 0, now)
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("got %q, not %q", got, tt.want)
			}
		})
	}
}

// For every policy, all targets and outcomes: the next healthy target with room, in the policy's order, races the first. No target
// is asked twice at once for one request, no more attempts are made than allowed, and all places come back.
func TestRaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now, b := time.Unix(1000, 0), NewBoard()
		m := racing("a/x", "b/y", "c/z", "a/w", "d/v")
		m.Targets = m.Targets[:rapid.IntRange(1, 5).Draw(t, "targets")]
		m.Policy = Policy(rapid.IntRange(int(Ordered), int(LeastBusy)).Draw(t, "policy"))
		m.MaxAttempts = rapid.IntRange(2, 5).Draw(t, "most")
		m.Hedge.Budget = rapid.SampledFrom([]float64{0.1, 1}).Draw(t, "budget")
		hedged := 0
		requests := rapid.IntRange(1, 12).Draw(t, "requests")
		for i := range m.Targets {
			target := &m.Targets[i]
			target.Concurrent, target.Credentials = rapid.IntRange(0, 1).Draw(t, "concurrent"), rapid.IntRange(1, 2).Draw(t, "credentials")
			target.Weight = rapid.IntRange(1, 5).Draw(t, "weight")
			if rapid.IntRange(0, 4).Draw(t, "rests") == 0 {
				b.Health(target.Provider, target.Model).restUntil(start, now.Add(time.Minute), Pass{})
			}
		}
		for n := range requests {
			r, ask := Route{Model: m, Targets: m.Targets, Board: b}, &Ask{Caller: 1, Seed: uint64(n)}
			var a Attempts
			a.Begin(r, ask, now)
			order, asked := r.orderedPlan(nil, ask, now), 0
			for try, ok := a.Next(now); ok; try, ok = a.Next(now) {
				asked++
				left := besides(b, order, &a, try, now)
				second, raced := a.Beside(now)
				if raced {
					asked, hedged = asked+1, hedged+1
					if len(left) == 0 || second.Target != left[0] {
						t.Fatalf("beside %s %s was asked, not %v", try.Target, second.Target, left)
					}
				}
				if asked > m.MaxAttempts {
					t.Fatalf("%d attempts", asked)
				}
				ends := []Try{try}
				if raced {
					ends = append(ends, second)
					ends = rapid.Permutation(ends).Draw(t, "ends")
				}
				for i := range ends {
					o := Outcome(rapid.IntRange(int(Answered), int(Lost)).Draw(t, "outcome"))
					switch o {
					case Skipped:
						asked--
						if raced && ends[i].step == second.step {
							hedged--
						}
					case BadCredential, StaleCredential: // that is another affair
						o = Denied
					}
					a.Ended(ends[i], o, 0, now)
				}
			}
		}
		if most := max(fewHedges, m.Hedge.Budget*float64(requests)); float64(hedged) > most+1e-9 {
			t.Fatalf("%d of %d requests were hedged, of which %v may be", hedged, requests, most)
		}
		for i := range m.Targets {
			step := Step{Target: &m.Targets[i], health: b.Health(m.Targets[i].Provider, m.Targets[i].Model)}
			g := b.gate(&step)
			if step.health.InFlight() != 0 || g != nil && g.Inside() != 0 {
				t.Fatalf("%s: %d in flight", step.Target, step.health.InFlight())
			}
		}
	})
}

// besides are the targets that may race an attempt, in the policy's order: a slow version of Beside.
func besides(b *Board, order []Step, a *Attempts, try Try, now time.Time) []*Target {
	var list []*Target
	for i := range order {
		s := &order[i]
		tried := slices.ContainsFunc(a.steps[:a.next], func(done Step) bool { return done.Target == s.Target })
		gate := b.gate(s)
		if !tried && s.Skip == NotSkipped && s.Target != try.Target && s.health.State(now).Phase == Closed && !s.health.resting(now, 1) && (gate == nil || !gate.Full(s.Concurrent)) {
			list = append(list, s.Target)
		}
	}
	return list
}

// The attempt that ends last or loses decides nothing, and no attempt stays in flight.
func TestEndsOfARace(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	for _, tt := range []struct {
		name          string
		first, second Outcome
		swapped       bool // the second ends before the first
		more          bool // attempts may be made
	}{
		{"the first answers", Answered, Lost, true, false},
		{"the second answers", Lost, Answered, false, false},
		{"one is busy, the other answers", Overloaded, Answered, false, false},
		{"both are busy", Overloaded, RateLimited, true, true},
		{"both break down", Failed, Failed, false, false},
		{"one breaks down", Failed, Overloaded, true, true},
		{"one refuses the request", Refused, Overloaded, false, false},
		{"nothing was sent to the second", Overloaded, Skipped, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := NewBoard()
			a, first := hedged(t, b, racing("a/x", "b/y", "c/z"), now)
			second, ok := a.Beside(now)
			if !ok {
				t.Fatal("nothing is made beside it")
			}
			if tt.swapped {
				a.Ended(second, tt.second, 0, now)
				a.Ended(first, tt.first, 0, now)
			} else {
				a.Ended(first, tt.first, 0, now)
				a.Ended(second, tt.second, 0, now)
			}
			if b.Health("a", "x").InFlight()+b.Health("b", "y").InFlight() != 0 {
				t.Error("an attempt is still in flight")
			}
			if try, more := a.Next(now); more != tt.more || more && try.Target.String() != "c/z" {
				t.Errorf("then comes %v, %v", try.Target, more)
			}
		})
	}
}

// An attempt that lost is nothing against its target, however often that happens.
func TestLostIsNoFailure(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	b, m := NewBoard(), racing("a/x", "b/y")
	for range 10 * enoughOfOne {
		a, first := hedged(t, b, m, now)
		a.Ended(first, Lost, 0, now)
	}
	if s := b.Health("a", "x").State(now); s.Phase != Closed {
		t.Errorf("its breaker is %v", s.Phase)
	}
}

// A late probe that loses shows that its target is still unhealthy. The target is left alone for longer, or one request after
// the other would wait for it.
func TestLateProbes(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	b, m := NewBoard(), racing("a/x", "b/y")
	for range enoughOfOne {
		a, first := hedged(t, b, m, now)
		a.Ended(first, Failed, 0, now)
	}
	probes := 0
	for range 30 {
		now = now.Add(time.Second)
		a, first := hedged(t, b, m, now)
		if first.Target.Provider == "b" {
			a.Ended(first, Answered, 0, now)
			continue
		}
		probes++
		second, ok := a.Beside(now)
		if !ok {
			t.Fatal("a probe that is late is not hedged")
		}
		a.Ended(second, Answered, 0, now)
		a.Ended(first, Lost, 0, now)
	}
	if probes != 4 { // after 1, 2, 4 and 8 seconds; 16 more are not over yet
		t.Errorf("%d probes in half a minute", probes)
	}
}

// Both targets of a race may have a credential left, or a fresh one.
func TestCredentialsBehindARace(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	for _, tt := range []struct {
		first, second   int // how many credentials they have
		outcome, behind Outcome
		want            string
	}{
		{2, 1, RateLimited, RateLimited, "a/x"},
		{1, 2, BadCredential, BadCredential, "b/y"},
		{2, 2, RateLimited, BadCredential, "a/x b/y"},
		{1, 3, RateLimited, RateLimited, "b/y b/y"},
		{1, 2, StaleCredential, RateLimited, "a/x b/y"},
		{1, 1, StaleCredential, StaleCredential, "a/x b/y"},
		{1, 1, RateLimited, BadCredential, ""},
	} {
		m := racing("a/x", "b/y")
		m.Targets[0].Credentials, m.Targets[1].Credentials = tt.first, tt.second
		a, first := hedged(t, NewBoard(), m, now)
		second, ok := a.Beside(now)
		if !ok {
			t.Fatal("nothing is asked beside it")
		}
		a.Ended(first, tt.outcome, 0, now)
		a.Ended(second, tt.behind, 0, now)
		var got []string
		for try, ok := a.Next(now); ok; try, ok = a.Next(now) {
			got = append(got, try.Target.String())
			a.Ended(try, RateLimited, 0, now)
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%d %v, %d %v: then %q, want %q", tt.first, tt.outcome, tt.second, tt.behind, got, tt.want)
		}
	}
}

func TestNoHedgeBehindABreakdown(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	a, first := hedged(t, NewBoard(), racing("a/x", "b/y", "c/z"), now)
	a.Ended(first, Failed, 0, now)
	if _, ok := a.Next(now); !ok {
		t.Fatal("there is no second attempt")
	}
	if try, ok := a.Beside(now); ok {
		t.Errorf("what broke one is put to %v and another at once", try.Target)
	}
}

func TestBudgetOfHedges(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	b, m := NewBoard(), racing("a/x", "b/y")
	m.Hedge.Budget = 0.05
	made := 0
	for range 100 {
		a, first := hedged(t, b, m, now)
		if second, ok := a.Beside(now); ok {
			made++
			a.Ended(second, Lost, 0, now)
		}
		a.Ended(first, Answered, 0, now)
	}
	if made != 5 {
		t.Errorf("%d of 100 requests had a second call", made)
	}
	now = now.Add(11 * time.Second)
	for i, want := range []bool{true, false} { // few requests: one in ten seconds
		a, _ := hedged(t, b, m, now)
		if _, ok := a.Beside(now); ok != want {
			t.Errorf("%d: %v", i, ok)
		}
	}
}

func TestLateAttempts(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	late := func(b *Board, h Hedge) (time.Duration, bool) {
		m := racing("a/x", "b/y")
		m.Hedge = h
		a, try := hedged(t, b, m, now)
		return a.Late(try)
	}
	b := NewBoard()
	if d, ok := late(b, Hedge{}); ok {
		t.Errorf("late after %v, though nothing is to be hedged", d)
	}
	if d, ok := late(b, Hedge{After: time.Minute, Budget: 0.1}); !ok || d != time.Minute {
		t.Errorf("late after %v, %v", d, ok)
	}
	for i := range fewest {
		if d, ok := late(b, Hedge{Budget: 0.1}); ok {
			t.Errorf("after %d answers %v is known to be late", i, d)
		}
		_, try := hedged(t, b, racing("a/x"), now)
		try.Heard(time.Duration(i+1)*time.Millisecond, now)
	}
	if d, ok := late(b, Hedge{Budget: 0.1}); !ok || d != 19*time.Millisecond {
		t.Errorf("of %d answers, late is behind %v, %v", fewest, d, ok)
	}
	_, try := hedged(t, b, racing("a/x"), now)
	for range 5 { // those that lost count as what they are known to be
		try.Waited(50*time.Millisecond, now)
	}
	if d, _ := late(b, Hedge{Budget: 0.1}); d != 50*time.Millisecond {
		t.Errorf("late is behind %v", d)
	}
}

// A target that hangs is not waited for longer and longer, because each that loses was waited for a little longer than what was late.
func TestLateWhileHanging(t *testing.T) {
	t.Parallel()
	h := new(Health)
	for range fewest {
		h.heard(start, time.Second, Pass{})
	}
	for range 1000 {
		late, _ := h.late()
		h.waited(start, late+500*time.Millisecond, Pass{})
	}
	if late, known := h.late(); !known || late != farLater*time.Second {
		t.Errorf("late is behind %v", late)
	}
	for range 60 { // it is slower than it was, and answers
		h.heard(start, 8*time.Second, Pass{})
	}
	h.waited(start, 9*time.Second, Pass{})
	if late, _ := h.late(); late != 8*time.Second {
		t.Errorf("behind %v, when answers take 8 s", late)
	}
}

// What kept a target from a race does not matter when its turn comes.
func TestBesideSkipsForNow(t *testing.T) {
	t.Parallel()
	now, b := time.Unix(1000, 0), NewBoard()
	m := racing("a/x", "b/y", "c/z")
	m.Targets[1].Concurrent = 1
	m.Fallbacks = []Fallback{{On: OnError, To: []*Model{inOrder("d/v")}}}
	a, first := hedged(t, b, m, now)
	other := bounded(1, "b/y")
	end := hold(t, b, other, now)
	second, ok := a.Beside(now)
	if !ok || second.Target.String() != "c/z" {
		t.Fatalf("beside the first %v was asked", second.Target)
	}
	if _, ok := a.Beside(now); ok {
		t.Fatal("a full target was asked")
	}
	end()
	a.Ended(second, Overloaded, 0, now)
	a.Ended(first, Overloaded, 0, now)
	for _, want := range []string{"b/y", "d/v"} {
		try, ok := a.Next(now)
		if !ok || try.Target.String() != want {
			t.Fatalf("%v came when it was %s's turn", try.Target, want)
		}
		a.Ended(try, Overloaded, 0, now)
	}
}

// A target that cannot be sent the request uses none of the few second calls: the next one is asked.
func TestBesideForNothing(t *testing.T) {
	t.Parallel()
	now, b := time.Unix(1000, 0), NewBoard()
	m := racing("a/x", "b/y", "c/z", "d/v")
	m.Hedge.Budget = 0.01
	a, _ := hedged(t, b, m, now)
	second, ok := a.Beside(now)
	if !ok {
		t.Fatal("nobody was asked")
	}
	a.Ended(second, Skipped, 0, now.Add(time.Second))
	if second, ok = a.Beside(now.Add(time.Second)); !ok || second.Target.String() != "c/z" {
		t.Fatalf("behind one that could not be asked came %v", second.Target)
	}
	a.Ended(second, Overloaded, 0, now)
	if second, ok := a.Beside(now); ok {
		t.Errorf("%v was asked beyond the budget", second.Target)
	}
}

// A look reports the targets that may race a late one. They must have no fault.
func TestTargetsToSpare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		sight Sight
		want  bool
	}{
		{"well", Sight{}, true},
		{"skipped", Sight{Skip: Full}, false},
		{"its breaker is open", Sight{Breaker: State{Phase: Open}}, false},
		{"it is probed", Sight{Breaker: State{Phase: Trying}}, false},
		{"it rests", Sight{Rest: 1}, false},
	} {
		if tt.sight.Spare() != tt.want {
			t.Errorf("%s: %v", tt.name, !tt.want)
		}
	}
}

// A second call that finds no place costs none of the few that may be made: the next request may make it.
func TestBesideWithoutAPlaceIsGivenBack(t *testing.T) {
	t.Parallel()
	now, b := time.Unix(1000, 0), NewBoard()
	m := racing("a/x", "b/y")
	m.Targets[1].Concurrent, m.Hedge.Budget = 1, 0.01
	end := hold(t, b, bounded(1, "b/y"), now)
	a, _ := hedged(t, b, m, now)
	if second, ok := a.Beside(now); ok {
		t.Fatalf("%v was asked, which is full", second.Target)
	}
	end()
	a, _ = hedged(t, b, m, now)
	if _, ok := a.Beside(now); !ok {
		t.Error("the call that was not made was counted")
	}
}
