package storetest

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/idempotency"
	"github.com/weirproxy/weir/internal/store"
	"github.com/weirproxy/weir/internal/stored"
)

// Memory is a Store without the durability, for tests of the rooms that are not to know a real one. It
// passes the same suite. The zero value is empty.
type Memory struct {
	mu    sync.Mutex
	keys  []auth.Key
	teams []auth.Team
	lists []store.ModelList
	kept  []stored.Row // in the order of their making
	fail  error

	records []idempotency.Record

	version auth.Version
	account account
}

// Fail makes every method return err instead of doing its work, until it is called with nil.
func (m *Memory) Fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = err
}

// ChangesSince implements auth.Store.
func (m *Memory) ChangesSince(_ context.Context, since auth.Version, team func(auth.Team), key func(auth.Key)) (auth.Version, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return since, m.fail
	}
	for _, t := range m.teams {
		if team != nil && t.Version > since {
			team(t)
		}
	}
	for _, k := range m.keys {
		if key != nil && k.Version > since {
			key(k)
		}
	}
	return m.version, nil
}

// InsertKey implements auth.Store.
func (m *Memory) InsertKey(_ context.Context, key auth.Key) (auth.Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return auth.Key{}, m.fail
	}
	if err := m.refuses(&key); err != nil {
		return auth.Key{}, err
	}
	m.version++
	key.Version = m.version
	m.keys = append(m.keys, key)
	return key, nil
}

// InsertKeys implements ManyKeys.
func (m *Memory) InsertKeys(_ context.Context, keys iter.Seq[auth.Key]) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	before := len(m.keys)
	for key := range keys {
		if err := m.refuses(&key); err != nil {
			m.keys = m.keys[:before]
			return err
		}
		key.Version = m.version + 1
		m.keys = append(m.keys, key)
	}
	m.version++
	return nil
}

// refuses says why a key cannot be added, nil if it can. The lock is held.
func (m *Memory) refuses(key *auth.Key) error {
	for _, other := range m.keys {
		if other.ID == key.ID {
			return errors.New("another key has this id")
		}
		if other.Name == key.Name && other.RevokedAt.IsZero() && key.RevokedAt.IsZero() {
			return auth.ErrNameTaken
		}
	}
	return nil
}

// Copy is a store with the same content, as a backup of it.
func (m *Memory) Copy() *Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &Memory{keys: slices.Clone(m.keys), teams: slices.Clone(m.teams), version: m.version, lists: slices.Clone(m.lists), kept: slices.Clone(m.kept), records: slices.Clone(m.records), account: m.account.clone()}
}

// Restore replaces the content by that of a backup.
func (m *Memory) Restore(backup *Memory) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.teams = slices.Clone(backup.teams)
	m.keys, m.version, m.lists, m.kept = slices.Clone(backup.keys), backup.version, slices.Clone(backup.lists), slices.Clone(backup.kept)
	m.records, m.account = slices.Clone(backup.records), backup.account.clone()
}

// UpdateKey implements auth.Store.
func (m *Memory) UpdateKey(_ context.Context, id string, change func(*auth.Key) error) (auth.Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.keys, func(k auth.Key) bool { return k.ID == id })
	if m.fail != nil {
		return auth.Key{}, m.fail
	}
	if i < 0 {
		return auth.Key{}, auth.ErrNotFound
	}
	key := m.keys[i]
	key.Models = slices.Clone(key.Models)
	if err := change(&key); err != nil {
		return auth.Key{}, err
	}
	for j, other := range m.keys {
		if i != j && other.Name == key.Name && other.RevokedAt.IsZero() && key.RevokedAt.IsZero() {
			return auth.Key{}, auth.ErrNameTaken
		}
	}
	m.version++
	key.Version = m.version
	m.keys[i] = key
	return key, nil
}

// ModelLists implements the interface of that name.
func (m *Memory) ModelLists(context.Context) ([]store.ModelList, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.lists), m.fail
}

// SaveModelList implements ModelLists.
func (m *Memory) SaveModelList(_ context.Context, list store.ModelList) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	at, found := slices.BinarySearchFunc(m.lists, list.Provider, func(l store.ModelList, provider string) int { return strings.Compare(l.Provider, provider) })
	if !found {
		m.lists = slices.Insert(m.lists, at, list)
	}
	m.lists[at] = list
	return nil
}
