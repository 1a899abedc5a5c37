package budget

import (
	"math"
	"time"
)

// holdShared is Hold where budgets are shared. No lock is held while others may be asked.
func (b *Book) holdShared(h *Hold, n *Need, now time.Time) *Refusal {
	h.lock()
	r := h.verdict(n, now, b.loc)
	wants := h.want(n)
	h.unlock()
	if r != nil {
		return r
	}
	if len(wants) == 0 { // its budgets were taken away a moment ago
		h.open = true
		return nil
	}
	if why, of := b.shares.Hold(wants); why != passes {
		return b.refusal(h, n, why, &wants[of], &h.slots[of])
	}
	h.lock()
	defer h.unlock()
	for i := range h.slots {
		h.slots[i].hold(wants[i].Need)
	}
	h.shares, h.open = b.shares, true
	return nil
}

// refusesShared is Refuses where budgets are shared. It asks no other, so it knows of what is used up, and not of what others hold.
func (b *Book) refusesShared(h *Hold, n *Need, now time.Time) *Refusal {
	h.slots = h.first[:0]
	h.lock()
	r := h.verdict(n, now, b.loc)
	wants := h.want(n)
	h.unlock()
	for i := range wants {
		w := &wants[i]
		used := b.shares.Used(w.Name)
		if r != nil || w.Need == 0 || used < w.Limit && (!w.Strict || used+w.Need <= w.Limit) {
			continue
		}
		r = b.refusal(h, n, UsedUp, w, &h.slots[i])
	}
	return r
}

// want has a slot for each budget that the call counts against, and says what it needs of them. The locks are held.
func (h *Hold) want(n *Need) (wants []Want) {
	for i := range h.parties {
		p := &h.parties[i]
		if p.owner == nil {
			continue
		}
		strict := p.owner.policy.Strict
		p.take, p.left = *n.of(strict), math.MaxInt64
		for _, a := range p.owner.accounts {
			if a.loading {
				continue // what the call takes is charged when it ends
			}
			h.slots = append(h.slots, slot{window: a.now, party: i, unit: a.spec.Unit})
			wants = append(wants, Want{a.now.name, a.now.limit, p.owner.version, p.take.of(a.spec.Unit), strict})
		}
	}
	return wants
}

// refusal says why a shared budget has no room.
func (b *Book) refusal(h *Hold, n *Need, why Why, w *Want, s *slot) *Refusal {
	p := &h.parties[s.party]
	used := b.shares.Used(w.Name)
	r := &Refusal{Why: why, Owner: p.id, Used: used, Need: w.Need, Reset: s.window.end, Unbound: n.Unbound}
	if w.Strict && why == UsedUp {
		r.AtMost = n.room(s.unit, w.Limit-used)
	}
	h.lock()
	defer h.unlock()
	r.Held = s.window.held
	for _, a := range p.owner.accounts {
		if a.now == s.window {
			r.Spec = a.spec
		}
	}
	return r
}

// growShared is Grow where budgets are shared.
func (b *Book) growShared(h *Hold, counted int64) bool {
	grown := h.grown(counted)
	h.lock()
	var wants []Want
	for i := range h.slots {
		s := &h.slots[i]
		own := h.parties[s.party].owner
		if more := grown[s.party].of(s.unit) - s.held; more > 0 && own.policy.Cut {
			wants = append(wants, Want{s.window.name, s.window.limit, own.version, more, true})
		}
	}
	h.unlock()
	if len(wants) > 0 {
		if why, _ := b.shares.Hold(wants); why != passes {
			return false
		}
	}
	h.lock()
	defer h.unlock()
	for i := range h.slots {
		s := &h.slots[i]
		amount := grown[s.party].of(s.unit)
		if more := amount - s.held; more > 0 && !wanted(wants, s.window.name) {
			b.shares.Take(s.window.name, more)
		}
		s.hold(max(amount, s.held))
	}
	for i := range grown {
		h.parties[i].take = grown[i]
	}
	return true
}

// wanted reports whether a budget is among those.
func wanted(wants []Want, name Shared) bool {
	for i := range wants {
		if wants[i].Name == name {
			return true
		}
	}
	return false
}
