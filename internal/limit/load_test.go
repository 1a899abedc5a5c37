package limit

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// At three times the load that the places can serve, the places are busy nearly all the time. The rest is refused at once, except
// the first in line, who may wait for a second. Time is simulated, and arrivals are random but the same in each run.
// docs/how-it-works/overload.md has a row for each, which must match.
func TestOverloadInSimulatedTime(t *testing.T) {
	if testing.Short() {
		t.Skip("it is long, and about what is computed: the race detector has no use for it")
	}
	t.Parallel()
	page, err := os.ReadFile("../../docs/how-it-works/overload.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		places int
		takes  time.Duration // one request, half of that to twice as much
	}{{1, 200 * time.Millisecond}, {4, 2 * second}, {50, 10 * second}, {100, 20 * time.Millisecond}} {
		synctest.Test(t, func(t *testing.T) {
			const requests = 6000
			luck := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same in each run
			var g Gate
			var mu sync.Mutex
			var served time.Duration // total time of the requests that were let in
			refused, late := 0, 0
			began, wg := time.Now(), sync.WaitGroup{}
			mean := 5 * tt.takes / 4
			for range requests {
				time.Sleep(time.Duration(luck.ExpFloat64() * float64(mean) / float64(3*tt.places)))
				takes := tt.takes/2 + time.Duration(luck.Int64N(int64(3*tt.takes/2)))
				wg.Go(func() {
					came := time.Now()
					ok := !g.TurnsAway(tt.places, 1, second, came) && (g.Enter(tt.places, 1) || wait(second, nil, tt.places, &g) == 0)
					waited := time.Since(came)
					mu.Lock()
					defer mu.Unlock()
					if !ok {
						refused++
						if waited > 10*time.Millisecond {
							late++
						}
						return
					}
					served += takes
					time.AfterFunc(takes, func() { g.Leave(1) })
				})
			}
			span := time.Since(began)
			wg.Wait()
			use := served.Seconds() / span.Seconds() / float64(tt.places)
			t.Logf("%d places for %v: in use %.1f %% of the time, %d of %d refused, %d of them after more than 10 ms", tt.places, mean, 100*use, refused, requests, late)
			if first := int(span / second); use < 0.9 || refused < requests/2 || late > first+refused/20 {
				t.Error("that is not what was promised")
			}
			if row := row(tt.places, mean, use, refused, late); !regexp.MustCompile(`(?m)^` + row + `\b`).Match(page) {
				t.Errorf("docs/how-it-works/overload.md lacks a row %s", row)
			}
		})
	}
}

// row is how a row of docs/how-it-works/overload.md begins, as a pattern. The first one says what the others mean.
func row(places int, mean time.Duration, use float64, refused, late int) string {
	took := fmt.Sprintf("%v s", mean.Seconds())
	if mean < time.Second {
		took = fmt.Sprintf("%d ms", mean.Milliseconds())
	}
	return fmt.Sprintf(`\| %d places?, (?:requests of )?%s \| %.0f %% \| %d,%03d \| %d`, places, regexp.QuoteMeta(took), 100*use, refused/1000, refused%1000, late)
}

func BenchmarkGate(b *testing.B) {
	var g Gate
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if !g.TurnsAway(1000, 1, second, time.Time{}) && g.Enter(1000, 1) {
				g.Leave(1)
			}
		}
	})
}
