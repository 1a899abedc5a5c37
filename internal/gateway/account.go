package gateway

import (
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/spend"
)

// Ledger records calls to upstreams. Its methods are called from many goroutines. *ledger.Ledger is one.
type Ledger interface {
	// Know has prices that intents may name from now on.
	Know(prices []ledger.PricedAs)
	// Begin records a call that is about to be made; the call must not be made if that fails. It keeps nothing of the intent.
	Begin(in *ledger.Intent, budgeted bool) (*ledger.Entry, error)
}

// books are where all requests' calls are recorded.
type books struct {
	ledger     Ledger    // nil records nothing
	spending   *spending // the budgets that calls are charged to
	unrecorded atomic.Int64

	learning sync.Mutex // held while a price is added
	known    atomic.Pointer[map[money.ID]bool]
}

// price names a price to the ledger. A price is described once.
func (b *books) price(p *money.Price) money.ID {
	id := p.ID()
	if id == 0 || (*b.known.Load())[id] {
		return id
	}
	b.learning.Lock()
	defer b.learning.Unlock()
	b.ledger.Know([]ledger.PricedAs{{ID: id, JSON: p.JSON()}})
	known := maps.Clone(*b.known.Load())
	known[id] = true
	b.known.Store(&known)
	return id
}

// account records the calls of one request. It implements relay.Account.
type account struct {
	books *books
	ev    *Event
	team  string // the key's when the request began
	serve bool   // also what cannot be recorded

	budgeted bool            // budgets applied when the request began
	media    bool            // and then, whether the prompt has what is no text
	unpriced budget.Unpriced // what a call is charged then whose price is unknown

	calls atomic.Int32
	again atomic.Bool // the call with the number 0 was not recorded, so that the next one has it
	first entry       // where the first is kept: most requests make no other
}

// entry is the record of one call. It implements relay.Entry.
type entry struct {
	account  *account
	recorded *ledger.Entry
	own      time.Duration // what Weir itself took before the call
}

// account begins the account of a request. With budgets each call holds what it may take of them first.
func (g *Gateway) account(a *account, ev *Event, caller *auth.Principal, snap *Snapshot, asked dialect.Request) relay.Account {
	if g.books.ledger == nil {
		return nil
	}
	a.books, a.ev, a.serve = &g.books, ev, snap.ServeUnrecorded
	if !a.budgeted {
		if team := caller.Team(); team != nil {
			a.team = team.ID
		}
		return a
	}
	held := g.held(caller, ev.Route, a.unpriced, asked, a.media)
	held.Account, a.team = a, held.Team
	return held
}

// held is what the calls of a caller's request to a model hold of budgets. media says whether its prompt has what is no text.
func (g *Gateway) held(caller *auth.Principal, model string, unpriced budget.Unpriced, asked dialect.Request, media bool) *spend.Request {
	r := &spend.Request{
		Book: g.spending.book, Seen: g.limits.seen, Key: caller.KeyID, Model: model, Unpriced: unpriced,
		Media: media, Tools: asked.OffersTools() || asked.AsksSchema(), Stream: asked.Scan().Stream,
	}
	if team := caller.Team(); team != nil {
		r.Team, r.TeamName = team.ID, team.Name
	}
	return r
}

// unpricedAt is what a call for a model is charged whose price is unknown.
func unpricedAt(m *route.Model) budget.Unpriced {
	if m.Unpriced == nil {
		return budget.Unpriced{}
	}
	return budget.Unpriced{Allowed: true, Cost: *m.Unpriced}
}

// media is what of a prompt is no text.
const media = llm.TakesImages | llm.TakesAudio | llm.TakesFiles

// usualAnswer is how many tokens an answer is expected to have of which nothing is known.
const usualAnswer = 500

// Open implements relay.Account.
func (a *account) Open(c *relay.Call, _ relay.Sent) (relay.Entry, *relay.Refused) {
	held := budget.Take{Tokens: c.Prompt}
	if c.Answers {
		held.Output = usualAnswer
		held.Tokens += usualAnswer
	}
	held.Money, _ = c.Target.Facts.Price.Cost(&llm.Usage{Fresh: held.Tokens - held.Output, Text: held.Output})
	return a.Record(c, held)
}

// Record implements spend.Recorder.
func (a *account) Record(c *relay.Call, held budget.Take) (relay.Entry, *relay.Refused) {
	number := a.number()
	e := &a.first
	if number > 0 {
		e = new(entry)
	}
	in := intents.Get().(*ledger.Intent)
	*in = a.intent(c, number, &held)
	recorded, err := a.books.ledger.Begin(in, a.budgeted)
	*in = ledger.Intent{}
	intents.Put(in)
	if err != nil {
		if number == 0 {
			a.again.Store(true)
		}
		if a.serve && !a.budgeted {
			a.books.unrecorded.Add(1)
			return unrecorded{}, nil
		}
		return nil, &relay.Refused{Err: notRecorded(err)}
	}
	*e = entry{account: a, recorded: recorded}
	if number == 0 {
		e.own = c.Started.Sub(a.ev.Started) - a.ev.BodyWait - a.ev.Waited - c.Waited
	}
	return e, nil
}

// intents are those that are not used at the moment: the ledger keeps nothing of one.
var intents = sync.Pool{New: func() any { return new(ledger.Intent) }}

// number is that of a call. Call 0 stands for the request in sums.
func (a *account) number() int {
	if a.again.CompareAndSwap(true, false) {
		return 0
	}
	return int(a.calls.Add(1) - 1)
}

// intent is what is known of a call before it is made.
func (a *account) intent(c *relay.Call, number int, held *budget.Take) ledger.Intent {
	ev := a.ev
	return ledger.Intent{
		Request: ev.ID[len(idPrefix):], ClientID: ev.ClientID, Try: c.Attempt, Call: number,
		Started: c.Started, Key: ev.KeyID, Team: a.team, Tags: ev.Tags,
		Model: ev.Route, Provider: c.Target.Provider, Upstream: c.Target.Model, Chosen: c.Target.PassedThrough(), Credential: c.Credential,
		Price: a.books.price(c.Target.Facts.Price), Held: llm.Usage{Fresh: held.Tokens - held.Output, Text: held.Output}, Hold: held.Money,
		Reason: passedOver(c.Passed),
	}
}

// passedOver has what the ledger keeps of targets that were passed over.
func passedOver(list []relay.Passed) string {
	if len(list) == 0 {
		return ""
	}
	kept := make([]string, len(list))
	for i, p := range list {
		kept[i] = p.Target.String() + " " + p.Why.String()
	}
	return ledger.PassedOver(kept)
}

// notRecorded is the error of a request whose call cannot be recorded.
func notRecorded(err error) *llm.Error {
	if !errors.Is(err, ledger.ErrUnavailable) {
		return &llm.Error{Kind: llm.InvalidValue, Message: "This request has more or longer tags than Weir records. Send fewer in weir-tags.", Cause: err}
	}
	return &llm.Error{
		Kind: llm.LedgerUnavailable, RetryAfter: time.Second, Cause: err,
		Message: "Weir cannot record this request at the moment, so it is not served: its journal is full or cannot be written. Send it again later; the operator finds the reason in the log.",
	}
}

// Settle implements relay.Entry.
func (e *entry) Settle(c *relay.Call) {
	a := e.account
	s := a.settlement(c)
	s.Own = e.own
	if a.budgeted {
		e.recorded.Settle(&s) // internal/spend charges it
		return
	}
	a.books.spending.settle(a.ev.KeyID, a.team, c, e.recorded, &s)
}

// settlement is how a call ended.
func (a *account) settlement(c *relay.Call) ledger.Settlement {
	s := ledger.Settlement{
		Status: c.Status, Outcome: c.Outcome, Flags: flagsOf(c), Usage: c.Usage,
		Cost: c.Charge.Cost, CostSource: c.Charge.Source, Listed: c.Charge.Listed,
		UpstreamModel: c.AnsweredBy, UpstreamID: c.RequestID, First: c.First, Took: c.Duration,
	}
	if c.Estimated {
		s.Source = ledger.Counted
	}
	if a.budgeted && c.HasUsage && c.Charge.Source == money.Unpriced && a.unpriced.Cost > 0 {
		s.Cost, s.CostSource = a.unpriced.Cost, money.Fixed
	}
	return s
}

// flagsOf are the flags of a call that has ended.
func flagsOf(c *relay.Call) (f ledger.Flags) {
	for _, same := range [...]struct {
		is   bool
		flag ledger.Flags
	}{
		{c.Ends&relay.Unsent != 0, ledger.Unsent},
		{c.Ends&relay.InDoubt != 0, ledger.InDoubt},
		{c.Ends&relay.Truncated != 0, ledger.Truncated},
		{c.Ends&relay.Cancelled != 0, ledger.Cancelled},
		{c.Ends&relay.Cut != 0, ledger.Cut},
		{c.Ends&relay.TimedOut != 0, ledger.TimedOut},
		{c.Attempt > 1, ledger.Retry},
		{c.Outcome == route.Lost.String(), ledger.HedgeLoser},
		{c.Charge.Doubt&money.Absurd != 0 || c.Usage.Absurd, ledger.Absurd},
		{c.Charge.Doubt&money.FeeUnpriced != 0, ledger.FeeUnpriced},
		{c.Charge.Doubt&money.TierUnpriced != 0, ledger.TierUnpriced},
	} {
		if same.is {
			f |= same.flag
		}
	}
	return f
}

// unrecorded is the record of a call that could not be recorded and was made all the same.
type unrecorded struct{}

// Settle implements relay.Entry.
func (unrecorded) Settle(*relay.Call) {}
