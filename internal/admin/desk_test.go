package admin

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// report takes so long at the desk.
func report(t *testing.T, d *desk, reader string, took time.Duration) {
	t.Helper()
	leave, err := d.take(t.Context(), reader)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(took)
	leave()
}

// A reader who asks now and then never waits. One who asks without end gets a part of the time, from when on reports are ahead of it.
func TestReportsTakeAPartOfTheTime(t *testing.T) {
	t.Parallel()
	for processors, rest := range map[int]int{1: 8, 2: 4, 4: 2, 8: 1, 64: 1} {
		synctest.Test(t, func(t *testing.T) {
			d, begun := newDesk(processors), time.Now()
			for range 5 {
				report(t, d, "one", 40*time.Millisecond)
			}
			if took := time.Since(begun); took != 200*time.Millisecond {
				t.Errorf("%d processors: a page took %v", processors, took)
			}
			time.Sleep(time.Minute)
			begun = time.Now()
			for range 1000 {
				report(t, d, "one", 20*time.Millisecond)
			}
			// What is ahead at the end is missing, and so is the rest of the last report.
			want := max(20*time.Second, time.Duration(rest)*999*20*time.Millisecond-deskAhead+20*time.Millisecond)
			if took := time.Since(begun); took != want {
				t.Errorf("%d processors: 20 s of reports took %v, want %v", processors, took, want)
			}
		})
	}
}

// Reports are made one after the other. Who waits too long, or leaves, has the place no more.
func TestReportsWaitForEachOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(2)
		leave, err := d.take(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		left, end := context.WithTimeout(t.Context(), time.Second)
		defer end()
		if _, err := d.take(left, "other"); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errBusy) {
			t.Error(err)
		}
		begun := time.Now()
		if _, err := d.take(t.Context(), "other"); !errors.Is(err, errBusy) || time.Since(begun) != longestWait {
			t.Error(err, time.Since(begun))
		}
		leave() // after eleven seconds, which a store that does not answer may take
		begun = time.Now()
		report(t, d, "one", time.Millisecond)
		if took := time.Since(begun); took != mostAhead-deskAhead+time.Millisecond {
			t.Errorf("the next report comes after %v", took)
		}
	})
}
