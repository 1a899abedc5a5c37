package budget

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// world is a book, and what it should know, kept as a list of calls from which each answer is worked out.
type world struct {
	book     *Book
	now      time.Time
	policies map[Owner]Policy
	since    map[budgetOf]int // the set of which each budget is: it changes when a budget is removed and comes back
	sets     int
	calls    []*call
	failing  bool
	warned   []Warning

	corrections []correction
}

// correction is one of what a call has cost.
type correction struct {
	owners [2]Owner
	made   time.Time
	by     int64
}

// corrected is what corrections of an owner in a span add up to.
func (w *world) corrected(o Owner, from, to time.Time) (sum int64) {
	for _, c := range w.corrections {
		if slices.Contains(c.owners[:], o) && !c.made.Before(from) && (to.IsZero() || c.made.Before(to)) {
			sum += c.by
		}
	}
	return sum
}

func (w *world) correct(t *rapid.T) {
	key, team := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key"), rapid.SampledFrom([]string{"", "t", "a"}).Draw(t, "team")
	by := rapid.Int64Range(-100, 100).Draw(t, "by")
	w.corrections = append(w.corrections, correction{[2]Owner{{Key, key}, {Team, team}}, w.now, by})
	w.book.Correct(key, team, w.now, by)
}

type budgetOf struct {
	owner  Owner
	unit   Unit
	period Period
}

// call is one that was let pass.
type call struct {
	hold      Hold
	key, team string
	began     time.Time
	need      Need
	takes     map[Owner]Take
	left      map[Owner]int64  // output for which there was room when it was let in, for owners that cut streams
	vague     bool             // left may not be what it was
	held      map[budgetOf]int // the set of the budgets that it held a part of
	ended     bool
	took      Amount
}

func (c *call) of(o Owner) bool {
	return o.ID == c.key && o.Kind == Key || o.ID == c.team && o.Kind == Team
}

// Spent makes the list of calls the source.
func (w *world) Spent(_ context.Context, spans []Span) ([]Amount, error) {
	if w.failing {
		return nil, errors.New("the disk is gone")
	}
	all := make([]Amount, len(spans))
	for i, s := range spans {
		all[i].Money += w.corrected(s.Owner, s.From, s.To)
		for _, c := range w.calls {
			if c.ended && c.of(s.Owner) && !c.began.Before(s.From) && (s.To.IsZero() || c.began.Before(s.To)) {
				all[i].Money += c.took.Money
				all[i].Tokens += c.took.Tokens
			}
		}
	}
	return all, nil
}

func newWorld() *world {
	w := &world{now: time.Date(2026, 3, 28, 22, 0, 0, 0, time.UTC), policies: map[Owner]Policy{}, since: map[budgetOf]int{}}
	w.book = New(time.UTC, w, func(warning Warning) { w.warned = append(w.warned, warning) })
	return w
}

// state is how a budget stands by the list.
func (w *world) state(o Owner, s Spec) (used, held int64) {
	begin, end := s.Period.Around(w.now, time.UTC)
	id := budgetOf{o, s.Unit, s.Period}
	if s.Unit == Dollars {
		used = w.corrected(o, begin, end)
	}
	for _, c := range w.calls {
		if !c.of(o) || c.began.Before(begin) || !end.IsZero() && !c.began.Before(end) {
			continue
		}
		set, ok := c.held[id]
		switch take := c.takes[o]; {
		case c.ended:
			used += c.took.of(s.Unit)
		case ok && set == w.since[id]:
			held += take.of(s.Unit)
		}
	}
	return used, held
}

// expect is what the book should say to a call.
func (w *world) expect(key, team string, n *Need) Why {
	worst := passes
	for _, o := range []Owner{{Key, key}, {Team, team}} {
		policy := w.policies[o]
		for _, s := range policy.Budgets {
			used, held := w.state(o, s)
			need := n.of(policy.Strict).of(s.Unit)
			why := passes
			switch {
			case policy.Strict && need > s.Limit:
				why = Exceeds
			case need == 0 || used+held+need <= s.Limit:
			case policy.Strict && used+need > s.Limit, used >= s.Limit:
				why = UsedUp
			case policy.Strict || held > 0:
				why = Reserved
			}
			worst = max(worst, why)
		}
	}
	return worst
}

var owners = []Owner{{Key, "a"}, {Key, "b"}, {Team, "t"}, {Team, "a"}}

func (w *world) set(t *rapid.T) {
	o := rapid.SampledFrom(owners).Draw(t, "owner")
	policy := Policy{Strict: rapid.Bool().Draw(t, "strict"), Cut: rapid.Bool().Draw(t, "cut"), Warn: []int{50, 90}}
	for range rapid.IntRange(0, 3).Draw(t, "budgets") {
		s := Spec{rapid.SampledFrom([]Unit{Dollars, Tokens}).Draw(t, "unit"), rapid.SampledFrom([]Period{Hour, Day, Week, Total}).Draw(t, "period"), rapid.Int64Range(1, 200).Draw(t, "limit")}
		if !slices.ContainsFunc(policy.Budgets, s.Like) {
			policy.Budgets = append(policy.Budgets, s)
		}
	}
	w.failing = rapid.IntRange(0, 9).Draw(t, "luck") == 0
	had := w.policies[o]
	adds := slices.ContainsFunc(policy.Budgets, func(s Spec) bool { return !slices.ContainsFunc(had.Budgets, s.Like) })
	err := w.book.Set(t.Context(), w.now, map[Owner]Policy{o: policy})
	if (err != nil) != (w.failing && adds) {
		t.Fatalf("set: %v", err)
	}
	if err != nil {
		return
	}
	w.policies[o] = policy
	w.sets++
	for _, s := range policy.Budgets {
		if !slices.ContainsFunc(had.Budgets, s.Like) {
			w.since[budgetOf{o, s.Unit, s.Period}] = w.sets
		}
	}
}

func (w *world) begin(t *rapid.T) {
	c := &call{key: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key"), team: rapid.SampledFrom([]string{"", "t", "a"}).Draw(t, "team"), began: w.now}
	usual := rapid.Int64Range(0, 60).Draw(t, "usual")
	worst := usual + rapid.Int64Range(0, 120).Draw(t, "more")
	c.need = Need{Answers: 1, Capped: true, Usual: Take{Money: usual, Tokens: usual / 2, Output: usual / 3, Rate: 1000}, Worst: Take{Money: worst, Tokens: worst / 2, Output: worst / 3, Rate: 1000}}
	want := w.expect(c.key, c.team, &c.need)
	r := w.book.Hold(&c.hold, c.key, c.team, &c.need, w.now)
	if got := r.why(); got != want {
		t.Fatalf("a call of %s in team %q that takes %d, at most %d, gets %v, want %v", c.key, c.team, usual, worst, got, want)
	}
	if r != nil {
		return
	}
	c.takes, c.held = map[Owner]Take{}, map[budgetOf]int{}
	for _, o := range []Owner{{Key, c.key}, {Team, c.team}} {
		policy := w.policies[o]
		c.takes[o] = *c.need.of(policy.Strict)
		for _, s := range policy.Budgets {
			id := budgetOf{o, s.Unit, s.Period}
			c.held[id] = w.since[id]
		}
	}
	w.calls = append(w.calls, c)
	c.left = map[Owner]int64{}
	for o, take := range c.takes {
		c.left[o] = math.MaxInt64
		for _, s := range w.policies[o].Budgets {
			if used, held := w.state(o, s); w.policies[o].Cut && used+held > s.Limit {
				room := s.Limit - used - (held - take.of(s.Unit)) - 1 // a dollar buys a token: two sums are rounded
				if s.Unit == Tokens {
					room += 1 - (take.Tokens - take.Output)
				}
				c.left[o] = min(c.left[o], max(room, 0))
			}
		}
	}
}

func (r *Refusal) why() Why {
	if r == nil {
		return passes
	}
	return r.Why
}

// running draws a call that runs, nil if none does.
func (w *world) running(t *rapid.T) *call {
	var all []*call
	for _, c := range w.calls {
		if !c.ended {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[rapid.IntRange(0, len(all)-1).Draw(t, "which")]
}

func (w *world) end(t *rapid.T) {
	c := w.running(t)
	if c == nil {
		return
	}
	took := rapid.Int64Range(0, 200).Draw(t, "took")
	c.ended, c.took = true, Amount{took, took / 2}
	w.book.Settle(&c.hold, c.took)
	w.book.Settle(&c.hold, Amount{1000, 1000}) // counts for nothing
}

// grow writes as much as is held. What a budget then holds is what it should, or the stream was cut for a good reason.
func (w *world) grow(t *rapid.T) {
	c := w.running(t)
	if c == nil {
		return
	}
	counted := c.hold.Next()
	if counted > 1<<40 {
		return // it holds nothing
	}
	exceeds, sure := w.exceeds(c, counted)
	if exceeds && sure {
		if w.book.Grow(&c.hold, counted) {
			t.Fatal("a call that has written what was left to it grows")
		}
		return
	}
	c.vague = c.vague || !sure
	grown := map[Owner]Take{}
	for o, take := range c.takes {
		grown[o] = take
		if counted >= take.Output {
			more := max(leastGrowth, take.Output/4)
			grown[o] = Take{Money: take.Money + more, Tokens: take.Tokens + more, Output: take.Output + more, Rate: take.Rate}
		}
	}
	fits, sure := w.fits(c, grown)
	got := w.book.Grow(&c.hold, counted)
	if sure && !c.vague && got != fits {
		t.Fatalf("growing is %v, want %v", got, fits)
	}
	if got {
		c.takes = grown
	}
}

// exceeds reports whether a call has written what was left to it, and there still is no room for more. It is sure as fits is.
func (w *world) exceeds(c *call, counted int64) (exceeds, sure bool) {
	_, sure = w.fits(c, c.takes)
	for o, left := range c.left {
		if counted < left {
			continue
		}
		over := false
		for _, s := range w.policies[o].Budgets {
			used, held := w.state(o, s)
			_, has := c.held[budgetOf{o, s.Unit, s.Period}]
			over = over || has && used+held > s.Limit
		}
		if over && w.policies[o].Cut {
			exceeds = true
		}
	}
	if !exceeds {
		for o, left := range c.left {
			if counted >= left {
				c.left[o] = math.MaxInt64
			}
		}
	}
	return exceeds, sure && !c.vague
}

// fits reports whether no budget of an owner that cuts keeps a call from growing. It is sure if all budgets are those that the call
// began with, in the same periods.
func (w *world) fits(c *call, grown map[Owner]Take) (fits, sure bool) {
	fits, sure = true, true
	for id, set := range c.held {
		policy := w.policies[id.owner]
		i := slices.IndexFunc(policy.Budgets, func(s Spec) bool { return s.Unit == id.unit && s.Period == id.period })
		begin, _ := id.period.Around(w.now, time.UTC)
		if i < 0 || w.since[id] != set || c.began.Before(begin) {
			sure = false
			continue
		}
		used, held := w.state(id.owner, policy.Budgets[i])
		was, is := c.takes[id.owner], grown[id.owner]
		if more := is.of(id.unit) - was.of(id.unit); policy.Cut && more > 0 && used+held+more > policy.Budgets[i].Limit {
			fits = false
		}
	}
	return fits, sure
}

func (w *world) check(t *rapid.T) {
	for _, o := range owners {
		states := w.book.States(o, w.now)
		if len(states) != len(w.policies[o].Budgets) {
			t.Fatalf("%v has %v", o, states)
		}
		for _, s := range states {
			used, held := w.state(o, s.Spec)
			if s.Used != used || s.Held != held || s.Remaining != max(s.Spec.Limit-used-held, 0) {
				t.Fatalf("%v %v: %d used, %d held, %d left; want %d used, %d held", o, s.Spec, s.Used, s.Held, s.Remaining, used, held)
			}
			if !slices.Contains(w.policies[o].Budgets, s.Spec) {
				t.Fatalf("%v has %v, want %v", o, s.Spec, w.policies[o].Budgets)
			}
		}
	}
}

// Whatever happens in whatever order, the book says of every call, and of every budget, what a list of all calls says.
func TestBookAgainstAList(t *testing.T) {
	t.Parallel()
	rapid.Check(t, bookAgainstAList)
}

func bookAgainstAList(t *rapid.T) {
	w := newWorld()
	t.Repeat(map[string]func(*rapid.T){
		"":        w.check,
		"set":     w.set,
		"begin":   w.begin,
		"again":   w.begin,
		"end":     w.end,
		"grow":    w.grow,
		"correct": w.correct,
		"wait": func(t *rapid.T) {
			w.now = w.now.Add(time.Duration(rapid.SampledFrom([]int{1, 20, 45, 600, 3000}).Draw(t, "minutes")) * time.Minute)
		},
	})
	for _, c := range w.calls {
		w.book.Settle(&c.hold, c.took)
		c.ended = true
	}
	w.check(t)
	for _, o := range owners {
		for _, s := range w.book.States(o, w.now) {
			if s.Held != 0 {
				t.Fatalf("at rest %v holds %d of %v", o, s.Held, s.Spec)
			}
		}
	}
}

// Strict budgets are never exceeded by calls that take no more than their worst.
func TestStrictIsNeverOver(t *testing.T) {
	t.Parallel()
	rapid.Check(t, strictIsNeverOver)
}

func strictIsNeverOver(t *rapid.T) {
	w := newWorld()
	policy := Policy{Strict: true, Budgets: []Spec{{Dollars, Hour, 100}, {Tokens, Day, 90}}}
	if err := w.book.Set(t.Context(), w.now, map[Owner]Policy{{Key, "a"}: policy, {Team, "t"}: {Strict: true, Budgets: []Spec{{Dollars, Total, 300}}}}); err != nil {
		t.Fatal(err)
	}
	type running struct {
		hold  *Hold
		worst int64
	}
	var calls []running
	t.Repeat(map[string]func(*rapid.T){
		"": func(t *rapid.T) {
			for _, o := range owners {
				for _, s := range w.book.States(o, w.now) {
					if s.Used+s.Held > s.Spec.Limit {
						t.Fatalf("%v: %d used and %d held of %v", o, s.Used, s.Held, s.Spec)
					}
				}
			}
		},
		"begin": func(t *rapid.T) {
			worst := rapid.Int64Range(0, 120).Draw(t, "worst")
			h := new(Hold)
			if w.book.Hold(h, "a", "t", &Need{Answers: 1, Worst: Take{Money: worst, Tokens: worst}}, w.now) == nil {
				calls = append(calls, running{h, worst})
			}
		},
		"end": func(t *rapid.T) {
			if len(calls) == 0 {
				return
			}
			i := rapid.IntRange(0, len(calls)-1).Draw(t, "which")
			took := rapid.Int64Range(0, calls[i].worst).Draw(t, "took")
			w.book.Settle(calls[i].hold, Amount{took, took})
			calls = slices.Delete(calls, i, i+1)
		},
		"wait": func(*rapid.T) { w.now = w.now.Add(40 * time.Minute) },
	})
}

// An expected budget is over by no more than what the calls cost beyond their holds that ran when it filled: here, all of them began
// within one period.
func TestExpectedIsBounded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, expectedIsBounded)
}

func expectedIsBounded(t *rapid.T) {
	w := newWorld()
	const limit = 100
	if err := w.book.Set(t.Context(), w.now, map[Owner]Policy{{Key, "a"}: {Budgets: []Spec{{Dollars, Total, limit}}}}); err != nil {
		t.Fatal(err)
	}
	type running struct {
		hold *Hold
		held int64
	}
	var calls []running
	var beyond int64 // of those that ran when the budget filled, and of all that ended since
	full := false
	for range rapid.IntRange(1, 60).Draw(t, "steps") {
		if len(calls) == 0 || rapid.Bool().Draw(t, "begin") {
			usual := rapid.Int64Range(1, 50).Draw(t, "usual")
			h := new(Hold)
			r := w.book.Hold(h, "a", "", &Need{Answers: 1, Usual: Take{Money: usual}}, w.now)
			if r == nil && full {
				t.Fatal("a call passes after the budget was used up")
			}
			if r == nil {
				calls = append(calls, running{h, usual})
			}
			continue
		}
		i := rapid.IntRange(0, len(calls)-1).Draw(t, "which")
		took := rapid.Int64Range(0, 150).Draw(t, "took")
		before := w.book.States(Owner{Key, "a"}, w.now)[0]
		w.book.Settle(calls[i].hold, Amount{Money: took})
		if alone := len(calls) == 1 && before.Used+calls[i].held > limit; alone {
			beyond += before.Used + calls[i].held - limit // the one that may always pass
		}
		beyond += max(took-calls[i].held, 0)
		calls = slices.Delete(calls, i, i+1)
		full = w.book.States(Owner{Key, "a"}, w.now)[0].Used >= limit
	}
	if s := w.book.States(Owner{Key, "a"}, w.now)[0]; s.Used > limit+beyond {
		t.Fatalf("%d used of %d, and %d beyond holds", s.Used, limit, beyond)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	w := newWorld()
	key := Owner{Key, "a"}
	spec := Spec{Dollars, Day, 100}
	set := func(limit int64) {
		spec.Limit = limit
		if err := w.book.Set(t.Context(), w.now, map[Owner]Policy{key: {Budgets: []Spec{spec}, Warn: []int{50, 90}}}); err != nil {
			t.Fatal(err)
		}
	}
	spend := func(took int64, want ...int) {
		t.Helper()
		w.warned = nil
		var h Hold
		if r := w.book.Hold(&h, "a", "", &Need{Answers: 1}, w.now); r != nil {
			t.Fatal(r)
		}
		w.book.Settle(&h, Amount{Money: took})
		w.calls = append(w.calls, &call{key: "a", began: w.now, ended: true, took: Amount{Money: took}})
		var got []int
		for _, warning := range w.warned {
			if got = append(got, warning.Percent); warning.Owner != key || warning.Spec != spec || !warning.Reset.After(w.now) {
				t.Errorf("%+v", warning)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("after %d more: warned at %v %%, want %v", took, got, want)
		}
	}
	set(100)
	spend(49)
	spend(1, 50)
	spend(10)
	set(200) // 60 of 200: neither
	spend(40, 50)
	spend(100, 90, 100) // that all of it is spent no share has to say
	spend(500)
	w.now = w.now.Add(24 * time.Hour)
	spend(190, 50, 90)
	set(300) // 190 of 300
	spend(1)
	spend(79, 90)

	again := newWorld() // a restart does not repeat them
	again.now, again.calls = w.now, w.calls
	w = again
	set(300)
	spend(5)
}

// A clock that is put back gives no key its budget again.
func TestClockPutBack(t *testing.T) {
	t.Parallel()
	w := newWorld()
	if err := w.book.Set(t.Context(), w.now, map[Owner]Policy{{Key, "a"}: {Strict: true, Budgets: []Spec{{Dollars, Hour, 10}}}}); err != nil {
		t.Fatal(err)
	}
	var h Hold
	if r := w.book.Hold(&h, "a", "", &Need{Answers: 1, Worst: Take{Money: 10}}, w.now); r != nil {
		t.Fatal(r)
	}
	w.book.Settle(&h, Amount{Money: 10})
	for _, back := range []time.Duration{time.Minute, 2 * time.Hour, 48 * time.Hour} {
		if r := w.book.Hold(&h, "a", "", &Need{Answers: 1, Worst: Take{Money: 10}}, w.now.Add(-back)); r.why() != UsedUp {
			t.Errorf("%v back: %v", back, r.why())
		}
	}
}

func ExampleParse() {
	spec, err := Parse("0.50usd/month")
	fmt.Println(spec, err)
	_, err = Parse("5eur/month")
	fmt.Println(err)
	// Output:
	// 0.5usd/month <nil>
	// budget "5eur/month" has no known unit, which are usd and tok, ktok, Mtok: write it like 50usd/month, 0.5usd/hour or 2Mtok/day
}
