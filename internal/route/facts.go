package route

import (
	"cmp"

	"github.com/weirproxy/weir/internal/llm"
)

// Facts are what is known of a target. What is not known is zero.
type Facts struct {
	Lacks     llm.Ability
	Context   int // tokens of a prompt and its answer together
	MaxInput  int // tokens of a prompt, where it has a limit of its own
	MaxOutput int // tokens of an answer
	Price     Price
	Long      Price // of prompts of more than Long.Above tokens, where that is another
}

// Correct puts what the config says in the place of what is known.
func (f *Facts) Correct(t *llm.Takes) {
	if t == nil {
		return
	}
	f.Lacks = f.Lacks&^t.Has | t.Lacks&^llm.TakesChoice
	f.Context, f.MaxInput, f.MaxOutput = cmp.Or(t.Context, f.Context), cmp.Or(t.MaxInput, f.MaxInput), cmp.Or(t.MaxOutput, f.MaxOutput)
}

// MaxPrice is the highest price that is understood, ten thousand dollars.
const MaxPrice = 1e10

// Price is what a million tokens cost, in millionths of a US dollar.
type Price struct {
	Known bool
	Above int
	llm.Rates
}

// limit is how many tokens a prompt can have at most, 0 if that is not known.
func (f *Facts) limit() int {
	if f.Context == 0 || f.MaxInput > 0 && f.MaxInput < f.Context {
		return f.MaxInput
	}
	return f.Context
}

// skip is why a target of which this is known cannot serve the request.
func (f *Facts) skip(ask *Ask) Skip {
	switch lacks, limit := f.Lacks&ask.Needs, f.limit(); {
	case lacks&llm.TakesImages != 0:
		return LacksImages
	case lacks&llm.TakesAudio != 0:
		return LacksAudio
	case lacks&llm.TakesFiles != 0:
		return LacksFiles
	case lacks&llm.TakesTools != 0:
		return LacksTools
	case lacks&llm.TakesSchema != 0:
		return LacksSchema
	case lacks&llm.TakesPrefill != 0:
		return LacksPrefill
	case limit > 0 && ask.Least > limit:
		return PromptTooLong
	}
	return NotSkipped
}

const (
	typicalOutput = 500 // tokens of an answer, if the request does not say how many it may have
	mostTokens    = 1e8 // that a price is multiplied with, so that a caller cannot have it overflow
)

// price is that of a prompt of so many tokens.
func (f *Facts) price(prompt int) *Price {
	if f.Long.Known && prompt > f.Long.Above {
		return &f.Long
	}
	return &f.Price
}

// cost is about what the request would cost, in 10⁻¹² dollars.
func (f *Facts) cost(ask *Ask) (cost int64, known bool) {
	price := f.price(ask.Prompt)
	output := cmp.Or(ask.Output, typicalOutput)
	if f.MaxOutput > 0 {
		output = min(output, f.MaxOutput)
	}
	output = min(output, mostTokens) * max(ask.Answers, 1)
	return int64(min(ask.Prompt, mostTokens))*price.Input + int64(min(output, mostTokens))*price.Output, price.Known
}
