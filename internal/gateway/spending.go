package gateway

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/relay"
)

// spending are the budgets of keys and teams. They are brought into force by the first request of their key or team, and by each that finds
// them changed, before it is relayed: none passes by what does not hold yet.
type spending struct {
	book   *budget.Book // nil keeps no budgets
	seen   budget.Seen
	owners atomic.Int64 // how many have budgets in force

	mu      sync.Mutex // guards what follows; not held while the ledger is read
	inForce map[budget.Owner]*budget.Policy
	wanted  map[budget.Owner]terms // by requests that wait

	reading *reading // nil while none are brought into force
}

// reading is one time that budgets are brought into force: those that requests wait for as it begins.
type reading struct {
	done chan struct{}
	err  error // once done is closed
}

// terms are the budgets of an owner as they are now, nil for none, and which change set them.
type terms func() (*budget.Policy, auth.Version)

// readWithin is how long it may take to hear what was spent before. A request waits for so long, or for less where Weirs share the database: one
// connection to it may hang while others answer.
const (
	readWithin   = 10 * time.Second
	sharedWithin = time.Second
)

// apply brings the budgets that a caller's requests count against into force, and reports whether there are any.
func (s *spending) apply(ctx context.Context, caller *auth.Principal) (bool, *llm.Error) {
	any, known := s.known(caller)
	if known {
		return any, nil
	}
	return any, s.renew(ctx, caller)
}

// known reports whether there are budgets that a caller's requests count against, and whether these are in force.
func (s *spending) known(caller *auth.Principal) (any, known bool) {
	if s.book == nil {
		return false, true
	}
	if any = budgeted(caller); !any && s.owners.Load() == 0 {
		return false, true
	}
	return any, s.hold(caller)
}

// hold reports whether the budgets of a caller are in force as they are now.
func (s *spending) hold(caller *auth.Principal) bool {
	owners := ownersOf(caller)
	key := caller.Spending()
	team, _ := teamSpending(caller)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inForce[owners[0]] == key && (owners[1].ID == "" || s.inForce[owners[1]] == team)
}

// renew brings the budgets of a caller into force that are not as they hold.
func (s *spending) renew(ctx context.Context, caller *auth.Principal) *llm.Error {
	current := [...]terms{
		func() (*budget.Policy, auth.Version) {
			version := caller.SpendingVersion()
			return caller.Spending(), version
		},
		func() (*budget.Policy, auth.Version) { return teamSpending(caller) },
	}
	own := map[budget.Owner]terms{}
	for i, owner := range ownersOf(caller) {
		if owner.ID != "" {
			own[owner] = current[i]
		}
	}
	if err := s.set(ctx, own); err != nil {
		return &llm.Error{
			Kind: llm.LedgerUnavailable, RetryAfter: time.Second, Cause: err,
			Message: "Weir cannot read at the moment what was spent of the budgets that apply, so the request is not served. Send it again later; the operator finds the reason in the log.",
		}
	}
	return nil
}

// budgeted reports whether a caller or its team has budgets.
func budgeted(caller *auth.Principal) bool {
	team, _ := teamSpending(caller)
	return team != nil || caller.Spending() != nil
}

// teamSpending are the budgets of a caller's team, nil for none, and which change set them.
func teamSpending(caller *auth.Principal) (*budget.Policy, auth.Version) {
	if t := caller.Team(); t != nil {
		return t.Spending, t.Version
	}
	return nil, 0
}

// ownersOf are a caller's key and team. The team's id is "" for a key without one.
func ownersOf(caller *auth.Principal) [2]budget.Owner {
	owners := [2]budget.Owner{{Kind: budget.Key, ID: caller.KeyID}, {Kind: budget.Team}}
	if team := caller.Team(); team != nil {
		owners[1].ID = team.ID
	}
	return owners
}

// set brings budgets into force, those that other requests wait for too: after a start many come at once, and the ledger is read once for
// all. The reading goes on when the request no longer waits, so that the next one finds it done.
func (s *spending) set(ctx context.Context, own map[budget.Owner]terms) error {
	within := readWithin
	if s.book.IsShared() {
		within = sharedWithin
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	ctx, end := s.book.While(ctx)
	defer end()
	for {
		r := s.read(ctx, own)
		if r == nil {
			return nil
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if r.err != nil {
			return r.err
		}
	}
}

// read is the reading that runs. Without one, it begins one of all that is wanted. It is nil if all is in force that a request needs.
func (s *spending) read(ctx context.Context, own map[budget.Owner]terms) *reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	missing := false
	for owner, of := range own {
		if p, _ := of(); p != s.inForce[owner] {
			s.wanted[owner], missing = of, true
		}
	}
	if !missing {
		return nil
	}
	if s.reading == nil {
		s.reading = &reading{done: make(chan struct{})}
		go s.renewAll(context.WithoutCancel(ctx), s.reading)
	}
	return s.reading
}

// renewAll brings all into force that requests want. What holds is looked up here, so that a request which began before a change does not undo it.
func (s *spending) renewAll(ctx context.Context, r *reading) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	ctx, end := s.book.While(ctx)
	defer end()
	policies, now, versions := map[budget.Owner]budget.Policy{}, map[budget.Owner]*budget.Policy{}, map[budget.Owner]auth.Version{}
	s.mu.Lock()
	for owner, of := range s.wanted {
		p, version := of()
		if p == s.inForce[owner] {
			continue
		}
		now[owner], policies[owner], versions[owner] = p, budget.Policy{}, version
		if p != nil {
			policies[owner] = *p
		}
	}
	clear(s.wanted)
	s.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			r.err = fmt.Errorf("panic: %v", p)
		}
		s.finish(r, now)
	}()
	if r.err = s.book.Set(ctx, time.Now(), policies); r.err == nil {
		for owner, version := range versions {
			s.book.SetBy(owner, int64(version))
		}
	}
}

// finish ends a reading, after which these policies are in force unless it failed.
func (s *spending) finish(r *reading, now map[budget.Owner]*budget.Policy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.err == nil {
		for owner, p := range now {
			if s.inForce[owner] = p; p == nil {
				delete(s.inForce, owner)
			}
		}
		s.owners.Store(int64(len(s.inForce)))
	}
	s.reading = nil
	close(r.done)
}

// settle records the end of a call that began when no budget applied, and charges it to budgets that were set while it ran.
func (s *spending) settle(key, team string, c *relay.Call, recorded *ledger.Entry, end *ledger.Settlement) {
	if s.book == nil {
		recorded.Settle(end)
		return
	}
	defer s.book.Ending(key, team).Done()
	if recorded.Settle(end); c.HasUsage {
		s.book.Charge(key, team, c.Started, budget.Amount{Money: end.Cost, Tokens: c.Usage.Input() + c.Usage.Output()})
	}
}

// Budgets are how the budgets stand that a caller's requests count against: its own, then its team's.
func (g *Gateway) Budgets(ctx context.Context, caller *auth.Principal) (states []budget.State, err *llm.Error) {
	if _, err := g.spending.apply(ctx, caller); err != nil || g.spending.book == nil {
		return nil, err
	}
	for _, owner := range ownersOf(caller) {
		states = append(states, g.spending.book.States(owner, time.Now())...)
	}
	return states, nil
}
