package ledger

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/money"
)

// RequestsParams are the parameters of AskRequests.
var RequestsParams = []string{"key", "team", "model", "provider", "target", "outcome", "status", "flag", "tag", "min_took", "min_cost_nanodollars", "since", "until", "cursor", "limit"}

// AskRequests reads RequestsParams. What is left out is no filter. now is in the time zone whose dates are meant.
func AskRequests(query url.Values, now time.Time) (*RequestsQuery, error) {
	if err := askFilters(query, "key", "team", "model", "provider", "target", "outcome", "tag"); err != nil {
		return nil, err
	}
	q := &RequestsQuery{
		Key: query.Get("key"), Team: query.Get("team"), Model: query.Get("model"), Provider: query.Get("provider"), Target: query.Get("target"), Outcome: query.Get("outcome"), Tag: query.Get("tag"),
		Status: Status(query.Get("status")),
	}
	if query.Has("status") && !slices.Contains(Statuses[:], q.Status) {
		return nil, &AskError{"status", fmt.Sprintf("%q is no status: status is ok, failed or canceled.", q.Status)}
	}
	if query.Has("tag") && !strings.Contains(q.Tag, "=") {
		return nil, &AskError{"tag", "A tag is name=value, as in tag=job=nightly."}
	}
	if query.Has("target") && !strings.Contains(q.Target, "/") {
		return nil, &AskError{"target", "A target is provider/model, as in target=openai/gpt-5."}
	}
	if err := q.askLeast(query); err != nil {
		return nil, err
	}
	var err error
	if q.Flags, err = askFlag(query, flagNames[:len(flagNames)-1]); err != nil { // an adjustment is no call of a request
		return nil, err
	}
	if q.Limit, err = askNumber(query, "limit", defaultPage); err != nil {
		return nil, err
	}
	if q.Before, err = askCursor(query, readSpot); err != nil {
		return nil, err
	}
	q.Span, err = askSpan(query, now, Span{})
	return q, err
}

// askLeast reads how slow and how dear requests are at least.
func (q *RequestsQuery) askLeast(query url.Values) error {
	if query.Has("min_took") {
		took, err := time.ParseDuration(query.Get("min_took"))
		if err != nil || took <= 0 {
			return &AskError{"min_took", "min_took is a duration such as 800ms, 2s or 1m30s."}
		}
		q.MinTook = took
	}
	if query.Has("min_cost_nanodollars") {
		cost, err := strconv.ParseInt(query.Get("min_cost_nanodollars"), 10, 64)
		if err != nil || cost <= 0 {
			return &AskError{"min_cost_nanodollars", "min_cost_nanodollars is a whole number from 1 on: 10000000 is a cent."}
		}
		q.MinCost = money.Nano(cost)
	}
	return nil
}

// Cursor is the spot as a text that can be handed out. A nil spot has none.
func (s *Spot) Cursor() *string {
	if s == nil {
		return nil
	}
	text := base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf("%d-%d", s.Below, s.From)))
	return &text
}

func readSpot(text string) (s Spot, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return s, false
	}
	below, from, _ := strings.Cut(string(raw), "-")
	n, err := strconv.ParseInt(below, 10, 64)
	if err != nil {
		return s, false
	}
	m, err := strconv.ParseInt(from, 10, 64)
	s = Spot{Seq(n), Seq(m)}
	return s, err == nil && 0 < n && n <= m && Seq(m) <= min(s.latest(), maxSeq) && *s.Cursor() == text
}
