package route

import (
	"math"
	"time"
)

const (
	halfLife = 15 * time.Second // after which an observation counts half
	doubt    = time.Minute      // after which a target that was not asked scores half
	typical  = 1.0              // seconds until the first content, for a target without a history
	wasted   = 10.0             // seconds that an attempt without a result counts for, at least,
	worse    = tooSlow + 1      // and as a multiple of a usual answer: a failing target is no faster than a slow one, and home to no request
	faint    = 1e-6             // what is left of an observation that is forgotten

	longSilence = 10 * time.Second // that says something of a target,
	farLater    = 3                // if it is so many times what 95 % of its answers took at most
)

// speed is what is known of the time to a target's first content. It is not safe for concurrent use.
type speed struct {
	all    pace          // of all keys, each with the same weight
	asked  time.Time     // when the last attempt began
	firsts times         // until the first content of streams
	wholes times         // times of answers that came all at once
	losing bool          // the last that was noted was not heard, but only waited for
	usual  time.Duration // what was late before that; 0 if it was not known
}

// pace is how fast a target answers, as attempts show it. What was long ago fades in it.
type pace struct {
	at         time.Time // when the sums were last brought up to date
	sum, count float64   // seconds until contents, and how many these were
	good, bad  float64   // attempts that brought something, and those that did not
}

// enoughOwn is how many of a key's own attempts of late say more than those of all.
const enoughOwn = 3

// begin notes that an attempt is made, so that the next choice need not try out the same target.
func (s *speed) begin(now time.Time) { s.asked = now }

// heard notes the time to the first content of an answer.
func (s *speed) heard(now time.Time, first time.Duration, of *standing) {
	s.losing = false
	first = max(first, 0)
	s.observe(now, of, func(p *pace, weight float64) { p.heard(first.Seconds(), weight) })
	s.firsts.note(first)
}

// whole notes an answer that came all at once. It does not show how fast the target is, but that it is healthy.
func (s *speed) whole(now time.Time, took time.Duration, of *standing) {
	s.observe(now, of, func(p *pace, weight float64) { p.good += weight })
	s.wholes.note(took)
}

// silent is what an attempt counts as that brought no content for so long, until its caller went away.
func (s *speed) silent(silence Silence) Outcome {
	late, known := s.before()
	if silence.Whole {
		late, known = s.wholes.late()
	}
	if known && silence.Lasted >= max(farLater*late, longSilence) {
		return TimedOut
	}
	return Canceled
}

// waited notes how long a request waited for a first content that did not come. No target counts as later than some times what was late before: a
// target that hangs would else be waited for longer and longer.
func (s *speed) waited(now time.Time, least time.Duration, of *standing) {
	s.observe(now, of, func(p *pace, weight float64) { p.heard(max(least, 0).Seconds(), weight) })
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
func (s *speed) ended(now time.Time, o Outcome, of *standing) {
	switch o {
	case Unreachable, TimedOut, Failed, Overloaded, RateLimited, Malformed, Denied, Misconfigured, NoSuchModel:
		s.observe(now, of, func(p *pace, weight float64) { p.bad += weight })
	}
}

// observe notes something for the key, and for all keys. Its weight for all keys leaves each about one in all, however much it
// sends, because one key's requests say little about the others.
func (s *speed) observe(now time.Time, of *standing, note func(*pace, float64)) {
	weight := 1.0
	if of != nil {
		of.pace.fade(now)
		weight = 1 / (1 + of.pace.good + of.pace.bad)
		note(&of.pace, 1)
	}
	s.all.fade(now)
	note(&s.all, weight)
}

// mean is how long an attempt of a key takes; a failed one counts as a long one. It uses the key's own attempts if these are enough
// or if the last failed, and otherwise those of all.
func (s *speed) mean(now time.Time, of *standing) float64 {
	if of != nil && near(now, of.pace.at, halfLife) && (of.streak > 0 || of.pace.good+of.pace.bad >= enoughOwn) {
		return of.pace.mean()
	}
	return s.all.mean()
}

func (p *pace) heard(seconds, weight float64) {
	p.sum += weight * seconds
	p.count += weight
	p.good += weight
}

func (p *pace) fade(now time.Time) {
	if passed := now.Sub(p.at); passed > 0 {
		fade := math.Exp2(-float64(passed) / float64(halfLife))
		p.sum *= fade
		p.count *= fade
		p.good *= fade
		p.bad *= fade
	}
	p.at = now
}

func (p *pace) mean() float64 {
	first := typical
	if p.count > 0 {
		first = p.sum / p.count
	}
	if p.bad <= faint {
		return first
	}
	return first + p.bad/(p.good+p.bad)*(max(wasted, worse*first)-first)
}

// fresh is 1 if the target was just asked, and falls to 0 if it never was. So unknown targets are tried, and slow ones are tried
// again, the slower the later.
func (s *speed) fresh(now time.Time) float64 { return half(max(now.Sub(s.asked), 0), doubt) }

// half is the rest of 1 after halving in every period, linear in between. It is close enough to an exponential, and every plan
// computes it for each target.
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
