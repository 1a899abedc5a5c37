package idempotency

import (
	"context"
	"errors"
	"sync"
	"time"
)

// MaxAnswer is the largest answer that is kept.
const MaxAnswer = 1 << 20

// What is kept in all, in bytes.
const (
	mostOfKey = 64 << 20
	mostOfAll = 1 << 30
)

// patience is how long a store may take, and how long a repeat waits for an answer that is just being stored.
const patience = 5 * time.Second

var (
	// ErrInProgress is the error for a request whose first one still runs.
	ErrInProgress = errors.New("the first request with the Idempotency-Key still runs")
	// ErrMismatch is the error for a request that is another than the first one.
	ErrMismatch = errors.New("the Idempotency-Key was used for another request")
	// ErrLost is the error for a request whose first one was answered, and the answer could not be stored.
	ErrLost = errors.New("the answer to the first request with the Idempotency-Key could not be stored")
)

// errTaken is the error for an answer that came too late to be kept.
var errTaken = errors.New("the claim of the request has expired")

// Book decides which requests run. Its methods may be called concurrently.
type Book struct {
	store Store
	owner Owner
	now   func() time.Time

	mu      sync.Mutex // guards what follows, and the fields of all runs
	running map[Hash]*Run
}

// Run is a request that is the first with its Idempotency-Key. It must be ended. Its methods are called by one goroutine.
type Run struct {
	book   *Book
	secret secret
	claim  Record
	began  bool          // the claim is in the store
	ending bool          // its answer is about to be complete
	lost   bool          // it has ended, and its answer could not be stored
	done   chan struct{} // closed when it has ended
}

// Open returns a book over a store, for the process owner.
func Open(s Store, owner Owner, now func() time.Time) *Book {
	return &Book{store: s, owner: owner, now: now, running: map[Hash]*Run{}}
}

// Begin finds out what becomes of a request with an Idempotency-Key: it is run, if run is not nil, or answered as before. parts are what
// distinguishes it from other requests. Any error but the above comes from the store.
func (b *Book) Begin(ctx context.Context, keyID, idempotencyKey string, parts ...[]byte) (run *Run, before *Answer, err error) {
	s := secretOf(keyID, idempotencyKey)
	r := &Run{book: b, secret: s, done: make(chan struct{}), claim: Record{
		Name: Name{KeyID: keyID, Hash: s.derive("name")}, Request: s.derive("request", parts...), Owner: b.owner,
	}}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := b.await(ctx, r); err != nil {
		return nil, nil, err
	}
	record, found, err := b.store.Idempotent(ctx, r.claim.Name, b.now())
	switch {
	case err != nil:
		return nil, nil, err
	case !found, record.Answer == nil && record.Owner.Instance == b.owner.Instance: // the claim is of no run here, so it is dead
	case record.Request != r.claim.Request:
		return nil, nil, ErrMismatch
	case record.Answer == nil:
		return nil, nil, ErrInProgress
	default:
		before, err = s.open(record.Answer)
		return nil, before, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.check(r); err != nil { // another one was faster
		return nil, nil, err
	}
	b.running[r.claim.Hash] = r
	return r, nil, nil
}

// await returns nil once no other run has the name of r, and why r cannot run if it is not worth waiting for that.
func (b *Book) await(ctx context.Context, r *Run) error {
	for {
		b.mu.Lock()
		err, other := b.check(r), b.running[r.claim.Hash]
		wait := other != nil && other.ending && errors.Is(err, ErrInProgress)
		b.mu.Unlock()
		if !wait {
			return err
		}
		select {
		case <-other.done:
		case <-ctx.Done():
			return ErrInProgress
		}
	}
}

// check says why r cannot run beside the runs there are, nil if it can. The lock is held.
func (b *Book) check(r *Run) error {
	other := b.running[r.claim.Hash]
	switch {
	case other == nil, other.lost && !b.now().Before(other.claim.Until):
		return nil
	case other.claim.Request != r.claim.Request:
		return ErrMismatch
	case other.lost:
		return ErrLost
	default:
		return ErrInProgress
	}
}

// Claim writes down that the request is about to run, which takes a while at most. If it fails, the request must not run.
func (r *Run) Claim(ctx context.Context, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	now := r.book.now()
	r.claim.CreatedAt, r.claim.Until = now, now.Add(most)
	other, claimed, err := r.book.store.ClaimIdempotent(ctx, r.claim, now)
	switch {
	case err != nil:
		return err
	case claimed:
		r.began = true
		return nil
	case other.Request != r.claim.Request:
		return ErrMismatch
	default: // also if it has just ended: the next repeat finds its answer
		return ErrInProgress
	}
}

// Ending says that the caller may have the whole answer from now on: repeats wait until it is stored.
func (r *Run) Ending() {
	r.book.mu.Lock()
	defer r.book.mu.Unlock()
	r.ending = true
}

// End ends a run. Its answer is kept for some time; a nil answer lets a repeat run. An error means that the answer is not kept; repeats
// are refused then, because it is not known here whether they are meant to run again.
func (r *Run) End(answer *Answer, keep time.Duration) error {
	err := r.end(answer, keep)
	b := r.book
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.lost = err != nil && answer != nil; !r.lost {
		delete(b.running, r.claim.Hash)
	}
	close(r.done)
	return err
}

func (r *Run) end(answer *Answer, keep time.Duration) error {
	if !r.began {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience) // that its client is gone does not matter
	defer cancel()
	if answer == nil {
		return r.book.store.ReleaseIdempotent(ctx, r.claim.Name, r.claim.Owner)
	}
	record := r.claim
	var err error
	if record.Answer, err = r.secret.seal(answer); err != nil {
		return err
	}
	record.CreatedAt = r.book.now()
	record.Until = record.CreatedAt.Add(keep)
	kept, err := r.book.store.KeepIdempotent(ctx, record, Bounds{Key: mostOfKey, Total: mostOfAll})
	if err == nil && !kept {
		err = errTaken
	}
	return err
}
