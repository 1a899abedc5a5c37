package claude

import (
	"cmp"
	"slices"

	"github.com/weirproxy/weir/internal/llm"
)

// EffortParam is the parameter that a Plan may lose.
const EffortParam = "reasoning_effort"

// Begun is what a message holds that a Plan may refuse.
const Begun = "the beginning of the answer"

// Plan is how a model is asked: whether it reasons, which limits what else may be sent, and how long its answer may be.
type Plan struct {
	Model

	Max    int64
	Budget int64 // tokens to think with, if Thinking is by budget
	Thinks bool  // the model is asked to reason
	Loses  bool  // it was to reason, but cannot
	Tries  bool  // it gets an effort: how much to reason, or how much to say if it cannot reason

	maker string // maker of the model
}

// PlanOf decides for a request to the model of that name.
func PlanOf(r *llm.Request, name string) Plan {
	p := Plan{Model: Of(name).with(r.Takes), Max: r.MaxToken, maker: Maker(name)}
	if p.Budgets && r.Budget > 0 {
		p.Think = ByBudget
	}
	asked := r.Effort != "" && r.Effort != "none"
	if asked && (p.Think == NoThinking || p.mustCall(r) || p.Think == ByBudget && p.thoughtless(r)) {
		asked, p.Loses = false, true
		p.Tries = p.Think == Adaptive
	}
	budget := r.Takes.Budget(cmp.Or(r.Budget, llm.ThinkingBudget(r.Effort)))
	if p.Max == 0 {
		p.Max = DefaultMax
		if asked && p.Think == ByBudget {
			p.Max += budget
		}
		switch {
		case r.MaxOut > 0:
			p.Max = min(p.Max, r.MaxOut)
		case p.Think == NoThinking:
			p.Max = oldMax
		}
	}
	// The budget is part of what the answer may take, as it is in OpenAI's API; something must be left for the answer itself.
	least := r.Takes.Budget(1024)
	switch {
	case !asked:
	case p.Think != ByBudget:
		p.Thinks, p.Tries = true, true
	case p.Max <= least:
		p.Loses = true
	case r.Budget > 0: // as the caller has it, within the API's bounds
		p.Thinks, p.Budget = true, min(max(budget, least), p.Max-1)
	default:
		p.Thinks, p.Budget = true, min(budget, max(least, p.Max/4*3))
	}
	return p
}

// mustCall reports whether the model is forced to call a tool, which it cannot be while it reasons.
func (p *Plan) mustCall(r *llm.Request) bool {
	return (r.Choice.Kind == llm.ChoiceAny || r.Choice.Kind == llm.ChoiceTool) && !p.NeverMust
}

// Refused is the place of a message with which the caller begins the answer, if the model does not continue such messages. ok is
// false without one. Empty messages after it are not sent.
func (p *Plan) Refused(r *llm.Request) (at int, ok bool) {
	says := func(p llm.Part) bool { return p.Kind != llm.Text || !p.Text.Blank() }
	for i := len(r.Messages) - 1; i >= 0 && !p.Prefill; i-- {
		if m := &r.Messages[i]; slices.ContainsFunc(m.Parts, says) {
			return m.At, m.Role == llm.Assistant
		}
	}
	return 0, false
}

// thoughtless reports whether the model is in the middle of an answer, or of calling tools, and its earlier reasoning was not sent
// back. It must not begin to reason now.
func (p *Plan) thoughtless(r *llm.Request) bool {
	results := false
	for i := len(r.Messages) - 1; i >= 0; i-- {
		m := &r.Messages[i]
		if m.Role == llm.Assistant {
			return i == len(r.Messages)-1 || results && (len(m.Parts) == 0 || !p.Reads(&m.Parts[0]))
		}
		results = results || slices.ContainsFunc(m.Parts, func(p llm.Part) bool { return p.Kind == llm.Result })
	}
	return false
}

// Samples reports whether the model accepts a sampling parameter together with the rest of the request.
func (p *Plan) Samples(r *llm.Request, name string) bool {
	warm := func(o llm.Param) bool { return o.Name == "temperature" }
	return p.Sampling && !p.Thinks && (name != "top_p" || !p.OneOfTwo || !slices.ContainsFunc(r.Params, warm))
}
