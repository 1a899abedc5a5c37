package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/importer"
)

// TestBalances: whatever periods the budgets of a key and its team have, what is counted since each began is what was spent in it.
func TestBalances(t *testing.T) {
	now := time.Date(2026, 3, 11, 12, 30, 0, 0, time.UTC)
	day := time.Date(2026, 3, 11, 0, 0, 0, 0, time.UTC)
	policy := func(periods ...budget.Period) *budget.Policy {
		p := &budget.Policy{}
		for _, period := range periods {
			p.Budgets = append(p.Budgets, budget.Spec{Unit: budget.Dollars, Period: period, Limit: 1})
		}
		return p
	}
	key := balances(nil, app.Balance{Key: "k", Team: "t"}, spending{policy(budget.Day, budget.Month), 2, []importer.PeriodSpent{{Period: budget.Month, Spent: 20}}}, now, time.UTC)
	if got := fmt.Sprint(key); got != fmt.Sprint([]app.Balance{{Key: "k", Team: "t", Cost: 2, At: now}, {Key: "k", Team: "t", Cost: 18, At: day.Add(-time.Second)}}) {
		t.Error(got)
	}
	for _, test := range []struct {
		policy *budget.Policy
		spent  int64
		longer []importer.PeriodSpent
		since  map[budget.Period]int64
	}{
		{policy(budget.Total), 50, nil, map[budget.Period]int64{budget.Total: 50}},
		{policy(budget.Total), 5, nil, map[budget.Period]int64{budget.Total: 5}},
		{policy(budget.Day), 5, nil, map[budget.Period]int64{budget.Day: 5}},
		{policy(budget.Hour, budget.Week, budget.Total), 1, []importer.PeriodSpent{{Period: budget.Week, Spent: 30}, {Period: budget.Total, Spent: 90}}, map[budget.Period]int64{budget.Hour: 1, budget.Week: 30, budget.Total: 90}},
	} {
		all := append(balances(key, app.Balance{Team: "t"}, spending{test.policy, test.spent, test.longer}, now, time.UTC), key...)
		for period, want := range test.since {
			begin, _ := period.Around(now, time.UTC)
			var sum int64
			for _, b := range all {
				if !b.At.Before(begin) {
					sum += b.Cost
				}
			}
			if sum != want {
				t.Errorf("%v: since the %v began %d were spent, and %d are to be: %+v", test.policy.Budgets, period, sum, want, all)
			}
		}
	}
}
