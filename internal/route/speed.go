package route

import (
	"math"
	"time"
)

const (
	halfLife = 15 * time.Second // after which an observation counts half
	doubt    = time.Minute      // after which a target that nobody asked scores half
	typical  = 1.0              // seconds until the first content, of a target of which nothing is known
	wasted   = 10.0             // seconds that an attempt counts for which brought nothing, at least,
	worse    = tooSlow + 1      // and so many times what an answer takes: who fails is no faster than who is slow, nor at home there
	faint    = 1e-6             // what is left of an observation that is forgotten

	longSilence = 10 * time.Second // that says something of a target,
	farLater    = 3                // if it is so many times what 95 % of its answers took at most
)

// speed is what is known of the time to a target's first content. It is not safe for concurrent use.
type speed struct {
	at         time.Time // at which the sums were last brought up to date; what was long ago fades in them
	sum, count float64   // seconds until contents, and how many these were
	good, bad  float64   // attempts that brought something, and in vain
	asked      time.Time // when the last attempt began
	firsts     times     // until the first content of streams
	wholes     times     // of answers that came all at once
	puzzles    puzzles
	silences   puzzles
	limits     puzzles       // rate limits of which it was not said how long they hold
	losing     bool          // the last that was noted was not heard, but only waited for
	usual      time.Duration // what was late before that; 0 if it was not known
}

// begin notes that an attempt is made: whoever chooses next need not try out the same target.
func (s *speed) begin(now time.Time) { s.asked = now }

// heard notes the time to the first content of an answer.
func (s *speed) heard(now time.Time, first time.Duration) {
	s.answered()
	s.losing = false
	first = max(first, 0)
	s.observe(now, first.Seconds())
	s.firsts.note(first)
}

// whole notes an answer that came all at once: how fast the target is it does not tell, but that it is well.
func (s *speed) whole(now time.Time, took time.Duration) {
	s.fade(now)
	s.good++
	s.wholes.note(took)
}

// answered ends what was in a row.
func (s *speed) answered() { s.puzzles, s.silences, s.limits = puzzles{}, puzzles{}, puzzles{} }

// vain notes an attempt that brought nothing.
func (s *speed) vain(now time.Time) {
	s.fade(now)
	s.bad++
}

// silent is what an attempt counts as that brought no content for so long, until its caller went away.
func (s *speed) silent(caller uint64, silence Silence) Outcome {
	late, known := s.before()
	if silence.Whole {
		late, known = s.wholes.late()
	}
	if known && silence.Lasted >= max(farLater*late, longSilence) && s.silences.add(caller) {
		return TimedOut
	}
	return Canceled
}

// waited notes what was waited in vain for the first content of an answer. Nobody is later than some times what was late before: a
// target that hangs would else be waited for longer and longer.
func (s *speed) waited(now time.Time, least time.Duration) {
	s.observe(now, max(least, 0).Seconds())
	usual, known := s.before()
	s.losing, s.usual = true, usual
	if known {
		least = min(least, farLater*usual)
	}
	s.firsts.note(least)
}

// before is what was late when content came the last time.
func (s *speed) before() (time.Duration, bool) {
	if s.losing {
		return s.usual, s.usual > 0
	}
	return s.firsts.late()
}

// ended notes how an attempt ended.
func (s *speed) ended(now time.Time, caller uint64, o Outcome) {
	switch o {
	case Answered:
		s.answered()
	case Unreachable, TimedOut, Failed, Overloaded, RateLimited: // with the last, anybody else would probably meet the same
		s.vain(now)
	case Malformed, Denied, Misconfigured, NoSuchModel:
		if s.puzzles.add(caller) {
			s.vain(now)
		}
	}
}

// puzzles are attempts in a row that brought nothing, by the fault of the target or of what was asked.
type puzzles struct {
	n       int
	whose   uint64 // the first
	several bool   // somebody else's came, too
}

// add counts one, and reports whether it is the target's fault: one caller's requests may all be at fault themselves, unless there are
// very many.
func (p *puzzles) add(caller uint64) bool {
	if p.n == 0 {
		p.whose = caller
	}
	p.n++
	p.several = p.several || caller != p.whose
	return p.several || p.n >= enoughOfOne
}

func (s *speed) observe(now time.Time, seconds float64) {
	s.fade(now)
	s.sum += seconds
	s.count++
	s.good++
}

func (s *speed) fade(now time.Time) {
	if passed := now.Sub(s.at); passed > 0 {
		fade := math.Exp2(-float64(passed) / float64(halfLife))
		s.sum *= fade
		s.count *= fade
		s.good *= fade
		s.bad *= fade
	}
	s.at = now
}

// mean is how long an attempt takes, one in vain counting as a long one.
func (s *speed) mean() float64 {
	first := typical
	if s.count > 0 {
		first = s.sum / s.count
	}
	if s.bad <= faint {
		return first
	}
	return first + s.bad/(s.good+s.bad)*(max(wasted, worse*first)-first)
}

// score is the mean, which falls while nobody asks the target, to 0 if nobody ever did: so those that
// are unknown are tried, and those that were slow are tried again, the slower the later.
func (s *speed) score(now time.Time) float64 { return s.mean() * s.fresh(now) }

// fresh is 1 where the target was just asked, and falls from there.
func (s *speed) fresh(now time.Time) float64 { return half(max(now.Sub(s.asked), 0), doubt) }

// half is what is left of 1 that halves in every period, in between evenly: near enough to an exponential, and every plan asks for it
// of each target.
func half(passed, period time.Duration) float64 {
	return math.Ldexp(1-float64(passed%period)/float64(2*period), -int(passed/period))
}

// times are those that the last answers took.
type times struct {
	n    int // how many there were, as long as that matters
	last [64]uint32
}

func (t *times) note(d time.Duration) {
	t.last[t.n%len(t.last)] = uint32(min(max(d, 0).Microseconds(), math.MaxUint32))
	t.n++
	if t.n == 2*len(t.last) {
		t.n = len(t.last)
	}
}

// fewest is how many answers it takes to speak of their 95th percentile.
const fewest = 20

// late is the 95th percentile: the smallest that at least 95 % do not exceed.
func (t *times) late() (time.Duration, bool) {
	n := min(t.n, len(t.last))
	if n < fewest {
		return 0, false
	}
	var top [4]uint32 // the longest, in descending order; of 64 it is the fourth
	for _, d := range t.last[:n] {
		for i := range top {
			if d > top[i] {
				d, top[i] = top[i], d
			}
		}
	}
	within := (95*n + 99) / 100
	return time.Duration(top[n-within]) * time.Microsecond, true
}
