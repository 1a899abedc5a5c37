package admin

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

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

// LimitUse is one limit, and what is left of it.
type LimitUse struct {
	Of        string `json:"of"` // whose it is: key, team, model, target or provider
	ID        string `json:"id"` // of the key or team; the name of the others
	Name      string `json:"name"`
	Limit     string `json:"limit"` // which: rpm, tpm or concurrent
	Most      int64  `json:"most"`
	Used      int64  `json:"used"`
	Remaining int64  `json:"remaining"`
	ResetMS   *int64 `json:"reset_ms"` // until all is back, if nothing else comes; nil for concurrent
}

// LimitList are all limits and budgets that apply to a key, or those of one team, model or target.
type LimitList struct {
	Data    []LimitUse  `json:"data"`    // never null
	Budgets []BudgetUse `json:"budgets"` // never null
	Next    *string     `json:"next"`    // always null: they are all
}

// Limited is whose limits and budgets are asked for. One of these is set.
type Limited struct {
	Caller *auth.Principal // those that apply to its requests
	Team   *auth.Principal // a caller of the team, without a key: the team's own
	Model  string
	Target string // provider/model
}

// limitedParams name what may have limits.
var limitedParams = [...]string{"key", "team", "model", "target"}

// listLimits answers all limits that apply to a key, or those of one team, model or target.
func (h *Handler) listLimits(r *http.Request) (any, error) {
	if err := readQuery(r, limitedParams[:]...); err != nil {
		return nil, err
	}
	of, err := h.limited(r)
	if err != nil {
		return nil, err
	}
	limits, budgets, err := h.Limits(r.Context(), of)
	if err != nil {
		return nil, err
	}
	return LimitList{Data: append([]LimitUse{}, limits...), Budgets: append([]BudgetUse{}, budgets...)}, nil
}

// limited reads whose limits are asked for.
func (h *Handler) limited(r *http.Request) (of Limited, err error) {
	query := r.URL.Query()
	given := slices.DeleteFunc(slices.Clone(limitedParams[:]), func(name string) bool { return !query.Has(name) })
	if len(given) != 1 {
		kind, param := llm.MissingParameter, limitedParams[0]
		if len(given) > 1 {
			kind, param = llm.InvalidValue, given[1]
		}
		return of, &llm.Error{Kind: kind, Param: param, Message: "Name one key, team, model or target: key=app, team=search, model=smart or target=openai/gpt-5."}
	}
	ref := query.Get(given[0])
	switch given[0] {
	case "key":
		of.Caller, err = h.caller(r)
		return of, err
	case "team":
		of.Team, err = h.team(ref)
		return of, err
	case "model":
		of.Model = ref
	default:
		of.Target = ref
	}
	if ref == "" {
		return of, &llm.Error{Kind: llm.InvalidValue, Param: given[0], Message: given[0] + " names nothing: leave it out, or give one."}
	}
	return of, nil
}

// team is a caller of the team with an id or a name.
func (h *Handler) team(ref string) (*auth.Principal, error) {
	team, err := h.Keys.ShowTeam(ref)
	if err != nil {
		return nil, err
	}
	if team.Status() != auth.Active {
		return nil, &llm.Error{Kind: llm.Conflict, Param: "team", Message: fmt.Sprintf("The team %q (%s) is revoked; weir teams list shows all teams.", team.Name, team.ID)}
	}
	return h.Keys.TeamPrincipal(team.ID)
}

// table implements tabular: limits, then budgets.
func (l LimitList) table() [][]string {
	rows := [][]string{{"of", "id", "name", "limit", "most", "used", "remaining", "reset_ms", "held", "unit", "reset", "forecast"}}
	for _, u := range l.Data {
		rows = append(rows, []string{u.Of, u.ID, u.Name, u.Limit, strconv.FormatInt(u.Most, 10), strconv.FormatInt(u.Used, 10), strconv.FormatInt(u.Remaining, 10), numberCell(u.ResetMS), "", "", "", ""})
	}
	for i := range l.Budgets {
		b, reset := &l.Budgets[i], ""
		if b.Reset != nil {
			reset = b.Reset.UTC().Format(time.RFC3339)
		}
		rows = append(rows, []string{
			b.Of, b.ID, b.Name, b.Budget.String(), strconv.FormatInt(b.Most, 10), strconv.FormatInt(b.Used, 10), strconv.FormatInt(b.Remaining, 10), "",
			strconv.FormatInt(b.Held, 10), b.Unit, reset, numberCell(b.Forecast),
		})
	}
	return rows
}

// WriteCSV writes the list as the API does with format=csv.
func (l LimitList) WriteCSV(w io.Writer) error { return WriteCSV(w, l.table()) }

// numberCell is a number in CSV, "" without one.
func numberCell(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
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
