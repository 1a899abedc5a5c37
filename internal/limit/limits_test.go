package limit_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/limit"
)

const second = limit.Instant(time.Second)

// tank is the reference: a bucket that is filled with time, in the time that its units take to come back. It knows nothing of the time
// at which it is full, which is all that the real one keeps.
type tank struct {
	limit      int64
	have, held limit.Instant // have is below 0 in debt
	at         limit.Instant
	fulls      int // how often it was seen to be full
}

func (k *tank) unit() limit.Instant {
	return (60*second + limit.Instant(k.limit) - 1) / limit.Instant(k.limit)
}

func (k *tank) size() limit.Instant { return k.unit() * limit.Instant(k.limit) }

func (k *tank) fill(now limit.Instant) {
	k.have += now - k.at
	if k.at = now; k.have >= k.size() {
		k.have = k.size()
		k.fulls++
	}
}

// waits is how long it takes until n units are there.
func (k *tank) waits(n int64, now limit.Instant) limit.Instant {
	k.fill(now)
	return max(k.unit()*limit.Instant(min(n, k.limit))-(k.have-k.held), 0)
}

// party is the reference of a subject.
type party struct {
	limits           limit.Limits
	requests, tokens tank
	running          int64
}

func newParty(l limit.Limits) *party {
	p := &party{limits: l, requests: tank{limit: max(l.Requests, 1)}, tokens: tank{limit: max(l.Tokens, 1)}}
	p.requests.have, p.tokens.have = p.requests.size(), p.tokens.size()
	return p
}

// waits is the longest wait for one of the subject's limits.
func (p *party) waits(tokens int64, now limit.Instant) (longest limit.Instant) {
	if p.limits.Requests > 0 {
		longest = max(longest, p.requests.waits(1, now))
	}
	if p.limits.Tokens > 0 {
		longest = max(longest, p.tokens.waits(tokens, now))
	}
	if p.limits.Concurrent > 0 && p.running >= p.limits.Concurrent {
		longest = max(longest, second)
	}
	return longest
}

// held is a request that is admitted.
type held struct {
	real    *limit.Admission
	parties []*party
	tokens  int64
	begun   bool
	due     []limit.Instant // when what was taken of the tokens of each subject is back
	fulls   []int           // how often these were full before
}

// cost is what the tokens of the request are worth at a subject.
func (h *held) cost(p *party) limit.Instant {
	return p.tokens.unit() * limit.Instant(min(h.tokens, p.limits.Tokens))
}

func (h *held) begin(now limit.Instant) {
	h.begun = true
	h.real.Begin(now)
	h.due, h.fulls = make([]limit.Instant, len(h.parties)), make([]int, len(h.parties))
	for i, p := range h.parties {
		if p.limits.Requests > 0 {
			p.requests.fill(now)
			p.requests.held, p.requests.have = p.requests.held-p.requests.unit(), p.requests.have-p.requests.unit()
		}
		if p.limits.Tokens > 0 {
			p.tokens.fill(now)
			p.tokens.held, p.tokens.have = p.tokens.held-h.cost(p), p.tokens.have-h.cost(p)
			h.due[i], h.fulls[i] = now+p.tokens.size()-p.tokens.have, p.tokens.fulls
		}
	}
}

func (h *held) settle(used int64, now limit.Instant) {
	h.real.Settle(used, now)
	for i, p := range h.parties {
		p.running--
		switch {
		case !h.begun:
			p.requests.held -= p.requests.unit()
			p.tokens.held -= h.cost(p)
		case p.limits.Tokens > 0:
			p.tokens.fill(now)
			if more := h.cost(p) - p.tokens.unit()*limit.Instant(used); more < 0 || p.tokens.fulls == h.fulls[i] { // else time has brought all back
				p.tokens.have += min(more, max(h.due[i]-now, 0))
			}
			p.tokens.fill(now) // no more than fits
		}
	}
}

// world is a table of limits and its reference, side by side.
type world struct {
	table   *limit.Table
	now     limit.Instant
	parties map[string]*party
	running []*held
	begun   map[string][]limit.Instant // when requests of each subject began
}

func drawLimits(rt *rapid.T, name string) limit.Limits {
	number := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(1, 30))
	l := limit.Limits{Requests: number.Draw(rt, name+" requests"), Concurrent: number.Draw(rt, name+" concurrent")}
	if rapid.Bool().Draw(rt, name+" has tokens") {
		l.Tokens = rapid.Int64Range(1, 5000).Draw(rt, name+" tokens")
	}
	return l
}

func newWorld(rt *rapid.T) *world {
	w := &world{table: limit.NewTable(), now: limit.Instant(rapid.Int64Range(0, 1e12).Draw(rt, "start")), parties: map[string]*party{}, begun: map[string][]limit.Instant{}}
	for _, id := range []string{"key a", "key b", "team", "model x", "model y"} {
		w.parties[id] = newParty(drawLimits(rt, id))
		w.parties[id].requests.at, w.parties[id].tokens.at = w.now, w.now
	}
	return w
}

func (w *world) claims(ids [3]string) *limit.Claims {
	var c limit.Claims
	for i, id := range ids {
		if id != "" {
			c[i] = limit.Claim{ID: id, Limits: w.parties[id].limits}
		}
	}
	return &c
}

// states are what is left everywhere.
func (w *world) states() (all []limit.State) {
	for _, ids := range [][3]string{{"key a", "team", "model x"}, {"key b", "", "model y"}} {
		all = w.table.States(all, w.claims(ids), w.now)
	}
	return all
}

func (w *world) admit(rt *rapid.T) {
	ids := [3]string{
		rapid.SampledFrom([]string{"key a", "key b"}).Draw(rt, "key"),
		rapid.SampledFrom([]string{"", "team"}).Draw(rt, "team"),
		rapid.SampledFrom([]string{"model x", "model y"}).Draw(rt, "model"),
	}
	tokens := rapid.Int64Range(0, 6000).Draw(rt, "tokens")
	h := &held{real: new(limit.Admission), tokens: tokens}
	var want limit.Instant
	for _, id := range ids {
		if id != "" && w.parties[id].limits != (limit.Limits{}) {
			h.parties = append(h.parties, w.parties[id])
			want = max(want, w.parties[id].waits(tokens, w.now))
		}
	}
	before := w.states()
	refused, ok := w.table.Admit(h.real, w.claims(ids), tokens, w.now)
	if ok != (want == 0) || !ok && limit.Instant(refused.Wait) != want {
		rt.Fatalf("admitted %v, %+v; the reference waits %v", ok, refused, time.Duration(want))
	}
	if !ok {
		if diff := cmp.Diff(before, w.states()); diff != "" {
			rt.Fatalf("a refused request took something: %s", diff)
		}
		return
	}
	for _, p := range h.parties {
		p.running++
		if p.limits.Requests > 0 {
			p.requests.held += p.requests.unit()
		}
		if p.limits.Tokens > 0 {
			p.tokens.held += h.cost(p)
		}
	}
	w.running = append(w.running, h)
	if rapid.IntRange(0, 9).Draw(rt, "waits for a place") > 0 {
		w.begin(rt, h)
	}
}

// begin begins a request, and looks whether a minute has seen too many.
func (w *world) begin(rt *rapid.T, h *held) {
	h.begin(w.now)
	for id, p := range w.parties {
		for _, of := range h.parties {
			if of != p || p.limits.Requests == 0 {
				continue
			}
			times := append(w.begun[id], w.now)
			for len(times) > 0 && times[0] <= w.now-60*second {
				times = times[1:]
			}
			if n := int64(len(times)); n > 2*p.limits.Requests-1 && p.limits.Requests > 1 || n > 1 && p.limits.Requests == 1 {
				rt.Fatalf("%s: %d requests began within a minute, of %d", id, n, p.limits.Requests)
			}
			w.begun[id] = times
		}
	}
}

func (w *world) pick(rt *rapid.T) (*held, int) {
	if len(w.running) == 0 {
		rt.Skip("nothing runs")
	}
	i := rapid.IntRange(0, len(w.running)-1).Draw(rt, "which")
	return w.running[i], i
}

// place begins a request that has waited.
func (w *world) place(rt *rapid.T) {
	h, _ := w.pick(rt)
	if h.begun {
		rt.Skip("it has begun")
	}
	w.begin(rt, h)
}

// end settles a request, whether or not it began.
func (w *world) end(rt *rapid.T) {
	h, i := w.pick(rt)
	h.settle(rapid.Int64Range(0, 8000).Draw(rt, "used"), w.now)
	w.running = append(w.running[:i:i], w.running[i+1:]...)
}

func (w *world) wait(rt *rapid.T) {
	longest := rapid.SampledFrom([]int64{1, 1e6, 1e9, 10e9, 90e9}).Draw(rt, "at most")
	w.now += limit.Instant(rapid.Int64Range(0, longest).Draw(rt, "time"))
}

// crowd makes so many others that all subjects at rest are forgotten.
func (w *world) crowd(rt *rapid.T) {
	for i := range 64 * 130 {
		var a limit.Admission
		claims := limit.Claims{{ID: fmt.Sprint("other ", i), Limits: limit.Limits{Concurrent: 1}}}
		if _, ok := w.table.Admit(&a, &claims, 0, w.now); !ok {
			rt.Fatal("one at rest is refused")
		}
		a.Settle(0, w.now)
	}
}

// check compares all states with the reference.
func (w *world) check(rt *rapid.T) {
	for _, ids := range [][3]string{{"key a", "team", "model x"}, {"key b", "", "model y"}} {
		for _, s := range w.table.States(nil, w.claims(ids), w.now) {
			p := w.parties[ids[s.Of]]
			var want int64
			switch s.What {
			case limit.Concurrent:
				want = max(p.limits.Concurrent-p.running, 0)
			case limit.Requests:
				p.requests.fill(w.now)
				want = int64(max((p.requests.have-p.requests.held)/p.requests.unit(), 0))
			case limit.Tokens:
				p.tokens.fill(w.now)
				want = int64(max((p.tokens.have-p.tokens.held)/p.tokens.unit(), 0))
			}
			if s.Remaining != want {
				rt.Fatalf("%s: %+v, the reference has %d left", ids[s.Of], s, want)
			}
		}
	}
}

// Whatever is admitted, placed and ended, the table says what a plain reference says; 10,000 sequences of it in TestLongSequences.
func TestLimitsFollowTheReference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, limitsFollowTheReference)
}

func limitsFollowTheReference(rt *rapid.T) {
	w := newWorld(rt)
	actions := map[string]func(*rapid.T){"admit": w.admit, "admit too": w.admit, "place": w.place, "end": w.end, "wait": w.wait, "": w.check}
	if rapid.IntRange(0, 19).Draw(rt, "crowded") == 0 {
		actions["crowd"] = w.crowd
	}
	rt.Repeat(actions)
}

// A caller that is alone on its limits and waits as long as the refusal says is admitted, and not a nanosecond earlier.
func TestWaitingIsTruthful(t *testing.T) {
	t.Parallel()
	rapid.Check(t, waitingIsTruthful)
}

func waitingIsTruthful(rt *rapid.T) {
	table, now := limit.NewTable(), limit.Instant(0)
	limits := drawLimits(rt, "key")
	limits.Concurrent = 0
	claims := limit.Claims{{ID: "key", Limits: limits}}
	for range 40 {
		now += limit.Instant(rapid.Int64Range(0, 3e9).Draw(rt, "pause"))
		tokens := rapid.Int64Range(0, 6000).Draw(rt, "tokens")
		var a limit.Admission
		refused, ok := table.Admit(&a, &claims, tokens, now)
		if !ok {
			if _, early := table.Admit(&a, &claims, tokens, now+limit.Instant(refused.Wait)-1); early {
				rt.Fatalf("admitted before %v", refused.Wait)
			}
			now += limit.Instant(refused.Wait)
			if again, ok := table.Admit(&a, &claims, tokens, now); !ok {
				rt.Fatalf("after %v: %+v", refused.Wait, again)
			}
		}
		a.Begin(now)
		a.Settle(rapid.Int64Range(0, 9000).Draw(rt, "used"), now)
	}
}

func TestTheStrictestIsNamed(t *testing.T) {
	t.Parallel()
	table := limit.NewTable()
	claims := limit.Claims{
		{ID: "key", Limits: limit.Limits{Requests: 60}},
		{ID: "team", Limits: limit.Limits{Requests: 1, Tokens: 1000}},
		{ID: "model", Limits: limit.Limits{Concurrent: 1}},
	}
	var first, second limit.Admission
	if _, ok := table.Admit(&first, &claims, 10, 0); !ok {
		t.Fatal("refused")
	}
	first.Begin(0)
	if r, ok := table.Admit(&second, &claims, 10, 0); ok || r != (limit.Refusal{Of: limit.OfTeam, What: limit.Requests, Limit: 1, Wait: time.Minute}) {
		t.Errorf("%+v", r)
	}
	if r, ok := table.Admit(&second, &claims, 10, limit.Instant(time.Minute)); ok || r != (limit.Refusal{Of: limit.OfModel, What: limit.Concurrent, Limit: 1, Wait: time.Second}) {
		t.Errorf("%+v", r)
	}
	first.Settle(10, 0)
	if _, ok := table.Admit(&second, &claims, 10, limit.Instant(time.Minute)); !ok {
		t.Error("refused after the first has ended")
	}
	second.Settle(0, 0)
	second.Settle(0, 0) // once is enough
}

// An estimate takes at most the whole bucket; what was used may leave a debt, which is kept however many others come.
func TestADebtIsNotForgotten(t *testing.T) {
	t.Parallel()
	table := limit.NewTable()
	claims := limit.Claims{{ID: "key", Limits: limit.Limits{Tokens: 600}}}
	var a limit.Admission
	if _, ok := table.Admit(&a, &claims, 1e6, 0); !ok {
		t.Fatal("an estimate refused")
	}
	a.Begin(0)
	a.Settle(1800, 0) // three minutes' worth
	for i := range 20_000 {
		var other limit.Admission
		others := limit.Claims{{ID: fmt.Sprint(i), Limits: limit.Limits{Tokens: 600}}}
		table.Admit(&other, &others, 1, second)
		other.Settle(1, second)
	}
	if r, ok := table.Admit(&a, &claims, 1, second); ok || r.Wait.Round(time.Second) != 119*time.Second {
		t.Errorf("%v %+v", ok, r)
	}
	huge := limit.Claims{{ID: "huge", Limits: limit.Limits{Tokens: 1}}}
	table.Admit(&a, &huge, 1, 0)
	a.Begin(0)
	a.Settle(1<<62, 0)
	if r, ok := table.Admit(&a, &huge, 1, 1<<60); ok || r.Wait <= 0 {
		t.Errorf("a debt beyond counting: %v %+v", ok, r)
	}
}

// Requests of many goroutines never are more at once than the limits say, and leave nothing over.
func TestAdmissionsAtOnce(t *testing.T) {
	t.Parallel()
	table := limit.NewTable()
	claims := limit.Claims{
		{ID: "key", Limits: limit.Limits{Concurrent: 3, Tokens: 1_000_000}},
		{ID: "team", Limits: limit.Limits{Concurrent: 2, Requests: 1_000_000}},
		{ID: "model", Limits: limit.Limits{Concurrent: 4}},
	}
	var inside, most atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i := range 2000 {
				var a limit.Admission
				if _, ok := table.Admit(&a, &claims, 100, 0); !ok {
					continue
				}
				n := inside.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				if i%3 > 0 {
					a.Begin(0)
				}
				inside.Add(-1)
				a.Settle(0, 0)
			}
		})
	}
	group.Wait()
	if most.Load() > 2 {
		t.Errorf("%d at once", most.Load())
	}
	for _, s := range table.States(nil, &claims, second*3600) {
		if s.Remaining != s.Limit {
			t.Errorf("%+v is left", s)
		}
	}
}

// What long requests took comes back with time. That they used less does not give it back once more.
func TestWhatCameBackWithTimeDoesNotComeBackAgain(t *testing.T) {
	t.Parallel()
	table, now := limit.NewTable(), limit.Instant(0)
	claims := limit.Claims{{ID: "key", Limits: limit.Limits{Tokens: 600}}}
	var long [5]limit.Admission
	for i := range long {
		if _, ok := table.Admit(&long[i], &claims, 600, now); !ok {
			t.Fatal("refused")
		}
		long[i].Begin(now)
		now += limit.Instant(time.Minute)
	}
	taken := int64(0)
	for i := range long {
		long[i].Settle(0, now)
		var a limit.Admission
		if _, ok := table.Admit(&a, &claims, 600, now); ok {
			a.Begin(now)
			a.Settle(600, now)
			taken += 600
		}
	}
	if taken > 600 {
		t.Errorf("%d tokens of 600 a minute at one moment", taken)
	}
}

// Nor does it if time needed less because others gave back what they did not use.
func TestWhatAFullBucketHasIsNotGivenBack(t *testing.T) {
	t.Parallel()
	table, now := limit.NewTable(), limit.Instant(0)
	claims := limit.Claims{{ID: "key", Limits: limit.Limits{Tokens: 600}}}
	take := func(tokens int64) *limit.Admission {
		var a limit.Admission
		if _, ok := table.Admit(&a, &claims, tokens, now); !ok {
			t.Fatalf("%d tokens are refused", tokens)
		}
		a.Begin(now)
		return &a
	}
	short, long := take(300), take(300)
	short.Settle(0, now)
	now += 31 * second // half of a minute brings half of the tokens back
	take(600).Settle(600, now)
	long.Settle(0, now)
	var a limit.Admission
	if _, ok := table.Admit(&a, &claims, 1, now); ok {
		t.Error("more than all of 600 a minute at one moment")
	}
}

func TestLimitsTakeNoMemory(t *testing.T) { //nolint:paralleltest // it counts the process's allocations
	table := limit.NewTable()
	claims := benchmarkClaims()
	round := func() {
		var a limit.Admission
		if _, ok := table.Admit(&a, claims, 100, 0); !ok {
			t.Error("refused")
		}
		a.Begin(0)
		a.Settle(0, 0)
	}
	round()
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func benchmarkClaims() *limit.Claims {
	limits := limit.Limits{Requests: 1_000_000_000, Tokens: 1_000_000_000, Concurrent: 1000}
	return &limit.Claims{{ID: "abcdefghijkl", Limits: limits}, {ID: "mnopqrstuvwx", Limits: limits}, {ID: "smart", Limits: limits}}
}

// BenchmarkAdmit admits, begins and settles a request of three subjects.
func BenchmarkAdmit(b *testing.B) {
	table, claims := limit.NewTable(), benchmarkClaims()
	b.ReportAllocs()
	now := limit.Instant(0)
	for b.Loop() {
		now += 1000
		var a limit.Admission
		if _, ok := table.Admit(&a, claims, 100, now); !ok {
			b.Fatal("refused")
		}
		a.Begin(now)
		a.Settle(90, now)
	}
}
