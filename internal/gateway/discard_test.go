package gateway

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// When too many refused bodies are read on, the one that comes slowest ends.
func TestTheSlowestDiscardEnds(t *testing.T) {
	t.Parallel()
	var d discards
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
