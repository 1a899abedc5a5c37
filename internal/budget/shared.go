package budget

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Shared names a budget in one of its periods among those that replicas share.
type Shared struct {
	Budget string
	Period int64 // when it began, in seconds since 1970; 0 for a total
}

// Want is what a call needs of one budget.
type Want struct {
	Name    Shared
	Limit   int64
	Version int64 // of the change that set the limit: of two, those who share the budget believe the later one
	Need    int64
	Strict  bool // no call may exceed what is left
}

// Shares are budgets that several Weirs spend together. They may be called concurrently. Only Prepare and Hold wait for anything.
type Shares interface {
	// Prepare makes budgets known, of which nothing is needed yet, with what was spent of them before they were shared.
	Prepare(ctx context.Context, wants []Want) error

	// While returns a context for waiting until budgets are known. It ends early while those who share them cannot be asked.
	While(ctx context.Context) (context.Context, context.CancelFunc)

	// Hold has a call hold what it needs of all budgets, or of none. The reason is 0 if it holds; of says which
	// want it is about. It may wait for a moment.
	Hold(wants []Want) (why Why, of int)

	// Take has a call that runs hold more, whether there is room or not.
	Take(name Shared, more int64)

	// Settle turns what a call held into what it took. A correction holds nothing and may take less than nothing.
	Settle(name Shared, held, took int64)

	// End says that a period is over. Calls that began in it may still run.
	End(name Shared)

	// Used is what was spent, as far as is known.
	Used(name Shared) int64
}

// unitNames are in the names of shared budgets.
var unitNames = [...]string{Dollars: "usd", Tokens: "tok"}

// kindNames are, too.
var kindNames = [...]string{Key: "key", Team: "team"}

// SharedPrefix begins the names of shared budgets that count the unit, and of no others.
func (u Unit) SharedPrefix() string { return unitNames[u] + "/" }

// Share names an owner's budget in the period that began then.
func (o Owner) Share(u Unit, p Period, begin time.Time) Shared {
	s := Shared{Budget: unitNames[u] + "/" + p.String() + "/" + kindNames[o.Kind] + "/" + o.ID}
	if p != Total {
		s.Period = begin.Unix()
	}
	return s
}

// Span is whose budget it is, when, and what it counts.
func (s Shared) Span(loc *time.Location) (Span, Unit, error) {
	parts := strings.SplitN(s.Budget, "/", 4)
	if len(parts) != 4 {
		return Span{}, 0, fmt.Errorf("the store has a budget %q, which this Weir does not know", s.Budget)
	}
	unit, kind := slices.Index(unitNames[:], parts[0]), slices.Index(kindNames[:], parts[2])
	period, ok := parsePeriod(parts[1])
	if unit < 0 || kind < 0 || !ok {
		return Span{}, 0, fmt.Errorf("the store has a budget %q, which this Weir does not know", s.Budget)
	}
	span := Span{Owner: Owner{Kind(kind), parts[3]}}
	if period != Total {
		span.From, span.To = period.Around(time.Unix(s.Period, 0), loc)
	}
	return span, Unit(unit), nil
}

// Of is what an amount is in a unit.
func (u Unit) Of(a Amount) int64 { return a.of(u) }

// Taken adds up what calls took of budgets that replicas share, whichever budgets there are.
type Taken struct {
	loc        *time.Location
	begin, end time.Time // the hour that the last call began in
	begins     [len(periods)]time.Time
	sums       map[Owner]*[len(periods)]map[int64]*Amount
}

// NewTaken has no calls. loc is that of the calendar.
func NewTaken(loc *time.Location) *Taken {
	return &Taken{loc: loc, sums: map[Owner]*[len(periods)]map[int64]*Amount{}}
}

// Add adds a call of a key, and of its team, "" for none.
func (t *Taken) Add(key, team string, began time.Time, took Amount) {
	if began.Before(t.begin) || !began.Before(t.end) {
		t.begin, t.end = Hour.Around(began, t.loc) // all periods are of whole hours
		for p := range periods {
			t.begins[p], _ = Period(p).Around(began, t.loc)
		}
	}
	for _, o := range [...]Owner{{Key, key}, {Team, team}} {
		if o.ID == "" {
			continue
		}
		of := t.sums[o]
		if of == nil {
			of = new([len(periods)]map[int64]*Amount)
			t.sums[o] = of
		}
		for p, begin := range t.begins {
			if of[p] == nil {
				of[p] = map[int64]*Amount{}
			}
			sum := of[p][begin.Unix()]
			if sum == nil {
				sum = new(Amount)
				of[p][begin.Unix()] = sum
			}
			sum.Money += took.Money
			sum.Tokens += took.Tokens
		}
	}
}

// All calls f with each sum that is not 0.
func (t *Taken) All(f func(name Shared, took int64)) {
	for o, of := range t.sums {
		for p, begins := range of {
			for begin, sum := range begins {
				for u := range unitNames {
					if took := sum.of(Unit(u)); took != 0 {
						f(o.Share(Unit(u), Period(p), time.Unix(begin, 0)), took)
					}
				}
			}
		}
	}
}
