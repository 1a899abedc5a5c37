package budget

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// till is a source to which the ends of calls are given before the book has them.
type till struct {
	mu  sync.Mutex
	all map[Owner]Amount
}

// add records what a call took.
func (s *till) add(key, team string, took Amount) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range [...]Owner{{Key, key}, {Team, team}} {
		sum := s.all[o]
		s.all[o] = Amount{sum.Money + took.Money, sum.Tokens + took.Tokens}
	}
}

// Spent implements Source.
func (s *till) Spent(_ context.Context, spans []Span) ([]Amount, error) {
	runtime.Gosched()
	s.mu.Lock()
	defer s.mu.Unlock()
	amounts := make([]Amount, len(spans))
	for i := range spans {
		amounts[i] = s.all[spans[i].Owner]
	}
	return amounts, nil
}

// A budget that is set while calls end is charged each of them once: those that the source knew of, and those that ended since.
func TestABudgetThatIsSetWhileCallsEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source := &till{all: map[Owner]Amount{}}
		book := New(time.UTC, source, func(Warning) {})
		now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
		callers, each, sets := rapid.IntRange(1, 4).Draw(t, "callers"), rapid.IntRange(1, 30).Draw(t, "calls"), rapid.IntRange(1, 10).Draw(t, "sets")
		owner := rapid.SampledFrom([]Owner{{Key, "k"}, {Team, "t"}}).Draw(t, "owner")
		policy := Policy{Budgets: []Spec{{Dollars, Total, 1 << 40}, {Tokens, Day, 1 << 40}}}
		var all sync.WaitGroup
		for range callers {
			all.Go(func() {
				for range each {
					var h Hold
					held := book.Hold(&h, "k", "t", &Need{Answers: 1, Usual: Take{Money: 3, Tokens: 2}}, now) == nil
					runtime.Gosched()
					end := book.Ending("k", "t")
					source.add("k", "t", Amount{5, 7})
					if runtime.Gosched(); held {
						book.Settle(&h, Amount{5, 7})
					} else {
						book.Charge("k", "t", now, Amount{5, 7})
					}
					end.Done()
				}
			})
		}
		for i := range sets {
			p := policy
			if i%2 == 1 {
				p = Policy{}
			}
			if err := book.Set(context.Background(), now, map[Owner]Policy{owner: p}); err != nil {
				t.Fatal(err)
			}
			runtime.Gosched()
		}
		all.Wait()
		if err := book.Set(context.Background(), now, map[Owner]Policy{owner: policy}); err != nil {
			t.Fatal(err)
		}
		n := int64(callers * each)
		for _, s := range book.States(owner, now) {
			if want := (Amount{5 * n, 7 * n}).of(s.Spec.Unit); s.Used != want || s.Held != 0 {
				t.Fatalf("%v: %d used and %d held of %d", s.Spec, s.Used, s.Held, want)
			}
		}
	})
}
