package limit

import "time"

// Kind is what a subject of limits is.
type Kind uint8

// The kinds, in the order in which their subjects are locked.
const (
	OfKey Kind = iota
	OfTeam
	OfModel
	kinds
)

// String is the kind's word in messages.
func (k Kind) String() string { return [kinds]string{"key", "team", "model"}[k] }

// What is limited.
type What uint8

// The limits of a subject.
const (
	Requests   What = iota // a minute
	Tokens                 // a minute, of prompts and answers
	Concurrent             // requests at once
)

// String is the limit's name in the config.
func (w What) String() string { return [...]string{"rpm", "tpm", "concurrent"}[w] }

// Limits are what a subject may use; 0 is no limit.
type Limits struct {
	Requests   int64 // a minute
	Tokens     int64 // a minute
	Concurrent int64 // requests at once
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
}

// guess is how long to wait for a running request to end.
const guess = time.Second

// Admission is what a request has taken of its limits, from Admit until Settle. The zero value has taken nothing. It belongs to one
// goroutine.
type Admission struct {
	table  *Table
	begun  bool
	taking [kinds]taking
}

// taking is what is taken of one subject; of is nil if nothing is.
type taking struct {
	of               *subject
	limits           Limits
	requests, tokens Instant // the times that they take to come back
}

// Admit takes what a request needs from all of its subjects: a request, a place among those at once, and so many tokens, though of each
// limit of tokens at most all. Or it takes nothing, if one of them does not have that, and says which takes longest. What is taken is
// held until the request begins.
func (t *Table) Admit(a *Admission, claims *Claims, tokens int64, now Instant) (refused Refusal, ok bool) {
	*a = Admission{table: t}
	for i := range claims {
		if claims[i].ID != "" && claims[i].Limits != (Limits{}) {
			a.taking[i] = taking{of: t.enter(Kind(i), claims[i].ID, now), limits: claims[i].Limits}
		}
	}
	a.lock()
	ok = true
	for i := range a.taking {
		if r, lacks := a.taking[i].lacks(tokens, now); lacks && (ok || r.Wait > refused.Wait) {
			r.Of = Kind(i)
			refused, ok = r, false
		}
	}
	if ok {
		for i := range a.taking {
			a.taking[i].hold(tokens)
		}
	}
	a.unlock()
	if !ok {
		a.leave()
	}
	return refused, ok
}

// Begin has what is held count from now on. It is called when nothing can refuse the request any more.
func (a *Admission) Begin(now Instant) {
	if a.table == nil || a.begun {
		return
	}
	a.begun = true
	a.lock()
	defer a.unlock()
	for i := range a.taking {
		if t := &a.taking[i]; t.of != nil {
			t.of.requests.take(t.requests, now)
			t.of.tokens.take(t.tokens, now)
		}
	}
}

// Settle ends the request. Its place is free, and of the tokens what it used counts, which may be more than was taken. If the request
// never began, it has taken nothing.
func (a *Admission) Settle(used int64, now Instant) {
	if a.table == nil {
		return
	}
	a.lock()
	for i := range a.taking {
		t := &a.taking[i]
		switch {
		case t.of == nil:
			continue
		case !a.begun:
			t.of.requests.held -= t.requests
			t.of.tokens.held -= t.tokens
		case t.limits.Tokens > 0:
			t.of.tokens.settle(t.tokens, worth(used, t.limits.Tokens), now)
		}
		if t.limits.Concurrent > 0 {
			t.of.running--
		}
	}
	a.unlock()
	a.leave()
}

// leave forgets the subjects.
func (a *Admission) leave() {
	for i := range a.taking {
		if of := a.taking[i].of; of != nil {
			of.users.Add(-1)
		}
	}
	*a = Admission{}
}

// lock locks the subjects, always in the order of their kinds.
func (a *Admission) lock() {
	for i := range a.taking {
		if of := a.taking[i].of; of != nil {
			of.mu.Lock()
		}
	}
}

func (a *Admission) unlock() {
	for i := range a.taking {
		if of := a.taking[i].of; of != nil {
			of.mu.Unlock()
		}
	}
}

// lacks returns the limit that takes longest to let the request in, if one does not. The lock is held.
func (t *taking) lacks(tokens int64, now Instant) (r Refusal, lacks bool) {
	if t.of == nil {
		return Refusal{}, false
	}
	note := func(what What, limit int64, wait Instant) {
		if wait > 0 && (!lacks || time.Duration(wait) > r.Wait) {
			r, lacks = Refusal{What: what, Limit: limit, Wait: time.Duration(wait)}, true
		}
	}
	if n := t.limits.Requests; n > 0 {
		note(Requests, n, t.of.requests.wait(1, n, now))
	}
	if n := t.limits.Tokens; n > 0 {
		note(Tokens, n, t.of.tokens.wait(min(tokens, n), n, now))
	}
	if n := t.limits.Concurrent; n > 0 && t.of.running >= n {
		note(Concurrent, n, Instant(guess))
	}
	return r, lacks
}

// hold takes what the request needs. The lock is held.
func (t *taking) hold(tokens int64) {
	if t.of == nil {
		return
	}
	if n := t.limits.Requests; n > 0 {
		t.requests = each(n)
	}
	if n := t.limits.Tokens; n > 0 {
		t.tokens = worth(min(tokens, n), n)
	}
	t.of.requests.held += t.requests
	t.of.tokens.held += t.tokens
	if t.limits.Concurrent > 0 {
		t.of.running++
	}
}
