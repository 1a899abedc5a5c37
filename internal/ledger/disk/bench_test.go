package disk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// nowhere is a store that takes everything at no cost, or nothing.
type nowhere struct{ err error }

func (n nowhere) Ship(context.Context, *ledger.Shipment) error { return n.err }

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

func open(tb testing.TB, durability ledger.Durability, store nowhere) *ledger.Ledger {
	tb.Helper()
	folder, err := Open(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	l, err := ledger.Open(context.Background(), ledger.Options{Files: folder, Store: store, Log: slog.New(slog.DiscardHandler), Durability: durability})
	if err != nil {
		tb.Fatal(err)
	}
	l.Know([]ledger.PricedAs{{ID: money.Plain(3e6, 15e6).ID(), JSON: money.Plain(3e6, 15e6).JSON()}})
	tb.Cleanup(func() {
		if err := l.Close(context.Background()); !errors.Is(err, store.err) {
			tb.Error(err)
		}
	})
	return l
}

// BenchmarkBeginSettle is what a call costs: its two records.
func BenchmarkBeginSettle(b *testing.B) {
	for _, d := range []ledger.Durability{ledger.Background, ledger.Power} {
		b.Run(fmt.Sprintf("durability=%d", d), func(b *testing.B) {
			l, in, s := open(b, d, nowhere{}), intent(), settlement()
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
			l := open(b, d, nowhere{})
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

// TestAllocations: a call takes one piece of memory, for what is repeated while it runs.
func TestAllocations(t *testing.T) {
	l, in, s := open(t, ledger.Background, nowhere{errors.New("locked")}), intent(), settlement()
	got := testing.AllocsPerRun(2000, func() {
		e, err := l.Begin(in, true)
		if err != nil {
			t.Fatal(err)
		}
		e.Settle(s)
	})
	if got > 1 {
		t.Errorf("%v pieces", got)
	}
}

// BenchmarkPace makes 20,000 calls a second, of which 4,000 run at a time. It reports what the last of them left to be shipped, what a
// record takes, and how much memory there was at most. -benchtime=1200000x takes a minute.
func BenchmarkPace(b *testing.B) {
	l, in, s := open(b, ledger.Background, nowhere{}), intent(), settlement()
	running := make([]*ledger.Entry, 4000)
	const tick, calls = 5 * time.Millisecond, 100
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	var memory runtime.MemStats
	var heap, longest, busy float64
	for n := 0; n < b.N; {
		<-ticker.C
		began := time.Now()
		for range calls {
			at := time.Now()
			e, err := l.Begin(in, true)
			if err != nil {
				b.Fatal(err)
			}
			if old := running[n%len(running)]; old != nil {
				old.Settle(s)
			}
			longest = max(longest, time.Since(at).Seconds())
			running[n%len(running)] = e
			n++
		}
		busy += time.Since(began).Seconds()
		if n%20000 == 0 {
			runtime.ReadMemStats(&memory)
			heap = max(heap, float64(memory.HeapInuse))
		}
	}
	b.ReportMetric(float64(l.Stats().Pending), "pending")
	b.ReportMetric(float64(l.Stats().Bytes)/(1<<20), "journal-MiB")
	b.ReportMetric(heap/(1<<20), "heap-MiB")
	b.ReportMetric(longest*1e3, "longest-ms")
	b.ReportMetric(busy/float64(b.N)*1e6, "µs/call")
	for _, e := range running {
		if e != nil {
			e.Settle(s)
		}
	}
}
