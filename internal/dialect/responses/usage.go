package responses

import (
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// counts are the figures of a usage object, which overlap.
type counts struct {
	input, cached, written, output, reasoning, total, searches int64
	bill                                                       dialect.Bill
	tier                                                       string
	told, absurd                                               bool
}

func countsOf(usage llm.JSON) (c counts) {
	for name, v := range jsonwalk.Members(usage) {
		v := llm.JSON(v)
		switch string(name) {
		case "input_tokens":
			c.input, c.told = c.tokens(v), true
		case "output_tokens":
			c.output, c.told = c.tokens(v), true
		case "total_tokens":
			c.total = c.tokens(v)
		case "input_tokens_details":
			c.cached, c.written = c.tokens(memberOf(v, "cached_tokens")), c.tokens(memberOf(v, "cache_write_tokens"))
		case "output_tokens_details":
			c.reasoning = c.tokens(memberOf(v, "reasoning_tokens"))
		default:
			c.bill.Read(name, v)
		}
	}
	if !c.told {
		return counts{bill: c.bill}
	}
	return c
}

// tokens is a value as a number of tokens.
func (c *counts) tokens(v llm.JSON) int64 {
	n, _, absurd := v.Tokens()
	c.absurd = c.absurd || absurd
	return n
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
		Fresh: fresh, CacheRead: c.cached, CacheWrite: c.written, Text: output - c.reasoning, Reasoning: c.reasoning, Searches: c.searches, Cost: c.bill.Cost(), Tier: c.tier,
		Absurd: c.absurd,
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
