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
		time.Sleep(time.Second)
		synctest.Wait()
		if len(d.lines) != 0 {
			t.Errorf("%d readers are remembered who have left", len(d.lines))
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
		if len(d.lines) != 0 {
			t.Errorf("%d readers are remembered who have left", len(d.lines))
		}
	})
}
