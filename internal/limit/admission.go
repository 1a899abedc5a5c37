package limit

import "time"

// Kind is what a subject of limits is.
type Kind uint8

// The kinds.
const (
	OfKey Kind = iota
	OfTeam
	OfModel
	kinds    // that requests have
	OfTarget = kinds
)

// String is the kind's word in messages.
func (k Kind) String() string { return [...]string{"key", "team", "model", "target"}[k] }

// What is limited.
type What uint8

// The limits of a subject.
const (
	Requests   What = iota // a minute
	Tokens                 // a minute, of prompts and answers
	Concurrent             // requests at once
	whats
)

// String is the limit's name in the config.
func (w What) String() string { return [whats]string{"rpm", "tpm", "concurrent"}[w] }

// Limits are what a subject may use; 0 is no limit.
type Limits struct {
	Requests   int64 // a minute
	Tokens     int64 // a minute
	Concurrent int64 // requests at once
}

// of is the limit of one of them.
func (l Limits) of(what What) int64 {
	return [...]int64{l.Requests, l.Tokens, l.Concurrent}[what]
}

// Claim is a subject of limits, and what they are at the moment.
type Claim struct {
	ID     string // of the key or team, or the name of the model; "" claims nothing
	Limits Limits
}

// Claims are the subjects that limit a request, by kind.
type Claims [kinds]Claim

// Any reports whether anything limits the request.
func (c *Claims) Any() bool {
	for i := range c {
		if c[i].Limits != (Limits{}) {
			return true
		}
	}
	return false
}

// Tokens is the lowest limit of tokens, and whose it is; 0 without one.
func (c *Claims) Tokens() (limit int64, of Kind) {
	for i := range c {
		if n := c[i].Limits.Tokens; n > 0 && (limit == 0 || n < limit) {
			limit, of = n, Kind(i)
		}
	}
	return limit, of
}

// Refusal is the strictest of the limits that do not let a request in.
type Refusal struct {
	Of    Kind
	What  What
	Limit int64
	// Wait is how long it takes until this limit lets the request in, if no other request comes. For Concurrent it is a guess.
	Wait time.Duration
	// Unanswered says that those who share the limit cannot be asked.
	Unanswered bool
}

// guess is how long to wait for a running request to end.
const guess = time.Second

// Admission is what a request has taken of its limits, from Admit until Settle. The zero value has taken nothing. It belongs to one
// goroutine.
type Admission struct {
	table  *Table
	begun  bool
	taking [kinds]taking
	shared *granted // with a source, nil if nothing is taken
}

// taking is what is taken of one subject; of is nil if nothing is.
type taking struct {
	of               *subject
	limits           Limits
	requests, tokens charge
}

// Admit takes what a request needs from all of its subjects: a request, a place among those at once, and so many tokens, though of each
// limit of tokens at most all. Or it takes nothing, if one of them does not have that, and says which takes longest. What is taken is
// held until the request begins; with a source it counts from the moment at which it is taken.
func (t *Table) Admit(a *Admission, claims *Claims, tokens int64, now Instant) (refused Refusal, ok bool) {
	if t.source != nil {
		return t.admitShared(a, claims, tokens)
	}
	*a = Admission{table: t}
	t.mu.Lock()
	defer t.mu.Unlock()
	ok = true
	for i := range claims {
		c := &claims[i]
		if c.ID == "" || c.Limits == (Limits{}) {
			continue
		}
		taking := &a.taking[i]
		taking.of, taking.limits = t.enter(Kind(i), c.ID, now), c.Limits
		if what, wait := taking.lacks(tokens, now); wait > 0 && time.Duration(wait) > refused.Wait {
			refused, ok = Refusal{Of: Kind(i), What: what, Limit: c.Limits.of(what), Wait: time.Duration(wait)}, false
		}
	}
	if !ok {
		a.leave()
		return refused, false
	}
	for i := range a.taking {
		if taking := &a.taking[i]; taking.of != nil {
			taking.hold(tokens)
		}
	}
	return Refusal{}, true
}

// Begin has what is held count from now on. It is called when nothing can refuse the request any more.
func (a *Admission) Begin(now Instant) {
	if a.table == nil || a.begun {
		return
	}
	if a.begun = true; a.shared != nil {
		return
	}
	a.table.mu.Lock()
	defer a.table.mu.Unlock()
	for i := range a.taking {
		if t := &a.taking[i]; t.of != nil {
			t.of.requests.take(&t.requests, now)
			t.of.tokens.take(&t.tokens, now)
		}
	}
}

// Settle ends the request. Its place is free, and of the tokens what it used counts, which may be more than was taken. If the request
// never began, it has taken nothing.
func (a *Admission) Settle(used int64, now Instant) {
	if a.table == nil {
		return
	}
	if a.shared != nil {
		a.settleShared(used)
		return
	}
	mu := &a.table.mu
	mu.Lock()
	defer mu.Unlock()
	for i := range a.taking {
		t := &a.taking[i]
		switch {
		case t.of == nil:
			continue
		case !a.begun:
			t.of.requests.release(&t.requests)
			t.of.tokens.release(&t.tokens)
		case t.limits.Tokens > 0:
			tokens := t.of.tokens.of(t.limits.Tokens)
			tokens.settle(&t.tokens, tokens.worth(used), now)
		}
		if t.limits.Concurrent > 0 {
			t.of.running--
		}
	}
	a.leave()
}

// leave forgets the subjects. The lock is held.
func (a *Admission) leave() {
	for i := range a.taking {
		if of := a.taking[i].of; of != nil {
			of.users--
		}
	}
	*a = Admission{}
}

// lacks is how long it is until the subject's limits let the request in, and which of them takes longest. It is not above 0 if they do now.
// The lock is held.
func (t *taking) lacks(tokens int64, now Instant) (what What, longest Instant) {
	if n := t.limits.Requests; n > 0 {
		longest = t.of.requests.of(n).wait(1, now)
	}
	if n := t.limits.Tokens; n > 0 {
		if wait := t.of.tokens.of(n).wait(tokens, now); wait > max(longest, 0) {
			what, longest = Tokens, wait
		}
	}
	if n := t.limits.Concurrent; n > 0 && t.of.running >= n && longest < Instant(guess) {
		what, longest = Concurrent, Instant(guess)
	}
	return what, longest
}

// hold takes what the request needs. The lock is held.
func (t *taking) hold(tokens int64) {
	if n := t.limits.Requests; n > 0 {
		t.requests = t.of.requests.of(n).hold(1)
	}
	if n := t.limits.Tokens; n > 0 {
		t.tokens = t.of.tokens.of(n).hold(tokens)
	}
	if t.limits.Concurrent > 0 {
		t.of.running++
	}
}
