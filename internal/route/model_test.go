package route

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// slowBreaker says what breaker should, from the list of all that happened.
type slowBreaker struct {
	first   time.Duration // when the first attempt was counted; seconds begin there
	counted []countedAttempt
	streak  int // failures since it was answered
	open    bool
	since   time.Duration
	pause   time.Duration  // 0 if it never was open
	opened  int            // how often
	probe   *flyingAttempt // the last one, if it is under way
	probes  int            // how many there were
	heard   int            // the last one that was answered
}

type countedAttempt struct {
	at     time.Duration
	failed bool
}

// flyingAttempt is one that began and did not end.
type flyingAttempt struct {
	pass   Pass
	probe  int // its number in order, 0 if it is not a probe
	began  time.Duration
	opened int // how often the breaker had been by then
}

func (s *slowBreaker) phase(now time.Duration) Phase {
	switch {
	case !s.open:
		return Closed
	case now < s.since+s.pause:
		return Open
	default:
		return Trying
	}
}

func (s *slowBreaker) begin(now time.Duration) *flyingAttempt {
	switch s.phase(now) {
	case Closed:
		return &flyingAttempt{began: now, opened: s.opened}
	case Trying:
		if s.probe == nil || now >= s.probe.began+30*time.Second {
			s.probes++
			s.probe = &flyingAttempt{began: now, opened: s.opened, probe: s.probes}
			return s.probe
		}
	}
	return nil
}

func (s *slowBreaker) content(now time.Duration, a *flyingAttempt) {
	if a.probe > 0 {
		s.heard = max(s.heard, a.probe)
		if s.open {
			s.open, s.since, s.counted = false, now, nil
		}
	}
}

func (s *slowBreaker) end(now time.Duration, o Outcome, a *flyingAttempt) {
	counts := !slices.Contains([]Outcome{Skipped, Malformed, Crowded, Canceled, Lost}, o)
	failed := slices.Contains([]Outcome{Unreachable, TimedOut, Failed, Overloaded}, o)
	if o == Lost && a.probe > 0 && s.open {
		counts, failed = true, true
	}
	if counts && o != Lost {
		s.streak++
		if !failed {
			s.streak = 0
		}
	}
	newest := a == s.probe
	if newest {
		s.probe = nil
	}
	switch {
	case !counts, !s.open && (a.opened < s.opened || a.probe > 0 && !newest), s.open && a.probe <= s.heard, s.open && failed && !newest:
	case !s.open:
		if len(s.counted) == 0 && s.pause == 0 {
			s.first = now
		}
		s.counted = append(s.counted, countedAttempt{now, failed})
		if failed && s.failing(now) {
			longer := min(2*s.pause, 30*time.Second)
			if s.pause == 0 || now >= s.since+time.Minute {
				longer = time.Second
			}
			s.open, s.since, s.pause, s.opened, s.probe = true, now, longer, s.opened+1, nil
		}
	case failed:
		s.since, s.pause, s.opened = now, min(2*s.pause, 30*time.Second), s.opened+1
	default:
		s.open, s.since, s.counted = false, now, nil
	}
}

func (s *slowBreaker) failing(now time.Duration) bool {
	attempts, failures := 0, 0
	for _, a := range s.counted {
		if int((now-s.first)/time.Second)-int((a.at-s.first)/time.Second) >= 10 {
			continue
		}
		attempts++
		if a.failed {
			failures++
		}
	}
	return (failures*2 >= attempts || s.streak >= 10) && attempts >= 10
}

// passes are how much time passes: little and much, and right to the bounds.
var passes = []time.Duration{
	0, 0, 0, 0, 1, time.Millisecond, 300 * time.Millisecond, 999 * time.Millisecond, time.Second, time.Second, 2 * time.Second,
	7 * time.Second, 10 * time.Second, 29 * time.Second, 30 * time.Second, time.Minute - 1, time.Minute, 11 * time.Minute,
}

// Whatever attempts a key makes, the target's health is for it what the list of them says.
func TestHealthIsAsTheListSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h, slow, now := new(Health), new(slowBreaker), time.Duration(0)
		// Mostly failures, or mostly not: else breakers rarely open, or rarely close.
		usual := rapid.SampledFrom([]Outcome{Answered, Failed}).Draw(t, "usual outcome")
		var flying []*flyingAttempt
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			if rapid.IntRange(0, 3).Draw(t, "later") == 0 {
				now += rapid.SampledFrom(passes).Draw(t, "passes")
			}
			if len(flying) == 0 || rapid.Bool().Draw(t, "begin") {
				ok, pass := h.Begin(after(now), 1, false)
				want := slow.begin(now)
				if ok != (want != nil) || ok && pass.probe != (want.probe > 0) {
					t.Fatalf("after %v: begins %v, as a probe %v; want %+v", now, ok, pass.probe, want)
				}
				if ok {
					want.pass = pass
					flying = append(flying, want)
				}
			} else {
				i := rapid.IntRange(0, len(flying)-1).Draw(t, "which goes on")
				if rapid.IntRange(0, 3).Draw(t, "is answered") == 0 {
					h.heard(after(now), time.Second, flying[i].pass)
					slow.content(now, flying[i])
				}
				o := usual
				if rapid.IntRange(0, 3).Draw(t, "an unusual outcome") == 0 {
					o = Outcome(rapid.IntRange(int(Answered), int(Lost)).Draw(t, "outcome"))
				}
				h.End(after(now), o, flying[i].pass)
				slow.end(now, o, flying[i])
				flying = slices.Delete(flying, i, i+1)
			}
			s := h.meets(after(now), 1)
			if want := slow.phase(now); s.Phase != want {
				t.Fatalf("after %v: %v, want %v", now, s.Phase, want)
			}
			if s.Phase == Open && !s.Until.Equal(after(slow.since+slow.pause)) {
				t.Fatalf("after %v: open until %v, want %v", now, s.Until.Sub(start), slow.since+slow.pause)
			}
			if h.InFlight() != len(flying) {
				t.Fatalf("after %v: %d in flight, want %d", now, h.InFlight(), len(flying))
			}
		}
	})
}

// Wherever the clock jumps, a target can be tried again within a minute, and a credential within twenty.
func TestNothingLastsForEver(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h, c, b, now := new(Health), newCredentials(rapid.IntRange(1, 3).Draw(t, "credentials")), new(callBudget), start
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			now = now.Add(rapid.SampledFrom(passes).Draw(t, "passes"))
			if rapid.IntRange(0, 4).Draw(t, "jumps") == 0 {
				now = now.Add(time.Duration(rapid.Int64Range(-1<<62, 1<<62).Draw(t, "by")) >> rapid.IntRange(0, 40).Draw(t, "less"))
			}
			if ok, pass := h.Begin(now, 1, false); ok {
				h.heard(now, time.Duration(rapid.Int64().Draw(t, "first content")), pass)
				h.End(now, rapid.SampledFrom([]Outcome{Failed, Failed, Answered, Canceled}).Draw(t, "outcome"), pass)
			}
			h.restUntil(start, now.Add(time.Duration(rapid.Int64().Draw(t, "rest"))), Pass{})
			if i, _, ok := c.Pick(now, 1, 0); ok {
				switch rapid.IntRange(0, 3).Draw(t, "told") {
				case 0:
					c.good(i, 1)
				case 1:
					c.limited(i, 1, now.Add(time.Duration(rapid.Int64().Draw(t, "limit"))))
				default:
					c.Refused(i, 1, now)
				}
			}
			b.request(now, 1)
			b.repeat(now, 1, 0.1)
			if score := h.Score(now, 1); score < 0 || math.IsNaN(score) || math.IsInf(score, 0) {
				t.Fatalf("a score of %v", score)
			}
		}
		resting, free := h.resting(now, 1), freeAt(c, now).Equal(now) // from when they are first looked at, a minute is the most
		_, _, picks := c.Pick(now, 1, 0)
		// A clock that was put back may go through what is over once more.
		soon, later := now.Add(time.Minute), now.Add(2*longestParking)
		if h.State(now).Phase == Open && h.State(soon).Phase == Open {
			t.Fatal("open for more than a minute")
		}
		if h.State(soon).Phase != Open {
			if ok, _ := h.Begin(soon, 1, false); !ok {
				t.Fatal("nobody may try for more than a minute")
			}
		}
		if resting && h.resting(soon, 1) {
			t.Fatal("it rests for more than a minute")
		}
		if !b.repeat(soon, 1, 0) {
			t.Fatal("no repeat for more than a minute")
		}
		if !free && freeAt(c, later).After(later) {
			t.Fatal("no credential is free for more than twenty minutes")
		}
		if _, _, ok := c.Pick(later, 1, 0); !picks && !ok {
			t.Fatal("no credential may be used for more than twenty minutes")
		}
	})
}

// slowCredential is the simple model of one credential.
type slowCredential struct {
	parked       bool
	since, until time.Duration
	probe        time.Duration // -1 for none
	rests        time.Duration // until when
	tried        time.Duration // the last time while all were parked, and not answered since
}

func (s *slowCredential) resting(now time.Duration) bool { return now < s.rests }
func (s *slowCredential) serving(now time.Duration) bool { return s.parked && now < s.until }
func (s *slowCredential) probed(now time.Duration) bool {
	return s.probe >= 0 && now < s.probe+30*time.Second
}

// Whatever is noted about credentials, the next to be picked is one that the rules allow, and the best that there is.
func TestPicksAreAllowed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "credentials")
		c, all, now := newCredentials(n), make([]slowCredential, n), time.Duration(0)
		for i := range all {
			all[i].probe, all[i].tried = -1, -time.Hour
		}
		has := func(is func(*slowCredential) bool) bool {
			return slices.ContainsFunc(all, func(s slowCredential) bool { return is(&s) })
		}
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			now += rapid.SampledFrom(passes).Draw(t, "passes")
			i := rapid.IntRange(0, n-1).Draw(t, "which")
			s := &all[i]
			switch rapid.SampledFrom([]string{"pick", "pick", "pick", "refused", "refused", "limited", "good", "ended"}).Draw(t, "step") {
			case "refused":
				c.Refused(i, 1, after(now))
				if !s.serving(now) {
					long := 30 * time.Second
					if s.parked {
						long = min(2*(s.until-s.since), 10*time.Minute)
					}
					s.parked, s.since, s.until = true, now, now+long
				}
				s.probe = -1
			case "limited":
				long := rapid.SampledFrom([]time.Duration{time.Second, 20 * time.Second, time.Minute}).Draw(t, "for")
				c.limited(i, 1, after(now+long))
				s.rests, s.probe = max(s.rests, now+long), -1
			case "good":
				c.good(i, 1)
				s.parked, s.probe, s.tried = false, -1, -time.Hour
			case "ended":
				c.ended(i, 1)
				s.probe = -1
			default:
				i, probe, ok := c.Pick(after(now), 1, 0)
				s := &all[i]
				well := has(func(s *slowCredential) bool { return !s.parked && !s.resting(now) })
				due := has(func(s *slowCredential) bool {
					return s.parked && !s.serving(now) && !s.resting(now) && !s.probed(now)
				})
				switch {
				case !has(func(s *slowCredential) bool { return !s.parked }): // all are parked
					late := !has(func(s *slowCredential) bool { return now < s.tried+time.Second })
					if ok != (due || late) || ok && !probe {
						t.Fatalf("after %v: ok is %v, the last tries: %+v", now, ok, all)
					}
					if ok {
						s.tried = now
					}
				case !ok:
					t.Fatalf("after %v: none, but not all are parked", now)
				case probe:
					if !s.parked || s.serving(now) || s.resting(now) || s.probed(now) {
						t.Fatalf("after %v: a probe of %d: %+v", now, i, *s)
					}
				case s.parked:
					t.Fatalf("after %v: %d is parked: %+v", now, i, *s)
				case s.resting(now) && (well || due):
					t.Fatalf("after %v: %d rests, and there are others: %+v", now, i, all)
				case s.resting(now) && has(func(o *slowCredential) bool { return !o.parked && o.rests < s.rests }):
					t.Fatalf("after %v: another one than %d rests for less: %+v", now, i, all)
				}
				if probe {
					s.probe = now
				}
			}
		}
	})
}

// Each of the healthy ones gets its turn.
func TestTurnsAreFair(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "credentials")
		c, well := newCredentials(n), 0
		for i := range n {
			if rapid.Bool().Draw(t, "parked") {
				c.Refused(i, 1, start)
			} else {
				well++
			}
		}
		if well == 0 {
			return
		}
		times := make([]int, n)
		for range 10 * well {
			i, _, _ := c.Pick(start, 1, 0)
			times[i]++
		}
		for i, got := range times {
			if got != 0 && got != 10 || got == 0 && c.each[i].parkedFor(1) == nil {
				t.Fatalf("%d of them are well, and were picked %v times", well, times)
			}
		}
	})
}

// Within any ten seconds repeats never exceed their share of the requests. If one is refused, the share is used up.
func TestRepeatsAreAShare(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b, now := new(callBudget), time.Duration(0)
		percent := rapid.IntRange(0, 100).Draw(t, "share")
		var requests, repeats []time.Duration
		within := func(times []time.Duration) (n int) {
			for _, at := range times {
				if int(now/time.Second)-int(at/time.Second) < 10 {
					n++
				}
			}
			return n
		}
		b.request(start, 1)
		requests = append(requests, 0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now += rapid.SampledFrom(passes).Draw(t, "passes")
			for range rapid.IntRange(0, 60).Draw(t, "requests") {
				b.request(after(now), 1)
				requests = append(requests, now)
			}
			for range rapid.IntRange(0, 12).Draw(t, "repeats") {
				want := within(repeats)+1 <= max(10, percent*within(requests)/100)
				if got := b.repeat(after(now), 1, float64(percent)/100); got != want {
					t.Fatalf("after %v: %v, with %d repeats of %d requests at %d %%", now, got, within(repeats), within(requests), percent)
				}
				if want {
					repeats = append(repeats, now)
				}
			}
		}
	})
}

func TestLateIsThePercentile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := new(Health)
		all := rapid.SliceOfN(rapid.Int64Range(0, 10_000), 0, 200).Draw(t, "milliseconds")
		for _, ms := range all {
			h.heard(start, time.Duration(ms)*time.Millisecond, Pass{})
		}
		got, known := h.late()
		if known != (len(all) >= 20) {
			t.Fatalf("known of %d: %v", len(all), known)
		}
		if !known {
			return
		}
		last := slices.Clone(all[max(len(all)-64, 0):])
		slices.Sort(last)
		want := last[int(math.Ceil(0.95*float64(len(last))))-1]
		if got != time.Duration(want)*time.Millisecond {
			t.Fatalf("%v, want %d ms: %v", got, want, last)
		}
	})
}
