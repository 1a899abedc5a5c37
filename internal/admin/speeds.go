package admin

import (
	"net/http"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
)

// SpeedRow is how calls fared in one group and span of time. Of the first members it has those of its groupings.
type SpeedRow struct {
	Model    *string    `json:"model,omitempty"`
	Provider *string    `json:"provider,omitempty"`
	Target   *string    `json:"target,omitempty"` // provider/upstream's model
	At       *time.Time `json:"at,omitempty"`     // when the span of time began

	Calls  int64 `json:"calls"`
	Failed int64 `json:"failed"` // of which the target is at fault

	First Quantiles `json:"first"` // to the first content, of calls that had any
	Took  Quantiles `json:"took"`  // the whole call, of those that were answered
}

// Quantiles are times that a share of calls did not exceed. They are nil without calls.
type Quantiles struct {
	Calls int64  `json:"calls"`
	P50   *int64 `json:"p50_us"`
	P90   *int64 `json:"p90_us"`
	P95   *int64 `json:"p95_us"`
	P99   *int64 `json:"p99_us"`
}

// speedPage are all lines of a report of speeds.
type speedPage struct {
	Data   []SpeedRow `json:"data"`
	Next   *string    `json:"next"`  // always null: there is one page
	Since  time.Time  `json:"since"` // the span that was counted: that asked for, widened to whole hours or five minutes
	Until  time.Time  `json:"until"`
	Within float64    `json:"within"` // the factor by which a time may be off that is neither very short nor very long
}

// latency answers how fast calls were, and how many failed.
func (h *Handler) latency(r *http.Request) (any, error) {
	if err := readQuery(r, ledger.SpeedParams...); err != nil {
		return nil, err
	}
	q, err := ledger.AskSpeeds(r.URL.Query(), h.Now())
	if err != nil {
		return nil, asked(err)
	}
	q.Most = ledger.MostLines
	lines, err := h.Reports.Speeds(r.Context(), q)
	if err != nil {
		return nil, tooLong(err)
	}
	zone, wide := h.Now().Location(), q.Widened()
	page := speedPage{Data: make([]SpeedRow, 0, len(lines)), Since: wide.Since, Until: wide.Until, Within: ledger.SpeedWithin}
	for i := range lines {
		page.Data = append(page.Data, showSpeeds(q, &lines[i], zone))
	}
	return page, nil
}

func showSpeeds(q *ledger.SpeedQuery, line *ledger.SpeedLine, zone *time.Location) SpeedRow {
	row := SpeedRow{Calls: line.Calls, Failed: line.Failed, First: quantiles(&line.First), Took: quantiles(&line.Speeds.Took)}
	switch q.By {
	case ledger.ByModel:
		row.Model = &line.Group
	case ledger.ByProvider:
		row.Provider = &line.Group
	case ledger.ByTarget:
		row.Target = &line.Group
	case ledger.ByTargetOf:
		model, target := line.Pair()
		row.Model, row.Target = &model, &target
	}
	if q.Grain != "" {
		at := q.Begin(line.At, zone)
		row.At = &at
	}
	return row
}

func quantiles(counts *[ledger.SpeedBuckets]int64) (q Quantiles) {
	for _, n := range counts {
		q.Calls += n
	}
	if q.Calls == 0 {
		return q
	}
	for to, share := range map[**int64]float64{&q.P50: 0.5, &q.P90: 0.9, &q.P95: 0.95, &q.P99: 0.99} {
		at := ledger.Quantile(counts, share).Microseconds()
		*to = &at
	}
	return q
}
