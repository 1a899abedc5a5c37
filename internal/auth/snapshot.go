package auth

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// snapshot is every key at one moment. It is never changed after it was published, so requests read it
// without a lock.
type snapshot struct {
	byDigest map[Digest]entry // only digests that may yet work: no revoked key's
	keys     []Key            // all, by CreatedAt, then ID
}

// entry is what a digest admits.
type entry struct {
	principal *Principal
	until     time.Time // zero for ever
}

// build makes the snapshot of keys. cuts has a context for the id of every living key.
func build(keys []Key, cuts map[string]*cut) *snapshot {
	slices.SortFunc(keys, compareKeys)
	s := &snapshot{byDigest: make(map[Digest]entry, len(keys)), keys: keys}
	for i := range keys {
		key := &keys[i]
		if !key.RevokedAt.IsZero() {
			continue
		}
		p := &Principal{KeyID: key.ID, KeyName: key.Name, Models: key.Models, Explain: key.Explain, cut: cuts[key.ID].ctx}
		if !key.Previous.IsZero() {
			s.byDigest[key.Previous] = entry{p, earlier(key.PreviousUntil, key.ExpiresAt)}
		}
		s.byDigest[key.Digest] = entry{p, key.ExpiresAt}
	}
	return s
}

func compareKeys(a, b Key) int {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
}

// earlier is the earlier of a and b, where a zero b is never.
func earlier(a, b time.Time) time.Time {
	if b.IsZero() || a.Before(b) {
		return a
	}
	return b
}

// find returns the key that ref names: by id, else by name among the living, else the one of that name
// that was revoked last, so that what was done to a key can still be looked at.
func (s *snapshot) find(ref string) (Key, bool) {
	var named Key
	found := false
	for i := range s.keys {
		key := &s.keys[i]
		if key.ID == ref {
			return *key, true
		}
		if key.Name == ref && (!found || key.RevokedAt.IsZero() || !named.RevokedAt.IsZero() && key.RevokedAt.After(named.RevokedAt)) {
			named, found = *key, true
		}
	}
	return named, found
}

// Authenticate returns the principal of a presented key, or the InvalidKey error, whose text is the same
// for unknown, expired, revoked and mistyped keys and does not repeat the key. It reads one immutable
// snapshot: no lock, no storage, and a time that depends on the digest only.
func (k *Keys) Authenticate(presented string) (*Principal, *llm.Error) {
	if strings.HasPrefix(presented, keyPrefix) {
		if _, ok := ParseKey(presented); !ok {
			return nil, k.refused
		}
	}
	found, ok := k.current.Load().byDigest[DigestOf(presented)]
	if !ok || !found.until.IsZero() && !k.now().Before(found.until) {
		return nil, k.refused
	}
	return found.principal, nil
}

// cut ends the running requests of one key. It outlives the principals, which each snapshot makes anew.
type cut struct {
	ctx  context.Context
	stop context.CancelFunc
}

func newCut() *cut {
	ctx, stop := context.WithCancel(context.Background())
	return &cut{ctx, stop}
}
