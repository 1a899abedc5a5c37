package responses

import (
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// counts are the figures of a usage object, which overlap.
type counts struct {
	input, cached, written, output, reasoning, total, searches int64
	cost                                                       llm.Cost
	tier                                                       string
	told                                                       bool
}

func countsOf(usage llm.JSON) (c counts) {
	for name, v := range jsonwalk.Members(usage) {
		v := llm.JSON(v)
		n, _ := v.Count()
		switch string(name) {
		case "input_tokens":
			c.input, c.told = n, true
		case "output_tokens":
			c.output, c.told = n, true
		case "total_tokens":
			c.total = n
		case "input_tokens_details":
			c.cached, _ = memberOf(v, "cached_tokens").Count()
			c.written, _ = memberOf(v, "cache_write_tokens").Count()
		case "output_tokens_details":
			c.reasoning, _ = memberOf(v, "reasoning_tokens").Count()
		case "cost": // OpenRouter's
			c.cost = v.Dollars()
		case "cost_in_usd_ticks": // xAI's, in 10⁻¹⁰ dollars
			if n, ok := v.Count(); ok {
				c.cost = llm.Cost{Nanodollars: (n + 5) / 10, Known: true}
			}
		}
	}
	if !c.told {
		return counts{cost: c.cost}
	}
	return c
}

// usage makes the classes disjoint. Vendors whose output has no reasoning in it show so in their total.
func (c *counts) usage() llm.Usage {
	fresh, output := c.input, c.output
	if c.cached+c.written <= c.input {
		fresh -= c.cached + c.written
	}
	if c.reasoning > output || c.reasoning > 0 && c.total == c.input+c.output+c.reasoning {
		output += c.reasoning
	}
	return llm.Usage{
		Fresh: fresh, CacheRead: c.cached, CacheWrite: c.written, Text: output - c.reasoning, Reasoning: c.reasoning, Searches: c.searches, Cost: c.cost, Tier: c.tier,
	}
}

// searchesIn is how many searches of the web are in the items of an answer. They are billed by their number.
func searchesIn(output llm.JSON) (n int64) {
	for _, item := range jsonwalk.Elements(output) {
		if memberOf(item, "type").Text() == "web_search_call" {
			n += searches(item)
		}
	}
	return n
}

// searches is 1 if a call of the search asked for results, and 0 if it opened a page.
func searches(call llm.JSON) int64 {
	if action := memberOf(memberOf(call, "action"), "type").Text(); action == "" || action == "search" {
		return 1
	}
	return 0
}
