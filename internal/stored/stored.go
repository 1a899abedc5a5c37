// Package stored keeps answers that callers can go on from. Each belongs to the API key whose answer it is, is sealed, and expires.
// Besides package idempotency it is the one place where Weir keeps what callers say.
package stored

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/weirproxy/weir/internal/secret"
)

// Row is an answer as a store keeps it.
type Row struct {
	ID, KeyID string // KeyID is of the API key whose answer it is
	Sealed    []byte // the store does not look inside
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Bounds are how many bytes of sealed answers a store keeps.
type Bounds struct {
	Key   int64 // of one API key: the oldest of these make room for a new one
	Total int64 // of all
}

// Store keeps the sealed answers. Its methods may be called concurrently. What SaveResponse has returned true for is there after the end
// of the process, and for all processes that share the store.
type Store interface {
	// SaveResponse keeps an answer. The oldest ones of its key make room for it. saved is false if it is larger than the bounds, or
	// if all answers together would be.
	SaveResponse(ctx context.Context, r Row, most Bounds) (saved bool, err error)

	// Response finds an answer of a key that has not expired.
	Response(ctx context.Context, id, keyID string, now time.Time) (r Row, found bool, err error)

	// DeleteResponse deletes an answer of a key. found is false if Response would not find it.
	DeleteResponse(ctx context.Context, id, keyID string, now time.Time) (found bool, err error)

	// DeleteOldResponses deletes the answers that have expired, and those of revoked keys.
	DeleteOldResponses(ctx context.Context, now time.Time) error
}

// Terms are what a config says about stored answers.
type Terms struct {
	Secret secret.Text   // from which the key is derived that seals them
	Keep   time.Duration // how long they are kept
	Max    int64         // bytes of one
	Bounds
}

// Response is an answer with what was asked.
type Response struct {
	ID       string
	Previous string // id of the answer that it continues, "" for none
	Input    []byte
	Answer   []byte
}

// Book keeps answers on some terms. Its methods may be called concurrently.
type Book struct {
	store Store
	terms Terms
	seal  cipher.AEAD
	now   func() time.Time
}

// ErrNotFound is the error for an answer that is not there, or no longer, or another key's.
var ErrNotFound = errors.New("there is no such response")

// BrokenError is the error for a conversation of which an earlier answer is not there, or no longer. It is ErrNotFound.
type BrokenError struct {
	ID string // of that answer
}

// Error implements error.
func (e *BrokenError) Error() string {
	return "the conversation goes on from a response that is not there"
}

// Unwrap is ErrNotFound.
func (e *BrokenError) Unwrap() error { return ErrNotFound }

// ErrTooLarge is the error for an answer that the terms leave no room for.
var ErrTooLarge = errors.New("there is no room for the response")

// ErrTooLong is the error for a conversation that is longer than a request may be.
var ErrTooLong = errors.New("the conversation is too long")

// ErrNoRoom is the error for a conversation that does not fit into memory at the moment.
var ErrNoRoom = errors.New("there is no memory for the conversation")

// maxTurns is how many answers a conversation may have.
const maxTurns = 64

// Open returns a book over a store.
func Open(s Store, t Terms, now func() time.Time) *Book {
	key, err := hkdf.Key(sha256.New, []byte(t.Secret.Reveal()), nil, "weir stored responses", 32)
	if err != nil {
		panic(err) // the length is a constant
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // as above
	}
	seal, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // as above
	}
	return &Book{store: s, terms: t, seal: seal, now: now}
}

// bound is what an answer is sealed together with, so that it opens neither under another id nor for another key.
func bound(id, keyID string) []byte {
	return fmt.Appendf(nil, "%d %s %d %s", len(id), id, len(keyID), keyID)
}

// Fits reports whether an answer to an input of so many bytes may be kept.
func (b *Book) Fits(input int) bool { return int64(input) <= b.terms.Max }

// Save keeps an answer for a key.
func (b *Book) Save(ctx context.Context, keyID string, r *Response) error {
	size := len(r.Previous) + len(r.Input) + len(r.Answer)
	if int64(size) > b.terms.Max {
		return ErrTooLarge
	}
	plain := make([]byte, 0, size+3*binary.MaxVarintLen64)
	for _, part := range [...][]byte{[]byte(r.Previous), r.Input, r.Answer} {
		plain = append(binary.AppendUvarint(plain, uint64(len(part))), part...)
	}
	now := b.now()
	saved, err := b.store.SaveResponse(ctx, Row{
		ID: r.ID, KeyID: keyID, Sealed: b.seal.Seal(nil, nil, plain, bound(r.ID, keyID)), CreatedAt: now, ExpiresAt: now.Add(b.terms.Keep),
	}, b.terms.Bounds)
	if err == nil && !saved {
		err = ErrTooLarge
	}
	return err
}

// Get finds an answer of a key.
func (b *Book) Get(ctx context.Context, keyID, id string) (*Response, error) {
	row, found, err := b.store.Response(ctx, id, keyID, b.now())
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, ErrNotFound
	}
	plain, err := b.seal.Open(nil, nil, row.Sealed, bound(id, keyID))
	if err != nil { // it was sealed with another secret, or changed
		return nil, ErrNotFound
	}
	var parts [3][]byte
	for i := range parts {
		n, read := binary.Uvarint(plain)
		if read <= 0 || n > uint64(len(plain)-read) {
			return nil, ErrNotFound
		}
		parts[i], plain = plain[read:read+int(n)], plain[read+int(n):]
	}
	return &Response{ID: id, Previous: string(parts[0]), Input: parts[1], Answer: parts[2]}, nil
}

// Chain is the conversation up to an answer of a key, the first turn first. hold is asked for the bytes of each.
func (b *Book) Chain(ctx context.Context, keyID, id string, most int64, hold func(bytes int) bool) ([]*Response, error) {
	var all []*Response
	for id != "" {
		r, err := b.Get(ctx, keyID, id)
		switch {
		case errors.Is(err, ErrNotFound) && len(all) > 0:
			return nil, &BrokenError{ID: id}
		case err != nil:
			return nil, err
		}
		n := len(r.Input) + len(r.Answer)
		switch most -= int64(n); {
		case most < 0 || len(all) == maxTurns:
			return nil, ErrTooLong
		case !hold(n):
			return nil, ErrNoRoom
		}
		all, id = append(all, r), r.Previous
	}
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	return all, nil
}

// Delete deletes an answer of a key.
func (b *Book) Delete(ctx context.Context, keyID, id string) error {
	found, err := b.store.DeleteResponse(ctx, id, keyID, b.now())
	if err == nil && !found {
		err = ErrNotFound
	}
	return err
}
