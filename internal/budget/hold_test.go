package budget

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"
)

// none is a source that knows of no spending.
type none struct{}

func (none) Spent(_ context.Context, spans []Span) ([]Amount, error) {
	return make([]Amount, len(spans)), nil
}

// crowded is a book with two budgets of a key and two of its team.
func crowded(tb testing.TB) (*Book, time.Time) {
	tb.Helper()
	book := New(time.UTC, none{}, func(Warning) {})
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	policy := Policy{Budgets: []Spec{{Dollars, Month, 1e18}, {Tokens, Day, 1e15}}, Warn: []int{50, 90}}
	if err := book.Set(tb.Context(), now, map[Owner]Policy{{Key, "k"}: policy, {Team, "t"}: policy}); err != nil {
		tb.Fatal(err)
	}
	return book, now
}

// Holding and settling allocates nothing.
func TestHoldAllocatesNothing(t *testing.T) {
	book, now := crowded(t)
	n := &Need{Answers: 1, Usual: Take{Money: 100, Tokens: 10, Output: 5, Rate: 1000}}
	h := new(Hold)
	allocated := testing.AllocsPerRun(100, func() {
		book.Hold(h, "k", "t", n, now)
		book.Grow(h, 5)
		book.Settle(h, Amount{90, 9})
	})
	if allocated != 0 {
		t.Errorf("%v allocations", allocated)
	}
}

func BenchmarkHold(b *testing.B) {
	book, now := crowded(b)
	n := &Need{Answers: 1, Usual: Take{Money: 100, Tokens: 10}}
	b.Run("two budgets of a key and two of its team", func(b *testing.B) {
		b.ReportAllocs()
		h := new(Hold)
		for b.Loop() {
			book.Hold(h, "k", "t", n, now)
			book.Settle(h, Amount{90, 9})
		}
	})
	b.Run("no budget", func(b *testing.B) {
		b.ReportAllocs()
		h := new(Hold)
		for b.Loop() {
			book.Hold(h, "other", "", n, now)
			book.Settle(h, Amount{90, 9})
		}
	})
	b.Run("of many goroutines", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			h := new(Hold)
			for pb.Next() {
				book.Hold(h, "k", "t", n, now)
				book.Settle(h, Amount{90, 9})
			}
		})
	})
	b.Run("what to hold", func(b *testing.B) {
		b.ReportAllocs()
		p, a, target := &Prompt{Bytes: 4160, Estimate: 1000}, &Answer{Most: 1000}, &Target{Price: dollar(), Context: 200_000}
		for b.Loop() {
			need := Assess(p, a, target, Habit{})
			n = &need
		}
	})
}

// A key whose budget cuts streams grows while there is room, and then no more; one that does not holds what it takes.
func TestGrow(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for _, cut := range []bool{false, true} {
		book := New(time.UTC, none{}, func(Warning) {})
		policy := Policy{Cut: cut, Budgets: []Spec{{Tokens, Day, 3000}}}
		if err := book.Set(t.Context(), now, map[Owner]Policy{{Key, "k"}: policy}); err != nil {
			t.Fatal(err)
		}
		var h, other Hold
		need := func(output int64) *Need {
			return &Need{Answers: 1, Usual: Take{Tokens: 100 + output, Output: output}}
		}
		if h.Next() != math.MaxInt64 {
			t.Error("what holds nothing has to grow")
		}
		book.Hold(&h, "k", "t", need(800), now)
		book.Hold(&other, "k", "t", need(1000), now)
		held := func(want int64) {
			t.Helper()
			if s := book.States(Owner{Key, "k"}, now)[0]; s.Held != want {
				t.Errorf("%d held, want %d", s.Held, want)
			}
		}
		if next := h.Next(); next != 800 {
			t.Errorf("grows at %d", next)
		}
		if held(2000); !book.Grow(&h, 799) {
			t.Error("what need not grow cannot")
		}
		if held(2000); !book.Grow(&h, 800) || h.Next() != 1056 {
			t.Errorf("the next is %d", h.Next())
		}
		if held(2256); !book.Grow(&h, 1056) || h.Next() != 1320 {
			t.Errorf("the next is %d, a quarter more", h.Next())
		}
		if held(2520); !book.Grow(&h, 1700) || h.Next() != 1701 {
			t.Errorf("the next is %d, as much was written", h.Next())
		}
		held(2901)
		if got := book.Grow(&h, 1701); got == cut {
			t.Errorf("beyond the budget, cut is %v: %v", cut, got)
		}
		if cut {
			held(2901)
		} else {
			held(2901 + 425)
		}
		book.Settle(&h, Amount{Tokens: 1801})
		book.Settle(&other, Amount{Tokens: 10})
		if s := book.States(Owner{Key, "k"}, now)[0]; s.Held != 0 || s.Used != 1811 {
			t.Errorf("%+v", s)
		}
	}
}

// A call that is let in though it may take more than is left is cut when it has written what is left, if the budget cuts streams. If there is room
// by then, it goes on.
func TestTheLastCallIsCutAtWhatIsLeft(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	take := Take{Money: 1000 + 800*5, Tokens: 900, Output: 800, Prompt: 1000, Rate: 5000}
	for _, tt := range []struct {
		policy Policy
		next   int64
	}{
		{Policy{Cut: true, Budgets: []Spec{{Tokens, Day, 300}}}, 200},
		{Policy{Cut: true, Budgets: []Spec{{Dollars, Day, 2001}}}, 200},
		{Policy{Cut: true, Budgets: []Spec{{Dollars, Day, 2001}, {Tokens, Day, 150}}}, 50},
		{Policy{Cut: true, Budgets: []Spec{{Tokens, Day, 60}}}, 0},
		{Policy{Cut: true, Budgets: []Spec{{Tokens, Day, 900}}}, 800},
		{Policy{Budgets: []Spec{{Tokens, Day, 300}}}, 800},
	} {
		book := New(time.UTC, none{}, func(Warning) {})
		set := func(p Policy) {
			if err := book.Set(t.Context(), now, map[Owner]Policy{{Key, "k"}: p}); err != nil {
				t.Fatal(err)
			}
		}
		set(tt.policy)
		var h Hold
		if r := book.Hold(&h, "k", "", &Need{Answers: 1, Usual: take}, now); r != nil {
			t.Fatalf("%+v: %+v", tt.policy, r)
		}
		if next := h.Next(); next != tt.next {
			t.Errorf("%+v: grows at %d, want %d", tt.policy, next, tt.next)
		}
		if got := book.Grow(&h, h.Next()); got == tt.policy.Cut {
			t.Errorf("%+v: growing is %v", tt.policy, got)
		}
		larger := Policy{Cut: true}
		for _, spec := range tt.policy.Budgets {
			larger.Budgets = append(larger.Budgets, Spec{spec.Unit, spec.Period, 1_000_000})
		}
		set(larger)
		if tt.next < 800 && (!book.Grow(&h, h.Next()) || h.Next() != 800) {
			t.Errorf("%+v: with room again the next is %d", tt.policy, h.Next())
		}
	}
}

// Of several budgets that refuse, the one is named that holds longest.
func TestTheLongestRefusalIsNamed(t *testing.T) {
	t.Parallel()
	book := New(time.UTC, none{}, func(Warning) {})
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	err := book.Set(t.Context(), now, map[Owner]Policy{
		{Key, "k"}:  {Strict: true, Budgets: []Spec{{Tokens, Hour, 100}, {Tokens, Month, 120}, {Tokens, Day, 110}}},
		{Team, "t"}: {Strict: true, Budgets: []Spec{{Tokens, Day, 150}, {Dollars, Day, 1e9}}},
		{Team, "u"}: {Strict: true, Budgets: []Spec{{Tokens, Total, 60}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	hold := func(h *Hold, team string, tokens int64) *Refusal {
		return book.Hold(h, "k", team, &Need{Answers: 1, Worst: Take{Tokens: tokens}}, now)
	}
	check := func(r *Refusal, why Why, owner Owner, spec string) {
		t.Helper()
		if r.why() != why || r.Owner != owner || r.Spec.String() != spec {
			t.Errorf("%+v, want %d of %v of %v", r, why, spec, owner)
		}
	}
	var h, other Hold
	if r := hold(&h, "t", 40); r != nil {
		t.Fatal(r)
	}
	check(hold(&other, "u", 61), Exceeds, Owner{Team, "u"}, "60tok/total")
	check(hold(&other, "t", 61), Reserved, Owner{Key, "k"}, "100tok/hour")
	book.Settle(&h, Amount{Tokens: 85})
	check(hold(&other, "t", 40), UsedUp, Owner{Key, "k"}, "120tok/month")
	if r := hold(&other, "u", 30); r == nil || r.Spec.Period != Day {
		t.Errorf("%+v", r) // 85 + 30 are over the hour's and the day's
	}
	if r := hold(&other, "u", 15); r != nil {
		t.Error(r)
	}
	book.Settle(&other, Amount{Tokens: 50})
	check(hold(&other, "u", 20), UsedUp, Owner{Team, "u"}, "60tok/total")
}

// What the price of a call is unknown is no matter to budgets in tokens.
func TestNoPrice(t *testing.T) {
	t.Parallel()
	book := New(time.UTC, none{}, func(Warning) {})
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	err := book.Set(t.Context(), now, map[Owner]Policy{
		{Key, "tokens"}: {Budgets: []Spec{{Tokens, Day, 1000}}},
		{Key, "usual"}:  {Budgets: []Spec{{Dollars, Day, 1000}}},
		{Key, "strict"}: {Strict: true, Budgets: []Spec{{Dollars, Day, 1000}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		key  string
		need Need
		want Why
	}{
		{"tokens", Need{Unpriced: true}, passes},
		{"usual", Need{Unpriced: true}, NoPrice},
		{"strict", Need{Unpriced: true}, NoPrice},
		{"usual", Need{Tierless: true}, passes},
		{"strict", Need{Tierless: true}, NoPrice},
		{"strict", Need{Unbound: NoMaximum}, Exceeds},
		{"strict", Need{Unbound: NoMaximum, Flat: true}, passes}, // it is free
		{"usual", Need{Unbound: NoMaximum}, passes},
		{"none", Need{Unpriced: true, Unbound: NoLimits}, passes},
	} {
		tt.need.Answers = 1
		var h Hold
		if r := book.Hold(&h, tt.key, "", &tt.need, now); r.why() != tt.want {
			t.Errorf("%s, %+v: %d, want %d", tt.key, tt.need, r.why(), tt.want)
		}
		book.Settle(&h, Amount{})
	}
}

// Figures that no call has do not overflow.
func TestHugeFigures(t *testing.T) {
	t.Parallel()
	book := New(time.UTC, none{}, func(Warning) {})
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	if err := book.Set(t.Context(), now, map[Owner]Policy{{Key, "k"}: {Warn: []int{100}, Budgets: []Spec{{Dollars, Total, maxDollars * 1e9}}}}); err != nil {
		t.Fatal(err)
	}
	huge := &Need{Answers: 1, Usual: Take{Money: largest, Rate: 1e10}}
	var h, other Hold
	if r := book.Hold(&h, "k", "", huge, now); r != nil {
		t.Fatal(r)
	}
	for range 10 {
		if !book.Grow(&h, 1<<50) {
			t.Error("what does not cut does")
		}
	}
	if r := book.Hold(&other, "k", "", huge, now); r.why() != Reserved {
		t.Errorf("%+v", r)
	}
	book.Settle(&h, Amount{Money: math.MaxInt64})
	if s := book.States(Owner{Key, "k"}, now)[0]; s.Held != 0 || s.Used != largest {
		t.Errorf("%+v", s)
	}
	if r := book.Hold(&other, "k", "", huge, now); r.why() != UsedUp {
		t.Errorf("%+v", r)
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	month := Spec{Dollars, Month, 50e9}
	tokens := Spec{Tokens, Total, 2000}
	reset := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		refusal Refusal
		want    string
	}{
		{Refusal{Why: Exceeds, Spec: month, Need: 60e9, AtMost: 1200}, "This request may take $60, more than the whole of the budget 50usd/month of this key. Set max_tokens to at most 1200."},
		{Refusal{Why: Exceeds, Owner: Owner{Team, "t"}, Spec: tokens, Need: 2500}, "This request may take 2500 tokens, more than the whole of the budget 2ktok/total of its team `ops`. No max_tokens is small enough: shorten the prompt, or ask for a larger budget."},
		{Refusal{Why: Exceeds, Spec: month, Unbound: NoMaximum, AtMost: 7}, "Nothing bounds what the answer may take of the budget 50usd/month of this key. Set max_tokens to at most 7."},
		{Refusal{Why: UsedUp, Spec: month, Used: 49.5e9, Need: 6e8, Reset: reset}, "Of the budget 50usd/month of this key, $49.5 is used up, and this request may take $0.6. It is reset at 2026-12-01T00:00:00Z."},
		{Refusal{Why: UsedUp, Spec: month, Used: 49.5e9, Need: 6e8, Reset: reset, AtMost: 9}, "Until then there is room with max_tokens of at most 9."},
		{Refusal{Why: UsedUp, Spec: tokens, Used: 2000, Need: 6}, "It is never reset: ask for a larger one."},
		{Refusal{Why: UsedUp, Spec: tokens, Used: 2000, Need: 6, AtMost: 9}, "It is never reset: ask for a larger one. There is room with max_tokens of at most 9."},
		{Refusal{Why: Reserved, Spec: month}, "Running requests have reserved what is left of the budget 50usd/month of this key. Retry when one of them has ended."},
		{Refusal{Why: NoPrice, Spec: month}, "No target that is left for this request has a known price, and the budget 50usd/month of this key is in dollars."},
		{Refusal{Why: Exceeds, Spec: month, Unbound: NoLimits}, "Set `context_length` and `max_output_tokens` in the target's `capabilities` in the config file."},
	} {
		if got := tt.refusal.Message("ops"); !strings.Contains(got, tt.want) {
			t.Errorf("%+v: %s\nwant %s", tt.refusal, got, tt.want)
		}
	}
}
