package storetest

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/stored"
)

// SaveResponse implements stored.Store.
func (m *Memory) SaveResponse(ctx context.Context, r stored.Row, most stored.Bounds) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := errors.Join(m.fail, ctx.Err()); err != nil {
		return false, err
	}
	if slices.ContainsFunc(m.kept, func(k stored.Row) bool { return k.ID == r.ID }) {
		return false, errors.New("the id is taken")
	}
	var own int64
	left := slices.Clone(m.kept)
	for i, k := range slices.Backward(m.kept) { // the newest first
		if k.KeyID != r.KeyID {
			continue
		}
		if own += int64(len(k.Sealed)); own+int64(len(r.Sealed)) > most.Key {
			left = slices.Delete(left, i, i+1)
		}
	}
	all := int64(len(r.Sealed))
	for _, k := range left {
		all += int64(len(k.Sealed))
	}
	if int64(len(r.Sealed)) > most.Key || all > most.Total {
		return false, nil
	}
	m.kept = append(left, r)
	return true, nil
}

// response is the place of a key's response that has not expired, -1 without one.
func (m *Memory) response(id, keyID string, now time.Time) int {
	return slices.IndexFunc(m.kept, func(k stored.Row) bool { return k.ID == id && k.KeyID == keyID && k.ExpiresAt.After(now) })
}

// Response implements stored.Store.
func (m *Memory) Response(_ context.Context, id, keyID string, now time.Time) (stored.Row, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.response(id, keyID, now)
	if m.fail != nil || i < 0 {
		return stored.Row{}, false, m.fail
	}
	return m.kept[i], true, nil
}

// DeleteResponse implements stored.Store.
func (m *Memory) DeleteResponse(_ context.Context, id, keyID string, now time.Time) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.response(id, keyID, now)
	if m.fail != nil || i < 0 {
		return false, m.fail
	}
	m.kept = slices.Delete(m.kept, i, i+1)
	return true, nil
}

// DeleteOldResponses implements stored.Store.
func (m *Memory) DeleteOldResponses(_ context.Context, now time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	m.kept = slices.DeleteFunc(m.kept, func(k stored.Row) bool {
		revoked := slices.ContainsFunc(m.keys, func(key auth.Key) bool { return key.ID == k.KeyID && !key.RevokedAt.IsZero() })
		return revoked || !k.ExpiresAt.After(now)
	})
	return nil
}
