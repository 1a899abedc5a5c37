// Package money says what upstream calls cost. It is pure integer arithmetic: prices and amounts are whole numbers, and an amount is
// rounded once.
package money

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Nano is an amount of money in billionths of a US dollar.
type Nano = int64

// Dollars is an amount in dollars as a decimal number, without zeros at its end: "0.000125".
func Dollars(n Nano) string {
	text := fmt.Sprintf("%d.%09d", n/1e9, n%1e9)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// PerToken is what a token costs, in units of 10⁻¹² dollars. That is the price of a million tokens in millionths of a dollar. Unset means
// that the class has no price of its own.
type PerToken = int64

// Unset is the price of a class that the vendor does not list.
const Unset PerToken = -1

// MaxPerToken is the highest price that is understood: ten thousand dollars for a million tokens.
const MaxPerToken PerToken = 1e10

// Rates are the prices of every class of llm.Usage. Set fills the classes that are Unset.
type Rates struct {
	Fresh        PerToken `json:"input"`
	AudioIn      PerToken `json:"input_audio"`
	ImageIn      PerToken `json:"input_image"`
	CacheRead    PerToken `json:"cache_read"`
	CacheWrite   PerToken `json:"cache_write"`
	CacheWrite1h PerToken `json:"cache_write_1h"`
	Text         PerToken `json:"output"`
	Reasoning    PerToken `json:"reasoning"`
	AudioOut     PerToken `json:"output_audio"`
	ImageOut     PerToken `json:"output_image"`
}

// Of returns rates with the two prices that every model has. All other classes are Unset.
func Of(input, output PerToken) Rates {
	return Rates{
		Fresh: input, AudioIn: Unset, ImageIn: Unset, CacheRead: Unset, CacheWrite: Unset, CacheWrite1h: Unset,
		Text: output, Reasoning: Unset, AudioOut: Unset, ImageOut: Unset,
	}
}

// Set gives every class a price. A class without a price costs as much as plain input or output. One exception: a vendor that
// charges for cache writes charges twice the input's price for keeping them for an hour (Anthropic's rule, which Bedrock and Vertex
// share).
func (r Rates) Set() Rates {
	for _, class := range [...]*PerToken{&r.AudioIn, &r.ImageIn, &r.CacheRead, &r.CacheWrite} {
		if *class < 0 {
			*class = r.Fresh
		}
	}
	if r.CacheWrite1h < 0 {
		r.CacheWrite1h = r.CacheWrite
		if r.CacheWrite > r.Fresh {
			r.CacheWrite1h = max(2*r.Fresh, r.CacheWrite)
		}
	}
	for _, class := range [...]*PerToken{&r.Reasoning, &r.AudioOut, &r.ImageOut} {
		if *class < 0 {
			*class = r.Text
		}
	}
	return r
}

// Step are the rates of prompts of more than Above tokens.
type Step struct {
	Above int64 `json:"above"`
	Rates
}

// Tier are the prices of a service tier, by the vendor's name of it: flex, priority.
type Tier struct {
	Name string `json:"name"`
	Rates
	Long []Step `json:"long,omitempty"`
}

// Price is all that a provider charges for one model. A nil *Price is an unknown price. None of its rates is Unset.
type Price struct {
	Rates        // of the standard tier
	Long  []Step `json:"long,omitempty"`  // rates of longer prompts, rising by Above
	Tiers []Tier `json:"tiers,omitempty"` // other service tiers

	Request Nano  `json:"request"` // each call, whatever it uses
	Search  *Nano `json:"search"`  // each web search; nil if unknown
}

// ID names a price by its content: equal prices have the same id, and a price that changes gets another. 0 is no price.
type ID uint64

// JSON is the whole price as text. It must not be called for nil.
func (p *Price) JSON() []byte {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // numbers and names always have a text
	}
	return text
}

// ID returns a hash of the price, FNV-1a over its numbers and names. It makes no garbage, because each call asks for it.
func (p *Price) ID() ID {
	if p == nil {
		return 0
	}
	h := hash(offsetFNV)
	h.rates(&p.Rates)
	h.steps(p.Long)
	h.number(int64(len(p.Tiers)))
	for i := range p.Tiers {
		t := &p.Tiers[i]
		h.text(t.Name)
		h.rates(&t.Rates)
		h.steps(t.Long)
	}
	h.number(p.Request)
	if p.Search != nil {
		h.number(*p.Search)
	}
	return ID(max(h, 1))
}

// hash is FNV-1a in 64 bits, of which the standard library's makes an allocation.
type hash uint64

const (
	offsetFNV = 14695981039346656037
	primeFNV  = 1099511628211
)

func (h *hash) number(n int64) {
	for range 8 {
		*h = (*h ^ hash(n&0xff)) * primeFNV
		n >>= 8
	}
}

func (h *hash) text(s string) {
	h.number(int64(len(s)))
	for i := range len(s) {
		*h = (*h ^ hash(s[i])) * primeFNV
	}
}

func (h *hash) rates(r *Rates) {
	for _, rate := range [...]PerToken{r.Fresh, r.AudioIn, r.ImageIn, r.CacheRead, r.CacheWrite, r.CacheWrite1h, r.Text, r.Reasoning, r.AudioOut, r.ImageOut} {
		h.number(rate)
	}
}

func (h *hash) steps(all []Step) {
	h.number(int64(len(all)))
	for i := range all {
		h.number(all[i].Above)
		h.rates(&all[i].Rates)
	}
}

// standard are the names that vendors give to the tier that needs no other price.
var standard = [...]string{"", "default", "standard", "standard_only", "auto", "on_demand", "ON_DEMAND", "SERVICE_TIER_STANDARD"}

// Plain is a price by two rates alone.
func Plain(input, output PerToken) *Price { return &Price{Rates: Of(input, output).Set()} }

// For returns the rates of a prompt of so many tokens, cached ones included, that was served by the tier. If the tier has no price of its
// own, priced is false and the rates are those of the standard tier.
func (p *Price) For(prompt int64, tier string) (rates *Rates, priced bool) {
	rates, long, priced := &p.Rates, p.Long, false
	for _, name := range standard {
		priced = priced || name == tier
	}
	for i := range p.Tiers {
		if t := &p.Tiers[i]; t.Name == tier {
			rates, long, priced = &t.Rates, t.Long, true
		}
	}
	for i := range long {
		if prompt > long[i].Above {
			rates = &long[i].Rates
		}
	}
	return rates, priced
}
