package storetest

import (
	"context"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/idempotency"
)

// record is the place of a name's record, -1 without one.
func (m *Memory) record(name idempotency.Name) int {
	return slices.IndexFunc(m.records, func(r idempotency.Record) bool { return r.Name == name })
}

// claim is the place of the claim that an owner has, -1 without one.
func (m *Memory) claim(name idempotency.Name, owner idempotency.Owner) int {
	i := m.record(name)
	if i >= 0 && (m.records[i].Answer != nil || m.records[i].Owner != owner) {
		return -1
	}
	return i
}

// Idempotent implements idempotency.Store.
func (m *Memory) Idempotent(_ context.Context, name idempotency.Name, now time.Time) (idempotency.Record, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.record(name)
	if m.fail != nil || i < 0 || !m.records[i].Until.After(now) {
		return idempotency.Record{}, false, m.fail
	}
	return m.records[i], true, nil
}

// ClaimIdempotent implements idempotency.Store.
func (m *Memory) ClaimIdempotent(_ context.Context, r idempotency.Record, now time.Time) (idempotency.Record, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return idempotency.Record{}, false, m.fail
	}
	if i := m.record(r.Name); i >= 0 {
		other := m.records[i]
		if other.Until.After(now) && (other.Answer != nil || other.Owner.Instance != r.Owner.Instance) {
			return other, false, nil
		}
		m.records = slices.Delete(m.records, i, i+1)
	}
	m.records = append(m.records, r)
	return idempotency.Record{}, true, nil
}

// KeepIdempotent implements idempotency.Store.
func (m *Memory) KeepIdempotent(_ context.Context, r idempotency.Record, most idempotency.Bounds) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.claim(r.Name, r.Owner)
	size := sizeOf(r)
	if m.fail != nil || i < 0 || size > most.Key || size > most.Total {
		return false, m.fail
	}
	m.records[i] = r
	m.evict(most.Key, func(other idempotency.Record) bool { return other.KeyID == r.KeyID })
	m.evict(most.Total, func(idempotency.Record) bool { return true })
	return true, nil
}

func sizeOf(r idempotency.Record) int64 { return int64(len(r.Answer)) + idempotency.RowBytes }

// evict deletes the oldest of some answers until the others are no more than so many bytes.
func (m *Memory) evict(most int64, of func(idempotency.Record) bool) {
	slices.SortStableFunc(m.records, func(a, b idempotency.Record) int { return b.CreatedAt.Compare(a.CreatedAt) }) // the newest first
	var bytes int64
	m.records = slices.DeleteFunc(m.records, func(r idempotency.Record) bool {
		if r.Answer == nil || !of(r) {
			return false
		}
		bytes += sizeOf(r)
		return bytes > most
	})
}

// ReleaseIdempotent implements idempotency.Store.
func (m *Memory) ReleaseIdempotent(_ context.Context, name idempotency.Name, owner idempotency.Owner) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := m.claim(name, owner); i >= 0 && m.fail == nil {
		m.records = slices.Delete(m.records, i, i+1)
	}
	return m.fail
}

// ForgetIdempotent implements idempotency.Store.
func (m *Memory) ForgetIdempotent(_ context.Context, now time.Time, most int) (deleted int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return 0, m.fail
	}
	m.records = slices.DeleteFunc(m.records, func(r idempotency.Record) bool {
		revoked := r.Answer != nil && slices.ContainsFunc(m.keys, func(key auth.Key) bool { return key.ID == r.KeyID && !key.RevokedAt.IsZero() })
		if deleted == most || r.Until.After(now) && !revoked {
			return false
		}
		deleted++
		return true
	})
	return deleted, nil
}
