package budget

import (
	"cmp"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// Prompt is what is known of a prompt before it is sent.
type Prompt struct {
	Bytes    int64  // of the body that is sent, names and brackets included
	Tools    bool   // it has tools, or a schema of the answer: vendors add more to it
	Opaque   bool   // it has media, a file or a tool that the vendor runs: its bytes bound nothing
	Hour     bool   // it asks for parts to be kept in a cache for an hour
	Tier     string // the service tier that it asks for, "" if none
	Estimate int64  // tokens that it likely has
}

// Answer is what is known of an answer before it is asked for.
type Answer struct {
	None  bool  // there are no tokens to write, as with embeddings
	Most  int64 // tokens that the caller allows each to have, 0 if it does not say
	N     int64 // how many are asked for; 0 is one
	Media bool  // it may be sound or pictures
}

// Target is what is known of the target that is called. What is not known is zero.
type Target struct {
	Price     *money.Price
	Unpriced  Unpriced
	Context   int64 // tokens of a prompt and its answer together
	MaxInput  int64 // tokens of a prompt
	MaxOutput int64 // tokens of an answer
	Uncounted bool  // it does not count reasoning among the tokens that the caller allows
	Added     int64 // the most tokens that it was seen to add to a prompt
}

// Unpriced says what a call costs whose price is unknown. The zero value denies calls that count against a budget in dollars.
type Unpriced struct {
	Allowed bool
	Cost    money.Nano
}

// Habit is what is usual of a model, or of a key at a model.
type Habit struct {
	Output         int64 // tokens that 95 % of the answers do not exceed, 0 if that is not known yet
	Told, Reckoned int64 // tokens that prompts had, and that they were estimated to have; 0 and 0 if that is not known yet
}

// Need is what one call may take.
type Need struct {
	Worst    Take // the most that it can
	Usual    Take
	Answers  int64
	Capped   bool    // the caller's maximum bounds the answers
	Flat     bool    // what it costs does not depend on its tokens
	Unpriced bool    // no price is known, and the config does not say what to take for it
	Tierless bool    // it asks for a service tier without a price
	Unbound  Unbound // why the tokens of Worst are no bound
}

// Take is a part of budgets.
type Take struct {
	Money  money.Nano
	Tokens int64          // of prompt and answers
	Output int64          // of these, those of the answers
	Prompt money.Nano     // what is left of Money without answers
	Rate   money.PerToken // of the answers
}

// of is the take in a unit.
func (t *Take) of(u Unit) int64 {
	if u == Dollars {
		return t.Money
	}
	return t.Tokens
}

// Unbound says what is missing to bound a call.
type Unbound uint8

// The causes.
const (
	Bound     Unbound = iota
	NoLimits          // those of the model are not known, and nothing else bounds the prompt, or the answer
	NoMaximum         // the model's limits are not known, and the caller does not bound the answer
)

// What vendors add to prompts. Texts are no more tokens than bytes; with these figures that held for all recorded answers of models
// that do not search by themselves. The figures are the largest of a sample, no law, so the most seen at a target goes before them.
const (
	perPrompt = 512
	perTools  = 2048
)

// unknownOutput is how many tokens are expected of an answer about whose like nothing is known.
const unknownOutput int64 = 500

// Assess says what a call may take.
func Assess(p *Prompt, a *Answer, t *Target, h Habit) Need {
	n := Need{Answers: max(a.N, 1), Capped: !a.None && !t.Uncounted, Unpriced: t.Price == nil && !t.Unpriced.Allowed}
	input, output := worstInput(p, t, &n), worstOutput(a, t, &n)
	rates := dearest(p, a, t.Price, input)
	n.Flat = rates == pair{}
	n.Worst = t.take(rates, input, product(output, n.Answers))
	if t.Price != nil {
		_, priced := t.Price.For(0, p.Tier)
		n.Tierless = !priced
	}
	input, output = usualInput(p, t, h), usualOutput(a, t, h)
	n.Usual = t.take(plain(t.Price, input, p.Tier), input, product(output, n.Answers))
	return n
}

// worstInput is the most tokens that the prompt can have.
func worstInput(p *Prompt, t *Target, n *Need) int64 {
	window := t.window()
	if p.Opaque {
		if window == 0 {
			n.Unbound = NoLimits
		}
		return window
	}
	extra := int64(perPrompt)
	if p.Tools {
		extra = perTools
	}
	bound := p.Bytes + max(extra, t.Added)
	if window > 0 {
		bound = min(bound, window)
	}
	return bound
}

// window is how many tokens a prompt can have, 0 if that is not known.
func (t *Target) window() int64 {
	if t.Context == 0 || t.MaxInput > 0 && t.MaxInput < t.Context {
		return t.MaxInput
	}
	return t.Context
}

// longest is how many tokens an answer can have, 0 if that is not known.
func (t *Target) longest() int64 {
	if t.MaxOutput > 0 {
		return t.MaxOutput
	}
	return t.Context
}

// worstOutput is the most tokens that one answer can have.
func worstOutput(a *Answer, t *Target, n *Need) int64 {
	longest := t.longest()
	switch {
	case a.None:
		return 0
	case n.Capped && a.Most > 0 && (longest == 0 || a.Most < longest):
		return a.Most
	case longest > 0:
		return longest
	case n.Capped && n.Unbound == Bound:
		n.Unbound = NoMaximum
	default:
		n.Unbound = NoLimits
	}
	return 0
}

// usualInput is how many tokens the prompt likely has: the estimate, corrected by what estimates came to at the model.
func usualInput(p *Prompt, t *Target, h Habit) int64 {
	n := p.Estimate
	if h.Reckoned > 0 {
		n = product(n, h.Told) / h.Reckoned
	}
	if window := t.window(); window > 0 {
		n = min(n, window)
	}
	return n
}

// usualOutput is how many tokens one answer likely has at most.
func usualOutput(a *Answer, t *Target, h Habit) int64 {
	if a.None {
		return 0
	}
	n := cmp.Or(h.Output, unknownOutput)
	for _, bound := range [...]int64{a.Most, t.longest()} {
		if bound > 0 {
			n = min(n, bound)
		}
	}
	return n
}

// pair is what a token costs that is read, and one that is written.
type pair struct{ in, out money.PerToken }

// plain are the rates of plain text.
func plain(price *money.Price, input int64, tier string) pair {
	if price == nil {
		return pair{}
	}
	rates, _ := price.For(input, tier)
	return pair{rates.Fresh, rates.Text}
}

// dearest are the highest rates that a prompt of at most input tokens can be charged: a vendor may serve another tier than the one asked
// for, a shorter prompt may cost more than a longer one, and any part may be written to a cache.
func dearest(p *Prompt, a *Answer, price *money.Price, input int64) (most pair) {
	if price == nil {
		return pair{}
	}
	among := func(r *money.Rates) {
		most.in = max(most.in, r.Fresh, r.CacheRead, r.CacheWrite)
		most.out = max(most.out, r.Text, r.Reasoning)
		if p.Hour {
			most.in = max(most.in, r.CacheWrite1h)
		}
		if p.Opaque {
			most.in = max(most.in, r.AudioIn, r.ImageIn)
		}
		if a.Media {
			most.out = max(most.out, r.AudioOut, r.ImageOut)
		}
	}
	steps := func(rates *money.Rates, long []money.Step) {
		among(rates)
		for i := range long {
			if input > long[i].Above {
				among(&long[i].Rates)
			}
		}
	}
	steps(&price.Rates, price.Long)
	for i := range price.Tiers {
		if tier := &price.Tiers[i]; tier.Name == p.Tier {
			steps(&tier.Rates, tier.Long)
		}
	}
	return most
}

// take is what so many tokens are at these rates.
func (t *Target) take(rates pair, input, output int64) Take {
	take := Take{Tokens: min(input+output, largest), Output: output, Rate: rates.out}
	if t.Price == nil {
		take.Money, take.Prompt = t.Unpriced.Cost, t.Unpriced.Cost
		return take
	}
	price := money.Price{Rates: money.Rates{Fresh: rates.in, Text: rates.out}, Request: t.Price.Request}
	take.Prompt, _ = price.Cost(&llm.Usage{Fresh: input})
	take.Money, _ = price.Cost(&llm.Usage{Fresh: input, Text: output})
	take.Money, take.Prompt = min(take.Money, largest), min(take.Prompt, largest)
	return take
}

// room is how many tokens of output fit in the limit beside the prompt.
func (t *Take) room(u Unit, limit int64) int64 {
	if u == Tokens {
		return max(limit-(t.Tokens-t.Output), 0)
	}
	left := limit - t.Prompt
	if left <= 0 || t.Rate == 0 {
		return 0
	}
	const pico = 1000
	return min(product(left-1, pico)/t.Rate, money.MaxTokens) // one less: two sums are rounded
}

// grown is t with more tokens of output.
func (t *Take) grown(more int64) Take {
	const pico = 1000
	g := *t
	g.Output = min(g.Output+more, largest)
	g.Tokens = min(g.Tokens+more, largest)
	g.Money = min(g.Money+(product(more, t.Rate)+pico-1)/pico, largest)
	return g
}

// largest is more than any budget, and the largest amount that is added up: three of them do not overflow.
const largest = 1 << 60

// product is a·b, or largest if that is more. Neither is negative.
func product(a, b int64) int64 {
	if b != 0 && a > largest/b {
		return largest
	}
	return a * b
}
