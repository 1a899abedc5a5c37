package tables

import (
	"database/sql"
	"encoding/json"

	"github.com/weirproxy/weir/internal/budget"
)

// spending is the column of that name.
type spending struct {
	Budgets []budget.Spec `json:"budgets"` // as users write them
	Strict  bool          `json:"strict,omitempty"`
	Cut     bool          `json:"cut,omitempty"`
	Warn    []int         `json:"warn,omitempty"`
}

func spendingColumn(p *budget.Policy) (sql.NullString, error) {
	if p == nil {
		return sql.NullString{}, nil
	}
	text, err := json.Marshal(spending(*p))
	return sql.NullString{String: string(text), Valid: true}, err
}

func spendingOf(text []byte) (*budget.Policy, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var s spending
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	p := budget.Policy(s)
	return &p, nil
}
