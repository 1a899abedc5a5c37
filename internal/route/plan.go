package route

import (
	"cmp"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// Ask is what a request asks of a target.
type Ask struct {
	llm.Profile
	Caller uint64 // whose it is, as a hash of the key's id
	Seed   uint64 // of what is drawn for this request
}

// Skip is why a target is not tried.
type Skip uint8

// The reasons. The last four are found when the target would be tried.
const (
	NotSkipped Skip = iota
	LacksImages
	LacksAudio
	LacksFiles
	LacksTools
	LacksSchema
	PromptTooLong
	TargetDown   // its breaker is open
	Full         // it has as many requests as it may have
	NoCredential // none of its provider's can be used
	NoBudget     // it would be a repeat, and there were too many of them
)

// String is the word in logs and plans.
func (s Skip) String() string {
	return [...]string{"", "no_images", "no_audio", "no_files", "no_tools", "no_schema", "prompt_too_long", "down", "full", "no_credential", "no_budget"}[s]
}

// Step is one target of a plan.
type Step struct {
	*Target
	Of     *Model // whose target it is
	Health *Health
	Skip   Skip

	turn turn
	busy int32  // how many attempts are in flight
	rank uint64 // the smallest first
}

// turn is when a target is tried: before those of the later ones, wherever the policy puts it.
type turn uint8

const (
	ready   turn = iota
	resting      // it said that it wants to be left alone for a while
	full         // it has as many requests as it may have
	broken       // its breaker is open
	never
)

// glance is all that a plan has to know of the target.
func (h *Health) glance(now time.Time) (t turn, busy int32) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.breaker.state(now).Phase == Open:
		t = broken
	case h.rest.left(now) > 0:
		t = resting
	}
	return t, int32(h.inFlight)
}

// Plan appends all targets to steps[:0]: those that may be tried first, in the order of the policy, then those that are skipped,
// each with the reason.
func (r *Route) Plan(steps []Step, ask *Ask, now time.Time) []Step {
	steps = r.consider(steps[:0], ask, now)
	if len(steps) == 1 {
		return steps
	}
	luck := draws(ask.Seed)
	well := 0
	for i := range steps {
		s := &steps[i]
		s.rank = uint64(s.turn)<<rankBits | r.rank(s, ask, &luck, now)
		if s.turn == ready {
			well++
		}
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return cmp.Compare(a.rank, b.rank) })
	if first := r.first(steps[:well], ask, &luck, now); first > 0 {
		s := steps[first]
		copy(steps[1:], steps[:first])
		steps[0] = s
	}
	return steps
}

// first is the place of the step to be tried first among those that are ready, in their order.
func (r *Route) first(steps []Step, ask *Ask, luck *draws, now time.Time) int {
	if len(steps) < 2 {
		return 0
	}
	if hash := r.Model.Sticky.of(ask); hash != 0 {
		return home(r.homely(steps, now), hash)
	}
	if r.Model.Policy != Fastest {
		return 0
	}
	one, other := luck.below(len(steps)), luck.below(len(steps)-1)
	if other >= one {
		other++
	}
	return min(one, other)
}

// consider makes a step of each target and finds out which are skipped. If that would be all of them it is none, unless there
// is a model to fall back on: what is known of them may be wrong, and an upstream can tell better than Weir what it does not take.
func (r *Route) consider(steps []Step, ask *Ask, now time.Time) []Step {
	left, elsewhere := false, false
	for i := range r.Targets {
		t := &r.Targets[i]
		s := Step{Target: t, Of: r.Model, Health: r.Board.Health(t.Provider, t.Model), Skip: t.Facts.skip(ask)}
		left = left || s.Skip == NotSkipped
		elsewhere = elsewhere || r.FallsBack(s.Skip.causes())
		steps = append(steps, s)
	}
	for i := range steps {
		s := &steps[i]
		if !left && !elsewhere {
			s.Skip = NotSkipped
		}
		s.turn, s.busy = s.Health.glance(now)
		if g := r.Board.gate(s); g != nil && s.turn < full && g.Full(s.Concurrent) {
			s.turn = full
		}
		if s.Skip != NotSkipped {
			s.turn = never
		}
	}
	return steps
}

// FallsBack reports whether there is a model to fall back on for one of the causes.
func (r *Route) FallsBack(on Causes) bool {
	return !r.fallback && slices.ContainsFunc(r.Model.Fallbacks, func(f Fallback) bool { return f.On&on != 0 })
}

// causes are for which a model whose target is skipped so falls back.
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
	OnError         Causes = 1 << iota // nobody answered, or nobody is healthy
	OnRateLimit                        // everybody is rate-limited
	OnContext                          // the prompt is too long for everybody
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

// wants adds what has to be known for the model's targets. There is nothing to choose if there is one, unless another model
// may take its place.
func (m *Model) wants(w *llm.Wants, targets []Target, elsewhere bool) {
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
