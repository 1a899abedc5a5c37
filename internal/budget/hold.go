package budget

import (
	"math"
	"time"

	"github.com/weirproxy/weir/internal/money"
)

// Hold is what a call holds of its key's and its team's budgets while it runs. The zero value holds nothing. It must not be copied, and is
// used by one goroutine at a time.
type Hold struct {
	began   time.Time
	open    bool
	parties [2]party
	shares  Shares // the book's
	slots   []slot
	first   [4]slot // where slots are kept: few calls have more budgets
}

// party is an owner whose budgets a call counts against.
type party struct {
	id    Owner
	owner *owner // nil if it had no budget when the call began
	take  Take
	left  int64 // tokens of output for which there was room when the call was let in, if its owner cuts streams
}

// slot is a part of a window that a call holds.
type slot struct {
	window *window
	party  int
	unit   Unit
	held   int64
}

// Hold holds what a call may take in all budgets of its key and its team, in one step, or refuses and holds nothing. team is "" for a
// key without one. After a refusal h may be used again.
func (b *Book) Hold(h *Hold, key, team string, n *Need, now time.Time) *Refusal {
	h.began, h.slots = now, h.first[:0]
	h.count(b, key, team)
	if b.shares != nil {
		return b.holdShared(h, n, now)
	}
	h.lock()
	defer h.unlock()
	if r := h.verdict(n, now, b.loc); r != nil {
		return r
	}
	for i := range h.parties {
		if own := h.parties[i].owner; own != nil {
			h.take(i, own, n)
		}
	}
	h.open = true
	return nil
}

// Refuses says why Hold would refuse the call now, nil if it would not. Nothing is held.
func (b *Book) Refuses(key, team string, n *Need, now time.Time) *Refusal {
	var h Hold
	h.count(b, key, team)
	if b.shares != nil {
		return b.refusesShared(&h, n, now)
	}
	h.lock()
	defer h.unlock()
	return h.verdict(n, now, b.loc)
}

// count has the call count against a key and its team.
func (h *Hold) count(b *Book, key, team string) {
	h.parties = [2]party{{id: Owner{Key, key}}, {id: Owner{Team, team}}}
	for i := range h.parties {
		h.parties[i].owner = b.owner(h.parties[i].id)
	}
}

// lock locks what the call counts against: the key first.
func (h *Hold) lock() {
	for i := range h.parties {
		if own := h.parties[i].owner; own != nil {
			own.mu.Lock()
		}
	}
}

func (h *Hold) unlock() {
	for i := range h.parties {
		if own := h.parties[i].owner; own != nil {
			own.mu.Unlock()
		}
	}
}

// verdict returns why the call is refused, nil if it is not. Of several reasons it is the one that holds longest. The locks are held.
func (h *Hold) verdict(n *Need, now time.Time, loc *time.Location) *Refusal {
	var worst *Refusal
	for i := range h.parties {
		p := &h.parties[i]
		if p.owner == nil {
			continue
		}
		for _, a := range p.owner.accounts {
			w := a.at(now, loc)
			if a.loading {
				continue
			}
			why, most := w.refuses(a.spec.Unit, p.owner.policy.Strict, n, a.shares != nil)
			if why == passes {
				continue
			}
			r := &Refusal{
				Why: why, Owner: p.id, Spec: a.spec, Used: w.used, Held: w.held, Need: n.of(p.owner.policy.Strict).of(a.spec.Unit),
				Reset: w.end, AtMost: most, Unbound: n.Unbound,
			}
			if worst == nil || r.lastsLonger(worst) {
				worst = r
			}
		}
	}
	return worst
}

// of is what is held of budgets.
func (n *Need) of(strict bool) *Take {
	if strict {
		return &n.Worst
	}
	return &n.Usual
}

// refuses says why a budget does not have room for a call, and with which maximum of each answer it would have. As long as anything is left
// of it, a budget that holds what is usual lets one call pass, and no other beside it. Of a shared budget, others know what is left.
func (w *window) refuses(u Unit, strict bool, n *Need, shared bool) (why Why, most int64) {
	take := n.of(strict)
	need := take.of(u)
	switch {
	case u == Dollars && (n.Unpriced || strict && n.Tierless):
		return NoPrice, 0
	case strict && (n.boundless(u) || need > w.limit):
		return Exceeds, n.room(u, w.limit)
	case need == 0, shared, w.used+w.held+need <= w.limit:
		return passes, 0
	case strict && w.used+need > w.limit:
		return UsedUp, n.room(u, w.limit-w.used)
	case w.used >= w.limit:
		return UsedUp, 0
	case !strict && w.held == 0:
		return passes, 0
	}
	return Reserved, 0
}

// boundless reports whether nothing bounds what the call may take.
func (n *Need) boundless(u Unit) bool { return n.Unbound != Bound && (u == Tokens || !n.Flat) }

// room is the largest maximum of each answer with which the most that the call can take is at most limit. It is 0 if none helps.
func (n *Need) room(u Unit, limit int64) int64 {
	if !n.Capped || n.Unbound == NoLimits {
		return 0
	}
	return n.Worst.room(u, limit) / n.Answers
}

// take holds a party's part. The lock is held.
func (h *Hold) take(i int, own *owner, n *Need) {
	p := &h.parties[i]
	p.take, p.left = *n.of(own.policy.Strict), math.MaxInt64
	for _, a := range own.accounts {
		s := slot{window: a.now, party: i, unit: a.spec.Unit}
		s.hold(p.take.of(s.unit))
		h.slots = append(h.slots, s)
		if own.policy.Cut && !a.loading && s.window.over() > 0 && (s.unit == Tokens || p.take.Rate > 0) {
			p.left = min(p.left, p.take.room(s.unit, s.held-s.window.over()))
		}
	}
}

// over is how much more than the window has is used and held.
func (w *window) over() int64 { return max(w.used+w.held-w.limit, 0) }

// hold makes the slot hold so much in all. What a window holds stays a number, whatever calls may take.
func (s *slot) hold(amount int64) {
	others := s.window.held - s.held
	s.held = min(amount, largest-others)
	s.window.held = others + s.held
}

// Next is how many tokens of output may be written before the hold has to grow.
func (h *Hold) Next() int64 {
	next := int64(math.MaxInt64)
	for i := range h.slots {
		p := &h.parties[h.slots[i].party]
		next = min(next, p.take.Output, p.left)
	}
	return next
}

// A hold grows by a quarter, and by so many tokens at least.
const leastGrowth = 256

// Grow holds more, once so many tokens of output were counted as Next says. It returns false if a budget of an owner that cuts streams has
// no room for more: the stream has to end. Other owners' budgets hold what they have no room for, so that other calls find it
// taken.
func (b *Book) Grow(h *Hold, counted int64) bool {
	if b.shares != nil {
		return b.growShared(h, counted)
	}
	h.lock()
	defer h.unlock()
	if h.exceeds(counted) {
		return false
	}
	grown := h.grown(counted)
	for i := range h.slots {
		s := &h.slots[i]
		more := grown[s.party].of(s.unit) - s.held
		if w := s.window; more > 0 && h.parties[s.party].owner.policy.Cut && w.used+w.held+more > w.limit {
			return false
		}
	}
	for i := range h.slots {
		h.slots[i].hold(grown[h.slots[i].party].of(h.slots[i].unit))
	}
	for i := range grown {
		h.parties[i].take = grown[i]
	}
	return true
}

// grown is what the parties want held once so many tokens of output were counted.
func (h *Hold) grown(counted int64) (grown [2]Take) {
	for i := range h.parties {
		take := &h.parties[i].take
		grown[i] = *take
		if counted >= take.Output {
			grown[i] = take.grown(max(take.Output/4, leastGrowth, counted-take.Output+1))
		}
	}
	return grown
}

// exceeds reports whether a call that was let in though it held more than was left has written as much as there was room for, and there still is
// no room for its hold. The locks are held.
func (h *Hold) exceeds(counted int64) bool {
	for i := range h.slots {
		s := &h.slots[i]
		if p := &h.parties[s.party]; counted >= p.left && p.owner.policy.Cut && s.window.over() > 0 {
			return true
		}
	}
	for i := range h.parties {
		if p := &h.parties[i]; counted >= p.left {
			p.left = math.MaxInt64
		}
	}
	return false
}

// Held is what the call holds: the most of what its key and its team want held.
func (h *Hold) Held() (held Take) {
	for i := range h.parties {
		p := &h.parties[i]
		if p.owner != nil && p.take.Tokens >= held.Tokens {
			money := held.Money
			held = p.take
			held.Money = max(money, held.Money)
		}
	}
	return held
}

// HeldBy is what the call of h holds, for goroutines other than its own. h must have been held.
func (b *Book) HeldBy(h *Hold) Take {
	h.lock()
	defer h.unlock()
	return h.Held()
}

// Charge charges what a call took that held nothing, since no budget applied when it began, to budgets that were set meanwhile.
func (b *Book) Charge(key, team string, began time.Time, took Amount) {
	if b.owner(Owner{Key, key}) == nil && b.owner(Owner{Team, team}) == nil {
		return
	}
	h := Hold{began: began, open: true, parties: [2]party{{id: Owner{Key, key}}, {id: Owner{Team, team}}}}
	b.Settle(&h, took)
}

// Settle gives back what a call holds and charges what it took, also if that is more. A call that was not made took nothing. Only the
// first Settle after a Hold counts.
func (b *Book) Settle(h *Hold, took Amount) {
	if !h.open {
		return
	}
	h.open = false
	for i := range h.parties {
		if p := &h.parties[i]; p.id.ID != "" {
			b.settle(h, i, took)
		}
	}
}

// settle is the part of one party.
func (b *Book) settle(h *Hold, party int, took Amount) {
	if own := h.parties[party].owner; own != nil {
		own.release(h, party, took)
	}
	if own := b.owner(h.parties[party].id); own != nil {
		for _, w := range own.charge(h, h.parties[party].id, took) {
			b.warn(w)
		}
	}
}

// release turns what a party holds into what the call took.
func (o *owner) release(h *Hold, party int, took Amount) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range h.slots {
		if s := &h.slots[i]; s.party == party {
			if h.shares != nil {
				h.shares.Settle(s.window.name, s.held, max(took.of(s.unit), 0))
			}
			s.hold(0)
			s.window.use(took.of(s.unit))
		}
	}
}

// use adds what a call took. The sum stays a number, whatever that was.
func (w *window) use(amount int64) { w.add(max(amount, 0)) }

// add adds what was spent, which is negative if more was corrected than spent.
func (w *window) add(amount int64) {
	w.used = max(min(w.used+max(min(amount, largest), -largest), largest), -largest)
}

// Correct adds a correction of what a call cost, which may be negative, to the budgets of its key and team, in the period in which it was made:
// what was reported of earlier ones stays.
func (b *Book) Correct(key, team string, made time.Time, by money.Nano) {
	for _, id := range [...]Owner{{Key, key}, {Team, team}} {
		if own := b.owner(id); own != nil {
			for _, w := range own.correct(id, made, by, b.loc) {
				b.warn(w)
			}
		}
	}
}

func (o *owner) correct(id Owner, made time.Time, by money.Nano, loc *time.Location) (warnings []Warning) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, a := range o.accounts {
		if w := a.at(made, loc); a.spec.Unit == Dollars && w.has(made) {
			w.add(by)
			if a.shares != nil {
				a.shares.Settle(w.name, 0, by)
			}
			warnings = o.warn(warnings, id, a)
		}
	}
	return warnings
}

// charge charges the call to budgets that were set while it ran, of which it held nothing. It returns the shares of budgets that are spent
// now.
func (o *owner) charge(h *Hold, id Owner, took Amount) (warnings []Warning) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, a := range o.accounts {
		w := a.now
		if !h.holds(w) && w.has(h.began) {
			w.use(took.of(a.spec.Unit))
			if a.shares != nil {
				a.shares.Settle(w.name, 0, max(took.of(a.spec.Unit), 0))
			}
		}
		warnings = o.warn(warnings, id, a)
	}
	return warnings
}

// warn adds the shares of a budget that are spent now.
func (o *owner) warn(to []Warning, id Owner, a *account) []Warning {
	if a.loading {
		return to
	}
	used := a.spent()
	crossed := a.now.crossed(used, o.shares)
	for i, percent := range o.shares {
		if crossed&(1<<i) != 0 {
			to = append(to, Warning{id, a.spec, percent, used, a.now.end})
		}
	}
	return to
}

func (h *Hold) holds(w *window) bool {
	for i := range h.slots {
		if h.slots[i].window == w {
			return true
		}
	}
	return false
}
