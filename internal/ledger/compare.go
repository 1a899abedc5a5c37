package ledger

import (
	"context"
	"fmt"
	"reflect"
	"time"
)

// Journaled reads rows that a journal still has; a Ledger is one.
type Journaled interface {
	Read(from Position, visit func(at Position, row *Row) error) error
}

// Compare looks in a store for the rows of an instance's journal that were shipped, as far as the journal still has them, and calls differ
// with each that is missing there or is another. It returns how many it looked for, and how many were still waiting to be shipped. It may be
// used while calls are served.
func Compare(ctx context.Context, journal Journaled, instance string, store Store, kept Reports, differ func(Difference)) (looked, waiting int64, err error) {
	upto, _, err := store.Shipped(ctx, instance)
	if err != nil {
		return 0, 0, err
	}
	err = journal.Read(Position{}, func(at Position, row *Row) error {
		if at.after(upto) {
			waiting++
			return nil
		}
		looked++
		found, err := find(ctx, kept, instance, row.Seq)
		if err != nil {
			return err
		}
		want := row.Kept()
		want.Instance = instance
		if found == nil || !reflect.DeepEqual(*found, want) {
			differ(difference(&want, found))
		}
		return nil
	})
	return looked, waiting, err
}

func (p Position) after(other Position) bool {
	return p.Segment > other.Segment || p.Segment == other.Segment && p.Offset > other.Offset
}

// find is the row of an instance, nil if it is missing.
func find(ctx context.Context, kept Reports, instance string, seq Seq) (*Row, error) {
	rows, _, err := kept.Rows(ctx, &RowsQuery{Span: Span{seq.Time(), seq.Time().Add(time.Microsecond)}, Limit: 1 << 10})
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if rows[i].Instance == instance && rows[i].Seq == seq {
			return &rows[i], nil
		}
	}
	return nil, nil
}

func difference(journaled, found *Row) Difference {
	d := Difference{Table: "journal", Line: fmt.Sprintf("call %d of request %s%s, key %s: the store lacks it", journaled.Seq, requestPrefix, journaled.Request, journaled.Key), Rows: journaled.Sums()}
	if found != nil {
		d.Line = fmt.Sprintf("call %d of request %s%s, key %s: the store has another row", journaled.Seq, requestPrefix, journaled.Request, journaled.Key)
		d.Sums = found.Sums()
	}
	return d
}
