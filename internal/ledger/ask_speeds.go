package ledger

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// SpeedParams are the parameters of AskSpeeds.
var SpeedParams = []string{"by", "since", "until", "model", "provider", "target"}

// AskSpeeds reads SpeedParams. What is left out is the target, and the last 24 hours. now is in the time zone whose dates are meant.
func AskSpeeds(query url.Values, now time.Time) (*SpeedQuery, error) {
	q := &SpeedQuery{By: ByTarget, Model: query.Get("model"), Provider: query.Get("provider")}
	if err := askFilters(query, "model", "provider", "target"); err != nil {
		return nil, err
	}
	if query.Has("by") {
		q.By = ""
		if err := q.askGroups(strings.Split(query.Get("by"), ",")); err != nil {
			return nil, err
		}
	}
	if query.Has("target") {
		provider, upstream, _ := strings.Cut(query.Get("target"), "/")
		if upstream == "" || q.Provider != "" {
			return nil, &AskError{"target", "A target is provider/model, and has a provider already: target=groq/llama-3.3-70b."}
		}
		q.Provider, q.Upstream = provider, upstream
	}
	var err error
	if q.Span, err = askSpan(query, now, Span{now.Add(-defaultSpan), now}); err != nil {
		return nil, err
	}
	return q, q.askLength(now)
}

// byAll asks for all calls in one line.
const byAll = "all"

// askGroups takes over what is counted by: one grouping at most or the pair of model and target, and one of time.
func (q *SpeedQuery) askGroups(words []string) error {
	if len(words) == 1 && words[0] == byAll {
		return nil
	}
	groups, grains := []string{string(ByTarget), string(ByModel), string(ByProvider)}, []string{string(ByFive), string(ByHour), string(ByDay)}
	for _, word := range words {
		switch {
		case slices.Contains(groups, word) && q.By == "":
			q.By = Grouping(word)
		case q.By == ByModel && word == string(ByTarget) || q.By == ByTarget && word == string(ByModel):
			q.By = ByTargetOf
		case slices.Contains(grains, word) && q.Grain == "":
			q.Grain = Grouping(word)
		case slices.Contains(groups, word) || slices.Contains(grains, word):
			return &AskError{"by", "by has one grouping at most, or model and target, and one of time besides, as in by=target,hour."}
		default:
			return &AskError{"by", fmt.Sprintf("%q is no grouping: by is %s.", word, oneOf(append(append(groups, grains...), byAll)))}
		}
	}
	return nil
}

// askLength refuses a span that is too long for what it is divided into.
func (q *SpeedQuery) askLength(now time.Time) error {
	if q.Grain == ByFive {
		switch {
		case q.By == ByModel || q.By == ByTargetOf || q.Model != "":
			return &AskError{"by", "Counts of five minutes are kept for each target: model does not go with by=5m."}
		case now.Sub(q.Span.Since) > KeptFives:
			return &AskError{"since", "Counts of five minutes are kept for two days: ask for the last 48h, or by hour."}
		}
	}
	usage := UsageQuery{Grain: q.Grain, Span: q.Span}
	return usage.askLength()
}
