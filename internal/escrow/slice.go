package escrow

import "time"

// slice is what a replica has of one budget. Its figures are parts of what was granted in the period: granted ≥ used + held, unless calls
// took more than they held.
type slice struct {
	name    Name
	limit   int64 // as far as the replica knows, by version
	version int64

	granted int64 // by the answer that was believed last, less what was returned since
	used    int64 // what ended calls took
	held    int64 // by calls that run

	known  int64         // what all replicas used, by the database
	heard  time.Duration // when it said so
	stated int64         // used, as it was acknowledged last
	tight  bool          // less was left at the last grant than would do for as much at every replica: what calls leave over is given back at once
	ended  bool          // the period is over: nothing is wanted of it any more

	demand demand
	asked  asked
}

// asked is what a replica wants of a budget at the moment.
type asked struct {
	due      bool // in the queue for the next statement
	urgent   bool
	last     bool
	expected bool  // a call is about to need some
	need     int64 // the sum of what waiting calls need, without what is free
	least    int64 // the smallest of them
	recall   bool  // give back what one second does not need
	over     bool  // give back all that is free
	quiet    time.Duration
	ahead    time.Duration // when to ask ahead of need again
}

// free is what calls may take.
func (s *slice) free() int64 { return max(s.granted-s.used-s.held, 0) }

// settled reports whether the database knows all that the slice has to say, and nothing can change it.
func (s *slice) settled() bool { return s.held == 0 && s.used == s.stated && s.granted == s.used }

// usedUp reports whether a call that needs so much has no room in the budget, by what all replicas are known to have used. A budget that
// is not strict has room as long as anything is left.
func (s *slice) usedUp(need int64, strict bool) bool {
	if strict {
		return need > s.limit-s.known
	}
	return s.known >= s.limit
}

// lower gives back what is recalled, and returns what is kept. What calls have is kept in any case.
func (s *slice) lower(now time.Duration, all bool) int64 {
	keep := s.used + s.held
	if !all && !s.ended && !s.asked.over {
		free := s.free()
		if s.asked.recall {
			free = min(free, s.demand.second(now))
		}
		if s.demand.last+Idle <= now {
			free = 0
		}
		keep += free
	}
	s.granted = keep
	return keep
}

// demand is what was taken lately: in the ten seconds that run, and in those before.
type demand struct {
	began        time.Duration // of the ten seconds that run
	last         time.Duration // when something was taken last
	call         int64         // how much
	current, old int64
}

// add notes that so much was taken.
func (d *demand) add(n int64, now time.Duration) {
	d.turn(now)
	d.current = min(d.current, largest-n) + n
	d.last, d.call = now, n
}

func (d *demand) turn(now time.Duration) {
	switch since := now - d.began; {
	case since >= 2*demandSpan*time.Second:
		d.began, d.old, d.current = now, 0, 0
	case since >= demandSpan*time.Second:
		d.began, d.old, d.current = d.began+demandSpan*time.Second, d.current, 0
	}
}

// stopped is after how long without a call none is expected within a second.
const stopped = 2 * time.Second

// sum is what the last ten seconds took, about.
func (d *demand) sum(now time.Duration) int64 {
	d.turn(now)
	passed := int64((now - d.began) / time.Second)
	return min(d.old/demandSpan*(demandSpan-passed), largest-d.current) + d.current
}

// second is what the next second needs, about. It is nothing if no call came for two, and where it is less than a call: what no call can use is no use.
func (d *demand) second(now time.Duration) int64 {
	if n := d.sum(now) / demandSpan; n >= d.call && now < d.last+stopped {
		return n
	}
	return 0
}

// largest is the largest figure: sums of two are numbers.
const largest = int64(1) << 61
