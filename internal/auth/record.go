package auth

import (
	"math"
	"sync"
	"time"
)

// record is a key as it is now, in little room, since there may be a million. It does not change once it is in the index: a change of
// the key is another record. Requests read its principal.
type record struct {
	principal Principal
	digest    Digest
	rare      *rare // nil for most keys

	created, expires, revoked moment
	version                   Version
}

// rare is what few keys have.
type rare struct {
	previous Digest // of the secret before the last one; zero if no earlier one may still work
	until    moment // for previous
	unsaved  *Unsaved
}

// unsaved is what the store does not have yet, nil if it has all.
func (r *record) unsaved() *Unsaved {
	if r.rare == nil {
		return nil
	}
	return r.rare.unsaved
}

// rotated reports whether an earlier secret may still work.
func (r *record) rotated() bool { return r.rare != nil && !r.rare.previous.IsZero() }

// moment is a time in microseconds since 1970, or none.
type moment int64

const (
	none    moment = math.MinInt64
	forever moment = math.MaxInt64 // a time that does not come
)

func momentOf(t time.Time) moment {
	if t.IsZero() {
		return none
	}
	return moment(t.UnixMicro())
}

func (m moment) time() time.Time {
	if m == none {
		return time.Time{}
	}
	return time.UnixMicro(int64(m)).UTC()
}

// newRecord makes the record of a key in a team, which is nil for none. before is the key's previous record, nil for a new key. A cut
// ends all running requests of the key, including those that began under an earlier record.
func newRecord(key *Key, team *membership, before *record) *record {
	r := new(record)
	r.fill(key, team)
	r.principal.bounds = boundsOf(key, before)
	switch {
	case before != nil:
		r.principal.cut = before.principal.cut
	case !key.FromFile:
		r.principal.cut = new(cut)
	}
	return r
}

// fill makes r, which is new, the record of a key, without what ends its requests and what bounds them.
func (r *record) fill(key *Key, team *membership) {
	*r = record{
		principal: Principal{KeyID: key.ID, KeyName: key.Name, Models: key.Models, Explain: key.Explain, team: team, fromFile: key.FromFile, ended: key.Cut},
		digest:    key.Digest,
		created:   momentOf(key.CreatedAt), expires: momentOf(key.ExpiresAt), revoked: momentOf(key.RevokedAt), version: key.Version,
	}
	if !key.Previous.IsZero() || key.Unsaved != nil {
		r.rare = &rare{key.Previous, momentOf(key.PreviousUntil), key.Unsaved}
	}
}

// key is the key in full.
func (r *record) key() Key {
	p := &r.principal
	key := Key{
		ID: p.KeyID, Name: p.KeyName, Digest: r.digest, Models: p.Models, Explain: p.Explain, FromFile: p.fromFile, Limits: p.Limits(), Spending: p.Spending(), Idempotency: p.Idempotency(), Unsaved: r.unsaved(), Cut: p.ended, Version: r.version,
		CreatedAt: r.created.time(), ExpiresAt: r.expires.time(), RevokedAt: r.revoked.time(),
	}
	if p.team != nil {
		key.TeamID, key.Team = p.team.id, p.team.now.Load()
	}
	if r.rotated() {
		key.Previous, key.PreviousUntil = r.rare.previous, r.rare.until.time()
	}
	return key
}

// lives reports whether the key is not revoked.
func (r *record) lives() bool { return r.revoked == none }

// until is when the key expires.
func (r *record) until() moment {
	if r.expires == none {
		return forever
	}
	return r.expires
}

// active reports whether the key is let in at now.
func (r *record) active(now moment) bool { return r.lives() && now < r.until() }

// cut ends the running requests of one key. All records of the key share it.
type cut struct {
	mu      sync.Mutex // guards what follows
	running map[Cuttable]struct{}
	made    bool // the key was cut: requests that come are ended at once
}

// add has a request be cut with the key.
func (c *cut) add(r Cuttable) {
	c.mu.Lock()
	if !c.made {
		if c.running == nil { // most keys of a million have no request
			c.running = map[Cuttable]struct{}{}
		}
		c.running[r] = struct{}{}
		c.mu.Unlock()
		return
	}
	c.mu.Unlock()
	r.Revoke()
}

// remove forgets a request that is over.
func (c *cut) remove(r Cuttable) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.running, r)
}

// end cuts what runs, and what comes.
func (c *cut) end() {
	c.mu.Lock()
	running := c.running
	c.running, c.made = nil, true
	c.mu.Unlock()
	for r := range running {
		r.Revoke()
	}
}
