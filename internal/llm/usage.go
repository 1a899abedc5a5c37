package llm

// Usage is what one attempt consumed, in tokens, as disjoint classes: input is the sum of the first
// three, output includes Reasoning. Providers report overlapping figures; a dialect splits them.
type Usage struct {
	Fresh      int64 // input that was neither read from nor written to a prompt cache
	CacheRead  int64 // input served from a prompt cache
	CacheWrite int64 // input written to a prompt cache
	Output     int64 // everything generated, reasoning included
	Reasoning  int64 // the part of Output that was reasoning
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
