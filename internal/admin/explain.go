package admin

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// Explanation is what would become of a request at this moment. What is not known or does not apply is nil.
type Explanation struct {
	Model       string  `json:"model"` // as a caller names it
	Key         *string `json:"key"`   // the name of the key that it is asked for
	MaxAttempts int     `json:"max_attempts"`
	Hedge       *Hedge  `json:"hedge"` // nil if the model is not hedged, or the request is no stream
	Plans       []Plan  `json:"plans"` // those of the model, then those of its fallbacks

	Limits  []LimitUse  `json:"limits"`  // those that apply; never null
	Budgets []BudgetUse `json:"budgets"` // those that apply; never null
	Refused *string     `json:"refused"` // why a limit or a budget would refuse the request; nil if none would
}

// Hedge is what would be done about the first attempt if its stream is late.
type Hedge struct {
	LateMS *int64  `json:"late_ms"` // after how long without content it is; nil if that is not known yet
	Target *string `json:"target"`  // which would be asked as well; nil if none can be
	Budget float64 `json:"budget"`  // the share of the model's requests that may be hedged
}

// Plan is what there is to try of one model of the config.
type Plan struct {
	Route   string     `json:"route"`  // the model's name in the config
	On      []string   `json:"on"`     // for what it is fallen back on; nil for the first
	Policy  string     `json:"policy"` // as the config spells it, like Sticky
	Drawn   bool       `json:"drawn"`  // chance has a part in the order, which is another one for the next request
	Sticky  string     `json:"sticky"`
	Sticks  bool       `json:"sticks"` // something of the request decides which target is first
	Targets []Prospect `json:"targets"`
}

// Prospect is one target of a plan, and its health.
type Prospect struct {
	Target string  `json:"target"` // provider/model
	Turn   *int    `json:"turn"`   // when it is tried, from 1; nil if it is skipped
	Skip   *string `json:"skip"`   // why it is skipped, in the words of the log
	Barred *string `json:"barred"` // which budget has no room for a call there, and what would help; nil if that is not why it is skipped
	Probe  bool    `json:"probe"`  // this request would decide whether the target is well again
	Last   bool    `json:"last"`   // it is down for other keys, and tried only if no other target or fallback is left
	Price  *Price  `json:"price"`  // that holds for the request; nil if unknown
	Cost   *int64  `json:"cost_nanodollars"`
	Health
}

// Price is what a target charges for a request: a million tokens of each class in millionths of a US dollar, fees in billionths.
type Price struct {
	money.Rates
	Request money.Nano  `json:"request_nanodollars"`
	Search  *money.Nano `json:"search_nanodollars"` // nil if unknown
}

const (
	maxExplained   = 16 << 20 // bytes of a request that is to be explained: pictures and long prompts have room in it
	smallExplained = 64 << 10 // of one that waits for no other
)

// toExplain waits until a body may be read, and returns what lets the next one be. Large ones are read and explained one after the other: what they take is
// missing to the requests of callers, and no account has it.
func (h *Handler) toExplain(r *http.Request) (leave func(), err error) {
	if r.ContentLength >= 0 && r.ContentLength <= smallExplained {
		return func() {}, nil
	}
	wait := time.NewTimer(longestWait)
	defer wait.Stop()
	select {
	case h.explaining <- struct{}{}:
		return func() { <-h.explaining }, nil
	case <-r.Context().Done():
		return nil, context.Cause(r.Context())
	case <-wait.C:
		return nil, &llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: fmt.Sprintf("Requests over %d bytes are explained one after the other, and others come first. Ask again in a moment.", smallExplained)}
	}
}

// explain answers what would become of a request: the body's, if there is one.
func (h *Handler) explain(r *http.Request) (any, error) {
	if err := readQuery(r, "model", "key"); err != nil {
		return nil, err
	}
	caller, err := h.caller(r)
	if err != nil {
		return nil, err
	}
	var body []byte
	if r.Method == http.MethodPost {
		leave, err := h.toExplain(r)
		if err != nil {
			return nil, err
		}
		defer leave()
		if body, err = readBody(r); err != nil {
			return nil, err
		}
	}
	model := r.URL.Query().Get("model")
	if model == "" && body == nil {
		return nil, &llm.Error{Kind: llm.MissingParameter, Param: "model", Message: "Name the model: ?model=NAME, or POST a request that names it."}
	}
	explanation, err := h.Explain(r.Context(), caller, model, body)
	if err != nil {
		return nil, err
	}
	if caller.KeyName != "" {
		explanation.Key = &caller.KeyName
	}
	return explanation, nil
}
