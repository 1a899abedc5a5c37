package route

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestBoard(t *testing.T) {
	t.Parallel()
	b := NewBoard()
	h, r, c := b.Health("p", "m/x"), b.repeats("m"), b.Credentials("p", 2)
	if h != b.Health("p", "m/x") || r != b.repeats("m") || c != b.Credentials("p", 2) {
		t.Error("the same name is another thing")
	}
	if h == b.Health("p/m", "x") || h == b.Health("p", "m") || r == b.repeats("n") || c == b.Credentials("q", 2) || c == b.Credentials("p", 3) {
		t.Error("another name is the same thing")
	}
	c.Refused(0, 1, start)
	c.limited(1, 1, after(time.Minute))
	b.Release()
	expect(t, c, 0, 0, 1, 0)
}

func TestLongNamesAreNotKept(t *testing.T) {
	t.Parallel()
	b := NewBoard()
	long := strings.Repeat("x", longestName+1)
	h, r := b.Health("p", long), b.repeats(long)
	if h == b.Health("p", long) || r == b.repeats(long) || len(b.targets.items)+len(b.budgets.items) != 0 {
		t.Error("long names are kept")
	}
}

// Callers can ask for models by any name. This must not fill the memory, nor make the board forget what matters.
func TestBoardIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it is long, and about what is computed: the race detector has no use for it")
	}
	t.Parallel()
	b := NewBoard()
	flying, bad, resting := b.Health("p", "in flight"), b.Health("p", "open"), b.Health("p", "resting")
	flying.Begin(start, 1, false)
	for range 10 {
		try(t, bad, after(time.Second), 1, Failed)
	}
	resting.restUntil(start, after(time.Minute), Pass{})
	try(t, resting, start, 1, RateLimited)
	for i := range 100_000 {
		now := after(time.Second + time.Duration(i)*time.Microsecond)
		name := fmt.Sprint(i)
		h := b.Health("p", name)
		if i%3 == 0 {
			try(t, h, now, 1, NoSuchModel)
		}
		if i%5 == 0 {
			b.repeats(name).request(now, 1)
		}
		if len(b.targets.items) > room || len(b.budgets.items) > room {
			t.Fatalf("%d targets, %d budgets", len(b.targets.items), len(b.budgets.items))
		}
	}
	if b.Health("p", "in flight") != flying || b.Health("p", "open") != bad || b.Health("p", "resting") != resting {
		t.Error("what matters was forgotten")
	}
	if h := b.Health("p", "another"); h != b.Health("p", "another") {
		t.Error("there is no room for what came last")
	}
}
