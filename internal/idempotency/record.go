// Package idempotency has a request with an Idempotency-Key run once. The first one claims the key; repeats get its answer. What is kept is
// sealed with the Idempotency-Key itself, which is not kept.
package idempotency

import (
	"context"
	"time"
)

// Hash is a SHA-256, or an HMAC of it.
type Hash [32]byte

// Name is how a record is found.
type Name struct {
	KeyID string // of the API key whose request it is
	Hash  Hash   // of that and of the Idempotency-Key
}

// Owner is the process that made a claim.
type Owner struct {
	Instance string // of its data folder, which one process uses at a time
	Epoch    string // another with each start
}

// Record is a claim, or the answer that took its place, as a store keeps it.
type Record struct {
	Name
	Request   Hash // distinguishes the request from others with the same Idempotency-Key
	Owner     Owner
	Answer    []byte    // sealed; nil for a claim, whose request still runs
	CreatedAt time.Time // of a claim; of the answer, as soon as there is one
	Until     time.Time // from then on it is as if it were not there
}

// Bounds are how many bytes of answers a store keeps.
type Bounds struct {
	Key   int64 // of one API key
	Total int64 // of all
}

// RowBytes is what a record counts for in Bounds, besides its answer.
const RowBytes = 512

// Store keeps the records. Its methods may be called concurrently, and each is atomic, for all processes that share the store. What a
// method has returned nil for is there after the end of the process.
type Store interface {
	// Idempotent finds a record that has not expired.
	Idempotent(ctx context.Context, name Name, now time.Time) (r Record, found bool, err error)

	// ClaimIdempotent adds the claim r, unless another record is in its way, which it then returns. A record that has expired is not in
	// the way, and neither is a claim of the same instance: its process is dead, or knows that it let go of the claim.
	ClaimIdempotent(ctx context.Context, r Record, now time.Time) (other Record, claimed bool, err error)

	// KeepIdempotent puts the answer r in the place of its claim. kept is false if r.Owner does not have the claim any more, or if the
	// answer alone is larger than the bounds. The oldest answers of its key, then those of all, make room for it.
	KeepIdempotent(ctx context.Context, r Record, most Bounds) (kept bool, err error)

	// ReleaseIdempotent deletes the claim that an owner has, if it has it.
	ReleaseIdempotent(ctx context.Context, name Name, owner Owner) error

	// ForgetIdempotent deletes at most so many records that have expired, or whose API key is revoked, and returns how many it deleted.
	// Claims go only when they have expired.
	ForgetIdempotent(ctx context.Context, now time.Time, most int) (deleted int, err error)
}
