package route

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// start is some time; tests count from it.
var start = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)

func after(d time.Duration) time.Time { return start.Add(d) }

// try makes an attempt that ends at once.
func try(t *testing.T, h *Health, now time.Time, caller uint64, o Outcome) {
	t.Helper()
	ok, pass := h.Begin(now, caller, false)
	if !ok {
		t.Fatalf("after %v no attempt may be made", now.Sub(start))
	}
	h.End(now, o, pass)
}

// opened is a health whose breaker opened at the start, for key 1.
func opened(t *testing.T) *Health {
	t.Helper()
	h := new(Health)
	for range 10 {
		try(t, h, start, 1, Failed)
	}
	if s := h.meets(start, 1); s.Phase != Open || !s.Until.Equal(after(time.Second)) {
		t.Fatalf("ten failures: %v", s)
	}
	return h
}

// A key is judged by its own attempts: it shuts itself off. For all keys a target is down when it fails for two keys, and for half
// of those that ask it.
func TestBreakerOpens(t *testing.T) {
	t.Parallel()
	type many struct {
		n      int
		caller uint64
		o      Outcome
	}
	for _, tt := range []struct {
		name     string
		attempts []many
		all, one Phase // for all, and what key 1 meets
	}{
		{"four failures of two", []many{{2, 1, Failed}, {2, 2, Failed}}, Closed, Closed},
		{"five failures of two", []many{{4, 1, Failed}, {1, 2, Failed}}, Open, Open},
		{"five failures of five", []many{{1, 1, Failed}, {1, 2, Failed}, {1, 3, Failed}, {1, 4, Failed}, {1, 5, Failed}}, Open, Open},
		{"five failures of one", []many{{5, 1, Failed}}, Closed, Closed},
		{"five failures of one, the other was answered", []many{{1, 2, Answered}, {5, 1, Failed}}, Closed, Closed},
		{"nine failures of one", []many{{9, 1, Failed}}, Closed, Closed},
		{"ten failures of one", []many{{10, 1, Failed}}, Closed, Open},
		{"ten failures of another", []many{{10, 2, Failed}}, Closed, Closed},
		{"ten failures of one, the other was answered", []many{{1, 2, Answered}, {10, 1, Failed}}, Closed, Open},
		{"ten failures of one, and one of another", []many{{10, 1, Failed}, {1, 2, Failed}}, Open, Open},
		{"half of a key's own", []many{{5, 1, Answered}, {5, 1, Failed}}, Closed, Open},
		{"less than half of a key's own", []many{{5, 1, Answered}, {4, 1, Failed}}, Closed, Closed},
		{"a third of many", slices.Repeat([]many{{2, 1, Answered}, {1, 1, Failed}}, 99), Closed, Closed},
		{"in a row, after many answers", []many{{99, 1, Answered}, {10, 1, Failed}}, Closed, Open},
		{"half of the keys", []many{{9, 1, Answered}, {9, 2, Answered}, {3, 3, Failed}, {2, 4, Failed}}, Open, Closed},
		{"less than half of the keys", []many{{9, 1, Answered}, {9, 2, Answered}, {9, 5, Answered}, {9, 3, Failed}, {9, 4, Failed}}, Closed, Closed},
		{"a flood of one key", []many{{1, 1, Answered}, {1, 2, Answered}, {1, 5, Answered}, {9, 3, Failed}, {1, 4, Failed}}, Closed, Closed},
		{"keys that fail now and then", []many{{19, 1, Answered}, {1, 1, Failed}, {19, 2, Answered}, {1, 2, Failed}, {5, 3, Failed}}, Closed, Closed},
		{"no key", []many{{9, 0, Failed}}, Closed, Closed},
		{"all that fail", []many{{2, 1, Unreachable}, {1, 2, TimedOut}, {1, 3, Failed}, {1, 4, Overloaded}}, Open, Open},
		{"refusals are answers", []many{{20, 1, Refused}, {20, 2, TooLong}, {9, 3, Failed}}, Closed, Closed},
		{
			"what does not fail", []many{
				{9, 1, Answered},
				{9, 2, RateLimited},
				{9, 3, BadCredential},
				{9, 4, Denied},
				{9, 5, Misconfigured},
				{9, 6, NoSuchModel},
				{9, 7, TooLong},
				{9, 8, Refused},
				{9, 9, Moderated},
			}, Closed, Closed,
		},
		{"what is not counted", []many{{9, 1, Malformed}, {9, 2, Crowded}, {9, 3, Canceled}, {9, 4, Skipped}, {3, 1, Failed}, {2, 2, Failed}}, Open, Open},
		{"what is not counted makes no attempt", []many{{9, 1, Malformed}, {9, 2, Crowded}, {9, 3, Canceled}, {9, 4, Skipped}, {2, 1, Failed}, {2, 2, Failed}}, Closed, Closed},
	} {
		h := new(Health)
		for _, m := range tt.attempts {
			for range m.n {
				try(t, h, start, m.caller, m.o)
			}
		}
		if all, one := h.State(start).Phase, h.meets(start, 1).Phase; all != tt.all || one != tt.one {
			t.Errorf("%s: %v for all, %v for one key", tt.name, all, one)
		}
		if n := h.InFlight(); n != 0 {
			t.Errorf("%s: %d in flight", tt.name, n)
		}
	}
}

// What happened ten seconds ago is over.
func TestBreakerForgets(t *testing.T) {
	t.Parallel()
	h := new(Health)
	for range 4 {
		try(t, h, start, 1, Failed)
	}
	try(t, h, after(10*time.Second), 2, Failed)
	if got := h.meets(after(10*time.Second), 1).Phase; got != Closed {
		t.Errorf("four failures ten seconds ago count: %v", got)
	}
	for i := range 3 {
		try(t, h, after(time.Duration(17+i)*time.Second), 1, Failed)
	}
	try(t, h, after(19*time.Second+time.Second-1), 1, Failed)
	if got := h.meets(after(20*time.Second-1), 1).Phase; got != Open {
		t.Errorf("five failures within ten seconds: %v", got)
	}
}

// The first content of a probe's answer settles it: the others need not wait for its end.
func TestProbeIsAnswered(t *testing.T) {
	t.Parallel()
	h := opened(t)
	now := after(time.Second)
	_, probe := h.Begin(now, 1, false)
	if ok, _ := h.Begin(now, 1, false); ok {
		t.Fatal("two probes at a time")
	}
	h.heard(now, time.Second, probe)
	if s := h.meets(now, 1); s.Phase != Closed {
		t.Fatalf("its answer came: %v", s)
	}
	for range 9 {
		try(t, h, now, 1, Failed)
	}
	if s := h.meets(now, 1); s.Phase != Closed {
		t.Fatalf("nine failures of one caller: %v", s)
	}
	h.End(now, Failed, probe)
	if s := h.meets(now, 1); s.Phase != Open || !s.Until.Equal(now.Add(2*time.Second)) {
		t.Fatalf("the tenth is that of the probe, whose answer broke off: %v", s)
	}
}

// A target that begins every answer and finishes none is down for all, too.
func TestAnswersThatBreakOff(t *testing.T) {
	t.Parallel()
	h, begun := new(Health), 0
	for i := range uint64(200) {
		now := after(time.Duration(i) * 10 * time.Millisecond)
		if ok, pass := h.Begin(now, i%10, false); ok {
			begun++
			h.heard(now, time.Millisecond, pass)
			h.End(now, Failed, pass)
		}
	}
	if begun > 30 {
		t.Errorf("%d answers were begun", begun)
	}
}

// How the answer of a probe ends says nothing of a target that failed again in the meantime.
func TestProbeOfBefore(t *testing.T) {
	t.Parallel()
	for _, o := range []Outcome{Answered, Failed, Canceled} {
		h := opened(t)
		now := after(time.Second)
		_, probe := h.Begin(now, 1, false)
		h.heard(now, time.Second, probe)
		for range 10 {
			try(t, h, now, 1, Failed)
		}
		h.End(now, o, probe)
		if s := h.meets(now, 1); s.Phase != Open || !s.Until.Equal(now.Add(2*time.Second)) {
			t.Errorf("%v: %v", o, s)
		}
	}
}

func TestBreakerProbes(t *testing.T) {
	t.Parallel()
	h := opened(t)
	if ok, _ := h.Begin(after(time.Second-1), 1, false); ok {
		t.Fatal("it is open, and lets pass")
	}
	now := after(time.Second)
	for _, want := range []time.Duration{2, 4, 8, 16, 30, 30} {
		if s := h.meets(now, 1); s.Phase != Trying || !s.Until.IsZero() {
			t.Fatalf("%v when its time is over", s)
		}
		ok, pass := h.Begin(now, 1, false)
		if !ok || !pass.probe {
			t.Fatal("no probe")
		}
		for range 3 {
			if ok, _ := h.Begin(now, 1, false); ok {
				t.Fatal("two probes at a time")
			}
		}
		h.End(now, TimedOut, pass)
		until := now.Add(want * time.Second)
		if s := h.meets(now, 1); s.Phase != Open || !s.Until.Equal(until) {
			t.Fatalf("after a failed probe: %v, want %v until %v", s, Open, until)
		}
		now = until
	}
	try(t, h, now, 1, Refused)
	if got := h.meets(now, 1).Phase; got != Closed {
		t.Errorf("%v after a probe that was answered", got)
	}
	for range 9 {
		try(t, h, now, 1, Failed) // the window was forgotten
	}
	if n := h.InFlight(); n != 0 {
		t.Errorf("%d in flight", n)
	}
}

// A probe that says nothing makes place for another one.
func TestProbesThatDoNotCount(t *testing.T) {
	t.Parallel()
	for _, o := range []Outcome{Malformed, Crowded, Canceled, Skipped} {
		h := opened(t)
		now := after(time.Second)
		for range 3 {
			ok, pass := h.Begin(now, 1, false)
			if !ok || !pass.probe {
				t.Fatalf("%v: no probe", o)
			}
			h.End(now, o, pass)
			if got := h.meets(now, 1).Phase; got != Trying {
				t.Fatalf("%v: %v", o, got)
			}
		}
	}
}

// A probe that hangs keeps the others away for half a minute only. What becomes of it later counts if it was answered.
func TestProbesThatHang(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		late, other Outcome // outcomes of the probe that hung, and of the one that overtook it
		want        Phase   // when the first is known, and when both are
		after       Phase
	}{
		{Failed, Failed, Trying, Open},
		{Failed, Answered, Trying, Closed},
		{Answered, Failed, Closed, Closed},
		{Answered, Answered, Closed, Closed},
		{Canceled, Failed, Trying, Open},
		{Canceled, Answered, Trying, Closed},
	} {
		h := opened(t)
		_, first := h.Begin(after(time.Second), 1, false)
		if ok, _ := h.Begin(after(31*time.Second-1), 1, false); ok {
			t.Fatal("another probe before its time")
		}
		ok, second := h.Begin(after(31*time.Second), 1, false)
		if !ok || !second.probe {
			t.Fatal("no other probe")
		}
		h.End(after(32*time.Second), tt.late, first)
		if got := h.meets(after(32*time.Second), 1).Phase; got != tt.want {
			t.Errorf("the late one %v: %v, want %v", tt.late, got, tt.want)
		}
		if tt.want == Trying {
			if ok, _ := h.Begin(after(32*time.Second), 1, false); ok {
				t.Errorf("the late one %v: a third probe", tt.late)
			}
		}
		h.End(after(33*time.Second), tt.other, second)
		if got := h.meets(after(33*time.Second), 1).Phase; got != tt.after {
			t.Errorf("the late one %v, the other %v: %v, want %v", tt.late, tt.other, got, tt.after)
		}
		if n := h.InFlight(); n != 0 {
			t.Errorf("%d in flight", n)
		}
	}
}

// A probe that is still running when its breaker opens again does not count as one of the next probes.
func TestProbesOfAnEarlierTurn(t *testing.T) {
	t.Parallel()
	h := opened(t)
	_, first := h.Begin(after(time.Second), 1, false)
	_, second := h.Begin(after(31*time.Second), 1, false)
	h.End(after(31*time.Second), Answered, first)
	for range 10 {
		try(t, h, after(31*time.Second), 1, Failed)
	}
	ok, third := h.Begin(after(33*time.Second), 1, false)
	if !ok || !third.probe {
		t.Fatal("no probe")
	}
	h.End(after(33*time.Second), Failed, second)
	if s := h.meets(after(33*time.Second), 1); s.Phase != Trying {
		t.Errorf("%v", s)
	}
}

// Attempts that began before the breaker opened change nothing, neither while it is open nor when it is closed
// again.
func TestStragglers(t *testing.T) {
	t.Parallel()
	for _, keys := range []uint64{1, 40} {
		h := new(Health)
		var old []Pass
		for i := range uint64(40) {
			_, pass := h.Begin(start, 1+i%keys, false)
			old = append(old, pass)
		}
		next := func(at time.Duration, o Outcome) {
			h.End(after(at), o, old[0])
			old = old[1:]
		}
		for range 20 {
			next(0, Failed)
		}
		next(1500*time.Millisecond, Failed)
		if s := h.meets(after(999*time.Millisecond), 1); s.Phase != Open || !s.Until.Equal(after(time.Second)) {
			t.Errorf("%d keys: %v", keys, s)
		}
		if s := h.meets(after(1500*time.Millisecond), 1); s.Phase != Trying {
			t.Errorf("%d keys: %v", keys, s)
		}
		try(t, h, after(1500*time.Millisecond), 1, Answered)
		for len(old) > 0 {
			next(1600*time.Millisecond, TimedOut)
		}
		if s := h.meets(after(1600*time.Millisecond), 1); s.Phase != Closed || h.State(after(1600*time.Millisecond)).Phase != Closed {
			t.Errorf("%d keys: %v", keys, s)
		}
		if n := h.InFlight(); n != 0 {
			t.Errorf("%d keys: %d in flight", keys, n)
		}
	}
}

// A target that answers probes and fails again is left alone for longer and longer; one that was well for a minute is not.
func TestFlapping(t *testing.T) {
	t.Parallel()
	h, now := opened(t), start
	for _, want := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
		s := h.meets(now, 1)
		if got := s.Until.Sub(now); got != want*time.Second {
			t.Fatalf("open for %v, want %v s", got, int(want))
		}
		now = s.Until
		try(t, h, now, 1, Answered)
		now = now.Add(59 * time.Second)
		for range 10 {
			try(t, h, now, 1, Failed)
		}
	}
	now = h.meets(now, 1).Until
	try(t, h, now, 1, Answered)
	now = now.Add(time.Minute)
	for range 10 {
		try(t, h, now, 1, Failed)
	}
	if got := h.meets(now, 1).Until.Sub(now); got != time.Second {
		t.Errorf("after a minute closed it is open for %v", got)
	}
}

// Whatever the clock does, it is not open for ever.
func TestClockGoesBack(t *testing.T) {
	t.Parallel()
	h := opened(t)
	h.Begin(after(time.Second), 1, false)
	for _, back := range []time.Duration{-31 * time.Second, -time.Hour, -200 * 365 * 24 * time.Hour} {
		ok, pass := h.Begin(after(back), 1, false)
		if !ok || !pass.probe {
			t.Fatalf("%v earlier no probe may go", -back)
		}
		h.End(after(back), Failed, pass)
		if s := h.meets(after(back), 1); s.Phase != Open {
			t.Fatalf("%v earlier, after a failed probe: %v", -back, s.Phase)
		}
	}
}

// Callers that give up reveal a target whose streams hang, if it usually answers much sooner. None of them waits as long as
// first_token.
func TestSilentTarget(t *testing.T) {
	t.Parallel()
	const long = 12 * time.Second
	for _, tt := range []struct {
		name    string
		usual   time.Duration // time to the first content; 0 if none has come yet
		silence time.Duration
		callers uint64
		between bool // another key is answered
		after   int  // number after which the breaker opens; 0 is never
	}{
		{"several callers", time.Second, long, 2, false, 5},
		{"one caller", time.Second, long, 1, false, 10},
		{"none waits long", time.Second, longSilence - 1, 2, false, 0},
		{"it takes its time", 5 * time.Second, long, 2, false, 0},
		{"nothing is known of it", 0, long, 2, false, 0},
		{"others are answered", time.Second, long, 1, true, 10},
	} {
		silent := func(t *testing.T, whole bool) {
			t.Parallel()
			h := new(Health)
			heard := func(pass Pass) {
				if whole {
					h.whole(start, tt.usual, pass)
				} else {
					h.heard(start, tt.usual, pass)
				}
			}
			for range fewest {
				if tt.usual > 0 {
					heard(Pass{})
				}
				if whole { // how soon streams begin says nothing of how long complete answers take
					h.heard(start, time.Millisecond, Pass{})
				}
			}
			silence := Silence{tt.silence, whole}
			opened := 0
			for i := range 40 {
				ok, pass := h.Begin(start, uint64(i)%tt.callers, false)
				if !ok {
					opened = i
					break
				}
				h.endSilent(start, silence, pass)
				if tt.between {
					ok, pass := h.Begin(start, 9, false)
					if !ok {
						t.Fatal("one who is answered may not ask")
					}
					heard(pass)
					h.End(start, Answered, pass)
				}
			}
			if opened != tt.after || h.InFlight() != 0 {
				t.Fatalf("open after %d, not %d; %d are in flight", opened, tt.after, h.InFlight())
			}
			if opened == 0 {
				return
			}
			at := after(firstPause)
			_, pass := h.Begin(at, 0, false)
			h.endSilent(at, silence, pass)
			if s := h.meets(at, 0); !pass.probe || s.Phase != Open || !s.Until.Equal(at.Add(2*firstPause)) {
				t.Errorf("after a probe that hung: %+v", s)
			}
		}
		t.Run(tt.name, func(t *testing.T) { silent(t, false) })
		t.Run(tt.name+", complete answers", func(t *testing.T) { silent(t, true) })
	}
}

// That a target serves others is known of another key's answer alone, of late, and since the target last opened or closed for all.
func TestServesOthers(t *testing.T) {
	t.Parallel()
	answered := func(b *breaker, key uint64, at time.Time) *standing {
		s := b.keys.use(key, at)
		s.answered = at
		return s
	}
	for name, tt := range map[string]struct {
		at, since time.Duration // before now
		own, want bool
	}{
		"lately":                 {1, 2, false, true},
		"lately, but the key's":  {1, 2, true, false},
		"long ago":               {time.Duration(evidence/time.Second) + 1, time.Duration(evidence/time.Second) + 9, false, false},
		"before it last changed": {2, 1, false, false},
	} {
		b := new(Health)
		s := answered(&b.breaker, 1, someday.Add(-tt.at*time.Second))
		b.breaker.all.since = someday.Add(-tt.since * time.Second)
		but := (*standing)(nil)
		if tt.own {
			but = s
		}
		if got := b.breaker.serves(someday, but); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestPhasesHaveNames(t *testing.T) {
	t.Parallel()
	if got := fmt.Sprint(Closed, Open, Trying); got != "closed open trying" {
		t.Error(got)
	}
}
