package auth

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"
)

// Unsaved says that a key's revocation holds in this process, and that the store does not have it yet.
type Unsaved struct {
	Cause  error // why the last try to save it failed
	Marked bool  // the Journal has it, so that it holds after a restart too
}

// Revocation is what a Journal keeps of one.
type Revocation struct {
	ID string
	At time.Time // to the millisecond, UTC
}

// Journal keeps revocations that the store could not be given. It is no second store: what it holds is moved to the
// store as soon as that can be written. Its methods are called by one goroutine at a time.
type Journal interface {
	// Load returns what was saved last. An error that satisfies errors.Is(err, ErrDamaged) comes with what could be read.
	Load() ([]Revocation, error)

	// Save replaces what is kept. When it returns nil the list survives the end of the process and of the machine.
	Save([]Revocation) error
}

// ErrDamaged says that part of a Journal cannot be read.
var ErrDamaged = errors.New("a part of it cannot be read")

// StoreError is a change that was not made, because the store could not be written.
type StoreError struct{ Err error }

// Error implements error.
func (e *StoreError) Error() string { return "nothing was changed: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *StoreError) Unwrap() error { return e.Err }

// saveWithin is how long one try to save revocations may take: another process may hold the store's lock for a moment.
const saveWithin = 10 * time.Second

// The pauses between tries to save revocations grow from the first to the last, twofold.
const (
	firstPause = time.Second
	lastPause  = time.Minute
)

var (
	errSaving    = errors.New("it is being saved")
	errBusy      = errors.New("the store is still busy with an earlier change")
	errInterrupt = errors.New("it was not saved before the last stop")
)

// Resume takes up the revocations that journal kept over a restart, and keeps those there that the store cannot be given from now
// on. It is called once, before any other change. An error that satisfies errors.Is(err, ErrDamaged) is a warning.
func (k *Keys) Resume(journal Journal) error {
	list, err := journal.Load()
	if err != nil && !errors.Is(err, ErrDamaged) {
		return err
	}
	k.marking.Lock()
	k.journal, k.marked = journal, list
	k.marking.Unlock()

	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range list {
		if known := k.index.id(r.ID); known != nil && !known.principal.fromFile && known.lives() {
			k.unsaved[r.ID] = unsaved{at: r.At, state: Unsaved{Cause: errInterrupt, Marked: true}}
			k.setAgain(r.ID)
		}
	}
	k.awake()
	return err
}

// unsaved is a revocation that the store does not have yet.
type unsaved struct {
	at    time.Time
	cut   bool // running requests end with the key
	state Unsaved
}

// applyTo makes the key revoked.
func (u unsaved) applyTo(key *Key) {
	revoke(key, u.at, u.cut)
	key.Unsaved = &u.state
}

func revoke(key *Key, at time.Time, cut bool) {
	key.Cut = key.Cut || cut
	if key.RevokedAt.IsZero() {
		key.RevokedAt = at
		key.Previous, key.PreviousUntil = Digest{}, time.Time{}
	}
}

// Unsaved is how many revocations the store does not have yet.
func (k *Keys) Unsaved() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.unsaved)
}

// SaveFailures is how often revocations could not be saved, tries that were repeated included.
func (k *Keys) SaveFailures() int64 { return k.failures.Load() }

// SaveRevocations tries once to give the store the revocations that it does not have yet. It takes ten seconds at most.
func (k *Keys) SaveRevocations(ctx context.Context) error {
	if k.Unsaved() == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, saveWithin)
	defer cancel()
	err := k.acquire(ctx)
	if err == nil {
		err = k.saveAll(ctx)
		k.release()
	} else {
		err = errBusy
		k.note(err, k.waiting())
	}
	k.mark()
	return err
}

// waiting is what is to be saved.
func (k *Keys) waiting() map[string]unsaved {
	k.mu.Lock()
	defer k.mu.Unlock()
	return maps.Clone(k.unsaved)
}

// saveAll gives the store every revocation that it lacks, the oldest first, and returns the first failure. One that fails does not
// keep the others from being tried while ctx lasts. k.writing is held.
func (k *Keys) saveAll(ctx context.Context) error {
	var failure error
	waiting := k.waiting()
	for _, r := range inOrder(waiting) {
		if failure != nil && ctx.Err() != nil {
			break
		}
		saved, err := k.store.UpdateKey(ctx, r.ID, func(key *Key) error {
			revoke(key, r.At, waiting[r.ID].cut)
			return nil
		})
		gone := errors.Is(err, ErrNotFound) // no later process knows it either
		if err != nil && !gone {
			failure = cmp.Or(failure, err)
			continue
		}
		k.mu.Lock()
		if k.unsaved[r.ID].cut == waiting[r.ID].cut { // otherwise more was asked for in the meantime
			delete(k.unsaved, r.ID)
		}
		if known := k.index.id(r.ID); gone || known.version >= saved.Version { // Follow may have been faster
			k.setAgain(r.ID)
		} else {
			k.set(saved)
		}
		k.mu.Unlock()
	}
	if failure != nil {
		k.note(failure, waiting)
	}
	return failure
}

// note records why revocations could not be saved, and has Persist try again.
func (k *Keys) note(cause error, tried map[string]unsaved) {
	k.failures.Add(1)
	k.mu.Lock()
	defer k.mu.Unlock()
	for id := range tried {
		if u, ok := k.unsaved[id]; ok {
			u.state.Cause = cause
			k.unsaved[id] = u
			k.setAgain(id)
		}
	}
	k.awake()
}

// inOrder are revocations, the oldest first.
func inOrder(of map[string]unsaved) []Revocation {
	list := make([]Revocation, 0, len(of))
	for id, u := range of {
		list = append(list, Revocation{ID: id, At: u.at})
	}
	slices.SortFunc(list, func(a, b Revocation) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID)) })
	return list
}

// awake has Persist look whether there is something to save.
func (k *Keys) awake() {
	select {
	case k.wake <- struct{}{}:
	default: // it is awake already
	}
}

// mark brings the journal up to date.
func (k *Keys) mark() {
	k.marking.Lock()
	defer k.marking.Unlock()
	list := inOrder(k.waiting())
	if k.journal == nil || slices.Equal(list, k.marked) {
		return
	}
	if k.journal.Save(list) == nil {
		k.marked = list
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.marked {
		if u, ok := k.unsaved[r.ID]; ok {
			u.state.Marked = true
			k.unsaved[r.ID] = u
			k.setAgain(r.ID)
		}
	}
}

// Persist saves the revocations that could not be saved at once, until ctx ends. It tries after a second, and then after
// pauses that grow to a minute.
func (k *Keys) Persist(ctx context.Context, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.wake:
		}
		if !k.retry(ctx, log) {
			return
		}
	}
}

// retry tries until everything is saved, and reports whether that came before the end of ctx.
func (k *Keys) retry(ctx context.Context, log *slog.Logger) bool {
	if k.Unsaved() == 0 {
		return true
	}
	k.LogUnsaved(log)
	for pause := firstPause; k.Unsaved() > 0; pause = min(2*pause, lastPause) {
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return false
		case <-timer.C:
		}
		if k.SaveRevocations(ctx) != nil {
			k.LogUnsaved(log)
		}
	}
	log.Info("the store has every revocation now")
	return true
}

// LogUnsaved logs which keys are revoked in this process only, and which of them would work again after a restart. There must be one.
func (k *Keys) LogUnsaved(log *slog.Logger) {
	keys, forgotten, reason := []string{}, []string{}, ""
	waiting := k.waiting()
	for _, r := range inOrder(waiting) {
		keys = append(keys, r.ID)
		if !waiting[r.ID].state.Marked {
			forgotten = append(forgotten, r.ID)
		}
		reason = waiting[r.ID].state.Cause.Error()
	}
	log.Error("revocations are not in the store: this process refuses their keys, but those that a restart forgets would work again; Weir keeps trying",
		"keys", keys, "restart_forgets", forgotten, "reason", reason)
}
