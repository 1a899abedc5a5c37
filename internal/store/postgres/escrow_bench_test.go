package postgres

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/weirproxy/weir/internal/escrow"
	"github.com/weirproxy/weir/internal/secret"
)

// BenchmarkExchange is a round trip on one connection, for so many budgets.
func BenchmarkExchange(b *testing.B) {
	for _, budgets := range []int{1, 10, 100} {
		b.Run(fmt.Sprint(budgets), func(b *testing.B) {
			db, err := Open(context.Background(), Options{URL: secret.New(server.Database(b)), Pool: 2})
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			e := NewEscrow(db, nothing)
			s := escrow.Statement{Replica: "r", Epoch: escrow.Epoch{Began: 1}, Number: 1, Whole: true}
			for i := range budgets {
				s.Lines = append(s.Lines, escrow.Line{Name: escrow.Name{Budget: fmt.Sprintf("%03d", i)}, Limit: 1e15, Version: 1})
			}
			if _, err := e.Exchange(b.Context(), &s); err != nil {
				b.Fatal(err)
			}
			s.Whole = false
			for b.Loop() {
				s.Number++
				s.Acked = s.Number - 1
				for i := range s.Lines {
					l := &s.Lines[i]
					l.Wants, l.Need, l.Least, l.Used, l.Keep = true, 1, 1, s.Number, s.Number
				}
				if _, err := e.Exchange(b.Context(), &s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkExchangeOneBudget is a checkout of one budget, which all replicas want at once, on a connection each.
func BenchmarkExchangeOneBudget(b *testing.B) {
	db, err := Open(context.Background(), Options{URL: secret.New(server.Database(b)), Pool: 12})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var replicas atomic.Int64
	b.SetParallelism(4)
	b.RunParallel(func(pb *testing.PB) {
		e := NewEscrow(db, nothing)
		s := escrow.Statement{Replica: fmt.Sprint("r", replicas.Add(1)), Epoch: escrow.Epoch{Began: 1}, Number: 1, Whole: true}
		if _, err := e.Exchange(b.Context(), &s); err != nil {
			b.Error(err)
			return
		}
		s.Whole, s.Lines = false, []escrow.Line{{Name: escrow.Name{Budget: "wanted"}, Limit: 1e15, Version: 1, Wants: true, Need: 1, Least: 1}}
		for pb.Next() {
			s.Number++
			s.Acked, s.Lines[0].Used, s.Lines[0].Keep = s.Number-1, s.Number, s.Number
			if a, err := e.Exchange(b.Context(), &s); err != nil || a.Outcome != escrow.Executed {
				b.Error(a, err)
				return
			}
		}
	})
}
