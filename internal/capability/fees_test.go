package capability

import (
	"encoding/json"
	"strings"
	"testing"
)

// vendorFees are the models of the second source of prices, by the vendor as the table names it.
type vendorFees map[string][]feesModel

// feesModel is what the second source says of a model, or of several whose names its match takes.
type feesModel struct {
	Match  match
	Prices json.RawMessage // a fees, or a list of them with the time from which each holds
}

// fees are the prices that the first source lacks, and the one by which it is known that both mean the same.
type fees struct {
	Input       *stepped `json:"input_mtok"`
	CacheHour   *stepped `json:"cache_write_1h_mtok"`
	InputImage  *stepped `json:"input_image_mtok"`
	OutputImage *stepped `json:"output_image_mtok"`
	Searches    *float64 `json:"web_searches_kcount"`
	Requests    *float64 `json:"requests_kcount"`
}

// stepped is a price, with others for prompts of more tokens than a number.
type stepped struct {
	Base  float64
	Tiers []struct {
		Start int
		Price float64
	}
}

// UnmarshalJSON implements json.Unmarshaler: a price without steps is a number.
func (s *stepped) UnmarshalJSON(b []byte) error {
	if b[0] != '{' {
		return json.Unmarshal(b, &s.Base)
	}
	type plain stepped
	return json.Unmarshal(b, (*plain)(s))
}

// above is the price of prompts of more tokens than a number, nil without one. The source has some steps at one token less.
func (s *stepped) above(tokens int) *float64 {
	switch {
	case s == nil:
		return nil
	case tokens == 0:
		return &s.Base
	}
	for i := range s.Tiers {
		if at := s.Tiers[i].Start; at == tokens || at == tokens-1 {
			return &s.Tiers[i].Price
		}
	}
	return nil
}

// match says which models are meant, by one of its members.
type match struct {
	Or, And  []match
	Equals   string
	Starts   string `json:"starts_with"`
	Ends     string `json:"ends_with"`
	Contains string
}

func (m match) takes(id string) bool {
	for _, one := range m.Or {
		if one.takes(id) {
			return true
		}
	}
	all := len(m.And) > 0
	for _, one := range m.And {
		all = all && one.takes(id)
	}
	return all || m.Equals == id && id != "" || m.Starts != "" && strings.HasPrefix(id, m.Starts) || m.Ends != "" && strings.HasSuffix(id, m.Ends) ||
		m.Contains != "" && strings.Contains(id, m.Contains)
}

func readFees(t *testing.T, data []byte) vendorFees {
	t.Helper()
	var source []struct {
		ID     string
		Models []feesModel
	}
	if len(data) == 0 {
		return nil
	}
	if err := json.Unmarshal(data, &source); err != nil {
		t.Fatal(err)
	}
	all := vendorFees{}
	for _, vendor := range source {
		name := vendor.ID
		switch name {
		case "aws":
			name = "amazon-bedrock"
		case "x-ai":
			name = "xai"
		}
		all[name] = vendor.Models
	}
	return all
}

// of are the fees of a model, none if the two sources disagree about what a token of its prompts costs.
func (v vendorFees) of(vendor, id string, input *float64) *fees {
	for _, m := range v[vendor] {
		if !m.Match.takes(strings.ToLower(id)) {
			continue
		}
		var f fees
		var dated []struct{ Prices fees }
		if json.Unmarshal(m.Prices, &dated) == nil && len(dated) > 0 {
			f = dated[len(dated)-1].Prices
		} else if json.Unmarshal(m.Prices, &f) != nil {
			return nil
		}
		if input == nil || f.Input == nil || millionths(input) != millionths(&f.Input.Base) {
			return nil
		}
		return &f
	}
	return nil
}

// rates are the classes that the first source lacks, for prompts of more tokens than a number.
func (f *fees) rates(above int) []*float64 {
	if f == nil {
		return nil
	}
	return []*float64{f.CacheHour.above(above), f.InputImage.above(above), f.OutputImage.above(above)}
}

// column are the fees for a thousand searches and calls.
func (f *fees) column() string {
	if f == nil {
		return ""
	}
	return strings.TrimRight(millionths(f.Searches)+","+millionths(f.Requests), ",")
}
