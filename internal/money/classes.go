package money

import "github.com/weirproxy/weir/internal/llm"

// classNames are the names of the classes, in the order of Rates.classes. They are those of Rates in JSON.
var classNames = [...]string{"input", "input_audio", "input_image", "cache_read", "cache_write", "cache_write_1h", "output", "reasoning", "output_audio", "output_image"}

// classes pairs the tokens of a usage with their prices.
func (r *Rates) classes(u *llm.Usage) [10]struct {
	tokens int64
	price  PerToken
} {
	return [10]struct {
		tokens int64
		price  PerToken
	}{
		{u.Fresh, r.Fresh},
		{u.AudioIn, r.AudioIn},
		{u.ImageIn, r.ImageIn},
		{u.CacheRead, r.CacheRead},
		{u.CacheWrite, r.CacheWrite},
		{u.CacheWrite1h, r.CacheWrite1h},
		{u.Text, r.Text},
		{u.Reasoning, r.Reasoning},
		{u.AudioOut, r.AudioOut},
		{u.ImageOut, r.ImageOut},
	}
}

// Item is a part of what a call costs by a price: so many units of a class, at so much each.
type Item struct {
	Class string   `json:"class"` // that of the tokens, by its name in Rates; or search, or request
	Units int64    `json:"units"` // tokens, or searches, or 1 for the request
	Price PerToken `json:"price"` // of one unit
}

// Items are the parts of what the usage costs, those that cost nothing for want of units left out. They are nil where the parts say too little:
// where figures are absurd, where no price is known, and where a vendor charges for other tokens than those that were counted.
func (p *Price) Items(u *llm.Usage) []Item {
	_, doubt := p.Cost(u)
	if doubt&(Absurd|PriceUnknown) != 0 || u.Charged.Known {
		return nil
	}
	rates, _ := p.For(u.Input(), u.Tier)
	items := []Item{}
	add := func(class string, units int64, price PerToken) {
		if units > 0 {
			items = append(items, Item{class, units, price})
		}
	}
	for i, class := range rates.classes(u) {
		add(classNames[i], class.tokens, class.price)
	}
	if p.Search != nil {
		add("search", u.Searches, *p.Search*pico)
	}
	if p.Request > 0 {
		add("request", 1, p.Request*pico)
	}
	return items
}

// CostOf is what items cost together, rounded as a call's cost is.
func CostOf(items []Item) Nano {
	var sum total
	for _, item := range items {
		sum.add(item.Units, item.Price)
	}
	cost, _ := sum.nano()
	return cost
}
