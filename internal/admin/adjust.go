package admin

import (
	"errors"
	"net/http"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

// Adjustment asks for a correction of what a call cost.
type Adjustment struct {
	ID     string `json:"id"`   // a correction with the id of another of the call is made once
	Call   int64  `json:"call"` // the seq of the call's row
	Cost   int64  `json:"cost_nanodollars"`
	Reason string `json:"reason"`
}

// adjusted is the row of a correction.
type adjusted struct{ Attempt }

// fields are what the log says of it.
func (a adjusted) fields() []any {
	return []any{"call", *a.Adjusts, "seq", a.Seq, "request_id", a.Request, "key_id", a.Key, "difference_nanodollars", a.Cost, "reason", *a.Reason, "id", *a.ClientID}
}

// adjust corrects what a call cost.
func (h *Handler) adjust(r *http.Request) (any, error) {
	var a Adjustment
	if err := readQuery(r); err != nil {
		return nil, err
	}
	if err := readObject(r, member{"id", &a.ID}, member{"call", &a.Call}, member{"cost_nanodollars", &a.Cost}, member{"reason", &a.Reason}); err != nil {
		return nil, err
	}
	if h.Correct == nil {
		return nil, &llm.Error{Kind: llm.Conflict, Message: "This Weir records no calls, so there is nothing to correct."}
	}
	row, err := h.Correct(r.Context(), &ledger.Correction{ID: a.ID, Call: ledger.Seq(a.Call), Cost: a.Cost, Reason: a.Reason})
	if errors.Is(err, ledger.ErrUnavailable) {
		return nil, &llm.Error{Kind: llm.LedgerUnavailable, RetryAfter: time.Second, Cause: err, Message: "The correction cannot be recorded at the moment, so it was not made. Send it again later; the log has the reason."}
	}
	if err != nil {
		return nil, asked(err)
	}
	shown := showAttempt(row)
	shown.KeyName = h.keyName(shown.Key)
	return adjusted{shown}, nil
}
