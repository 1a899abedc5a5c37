package importer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/money"
)

// bounds reads what an owner may use. field is the name by which a budget refers to its owner.
func (g *bifrostGovernance) bounds(n *Node, field string) (all bounds) {
	used := map[budget.Period]money.Nano{}
	var specs []budget.Spec
	add := func(from *Node, spec budget.Spec) {
		at := slices.IndexFunc(specs, func(s budget.Spec) bool { return s.Unit == spec.Unit && s.Period == spec.Period })
		if at < 0 {
			specs = append(specs, spec)
			return
		}
		specs[at].Limit = min(specs[at].Limit, spec.Limit)
		g.about(from, Approximate, fmt.Sprintf("there are two budgets for a %s, and the smaller one counts: %s", spec.Period, specs[at]))
	}
	aligned := truth(n.Get("calendar_aligned"))
	for _, one := range g.owned(n, "budget", field) {
		g.holds(n, one)
		spec, spent := g.budget(one, aligned)
		add(one, spec)
		used[spec.Period] = max(used[spec.Period], spent)
	}
	for _, one := range g.owned(n, "rate_limit", field) {
		g.holds(n, one)
		g.rates(one, &all, add)
	}
	if len(specs) == 0 {
		return all
	}
	slices.SortStableFunc(specs, func(a, b budget.Spec) int {
		return cmp.Or(cmp.Compare(a.Period, b.Period), cmp.Compare(a.Unit, b.Unit))
	})
	all.policy = &budget.Policy{Budgets: specs}
	first := true
	for _, spec := range specs {
		switch {
		case spec.Unit != budget.Dollars:
		case first:
			all.spent, first = used[spec.Period], false
		default:
			all.longer = append(all.longer, PeriodSpent{spec.Period, used[spec.Period]})
		}
	}
	return all
}

// index finds budgets and rate limits by their ids and those of their owners.
func (g *bifrostGovernance) index() {
	for _, kind := range []string{"budget", "rate_limit"} {
		for _, one := range g.list(kind + "s") {
			for _, field := range []string{"id", "team_id", "virtual_key_id", "provider_config_id", "customer_id"} {
				if id := one.Get(field).Text(); id != "" {
					by := boundedBy(kind, field, id)
					g.bounded[by] = append(g.bounded[by], one)
				}
			}
		}
	}
}

func boundedBy(kind, field, id string) string { return kind + " " + field + " " + id }

// owned are the budgets or rate limits of an owner: in it, by their id in it, or by its id in them.
func (g *bifrostGovernance) owned(n *Node, kind, field string) (all []*Node) {
	add := func(one *Node) {
		known := func(other *Node) bool {
			return other == one || one.Get("id").Text() != "" && other.Get("id").Text() == one.Get("id").Text()
		}
		if one.IsMap() && !slices.ContainsFunc(all, known) {
			all = append(all, one)
		}
	}
	add(n.Get(kind))
	for _, one := range slices.Concat(n.Get(kind+"s").list(), g.bounded[boundedBy(kind, "id", n.Get(kind+"_id").Text())], g.bounded[boundedBy(kind, field, n.Get("id").Text())]) {
		add(one)
	}
	return all
}

// holds says of a budget or a rate limit of several that each has it for itself.
func (g *bifrostGovernance) holds(n, one *Node) {
	if first := g.holder[one]; first != nil && first != n {
		g.about(one, Manual, "several have it together, which Weir does not have: each has the whole of it here, so give each its part")
	}
	g.holder[one] = n
}

// bifrostSpan is a length of time as Bifrost spells it.
func bifrostSpan(text string) (length time.Duration, whole bool) {
	switch number, unit := strings.TrimRight(text, "MQY"), strings.TrimLeft(text, "0123456789"); unit {
	case "M":
		return span(number + "mo")
	case "Q":
		length, _ = span(number + "mo")
		return 3 * length, false
	case "Y":
		length, _ = span(number + "d")
		return 365 * length, false
	}
	return span(text)
}

// budget is a budget in dollars, and what of it is spent.
func (g *bifrostGovernance) budget(n *Node, aligned bool) (spec budget.Spec, spent money.Nano) {
	limit := nano(json.Number(n.Get("max_limit").Text()))
	switch extra := nano(json.Number(n.Get("override_amount").Text())); n.Get("override_mode").Text() {
	case "forever":
		limit += extra
	case "cycles":
		limit += extra
		g.about(n, Manual, "it is raised for some periods, and here for good: lower it when these are over")
	}
	text := n.Get("reset_duration").Text()
	length, whole := bifrostSpan(text)
	spec = budget.Spec{Unit: budget.Dollars, Period: budget.Total, Limit: min(max(limit, 1), maxDollars*1e9)}
	spent = nano(json.Number(n.Get("current_usage").Text()))
	aligned = aligned || truth(n.Get("calendar_aligned"))
	said := "a budget of " + spec.String()
	switch {
	case limit == 0:
		spent = max(spent, 1)
		g.about(n, Approximate, "max_limit is not above 0: the budget is one in total that is spent")
		g.say(n, Exact, "read")
		return spec, spent
	case length == 0:
		g.about(n, Manual, fmt.Sprintf("reset_duration %q is not known: the budget is one in total", text))
	default:
		period, part, exact := periodOf(length, whole)
		spec.Period, spec.Limit = period, min(max(part(spec.Limit), 1), maxDollars*1e9)
		if spent = min(part(spent), maxDollars*1e9); g.over(n, length, period, aligned) {
			spent = 0
		}
		said = "a budget of " + spec.String()
		switch {
		case !exact:
			g.about(n, Approximate, fmt.Sprintf("reset_duration %s is no period of Weir's: the budget is %s, its part", text, spec))
		case !aligned:
			g.about(n, Approximate, fmt.Sprintf("Bifrost counts from when the budget was made: here each %s of the calendar begins with none used", period))
		}
	}
	g.say(n, Exact, said)
	return spec, spent
}

// over reports whether the period that was counted for has ended, so that Bifrost would set it back with the next request.
func (g *bifrostGovernance) over(n *Node, length time.Duration, period budget.Period, aligned bool) bool {
	last, err := momentOf(n.Get("last_reset").Text())
	if err != nil || last.IsZero() {
		return false
	}
	if begin, _ := period.Around(g.now, time.UTC); aligned && last.Before(begin) {
		return true
	}
	return !g.now.Before(last.Add(length))
}

// rates reads rate limits. Tokens of an hour and longer are a budget in tokens; all else is spread over minutes.
func (g *bifrostGovernance) rates(n *Node, all *bounds, add func(*Node, budget.Spec)) {
	for _, limit := range []struct {
		name string
		to   *int64
	}{{"token", &all.limits.Tokens}, {"request", &all.limits.Requests}} {
		given := n.Get(limit.name + "_max_limit")
		if given.IsNull() {
			continue
		}
		most, ok := given.Int()
		text := n.Get(limit.name + "_reset_duration").Text()
		length, whole := bifrostSpan(text)
		switch {
		case ok && most <= 0:
			all.none = true
			g.about(n, Approximate, fmt.Sprintf("%s_max_limit is %d, which lets nothing through: who has it is revoked here, which is for good", limit.name, most))
		case !ok || length == 0:
			g.about(n, Manual, fmt.Sprintf("%s_max_limit is no number above 0, or has no length of time: it was left out", limit.name))
		case limit.name == "token" && length >= time.Hour:
			period, part, _ := periodOf(length, whole)
			spec := budget.Spec{Unit: budget.Tokens, Period: period, Limit: max(part(most), 1)}
			add(n, spec)
			g.about(n, Approximate, fmt.Sprintf("tokens for %s are a budget here, %s, of which none is used yet", text, spec))
		default:
			minute := share(most, time.Minute, length)
			*limit.to = min(max(minute, 1), auth.MaxLimit)
			switch {
			case minute < 1:
				g.about(n, Manual, fmt.Sprintf("%d %ss for %s are 1 a minute, the least that Weir has, and so more than before: revoke the key if that is too much", most, limit.name, text))
			case length != time.Minute:
				g.about(n, Approximate, fmt.Sprintf("%d %ss for %s are %d a minute", most, limit.name, text, *limit.to))
			}
		}
	}
	g.say(n, Exact, "limits of the key or the team")
}
