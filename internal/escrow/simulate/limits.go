package simulate

import (
	"fmt"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
)

// admit has the limit let a request in, and reports whether it does.
func (s *run) admit(r *replica, q *request) bool {
	if q.admitted || s.Limit == 0 {
		return true
	}
	switch v, _ := r.JudgeRate(q.key.subject, s.Limit, 1, s.now); {
	case v == escrow.Fits:
		r.TakeRate(q.key.subject, s.Limit, 1, s.now)
		q.admitted = true
		s.count(q.key)
	case v == escrow.Ask && !q.asked:
		q.asked = true
		r.NeedRate(q.key.subject, s.Limit, 1, s.now)
		s.wait(r, q)
	default:
		s.Limited++
	}
	return q.admitted
}

// count counts a request that the limit let in.
func (s *run) count(k *key) {
	k.admitted = append(k.admitted, s.now)
	for k.admitted[0] <= s.now-time.Minute {
		k.admitted = k.admitted[1:]
	}
	if most := 2*s.Limit + (s.Limit+59)/60; int64(len(k.admitted)) > most {
		s.Wrong = append(s.Wrong, fmt.Sprintf("%d requests of %s in a minute, at most %d may be", len(k.admitted), k.subject, most))
	}
}
