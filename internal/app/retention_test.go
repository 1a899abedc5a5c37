package app

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/store/storetest"
)

// Rows get old as the steady clock passes, from a day after the newest row at most. A clock that is ahead, at the start or later, makes none
// old; one that is behind makes fewer old.
func TestAges(t *testing.T) {
	t.Parallel()
	row := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		newest       ledger.Seq
		start, clock time.Duration // after the row
		running      time.Duration
		want         time.Duration
	}{
		"in use":                      {ledger.SeqAt(row), time.Minute, 10 * day, 10*day - time.Minute, 10 * day},
		"idle for an hour":            {ledger.SeqAt(row), time.Hour, 2 * time.Hour, time.Hour, 2 * time.Hour},
		"idle for a week":             {ledger.SeqAt(row), 7 * day, 8 * day, day, 2 * day},
		"far ahead at the start":      {ledger.SeqAt(row), 4000 * day, 4000*day + time.Hour, time.Hour, day + time.Hour},
		"set ahead at an hourly tick": {ledger.SeqAt(row), time.Minute, 4000 * day, time.Hour, time.Hour + time.Minute},
		"set back":                    {ledger.SeqAt(row), time.Hour, -10 * day, time.Hour, -10 * day},
		"behind at the start":         {ledger.SeqAt(row), -10 * day, -9 * day, day, -9 * day},
		"without rows":                {0, 0, 3 * day, 3 * day, 3 * day},
	} {
		if got := agesFrom(row.Add(c.start), c.newest).now(row.Add(c.clock), c.running); !got.Equal(row.Add(c.want)) {
			t.Errorf("%s: %v, not %v", name, got, row.Add(c.want))
		}
	}
}

// unread is a store that cannot say what it has.
type unread struct{ *storetest.Memory }

func (unread) Shipped(context.Context, string) (ledger.Position, ledger.Seq, error) {
	return ledger.Position{}, 0, errors.New("locked")
}

func TestAgesWithoutStore(t *testing.T) {
	t.Parallel()
	a := &App{now: time.Now, rows: unread{}}
	if got := a.beginAges(t.Context()).now(time.Now(), 1000*time.Hour); got.Year() > 1 {
		t.Errorf("rows from before %v are old", got)
	}
}
