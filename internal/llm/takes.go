package llm

import "slices"

// Takes is what the config says of a target's model, in place of what is known of it. What it does not say is zero; nil says
// nothing.
type Takes struct {
	Has, Lacks Ability

	Samples   []string // the parameters of sampling that it takes, and Refuses all others; both nil if that is not said
	Refuses   []string
	Reasoning ReasoningForm // how a request sets the amount of reasoning
	Efforts   []string      // the values of reasoning_effort that it knows
	MinBudget int64         // limits on a number of reasoning tokens; 0 if unknown, as MaxBudget
	MaxBudget int64

	Context, MaxInput, MaxOutput int // tokens
}

// ReasoningForm is the form in which a request sets the amount of reasoning.
type ReasoningForm uint8

// The forms.
const (
	ReasoningUnsaid ReasoningForm = iota
	ReasoningNone                 // it cannot be set
	ReasoningEffort               // by a word
	ReasoningBudget               // by a number of tokens
)

// Can reports whether the model has an ability, which is known unless the config says otherwise.
func (t *Takes) Can(a Ability, known bool) bool {
	switch {
	case t == nil:
		return known
	case t.Has&a != 0:
		return true
	}
	return known && t.Lacks&a == 0
}

// Sample reports whether the model takes a parameter of sampling, which is known unless the config says otherwise.
func (t *Takes) Sample(name string, known bool) bool {
	if t == nil || t.Samples == nil {
		return known
	}
	return slices.Contains(t.Samples, name)
}

// Reasons reports whether the amount of reasoning can be set: what is known, unless the config says otherwise.
func (t *Takes) Reasons(known bool) bool {
	if t == nil || t.Reasoning == ReasoningUnsaid {
		return known
	}
	return t.Reasoning != ReasoningNone
}

// efforts are all values of reasoning_effort that ask for some, from the lowest.
var efforts = [...]string{"minimal", "low", "medium", "high", "xhigh", "max"}

// Effort is what a model that knows only some efforts is asked for in place of one: the next one above, or its highest. Where the
// config does not say which it knows, that is not changed.
func (t *Takes) Effort(asked string) (effort string, said bool) {
	if t == nil || len(t.Efforts) == 0 {
		return asked, false
	}
	from := slices.Index(efforts[:], asked)
	if from < 0 {
		return asked, false
	}
	for _, e := range efforts[from:] {
		if slices.Contains(t.Efforts, e) {
			return e, true
		}
	}
	for _, e := range slices.Backward(efforts[:from]) {
		if slices.Contains(t.Efforts, e) {
			return e, true
		}
	}
	return asked, false
}

// Budget is the number of tokens to reason with that is the nearest to the one asked for.
func (t *Takes) Budget(asked int64) int64 {
	if t == nil {
		return asked
	}
	if asked = max(asked, t.MinBudget); t.MaxBudget > 0 {
		asked = min(asked, t.MaxBudget)
	}
	return asked
}
