package storetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
)

// account is the ledger of a Memory.
type account struct {
	rows      []ledger.Row
	counted   []ledger.Row          // all that were ever there
	there     map[ledger.Place]bool // which rows have been there
	instances []string              // in the order of their coming
	upto      map[string]ledger.Position
	last      map[string]ledger.Seq
	zones     ledger.Zones
	forgotten ledger.Seq
	unnamed   ledger.Unnamed
	prices    map[money.ID][]byte

	hours, days map[ledger.Line]ledger.Sums
	tags        map[ledger.TagLine]ledger.Sums
}

func (a *account) clone() account {
	return account{
		slices.Clone(a.rows), slices.Clone(a.counted), maps.Clone(a.there), slices.Clone(a.instances), maps.Clone(a.upto), maps.Clone(a.last), slices.Clone(a.zones), a.forgotten, a.unnamed, maps.Clone(a.prices),
		maps.Clone(a.hours), maps.Clone(a.days), maps.Clone(a.tags),
	}
}

// Ship implements ledger.Store.
func (m *Memory) Ship(ctx context.Context, s *ledger.Shipment) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := errors.Join(m.fail, ctx.Err()); err != nil {
		return err
	}
	a := &m.account
	if a.upto == nil {
		a.upto, a.last, a.hours, a.days = map[string]ledger.Position{}, map[string]ledger.Seq{}, map[ledger.Line]ledger.Sums{}, map[ledger.Line]ledger.Sums{}
		a.tags, a.there = map[ledger.TagLine]ledger.Sums{}, map[ledger.Place]bool{}
		a.prices = map[money.ID][]byte{}
	}
	if has := a.upto[s.Instance]; has.Before(s.From) {
		return &ledger.ForgotError{Upto: has}
	}
	if !slices.Contains(a.instances, s.Instance) {
		a.instances = append(a.instances, s.Instance)
	}
	if s.Zone != nil && s.Zone.String() != a.zones.Of(1<<62).String() {
		a.zones = append(a.zones, ledger.Zone{Since: slices.Max(append(slices.Collect(maps.Values(a.last)), 0)) + 1, Location: s.Zone})
	}
	a.upto[s.Instance] = s.Upto
	for _, p := range s.Prices {
		a.prices[p.ID] = p.JSON
	}
	var added []ledger.Row
	for _, r := range s.Rows {
		a.last[s.Instance] = max(a.last[s.Instance], r.Seq)
		r.Instance = s.Instance
		at := ledger.Place{Seq: r.Seq, Instance: r.Instance}
		if a.there[at] {
			continue
		}
		a.there[at] = true
		a.rows = append(a.rows, r.Kept())
		added = append(added, r)
	}
	a.counted = append(a.counted, added...)
	slices.SortFunc(a.rows, a.order)
	a.raise(ledger.Sum(added, a.zones.Of))
	return nil
}

// Unnamed implements ledger.Bounded. Of targets, there is no bound.
func (m *Memory) Unnamed() ledger.Unnamed {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.account.unnamed
}

// order is that of time, and of instances where it is the same.
func (a *account) order(x, y ledger.Row) int {
	return cmp.Or(cmp.Compare(x.Seq, y.Seq), cmp.Compare(slices.Index(a.instances, x.Instance), slices.Index(a.instances, y.Instance)))
}

func (a *account) raise(added *ledger.Added) {
	for lines, more := range map[*map[ledger.Line]ledger.Sums]map[ledger.Line]*ledger.LineSums{&a.hours: added.Hours, &a.days: added.Days} {
		for line, sums := range more {
			raise(*lines, line, sums.Sums)
		}
	}
	for line, sums := range added.Tags {
		if _, there := a.tags[line]; !there && a.tagLines(line) >= 1000 {
			line.Tag = ""
			a.unnamed.Tags += sums.Attempts
		}
		raise(a.tags, line, *sums)
	}
}

// tagLines is how many tags of the line's key have a line that day.
func (a *account) tagLines(line ledger.TagLine) (n int) {
	for other := range a.tags {
		if other.Day == line.Day && other.Key == line.Key && other.Tag != "" {
			n++
		}
	}
	return n
}

func raise[K comparable](lines map[K]ledger.Sums, line K, more ledger.Sums) {
	sums := lines[line]
	sums.Add(&more)
	lines[line] = sums
}

// Shipped implements ledger.Store.
func (m *Memory) Shipped(_ context.Context, instance string) (ledger.Position, ledger.Seq, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var last ledger.Seq
	for _, of := range m.account.last {
		last = max(last, of)
	}
	return m.account.upto[instance], last, m.fail
}

// Falsify adds a billionth to what each hour cost, which no row did.
func (m *Memory) Falsify() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for line := range m.account.hours {
		raise(m.account.hours, line, ledger.Sums{Cost: 1})
	}
}

// Usage implements ledger.Reports.
func (m *Memory) Usage(_ context.Context, q *ledger.UsageQuery) ([]ledger.UsageLine, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	sums := map[ledger.UsageLine]ledger.Sums{}
	for _, part := range q.Parts(m.account.zones) {
		m.account.each(q, part.Days, func(at int64, groups map[ledger.Grouping]string, more ledger.Sums) {
			if at < part.From || at >= part.To || q.Key != "" && q.Key != groups[ledger.ByKey] || q.Team != "" && q.Team != groups[ledger.ByTeam] || q.Model != "" && q.Model != groups[ledger.ByModel] {
				return
			}
			if !part.Each {
				at = part.At
			}
			raise(sums, q.LineAt(groups[q.By], groups[q.Then], at), more)
		})
	}
	lines := []ledger.UsageLine{}
	for line, s := range sums {
		line.Sums = s
		lines = append(lines, line)
	}
	lines = q.Ordered(lines)
	if q.Most > 0 && len(lines) > q.Most {
		return nil, ledger.ErrTooManyLines
	}
	return lines, m.fail
}

// each calls f with the lines of the sums that a query is about.
func (a *account) each(q *ledger.UsageQuery, days bool, f func(at int64, groups map[ledger.Grouping]string, sums ledger.Sums)) {
	if q.By == ledger.ByTag || q.Then == ledger.ByTag {
		for line, sums := range a.tags {
			f(int64(line.Day), map[ledger.Grouping]string{ledger.ByKey: line.Key, ledger.ByTag: cmp.Or(line.Tag, ledger.Other)}, sums)
		}
		return
	}
	lines := a.hours
	if days {
		lines = a.days
	}
	for line, sums := range lines {
		f(line.At, map[ledger.Grouping]string{ledger.ByModel: line.Model, ledger.ByKey: line.Key, ledger.ByTeam: line.Team, ledger.ByProvider: line.Provider}, sums)
	}
}

// Speeds implements ledger.Reports.
func (m *Memory) Speeds(_ context.Context, q *ledger.SpeedQuery) ([]ledger.SpeedLine, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var newest ledger.Five
	for i := range m.account.counted {
		newest = max(newest, ledger.FiveOf(m.account.counted[i].Seq.Time()))
	}
	type of struct {
		group string
		at    int64
	}
	found := map[of]*ledger.Speeds{}
	for _, part := range q.Parts(m.account.zones) {
		for i := range m.account.counted {
			r := &m.account.counted[i]
			time, counts := r.Seq.Time().In(m.account.zones.Of(r.Seq)), countsOf(r)
			at := int64(ledger.HourOf(time))
			switch {
			case q.Grain == ledger.ByFive:
				at = int64(ledger.FiveOf(time))
				counts = ledger.Speeds{Calls: counts.Calls, Failed: counts.Failed}
			case part.Days:
				at = int64(ledger.DayOf(time))
			}
			old := q.Grain == ledger.ByFive && at < int64(newest)-int64(ledger.KeptFives.Minutes()/5)
			if at < part.From || at >= part.To || old || counts.Calls == 0 || !q.Admits(r.Model, r.Provider, r.Upstream) {
				continue
			}
			if !part.Each {
				at = part.At
			}
			line := of{q.Group(r.Model, r.Provider, r.Upstream), at}
			if found[line] == nil {
				found[line] = new(ledger.Speeds)
			}
			found[line].Add(&counts)
		}
	}
	lines := []ledger.SpeedLine{}
	for line, counts := range found {
		lines = append(lines, ledger.SpeedLine{Group: line.group, At: line.at, Speeds: *counts})
	}
	if q.Most > 0 && len(lines) > q.Most {
		return nil, ledger.ErrTooManyLines
	}
	return ledger.OrderedSpeeds(lines), m.fail
}

// countsOf are the counts of a row alone.
func countsOf(r *ledger.Row) (counts ledger.Speeds) {
	if r.Counted() {
		counts.Count(r)
	}
	return counts
}

// Rows implements ledger.Reports.
func (m *Memory) Rows(_ context.Context, q *ledger.RowsQuery) (list []ledger.Row, more bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range slices.Backward(m.account.rows) {
		at := r.Seq.Time()
		switch {
		case q.Key != "" && q.Key != r.Key, q.Team != "" && q.Team != r.Team, q.Model != "" && q.Model != r.Model, q.Request != "" && q.Request != r.Request,
			r.Flags&q.Flags != q.Flags, at.Before(q.Span.Since), !q.Span.Until.IsZero() && !at.Before(q.Span.Until),
			q.Before != nil && m.account.order(r, ledger.Row{Seq: q.Before.Seq, Instance: q.Before.Instance}) >= 0:
		case len(list) == q.Limit:
			return list, true, m.fail
		default:
			list = append(list, r)
		}
	}
	return list, false, m.fail
}

// Forget implements ledger.Keeper.
func (m *Memory) Forget(_ context.Context, before time.Time, limit int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return 0, m.fail
	}
	n := 0
	for n < limit && n < len(m.account.rows) && m.account.rows[n].Seq.Time().Before(before) {
		m.account.forgotten = m.account.rows[n].Seq
		n++
	}
	m.account.rows = m.account.rows[n:]
	return n, nil
}

// Verify implements ledger.Reports.
func (m *Memory) Verify(_ context.Context, differ func(ledger.Difference)) (ledger.Verified, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := &m.account
	fresh := account{hours: map[ledger.Line]ledger.Sums{}, days: map[ledger.Line]ledger.Sums{}, tags: map[ledger.TagLine]ledger.Sums{}}
	fresh.raise(ledger.Sum(a.rows, a.zones.Of))
	done := ledger.Verified{Rows: int64(len(a.rows))}
	done.Hours = compare(differ, "hours", a.hours, fresh.hours, func(l ledger.Line) bool { return ledger.SeqAt(ledger.Hour(l.At).Begin()) > a.forgotten })
	done.Days = compare(differ, "days", a.days, fresh.days, func(l ledger.Line) bool { return ledger.SeqAt(ledger.Day(l.At-1).Begin(time.UTC)) > a.forgotten })
	if len(a.tags) < 1000 { // with more, it depends on the order of their coming which have a line
		done.Tags = compare(differ, "tags", a.tags, fresh.tags, func(l ledger.TagLine) bool { return ledger.SeqAt((l.Day - 1).Begin(time.UTC)) > a.forgotten })
	}
	return done, m.fail
}

// compare calls differ with the lines that are not the same in both, and returns how many were compared.
func compare[K comparable](differ func(ledger.Difference), table string, kept, rows map[K]ledger.Sums, whole func(K) bool) (n int64) {
	all := maps.Clone(rows)
	maps.Copy(all, kept)
	for line := range all {
		if !whole(line) {
			continue
		}
		n++
		if kept[line] != rows[line] {
			differ(ledger.Difference{Table: table, Line: fmt.Sprint(line), Sums: kept[line], Rows: rows[line]})
		}
	}
	return n
}

// Prices implements ledger.Reports.
func (m *Memory) Prices(ctx context.Context, ids []money.ID) (known []ledger.PricedAs, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := errors.Join(m.fail, ctx.Err()); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if text := m.account.prices[id]; text != nil {
			known = append(known, ledger.PricedAs{ID: id, JSON: text})
		}
	}
	return known, nil
}
