package admin

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// Request is one request of a caller: what its calls to upstreams add up to, as far as they have ended. What it did not have is nil.
type Request struct {
	Request  string    `json:"request"`
	ClientID *string   `json:"client_id"`
	Started  time.Time `json:"started"` // when its first call began

	Key     string   `json:"key"`
	KeyName string   `json:"key_name"` // "" if it is unknown
	Team    *string  `json:"team"`
	Tags    []string `json:"tags"` // name=value; never null

	Model    string `json:"model"`    // of the call that decided it: the one that answered, or else the last
	Provider string `json:"provider"` // of the same call, as what follows
	Upstream string `json:"upstream"`
	Code     *int   `json:"upstream_status"`
	Outcome  string `json:"outcome"`

	Status   string   `json:"status"`   // ok, failed or canceled
	Attempts int      `json:"attempts"` // tries at targets
	Calls    int      `json:"calls"`
	Flags    []string `json:"flags"` // of all calls; never null

	Input      int64 `json:"input_tokens"` // this and what follows are sums of all calls
	CacheRead  int64 `json:"cache_read_tokens"`
	CacheWrite int64 `json:"cache_write_tokens"`
	Output     int64 `json:"output_tokens"`
	Reasoning  int64 `json:"reasoning_tokens"`
	Cost       int64 `json:"cost_nanodollars"`
	Estimated  bool  `json:"estimated"` // providers did not report all tokens

	FirstMicros *int64 `json:"first_us"` // from the start of the first call to the first content
	TookMicros  int64  `json:"took_us"`  // to the end of the last call
	OwnMicros   int64  `json:"own_us"`   // what Weir itself took before the first call
}

// RequestPage is a page of requests, the newest first.
type RequestPage struct {
	Data     []Request  `json:"data"`
	Next     *string    `json:"next"`           // a page may have few requests, and yet have a next one
	Searched *time.Time `json:"searched_until"` // all that began after this was looked at; nil for all there is
}

// Trail is a request and its calls.
type Trail struct {
	Request
	Trail []Tried `json:"trail"` // the calls by their numbers, and then their corrections; never null
}

// Tried is a call of a trail, and what its cost by the target's price is made of.
type Tried struct {
	Attempt
	Charges []money.Item `json:"charges"` // nil if the price is unknown, and where its parts do not say all
}

// searchFor is about how long a page of requests is searched for: a reader sees sooner what was found so far, and may go on.
const searchFor = 40 * time.Millisecond

// askRequests reads which requests are asked for, by the parameters that may be given. It returns the query with ids in place of names, too.
func (h *Handler) askRequests(r *http.Request, params []string) (*ledger.RequestsQuery, url.Values, error) {
	if err := readQuery(r, params...); err != nil {
		return nil, nil, err
	}
	query, err := h.withIDs(r)
	if err != nil {
		return nil, nil, err
	}
	q, err := ledger.AskRequests(query, h.Now())
	if err != nil {
		return nil, nil, asked(err)
	}
	return q, query, nil
}

// requests answers requests, the newest first. A page ends after a number of rows, and its search fails in time, whatever is asked for.
func (h *Handler) requests(r *http.Request) (any, error) {
	q, _, err := h.askRequests(r, ledger.RequestsParams)
	if err != nil {
		return nil, err
	}
	q.Patience = searchFor
	found, err := ledger.Requests(r.Context(), h.Reports, q)
	if err != nil {
		return nil, tooLong(err)
	}
	page := RequestPage{Data: make([]Request, 0, len(found.Requests)), Next: found.Next.Cursor()}
	if !found.Searched.IsZero() {
		searched := found.Searched.In(h.Now().Location())
		page.Searched = &searched
	}
	for i := range found.Requests {
		page.Data = append(page.Data, h.showRequest(&found.Requests[i]))
	}
	return page, nil
}

// oneRequest answers a request with its calls.
func (h *Handler) oneRequest(r *http.Request) (any, error) {
	if err := readQuery(r); err != nil {
		return nil, err
	}
	id := r.PathValue("request")
	rows, _, err := h.Reports.Rows(r.Context(), &ledger.RowsQuery{Request: strings.TrimPrefix(id, "req_"), Limit: mostCalls})
	if err != nil {
		return nil, tooLong(err)
	}
	request := ledger.RequestOf(rows)
	if request == nil {
		return nil, &llm.Error{Kind: llm.NotFound, Message: "The ledger has no call of this request. It may have been refused before any was made, it may be running, or its rows are older than ledger.keep. GET /admin/v1/requests lists requests."}
	}
	prices, err := h.pricesOf(r.Context(), request.Calls)
	if err != nil {
		return nil, tooLong(err)
	}
	trail := Trail{Request: h.showRequest(request), Trail: []Tried{}}
	for i := range request.Calls {
		c := &request.Calls[i]
		trail.Trail = append(trail.Trail, Tried{h.showCall(c), charges(c, prices[c.Price])})
	}
	for i := range slices.Backward(rows) {
		if rows[i].Adjusts != 0 {
			trail.Trail = append(trail.Trail, Tried{Attempt: h.showCall(&rows[i])})
		}
	}
	return trail, nil
}

// pricesOf are the prices that calls name, as far as the store knows them.
func (h *Handler) pricesOf(ctx context.Context, calls []ledger.Row) (map[money.ID]*money.Price, error) {
	var ids []money.ID
	for i := range calls {
		if id := calls[i].Price; id != 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	texts, err := h.Reports.Prices(ctx, ids)
	if err != nil {
		return nil, err
	}
	known := map[money.ID]*money.Price{}
	for _, text := range texts {
		var price money.Price
		if err := json.Unmarshal(text.JSON, &price); err != nil {
			return nil, fmt.Errorf("the price %016x in the store cannot be read: %w", uint64(text.ID), err)
		}
		known[text.ID] = &price
	}
	return known, nil
}

// charges are the parts of what a call costs by its price. They must add up: a row does not know of every vendor what it charges for.
func charges(c *ledger.Row, price *money.Price) []money.Item {
	items := price.Items(&c.Usage)
	if items == nil || money.CostOf(items) != c.Listed {
		return nil
	}
	return items
}

// mostCalls is how many calls of a request are shown: a request may embed many inputs, each with a call.
const mostCalls = 1000

func (h *Handler) showCall(r *ledger.Row) Attempt {
	shown := showAttempt(r)
	shown.KeyName = h.keyName(shown.Key)
	return shown
}

func (h *Handler) showRequest(r *ledger.Request) Request {
	head, last, sums := &r.Calls[0], r.Last(), r.Sums()
	shown := Request{
		Request: "req_" + head.Request, ClientID: unlessZero(head.ClientID), Started: r.Began(), Key: head.Key, KeyName: h.keyName(head.Key), Team: unlessZero(head.Team), Tags: []string{},
		Model: last.Model, Provider: last.Provider, Upstream: last.Upstream, Code: unlessZero(last.Status), Outcome: last.Outcome, Status: string(r.Status()), Calls: len(r.Calls),
		Flags: append([]string{}, r.Flags().Names()...), Input: sums.Input, CacheRead: sums.CacheRead, CacheWrite: sums.CacheWrite, Output: sums.Output, Reasoning: sums.Reasoning, Cost: sums.Cost,
		FirstMicros: unlessZero(r.First().Microseconds()), TookMicros: r.Took().Microseconds(), OwnMicros: head.Own.Microseconds(),
	}
	for i := range r.Calls {
		shown.Attempts = max(shown.Attempts, r.Calls[i].Try)
		shown.Estimated = shown.Estimated || r.Calls[i].Source != ledger.Reported
	}
	for _, tag := range head.Tags {
		shown.Tags = append(shown.Tags, tag.String())
	}
	return shown
}
