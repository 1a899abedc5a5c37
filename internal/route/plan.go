package route

import (
	"math"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// Ask is what a request asks of a target.
type Ask struct {
	llm.Profile
	Caller uint64 // whose it is, as a hash of the key's id
	Seed   uint64 // seed of this request's random draws
}

// Skip is why a target is not tried.
type Skip uint8

// The reasons. Those from TargetDown on are found when the target would be tried.
const (
	NotSkipped Skip = iota
	LacksImages
	LacksAudio
	LacksFiles
	LacksTools
	LacksSchema
	LacksPrefill
	PromptTooLong
	TargetDown   // its breaker is open
	Full         // it has as many requests as it may have, at once or in a minute
	NoCredential // none of its provider's can be used
	NoBudget     // it would be a repeat, and there were too many of them
	NoEndpoint   // its provider does not have what is asked for, or no such model
	Unsendable   // what is asked has no place in a request to it, or would lose something that must not be lost
	BudgetFull   // a budget has no room for what the call may take
	Unpriced     // its price is unknown, and a budget in dollars applies
)

// String is the word in logs and plans.
func (s Skip) String() string {
	return [...]string{"", "no_images", "no_audio", "no_files", "no_tools", "no_schema", "no_prefill", "prompt_too_long", "down", "full", "no_credential", "no_budget", "no_endpoint", "unsendable", "budget", "no_price"}[s]
}

// Step is one target of a plan.
type Step struct {
	*Target
	of     *Model // whose target it is
	health *Health
	Skip   Skip

	tried    uint64 // credentials that were refused or are at their limit, by their bits
	spare    bool   // another one, or a fresh one, is tried next
	asked    bool   // an attempt was made
	resorted bool   // it was looked at as the last resort
	turn     turn
	busy     int32  // how many attempts are in flight
	rank     uint64 // the smallest first, those that are tried later above all others
}

// turn is when a target is tried: before those of the later ones, wherever the policy puts it.
type turn uint8

const (
	ready   turn = iota
	resting      // it said that it wants to be left alone for a while
	full         // it has as many requests as it may have, at once or in a minute
	locked       // none of its provider's credentials may be used
	suspect      // its breaker is open for all, and nothing is known of this key
	broken       // its breaker does not let this key pass
	never
)

// glance is all that a plan has to know of a target's health.
type glance struct {
	turn        turn
	busy        int32
	score, mean float64 // how fast it is, see speed, and that without regard to when it was last asked; if the plan goes by it
}

func (h *Health) glance(now time.Time, caller uint64, scored bool) (g glance) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var s *standing
	if h.breaker.ill || scored {
		s = h.breaker.keys.find(caller)
	}
	switch h.breaker.way(now, s) {
	case barred:
		g.turn = broken
	case doubtful:
		g.turn = suspect
	default:
		if h.left(now, s) > 0 {
			g.turn = resting
		}
	}
	if scored {
		g.mean = h.speed.mean(now, s)
		g.score = g.mean * h.speed.fresh(now)
	}
	g.busy = int32(h.inFlight)
	return g
}

// orderedPlan appends all targets to steps[:0]: first those that may be tried, in the order of the policy, then the skipped ones, each
// with the reason.
func (r *Route) orderedPlan(steps []Step, ask *Ask, now time.Time) []Step {
	steps = r.plan(steps, ask, now)
	for i := range steps {
		advance(steps[i:])
	}
	return steps
}

// plan is orderedPlan, but for the order: advance has to give each step its place when it is tried. Most requests need the first one only.
func (r *Route) plan(steps []Step, ask *Ask, now time.Time) []Step {
	steps = r.consider(steps[:0], ask)
	luck := draws(ask.Seed)
	fastest := math.Inf(1)
	for i := range steps {
		s := &steps[i]
		if s.Skip != NotSkipped {
			s.turn, s.rank = never, uint64(never)<<rankBits
			continue
		}
		g := s.health.glance(now, ask.Caller, r.Model.Policy == Fastest)
		s.turn, s.busy = g.turn, g.busy
		if s.turn < full && (r.Board.full(s) || s.window(ask, now) > 0) {
			s.turn = full
		}
		if s.turn < locked && r.Board.keys(s.Target).locked(now, ask.Caller) {
			s.turn = locked
		}
		s.rank = uint64(s.turn)<<rankBits | r.rank(s, g.score, ask, &luck)
		if s.turn == ready {
			fastest = min(fastest, g.mean)
		}
	}
	if first := r.first(steps, fastest, ask, &luck); first >= 0 {
		steps[first].rank = 0
		toFront(steps, first)
	}
	return steps
}

// advance has the step of the smallest rank come first. The others keep their order.
func advance(steps []Step) {
	first := 0
	for i := range steps {
		if steps[i].rank < steps[first].rank {
			first = i
		}
	}
	toFront(steps, first)
}

func toFront(steps []Step, i int) {
	if i > 0 {
		s := steps[i]
		copy(steps[1:], steps[:i])
		steps[0] = s
	}
}

// first is the place of the step that is tried first whatever its rank, -1 if the rank decides. fastest is the smallest mean of
// the ready steps.
func (r *Route) first(steps []Step, fastest float64, ask *Ask, luck *draws) int {
	hash := r.Model.Sticky.of(ask)
	switch {
	case hash != 0 && r.Model.Policy == Fastest:
		return home(steps, hash, ordered(tooSlow*fastest))
	case hash != 0:
		return home(steps, hash, math.MaxUint64)
	case r.Model.Policy == Fastest:
		return betterOfTwo(steps, luck)
	}
	return -1
}

// consider makes a step of each target and finds out which are skipped. If all would be skipped and the model has no fallback,
// none is. What Weir knows of them may be wrong, and an upstream knows better what it accepts.
func (r *Route) consider(steps []Step, ask *Ask) []Step {
	left, causes := false, Causes(0)
	for i := range r.Targets {
		t := &r.Targets[i]
		s := Step{Target: t, of: r.Model, health: r.Board.of(t), Skip: t.Facts.skip(ask)}
		left = left || s.Skip == NotSkipped
		causes |= s.Skip.causes()
		steps = append(steps, s)
	}
	if !left && !r.FallsBack(causes) {
		for i := range steps {
			steps[i].Skip = NotSkipped
		}
	}
	return steps
}

// FallsBack reports whether there is a model to fall back on for one of the causes.
func (r *Route) FallsBack(on Causes) bool {
	return !r.fallback && slices.ContainsFunc(r.Model.Fallbacks, func(f Fallback) bool { return f.On&on != 0 })
}

// causes are the reasons to fall back that a model with a target skipped this way has.
func (s Skip) causes() Causes {
	switch s {
	case NotSkipped:
		return 0
	case PromptTooLong:
		return OnContext
	default:
		return OnError
	}
}

// Causes is a set of reasons to fall back on another model.
type Causes uint8

// The causes.
const (
	OnError         Causes = 1 << iota // no target answered, or no target is healthy
	OnRateLimit                        // all targets are rate-limited
	OnContext                          // the prompt is too long for all targets
	OnContentFilter                    // what the request says is forbidden
)

// Words are the causes as the config spells them.
func (c Causes) Words() []string {
	var words []string
	for i, word := range [...]string{"error", "rate_limit", "context", "content_filter"} {
		if c>>i&1 != 0 {
			words = append(words, word)
		}
	}
	return words
}

// Fallback names the models to go on with, in their order, when a model has failed for one of the causes.
type Fallback struct {
	On Causes
	To []*Model
}

// FallBack is the route over the targets of a model that this route's falls back on. That one's own fallbacks do not count.
func (r *Route) FallBack(to *Model) Route {
	return Route{Model: to, Targets: to.Targets, Board: r.Board, fallback: true}
}

// Wants is what has to be known of a request for Plan, over the route's targets and those that it may fall back on.
func (r *Route) Wants() llm.Wants {
	var w llm.Wants
	r.Model.wants(&w, r.Targets, len(r.Model.Fallbacks) > 0)
	for i := range r.Model.Fallbacks {
		for _, to := range r.Model.Fallbacks[i].To {
			to.wants(&w, to.Targets, false)
		}
	}
	return w
}

// wants adds what has to be known for the model's targets. With one target it has no choice to make, unless another model
// may take its place, but may have to know whether the target is full.
func (m *Model) wants(w *llm.Wants, targets []Target, elsewhere bool) {
	w.Tokens = w.Tokens || slices.ContainsFunc(targets, func(t Target) bool { return t.Rates.Tokens > 0 })
	if len(targets) < 2 && !elsewhere {
		return
	}
	for i := range targets {
		facts := &targets[i].Facts
		w.Needs |= facts.Lacks
		if limit := facts.limit(); limit > 0 && (w.Least == 0 || limit < w.Least) {
			w.Least = limit
		}
	}
	w.Tokens = w.Tokens || m.Policy == Cheapest
	w.Prefix = w.Prefix || m.Sticky == ByPrefix
	w.User = w.User || m.Sticky == ByUser
}
