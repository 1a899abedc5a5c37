package route

import (
	"slices"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/limit"
	"github.com/weirproxy/weir/internal/llm"
)

// rated is a model whose first target has rates.
func rated(rates limit.Rates, targets ...string) *Model {
	m := inOrder(targets...)
	m.Targets[0].Rates = rates
	return m
}

func tryOf(t *testing.T, a *Attempts, now time.Time, want string) Try {
	t.Helper()
	try, ok := a.Next(now)
	if !ok || try.Target.String() != want {
		t.Fatalf("%v %v, want %s", ok, try.Target, want)
	}
	return try
}

// A target that may have no more requests in this minute is passed over, and serves again when its minute has room.
func TestTargetsAreFullForAMinute(t *testing.T) {
	t.Parallel()
	b, now := NewBoard(), time.Unix(1000, 0)
	m := rated(limit.Rates{Requests: 2}, "a/x", "b/y")
	walk := func(want string) {
		t.Helper()
		a := begin(b, m, now)
		try := tryOf(t, a, now, want)
		try.Used.Calls = 1
		a.Ended(try, Answered, 0, now)
	}
	walk("a/x")
	walk("a/x")
	walk("b/y")
	now = now.Add(30 * time.Second)
	walk("a/x")
	walk("b/y")
	sights := (&Route{Model: m, Targets: m.Targets, Board: b}).Look(&Ask{}, now)
	if sights[1].Skip != Full || !sights[1].Full || sights[1].Window != 30*time.Second || sights[0].Full || sights[0].Window != 0 {
		t.Errorf("shown as %q, full for %v", sights[1].Skip, sights[1].Window)
	}
}

// If all are full, the request is refused at once, and told when the first has room.
func TestFullForAMinuteIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	b, now := NewBoard(), time.Unix(1000, 0)
	m := rated(limit.Rates{Requests: 3}, "a/x")
	m.Targets[0].Concurrent = 1 // of which none is taken
	for range 3 {
		a := begin(b, m, now)
		try := tryOf(t, a, now, "a/x")
		try.Used.Calls = 1
		a.Ended(try, Answered, 0, now)
	}
	a := begin(b, m, now)
	if _, ok := a.Next(now); ok || !a.Full() || a.Queue(time.Minute, now) != nil {
		t.Error("not refused at once")
	}
	if wait, ok := a.Room(now); !ok || wait != 20*time.Second {
		t.Errorf("told to wait %v", wait)
	}
	if n := b.Health("a", "x").gate.Inside(); n != 0 {
		t.Errorf("%d places are taken", n)
	}
}

// What an attempt did not use comes back, and what it used beyond the estimate delays others.
func TestRatesAreSettled(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	for name, tt := range map[string]struct {
		used    Used
		outcome Outcome
		full    bool
	}{
		"no call was made":   {Used{}, Skipped, false},
		"not connected":      {Used{}, Unreachable, false},
		"less":               {Used{Calls: 1, Input: 5, Output: 5}, Answered, false},
		"as estimated":       {Used{Calls: 1, Input: 100, Output: 500}, Answered, true},
		"many calls":         {Used{Calls: 10}, Failed, true},
		"more than there is": {Used{Calls: 1, Input: 9000}, Failed, true},
	} {
		b, m := NewBoard(), rated(limit.Rates{Requests: 10, Tokens: 1000}, "a/x")
		ask := &Ask{Profile: llm.Profile{Prompt: 100, Output: 500}, Caller: 1}
		a := new(Attempts)
		a.Begin(Route{Model: m, Targets: m.Targets, Board: b}, ask, now)
		try := tryOf(t, a, now, "a/x")
		if wait := a.steps[0].window(ask, now); wait != 12*time.Second {
			t.Errorf("%s: while it runs another waits %v", name, wait)
		}
		try.Used = tt.used
		a.Ended(try, tt.outcome, 0, now)
		if full := a.steps[0].window(ask, now) > 0; full != tt.full {
			t.Errorf("%s: full is %v", name, full)
		}
	}
}

// A target whose attempt cannot begin for another reason has nothing taken.
func TestWhatCannotBeginTakesNothing(t *testing.T) {
	t.Parallel()
	b, now := NewBoard(), time.Unix(1000, 0)
	m := rated(limit.Rates{Requests: 1}, "a/x")
	for range enoughOfOne {
		script{"a/x": {Failed}}.walk(b, inOrder("a/x"), now)
	}
	a := begin(b, m, now)
	if _, ok := a.Next(now); ok || reasons(a) != "a/x down" {
		t.Fatal(reasons(a))
	}
	if wait := a.steps[0].window(a.ask, now); wait != 0 {
		t.Errorf("another waits %v", wait)
	}
}

// The estimate of tokens is asked for where a target has a limit of them, even the only one.
func TestWantsTokensForRates(t *testing.T) {
	t.Parallel()
	for tokens, want := range map[int64]bool{0: false, 10: true} {
		m := rated(limit.Rates{Requests: 1, Tokens: tokens}, "a/x")
		if w := (&Route{Model: m, Targets: m.Targets}).Wants(); w.Tokens != want {
			t.Errorf("%d: %v", tokens, w)
		}
	}
}

// A target that is full for the minute does not keep the request from waiting for a place at another.
func TestQueueForPlacesBesideFullMinutes(t *testing.T) {
	t.Parallel()
	b, now := NewBoard(), time.Unix(1000, 0)
	m := rated(limit.Rates{Requests: 1}, "a/x", "b/y")
	m.Targets[1].Concurrent = 1
	hold(t, b, m, now)
	end := hold(t, b, m, now)
	a := begin(b, m, now)
	if _, ok := a.Next(now); ok {
		t.Fatal("an attempt")
	}
	w := a.Queue(time.Second, now)
	end()
	number, ok := w.End(false, now)
	if a.Let(number); !ok {
		t.Fatal("not let in")
	}
	tryOf(t, a, now, "b/y")
	if told := reasons(a); !slices.Contains([]string{"a/x full, b/y ", "b/y , a/x full"}, told) {
		t.Error(told)
	}
}
