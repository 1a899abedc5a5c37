package ledger

import (
	"testing"
	"testing/synctest"
)

// A correction that a crash cut short was not made: it is no orphan, which would be charged, now or at a later start.
func TestACorrectionThatACrashCutsShort(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		l := f.open(t)
		in := large("call")
		if _, err := l.Begin(in, true); err != nil {
			t.Fatal(err)
		}
		in = large("correction")
		in.Adjusts, in.Reason = 1, "the invoice"
		if _, err := l.Begin(in, true); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			f.kill(l)
			l = f.open(t)
			flush(t, l)
			if rows := f.store.byRequest(t); len(rows) != 1 || rows["call"].Flags != Orphaned || l.Stats().Pending != 0 {
				t.Errorf("%+v, %+v", rows, l.Stats())
			}
		}
		closeLedger(t, l)
	})
}
