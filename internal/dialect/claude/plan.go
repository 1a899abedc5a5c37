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

// Plan is how a model is asked: whether it is to reason, which has a say in what else may be sent, and how long its answer
// may be.
type Plan struct {
	Model

	Max    int64
	Budget int64 // of thinking, if by budget
	Thinks bool  // the model is asked to reason
	Loses  bool  // it was to reason, but cannot
	Tries  bool  // it is told the effort: how much it is to reason, or say if it cannot reason

	maker string // of the model
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

// Refused is the message that the caller begins the answer with, if the model does not go on with such; ok is false if there is nothing to
// refuse. Those behind it that say nothing are not sent.
func (p *Plan) Refused(r *llm.Request) (at int, ok bool) {
	says := func(p llm.Part) bool { return p.Kind != llm.Text || !p.Text.Blank() }
	for i := len(r.Messages) - 1; i >= 0 && !p.Prefill; i-- {
		if m := &r.Messages[i]; slices.ContainsFunc(m.Parts, says) {
			return m.At, m.Role == llm.Assistant
		}
	}
	return 0, false
}

// thoughtless reports whether the model is in the midst of an answer, or of calling tools, but the reasoning that led to it was not sent
// back: it may not begin to reason now.
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

// Samples reports whether the model takes a sampling parameter beside what else is in the request.
func (p *Plan) Samples(r *llm.Request, name string) bool {
	warm := func(o llm.Param) bool { return o.Name == "temperature" }
	return p.Sampling && !p.Thinks && (name != "top_p" || !p.OneOfTwo || !slices.ContainsFunc(r.Params, warm))
}
