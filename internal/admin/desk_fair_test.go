package admin

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A reader who asks for hundreds of reports at once has one in the queue, so that another one waits for one report of his and not for all.
func TestOneReaderDoesNotKeepOthersWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(8)
		ctx, cancel := context.WithCancel(t.Context())
		for range 300 {
			go func() {
				leave, err := d.take(ctx, "greedy")
				if err != nil {
					return
				}
				time.Sleep(100 * time.Millisecond)
				leave()
			}()
		}
		synctest.Wait()
		for range 3 {
			begun := time.Now()
			report(t, d, "other", 100*time.Millisecond)
			if took := time.Since(begun); took > 300*time.Millisecond {
				t.Errorf("a report took %v", took)
			}
		}
		cancel()
		synctest.Wait()
		time.Sleep(time.Minute)
		report(t, d, "third", time.Millisecond)
		if len(d.lines) != 1 {
			t.Errorf("%d readers are remembered who have left", len(d.lines)-1)
		}
	})
}

// A reader's second report waits for its first, until its time is up or the reader leaves. After that it delays nothing.
func TestReportsOfOneReaderWaitForEachOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(8)
		leave, err := d.take(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		left, end := context.WithTimeout(t.Context(), time.Second)
		defer end()
		if _, err := d.take(left, "one"); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errBusy) {
			t.Error(err)
		}
		if _, err := d.take(t.Context(), "one"); !errors.Is(err, errBusy) {
			t.Error(err)
		}
		leave()
		begun := time.Now()
		if report(t, d, "one", time.Second); time.Since(begun) != time.Second {
			t.Errorf("a report took %v", time.Since(begun))
		}
	})
}

// A reader who asks without end gets a small part of the time when the work of hundreds of pages is done, and more again after a rest. Another reader is not
// held up by that.
func TestAReaderWhoGoesOnAskingGetsLess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const long = 200 * time.Millisecond
		d := newDesk(2)
		work := func(reader string, during time.Duration) (made time.Duration) {
			for end := time.Now().Add(during); time.Now().Before(end); {
				leave, err := d.take(t.Context(), reader)
				if owes := spent(0); errors.As(err, &owes) && owes > 0 && time.Duration(owes) < mostOwed {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(long)
				leave()
				made += long
			}
			return made
		}
		const hours = 6
		whole := readerAhead + hours*time.Hour*2/readerShare
		if made := work("greedy", hours*time.Hour); made < whole-2*long || made > whole+2*long {
			t.Errorf("a reader got %v of %d hours", made, hours)
		}
		if made := work("other", time.Minute); made < 14*time.Second {
			t.Errorf("another reader got %v of a minute", made)
		}
		time.Sleep(readerAhead * readerShare / 2)
		if made := work("greedy", time.Minute); made < 14*time.Second {
			t.Errorf("a reader got %v of the minute after a rest", made)
		}
	})
}

// A page that takes much and is fetched again each minute has all its reports all day, on one processor, too. One report that is very slow costs its reader ten
// minutes.
func TestAPageThatIsLeftOpenIsServed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(1)
		for range 24 * 60 {
			report(t, d, "page", 115*time.Millisecond)
			time.Sleep(time.Minute)
		}
		for range 3 {
			report(t, d, "slow", 15*time.Second)
		}
		time.Sleep(mostOwed)
		report(t, d, "slow", 15*time.Second)
		if _, err := d.take(t.Context(), "slow"); !errors.As(err, new(spent)) {
			t.Error(err)
		}
		time.Sleep(mostOwed)
		report(t, d, "slow", time.Second)
	})
}
