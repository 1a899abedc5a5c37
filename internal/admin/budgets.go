package admin

import (
	"encoding/json"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/llm"
)

// Budgets are those of a key or a team, and how they are kept.
type Budgets struct {
	Budgets []budget.Spec `json:"budgets"` // such as 50usd/month; nil for none
	Reserve *string       `json:"reserve"` // strict or expected; nil without budgets
	Cut     bool          `json:"cut"`     // streams end whose budget has no room for more
	Warn    []int         `json:"warn"`    // percentages of a budget; nil warns of nothing
}

// The words for what a call holds of budgets.
const (
	strictReserve   = "strict"
	expectedReserve = "expected"
)

func showBudgets(p *budget.Policy) Budgets {
	if p == nil {
		return Budgets{}
	}
	reserve := expectedReserve
	if p.Strict {
		reserve = strictReserve
	}
	return Budgets{Budgets: p.Budgets, Reserve: &reserve, Cut: p.Cut, Warn: p.Warn}
}

// budgetList reads a list of budgets, or null for none.
type budgetList struct {
	given bool
	specs []budget.Spec
}

func (l *budgetList) UnmarshalJSON(text []byte) (err error) {
	l.given = true
	var texts []string
	if json.Unmarshal(text, &texts) != nil {
		return &llm.Error{Kind: llm.InvalidType, Message: `a list such as ["50usd/month"], or null for no budget, is expected.`}
	}
	if texts != nil && len(texts) == 0 {
		return &llm.Error{Kind: llm.InvalidValue, Message: "the list is empty: null takes all budgets away."}
	}
	if l.specs, err = budget.ParseAll(texts); err != nil {
		return &llm.Error{Kind: llm.InvalidValue, Message: err.Error() + "."}
	}
	return nil
}

// reserveWord reads what a call holds, or null for what is usual.
type reserveWord struct{ given, strict bool }

func (r *reserveWord) UnmarshalJSON(text []byte) error {
	r.given = true
	var word *string
	if json.Unmarshal(text, &word) == nil {
		if word == nil || *word == expectedReserve {
			return nil
		}
		if r.strict = *word == strictReserve; r.strict {
			return nil
		}
	}
	return &llm.Error{Kind: llm.InvalidValue, Message: `"strict" or "expected" is expected.`}
}

// shareList reads a list of percentages, or null for none.
type shareList struct {
	given bool
	list  []int
}

func (l *shareList) UnmarshalJSON(text []byte) error {
	l.given = true
	if json.Unmarshal(text, &l.list) != nil {
		return &llm.Error{Kind: llm.InvalidType, Message: "a list of whole percentages such as [50, 90], or null for none, is expected."}
	}
	if l.list != nil && len(l.list) == 0 {
		return &llm.Error{Kind: llm.InvalidValue, Message: "the list is empty: null takes all shares away."}
	}
	return nil
}

// budgetValues are what a body says of budgets.
type budgetValues struct {
	budgets budgetList
	reserve reserveWord
	cut     *bool
	warn    shareList
}

func (v *budgetValues) members() []member {
	return []member{{"budgets", &v.budgets}, {"reserve", &v.reserve}, {"cut", &v.cut}, {"warn", &v.warn}}
}

// policy are the budgets of something new, nil for none.
func (v *budgetValues) policy() *budget.Policy {
	p := &budget.Policy{Budgets: v.budgets.specs, Strict: v.reserve.strict, Cut: v.cut != nil && *v.cut, Warn: v.warn.list}
	if len(p.Budgets) == 0 && !p.Strict && !p.Cut && len(p.Warn) == 0 {
		return nil
	}
	return p
}

func (v *budgetValues) change() (c auth.SpendingChange) {
	if v.budgets.given {
		c.Budgets = &v.budgets.specs
	}
	if v.reserve.given {
		c.Strict = &v.reserve.strict
	}
	c.Cut = v.cut
	if v.warn.given {
		c.Warn = &v.warn.list
	}
	return c
}

// BudgetsChange says what a call sets of budgets; nil leaves a thing as it is.
type BudgetsChange struct {
	Budgets *[]budget.Spec // an empty list takes all away
	Reserve *string        // strict or expected
	Cut     *bool
	Warn    *[]int // an empty list warns of nothing
}

// BudgetsOf sets the budgets of something new; nil sets none.
func BudgetsOf(p *budget.Policy) BudgetsChange {
	if p == nil {
		return BudgetsChange{}
	}
	shown := showBudgets(p)
	c := BudgetsChange{Budgets: &p.Budgets, Reserve: shown.Reserve, Cut: &p.Cut}
	if len(p.Warn) > 0 {
		c.Warn = &p.Warn
	}
	return c
}

// budgetsBody is a BudgetsChange as it is sent.
type budgetsBody struct {
	Budgets json.RawMessage `json:"budgets,omitempty"`
	Reserve *string         `json:"reserve,omitempty"`
	Cut     *bool           `json:"cut,omitempty"`
	Warn    json.RawMessage `json:"warn,omitempty"`
}

func (c BudgetsChange) body() budgetsBody {
	body := budgetsBody{Reserve: c.Reserve, Cut: c.Cut}
	if c.Budgets != nil {
		body.Budgets = orNothing(*c.Budgets)
	}
	if c.Warn != nil {
		body.Warn = orNothing(*c.Warn)
	}
	return body
}

// orNothing is a list in JSON, null for an empty one.
func orNothing[T any](list []T) json.RawMessage {
	if len(list) == 0 {
		list = nil
	}
	text, _ := json.Marshal(list) // budgets and numbers can always be written
	return text
}

// BudgetUse is one budget that applies to a key, and what is left of it. Amounts are in billionths of a dollar, or in tokens.
type BudgetUse struct {
	Of        string      `json:"of"` // whose it is: key or team
	ID        string      `json:"id"`
	Name      string      `json:"name"`
	Budget    budget.Spec `json:"budget"`
	Unit      string      `json:"unit"` // nanodollars or tokens
	Most      int64       `json:"most"`
	Used      int64       `json:"used"`
	Held      int64       `json:"held"` // by running requests
	Remaining int64       `json:"remaining"`
	Reset     *time.Time  `json:"reset"`    // nil for one that is never reset
	Forecast  *int64      `json:"forecast"` // used at the end of the period, if it goes on as until now; nil in the first tenth of a period, and without one
}

// Amount is an amount of the budget as people write it.
func (b *BudgetUse) Amount(n int64) string { return b.Budget.Amount(n) }
