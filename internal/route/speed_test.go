package route

import (
	"slices"
	"testing"
	"time"
)

func TestLate(t *testing.T) {
	t.Parallel()
	h := new(Health)
	for i := range 19 {
		h.heard(start, time.Duration(i)*time.Millisecond, Pass{})
	}
	if d, known := h.late(); known {
		t.Errorf("%v is known of 19 answers", d)
	}
	h.heard(start, time.Hour, Pass{})
	if d, known := h.late(); !known || d != 18*time.Millisecond {
		t.Errorf("of 20 answers: %v, %v", d, known)
	}
	for range 63 {
		h.heard(start, -time.Second, Pass{})
	}
	h.heard(start, 100*time.Hour, Pass{})
	if d, known := h.late(); !known || d != 0 {
		t.Errorf("of 64 answers without delay but one: %v, %v", d, known)
	}
	for range 1000 {
		h.heard(start, 2*time.Second, Pass{})
	}
	if d, known := h.late(); !known || d != 2*time.Second {
		t.Errorf("of answers that all took 2 s: %v, %v", d, known)
	}
}

func TestScore(t *testing.T) {
	t.Parallel()
	heard := func(times ...time.Duration) *Health {
		h := new(Health)
		for _, d := range times {
			h.Begin(start, 1, false)
			h.heard(start, d, Pass{})
		}
		return h
	}
	failing := heard(100*time.Millisecond, 100*time.Millisecond, 100*time.Millisecond)
	try(t, failing, start, 1, Failed)
	asked := new(Health)
	asked.Begin(start, 1, false)
	slow := heard(3 * time.Second)
	for _, tt := range []struct {
		name           string
		better, worse  *Health
		now            time.Duration
		alsoWhenIdling time.Duration // it is the other way round by then
	}{
		{"the faster", heard(300 * time.Millisecond), heard(600 * time.Millisecond), 0, 0},
		{"the one that nobody knows", new(Health), heard(time.Millisecond), 0, 0},
		{"the faster, not the one that somebody tries out", heard(300 * time.Millisecond), asked, 0, 0},
		{"the one that somebody tries out, not the slow", asked, slow, 0, 0},
		{"the slower, not the one that fails", heard(2 * time.Second), failing, 0, 0},
	} {
		if b, w := tt.better.Score(after(tt.now), 1), tt.worse.Score(after(tt.now), 1); b >= w {
			t.Errorf("%s is better: %.3f, %.3f", tt.name, b, w)
		}
	}
	now := after(5 * time.Minute)
	fast := heard(300 * time.Millisecond)
	fast.Begin(now, 1, false)
	fast.heard(now, 300*time.Millisecond, Pass{})
	if f, s := fast.Score(now, 1), slow.Score(now, 1); s >= f {
		t.Errorf("after five minutes the slow one is tried again: %.3f, not %.3f", s, f)
	}
	slow.Begin(now, 1, false)
	if f, s := fast.Score(now, 1), slow.Score(now, 1); s <= f {
		t.Errorf("one try at a time is enough: %.3f, not %.3f", s, f)
	}
}

// What a key met counts for it. Keys with little history go by what all met, each with the same weight. A key that sends much and is
// slow or fails takes the target from none that it serves. One that is answered fast does not make it look good to keys that it
// fails.
func TestScoreIsOfTheKey(t *testing.T) {
	t.Parallel()
	for o := Answered; o <= Canceled; o++ {
		fails := slices.Contains([]Outcome{RateLimited, Malformed, Denied, Misconfigured, NoSuchModel}, o)
		h, now := new(Health), start
		heard := func(key uint64, first time.Duration) {
			_, pass := h.Begin(now, key, false)
			h.heard(now, first, pass)
			h.End(now, Answered, pass)
		}
		for i := range 500 {
			now = after(time.Duration(i) * 100 * time.Millisecond)
			if i%10 == 0 {
				for key := range uint64(9) {
					heard(key, 300*time.Millisecond)
				}
			}
			heard(20, time.Minute)
			if ok, pass := h.Begin(now, 21, true); ok {
				h.End(now, o, pass)
			}
		}
		if got := h.Score(now, 3); got > 0.301 {
			t.Errorf("%v of another key: the score is %.3f", o, got)
		}
		if got := h.Score(now, 21); fails && got < wasted-0.001 {
			t.Errorf("%v of the key itself: the score is %.3f", o, got)
		}
		// One of eleven takes a minute, and another may fail: 5.7 s on average, and what a failure counts.
		if got := h.Score(now, 99); got > 30 {
			t.Errorf("%v: for a key that never asked the score is %.3f", o, got)
		}
		_, pass := h.Begin(now, 30, false)
		h.End(now, Failed, pass)
		if got := h.Score(now, 30); got < wasted-0.001 {
			t.Errorf("the score of a key that fails while others are answered is %.3f", got)
		}
	}
}

// Where answers take long, a target that fails is no better than one that does not: it is the sooner over with.
func TestScoreOfFailuresAmongSlowAnswers(t *testing.T) {
	t.Parallel()
	const first = 40 * time.Second
	well, flaky := new(Health), new(Health)
	for i := range 60 {
		now := after(time.Duration(i) * 5 * time.Second)
		for _, h := range []*Health{well, flaky} {
			_, pass := h.Begin(now, 1, false)
			if h == flaky && i%3 == 2 {
				h.End(now, Failed, pass)
				continue
			}
			h.heard(now, first, pass)
			h.End(now, Answered, pass)
		}
	}
	now := after(5 * time.Minute)
	if w, f := well.Score(now, 1), flaky.Score(now, 1); f <= w {
		t.Errorf("the one that fails scores %.1f, the other %.1f", f, w)
	}
	for i := range 100 { // it has come to its rate limit, and is asked once in a while
		now = after(5*time.Minute + time.Duration(i)*10*time.Second)
		try(t, flaky, now, 1, RateLimited)
		well.Begin(now, 1, false)
		well.heard(now, first, Pass{})
	}
	if w, f := well.Score(now, 1), flaky.Score(now, 1); f <= w {
		t.Errorf("the one that is at its limit scores %.1f, the other %.1f", f, w)
	}
	if w, f := well.speed.mean(now, nil), flaky.speed.mean(now, nil); f <= tooSlow*w {
		t.Errorf("requests are at home at the one that is at its limit: %.1f, the other %.1f", f, w)
	}
}

// Complete answers do not show the time to the first content, only that the target is well.
func TestScoreOfCompleteAnswers(t *testing.T) {
	t.Parallel()
	h := new(Health)
	answered := func(n int, now time.Time) {
		for range n {
			_, pass := h.Begin(now, 1, false)
			h.whole(now, 3*time.Second, pass)
			h.End(now, Answered, pass)
		}
	}
	answered(20, start)
	if s := h.Score(start, 1); s != typical {
		t.Errorf("%.3f", s)
	}
	try(t, h, start, 1, Failed)
	if s := h.Score(start, 1); s <= typical || s > 2*typical {
		t.Errorf("after one failure of 21: %.3f", s)
	}
	answered(20, after(time.Minute))
	if s := h.Score(after(time.Minute), 1); s > 1.1*typical {
		t.Errorf("after 20 answers more: %.3f", s)
	}
	_, pass := h.Begin(after(time.Minute), 1, false)
	h.heard(after(time.Minute), 300*time.Millisecond, pass)
	if s := h.Score(after(time.Minute), 1); s > 0.4 {
		t.Errorf("after a stream that began after 300 ms: %.3f", s)
	}
}

// What is observed now counts more than what was.
func TestScoreFollows(t *testing.T) {
	t.Parallel()
	h := new(Health)
	for i := range 600 { // ten minutes of 3 s, then one of 200 ms
		d := 3 * time.Second
		if i >= 540 {
			d = 200 * time.Millisecond
		}
		h.Begin(after(time.Duration(i)*time.Second), 1, false)
		h.heard(after(time.Duration(i)*time.Second), d, Pass{})
	}
	if s := h.Score(after(599*time.Second), 1); s < 0.2 || s > 0.4 {
		t.Errorf("%.3f", s)
	}
	if s := h.Score(start, 1); s < 0.2 || s > 0.4 {
		t.Errorf("when the clock was put back: %.3f", s)
	}
}

func TestRest(t *testing.T) {
	t.Parallel()
	h := new(Health)
	if h.resting(start, 1) {
		t.Error("nobody asked it to rest")
	}
	rests := func(want bool, at time.Duration) {
		t.Helper()
		if got := h.resting(after(at), 1); got != want {
			t.Errorf("after %v: %v", at, got)
		}
	}
	h.restUntil(start, after(10*time.Second), Pass{})
	h.restUntil(start, after(3*time.Second), Pass{}) // the longer counts
	rests(true, 0)
	rests(true, 10*time.Second-1)
	rests(false, 10*time.Second)
	h.restUntil(start, after(time.Hour), Pass{}) // a minute at most
	rests(true, 20*time.Second)
	rests(true, 80*time.Second-1)
	rests(false, 80*time.Second)
	h.restUntil(start, time.Time{}, Pass{})
	rests(true, 100*time.Second)
	rests(true, 105*time.Second-1)
	rests(false, 105*time.Second)
	h.restUntil(start, after(120*time.Second), Pass{})
	rests(true, -time.Hour) // the clock was put back
	rests(false, -time.Hour+time.Minute)
	if ok, _ := h.Begin(after(110*time.Second), 1, false); !ok {
		t.Error("a target that rests may be tried")
	}
}

// The last 64 answers count, each in microseconds.
func TestTimesOfTheLastAnswers(t *testing.T) {
	t.Parallel()
	var all times
	for i := range 200 {
		all.note(time.Duration(i) * time.Millisecond)
		if want := i + 1; i < 64 && all.n != want || all.n > 2*64 || i >= 64 && all.n < 64 {
			t.Fatalf("after %d answers %d count", i+1, all.n)
		}
	}
	for _, us := range all.last {
		if us < 136_000 || us > 199_000 {
			t.Errorf("%d us is not of the last 64", us)
		}
	}
	all.note(-time.Second)
	all.note(1 << 62)
	if d, ok := all.late(); !ok || d < 190*time.Millisecond {
		t.Errorf("%v, %v", d, ok)
	}
}
