package route

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/limit"
)

// bounded is a model whose targets may have so many requests at once.
func bounded(concurrent int, targets ...string) *Model {
	m := inOrder(targets...)
	for i := range m.Targets {
		m.Targets[i].Concurrent = concurrent
	}
	return m
}

func begin(b *Board, m *Model, now time.Time) *Attempts {
	a := new(Attempts)
	a.Begin(Route{Model: m, Targets: m.Targets, Board: b}, &Ask{Caller: 1, Seed: 1}, now)
	return a
}

// hold begins an attempt that does not end, and returns its end.
func hold(t *testing.T, b *Board, m *Model, now time.Time) (end func()) {
	t.Helper()
	a := begin(b, m, now)
	try, ok := a.Next(now)
	if !ok {
		t.Fatal("no attempt")
	}
	return func() { a.Ended(try, Answered, 0, now) }
}

// await waits for as long as it is worth.
func await(w *limit.Waiter) (int, bool) {
	select {
	case <-w.Let():
	case <-time.After(w.Patience()):
	}
	return w.End(true, time.Now())
}

func reasons(a *Attempts) string {
	var told []string
	for _, s := range a.Steps() {
		told = append(told, s.String()+" "+s.Skip.String())
	}
	return strings.Join(told, ", ")
}

func TestFullTargetsArePassedOver(t *testing.T) {
	t.Parallel()
	b, now := NewBoard(), time.Unix(1000, 0)
	m := bounded(1, "a/x", "b/y")
	m.Targets[1].Concurrent = 0
	end := hold(t, b, m, now)
	if s := (&Route{Model: m, Targets: m.Targets, Board: b}).Look(&Ask{}, now)[1]; !s.Full || s.Window != 0 {
		t.Errorf("%+v", s)
	}
	told, a := script{"b/y": {Answered}}.walk(b, m, now)
	if !slices.Equal(told, []string{"b/y ok"}) || reasons(a) != "b/y , a/x full" {
		t.Error(told, reasons(a))
	}
	told, a = script{"b/y": {Refused}}.walk(b, m, now)
	if !slices.Equal(told, []string{"b/y refused"}) || a.Queue(time.Second, now) != nil {
		t.Error("a refused request waits for another target")
	}
	end()
	if told, _ = (script{"a/x": {Answered}}).walk(b, m, now); !slices.Equal(told, []string{"a/x ok"}) {
		t.Error(told)
	}
}

func TestFullModelsFallBack(t *testing.T) {
	t.Parallel()
	b, now := NewBoard(), time.Unix(1000, 0)
	m := bounded(1, "a/x")
	m.Fallbacks = []Fallback{{On: OnError, To: []*Model{inOrder("b/y")}}}
	defer hold(t, b, m, now)()
	if told, a := (script{"b/y": {Answered}}).walk(b, m, now); !slices.Equal(told, []string{"b/y ok"}) || reasons(a) != "a/x full, b/y " {
		t.Error(told, reasons(a))
	}
}

// What one provider may have at once counts over all its targets; what a target may have, in all models.
func TestPlacesAreShared(t *testing.T) {
	t.Parallel()
	b, now := NewBoard(), time.Unix(1000, 0)
	m, other := bounded(1, "a/x"), bounded(1, "a/z")
	m.Targets[0].Shared, other.Targets[0].Shared = true, true
	end := hold(t, b, m, now)
	if told, a := (script{}).walk(b, other, now); told != nil || !a.Full() {
		t.Error(told)
	}
	end()
	defer hold(t, b, other, now)()

	one, same := bounded(2, "b/y"), bounded(1, "b/y")
	defer hold(t, b, one, now)()
	if told, _ := (script{}).walk(b, same, now); told != nil {
		t.Error(told)
	}
	defer hold(t, b, one, now)()
}

// If all targets are full, the request gets the first place that becomes free, and goes on from there.
func TestQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, now := NewBoard(), time.Now()
		m := bounded(1, "a/x", "b/y")
		end := []func(){hold(t, b, m, now), hold(t, b, m, now)}
		a := begin(b, m, now)
		if _, ok := a.Next(now); ok {
			t.Fatal("an attempt at a full target")
		}
		for _, which := range []int{1, 0} {
			w := a.Queue(time.Second, now)
			time.AfterFunc(time.Millisecond, end[which])
			number, ok := await(w)
			if !ok {
				t.Fatal("not let in")
			}
			a.Let(number)
			try, ok := a.Next(now)
			if !ok || try.Target != &m.Targets[which] {
				t.Fatalf("an attempt at %v", try.Target)
			}
			a.Ended(try, Malformed, 0, now)
		}
		if a.Queue(time.Second, now) != nil {
			t.Error("all were tried, and it still waits")
		}
	})
}

// A target that went down while a request waited for it is not called.
func TestQueueForWhatWentDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, now := NewBoard(), time.Now()
		m, unbounded := bounded(1, "a/x"), inOrder("a/x")
		end := hold(t, b, m, now)
		a := begin(b, m, now)
		a.Next(now)
		w := a.Queue(time.Second, now)
		for range enoughOfOne {
			script{"a/x": {Failed}}.walk(b, unbounded, now)
		}
		end()
		number, _ := await(w)
		a.Let(number)
		if _, ok := a.Next(now); ok || a.Queue(time.Second, now) != nil || reasons(a) != "a/x down" {
			t.Error(ok, reasons(a))
		}
		if n := b.Health("a", "x").gate.Inside(); n != 0 {
			t.Errorf("%d places are taken", n)
		}
	})
}

// A prompt that one provider forbids goes to those that the operator names for that, and does not wait for others.
func TestForbiddenRequestsDoNotWait(t *testing.T) {
	t.Parallel()
	b, now := NewBoard(), time.Unix(1000, 0)
	m := bounded(1, "a/x", "b/y")
	m.Targets[1].Concurrent = 0
	m.Fallbacks = []Fallback{{On: OnContentFilter, To: []*Model{inOrder("c/z")}}}
	defer hold(t, b, m, now)()
	told, a := script{"b/y": {Moderated}, "c/z": {Malformed}}.walk(b, m, now)
	if strings.Join(told, ", ") != "b/y moderated, c/z malformed" || a.Queue(time.Second, now) != nil {
		t.Error(told)
	}
}

func TestLeastBusyGoesByCapacity(t *testing.T) {
	t.Parallel()
	b, now := NewBoard(), time.Unix(1000, 0)
	m := bounded(0, "a/large", "b/small")
	m.Policy, m.Targets[0].Concurrent, m.Targets[1].Concurrent = LeastBusy, 6, 3
	for range 9 {
		hold(t, b, m, now)
	}
	if large, small := b.Health("a", "large").InFlight(), b.Health("b", "small").InFlight(); large != 6 || small != 3 {
		t.Errorf("%d and %d in flight", large, small)
	}
}

// An explanation of a request shows full targets, and takes no place.
func TestLookSeesFullTargets(t *testing.T) {
	t.Parallel()
	b, now := NewBoard(), time.Unix(1000, 0)
	m := bounded(1, "a/x", "b/y")
	m.Targets[0].Shared = true
	r := Route{Model: m, Targets: m.Targets, Board: b}
	for i, want := range []string{"a/x b/y ", "b/y a/x full", "a/x full b/y full"} {
		told := ""
		for _, s := range r.Look(&Ask{}, now) {
			told += " " + strings.TrimSpace(s.String()+" "+s.Skip.String())
		}
		if strings.TrimSpace(told) != strings.TrimSpace(want) {
			t.Errorf("%d are full:%s, want %s", i, told, want)
		}
		if i < 2 {
			hold(t, b, m, now)
		}
	}
}

// Whatever becomes of requests that compete for places: they come to an end, and all places are back.
func TestPlacesComeBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := bounded(0, "a/x", "b/y", "a/z")
		for i := range m.Targets {
			target := &m.Targets[i]
			target.Concurrent, target.Shared = rapid.IntRange(0, 2).Draw(rt, "concurrent"), i != 1
		}
		m.Targets[0].Credentials = rapid.IntRange(1, 3).Draw(rt, "credentials")
		fallback := inOrder("c/w")
		fallback.Targets[0].Concurrent = 1
		m.Fallbacks = []Fallback{{On: Causes(rapid.IntRange(0, 15).Draw(rt, "on")), To: []*Model{fallback}}}
		wait := rapid.SampledFrom([]time.Duration{0, time.Millisecond, time.Second}).Draw(rt, "wait")
		requests := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(int(Answered), int(Lost)), 8, 8), 1, 12).Draw(rt, "requests")
		synctest.Test(t, func(*testing.T) {
			b := NewBoard()
			for n, outcomes := range requests {
				go func() {
					time.Sleep(time.Duration(n%3) * time.Millisecond)
					a := begin(b, m, time.Now())
					for more := true; more; {
						try, ok := a.Next(time.Now())
						for ; ok; try, ok = a.Next(time.Now()) {
							time.Sleep(time.Duration(n) * time.Millisecond)
							o := Skipped
							if len(outcomes) > 0 {
								o, outcomes = Outcome(outcomes[0]), outcomes[1:]
							}
							a.Ended(try, o, 0, time.Now())
						}
						w := a.Queue(wait, time.Now())
						if w == nil {
							return
						}
						var number int
						if number, more = await(w); more {
							a.Let(number)
						}
					}
				}()
			}
			time.Sleep(time.Hour)
			for _, provider := range []string{"a", "b", "c"} {
				for _, model := range []string{"x", "y", "z", "w"} {
					for _, shared := range []bool{true, false} {
						g := b.gate(&Step{Target: &Target{Provider: provider, Concurrent: 1, Shared: shared}, health: b.Health(provider, model)})
						if g.Inside() != 0 || !g.Enter(1, 7) { // which fails if a request waits
							rt.Fatalf("%s/%s: %d places are taken", provider, model, g.Inside())
						}
						g.Leave(7)
					}
				}
			}
		})
	})
}
