package memory

import (
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// occupied are the holds of many that have so much together.
func occupied(a *Account, bytes int64) []Hold {
	var holds []Hold
	for bytes > 0 {
		h := a.Of()
		n := min(bytes, 1<<20)
		h.Grow(int(n))
		holds, bytes = append(holds, h), bytes-n
	}
	return holds
}

func release(holds []Hold) {
	for i := range holds {
		holds[i].End()
	}
}

// What runs gets the last of the memory, but for a large answer.
func TestRunning(t *testing.T) {
	t.Parallel()
	const most = 100 << 20
	a := NewAccount(most)
	others := occupied(a, 91<<20)
	big, small := a.Of(), a.Of()
	if !big.Grow(large) || big.Grow(1<<20) {
		t.Error("a large answer goes beyond 92 %")
	}
	for a.Held() < most {
		if small = a.Of(); !small.Grow(int(min(512<<10, most-a.Held()))) {
			t.Fatalf("no room at %d", a.Held())
		}
		others = append(others, small)
	}
	if small.Grow(1) {
		t.Error("more than there is")
	}
	if !big.Grow(-int(large)) || !big.Grow(4<<10) {
		t.Error("what was given back cannot be had again")
	}
	if a.Refused(Running) != 2 {
		t.Errorf("%d refusals", a.Refused(Running))
	}
	big.End()
	release(others)
	if a.Held() != 0 {
		t.Errorf("%d bytes are left", a.Held())
	}
}

// As memory runs short, the large are refused first, and the answers of what runs last.
func TestStages(t *testing.T) {
	t.Parallel()
	const most = 100 << 20
	for _, tt := range []struct {
		name string
		held int64 // by others
		body int64
		want bool
	}{
		{"a large body, nothing held", 0, 84 << 20, true},
		{"the largest body", 0, NewAccount(most).Largest(), true},
		{"a larger one", 0, NewAccount(most).Largest() + 1, false},
		{"a large body below 85 %", 80 << 20, 4 << 20, true},
		{"a large body above it", 80 << 20, 5 << 20, false},
		{"a small body", 85 << 20, 512 << 10, true},
		{"a small body above 92 %", 92 << 20, 512 << 10, false},
		{"a tiny body", 92 << 20, 32 << 10, true},
		{"a tiny body above 95 %", 95 << 20, 1, false},
	} {
		a := NewAccount(most)
		others, h := occupied(a, tt.held), a.Of()
		if got := h.Take(PerRequest + tt.body); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
		h.End()
		release(others)
		if a.Held() != 0 {
			t.Errorf("%s: %d bytes are left", tt.name, a.Held())
		}
	}
}

// A body that arrives piece by piece is judged by all of it.
func TestGrowingBodiesBecomeLarge(t *testing.T) {
	t.Parallel()
	a := NewAccount(100 << 20)
	occupied(a, 84<<20)
	h := a.Of()
	h.Take(PerRequest)
	taken := 0
	for h.Take(256 << 10) {
		taken++
	}
	if taken < 3 || taken > 4 { // a megabyte is large, and 85 % are in use by then
		t.Errorf("%d pieces were taken", taken)
	}
	for s, want := range []uint64{Large: 1, Small: 0, All: 0, Running: 0} {
		if got := a.Refused(Stage(s)); got != want {
			t.Errorf("%v: %d refusals, want %d", Stage(s), got, want)
		}
	}
}

func TestUnlimited(t *testing.T) {
	t.Parallel()
	var h Hold
	if !h.Take(1<<40) || !h.Grow(1<<40) || !h.Grow(-5) {
		t.Error("a hold of no account was refused")
	}
	h.End()
	a := NewAccount(Unlimited)
	h = a.Of()
	if !h.Take(1<<40) || !h.Grow(1<<40) || a.Held() != 1<<41 {
		t.Error("an account without a limit refused")
	}
	h.End()
	if a.Held() != 0 || a.Largest() < 1<<60 {
		t.Errorf("%d held, at most %d", a.Held(), a.Largest())
	}
}

// Whatever requests do, no more is held than there is, what is counted is the sum of their parts, and nothing stays.
func TestAccountAddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.Int64Range(1<<20, 64<<20).Draw(t, "most")
		a := NewAccount(most)
		holds := make([]Hold, 4)
		own := make([]int64, len(holds))
		for i := range holds {
			holds[i] = a.Of()
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			i := rapid.IntRange(0, len(holds)-1).Draw(t, "request")
			n := rapid.Int64Range(1, 8<<20).Draw(t, "bytes")
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				if holds[i].Take(n) {
					own[i] += n
				}
			case 1:
				if holds[i].Grow(int(n)) {
					own[i] += n
				}
			case 2:
				n = min(n, own[i])
				holds[i].Grow(int(-n))
				own[i] -= n
			case 3:
				holds[i].End()
				own[i] = 0
			}
			sum := int64(0)
			for _, n := range own {
				sum += n
			}
			if a.Held() != sum || sum > most {
				t.Fatalf("%d held of %d, the requests' parts are %d", a.Held(), most, sum)
			}
		}
		for i := range holds {
			holds[i].End()
		}
		if a.Held() != 0 {
			t.Fatalf("%d bytes are left", a.Held())
		}
	})
}

// A request too large does not get in the way of others, not even while it is refused.
func TestRefusalsDisturbNobody(t *testing.T) {
	t.Parallel()
	a := NewAccount(64 << 20)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20_000 {
				h := a.Of()
				if h.Take(a.Most()) {
					t.Error("more than the largest was taken")
				}
				h.End()
			}
		})
		wg.Go(func() {
			for range 20_000 {
				h := a.Of()
				if !h.Take(PerRequest) {
					t.Error("a small one was refused")
				}
				h.End()
			}
		})
	}
	wg.Wait()
	if a.Held() != 0 {
		t.Errorf("%d bytes are left", a.Held())
	}
}

func TestHoldsCostNothing(t *testing.T) { // not parallel to tests whose allocations would count
	a := NewAccount(1 << 20)
	if n := testing.AllocsPerRun(100, func() {
		h := a.Of()
		h.Take(PerRequest)
		h.Grow(5)
		h.End()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
