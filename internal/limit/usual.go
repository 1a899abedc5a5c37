package limit

import (
	"math/bits"
	"sync"
)

// Usual remembers how many tokens answers had, to say how many an answer likely has at most. It forgets what is long ago. The zero value
// has seen none. It is safe for concurrent use.
type Usual struct {
	mu     sync.Mutex
	counts [classes]uint32 // of answers, by length
	seen   uint32
}

const (
	classes = 4 * 32 // four for each doubling
	enough  = 20     // so many answers it takes to speak of what is usual
	recent  = 1024   // after so many, all counts are halved
	atFirst = 1024   // tokens of an answer that are assumed before that
)

// Note remembers the tokens of an answer.
func (u *Usual) Note(tokens int64) {
	if tokens <= 0 {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.counts[class(tokens)]++
	if u.seen++; u.seen >= recent {
		u.seen = 0
		for i := range u.counts {
			u.counts[i] /= 2
			u.seen += u.counts[i]
		}
	}
}

// Tokens is a length that 95 % of the answers do not exceed.
func (u *Usual) Tokens() int64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.seen < enough {
		return atFirst
	}
	longer := uint32(0)
	for i := classes - 1; i > 0; i-- {
		if longer += u.counts[i]; longer*20 > u.seen {
			return longest(i)
		}
	}
	return longest(0)
}

// Needs is about how many tokens a request takes: those of its prompt, and of each of its answers, 0 being one, what is usual, or most if
// that is fewer. most is 0 if the request has no such maximum.
func (u *Usual) Needs(prompt, most, answers int64) int64 {
	each := u.Tokens()
	if most > 0 {
		each = min(each, most)
	}
	return prompt + each*max(answers, 1)
}

// class is the class of a length: the place of its highest bit, and the two bits after it.
func class(tokens int64) int {
	n := uint64(min(tokens, 1<<31))
	high := bits.Len64(n) - 1
	return min(high*4+int(n<<2>>high&3), classes-1)
}

// longest is the greatest length of a class.
func longest(class int) int64 {
	high, next := class/4, int64(4+class%4)
	return max((next+1)<<high>>2-1, next<<high>>2)
}
