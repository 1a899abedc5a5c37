package tables

import (
	"database/sql"
	"encoding/json"

	"github.com/weirproxy/weir/internal/auth"
)

// limits is the column of that name. The members are named as the config and the admin API name them.
type limits struct {
	Requests   int64 `json:"rpm,omitempty"`
	Tokens     int64 `json:"tpm,omitempty"`
	Concurrent int64 `json:"concurrent,omitempty"`
}

func limitsColumn(l auth.Limits) sql.NullString {
	if l == (auth.Limits{}) {
		return sql.NullString{}
	}
	text, _ := json.Marshal(limits(l)) // numbers can always be written
	return sql.NullString{String: string(text), Valid: true}
}

func limitsOf(text []byte) (auth.Limits, error) {
	if len(text) == 0 {
		return auth.Limits{}, nil
	}
	var l limits
	err := json.Unmarshal(text, &l)
	return auth.Limits(l), err
}
