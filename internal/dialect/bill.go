package dialect

import (
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Bill is what the members of a usage object say that a call costs. They are the same in every dialect in which a vendor answers: OpenRouter's,
// Vercel's and Avian's (a number of dollars), Perplexity's (an object with the total) and xAI's (in 10⁻¹⁰ dollars). DeepInfra's is by its name an
// estimate.
type Bill struct {
	own, upstream llm.Cost // what the vendor bills, and what the upstream of one that resells bills on the caller's own key
	ownKey        bool
}

// Read takes a member of a usage object, and reports whether it is about the cost.
func (b *Bill) Read(name []byte, v llm.JSON) bool {
	switch string(name) {
	case "cost", "estimated_cost":
		if v.Kind() == '{' {
			v = inside(v, "total_cost")
		}
		b.own = v.Dollars()
	case "cost_in_usd_ticks":
		if n, ok := v.Count(); ok {
			b.own = llm.Cost{Nanodollars: (n + 5) / 10, Known: true}
		}
	case "is_byok":
		b.ownKey = string(v) == "true"
	case "cost_details":
		b.upstream = inside(v, "upstream_inference_cost").Dollars()
	default:
		return false
	}
	return true
}

// Cost is all that is billed.
func (b *Bill) Cost() llm.Cost {
	cost := b.own
	if b.ownKey && cost.Known && b.upstream.Known {
		cost.Nanodollars = min(cost.Nanodollars+b.upstream.Nanodollars, llm.MaxCost)
	}
	return cost
}

// inside is a member of an object, nil if it has none of that name.
func inside(object llm.JSON, name string) llm.JSON {
	for inner, v := range jsonwalk.Members(object) {
		if string(inner) == name {
			return v
		}
	}
	return nil
}
