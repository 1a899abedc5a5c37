package route

import (
	"math"
	"slices"
)

// Policy is how a model's targets are ordered for one request.
type Policy uint8

// The policies.
const (
	Ordered   Policy = iota // as in the config
	Weighted                // drawn by weight
	Fastest                 // the better of two drawn at random first, the others by how they fare
	Cheapest                // by what this request would cost
	LeastBusy               // by what is in flight, for their capacity
)

var policies = [...]string{"ordered", "weighted", "fastest", "cheapest", "least_busy"}

// String is the policy as the config spells it.
func (p Policy) String() string { return policies[p] }

// Drawn reports whether chance has a part in the order.
func (p Policy) Drawn() bool { return p == Weighted || p == Fastest || p == LeastBusy }

// ParsePolicy reads a policy as the config spells it.
func ParsePolicy(text string) (Policy, bool) {
	i := slices.Index(policies[:], text)
	return Policy(max(i, 0)), i >= 0
}

// rankBits is how long a rank is at most.
const rankBits = 61

// rank is where the policy puts a target, the smallest first; equals stay in the order of the config.
func (r *Route) rank(s *Step, score float64, ask *Ask, luck *draws) uint64 {
	switch r.Model.Policy {
	case Weighted:
		return ordered(exponential(luck.next(), s.weight()))
	case Fastest:
		return ordered(score)
	case Cheapest:
		if cost, known := s.Facts.cost(ask); known {
			return uint64(cost)
		}
		return 1<<rankBits - 1
	case LeastBusy:
		// Equal loads are ordered at random: the last bits of the fraction carry no information.
		return ordered(r.load(s))&^0x3fffff | luck.next()>>42
	}
	return 0
}

// ordered is a rank for a float that is not negative, such that the order is the same.
func ordered(f float64) uint64 { return math.Float64bits(f) >> (64 - rankBits) }

// betterOfTwo is the place of the better one of two that are drawn among the steps that are ready, -1 if there are not two.
func betterOfTwo(steps []Step, luck *draws) int {
	n := 0
	for i := range steps {
		if steps[i].turn == ready {
			n++
		}
	}
	if n < 2 {
		return -1
	}
	one, other := luck.below(n), luck.below(n-1)
	if other >= one {
		other++
	}
	best := -1
	for i := range steps {
		if steps[i].turn != ready {
			continue
		}
		if (one == 0 || other == 0) && (best < 0 || steps[i].rank < steps[best].rank) {
			best = i
		}
		one, other = one-1, other-1
	}
	return best
}

// weight is the target's share among the others.
func (t *Target) weight() float64 { return float64(max(t.Weight, 1)) }

// load is what is in flight at the target, this request included, against what it may have at once, or else its weight.
func (r *Route) load(s *Step) float64 {
	if g := r.Board.gate(s); g != nil {
		return float64(g.Inside()+1) / float64(r.Board.places(s))
	}
	return float64(s.busy+1) / s.weight()
}

// exponential is how long to wait for something that happens weight times as often as something of weight 1. The
// shortest wait is then a draw by weight, and so is the next among the others. bits are random, or a hash.
func exponential(bits uint64, weight float64) float64 {
	return -ln(chance(bits)) / weight
}

// ln is math.Log of a number above 0 to nine digits, in half the time, because a plan computes one for each target. It adds the
// logarithm of the nearest power of two and the first terms of 2·artanh((m-1)/(m+1)), where the factor m is between √½ and √2.
func ln(x float64) float64 {
	const root = 0x3fe6a09e667f3bcd // the bits of √½
	bits := math.Float64bits(x)
	power := int64(bits-root) >> 52
	m := math.Float64frombits(bits - uint64(power)<<52)
	s := (m - 1) / (m + 1)
	z := s * s
	return float64(power)*math.Ln2 + 2*s*(1+z*(1./3+z*(1./5+z*(1./7+z*(1./9+z/11)))))
}

// atLeast is less than exponential, but for what rounding makes of it, and takes no logarithm.
func atLeast(bits uint64, weight float64) float64 { return (1 - chance(bits)) / weight }

// chance is a number between 0 and 1, which it never is.
func chance(bits uint64) float64 { return (float64(bits>>11) + 0.5) / (1 << 53) }

// draws are random numbers, the same for the same seed (splitmix64).
type draws uint64

func (d *draws) next() uint64 {
	*d += 0x9e3779b97f4a7c15
	return mix(uint64(*d))
}

// below is a random number less than n.
func (d *draws) below(n int) int { return int(d.next() >> 32 * uint64(n) >> 32) }

// mix spreads every bit of x over all of the result.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
