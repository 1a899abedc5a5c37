package ledger

import (
	"iter"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/money"
)

// Sums are what calls add up to. Each stops at MaxSum, so that sums of sums stay numbers.
type Sums struct {
	Requests, Attempts           int64
	Input, CacheRead, CacheWrite int64 // Input is all that was read; the others are parts of it
	Output, Reasoning            int64 // Output is all that was written; Reasoning is a part of it
	Cost                         money.Nano
	Orphaned, Estimated, InDoubt int64 // calls that are flagged so, and those whose usage Weir counted
}

// MaxSum is the greatest sum. In billionths, it is nine million dollars.
const MaxSum = 1 << 53

// maxCost is the most that one row adds to a sum, a million dollars: more is a figure that cannot be true.
const maxCost = 1e15

// Fields are the sums in the order in which stores keep them.
func (s *Sums) Fields() [11]*int64 {
	return [...]*int64{
		&s.Requests, &s.Attempts, &s.Input, &s.CacheRead, &s.CacheWrite, &s.Output, &s.Reasoning, &s.Cost, &s.Orphaned, &s.Estimated, &s.InDoubt,
	}
}

// Add adds other sums.
func (s *Sums) Add(o *Sums) {
	more := o.Fields()
	for i, field := range s.Fields() {
		*field = min(*field+*more[i], MaxSum)
	}
}

// Sums are what the row alone adds to sums. A correction is no call of its own.
func (r *Row) Sums() Sums {
	s := Sums{
		Input: r.Usage.Input(), CacheRead: r.Usage.CacheRead, CacheWrite: r.Usage.CacheWrites(), Output: r.Usage.Output(), Reasoning: r.Usage.Reasoning,
		Cost: min(max(r.Cost, -maxCost), maxCost),
	}
	for _, tokens := range [...]*int64{&s.Input, &s.CacheRead, &s.CacheWrite, &s.Output, &s.Reasoning} {
		*tokens = min(*tokens, MaxSum)
	}
	if r.Adjusts != 0 {
		return s
	}
	s.Attempts = 1
	s.Requests = one(r.Call == 0)
	s.Orphaned = one(r.Flags&Orphaned != 0)
	s.Estimated = one(r.Source == Counted)
	s.InDoubt = one(r.Flags&InDoubt != 0)
	return s
}

func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// Line says what a line of the sums is about.
type Line struct {
	At                                   int64 // an Hour or a Day
	Key, Team, Model, Provider, Upstream string
}

// TagLine says what a line of the sums by tag is about.
type TagLine struct {
	Day Day
	Key string
	Tag string // name=value
}

// LineSums are the sums of a line, and all flags that its rows have.
type LineSums struct {
	Sums
	Flags Flags
}

// Added is what rows add to the sums.
type Added struct {
	Hours, Days map[Line]*LineSums
	Tags        map[TagLine]*Sums
}

// Sum adds rows up, by the hours and days of a time zone.
func Sum(rows []Row, zone func(Seq) *time.Location) *Added {
	a := &Added{Hours: make(map[Line]*LineSums, len(rows)), Days: make(map[Line]*LineSums, len(rows)), Tags: map[TagLine]*Sums{}}
	for i := range rows {
		r := &rows[i]
		a.add(r, zone(r.Seq))
	}
	return a
}

func (a *Added) add(r *Row, zone *time.Location) {
	sums, at := r.Sums(), r.Seq.Time().In(zone)
	line := Line{Key: r.Key, Team: r.Team, Model: r.Model, Provider: r.Provider, Upstream: r.Upstream}
	line.At = int64(HourOf(at))
	addLine(a.Hours, line, &sums, r.Flags)
	line.At = int64(DayOf(at))
	addLine(a.Days, line, &sums, r.Flags)
	for tag := range r.TagTexts() {
		addTo(a.Tags, TagLine{DayOf(at), r.Key, tag}, &sums)
	}
}

// TagTexts are the row's tags as reports spell them, each once.
func (r *Row) TagTexts() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, tag := range r.Tags {
			if !slices.Contains(r.Tags[:i], tag) && !yield(tag.String()) {
				return
			}
		}
	}
}

func addLine(lines map[Line]*LineSums, line Line, sums *Sums, flags Flags) {
	there := lines[line]
	if there == nil {
		there = new(LineSums)
		lines[line] = there
	}
	there.Add(sums)
	there.Flags |= flags
}

func addTo[K comparable](lines map[K]*Sums, line K, sums *Sums) {
	there := lines[line]
	if there == nil {
		there = new(Sums)
		lines[line] = there
	}
	there.Add(sums)
}

// String is how reports spell a tag. Its parts are bounded, as all texts that callers choose.
func (t Tag) String() string { return bounded(t.Name) + "=" + bounded(t.Value) }
