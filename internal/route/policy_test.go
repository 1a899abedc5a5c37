package route

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// An explanation says of an order whether chance has a part in it.
func TestPoliciesThatDraw(t *testing.T) {
	t.Parallel()
	for p, want := range map[Policy]bool{Ordered: false, Weighted: true, Fastest: true, Cheapest: false, LeastBusy: true} {
		if p.Drawn() != want {
			t.Errorf("%v: drawn: %v", p, !want)
		}
	}
}

func TestParsePolicy(t *testing.T) {
	t.Parallel()
	for p := range Policy(len(policies)) {
		if got, ok := ParsePolicy(p.String()); got != p || !ok {
			t.Errorf("%v is read as %v %v", p, got, ok)
		}
	}
	for s := range Sticky(len(stickies)) {
		if got, ok := ParseSticky(s.String()); got != s || !ok {
			t.Errorf("%v is read as %v %v", s, got, ok)
		}
	}
	_, policy := ParsePolicy("Fastest")
	if _, sticky := ParseSticky(""); policy || sticky {
		t.Error("what is no word is read as one")
	}
}

// counts plans many requests and counts how often each target comes at each place.
func counts(r *Route, requests int) map[string][]int {
	times := map[string][]int{}
	for seed := range uint64(requests) {
		for place, s := range r.orderedPlan(nil, &Ask{Seed: mix(seed)}, someday) {
			if times[s.Model] == nil {
				times[s.Model] = make([]int, len(r.Targets))
			}
			times[s.Model][place]++
		}
	}
	return times
}

// about reports whether a number of independent events is what is to be expected, within five deviations.
func about(got int, want float64) bool {
	d := float64(got) - want
	return d*d < 25*want
}

// One of weight 3 comes first three times as often as one of weight 1; who is second is drawn by weight among the others.
func TestWeighted(t *testing.T) {
	t.Parallel()
	m := model("m", "p/one", "p/three", "p/zero")
	m.Policy, m.Targets[1].Weight, m.Targets[2].Weight = Weighted, 3, 0 // 0 is 1
	r := resolve(m)
	const n = 20000
	got := counts(&r, n)
	second := n * (1.0/5*3/4 + 1.0/5*3/4) // of three targets
	if !about(got["one"][0], n/5) || !about(got["three"][0], n*3/5) || !about(got["zero"][0], n/5) || !about(got["three"][1], second) {
		t.Errorf("%v", got)
	}
}

// The better of two drawn comes first: the worst of three never does, the best in two of three draws.
func TestFastest(t *testing.T) {
	t.Parallel()
	m := model("m", "p/slow", "p/fast", "p/middling")
	m.Policy = Fastest
	r := resolve(m)
	r.slow(0, 900*time.Millisecond)
	r.slow(1, 100*time.Millisecond)
	r.slow(2, 400*time.Millisecond)
	const n = 9000
	got := counts(&r, n)
	if got["slow"][0] != 0 || !about(got["fast"][0], n*2/3) || got["fast"][2] != 0 || got["slow"][2] != n {
		t.Errorf("%v", got)
	}
}

func TestCheapest(t *testing.T) {
	t.Parallel()
	m := model("m", "p/unknown", "p/talker", "p/reader", "p/free", "p/long", "p/unknown-too")
	m.Policy = Cheapest
	price := func(place int, input, output int64) {
		m.Targets[place].Facts.Price = money.Plain(input, output)
	}
	price(1, 100, 900) // cheap to be asked
	price(2, 300, 300) // cheap to answer
	price(3, 0, 0)
	price(4, 90, 890)
	m.Targets[4].Facts.Price.Long = []money.Step{{Above: 10000, Rates: money.Of(400, 900).Set()}}
	m.Targets[2].Facts.MaxOutput = 5000
	r := resolve(m)
	for _, tt := range []struct {
		name           string
		prompt, output int
		want           string
	}{
		{"long prompt", 10000, 100, "free long talker reader unknown unknown-too"},
		{"one token more", 10001, 100, "free talker reader long unknown unknown-too"},
		{"long answer", 100, 4000, "free reader long talker unknown unknown-too"},
		{"answer of unknown length", 2000, 0, "free long talker reader unknown unknown-too"},
		{"no longer than it can", 24000, 1 << 62, "free reader talker long unknown unknown-too"},
		{"nothing known of the request", 0, 0, "free reader long talker unknown unknown-too"},
	} {
		got := strings.ReplaceAll(r.told(Ask{Profile: llm.Profile{Prompt: tt.prompt, Output: tt.output}}), "p/", "")
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	several := strings.ReplaceAll(r.told(Ask{Profile: llm.Profile{Prompt: 10000, Output: 1000, Answers: 4}}), "p/", "")
	if one := strings.ReplaceAll(r.told(Ask{Profile: llm.Profile{Prompt: 10000, Output: 4000}}), "p/", ""); several != one {
		t.Errorf("four answers: %s, one that is four times as long: %s", several, one)
	}
}

// Callers say how much they ask for, and operators what it costs: neither may turn the order around.
func TestCostCannotOverflow(t *testing.T) {
	t.Parallel()
	f := Facts{Price: money.Plain(money.MaxPerToken, money.MaxPerToken)}
	if cost, _ := f.cost(&Ask{Profile: llm.Profile{Prompt: 1 << 62, Output: 1 << 62}}); cost <= 0 {
		t.Errorf("%d", cost)
	}
}

func TestLeastBusy(t *testing.T) {
	t.Parallel()
	m := model("m", "p/four", "p/two", "p/large", "p/one")
	m.Policy, m.Targets[2].Weight = LeastBusy, 4
	r := resolve(m)
	for place, n := range []int{4, 2, 6, 1} {
		r.busy(place, n)
	}
	if got, want := r.told(Ask{Seed: 1}), "p/large p/one p/two p/four"; got != want { // 7/4, 2, 3, 5
		t.Errorf("%s, want %s", got, want)
	}
	idle := resolve(&Model{Name: "m", Policy: LeastBusy, Targets: m.Targets[:2]})
	if got := counts(&idle, 2000); !about(got["four"][0], 1000) {
		t.Errorf("those equally busy: %v", got)
	}
}

func TestLn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := chance(rapid.Uint64().Draw(t, "bits"))
		if got, want := ln(x), math.Log(x); math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Fatalf("ln(%v) = %v, not %v", x, got, want)
		}
	})
	for _, x := range []float64{chance(0), chance(math.MaxUint64), math.Sqrt2 / 2, math.Nextafter(math.Sqrt2/2, 0), 0.5} {
		if got, want := ln(x), math.Log(x); math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("ln(%v) = %v, not %v", x, got, want)
		}
	}
}
