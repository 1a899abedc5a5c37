package spend

import (
	"context"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/ledger"
)

// Spent is the budget.Source that reads the ledger's sums. They are kept by whole hours of the zone, in which periods begin and end.
type Spent struct {
	Reports ledger.Reports
	Zone    *time.Location
	Ship    func(context.Context) error // returns when the store has all calls that have ended
}

// period is what spans have in common that are read at once.
type period struct {
	kind     budget.Kind
	from, to time.Time
}

// Spent implements budget.Source. Of many owners the sums of a period are read at once.
func (s *Spent) Spent(ctx context.Context, spans []budget.Span) ([]budget.Amount, error) {
	if err := s.Ship(ctx); err != nil {
		return nil, err
	}
	owners := map[period][]int{} // the numbers of the spans
	for i := range spans {
		p := period{spans[i].Owner.Kind, spans[i].From, spans[i].To}
		owners[p] = append(owners[p], i)
	}
	amounts := make([]budget.Amount, len(spans))
	for p, numbers := range owners {
		lines, err := s.Reports.Usage(ctx, s.query(p, spans, numbers))
		if err != nil {
			return nil, err
		}
		spent := make(map[string]budget.Amount, len(lines))
		for i := range lines {
			l := &lines[i]
			spent[l.Group] = budget.Amount{Money: l.Cost, Tokens: l.Input + l.Output}
		}
		for _, i := range numbers {
			amounts[i] = spent[spans[i].Owner.ID]
		}
	}
	return amounts, nil
}

// query asks for the sums of a period, by owner. Those of a single key are found without reading others'.
func (s *Spent) query(p period, spans []budget.Span, numbers []int) *ledger.UsageQuery {
	q := &ledger.UsageQuery{By: ledger.ByKey, Span: ledger.Span{Since: p.from.In(s.Zone), Until: p.to.In(s.Zone)}}
	if p.kind == budget.Team {
		q.By = ledger.ByTeam
	}
	if p.from.IsZero() {
		q.Span.Since = time.Unix(0, 0).In(s.Zone) // no call is older
	}
	if p.to.IsZero() {
		q.Span.Until = time.Date(2200, 1, 1, 0, 0, 0, 0, s.Zone)
	}
	if len(numbers) == 1 && p.kind == budget.Key && !p.from.IsZero() {
		q.Key = spans[numbers[0]].Owner.ID
	}
	return q
}
