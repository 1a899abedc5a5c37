package auth

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
)

// Keys is all API keys and their teams, those of the store and those of the config file. A change is written to the store first, and
// Authenticate sees it at once. A revocation holds before it is written, and whether or not it can be. All methods may be called
// concurrently.
type Keys struct {
	store   Store
	now     func() time.Time
	random  io.Reader
	refused *llm.Error

	// writing holds an element during a change, including its write to the store. So changes appear in the order in which
	// the store changed. Its holder may take marking or mu, and the holder of marking may take mu.
	writing chan struct{}

	marking sync.Mutex // held while the journal is written; guards the two fields below
	journal Journal    // nil for none
	marked  []Revocation

	following sync.Mutex // held while changes of the store are read; guards the field below
	followed  Version    // version of the store up to which all changes are known

	currency currency // of what is known of the store

	failures atomic.Int64  // failures to save revocations
	wake     chan struct{} // for Persist
	changed  chan struct{} // for Follow

	mu      sync.RWMutex       // held briefly, never while something is stored; guards the fields below
	index   *index             // look-ups need no lock
	unsaved map[string]unsaved // by id
	highest Version            // highest version of a key that was added
}

// Snapshot has the keys and teams that a store had.
type Snapshot interface {
	// Load calls team with every team, then key with every key. It returns the version of the store that these bring the reader to, and when
	// the store was last known to have no later one.
	Load(team func(Team), key func(Key)) (Version, time.Time, error)
}

// NewKeys loads all keys and teams of store. now is the clock, random the source of new keys' bits (crypto/rand.Reader).
func NewKeys(ctx context.Context, store Store, now func() time.Time, random io.Reader) (*Keys, error) {
	k, err := newKeys(store, now, random, func(team func(Team), key func(Key)) (Version, time.Time, error) {
		began := time.Now()
		version, err := store.ChangesSince(ctx, 0, team, key)
		return version, began, err
	})
	if err != nil {
		return nil, fmt.Errorf("cannot read the API keys from the store: %w", err)
	}
	return k, nil
}

// Restore takes the keys and teams from a snapshot, while the store cannot be read. What has changed since takes effect once it can be.
func Restore(store Store, from Snapshot, now func() time.Time, random io.Reader) (*Keys, error) {
	return newKeys(store, now, random, from.Load)
}

func newKeys(store Store, now func() time.Time, random io.Reader, load func(func(Team), func(Key)) (Version, time.Time, error)) (*Keys, error) {
	teams := newTeams()
	all := loading{teams: teams, models: map[string][]string{}}
	version, known, err := load(func(team Team) { teams.set(&team) }, all.add)
	if err != nil {
		return nil, err
	}
	if present := time.Now(); known.After(present) { // a clock was put back
		known = present
	}
	k := &Keys{
		store: store, now: now, random: random,
		refused: &llm.Error{
			Kind: llm.InvalidKey,
			// The first words are OpenAI's: LiteLLM takes a 401 of this type without them for a bad request.
			Message: "Incorrect API key provided: it is unknown, has expired or was revoked. Please check it, or ask for a new one.",
		},
		writing: make(chan struct{}, 1), wake: make(chan struct{}, 1), changed: make(chan struct{}, 1),
		index: newIndex(all.records, teams), followed: version, unsaved: map[string]unsaved{},
	}
	k.currency.refused = staleError()
	k.currency.renew(known)
	return k, nil
}

// Draft is what a new key is to be.
type Draft struct {
	Name      string
	Models    []string  // patterns; empty allows all
	ExpiresAt time.Time // zero for never
	Explain   bool      // its requests may ask what was tried for them
	Team      string    // its team, by id or name; "" for none
	Limits    Limits

	Spending *budget.Policy // nil for no budgets

	Idempotency time.Duration // how long answers to requests with an Idempotency-Key are kept; 0 refuses the header
}

// Check reports the first thing in the draft that no key may have, as an *llm.Error of kind InvalidValue or
// MissingParameter. Only Create knows whether the name is free.
func (d Draft) Check(now time.Time) error {
	return cmp.Or(checkName(aKey, d.Name), checkModels(aKey, d.Models), checkExpiry(clip(d.ExpiresAt), now), d.Limits.Check(), CheckSpending(d.Spending), checkIdempotency(d.Idempotency))
}

// Create mints a key. The returned text is the only copy there will ever be. Errors are
// *llm.Error: those of Draft.Check, and Conflict if the name is in use; all others are failures of the store.
func (k *Keys) Create(ctx context.Context, draft Draft) (Key, secret.Text, error) {
	now := k.instant()
	key := Key{Name: draft.Name, Models: slices.Clone(draft.Models), CreatedAt: now, ExpiresAt: clip(draft.ExpiresAt), Explain: draft.Explain, Limits: draft.Limits, Spending: cloneSpending(draft.Spending), Idempotency: draft.Idempotency}
	if err := draft.Check(now); err != nil {
		return Key{}, secret.Text{}, err
	}
	id, text, err := Mint(k.random, "")
	if err != nil {
		return Key{}, secret.Text{}, err
	}
	key.ID, key.Digest = id, DigestOf(text.Reveal())

	ctx = context.WithoutCancel(ctx)
	if err := k.begin(ctx); err != nil {
		return Key{}, secret.Text{}, err
	}
	defer k.release()
	if err := k.checkFree(key.Name, ""); err != nil {
		return Key{}, secret.Text{}, err
	}
	if key.TeamID, err = k.join(draft.Team); err != nil {
		return Key{}, secret.Text{}, err
	}
	made, err := k.store.InsertKey(ctx, key)
	if err != nil {
		return Key{}, secret.Text{}, translate(err, aKey, key.Name)
	}
	return k.publish(made), text, nil
}

// Show returns the key with that id, or else of that name. For an unknown one it returns a NotFound error.
func (k *Keys) Show(ref string) (Key, error) {
	if r := k.index.find(ref); r != nil {
		return r.key(), nil
	}
	if id, isKey := ParseKey(ref); isKey { // it must not be repeated, because this is logged
		return Key{}, &llm.Error{Kind: llm.NotFound, Message: fmt.Sprintf("This is an API key, not the id or name of one: its id is %s.", id)}
	}
	return Key{}, &llm.Error{Kind: llm.NotFound, Message: fmt.Sprintf("No key has the id or name %q; weir keys list shows all.", ref)}
}

// Principal returns the principal of the key that ref names, as Show finds it, whether or not the key is let in.
func (k *Keys) Principal(ref string) (*Principal, error) {
	if r := k.index.find(ref); r != nil {
		return &r.principal, nil
	}
	_, err := k.Show(ref)
	return nil, err
}

// Change says what Update replaces; nil leaves a thing as it is.
type Change struct {
	Name      *string
	Models    *[]string  // an empty list allows all models
	ExpiresAt *time.Time // the zero time is never
	Explain   *bool
	Team      *string // by id or name; "" for none. What the key spent stays with its former team.
	Limits    LimitsChange

	Spending SpendingChange

	Idempotency *time.Duration // 0 keeps no answers from now on
}

// Update replaces what change names, at once for all requests that start from then on.
func (k *Keys) Update(ctx context.Context, ref string, change Change) (Key, error) {
	now := k.instant()
	if err := change.Check(now); err != nil {
		return Key{}, err
	}
	return k.change(ctx, ref, func(key *Key) error {
		if !key.RevokedAt.IsZero() {
			return revokedConflict(aKey, key.Name, key.ID, "changed")
		}
		if change.Name != nil {
			if err := k.checkFree(*change.Name, key.ID); err != nil {
				return err
			}
			key.Name = *change.Name
		}
		if change.Models != nil {
			key.Models = slices.Clone(*change.Models)
		}
		if change.ExpiresAt != nil {
			key.ExpiresAt = clip(*change.ExpiresAt)
		}
		if change.Explain != nil {
			key.Explain = *change.Explain
		}
		change.Limits.apply(&key.Limits)
		if change.Idempotency != nil {
			key.Idempotency = *change.Idempotency
		}
		if err := change.Spending.apply(&key.Spending); err != nil {
			return err
		}
		if change.Team != nil {
			id, err := k.join(*change.Team)
			if err != nil {
				return err
			}
			key.TeamID = id
		}
		return nil
	})
}

// Check reports the first thing that no key may have, as Draft.Check does, and a change that changes nothing.
func (c Change) Check(now time.Time) error {
	if c == (Change{}) {
		return &llm.Error{Kind: llm.MissingParameter, Message: "This changes nothing: give a name, models, an expiry time, a team, a limit, a budget, idempotency, or explain."}
	}
	var name, models, expiry, idempotency error
	if c.Name != nil {
		name = checkName(aKey, *c.Name)
	}
	if c.Models != nil {
		models = checkModels(aKey, *c.Models)
	}
	if c.ExpiresAt != nil {
		expiry = checkExpiry(clip(*c.ExpiresAt), now)
	}
	if c.Idempotency != nil {
		idempotency = checkIdempotency(*c.Idempotency)
	}
	return cmp.Or(name, models, expiry, idempotency, c.Limits.Check(), c.Spending.Check())
}

// Rotate mints a new secret for a key, which keeps its id. The secret until now works for grace more,
// the one before that no longer.
func (k *Keys) Rotate(ctx context.Context, ref string, grace time.Duration) (Key, secret.Text, error) {
	now := k.instant()
	if grace < 0 || grace > maxGrace {
		return Key{}, secret.Text{}, invalid("grace", "The grace of a rotation is between 0 and %d days.", maxGrace/(24*time.Hour))
	}
	var text secret.Text
	key, err := k.change(ctx, ref, func(key *Key) error {
		switch key.Status(now) {
		case Revoked:
			return revokedConflict(aKey, key.Name, key.ID, "rotated")
		case Expired:
			return &llm.Error{Kind: llm.Conflict, Message: fmt.Sprintf("The key %q has expired: give it a later --expires first, or make a new key.", key.Name)}
		}
		_, minted, err := Mint(k.random, key.ID)
		if err != nil {
			return err
		}
		text = minted
		key.Previous, key.PreviousUntil = Digest{}, time.Time{}
		if grace > 0 {
			key.Previous, key.PreviousUntil = key.Digest, clip(now.Add(grace))
		}
		key.Digest = DigestOf(text.Reveal())
		return nil
	})
	if err != nil {
		return Key{}, secret.Text{}, err
	}
	return key, text, nil
}

// Revoke ends a key for good: from the moment that it is called, Authenticate refuses it. Requests that are running finish,
// unless now, which cuts those between Principal.Enter and Leave. Revoking a revoked key again is no error. A store that
// cannot be written is no error either: the returned key says so (Key.Unsaved), and Persist keeps trying.
func (k *Keys) Revoke(ctx context.Context, ref string, now bool) (Key, error) {
	key, err := k.refuse(ref, now)
	if err != nil {
		return Key{}, err
	}
	_ = k.SaveRevocations(context.WithoutCancel(ctx)) // the key says whether that failed
	return k.Show(key.ID)
}

// refuse revokes a key in memory.
func (k *Keys) refuse(ref string, now bool) (Key, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key, err := k.changeable(ref)
	if err != nil {
		return Key{}, err
	}
	if !key.RevokedAt.IsZero() && (key.Cut || !now) {
		return key, nil // nothing changed
	}
	u, waiting := k.unsaved[key.ID]
	if !waiting {
		u = unsaved{at: cmp.Or(key.RevokedAt, k.instant()), state: Unsaved{Cause: errSaving}}
	}
	u.cut = u.cut || now
	k.unsaved[key.ID] = u
	k.set(key)
	return key, nil
}

// changeable returns the key that ref names, or an error if that one cannot be changed here.
func (k *Keys) changeable(ref string) (Key, error) {
	key, err := k.Show(ref)
	if err == nil && key.FromFile {
		err = &llm.Error{Kind: llm.Conflict, Message: fmt.Sprintf("The key %q is in the config file: edit it there, under keys, and reload.", key.Name)}
	}
	return key, err
}

// change runs one change of a stored key and publishes it.
func (k *Keys) change(ctx context.Context, ref string, change func(*Key) error) (Key, error) {
	ctx = context.WithoutCancel(ctx) // a client that hangs up must not leave it open whether its change was made
	if err := k.begin(ctx); err != nil {
		return Key{}, err
	}
	defer k.release()
	old, err := k.changeable(ref)
	if err != nil {
		return Key{}, err
	}
	key, err := k.store.UpdateKey(ctx, old.ID, change)
	if err != nil {
		return Key{}, translate(err, aKey, old.Name)
	}
	return k.publish(key), nil
}

// publish has all see a key that was written, and returns it with its team.
func (k *Keys) publish(key Key) Key {
	k.put(key)
	k.mu.RLock()
	defer k.mu.RUnlock()
	key.Team = k.index.teams.byID[key.TeamID].team()
	return key
}

// begin waits for its turn to change the store, and gives it what it lacks first, since a name may be free only then. A change that
// has begun is ended by release.
func (k *Keys) begin(ctx context.Context) error {
	if err := k.acquire(ctx); err != nil {
		return err
	}
	if k.Unsaved() == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, saveWithin)
	defer cancel()
	err := k.saveAll(ctx)
	k.mark()
	if err != nil {
		k.release()
		return &StoreError{err}
	}
	return nil
}

func (k *Keys) acquire(ctx context.Context) error {
	select {
	case k.writing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (k *Keys) release() { <-k.writing }

// put has all see a key as the store has it, unless a later change of it is known.
func (k *Keys) put(key Key) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r := k.index.id(key.ID); r == nil || r.version < key.Version {
		k.set(key)
	}
}

// set puts a key into the index, revoked if the store does not know that yet. k.mu is held.
func (k *Keys) set(key Key) {
	key.Unsaved = nil
	if u, ok := k.unsaved[key.ID]; ok {
		u.applyTo(&key)
	}
	k.index.set(&key)
	k.highest = max(k.highest, key.Version)
}

// setAgain does so for a key whose revocation has changed. k.mu is held.
func (k *Keys) setAgain(id string) {
	if r := k.index.id(id); r != nil {
		k.set(r.key())
	}
}

// File is what a config file has.
type File struct {
	Teams []Team
	Keys  []Key
}

// FileID is the id of a key or team of the config file.
func FileID(name string) string { return "cfg-" + name }

// SetFile replaces the keys and teams of the config file. Of the teams only Name, Models, Limits and Spending count, of the keys
// Name, Digest, Models, ExpiresAt, Explain, Limits, Spending, Idempotency and TeamID, which must be of a team of the file. If two of them, or one of them and a living stored one, share a
// name or digest, it returns an error and changes nothing. The same holds if a living stored key is in a team that the file lacks:
// that error is a *TeamNeededError.
func (k *Keys) SetFile(file File) error {
	k.writing <- struct{}{} // names are not taken between the check and its end
	defer k.release()
	k.mu.Lock()
	defer k.mu.Unlock()
	keys := make([]Key, 0, len(file.Keys))
	for _, key := range file.Keys {
		keys = append(keys, Key{
			ID: FileID(key.Name), Name: key.Name, Digest: key.Digest, Models: slices.Clone(key.Models),
			ExpiresAt: key.ExpiresAt, Explain: key.Explain, TeamID: key.TeamID, Limits: key.Limits, Spending: cloneSpending(key.Spending), Idempotency: key.Idempotency, FromFile: true,
		})
	}
	teams := make([]Team, 0, len(file.Teams))
	for _, team := range file.Teams {
		teams = append(teams, Team{ID: FileID(team.Name), Name: team.Name, Models: slices.Clone(team.Models), Limits: team.Limits, Spending: cloneSpending(team.Spending), FromFile: true})
	}
	if err := cmp.Or(k.checkFileTeams(teams, keys), k.checkFile(keys)); err != nil {
		return err
	}
	k.index.teams.setFile(teams)
	k.index.setFile(keys)
	return nil
}

// HasStored reports whether a key of the store works now.
func (k *Keys) HasStored() bool {
	now := momentOf(k.now())
	k.mu.RLock()
	defer k.mu.RUnlock()
	return !k.index.stored.after(nil, func(r *record) bool { return !r.active(now) })
}

// Authenticate returns the principal of a presented key, or the InvalidKey error; KeysUnavailable for one of the store that may have been revoked
// without that being known here. The first error's text is the same for
// unknown, expired, revoked and mistyped keys, and those of revoked teams, and does not repeat the key. It takes no lock, asks no storage, and
// its time depends on the digest only.
func (k *Keys) Authenticate(presented string) (*Principal, *llm.Error) {
	if strings.HasPrefix(presented, keyPrefix) {
		if _, ok := ParseKey(presented); !ok {
			return nil, k.refused
		}
	}
	digest := DigestOf(presented)
	r, until := k.index.admit(&digest)
	if r == nil || until != forever && momentOf(k.now()) >= until || !r.principal.team.lives() {
		return nil, k.refused
	}
	if k.currency.stale.Load() && !r.principal.fromFile {
		return nil, k.currency.refused
	}
	return &r.principal, nil
}

// instant is the time now, as clip leaves it.
func (k *Keys) instant() time.Time { return clip(k.now()) }

// clip brings t into the form that comes back from a store unchanged.
func clip(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}
