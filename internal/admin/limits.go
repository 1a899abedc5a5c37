package admin

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
)

// Limits are those of a key or a team; nil is no limit.
type Limits struct {
	RPM        *int64 `json:"rpm"`        // requests a minute
	TPM        *int64 `json:"tpm"`        // tokens a minute, of prompts and answers
	Concurrent *int64 `json:"concurrent"` // requests at once
}

func showLimits(l auth.Limits) Limits {
	return Limits{RPM: orNone(l.Requests), TPM: orNone(l.Tokens), Concurrent: orNone(l.Concurrent)}
}

// orNone is nil for 0.
func orNone(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

// limitValue reads a limit, or null for none.
type limitValue struct {
	given bool
	n     int64
}

func (v *limitValue) UnmarshalJSON(text []byte) error {
	v.given = true
	if string(text) == "null" {
		return nil
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < 1 || n > auth.MaxLimit {
		return &llm.Error{Kind: llm.InvalidValue, Message: "a whole number from 1 to " + strconv.Itoa(auth.MaxLimit) + ", or null for no limit, is expected."}
	}
	v.n = n
	return nil
}

// limitValues are the limits of a body.
type limitValues struct{ rpm, tpm, concurrent limitValue }

func (v *limitValues) members() []member {
	return []member{{"rpm", &v.rpm}, {"tpm", &v.tpm}, {"concurrent", &v.concurrent}}
}

func (v *limitValues) limits() auth.Limits {
	return auth.Limits{Requests: v.rpm.n, Tokens: v.tpm.n, Concurrent: v.concurrent.n}
}

func (v *limitValues) change() auth.LimitsChange {
	given := func(v *limitValue) *int64 {
		if !v.given {
			return nil
		}
		return &v.n
	}
	return auth.LimitsChange{Requests: given(&v.rpm), Tokens: given(&v.tpm), Concurrent: given(&v.concurrent)}
}

// LimitUse is one limit that applies to a key, and what is left of it.
type LimitUse struct {
	Of        string `json:"of"` // whose it is: key, team or model
	ID        string `json:"id"` // of the key or team; the name of the model
	Name      string `json:"name"`
	Limit     string `json:"limit"` // which: rpm, tpm or concurrent
	Most      int64  `json:"most"`
	Used      int64  `json:"used"`
	Remaining int64  `json:"remaining"`
	ResetMS   *int64 `json:"reset_ms"` // until all is back, if nothing else comes; nil for concurrent
}

// LimitList are all limits and budgets that apply to a key.
type LimitList struct {
	Data    []LimitUse  `json:"data"`    // never null
	Budgets []BudgetUse `json:"budgets"` // never null
	Next    *string     `json:"next"`    // always null: they are all
}

// listLimits answers all limits that apply to a key.
func (h *Handler) listLimits(r *http.Request) (any, error) {
	if err := readQuery(r, "key"); err != nil {
		return nil, err
	}
	if !r.URL.Query().Has("key") {
		return nil, &llm.Error{Kind: llm.MissingParameter, Param: "key", Message: "Name a key by its id or name: ?key=app."}
	}
	caller, err := h.caller(r)
	if err != nil {
		return nil, err
	}
	limits, budgets, err := h.Limits(r.Context(), caller)
	if err != nil {
		return nil, err
	}
	return LimitList{Data: append([]LimitUse{}, limits...), Budgets: append([]BudgetUse{}, budgets...)}, nil
}

// LimitsChange says which limits a call sets; nil leaves one as it is, 0 lifts it.
type LimitsChange struct{ RPM, TPM, Concurrent *int64 }

// limitsBody is a LimitsChange as it is sent.
type limitsBody struct {
	RPM        json.RawMessage `json:"rpm,omitempty"`
	TPM        json.RawMessage `json:"tpm,omitempty"`
	Concurrent json.RawMessage `json:"concurrent,omitempty"`
}

func (c LimitsChange) body() limitsBody {
	text := func(n *int64) json.RawMessage {
		switch {
		case n == nil:
			return nil
		case *n == 0:
			return json.RawMessage("null")
		}
		return strconv.AppendInt(nil, *n, 10)
	}
	return limitsBody{text(c.RPM), text(c.TPM), text(c.Concurrent)}
}
