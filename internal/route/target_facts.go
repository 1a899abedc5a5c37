package route

import (
	"cmp"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// Facts are what is known of a target. What is not known is zero.
type Facts struct {
	Lacks     llm.Ability
	Context   int // tokens of a prompt and its answer together
	MaxInput  int // tokens of a prompt, where it has a limit of its own
	MaxOutput int // tokens of an answer
	Price     *money.Price
}

// Correct puts what the config says in the place of what is known.
func (f *Facts) Correct(t *llm.Takes) {
	if t == nil {
		return
	}
	f.Lacks = f.Lacks&^t.Has | t.Lacks&^llm.TakesChoice
	f.Context, f.MaxInput, f.MaxOutput = cmp.Or(t.Context, f.Context), cmp.Or(t.MaxInput, f.MaxInput), cmp.Or(t.MaxOutput, f.MaxOutput)
}

// limit is how many tokens a prompt can have at most, 0 if that is not known.
func (f *Facts) limit() int {
	if f.Context == 0 || f.MaxInput > 0 && f.MaxInput < f.Context {
		return f.MaxInput
	}
	return f.Context
}

// skip is why a target with these facts cannot serve the request.
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

// typicalOutput is how many tokens of an answer are expected if the request does not say how many it may have.
const typicalOutput = 500

// rates are those that hold for the request, nil if no price is known.
func (f *Facts) rates(ask *Ask) *money.Rates {
	if f.Price == nil {
		return nil
	}
	rates, _ := f.Price.For(int64(ask.Prompt), "")
	return rates
}

// cost is about what the request would cost.
func (f *Facts) cost(ask *Ask) (cost money.Nano, known bool) {
	output := cmp.Or(ask.Output, typicalOutput)
	if f.MaxOutput > 0 {
		output = min(output, f.MaxOutput)
	}
	output = min(output, llm.MaxTokens) * max(ask.Answers, 1)
	cost, doubt := f.Price.Cost(&llm.Usage{Fresh: int64(ask.Prompt), Text: int64(output)})
	return cost, doubt&money.PriceUnknown == 0
}
