package disk

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// nowhere is a store that takes everything at no cost.
type nowhere struct{}

func (nowhere) Ship(context.Context, *ledger.Shipment) error { return nil }

func (nowhere) Shipped(context.Context, string) (ledger.Position, ledger.Seq, error) {
	return ledger.Position{}, 0, nil
}

func intent() *ledger.Intent {
	return &ledger.Intent{
		Request: "01hzx7v9m2q4t8w1c5n3k7r0ab", ClientID: "3f2a9c1e-7b44-4e0a-9a61-2f0c8d5e1b77", Try: 1, Started: time.Unix(1700000000, 123456789), Key: "key_01hzx7v9m2q4", Team: "team_research",
		Tags: []ledger.Tag{{Name: "app", Value: "search"}}, Model: "smart", Provider: "anthropic", Upstream: "claude-sonnet-4-5", Credential: 1,
		Price: money.Plain(3e6, 15e6).ID(), Held: llm.Usage{Fresh: 1200, Text: 500}, Hold: 11_100_000,
	}
}

func settlement() *ledger.Settlement {
	return &ledger.Settlement{
		Status: 200, Outcome: "answered", Usage: llm.Usage{Fresh: 1000, CacheRead: 200, Text: 300, Reasoning: 40, Tier: "standard"}, Cost: 8_160_000, Listed: 8_160_000,
		UpstreamModel: "claude-sonnet-4-5-20250929", UpstreamID: "msg_01XFDUDYJgAACzvnptvVoYEL", First: 300 * time.Millisecond, Took: 4 * time.Second, Own: 80 * time.Microsecond,
	}
}

func open(tb testing.TB, durability ledger.Durability) *ledger.Ledger {
	tb.Helper()
	folder, err := Open(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	l, err := ledger.Open(context.Background(), ledger.Options{Files: folder, Store: nowhere{}, Log: slog.New(slog.DiscardHandler), Durability: durability})
	if err != nil {
		tb.Fatal(err)
	}
	l.Know([]ledger.PricedAs{{ID: money.Plain(3e6, 15e6).ID(), JSON: money.Plain(3e6, 15e6).JSON()}})
	tb.Cleanup(func() {
		if err := l.Close(context.Background()); err != nil {
			tb.Error(err)
		}
	})
	return l
}

// BenchmarkBeginSettle is what a call costs: its two records.
func BenchmarkBeginSettle(b *testing.B) {
	for _, d := range []ledger.Durability{ledger.Background, ledger.Power} {
		b.Run(fmt.Sprintf("durability=%d", d), func(b *testing.B) {
			l, in, s := open(b, d), intent(), settlement()
			b.ReportAllocs()
			for b.Loop() {
				e, err := l.Begin(in, true)
				if err != nil {
					b.Fatal(err)
				}
				e.Settle(s)
			}
		})
		b.Run(fmt.Sprintf("durability=%d/parallel", d), func(b *testing.B) {
			l := open(b, d)
			b.ReportAllocs()
			b.SetParallelism(32)
			b.RunParallel(func(pb *testing.PB) {
				in, s := intent(), settlement()
				for pb.Next() {
					e, err := l.Begin(in, true)
					if err != nil {
						b.Error(err)
						return
					}
					e.Settle(s)
				}
			})
		})
	}
}
