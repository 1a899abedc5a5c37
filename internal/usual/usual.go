// Package usual remembers how long answers were, to say how long one likely is at most. It is pure.
package usual

import (
	"math"
	"slices"
)

// Answers are the lengths of the last answers, in tokens. What is long ago is forgotten. The zero value has seen none. It is not safe for
// concurrent use.
type Answers struct {
	running int // that have begun and not ended
	n       int // answers there were, as long as that matters
	last    [64]uint32
	sorted  [64]uint32 // the same
}

const (
	fewest  = 20  // so many answers it takes to speak of what is usual
	expects = 500 // tokens of an answer about whose like nothing is known
)

// Began counts an answer that begins. Ended or GaveUp follows, once. Where none is counted, those that run are not taken into account.
func (a *Answers) Began() { a.running++ }

// GaveUp counts an answer that did not come to its end, or whose length is not known.
func (a *Answers) GaveUp() { a.running = max(a.running-1, 0) } // it may have been forgotten that it began

// Ended remembers the tokens of a request that got so many answers; 0 is one.
func (a *Answers) Ended(tokens, answers int64) {
	a.GaveUp()
	answers = max(answers, 1)
	length := uint32(min(max(tokens/answers+min(tokens%answers, 1), 1), math.MaxUint32))
	oldest, sorted := &a.last[a.n%len(a.last)], a.sorted[:min(a.n+1, len(a.sorted))]
	free := len(sorted) - 1
	if a.n >= len(a.last) {
		free, _ = slices.BinarySearch(sorted, *oldest)
	}
	for ; free > 0 && sorted[free-1] > length; free-- {
		sorted[free] = sorted[free-1]
	}
	for ; free+1 < len(sorted) && sorted[free+1] < length; free++ {
		sorted[free] = sorted[free+1]
	}
	sorted[free], *oldest = length, length
	if a.n++; a.n == 2*len(a.last) {
		a.n = len(a.last)
	}
}

// known is how many answers are remembered.
func (a *Answers) known() int { return min(a.n, len(a.last)) }

// Most is the length that 95 % of the answers do not exceed, 0 while there are too few of them. Of many that begin at once the short
// ones end first, so those that run count as longer than all others. If that leaves none to go by, it is the longest that is
// remembered, or what is expected of answers that are not known if that is more.
func (a *Answers) Most() int64 {
	n := a.known()
	if n < fewest {
		return 0
	}
	if rank := ((n+a.running)*95 + 99) / 100; rank <= n {
		return int64(a.sorted[rank-1])
	}
	return max(int64(a.sorted[n-1]), expects)
}

// assumed is the length of an answer that limits assume while none is known: more than an answer usually has, so that what is taken is
// mostly given back.
const assumed = 1024

// Request is about how many tokens a request takes: those of its prompt, and of each of its answers, 0 being one, what is usual, 0 if that is
// not known, or most if that is fewer. most is 0 if the request has no such maximum.
func Request(prompt, usual, most, answers int64) int64 {
	if usual == 0 {
		usual = assumed
	}
	if most > 0 {
		usual = min(usual, most)
	}
	return prompt + usual*max(answers, 1)
}
