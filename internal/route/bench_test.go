package route

import (
	"testing"
	"time"
)

// costs are what every request does, some of it for each of its targets.
func costs() map[string]func(now time.Time) {
	b := NewBoard()
	h, one, three, ill, r := b.Health("p", "m"), b.Credentials("p", 1), b.Credentials("q", 3), b.Credentials("r", 3), b.repeats("m")
	for i := range 64 {
		h.heard(start, time.Duration(i)*time.Millisecond, Pass{})
	}
	ill.Refused(1, 1, start)
	return map[string]func(now time.Time){
		"Health": func(time.Time) { b.Health("p", "m") },
		"BeginEnd": func(now time.Time) {
			_, pass := h.Begin(now, 1, false)
			h.End(now, Answered, pass)
		},
		"BeginEndFailed": func(now time.Time) {
			if ok, pass := h.Begin(now, 1, false); ok {
				h.End(now, Failed, pass)
			}
			_, pass := h.Begin(now, 1, false)
			h.End(now, Answered, pass)
		},
		"State":      func(now time.Time) { h.State(now) },
		"Resting":    func(now time.Time) { h.resting(now, 1) },
		"Score":      func(now time.Time) { h.Score(now, 1) },
		"Heard":      func(now time.Time) { h.heard(now, time.Second, Pass{}) },
		"Late":       func(time.Time) { h.late() },
		"PickOfOne":  func(now time.Time) { one.Pick(now, 1, 0) },
		"Pick":       func(now time.Time) { three.Pick(now, 1, 0) },
		"PickParked": func(now time.Time) { ill.Pick(now, 1, 0) },
		"Good":       func(time.Time) { three.good(0, 1) },
		"Request":    func(now time.Time) { r.request(now, 1) },
		"Repeat":     func(now time.Time) { r.repeat(now, 1, 0.1) },
	}
}

func BenchmarkHealth(b *testing.B) {
	for name, f := range costs() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				f(start.Add(time.Duration(i) * time.Microsecond))
			}
		})
	}
}

func BenchmarkHealthParallel(b *testing.B) {
	for name, f := range costs() {
		b.Run(name, func(b *testing.B) {
			b.RunParallel(func(p *testing.PB) {
				for i := 0; p.Next(); i++ {
					f(start.Add(time.Duration(i) * time.Microsecond))
				}
			})
		})
	}
}

func TestHealthAllocatesNothing(t *testing.T) { // not parallel to tests whose allocations would count
	for name, f := range costs() {
		now := start
		if n := testing.AllocsPerRun(1000, func() {
			now = now.Add(time.Millisecond)
			f(now)
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
