package budget

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Two hundred first requests at once, on a strict budget of 5 cents of their key and a larger one of their team: it is never exceeded,
// each refusal is true, and in the end what is left is less than the cheapest of those that were sent away.
func TestTwoHundredAtOnce(t *testing.T) {
	t.Parallel()
	const limit = 50_000_000
	w := newWorld()
	key, team := Owner{Key, "k"}, Owner{Team, "t"}
	err := w.book.Set(t.Context(), w.now, map[Owner]Policy{
		key:  {Strict: true, Budgets: []Spec{{Dollars, Day, limit}, {Tokens, Total, 1e9}}},
		team: {Strict: true, Budgets: []Spec{{Dollars, Month, 2 * limit}, {Tokens, Day, 1e9}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var spent, served atomic.Int64
	waiting := make([]int64, 0, 201) // what each may take
	for i := range int64(200) {
		waiting = append(waiting, 1_000_000+i*37_000)
	}
	waiting = append(waiting, limit+1)
	away := map[Why][]int64{}
	for rounds := 0; len(waiting) > 0; rounds++ {
		if rounds > 200 {
			t.Fatalf("%d requests are never told the truth", len(waiting))
		}
		var mu sync.Mutex
		var again []int64
		var all, held sync.WaitGroup
		held.Add(len(waiting))
		for _, worst := range waiting {
			all.Go(func() {
				var h Hold
				defer w.book.Settle(&h, Amount{}) // as if after a panic: it counts for nothing
				r := w.book.Hold(&h, "k", "t", &Need{Answers: 1, Worst: Take{Money: worst, Tokens: 100}}, w.now)
				held.Done()
				held.Wait() // all at once
				switch r.why() {
				case passes:
					served.Add(1)
					spent.Add(worst / 2)
					w.book.Settle(&h, Amount{worst / 2, 50})
				case Reserved:
					if r.Used+worst > limit || r.Used+r.Held+worst <= limit {
						t.Errorf("%d is refused with %d used and %d held as only reserved", worst, r.Used, r.Held)
					}
					mu.Lock()
					again = append(again, worst)
					mu.Unlock()
				case UsedUp, Exceeds, NoPrice:
					if (worst > limit) != (r.Why == Exceeds) || r.Used+worst <= limit {
						t.Errorf("%d is refused with %d used as %d", worst, r.Used, r.Why)
					}
					mu.Lock()
					away[r.Why] = append(away[r.Why], worst)
					mu.Unlock()
				}
			})
		}
		all.Wait()
		if s := w.book.States(key, w.now)[0]; s.Used > limit || s.Held != 0 || s.Used != spent.Load() {
			t.Fatalf("at rest %d used, %d held; %d spent of %d", s.Used, s.Held, spent.Load(), limit)
		}
		waiting = again
	}
	if len(away[Exceeds]) != 1 || len(away[UsedUp]) == 0 || served.Load() < 20 {
		t.Errorf("%d were served, and sent away %v", served.Load(), away)
	}
	for _, worst := range away[UsedUp] {
		if spent.Load()+worst <= limit {
			t.Errorf("%d was sent away, and %d of %d are left", worst, limit-spent.Load(), limit)
		}
	}
	if s := w.book.States(team, w.now)[0]; s.Used != spent.Load() || s.Held != 0 {
		t.Errorf("the team: %+v", s)
	}
}

// Of many calls that find an expected budget with nothing held, and with less left than they need, one passes.
func TestExactlyOnePasses(t *testing.T) {
	t.Parallel()
	w := newWorld()
	if err := w.book.Set(t.Context(), w.now, map[Owner]Policy{{Key, "k"}: {Budgets: []Spec{{Dollars, Day, 10}}}}); err != nil {
		t.Fatal(err)
	}
	holds := make([]Hold, 100)
	var passed atomic.Int64
	var all sync.WaitGroup
	for i := range holds {
		all.Go(func() {
			switch r := w.book.Hold(&holds[i], "k", "", &Need{Answers: 1, Usual: Take{Money: 25}}, w.now); r.why() {
			case passes:
				passed.Add(1)
			case Reserved:
			default:
				t.Errorf("refused for %d", r.Why)
			}
		})
	}
	all.Wait()
	if passed.Load() != 1 {
		t.Errorf("%d passed", passed.Load())
	}
}

// Calls that come and go while budgets are set, lowered and taken away leave nothing held, and what is used is what they took.
func TestSettingWhileCallsRun(t *testing.T) {
	t.Parallel()
	book := New(time.UTC, none{}, func(Warning) {})
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	key := Owner{Key, "k"}
	set := func(budgets ...Spec) {
		if err := book.Set(t.Context(), now, map[Owner]Policy{key: {Budgets: budgets, Warn: []int{50}}}); err != nil {
			t.Error(err)
		}
	}
	set(Spec{Dollars, Total, 1e18})
	var all sync.WaitGroup
	var took atomic.Int64
	for range 8 {
		all.Go(func() {
			for range 500 {
				var h Hold
				if r := book.Hold(&h, "k", "t", &Need{Answers: 1, Usual: Take{Money: 10, Output: 3, Rate: 1000}}, now); r != nil {
					t.Error(r)
				}
				book.Grow(&h, 3)
				took.Add(7)
				book.Settle(&h, Amount{Money: 7})
			}
		})
	}
	for i := range int64(200) {
		set(Spec{Dollars, Total, 1e18 - i}, Spec{Tokens, Day, 1000})
		set(Spec{Dollars, Total, 1e18 - i})
	}
	all.Wait()
	if s := book.States(key, now); len(s) != 1 || s[0].Used != took.Load() || s[0].Held != 0 {
		t.Errorf("%+v, and %d was taken", s, took.Load())
	}
}
