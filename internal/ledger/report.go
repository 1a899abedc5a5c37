package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/weirproxy/weir/internal/money"
)

// ErrTooLong is the error of a question that took longer than the store lets questions take.
var ErrTooLong = errors.New("the report takes too long")

// ErrTooManyLines is the error of a question whose answer has more lines than answers may have.
var ErrTooManyLines = errors.New("the report has too many lines")

// MostLines is how many lines an answer of the APIs has at most: more would take too much memory.
const MostLines = 20_000

// Reports are what can be asked of a store that keeps rows. Its methods may be called concurrently, and see whole shipments. However many are
// asked and whatever they ask for, shipments and other readers of the store do not wait for them. Usage, Rows and Speeds fail with ErrTooLong in time.
type Reports interface {
	// Usage sums what calls used, a line for each group, in the order that UsageQuery.Ordered gives them. It reads sums and never rows. It fails
	// with ErrTooManyLines rather than answer more than q.Most lines.
	Usage(ctx context.Context, q *UsageQuery) ([]UsageLine, error)
	// Rows returns at most q.Limit rows, the newest first, as Row.Kept says. more says whether there are others behind them.
	Rows(ctx context.Context, q *RowsQuery) (rows []Row, more bool, err error)
	// Speeds counts calls by how long they took, a line for each group, in the order of OrderedSpeeds. It reads counts and never rows. Counts of
	// five minutes are forgotten after KeptFives; the others stay. It fails with ErrTooManyLines rather than answer more than q.Most lines.
	Speeds(ctx context.Context, q *SpeedQuery) ([]SpeedLine, error)
	// Prices returns the texts of prices, of those that the store knows one of, in any order.
	Prices(ctx context.Context, ids []money.ID) ([]PricedAs, error)
	// Verify adds the rows up again and calls differ with each line of the sums that is not what its rows add up to. Rows that were
	// forgotten are not missed.
	Verify(ctx context.Context, differ func(Difference)) (Verified, error)
}

// Keeper forgets what is old.
type Keeper interface {
	// Forget deletes at most limit of the oldest rows that are older than before, and says how many. Sums stay.
	Forget(ctx context.Context, before time.Time, limit int) (int, error)
}

// Unnamed counts the calls that sums have under other, because what their callers chose has no line of its own.
type Unnamed struct {
	Tags    int64 // one for each tag
	Targets int64
}

// Bounded is a store that bounds what callers choose.
type Bounded interface {
	// Unnamed counts since the store was opened.
	Unnamed() Unnamed
}

// Other is the group of all tags that have no line of their own.
const Other = "other"

// RowsQuery says which rows are wanted. A filter that is empty admits all.
type RowsQuery struct {
	Key, Team, Model string
	Request          string // an id without its prefix
	Flags            Flags  // rows that have all of these
	Span             Span   // zero times are no bound
	Before           *Place // rows that come after this place, in the order newest first
	Limit            int
}

// Place is where a row is in the order of rows.
type Place struct {
	Seq      Seq
	Instance string
}

// Difference is a line of the sums that is not what its rows add up to.
type Difference struct {
	Table string // journal, or the store's table of sums
	Line  string // what the line is about
	Sums  Sums   // what it says
	Rows  Sums   // what its rows add up to
}

// Verified is how much was verified: rows, and lines of sums by the hour, by the day or the week, and by tag.
type Verified struct {
	Rows, Hours, Days, Tags int64
}

// Span is a span of time, from Since up to but not at Until.
type Span struct{ Since, Until time.Time }

// Sums are kept by the hour, so a span is widened to whole hours of its time zone.
func (s Span) hours() (from, to Hour) {
	from, to = HourOf(s.Since), HourOf(s.Until)
	if !s.Since.Before(s.Until) {
		return from, from
	}
	if s.Until.After(to.Begin()) {
		to = HourOf(to.Begin().In(s.Until.Location()).Add(time.Hour))
	}
	return from, to
}

// Widened is the span of whole hours that sums are made of.
func (s Span) Widened() Span {
	from, to := s.hours()
	return Span{from.Begin().In(s.Since.Location()), to.Begin().In(s.Until.Location())}
}

// Piece is a part of a span, whose sums come from one kind of lines: those At From and later, and before To.
type Piece struct {
	Days     bool // lines by day, otherwise by hour
	From, To int64
	Day      Day // of lines by hour, which are all of this date
}

// longSpan is from when on whole days are summed by day. A shorter span has few hours.
const longSpan = 48 * time.Hour

// Pieces are what a span's sums are made of: whole days where it is long, and hours. Dates are those of Since's time zone. Days that the span is in only in
// part are left to hours, and these end where the sums of the next day begin, in whatever zone it was summed.
func (s Span) Pieces(zones Zones) []Piece {
	zone := s.Since.Location()
	wide := s.Widened()
	var pieces []Piece
	hours := func(from, to time.Time) {
		for at := from; at.Before(to); {
			day := DayOf(at.In(zone))
			next := (day + 1).Begin(zone)
			if next.After(to) {
				next = to
			}
			pieces = append(pieces, Piece{From: floor(at.Unix(), quarter), To: floor(next.Unix(), quarter), Day: day})
			at = next
		}
	}
	first, from := zones.from(wide.Since)
	last, upto := zones.upto(wide.Until)
	if wide.Until.Sub(wide.Since) <= longSpan || first >= last {
		hours(wide.Since, wide.Until)
		return pieces
	}
	hours(wide.Since, from)
	pieces = append(pieces, Piece{Days: true, From: int64(first), To: int64(last)})
	hours(upto, wide.Until)
	return pieces
}

// Dates are the whole days in which the span is, for sums that are kept by the day alone.
func (s Span) Dates() []Piece {
	last := DayOf(s.Until)
	if s.Until.After(last.Begin(s.Until.Location())) {
		last++
	}
	return []Piece{{Days: true, From: int64(DayOf(s.Since)), To: int64(last)}}
}
