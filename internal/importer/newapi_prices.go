package importer

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// newapiPrices are the options that have prices.
var newapiPrices = []string{"ModelRatio", "CompletionRatio", "CacheRatio", "CreateCacheRatio", "ModelPrice", "GroupRatio"}

// newapiRatios are what new-api's options say of prices, by model and by group. A ratio is how much quota one token is, or a multiple of that.
type newapiRatios struct {
	model, completion, cacheRead, cacheWrite, request, group map[string]*big.Rat

	unpriced []string // models whose ratio is known, but not that of their answers
	tooHigh  []string // models that cost more than Weir takes
	rounded  []string // models whose prices have more decimals than Weir's
}

// read reads an option, if it is one of these.
func (r *newapiRatios) read(name string, value *Node) {
	into := map[string]*map[string]*big.Rat{
		"ModelRatio": &r.model, "CompletionRatio": &r.completion, "CacheRatio": &r.cacheRead, "CreateCacheRatio": &r.cacheWrite, "ModelPrice": &r.request, "GroupRatio": &r.group,
	}[name]
	if into == nil {
		return
	}
	*into = map[string]*big.Rat{}
	for _, f := range row(value).fields() {
		if number, ok := rational(f.Value.Text()); ok && number.Sign() >= 0 {
			(*into)[f.Name] = number
		}
	}
}

// ratio is the ratio that all groups have in common; false if they differ.
func (r *newapiRatios) ratio(groups map[string]map[string]bool) (*big.Rat, bool) {
	var common *big.Rat
	for group := range groups {
		one := big.NewRat(1, 1)
		if of := r.group[group]; of != nil {
			one = of
		}
		if common != nil && common.Cmp(one) != 0 {
			return big.NewRat(1, 1), false
		}
		common = one
	}
	if common == nil {
		return big.NewRat(1, 1), true
	}
	return common, true
}

// newapiRate is a price in dollars by its name in Weir.
type newapiRate struct {
	name    string
	dollars *big.Rat
}

// rates are what a model costs, none if that is not known. perUnit is how much quota a dollar is.
func (r *newapiRatios) rates(model string, perUnit, of *big.Rat) []newapiRate {
	times := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	if request := r.request[model]; request != nil {
		return []newapiRate{{"input", new(big.Rat)}, {"output", new(big.Rat)}, {"request", times(request, of)}}
	}
	ratio, completion := r.model[model], r.completion[model]
	if ratio == nil || completion == nil {
		if ratio != nil {
			r.unpriced = append(r.unpriced, model)
		}
		return nil
	}
	input := times(new(big.Rat).Quo(times(ratio, of), perUnit), big.NewRat(1_000_000, 1))
	all := []newapiRate{{"input", input}, {"output", times(input, completion)}}
	if multiple := r.cacheRead[model]; multiple != nil {
		all = append(all, newapiRate{"cache_read", times(input, multiple)})
	}
	if multiple := r.cacheWrite[model]; multiple != nil {
		all = append(all, newapiRate{"cache_write", times(input, multiple)})
	}
	return all
}

// price is what a model costs, as price of a target has it; empty if that is not known.
func (r *newapiRatios) price(model string, perUnit, of *big.Rat) (price []Setting) {
	rounded := false
	for _, rate := range r.rates(model, perUnit, of) {
		text, exact, ok := priceOf(rate.dollars)
		if !ok {
			r.tooHigh = append(r.tooHigh, model)
			return nil
		}
		rounded = rounded || !exact
		price = append(price, Setting{rate.name, Text(text)})
	}
	if rounded {
		r.rounded = append(r.rounded, model)
	}
	return price
}

// prices sets the prices of all targets, and says what of the options cannot be expressed.
func (a *newapi) prices(options *Node) {
	of, common := a.ratios.ratio(a.groups)
	priced := 0
	for _, name := range a.names {
		price := a.ratios.price(name, a.perUnit, of)
		if len(price) > 0 {
			priced++
		}
		for _, leg := range a.legs[name] {
			leg.target.Price = price
		}
	}
	for _, option := range options.list() {
		switch name := option.Get("key").Text(); {
		case option.said || !slices.Contains(newapiPrices, name):
		case a.ratios.model == nil && a.ratios.request == nil:
			a.say(option, Approximate, "left out: without ModelRatio beside it, Weir's own prices count")
		case name == "ModelRatio" || name == "ModelPrice":
			a.say(option, Exact, fmt.Sprintf("price of the targets of %d models", priced))
		case name == "CompletionRatio":
			a.say(option, Approximate, "price.output of the targets: for some models new-api has another ratio in its program, which counts there")
		case name == "CacheRatio" || name == "CreateCacheRatio":
			a.say(option, Exact, "price.cache_read and price.cache_write of the targets")
		case name == "GroupRatio" && common:
			a.say(option, Exact, "the same for all groups of channels: prices are with it")
		default:
			a.say(option, Manual, "groups differ, and prices are the same for all keys here, of ratio 1: divide the budgets of keys and teams by the ratio of their group")
		}
	}
	for _, some := range []struct {
		models []string
		class  Class
		text   string
	}{
		{a.ratios.unpriced, Manual, "new-api has the ratio of output of these models in its program, so Weir's own prices count: set price at their targets if they are to differ"},
		{a.ratios.tooHigh, Manual, fmt.Sprintf("these models cost more than $%d for a million tokens or a request, which Weir does not take, so its own prices count: look at their ratios", maxPrice)},
		{a.ratios.rounded, Approximate, "prices of these models have more decimals than Weir's, which counts in millionths of a dollar, and were rounded"},
	} {
		if slices.Sort(some.models); len(some.models) > 0 {
			a.about(options, some.class, some.text+": "+strings.Join(some.models, ", "))
		}
	}
}
