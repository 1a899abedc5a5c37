package route

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"pgregory.net/rapid"
)

var someday = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// resolve makes a table of the models and resolves the first.
func resolve(models ...*Model) Route {
	r, _ := NewTable(models, NewBoard(), nil).Resolve(models[0].Name)
	return r
}

// sick has the target's breaker open, for all and for the keys up to 9 as well.
func (r *Route) sick(place int) {
	h := r.Board.Health(r.Targets[place].Provider, r.Targets[place].Model)
	for i := range uint64(20) {
		_, pass := h.Begin(someday, i%10, true)
		h.End(someday, Failed, pass)
	}
}

// busy has n requests in flight at the target.
func (r *Route) busy(place, n int) {
	for range n {
		r.Board.Health(r.Targets[place].Provider, r.Targets[place].Model).Begin(someday, 1, false)
	}
}

// slow has the target answer after so long.
func (r *Route) slow(place int, first time.Duration) {
	for range 20 {
		h := r.Board.Health(r.Targets[place].Provider, r.Targets[place].Model)
		_, probe := h.Begin(someday, 1, false)
		h.heard(someday, first, Pass{})
		h.End(someday, Answered, probe)
	}
}

// told is a plan in one line.
func told(steps []Step) string {
	var b strings.Builder
	for _, s := range steps {
		b.WriteString(" " + s.String())
		if s.Skip != NotSkipped {
			b.WriteString(":" + s.Skip.String())
		}
	}
	return strings.TrimSpace(b.String())
}

func (r *Route) told(ask Ask) string { return told(r.orderedPlan(nil, &ask, someday)) }

func TestPlanSkips(t *testing.T) {
	t.Parallel()
	m := model("m", "p/a", "p/b", "p/c")
	m.Targets[0].Facts = Facts{Lacks: llm.TakesImages | llm.TakesTools, Context: 1000}
	m.Targets[1].Facts = Facts{Lacks: llm.TakesAudio | llm.TakesFiles | llm.TakesSchema | llm.TakesTools, Context: 4000, MaxInput: 2000}
	m.Targets[2].Facts = Facts{Lacks: llm.TakesPrefill}
	r := resolve(m)
	for _, tt := range []struct {
		name string
		ask  llm.Profile
		want string
	}{
		{"nothing needed", llm.Profile{}, "p/a p/b p/c"},
		{"images", llm.Profile{Needs: llm.TakesImages}, "p/b p/c p/a:no_images"},
		{"audio", llm.Profile{Needs: llm.TakesAudio}, "p/a p/c p/b:no_audio"},
		{"files", llm.Profile{Needs: llm.TakesFiles}, "p/a p/c p/b:no_files"},
		{"schema", llm.Profile{Needs: llm.TakesSchema}, "p/a p/c p/b:no_schema"},
		{"tools", llm.Profile{Needs: llm.TakesTools}, "p/c p/a:no_tools p/b:no_tools"},
		{"prefill", llm.Profile{Needs: llm.TakesPrefill}, "p/a p/b p/c:no_prefill"},
		{"all that fits", llm.Profile{Least: 1000}, "p/a p/b p/c"},
		{"one token more", llm.Profile{Least: 1001}, "p/b p/c p/a:prompt_too_long"},
		{"beyond what a prompt may have", llm.Profile{Least: 2001}, "p/c p/a:prompt_too_long p/b:prompt_too_long"},
		{"likely is not surely", llm.Profile{Prompt: 5000}, "p/a p/b p/c"},
	} {
		if got := r.told(Ask{Profile: tt.ask}); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if w := r.Wants(); w.Needs != llm.TakesImages|llm.TakesAudio|llm.TakesFiles|llm.TakesTools|llm.TakesSchema|llm.TakesPrefill || w.Least != 1000 {
		t.Errorf("wants %+v", w)
	}
}

// What is known may be wrong: if no target were left, the upstreams are asked all the same, unless another model can take over.
func TestPlanSkipsNotAll(t *testing.T) {
	t.Parallel()
	build := func(on Causes) Route {
		m, other := model("m", "p/a", "p/b"), model("other", "p/c")
		for i := range m.Targets {
			m.Targets[i].Facts = Facts{Lacks: llm.TakesImages, Context: 1000}
		}
		other.Targets[0].Facts = m.Targets[0].Facts
		if on != 0 {
			m.Fallbacks = []Fallback{{On: on, To: []*Model{other}}}
		}
		return resolve(m)
	}
	long, picture := Ask{Profile: llm.Profile{Least: 2000}}, Ask{Profile: llm.Profile{Needs: llm.TakesImages}}
	for _, tt := range []struct {
		on            Causes
		long, picture string
	}{
		{0, "p/a p/b", "p/a p/b"},
		{OnRateLimit | OnContentFilter, "p/a p/b", "p/a p/b"},
		{OnContext, "p/a:prompt_too_long p/b:prompt_too_long", "p/a p/b"},
		{OnError, "p/a p/b", "p/a:no_images p/b:no_images"},
	} {
		r := build(tt.on)
		if got := r.told(long); got != tt.long {
			t.Errorf("fallback on %b: too long: %s, want %s", tt.on, got, tt.long)
		}
		if got := r.told(picture); got != tt.picture {
			t.Errorf("fallback on %b: picture: %s, want %s", tt.on, got, tt.picture)
		}
	}
	r := build(OnContext)
	last := r.FallBack(r.Model.Fallbacks[0].To[0])
	if got := last.told(long); got != "p/c" {
		t.Errorf("the fallback: %s", got)
	}
	last.Model.Fallbacks = r.Model.Fallbacks // they do not count
	if got := last.told(long); got != "p/c" {
		t.Errorf("a fallback with fallbacks: %s", got)
	}
}

// A sick or resting target is tried after the others, in the policy's order, but is not skipped: it may be healthy when its
// turn comes.
func TestPlanTurns(t *testing.T) {
	t.Parallel()
	for policy := range Policy(len(policies)) {
		m := model("m", "p/open", "p/resting", "p/lacking", "p/well", "p/better")
		m.Policy = policy
		m.Targets[2].Facts.Lacks = llm.TakesTools
		r := resolve(m)
		r.sick(0)
		r.Board.Health("p", "resting").restUntil(start, someday.Add(time.Second), Pass{})
		got := r.told(Ask{Seed: 1, Profile: llm.Profile{Needs: llm.TakesTools}})
		got = strings.Replace(got, "p/better p/well", "p/well p/better", 1)
		if want := "p/well p/better p/resting p/open p/lacking:no_tools"; got != want {
			t.Errorf("%v: %s, want %s", policy, got, want)
		}
	}
}

// Every target is in the plan once, those that may be tried come first, and the same request gets the same plan. This holds for
// all requests, targets and states of health.
func TestPlanIsWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &Model{
			Name:   "m",
			Policy: Policy(rapid.IntRange(0, len(policies)-1).Draw(t, "policy")),
			Sticky: Sticky(rapid.IntRange(0, len(stickies)-1).Draw(t, "sticky")),
		}
		for i := range rapid.IntRange(1, 8).Draw(t, "targets") {
			m.Targets = append(m.Targets, Target{
				Provider: "p", Model: fmt.Sprint(i), Weight: rapid.IntRange(0, 3).Draw(t, "weight"),
				Facts: Facts{
					Lacks: llm.Ability(rapid.IntRange(0, 31).Draw(t, "lacks")), Context: rapid.IntRange(0, 3).Draw(t, "context"),
					Price: rapid.SampledFrom([]*money.Price{nil, money.Plain(1, 0), money.Plain(1, 1), money.Plain(1, 2), money.Plain(1, 3)}).Draw(t, "price"),
				},
			})
		}
		r := resolve(m)
		for i := range m.Targets {
			switch rapid.IntRange(0, 3).Draw(t, "health") {
			case 0:
				r.sick(i)
			case 1:
				r.busy(i, i)
			case 2:
				r.Board.Health("p", fmt.Sprint(i)).restUntil(start, someday.Add(time.Second), Pass{})
			}
		}
		ask := Ask{Seed: rapid.Uint64().Draw(t, "seed"), Profile: llm.Profile{
			Needs: llm.Ability(rapid.IntRange(0, 31).Draw(t, "needs")), Least: rapid.IntRange(0, 4).Draw(t, "least"),
			Prefix: rapid.Uint64().Draw(t, "prefix"), User: rapid.Uint64().Draw(t, "user"),
		}}
		steps := r.orderedPlan(nil, &ask, someday)
		if !slices.IsSortedFunc(steps, func(a, b Step) int { return int(a.turn) - int(b.turn) }) {
			t.Fatalf("who is to be tried later comes earlier: %+v", steps)
		}
		places := map[*Target]bool{}
		for i, s := range steps {
			places[s.Target] = true
			if i > 0 && s.Skip == NotSkipped && steps[i-1].Skip != NotSkipped {
				t.Fatalf("behind a skipped one: %s", told(steps))
			}
		}
		if len(places) != len(m.Targets) || len(steps) != len(m.Targets) || steps[0].Skip != NotSkipped {
			t.Fatalf("%d targets: %s", len(m.Targets), told(steps))
		}
		if again := r.orderedPlan(steps[:0:0], &ask, someday); told(again) != told(steps) {
			t.Fatalf("%s, and then %s", told(steps), told(again))
		}
	})
}

func TestWants(t *testing.T) {
	t.Parallel()
	full := Facts{Lacks: llm.TakesImages, Context: 100}
	lone, two := model("lone", "p/a"), model("two", "p/a", "p/b")
	lone.Policy, lone.Sticky, lone.Targets[0].Facts = Cheapest, ByUser, full
	two.Policy, two.Sticky, two.Targets[1].Facts = Cheapest, ByPrefix, full
	plain := model("plain", "p/a", "p/b")
	back := model("back", "p/a")
	back.Targets[0].Facts = Facts{Lacks: llm.TakesTools, Context: 200}
	back.Fallbacks = []Fallback{{On: OnError, To: []*Model{lone}}, {On: OnContext, To: []*Model{plain, two}}}
	all := llm.Wants{Needs: llm.TakesImages, Least: 100, Tokens: true, Prefix: true}
	both := all
	both.Needs |= llm.TakesTools
	for _, tt := range []struct {
		model *Model
		want  llm.Wants
	}{{lone, llm.Wants{}}, {plain, llm.Wants{}}, {two, all}, {back, both}} {
		r := resolve(tt.model)
		if got := r.Wants(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.model.Name, got, tt.want)
		}
	}
}

// twenty is a table of a model with many targets that have requests in flight. Every second one lacks something or is down, up to so
// many; the others have answered.
func twenty(policy Policy, sticky Sticky, lacking, down int) *Table {
	m := &Model{Name: "m", Policy: policy, Sticky: sticky, MaxAttempts: 3, Repeats: 0.1}
	for i := range 20 {
		m.Targets = append(m.Targets, Target{
			Provider: fmt.Sprintf("provider-%d", i), Model: "meta-llama/llama-4-maverick", Weight: 1 + i%3,
			Facts: Facts{Context: 128000, Price: money.Plain(200000+int64(i%7), 800000)},
		})
		if i%2 == 1 && i/2 < lacking {
			m.Targets[i].Facts.Lacks = llm.TakesImages
		}
	}
	table := NewTable([]*Model{m}, NewBoard(), nil)
	r, _ := table.Resolve("m")
	for i := range m.Targets {
		r.busy(i, i%4)
		if i%2 == 1 && i/2 < down {
			r.sick(i)
		} else {
			r.slow(i, time.Duration(100+i*7%20)*time.Millisecond)
		}
	}
	return table
}

// costly are all policies, with and without stickiness, with everything well, and with half of the targets skipped.
func costly(each func(name string, table *Table)) {
	for policy := range Policy(len(policies)) {
		for _, sticky := range []Sticky{Loose, ByPrefix} {
			if policy == Ordered && sticky != Loose {
				continue
			}
			name := policy.String() + "/" + sticky.String()
			each(name+"/well", twenty(policy, sticky, 0, 0))
			each(name+"/lacking", twenty(policy, sticky, 10, 0))
			each(name+"/down", twenty(policy, sticky, 0, 10))
		}
	}
}

// serve is all that routing does for a request whose first attempt is answered.
func serve(table *Table, ask *Ask, now time.Time) (skipped int) {
	var a Attempts
	r, _ := table.Resolve("m")
	a.Begin(r, ask, now)
	try, _ := a.Next(now)
	try.Heard(100*time.Millisecond, now)
	a.Ended(try, Answered, 0, now)
	for _, s := range a.Steps() {
		if s.Skip != NotSkipped {
			skipped++
		}
	}
	return skipped
}

// However many targets are skipped, it takes no more memory: one piece for all steps.
func TestSkippingAllocatesNothing(t *testing.T) { // not parallel to tests whose allocations would count
	costly(func(name string, table *Table) {
		ask := &Ask{Seed: 7, Caller: 1, Profile: llm.Profile{Needs: llm.TakesImages, Least: 1000, Prompt: 1200, Prefix: 9}}
		want := 10
		if strings.HasSuffix(name, "/well") {
			want = 0
		}
		skipped := 0
		if n := testing.AllocsPerRun(100, func() { skipped = serve(table, ask, someday) }); n != 2 || skipped != want { // with the Attempts
			t.Errorf("%s: %v allocations, %d targets skipped", name, n, skipped)
		}
	})
}

// Requests of one second. On a machine with other work, only the lowest of several runs means anything.
func BenchmarkRouting(b *testing.B) {
	costly(func(name string, table *Table) {
		b.Run(name, func(b *testing.B) {
			ask := &Ask{Caller: 1, Profile: llm.Profile{Needs: llm.TakesImages, Least: 1000, Prompt: 1200}}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				ask.Seed, ask.Prefix = rand.Uint64(), rand.Uint64()
				serve(table, ask, someday.Add(time.Duration(i%1000)*time.Millisecond))
			}
		})
	})
}
