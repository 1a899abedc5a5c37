package auth

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// index is all keys, by what they are asked for. A change of one key takes the same time however many there are. Look-ups take no
// lock; changes and pages of the list are guarded by the lock of Keys.
type index struct {
	seed     maphash.Seed
	admitted table // the digests that are let in, by their first bytes; those of revoked keys are not there
	byID     table
	byName   table // the revoked ones too
	stored   order
	file     order // keys of the config file

	teams *teams // guarded by the lock of Keys, but for what principals read
}

// newIndex makes the index of the keys of a store.
func newIndex(records []*record, teams *teams) *index {
	x := &index{seed: maphash.MakeSeed(), teams: teams}
	x.stored.fill(records)
	x.byID.fill(records, func(r *record, to []uint64) []uint64 { return append(to, x.hash(r.principal.KeyID)) })
	x.byName.fill(records, func(r *record, to []uint64) []uint64 { return append(to, x.hash(r.principal.KeyName)) })
	x.admitted.fill(records, (*record).admits)
	return x
}

func (x *index) hash(text string) uint64 { return maphash.String(x.seed, text) }

// prefix is what the table of digests finds d by. Digests are random, so their first bytes are as good as a hash.
func prefix(d *Digest) uint64 { return binary.LittleEndian.Uint64(d[:]) }

// admits adds to a list what the digests that the key is let in with are found by.
func (r *record) admits(to []uint64) []uint64 {
	if !r.lives() {
		return to
	}
	to = append(to, prefix(&r.digest))
	if r.rotated() {
		to = append(to, prefix(&r.rare.previous))
	}
	return to
}

// admit returns the key of a digest, and until when the digest is accepted. The key is nil if the digest is
// unknown.
func (x *index) admit(d *Digest) (r *record, until moment) {
	for _, s := range x.admitted.find(prefix(d)) {
		switch {
		case s.key.digest == *d:
			return s.key, s.key.until()
		case s.key.rotated() && s.key.rare.previous == *d:
			return s.key, min(s.key.until(), s.key.rare.until)
		}
	}
	return nil, 0
}

// set puts in a key of the store, in the place of what it was before.
func (x *index) set(key *Key) {
	old := x.id(key.ID)
	if old != nil && old.principal.fromFile {
		old = nil
	}
	r := newRecord(key, x.teams.of(key.TeamID), old)
	x.stored.put(r)
	x.put(old, r)
	if r.principal.ended {
		r.principal.cut.end()
	}
}

// setFile replaces the keys of the config file. A digest that is admitted before and after is admitted throughout.
func (x *index) setFile(keys []Key) {
	before := x.file
	records := make([]*record, 0, len(keys))
	for i := range keys {
		old := x.id(keys[i].ID)
		if old != nil && !old.principal.fromFile {
			old = nil
		}
		r := newRecord(&keys[i], x.teams.of(keys[i].TeamID), old)
		records = append(records, r)
		x.put(old, r)
	}
	x.file = order{}
	x.file.fill(records)
	before.after(nil, func(old *record) bool {
		if r := x.id(old.principal.KeyID); r == old { // it has no successor
			x.put(old, nil)
		}
		return true
	})
}

// put replaces a record in the tables by another of the same key; either may be nil.
func (x *index) put(old, now *record) {
	x.move(&x.admitted, old, now, (*record).admits)
	x.move(&x.byName, old, now, func(r *record, to []uint64) []uint64 { return append(to, x.hash(r.principal.KeyName)) })
	x.move(&x.byID, old, now, func(r *record, to []uint64) []uint64 { return append(to, x.hash(r.principal.KeyID)) })
}

// move puts now in the place of old in one table. What both are found by is found throughout.
func (x *index) move(t *table, old, now *record, hashes func(*record, []uint64) []uint64) {
	var room [4]uint64
	var before, after []uint64
	if old != nil {
		before = hashes(old, room[:0:2])
	}
	if now != nil {
		after = hashes(now, room[2:2:4])
	}
	for _, hash := range after {
		if slices.Contains(before, hash) {
			t.replace(hash, old, now)
		} else {
			t.replace(hash, nil, now)
		}
	}
	for _, hash := range before {
		if !slices.Contains(after, hash) {
			t.replace(hash, old, nil)
		}
	}
}

// id returns the key with that id, or nil.
func (x *index) id(id string) *record {
	for _, s := range x.byID.find(x.hash(id)) {
		if s.key.principal.KeyID == id {
			return s.key
		}
	}
	return nil
}

// find returns the key that ref names: by id, else by name among the living. Otherwise it returns the one with
// that name that was revoked last, so that its history can still be read. Without a match it returns nil.
func (x *index) find(ref string) (found *record) {
	if r := x.id(ref); r != nil {
		return r
	}
	for _, s := range x.byName.find(x.hash(ref)) {
		if r := s.key; r.principal.KeyName == ref && (found == nil || r.lives() || !found.lives() && r.revoked > found.revoked) {
			found = r
		}
	}
	return found
}

// taken returns a key that has the name: a living one, or one with it as its id, since keys are found by either. The key whose id is
// self does not count. If stored is true, the keys of the config file do not count either. It is nil if the name is free.
func (x *index) taken(name, self string, stored bool) *record {
	counts := func(r *record) bool { return r.principal.KeyID != self && !(stored && r.principal.fromFile) }
	if r := x.id(name); r != nil && counts(r) {
		return r
	}
	for _, s := range x.byName.find(x.hash(name)) {
		if r := s.key; r.principal.KeyName == name && counts(r) && r.lives() {
			return r
		}
	}
	return nil
}

// page returns up to limit keys after a place in the order of the list: the config file's, then the store's. more says that others follow.
func (x *index) page(last *record, limit int) (keys []Key, more bool) {
	take := func(r *record) bool {
		if len(keys) == limit {
			return false
		}
		keys = append(keys, r.key())
		return true
	}
	whole := x.file.after(last, take) && x.stored.after(last, take)
	return keys, !whole
}
