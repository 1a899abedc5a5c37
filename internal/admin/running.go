package admin

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

// Running is a request that runs at this Weir, as far as it has come. What it does not have, or not yet, is nil.
type Running struct {
	Request  string    `json:"request"`
	ClientID *string   `json:"client_id"`
	Instance string    `json:"instance"` // the Weir that it runs at
	Started  time.Time `json:"started"`  // when it came

	Key      string   `json:"key"`
	KeyName  string   `json:"key_name"`
	Team     *string  `json:"team"`
	TeamName *string  `json:"team_name"`
	Tags     []string `json:"tags"` // name=value; never null

	Model    string `json:"model"`
	Endpoint string `json:"endpoint"` // as in the log, which also says the dialect of its caller
	Stream   bool   `json:"stream"`

	Provider *string `json:"provider"` // of the target that was called last, or that answers
	Upstream *string `json:"upstream"`
	Attempts int     `json:"attempts"` // tries at targets; 0 while it waits for a place

	AgeMicros   int64  `json:"age_us"`
	FirstMicros *int64 `json:"first_us"` // from when it came to the first content
	BytesIn     int64  `json:"bytes_in"`
	BytesOut    int64  `json:"bytes_out"`
	Held        int64  `json:"held_nanodollars"` // of budgets in dollars; 0 if none applies
}

// fields are what the log has of the request that an answer is about.
func (r Running) fields() []any {
	return []any{"request_id", r.Request, "key_id", r.Key, "key", r.KeyName}
}

// RunningList is a page of the requests that run, the oldest first.
type RunningList struct {
	Data     []Running `json:"data"`
	Next     *string   `json:"next"`     // the id of the last request of the page; nil after the last page
	Instance string    `json:"instance"` // the Weir that was asked, which knows of no other's
	Admitted int       `json:"admitted"` // how many there are, on this page or not
}

// RunningQuery says which requests are wanted. What is empty admits all.
type RunningQuery struct {
	Key, Team, Model, Provider, Tag string // ids of the key and the team
	After                           string // the id of a request: those that came later
	Limit                           int
}

// runningParams are the parameters of running, which mean what they mean in the list of requests.
var runningParams = []string{"key", "team", "model", "provider", "tag", "cursor", "limit"}

// running answers what runs.
func (h *Handler) running(r *http.Request) (any, error) {
	if err := readQuery(r, runningParams...); err != nil {
		return nil, err
	}
	query, err := h.withIDs(r)
	if err != nil {
		return nil, err
	}
	after := query.Get("cursor")
	if query.Has("cursor") && !isRequestID(after) {
		return nil, &llm.Error{Kind: llm.InvalidValue, Param: "cursor", Message: "This is no cursor of this list: cursor is what next was in the page before."}
	}
	query.Del("cursor")
	q, err := ledger.AskRequests(query, h.Now())
	if err != nil {
		return nil, asked(err)
	}
	list := h.Running(&RunningQuery{Key: q.Key, Team: q.Team, Model: q.Model, Provider: q.Provider, Tag: q.Tag, After: after, Limit: q.Limit})
	if n := len(list.Data); n == q.Limit {
		list.Next = &list.Data[n-1].Request
	}
	return list, nil
}

// isRequestID reports whether a text has the form of an id.
func isRequestID(text string) bool {
	id, ok := strings.CutPrefix(text, "req_")
	return ok && len(id) == 26 && strings.Trim(id, "0123456789ABCDEFGHIJKLMNOPQRSTUV") == ""
}

// cut ends a request that runs.
func (h *Handler) cut(r *http.Request) (any, error) {
	if err := readQuery(r); err != nil {
		return nil, err
	}
	if err := readObject(r); err != nil {
		return nil, err
	}
	id := "req_" + strings.TrimPrefix(r.PathValue("request"), "req_")
	cut, ok := h.Cut(id)
	if !ok {
		return nil, &llm.Error{Kind: llm.NotFound, Message: fmt.Sprintf("No request %s runs at this Weir (%s). It may have ended, or run at another one. GET /admin/v1/running lists what runs here.", llm.Clip(id), h.Running(&RunningQuery{}).Instance)}
	}
	return cut, nil
}

// Running lists requests that run at the Weir that is called. query may have what GET /admin/v1/running takes.
func (c *Client) Running(ctx context.Context, query url.Values) (list RunningList, err error) {
	err = c.call(ctx, http.MethodGet, "/admin/v1/running?"+query.Encode(), nil, &list)
	return list, err
}

// Cut ends a request that runs at the Weir that is called, by its id.
func (c *Client) Cut(ctx context.Context, request string) (cut Running, err error) {
	err = c.call(ctx, http.MethodDelete, "/admin/v1/running/"+url.PathEscape(request), nil, &cut)
	return cut, err
}
