package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

// Usage says what keys used. It reads sums that are kept, so it answers within a fraction of a second.
type Usage interface {
	Usage(ctx context.Context, q *ledger.UsageQuery) ([]ledger.UsageLine, error)
}

// mostReports is how many reports of callers are made at once, one for each key: operators' reports have places of their own in the store.
const mostReports = 2

// ownUsage answers a caller what its own key used, by model, by day or by both.
func (g *Gateway) ownUsage(w http.ResponseWriter, r *http.Request, ev *Event) *llm.Error {
	caller, err := g.caller(r, ev, "usage")
	if err != nil {
		return err
	}
	query := r.URL.Query()
	if err := knownParameters(query, "by", "since", "until"); err != nil {
		return err
	}
	q, asked := ledger.AskUsage(query, time.Now().In(g.zone), ledger.ByModel, ledger.ByDay)
	var wrong *ledger.AskError
	if errors.As(asked, &wrong) {
		return &llm.Error{Kind: llm.InvalidValue, Param: wrong.Param, Message: wrong.Message}
	}
	q.Key, q.Most = caller.KeyID, ledger.MostLines
	end, left := g.reporting.take(r.Context(), q.Key)
	if left != nil {
		return llm.AsError(left)
	}
	defer end()
	lines, failed := g.usage.Usage(r.Context(), q)
	if errors.Is(failed, ledger.ErrTooLong) {
		return &llm.Error{Kind: llm.Overloaded, Message: "Your usage of this span takes too long to add up. Ask for a shorter span, or later.", Cause: failed}
	}
	if errors.Is(failed, ledger.ErrTooManyLines) {
		return &llm.Error{Kind: llm.InvalidValue, Param: "since", Message: fmt.Sprintf("Your usage of this span has more than %d lines. Ask for a shorter span, or by model or day alone.", ledger.MostLines)}
	}
	if failed != nil {
		return llm.AsError(failed)
	}
	return answerJSON(w, r, ev, q.Page(lines, nil))
}

// knownParameters refuses a query with a parameter that is unknown, or that is there twice.
func knownParameters(query url.Values, known ...string) *llm.Error {
	for name, values := range query {
		is := false
		for _, k := range known {
			is = is || k == name
		}
		if !is {
			return &llm.Error{Kind: llm.InvalidValue, Param: name, Message: fmt.Sprintf("%q is no parameter of this call, which is about your own key: it takes by, since and until.", name)}
		}
		if len(values) > 1 {
			return &llm.Error{Kind: llm.InvalidValue, Param: name, Message: fmt.Sprintf("%q is given twice.", name)}
		}
	}
	return nil
}
