package escrow

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkCall is what one call costs that fits, with 100,000 budgets known.
func BenchmarkCall(b *testing.B) {
	r, db := New("r", Epoch{Began: 1}, nil), NewMemory()
	names := make([]Name, 100_000)
	for i := range names {
		names[i] = Name{Budget: fmt.Sprintf("key%06d", i), Period: 1}
		r.Set(names[i], 1<<50, 1)
	}
	r.Learn(db.Exchange(r.State(0), 0), 0)
	for _, name := range names {
		r.Need(name, 1<<40, false, 0)
	}
	r.Learn(db.Exchange(r.State(0), 0), 0)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		name := names[i%len(names)]
		i++
		now := time.Duration(i) * time.Microsecond
		if r.Judge(name, 100, true, now) != Fits {
			b.Fatal("a call does not fit")
		}
		r.Take(name, 100, now)
		r.Settle(name, 100, 50, now)
	}
}

// BenchmarkStatement is what a statement about 100 budgets costs the replica, its answer included, and the database's part in memory.
func BenchmarkStatement(b *testing.B) {
	r, db := New("r", Epoch{Began: 1}, nil), NewMemory()
	names := make([]Name, 100)
	for i := range names {
		names[i] = Name{Budget: fmt.Sprintf("key%06d", i), Period: 1}
		r.Set(names[i], 1<<60, 1)
	}
	r.Learn(db.Exchange(r.State(0), 0), 0)
	b.ReportAllocs()
	for b.Loop() {
		for _, name := range names {
			r.Need(name, 100, false, 0)
		}
		r.Learn(db.Exchange(r.State(0), 0), 0)
	}
}
