package listener

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// When too many refused bodies are read on, the one that comes slowest ends.
func TestTheSlowestDiscardEnds(t *testing.T) {
	t.Parallel()
	d := discards{most: discardAtOnce}
	began := time.Now()
	add := func(read int64, age time.Duration) *discard {
		one := &discard{control: http.NewResponseController(httptest.NewRecorder()), began: began.Add(-age), read: read}
		d.begin(one)
		return one
	}
	slow := add(100, 10*time.Second)
	fast := add(20<<20, time.Second)
	for range discardAtOnce - 2 {
		add(1<<20, time.Second)
	}
	if slow.ended || len(d.bodies) != discardAtOnce {
		t.Fatalf("one ended although there was room: %d", len(d.bodies))
	}
	add(0, 0)
	if !slow.ended || fast.ended || len(d.bodies) != discardAtOnce {
		t.Errorf("slow ended: %v, fast ended: %v, %d bodies", slow.ended, fast.ended, len(d.bodies))
	}
	d.done(fast)
	d.done(slow) // counted out already
	if len(d.bodies) != discardAtOnce-1 {
		t.Errorf("%d bodies", len(d.bodies))
	}
}

// A body that has just begun is not taken for a slow one, or a flood of slow bodies would end each that comes fast.
func TestAFloodOfSlowDiscardsEndsBeforeANewOne(t *testing.T) {
	t.Parallel()
	d := discards{most: 4}
	began := time.Now()
	add := func(read int64, age time.Duration) *discard {
		one := &discard{control: http.NewResponseController(httptest.NewRecorder()), began: began.Add(-age), read: read}
		d.begin(one)
		return one
	}
	for range 4 {
		add(1000, 2*time.Second)
	}
	fresh := add(0, 0)
	for range 3 {
		add(0, 0)
	}
	if fresh.ended {
		t.Error("the new one ended before the slow ones")
	}
}

// Refused bodies never hold all of the connections.
func TestDiscardsHoldAFourthOfTheConnections(t *testing.T) {
	t.Parallel()
	for connections, want := range map[int]int{1: 1, 40: 10, 10_000: discardAtOnce} {
		if got := New(nil, connections, 0, nil).discards.most; got != want {
			t.Errorf("%d connections: %d bodies, want %d", connections, got, want)
		}
	}
}

// trickle is a body that arrives at one byte a second, and its connection.
type trickle struct {
	*httptest.ResponseRecorder
	deadline time.Time
}

func (b *trickle) SetReadDeadline(t time.Time) error {
	b.deadline = t
	return nil
}

func (b *trickle) Read(p []byte) (int, error) {
	if left := time.Until(b.deadline); left < time.Second {
		time.Sleep(left)
		return 0, os.ErrDeadlineExceeded
	}
	time.Sleep(time.Second)
	return 1, nil
}

// A client that sends a refused body slowly does not delay the end of the process, which waits for all
// connections.
func TestDiscardsEndSoonWhenTheListenerIsClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var d discards
		d.most = discardAtOnce
		run := func() (took time.Duration) {
			began := time.Now()
			body := &trickle{ResponseRecorder: httptest.NewRecorder()}
			one := newDiscard(http.NewResponseController(body), began)
			d.begin(one)
			defer d.done(one)
			if one.run(body) {
				t.Error("the body came to its end")
			}
			return time.Since(began)
		}
		if took := run(); took != discardFor {
			t.Errorf("as a rule a body is read for %v", took)
		}
		time.AfterFunc(5*time.Second, func() { d.close(time.Now()) })
		if took := run(); took != 5*time.Second+DiscardIdle {
			t.Errorf("one that is read when the listener is closed is read for %v", took)
		}
		if took := run(); took != DiscardIdle {
			t.Errorf("one that comes after that is read for %v", took)
		}
	})
}
