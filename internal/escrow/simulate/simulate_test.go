package simulate

import (
	"encoding/xml"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// check runs a simulation, and fails the test if a budget is exceeded or the books are wrong.
func check(t *testing.T, setup Setup) *Report {
	t.Helper()
	began := time.Now()
	r := Run(setup)
	t.Logf("%+v\n%s\nin %v", setup, r, time.Since(began).Round(time.Millisecond))
	if r.Over > 0 {
		t.Errorf("budgets were exceeded by %d, as providers billed", r.Over)
	}
	for i, wrong := range r.Wrong {
		if i < 5 {
			t.Error(wrong)
		}
	}
	if r.Served == 0 || r.Statements == 0 {
		t.Error("nothing happened")
	}
	return r
}

// TestBadNetwork: whatever is lost, doubled and late, no budget is exceeded by what providers bill, and all that was not used is back
// at the end.
func TestBadNetwork(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		r := check(t, Setup{Replicas: 4, Keys: 30, PerSecond: 200, For: 30 * time.Second, Ending: 0.5, Lost: 0.05, Doubled: 0.1, Delayed: 0.15, Kills: 4, Seed: seed})
		if r.UsedUp+r.Short == 0 {
			t.Error("no budget came near its end")
		}
	}
}

// TestFewStatements: where no budget is near its end, statements are few.
func TestFewStatements(t *testing.T) {
	t.Parallel()
	r := check(t, Setup{Replicas: 3, Keys: 20, PerSecond: 300, For: 2 * time.Minute, Seed: 1})
	if r.Statements*1000 > 20*r.Requests {
		t.Errorf("%d statements for %d requests", r.Statements, r.Requests)
	}
	if r.Served < r.Requests {
		t.Errorf("%d of %d requests were served", r.Served, r.Requests)
	}
}

// TestLimitsHardlyWait: with limits that demand does not reach, and keys that replicas have met, no request waits, and statements are few.
func TestLimitsHardlyWait(t *testing.T) {
	t.Parallel()
	warm := Setup{Replicas: 3, Keys: 100, PerSecond: 300, Limit: 100_000, For: time.Minute, Seed: 1}
	all := warm
	all.For = 5 * time.Minute
	before, after := check(t, warm), check(t, all)
	requests, statements, waits := after.Requests-before.Requests, after.Statements-before.Statements, after.Waited-before.Waited
	t.Logf("after the first minute: %d statements and %d waits of %d requests", statements, waits, requests)
	if statements*1000 > 2*requests || waits*1000 > requests {
		t.Errorf("after the first minute: %d statements and %d waits of %d requests", statements, waits, requests)
	}
	if after.Limited > 0 {
		t.Errorf("%d were refused", after.Limited)
	}
}

// TestLimitsInABadNetwork: whatever is lost, doubled and late, and however many are killed, no minute sees more of a key than its limit, a burst and a second's worth.
func TestLimitsInABadNetwork(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		r := check(t, Setup{Replicas: 4, Keys: 30, PerSecond: 400, Limit: 1000, For: 2 * time.Minute, Lost: 0.05, Doubled: 0.1, Delayed: 0.15, Kills: 8, Seed: seed})
		if r.Limited == 0 {
			t.Error("no limit was reached")
		}
	}
}

// TestLongSimulation takes minutes: go test -v -run TestLong ./internal/escrow/simulate with WEIR_LONG set. Its figures are in docs/scale.md.
func TestLongSimulation(t *testing.T) {
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("it takes minutes: set WEIR_LONG to run it")
	}
	var curves []Curve
	for _, c := range []struct {
		Setup
		statements int // for 1,000 requests, at most
	}{
		{Setup{Replicas: 3, Keys: 1_000, PerSecond: 1_500, For: 5 * time.Minute, Seed: 1}, 10},
		{Setup{Replicas: 3, Keys: 1_000, PerSecond: 1_500, Limit: 1_000_000, For: 5 * time.Minute, Seed: 1}, 20},
		{Setup{Replicas: 10, Keys: 10_000, PerSecond: 5_000, For: 20 * time.Minute, Seed: 1}, 20},
		{Setup{Replicas: 10, Keys: 10_000, PerSecond: 5_000, For: 2 * time.Minute, Ending: 0.3, Lost: 0.01, Doubled: 0.05, Delayed: 0.05, Kills: 30, Seed: 1}, 200},
		{Setup{Replicas: 100, Keys: 100_000, PerSecond: 20_000, For: 5 * time.Minute, Ending: 0.1, Seed: 1}, 250},
		{Setup{Replicas: 100, Keys: 100_000, PerSecond: 20_000, For: 2 * time.Minute, Ending: 0.1, Spread: 3, Seed: 1}, 130},
		{Setup{Replicas: 1_000, Keys: 1_000_000, PerSecond: 20_000, For: 30 * time.Second, Ending: 0.1, Seed: 1}, 750},
	} {
		r := check(t, c.Setup)
		if r.Statements > r.Requests/1000*c.statements {
			t.Errorf("%d statements for %d requests", r.Statements, r.Requests)
		}
		if average, _ := r.idleAtRefusals(); average > 2 {
			t.Errorf("%.2f %% of a budget lies idle when it refuses", average)
		}
		if curve := c.curve(r); curve != nil {
			curves = append(curves, *curve)
		}
	}
	if *update {
		if err := os.WriteFile("../../../docs/scale-statements.svg", []byte(Plot(curves)), 0o644); err != nil {
			t.Error(err)
		}
	}
}

var update = flag.Bool("update", false, "write the plot into docs")

// curve is the simulation's in the plot, nil if it has none there.
func (s *Setup) curve(r *Report) *Curve {
	colour := map[int]string{3: "#6b9e78", 10: "#2f6fb3", 100: "#b3552f"}[s.Replicas]
	if colour == "" || s.Kills > 0 || s.Limit > 0 {
		return nil
	}
	name := fmt.Sprintf("%d replicas, %d keys", s.Replicas, s.Keys)
	if s.Spread > 0 {
		name, colour = "the same, a key at 3", "#d9a03f"
	}
	return &Curve{name, colour, r.Spans[:s.For/(10*time.Second)]}
}

// TestPlot: each curve is in the picture, which is XML.
func TestPlot(t *testing.T) {
	t.Parallel()
	picture := Plot([]Curve{{"few", "#111", []Span{{1000, 1}, {1000, 0}}}, {"many", "#222", []Span{{1000, 500}}}})
	if err := xml.Unmarshal([]byte(picture), new(struct{})); err != nil {
		t.Error(err)
	}
	if strings.Count(picture, "<polyline") != 2 || !strings.Contains(picture, ">many<") {
		t.Error(picture)
	}
}
