package budget

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The name of a shared budget says all that is to be known of it, whatever the owner is called.
func TestSharedNamesSayWhatTheyName(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Australia/Lord_Howe")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 4, 5, 1, 50, 0, 0, zone)
	for _, o := range []Owner{{Key, "k"}, {Team, "a/b"}} {
		for u := range unitNames {
			for p := range periods {
				from, to := Period(p).Around(now, zone)
				span, unit, err := o.Share(Unit(u), Period(p), from).Span(zone)
				if err != nil || unit != Unit(u) || span.Owner != o || !span.From.Equal(from) || !span.To.Equal(to) {
					t.Errorf("%v %v %v: %+v %v %v", o, u, p, span, unit, err)
				}
			}
		}
	}
	for _, bad := range []string{"", "usd/month/key", "eur/month/key/k", "usd/year/key/k", "usd/month/user/k"} {
		if _, _, err := (Shared{Budget: bad}).Span(zone); err == nil {
			t.Errorf("%q is a budget", bad)
		}
	}
}

// What calls took is added up by the periods in which they began.
func TestTakenAddsUpByPeriods(t *testing.T) {
	t.Parallel()
	taken := NewTaken(time.UTC)
	at := time.Date(2026, 3, 31, 23, 59, 0, 0, time.UTC)
	taken.Add("k", "t", at, Amount{5, 7})
	taken.Add("k", "", at.Add(2*time.Minute), Amount{1, 2})
	taken.Add("k", "", at, Amount{-5, 0})
	got := map[Shared]int64{}
	taken.All(func(name Shared, took int64) { got[name] = took })
	march, _ := Month.Around(at, time.UTC)
	april, _ := Month.Around(at.Add(time.Hour), time.UTC)
	for name, want := range map[Shared]int64{
		{Budget: "usd/month/team/t", Period: march.Unix()}: 5,
		{Budget: "usd/total/team/t"}:                       5,
		{Budget: "usd/month/key/k", Period: april.Unix()}:  1,
		{Budget: "usd/total/key/k"}:                        1,
		{Budget: "tok/total/key/k"}:                        9,
		{Budget: "tok/month/key/k", Period: march.Unix()}:  7,
		{Budget: "usd/month/key/k", Period: march.Unix()}:  0,
	} {
		if got[name] != want {
			t.Errorf("%v: %d, want %d", name, got[name], want)
		}
	}
}

// pot is what all who share budgets have, in one place.
type pot struct {
	mu sync.Mutex
	of map[Shared]*portion
}

type portion struct{ limit, version, used, held int64 }

func (p *pot) at(name Shared) *portion {
	if p.of[name] == nil {
		p.of[name] = &portion{}
	}
	return p.of[name]
}

func (p *pot) While(ctx context.Context) (context.Context, context.CancelFunc) { return ctx, func() {} }

func (p *pot) Prepare(_ context.Context, wants []Want) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range wants {
		p.at(w.Name).limit = w.Limit
	}
	return nil
}

func (p *pot) Hold(wants []Want) (why Why, of int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, w := range wants {
		x := p.at(w.Name)
		x.limit, x.version = w.Limit, w.Version
		reason := passes
		switch {
		case x.used+x.held+w.Need <= x.limit:
		case x.used >= x.limit || w.Strict && x.used+w.Need > x.limit:
			reason = UsedUp
		case w.Strict || x.held > 0:
			reason = Reserved
		}
		if reason > why {
			why, of = reason, i
		}
	}
	if why == passes {
		for _, w := range wants {
			p.at(w.Name).held += w.Need
		}
	}
	return why, of
}

func (p *pot) Take(name Shared, more int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at(name).held += more
}

func (p *pot) Settle(name Shared, held, took int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x := p.at(name)
	x.held -= held
	x.used += took
}

func (p *pot) End(Shared) {}

func (p *pot) Used(name Shared) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at(name).used
}

// rest fails the test if something is held of a budget, or anything else than used is used.
func (p *pot) rest(t *testing.T, name Shared, used int64) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if x := p.at(name); x.held != 0 || x.used != used {
		t.Errorf("%v: %+v, want %d used and nothing held", name, *x, used)
	}
}

// Calls of two books that share budgets hold of all of them or of none, and never more than a strict one has.
func TestTwoBooksShareBudgets(t *testing.T) {
	t.Parallel()
	const limit = 50_000_000
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	p := &pot{of: map[Shared]*portion{}}
	key, team := Owner{Key, "k"}, Owner{Team, "t"}
	var books []*Book
	for range 2 {
		b := NewShared(time.UTC, p, func(Warning) {})
		err := b.Set(t.Context(), now, map[Owner]Policy{
			key:  {Strict: true, Budgets: []Spec{{Dollars, Day, 2 * limit}, {Tokens, Total, 1e9}}},
			team: {Strict: true, Budgets: []Spec{{Dollars, Month, limit}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		books = append(books, b)
	}
	var spent, calls atomic.Int64
	var all sync.WaitGroup
	for i := range int64(200) {
		all.Go(func() {
			b := books[i%2]
			for {
				var h Hold
				r := b.Hold(&h, "k", "t", &Need{Answers: 1, Worst: Take{Money: 1_000_000 + i*37_000, Tokens: 100}}, now)
				switch r.why() {
				case passes:
					spent.Add(500_000)
					calls.Add(1)
					b.Settle(&h, Amount{500_000, 50})
					return
				case Reserved:
					continue
				case UsedUp:
					if r.Owner != team || r.Spec.Limit != limit || r.Reset.Month() != time.April {
						t.Errorf("refused by %+v", r)
					}
					return
				default:
					t.Errorf("refused with %+v", r)
					return
				}
			}
		})
	}
	all.Wait()
	day, _ := Day.Around(now, time.UTC)
	month, _ := Month.Around(now, time.UTC)
	if n := spent.Load(); n > limit || n < limit/2 {
		t.Errorf("%d is spent of %d", n, limit)
	}
	p.rest(t, key.Share(Dollars, Day, day), spent.Load())
	p.rest(t, key.Share(Tokens, Total, time.Time{}), 50*calls.Load())
	p.rest(t, team.Share(Dollars, Month, month), spent.Load())
	for _, b := range books {
		if s := b.States(team, now)[0]; s.Used != spent.Load() || s.Held != 0 {
			t.Errorf("the team has %+v", s)
		}
	}
}

// What grows beyond a shared budget is held all the same, or ends the stream if its owner cuts streams. A call that is charged more than it held, one that held
// nothing, and a correction count, too.
func TestSharedHoldsGrow(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for _, cut := range []bool{false, true} {
		p := &pot{of: map[Shared]*portion{}}
		b := NewShared(time.UTC, p, func(Warning) {})
		key := Owner{Key, "k"}
		if err := b.Set(t.Context(), now, map[Owner]Policy{key: {Cut: cut, Budgets: []Spec{{Tokens, Total, 1000}}}}); err != nil {
			t.Fatal(err)
		}
		b.SetBy(key, 7)
		name := key.Share(Tokens, Total, time.Time{})
		var h Hold
		if r := b.Hold(&h, "k", "", &Need{Answers: 1, Usual: Take{Tokens: 500, Output: 400}}, now); r != nil {
			t.Fatal(r)
		}
		if !b.Grow(&h, 400) || p.at(name).held != 756 || h.Next() != 656 {
			t.Errorf("cut %v: it holds %d, and grows at %d", cut, p.at(name).held, h.Next())
		}
		if grows := b.Grow(&h, 656); grows == cut {
			t.Errorf("cut %v: it grows: %v", cut, grows)
		}
		if p.at(name).version != 7 {
			t.Errorf("the limit is said to be of the change %d", p.at(name).version)
		}
		b.Settle(&h, Amount{Tokens: 1100})
		p.rest(t, name, 1100)
		b.Charge("k", "", now, Amount{Tokens: 5})
		p.rest(t, name, 1105)
	}
}

// What others have used up is foreseen. A warning counts what all have spent.
func TestSharedSpendingIsForeseenAndWarnedOf(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	p := &pot{of: map[Shared]*portion{}}
	var warned []Warning
	b := NewShared(time.UTC, p, func(w Warning) { warned = append(warned, w) })
	key := Owner{Key, "k"}
	if err := b.Set(t.Context(), now, map[Owner]Policy{key: {Strict: true, Warn: []int{50}, Budgets: []Spec{{Tokens, Total, 1000}}}}); err != nil {
		t.Fatal(err)
	}
	p.Settle(key.Share(Tokens, Total, time.Time{}), 0, 450) // another's
	need := Need{Answers: 1, Worst: Take{Tokens: 400}}
	if r := b.Refuses("k", "", &need, now); r != nil {
		t.Errorf("foreseen: %+v", r)
	}
	var h Hold
	if r := b.Hold(&h, "k", "", &need, now); r != nil {
		t.Fatal(r)
	}
	b.Settle(&h, Amount{Tokens: 300})
	if len(warned) != 1 || warned[0].Percent != 50 || warned[0].Used != 750 {
		t.Errorf("warned of %+v", warned)
	}
	if r := b.Refuses("k", "", &need, now); r.why() != UsedUp || r.Used != 750 || r.Spec.Limit != 1000 {
		t.Errorf("foreseen: %+v", r)
	}
}
