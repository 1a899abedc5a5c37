package gateway

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
)

func newRequests() *requests { return &requests{all: map[*running]struct{}{}} }

// causeOf is why a request's context ended, nil if it has not.
func causeOf(ctx context.Context) *llm.Error {
	var err *llm.Error
	_ = errors.As(context.Cause(ctx), &err)
	return err
}

// A request ends by its limit, counted from its start, and not before. It also ends with a drain, even if it comes only then, and
// with its client. A caller that waits for the last one to end is notified once.
func TestRunningRequestsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rs := newRequests()
		ended := func(c <-chan struct{}) bool {
			select {
			case <-c:
				return true
			default:
				return false
			}
		}
		if !ended(rs.whenIdle()) {
			t.Error("nothing runs, and it is not idle")
		}
		var one running
		limited := rs.enter(t.Context(), &one, &auth.Principal{}, 3*time.Second, time.Now().Add(-time.Second))
		var two running
		free := rs.enter(t.Context(), &two, &auth.Principal{}, 0, time.Now())
		client, leave := context.WithCancel(t.Context())
		var three running
		left := rs.enter(client, &three, &auth.Principal{}, time.Hour, time.Now())
		idle := rs.whenIdle()
		leave()
		time.Sleep(1999 * time.Millisecond)
		synctest.Wait()
		if limited.Err() != nil || free.Err() != nil || !errors.Is(context.Cause(left), context.Canceled) || ended(idle) {
			t.Errorf("%v, %v, %v", limited.Err(), free.Err(), context.Cause(left))
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if err := causeOf(limited); err == nil || err.Kind != llm.Timeout || free.Err() != nil {
			t.Errorf("%v, %v", err, free.Err())
		}
		one.done()
		three.done()
		if ended(idle) {
			t.Error("one still runs")
		}
		rs.cut()
		if err := causeOf(free); err == nil || err.Kind != llm.Overloaded {
			t.Errorf("%v", err)
		}
		var four running
		late := rs.enter(t.Context(), &four, &auth.Principal{}, 0, time.Now())
		if err := causeOf(late); err == nil || err.Kind != llm.Overloaded {
			t.Errorf("one that comes after the end: %v", err)
		}
		two.done()
		if ended(idle) {
			t.Error("one still runs")
		}
		four.done()
		if !ended(idle) || !ended(rs.whenIdle()) || rs.idle != nil {
			t.Error("nothing runs, and it is not idle")
		}
	})
}
