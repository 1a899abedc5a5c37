package budget

import (
	"context"
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/money"
)

// Kind is a sort of owner.
type Kind uint8

// The kinds.
const (
	Key Kind = iota
	Team
)

// Owner has budgets: a key or a team, by its id.
type Owner struct {
	Kind Kind
	ID   string
}

// Policy is what an owner may spend, and how that is enforced.
type Policy struct {
	Budgets []Spec // at most one of a unit and period
	Strict  bool   // hold the most that a call can take; else what is usual
	Cut     bool   // end streams whose hold can grow no more
	Warn    []int  // the percentages of a budget at which to warn, at most 8, beside 100
}

// Amount is what was spent.
type Amount struct {
	Money  money.Nano
	Tokens int64
}

func (a Amount) of(u Unit) int64 {
	if u == Dollars {
		return a.Money
	}
	return a.Tokens
}

// Span is an owner and a span of time. A zero From is the beginning of all times, a zero To has no end.
type Span struct {
	Owner    Owner
	From, To time.Time
}

// Source knows what was spent. It may be called concurrently.
type Source interface {
	// Spent returns for each span what calls of its owner took that began in it and have ended before Spent was called.
	Spent(ctx context.Context, spans []Span) ([]Amount, error)
}

// Warning says that a share of a budget is spent, one of the policy's or all of it. There is one for each share in a period.
type Warning struct {
	Owner   Owner
	Spec    Spec
	Percent int
	Used    int64     // in the budget's unit
	Reset   time.Time // zero for a budget that is never reset
}

// Book has the budgets of all owners, with what is spent and what is held of them. It is safe for concurrent use.
type Book struct {
	loc    *time.Location // of the calendar that has the periods
	source Source
	shares Shares        // nil if this Weir spends its budgets alone
	warn   func(Warning) // called without locks

	setting sync.Mutex // held while budgets are set
	gates   gates

	mu     sync.RWMutex // guards owners
	owners map[Owner]*owner
}

// New returns a book without budgets.
func New(loc *time.Location, source Source, warn func(Warning)) *Book {
	return &Book{loc: loc, source: source, warn: warn, gates: gates{seed: maphash.MakeSeed()}, owners: map[Owner]*owner{}}
}

// NewShared returns a book without budgets, which this Weir spends together with others.
func NewShared(loc *time.Location, shares Shares, warn func(Warning)) *Book {
	b := New(loc, nil, warn)
	b.shares = shares
	return b
}

// owner has the budgets of one key or team.
type owner struct {
	mu       sync.Mutex // guards what follows. That of a key is taken before that of its team
	policy   Policy
	version  int64 // of the change that set it
	shares   []int // at which to warn
	accounts []*account
}

// account is a budget. A call belongs to the window in which it began, whenever it ends.
type account struct {
	spec    Spec
	loading bool // what was spent before it was set is not known yet: it does not bind
	now     *window
	owner   Owner
	shares  Shares // the book's
}

// window is one period of an account. Those that have ended are known only to calls that still run. Of a budget that is shared, used and held
// are this Weir's part.
type window struct {
	name       Shared    // if the budget is shared
	begin, end time.Time // zero for a total
	limit      int64
	used, held int64
	warned     uint16 // a bit for each of the owner's shares
}

// at returns the window that now is in. A clock that was put back does not bring an old one back.
func (a *account) at(now time.Time, loc *time.Location) *window {
	if w := a.now; w == nil || !w.end.IsZero() && !now.Before(w.end) {
		begin, end := a.spec.Period.Around(now, loc)
		a.now = &window{begin: begin, end: end, limit: a.spec.Limit}
		if a.shares != nil {
			a.now.name = a.owner.Share(a.spec.Unit, a.spec.Period, begin)
		}
		if a.shares != nil && w != nil {
			a.shares.End(w.name)
		}
	}
	return a.now
}

// spent is what was used of the budget in its present period, by all who share it.
func (a *account) spent() int64 {
	if a.shares != nil {
		return a.shares.Used(a.now.name)
	}
	return a.now.used
}

// has reports whether a call that began then belongs to the window.
func (w *window) has(began time.Time) bool {
	return !began.Before(w.begin) && (w.end.IsZero() || began.Before(w.end))
}

// crossed returns the shares that are spent and were not warned of, as bits, and marks them.
func (w *window) crossed(used int64, shares []int) uint16 {
	var spent uint16
	for i, percent := range shares {
		// Both products have 128 bits: budgets are large, and what was used may be larger.
		usedHigh, usedLow := bits.Mul64(uint64(max(used, 0)), 100)
		high, low := bits.Mul64(uint64(w.limit), uint64(percent))
		if usedHigh > high || usedHigh == high && usedLow >= low {
			spent |= 1 << i
		}
	}
	crossed := spent &^ w.warned
	w.warned |= spent
	return crossed
}

// owner returns what an owner has, nil if it has no budget.
func (b *Book) owner(o Owner) *owner {
	if o.ID == "" {
		return nil
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.owners[o]
}

// Set gives owners their policies, in the place of those that they have. A budget of the same unit and period goes on with what was spent
// of it; another begins with what the source says was spent in its period before. If the source fails, an owner keeps the budgets
// that it had, and Set is to be called again. Calls that run meanwhile hold nothing in a new budget, but are charged to it. Those that end
// meanwhile wait; see Ending.
func (b *Book) Set(ctx context.Context, now time.Time, policies map[Owner]Policy) error {
	b.setting.Lock()
	defer b.setting.Unlock()
	defer b.gates.close(policies)()
	var added []added
	var spans []Span
	for o, policy := range policies {
		for _, a := range b.add(o, policy.Budgets, now) {
			added = append(added, a)
			spans = append(spans, Span{o, a.window.begin, a.window.end})
		}
	}
	spent, err := b.before(ctx, added, spans)
	if err != nil {
		for _, a := range added {
			a.remove()
		}
		return fmt.Errorf("what was spent before cannot be read: %w", err)
	}
	for i := range spent {
		added[i].load(spent[i])
	}
	for o, policy := range policies {
		b.confirm(o, &policy)
	}
	return nil
}

// SetBy says which change set an owner's policy. Those who share budgets do not let an earlier change undo a later one. Changes have numbers that rise; 0
// is for a policy without one, as those of a config file.
func (b *Book) SetBy(o Owner, change int64) {
	if own := b.owner(o); own != nil {
		own.mu.Lock()
		defer own.mu.Unlock()
		own.version = change
	}
}

// IsShared reports whether others spend these budgets, too.
func (b *Book) IsShared() bool { return b.shares != nil }

// While returns a context for waiting for Set. It ends early while those who share budgets cannot be asked.
func (b *Book) While(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.shares == nil {
		return ctx, func() {}
	}
	return b.shares.While(ctx)
}

// before is what was spent of budgets before they were set. Of those that are shared, the others know it, too.
func (b *Book) before(ctx context.Context, all []added, spans []Span) ([]Amount, error) {
	if b.shares == nil {
		return b.spent(ctx, spans)
	}
	wants := make([]Want, len(all))
	for i := range all {
		wants[i] = Want{Name: all[i].window.name, Limit: all[i].window.limit}
	}
	if len(wants) == 0 {
		return nil, nil
	}
	return nil, b.shares.Prepare(ctx, wants)
}

// spent asks the source, unless there is nothing to ask.
func (b *Book) spent(ctx context.Context, spans []Span) ([]Amount, error) {
	if len(spans) == 0 {
		return nil, nil
	}
	spent, err := b.source.Spent(ctx, spans)
	if err == nil && len(spent) != len(spans) {
		err = fmt.Errorf("%d answers about %d periods", len(spent), len(spans))
	}
	return spent, err
}

// added is an account that is new to its owner.
type added struct {
	owner   *owner
	account *account
	window  *window
}

// add adds the budgets that an owner lacks. They do not bind until they are confirmed.
func (b *Book) add(o Owner, budgets []Spec, now time.Time) (all []added) {
	own := b.owner(o)
	if own == nil && len(budgets) > 0 {
		own = &owner{}
		b.mu.Lock()
		b.owners[o] = own
		b.mu.Unlock()
	}
	for _, spec := range budgets {
		own.mu.Lock()
		if !slices.ContainsFunc(own.accounts, func(a *account) bool { return a.spec.Like(spec) }) {
			a := &account{spec: spec, loading: true, owner: o, shares: b.shares}
			own.accounts = append(own.accounts, a)
			all = append(all, added{own, a, a.at(now, b.loc)})
		}
		own.mu.Unlock()
	}
	return all
}

// Like reports whether two budgets are of one unit and period.
func (s Spec) Like(other Spec) bool { return s.Unit == other.Unit && s.Period == other.Period }

// load adds what was spent before.
func (a *added) load(spent Amount) {
	a.owner.mu.Lock()
	defer a.owner.mu.Unlock()
	a.window.add(spent.of(a.account.spec.Unit))
}

func (a *added) remove() {
	a.owner.mu.Lock()
	defer a.owner.mu.Unlock()
	a.owner.accounts = slices.DeleteFunc(a.owner.accounts, func(other *account) bool { return other == a.account })
}

// confirm makes an owner's policy hold, and removes what is no longer a budget.
func (b *Book) confirm(o Owner, policy *Policy) {
	own := b.owner(o)
	if own == nil {
		return
	}
	if len(policy.Budgets) == 0 {
		b.mu.Lock()
		delete(b.owners, o)
		b.mu.Unlock()
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	own.policy, own.shares = *policy, sharesOf(policy)
	own.accounts = slices.DeleteFunc(own.accounts, func(a *account) bool {
		i := slices.IndexFunc(policy.Budgets, a.spec.Like)
		if i < 0 {
			return true
		}
		a.spec, a.loading = policy.Budgets[i], false
		a.now.limit, a.now.warned = a.spec.Limit, 0
		a.now.crossed(a.spent(), own.shares) // what was spent before is no news
		return false
	})
}

// sharesOf are the percentages at which a policy warns. That all of a budget is spent is news whatever it says.
func sharesOf(policy *Policy) []int {
	if slices.Contains(policy.Warn, 100) {
		return policy.Warn
	}
	return append(slices.Clip(policy.Warn), 100)
}

// State is how a budget stands.
type State struct {
	Owner      Owner
	Spec       Spec
	Used, Held int64     // in the budget's unit
	Remaining  int64     // what is neither used nor held
	Reset      time.Time // zero for a budget that is never reset
}

// States returns how the budgets of an owner stand.
func (b *Book) States(o Owner, now time.Time) []State {
	own := b.owner(o)
	if own == nil {
		return nil
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	states := make([]State, 0, len(own.accounts))
	for _, a := range own.accounts {
		w := a.at(now, b.loc)
		used := a.spent()
		states = append(states, State{o, a.spec, used, w.held, max(w.limit-used-w.held, 0), w.end})
	}
	return states
}
