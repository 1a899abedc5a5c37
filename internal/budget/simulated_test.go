package budget

import (
	"container/heap"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

var update = flag.Bool("update", false, "write the figures into docs/how-it-works/budgets.md")

// page has the figures between these lines.
const (
	page      = "../../docs/how-it-works/budgets.md"
	beginMark = "<!-- written by go test ./internal/budget -update: begin -->\n"
	endMark   = "<!-- written by go test ./internal/budget -update: end -->\n"
)

// crowd is a number of callers that share a budget. Each sends its next request when the last is answered.
type crowd struct {
	name    string
	limit   money.Nano
	callers int
	each    int // requests of a caller, unless it is refused for good before
	price   *money.Price
	prompt  [2]int64 // least and most bytes
	bytes   int64    // of the prompt are a token, times 10
	most    int64    // tokens of an answer that callers allow
	outputs []int64  // tokens of answers that are equally likely; between them, any number is
}

// crowds are those of the page.
func crowds() []*crowd {
	agents := money.Plain(3e6, 15e6)
	agents.CacheRead, agents.CacheWrite = 3e5, 3.75e6
	return []*crowd{
		{
			name: "200 chats at once on $0.05", limit: 50_000_000, callers: 200, each: 1, price: money.Plain(4e5, 16e5),
			prompt: [2]int64{200, 2000}, bytes: 35, most: 2048, outputs: []int64{5, 40, 80, 120, 170, 230, 300, 400, 550, 800, 2048},
		},
		{
			name: "40 agents on $25", limit: 25_000_000_000, callers: 40, each: 1000, price: agents,
			prompt: [2]int64{150_000, 250_000}, bytes: 40, most: 32_000, outputs: []int64{20, 80, 150, 220, 300, 400, 550, 800, 1200, 2000, 6000},
		},
	}
}

// way is how the budget is enforced.
type way struct {
	name   string
	policy Policy
	grows  bool
}

func ways() []way {
	return []way{
		{"`strict`", Policy{Strict: true}, false},
		{"`expected`, if holds did not grow", Policy{}, false},
		{"`expected`", Policy{}, true},
		{"`expected` with `--cut`", Policy{Cut: true}, true},
	}
}

// run is one simulation.
type run struct {
	*crowd
	way
	random *rand.Rand
	book   *Book
	seen   Seen
	now    time.Time
	events events

	requests, sentBack, cut int
	spent                   money.Nano // by all calls, as the provider bills them
	first                   int64      // thousandths of the budget that were spent when the first was sent back; -1 if none was
}

// caller is one that sends requests.
type caller struct {
	left    int
	prompt  Prompt
	input   int64 // tokens that the prompt has
	output  int64 // tokens that the answer will have
	counted int64 // tokens that are counted of 100 that the provider counts
	was     bool  // it was sent back already
	hold    Hold
	started time.Time
}

// event is something that happens to a caller.
type event struct {
	at     time.Time
	number int // of events at the same time, the earlier one is first
	do     func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at.Before(e[j].at) || e[i].at.Equal(e[j].at) && e[i].number < e[j].number
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// The simulated provider answers after a second, and then writes a hundred tokens a second. What is sent back comes again after one.
const (
	firstToken = time.Second
	perToken   = time.Second / 100
	again      = time.Second
)

func (c *crowd) simulate(t *testing.T, w way, seed uint64) *run {
	t.Helper()
	r := &run{crowd: c, way: w, random: rand.New(rand.NewPCG(seed, 1)), now: time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC), first: -1}
	r.book = New(time.UTC, none{}, func(Warning) {})
	policy := w.policy
	policy.Budgets = []Spec{{Dollars, Total, c.limit}}
	if err := r.book.Set(t.Context(), r.now, map[Owner]Policy{{Key, "k"}: policy}); err != nil {
		t.Fatal(err)
	}
	for range c.callers {
		caller := &caller{left: c.each}
		r.at(r.now, func() { r.next(caller) })
	}
	for number := 0; len(r.events) > 0; number++ {
		e := heap.Pop(&r.events).(event)
		r.now = e.at
		e.do()
	}
	return r
}

func (r *run) at(when time.Time, do func()) {
	heap.Push(&r.events, event{when, r.random.Int(), do}) // in any order, if at once
}

// next begins a caller's next request.
func (r *run) next(c *caller) {
	if c.left == 0 {
		return
	}
	c.left--
	c.was = false
	bytes := r.prompt[0] + r.random.Int64N(r.prompt[1]-r.prompt[0])
	c.prompt = Prompt{Bytes: bytes, Estimate: bytes / 4}
	c.input = bytes * 10 / r.bytes
	i := r.random.IntN(len(r.outputs) - 1)
	c.output = r.outputs[i] + r.random.Int64N(r.outputs[i+1]-r.outputs[i])
	c.counted = 85 + r.random.Int64N(31) // a count by bytes is off by as much
	r.requests++
	r.send(c)
}

// send sends a request, again if it was sent back.
func (r *run) send(c *caller) {
	n := Assess(&c.prompt, &Answer{Most: r.most}, &Target{Price: r.price}, r.seen.Habit("k", "m"))
	refusal := r.book.Hold(&c.hold, "k", "", &n, r.now)
	switch refusal.why() {
	case passes:
		c.started = r.now.Add(firstToken)
		r.seen.Began("k", "m")
		r.write(c)
	case Reserved:
		if r.first < 0 {
			r.first = r.spent * 1000 / r.limit
		}
		if !c.was {
			c.was = true
			r.sentBack++
		}
		r.at(r.now.Add(again), func() { r.send(c) })
	}
}

// write writes until the hold has to grow, or the answer is complete.
func (r *run) write(c *caller) {
	next := c.hold.Next() * 100 / c.counted
	if !r.grows || next >= c.output {
		r.at(c.started.Add(time.Duration(c.output)*perToken), func() { r.end(c, c.output) })
		return
	}
	next = max(next, 1)
	r.at(c.started.Add(time.Duration(next)*perToken), func() {
		if !r.book.Grow(&c.hold, max(c.hold.Next(), next*c.counted/100)) {
			r.cut++
			r.end(c, next)
			return
		}
		r.write(c)
	})
}

func (r *run) end(c *caller, output int64) {
	cost, _ := r.price.Cost(&llm.Usage{Fresh: c.input, Text: output})
	r.book.Settle(&c.hold, Amount{Money: cost})
	r.spent += cost
	seen := &Call{Prompt: &c.prompt, Answers: 1, Input: c.input, Output: output}
	if output < c.output { // it was cut
		seen = nil
	}
	r.seen.Ended("k", "m", seen)
	r.next(c)
}

// sums are of many runs.
type sums struct {
	runs, over, worst, requests, sentBack, cut, first, firsts int64
}

func (s *sums) add(r *run) {
	over := max(r.spent-r.limit, 0) * 1000 / r.limit
	s.runs++
	s.over += over
	s.worst = max(s.worst, over)
	s.requests += int64(r.requests)
	s.sentBack += int64(r.sentBack)
	s.cut += int64(r.cut)
	if r.first >= 0 {
		s.firsts++
		s.first += r.first
	}
}

// The page shows what the program's own core does: nothing is over with strict, and each step beyond expected is closer to it.
func TestSimulated(t *testing.T) {
	if testing.Short() {
		t.Skip("it is long, and about what is computed: the race detector has no use for it")
	}
	t.Parallel()
	const runs = 25
	var text strings.Builder
	for _, c := range crowds() {
		fmt.Fprintf(&text, "| %s | over, mean | over, worst | sent back | spent when the first was | cut |\n|---|---|---|---|---|---|\n", c.name)
		var overs []int64
		for _, w := range ways() {
			var s sums
			for seed := range uint64(runs) {
				r := c.simulate(t, w, seed)
				if state := r.book.States(Owner{Key, "k"}, r.now)[0]; state.Held != 0 || state.Used != r.spent {
					t.Fatalf("%s, %s: at rest %d held, %d used of %d spent", c.name, w.name, state.Held, state.Used, r.spent)
				}
				s.add(r)
			}
			overs = append(overs, s.over)
			fmt.Fprintf(&text, "| %s | %s | %s | %d %% | %d %% | %d %% |\n", w.name, tenths(s.over, s.runs), tenths(s.worst, 1), s.sentBack*100/s.requests, s.first/max(s.firsts, 1)/10, s.cut*100/s.requests)
		}
		text.WriteString("\n")
		if strict, plain, grown, cut := overs[0], overs[1], overs[2], overs[3]; strict != 0 || cut >= grown || grown >= plain {
			t.Errorf("%s: over by %v thousandths in all", c.name, overs)
		}
	}
	checkPage(t, text.String())
}

// tenths is a mean of thousandths, in percent.
func tenths(sum, n int64) string {
	mean := (sum + n/2) / n
	return fmt.Sprintf("%d.%d %%", mean/10, mean%10)
}

// checkPage holds the page against the figures, or writes them. They are made of integers alone, so they are the same everywhere.
func checkPage(t *testing.T, got string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), beginMark)
	old, after, ok := strings.Cut(rest, endMark)
	switch {
	case !ok:
		t.Fatalf("%s has lost the lines around the figures", page)
	case *update:
		if err := os.WriteFile(page, []byte(before+beginMark+got+endMark+after), 0o600); err != nil {
			t.Fatal(err)
		}
	case old != got:
		t.Errorf("%s says something else; -update writes it:\n%s", page, got)
	}
}
