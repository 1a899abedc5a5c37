package ledger

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// SpeedBuckets is how many ranges of time calls are counted in. Each ends at 1.6 times the end of the one before it; the last has no end.
const SpeedBuckets = 24

// speedEnds are the ends of all ranges but the last.
var speedEnds = func() (ends [SpeedBuckets - 1]time.Duration) {
	end := 20 * time.Millisecond
	for i := range ends {
		ends[i] = end
		end = end * 8 / 5
	}
	return ends
}()

// SpeedWithin is by what factor a time that a report shows may be off: the width of a range, but for the first and the last.
const SpeedWithin = 1.6

// speedBucket is the range that a time is in.
func speedBucket(d time.Duration) int {
	at, _ := slices.BinarySearch(speedEnds[:], d)
	return at
}

// Speeds count calls by how long they took.
type Speeds struct {
	Calls  int64
	Failed int64               // those of which the target is at fault
	First  [SpeedBuckets]int64 // by the time to the first content, of those that had any
	Took   [SpeedBuckets]int64 // by their whole time, of those that were answered
}

// Fields are the counts in the order in which stores keep them.
func (s *Speeds) Fields() (all [2 + 2*SpeedBuckets]*int64) {
	all[0], all[1] = &s.Calls, &s.Failed
	for i := range SpeedBuckets {
		all[2+i], all[2+SpeedBuckets+i] = &s.First[i], &s.Took[i]
	}
	return all
}

// Add adds other counts.
func (s *Speeds) Add(o *Speeds) {
	more := o.Fields()
	for i, field := range s.Fields() {
		*field += *more[i]
	}
}

// atFault are the outcomes that speak against a target, in the words of route.Outcome.
var atFault = [...]string{
	"unreachable", "timeout", "failed", "malformed", "overloaded", "rate_limited", "credential", "stale_credential", "denied", "misconfigured", "model_not_found",
}

// Counted reports whether counts have the row: a correction and a call without an end are in none.
func (r *Row) Counted() bool { return r.Adjusts == 0 && r.Flags&Orphaned == 0 }

// Count adds a row that is Counted.
func (s *Speeds) Count(r *Row) {
	s.Calls++
	if r.First > 0 {
		s.First[speedBucket(r.First)]++
	}
	if r.Outcome == answered {
		s.Took[speedBucket(r.Took)]++
	} else {
		s.Failed += one(slices.Contains(atFault[:], r.Outcome))
	}
}

// Quantile is the time that a share of calls did not exceed, about: it is in the same range as the true one. It is 0 without calls. Of the
// last range, which has no end, it is the beginning.
func Quantile(counts *[SpeedBuckets]int64, share float64) time.Duration {
	var all int64
	for _, n := range counts {
		all += n
	}
	if all == 0 {
		return 0
	}
	rank := share * float64(all)
	for i, n := range counts[:SpeedBuckets-1] {
		if rank <= float64(n) && n > 0 {
			begin := time.Duration(0)
			if i > 0 {
				begin = speedEnds[i-1]
			}
			return begin + time.Duration(float64(speedEnds[i]-begin)*rank/float64(n))
		}
		rank -= float64(n)
	}
	return speedEnds[SpeedBuckets-2]
}

// ByTarget groups speeds by provider and upstream's model together, and ByTargetOf by the logical model besides. ByFive groups by five minutes: of
// these there are counts of calls and failures alone, of the last two days.
const (
	ByTarget   Grouping = "target"
	ByTargetOf Grouping = "model,target"
	ByFive     Grouping = "5m"
)

// between separates a model from its target in a group's name. No model has it in its name.
const between = "\x00"

// KeptFives is how long counts of five minutes are kept.
const KeptFives = 48 * time.Hour

// Five is a span of five minutes, by its number since 1970.
type Five int64

// FiveOf is the five minutes in which t is.
func FiveOf(t time.Time) Five { return Five(floor(t.Unix(), 300)) }

// Begin is when the five minutes began.
func (f Five) Begin() time.Time { return time.Unix(int64(f)*300, 0) }

// SpeedQuery says which calls are counted.
type SpeedQuery struct {
	By       Grouping // ByModel, ByProvider, ByTarget, ByTargetOf, or "" for all together
	Grain    Grouping // ByHour, ByDay, ByFive, or "" for the whole span
	Span     Span
	Model    string // "" for all; not with ByFive
	Provider string
	Upstream string // the provider's own name of a model, with Provider
	Most     int    // lines that the answer may have; 0 for any number
}

// SpeedLine is the counts of one group.
type SpeedLine struct {
	Group string // a model or a provider, or provider/upstream's model; Pair has the parts of a group of ByTargetOf
	At    int64  // where its span of the query's Grain begins: an Hour, a Day or a Five
	Speeds
}

// Parts are what the counts are made of. With ByFive, their times are Fives.
func (q *SpeedQuery) Parts(zones Zones) []Part {
	if q.Grain == ByFive {
		from, to := q.fives()
		return []Part{{Piece: Piece{From: int64(from), To: int64(to)}, Each: true}}
	}
	usage := UsageQuery{Grain: q.Grain, Span: q.Span}
	return usage.Parts(zones)
}

// fives are those that the span is widened to.
func (q *SpeedQuery) fives() (from, to Five) {
	return FiveOf(q.Span.Since), FiveOf(q.Span.Until.Add(5*time.Minute - 1))
}

// Widened is the span that is counted: that of the query, widened to whole hours or five minutes.
func (q *SpeedQuery) Widened() Span {
	if q.Grain != ByFive {
		return q.Span.Widened()
	}
	from, to := q.fives()
	return Span{from.Begin().In(q.Span.Since.Location()), to.Begin().In(q.Span.Until.Location())}
}

// Begin is when the span of a line's time began.
func (q *SpeedQuery) Begin(at int64, zone *time.Location) time.Time {
	switch q.Grain {
	case ByFive:
		return Five(at).Begin().In(zone)
	case ByHour:
		return Hour(at).Begin().In(zone)
	}
	return Day(at).Begin(zone)
}

// Admits reports whether a model and a target are counted.
func (q *SpeedQuery) Admits(model, provider, upstream string) bool {
	return (q.Model == "" || q.Model == model) && (q.Provider == "" || q.Provider == provider) && (q.Upstream == "" || q.Upstream == upstream)
}

// Group is the group of a model and a target.
func (q *SpeedQuery) Group(model, provider, upstream string) string {
	switch q.By {
	case ByModel:
		return model
	case ByProvider:
		return provider
	case ByTarget:
		return provider + "/" + upstream
	case ByTargetOf:
		return model + between + provider + "/" + upstream
	}
	return ""
}

// Pair is the model and the target of a line by ByTargetOf.
func (l *SpeedLine) Pair() (model, target string) {
	model, target, _ = strings.Cut(l.Group, between)
	return model, target
}

// OrderedSpeeds is the order of the lines of an answer: by group, and within a group by time.
func OrderedSpeeds(lines []SpeedLine) []SpeedLine {
	slices.SortFunc(lines, func(a, b SpeedLine) int { return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.At, b.At)) })
	return lines
}
