package postgres

import (
	"context"
	"fmt"
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
