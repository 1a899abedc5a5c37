package llm

import "strconv"

// Usage is what one attempt consumed, in tokens, as disjoint classes: input is the sum of the first
// three, output includes Reasoning. Providers report overlapping figures; a dialect splits them.
type Usage struct {
	Fresh      int64 // input that was neither read from nor written to a prompt cache
	CacheRead  int64 // input served from a prompt cache
	CacheWrite int64 // input written to a prompt cache
	Output     int64 // everything generated, reasoning included
	Reasoning  int64 // the part of Output that was reasoning
}

// MaxCount is the largest count of tokens that is believed, so that sums of counts stay numbers.
const MaxCount = 1 << 53

// Count is a value as a count of tokens; ok is false for what is no whole number that can be one.
func (j JSON) Count() (n int64, ok bool) {
	n, err := strconv.ParseInt(string(j), 10, 64)
	return n, err == nil && n >= 0 && n <= MaxCount
}

// Input is all input tokens.
func (u Usage) Input() int64 { return u.Fresh + u.CacheRead + u.CacheWrite }

// Add adds what another call consumed.
func (u *Usage) Add(o Usage) {
	u.Fresh += o.Fresh
	u.CacheRead += o.CacheRead
	u.CacheWrite += o.CacheWrite
	u.Output += o.Output
	u.Reasoning += o.Reasoning
}

// Rates are what a million tokens of each class cost, in millionths of a US dollar. A class below zero has no price of its own.
type Rates struct {
	Input       int64
	CacheRead   int64 // of the prompt, from the provider's cache
	CacheWrite  int64 // of the prompt, into the cache
	InputAudio  int64 // of the prompt
	Output      int64
	Reasoning   int64 // of the answer
	OutputAudio int64 // of the answer
}

// Whole gives every class a price: what has none of its own costs what the prompt does, or the answer.
func (r Rates) Whole() Rates {
	for _, class := range [...]*int64{&r.CacheRead, &r.CacheWrite, &r.InputAudio} {
		if *class < 0 {
			*class = r.Input
		}
	}
	for _, class := range [...]*int64{&r.Reasoning, &r.OutputAudio} {
		if *class < 0 {
			*class = r.Output
		}
	}
	return r
}
