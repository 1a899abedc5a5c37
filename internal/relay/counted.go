package relay

import (
	"net/http"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// What no upstream reports is counted: about four bytes are a token. The sizes are known from walks that are made anyway, so that counting
// costs nothing, and the prompt's is still known when its bytes were let go of. A caller is not told what was counted: it is for the
// account.

// tokensOf is about how many tokens so many bytes are.
func tokensOf(bytes int64) int64 { return (bytes + 3) / 4 }

// countedUsage is what a call took whose upstream did not report it, or reported what cannot be true: a prompt of so many bytes, and what was
// said. What is not counted in tokens stays as told.
func countedUsage(heard int, said int64, told *llm.Usage) llm.Usage {
	return llm.Usage{
		Fresh: tokensOf(int64(heard)), Text: tokensOf(said),
		Tier: told.Tier, Searches: told.Searches, Cost: told.Cost, Absurd: told.Absurd,
	}
}

// headUsage is what the head of an answer says that the call took, nil if that is nothing. Bedrock's does, whatever its model's own body says.
func headUsage(h http.Header) *llm.Usage {
	const prefix, suffix = "X-Amzn-Bedrock-", "-Token-Count"
	if h.Get(prefix+"Input"+suffix) == "" {
		return nil
	}
	var u llm.Usage
	for name, to := range map[string]*int64{"Input": &u.Fresh, "Cache-Read-Input": &u.CacheRead, "Cache-Write-Input": &u.CacheWrite, "Output": &u.Text} {
		n, _, absurd := llm.JSON(h.Get(prefix + name + suffix)).Tokens()
		*to, u.Absurd = n, u.Absurd || absurd
	}
	return &u
}

// unreported notes what a whole answer took whose body does not say it, or not truly.
func (a *attempt) unreported(heard int, said int64, told *llm.Usage) {
	if told.Absurd || a.head == nil || a.head.Absurd {
		a.estimated(a.call, countedUsage(heard, said, told))
		return
	}
	u := *a.head
	u.Tier = told.Tier
	a.took(a.call, u, true)
}

// passed notes what a call took, as the walk over its answer found it. whole says that the answer has ended. If it was cut short, what it
// said after the last report is added. An answer that was cut short before it said anything took its prompt, which is counted when the call ends.
func (a *attempt) passed(f *dialect.Found, whole bool) {
	a.answeredBy(a.call, f.Model)
	told, heard := f.HasUsage && !f.Usage.Absurd, a.run.Asked.Scan().Heard
	switch since := f.Said - f.Covered; {
	case !told && whole:
		a.unreported(heard, f.Said, &f.Usage)
	case !told && (f.HasUsage || f.Said > 0 || a.answers()):
		a.estimated(a.call, countedUsage(heard, f.Said, &f.Usage))
	case told && !whole && (since > 0 || f.Said == 0): // before anything is said, the answer's figure only holds its place
		u := f.Usage
		u.Text += tokensOf(since)
		a.estimated(a.call, u)
	default:
		a.took(a.call, f.Usage, f.HasUsage)
	}
}

// answers reports whether the caller has been sent something of the answer: then the prompt was read, though nothing may have been said.
func (a *attempt) answers() bool { return a.run.committed && a.run.result.Answering == a.number }

// tally counts what a translated answer says, beside what its upstream reports of it on the way.
type tally struct {
	heard int // bytes of the prompt
	said  int64

	last   llm.Usage // that was reported before the end
	before int64     // of said, what came before that
	tier   string    // the service tier, which may be known without any usage
	model  string    // as the upstream names it
}

// hear counts an event.
func (t *tally) hear(ev *llm.Event) {
	if ev.Kind == llm.Start && t.model == "" {
		t.model = ev.Name.Model()
	}
	t.said += int64(len(ev.Text.Inner()) + len(ev.Refusal.Inner()))
}

// isReported says whether u has more than the tier.
func isReported(u llm.Usage) bool {
	u.Tier, u.Absurd = "", false
	return u != (llm.Usage{})
}

// reported notes what a reader knows so far.
func (t *tally) reported(u llm.Usage) {
	if t.tier = u.Tier; isReported(u) && u != t.last {
		t.last, t.before = u, t.said
	}
}

// ended notes what a whole answer took.
func (t *tally) ended(a *attempt, end *llm.Event) {
	a.answeredBy(a.call, t.model)
	if end.Uncounted || end.Usage.Absurd {
		a.unreported(t.heard, t.said, &end.Usage)
		return
	}
	a.took(a.call, end.Usage, true)
}

// cut notes what an answer took that did not end: the prompt as reported, and what was said since then.
func (t *tally) cut(a *attempt) {
	a.answeredBy(a.call, t.model)
	switch since := t.said - t.before; {
	case t.said == 0 && !isReported(t.last): // the prompt is counted when the call ends
		if t.tier != "" {
			a.took(a.call, llm.Usage{Tier: t.tier}, false)
		}
	case !isReported(t.last), t.last.Absurd:
		a.estimated(a.call, countedUsage(t.heard, t.said, &llm.Usage{Tier: t.tier, Absurd: t.last.Absurd}))
	default:
		u := t.last
		u.Text += tokensOf(since)
		if since == 0 && t.said > 0 { // before anything is said, the answer's figure only holds its place
			a.took(a.call, u, true)
		} else {
			a.estimated(a.call, u)
		}
	}
}
