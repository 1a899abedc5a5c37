package auth

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// changes are those of all stores of this file.
var changes atomic.Int64

// many is a store with so many keys, made up as they are asked for, that takes every change.
type many int

func (m many) key(i int) Key {
	var text [8]byte
	binary.BigEndian.PutUint64(text[:], uint64(i))
	return Key{
		ID: fmt.Sprintf("%012d", i), Name: fmt.Sprintf("team-%07d-service", i), Digest: DigestOf(string(text[:])),
		CreatedAt: time.UnixMicro(int64(i) * 1000).UTC(),
	}
}

// ChangesSince implements Store.
func (m many) ChangesSince(_ context.Context, _ Version, _ func(Team), each func(Key)) (Version, error) {
	for i := range int(m) {
		each(m.key(i))
	}
	return 1, nil
}

// InsertTeam implements Store.
func (m many) InsertTeam(_ context.Context, team Team) (Team, error) { return team, nil }

// UpdateTeam implements Store.
func (m many) UpdateTeam(_ context.Context, id string, change func(*Team) error) (Team, error) {
	team := Team{ID: id, Version: Version(changes.Add(1))}
	return team, change(&team)
}

// InsertKey implements Store.
func (m many) InsertKey(_ context.Context, key Key) (Key, error) { return key, nil }

// UpdateKey implements Store.
func (m many) UpdateKey(_ context.Context, id string, change func(*Key) error) (Key, error) {
	var i int
	_, _ = fmt.Sscan(id, &i)
	key := m.key(i)
	key.Version = Version(changes.Add(1))
	return key, change(&key)
}

func manyKeys(tb testing.TB, n int) *Keys {
	tb.Helper()
	k, err := NewKeys(tb.Context(), many(n), time.Now, rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

// Many keys are few pieces of memory, which the garbage collector looks at one by one while requests wait.
func TestManyKeysAreFewPieces(t *testing.T) { //nolint:paralleltest // it counts the process's memory
	const n, each = 100_000, 0.2 // pieces for a key: its part of the lists
	pieces := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapObjects
	}
	before := pieces()
	k := manyKeys(t, n)
	if of := float64(pieces()-before) / n; of > each {
		t.Errorf("a key takes %.2f pieces of memory", of)
	}
	runtime.KeepAlive(k)
}

// Keys with the same patterns share them, and no key gets those of another.
func TestKeysSharePatterns(t *testing.T) {
	t.Parallel()
	l := loading{teams: newTeams(), models: map[string][]string{}}
	lists := [][]string{{"a", "b"}, {"a", "b"}, {"ab"}, {"a", ""}, nil, {"b", "a"}}
	for i, models := range lists {
		l.add(Key{ID: fmt.Sprint("id", i), Name: fmt.Sprint("name", i), Models: models})
	}
	for i, r := range l.records {
		if p := &r.principal; p.KeyID != fmt.Sprint("id", i) || p.KeyName != fmt.Sprint("name", i) || !slices.Equal(p.Models, lists[i]) {
			t.Errorf("%d: %+v", i, p)
		}
	}
	if &l.records[0].principal.Models[0] != &l.records[1].principal.Models[0] {
		t.Error("the same patterns are kept twice")
	}
}

// What a change of one key takes does not grow with the number of keys.
func TestAChangeIsSmall(t *testing.T) { //nolint:paralleltest // it counts the process's allocations
	const most = 16 << 10 // bytes: of the list of some 25 digests, and of the key itself
	k := manyKeys(t, 100_000)
	models := []string{"m"}
	var before, after runtime.MemStats
	const changes = 200
	runtime.ReadMemStats(&before)
	for i := range changes {
		ref := fmt.Sprintf("%012d", i*499)
		var err error
		switch i % 4 {
		case 0:
			_, err = k.Update(t.Context(), ref, Change{Models: &models})
		case 1:
			_, _, err = k.Rotate(t.Context(), ref, time.Hour)
		case 2:
			_, err = k.Revoke(t.Context(), ref, true)
		case 3:
			_, _, err = k.Create(t.Context(), Draft{Name: fmt.Sprint("new-", i)})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / changes; each > most {
		t.Errorf("a change takes %d bytes", each)
	}
}

func BenchmarkLookup(b *testing.B) {
	for _, n := range []int{10, 10_000, 1_000_000} {
		k := manyKeys(b, n)
		b.Run(fmt.Sprint(n, " keys"), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				var text [8]byte
				binary.BigEndian.PutUint64(text[:], uint64(i%n))
				if _, err := k.Authenticate(string(text[:])); err != nil {
					b.Fatal(err)
				}
				i += 7919
			}
		})
	}
}

func BenchmarkChange(b *testing.B) {
	const n = 1_000_000
	k := manyKeys(b, n)
	models := []string{"m"}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		if _, err := k.Update(b.Context(), fmt.Sprintf("%012d", i%n), Change{Models: &models}); err != nil {
			b.Fatal(err)
		}
		i += 7919
	}
}

// BenchmarkLoad is a start with a million keys, without what the store takes to read them. MB-live is the heap that the keys hold.
func BenchmarkLoad(b *testing.B) {
	var k *Keys
	for b.Loop() {
		k = manyKeys(b, 1_000_000)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/1e6, "MB-live")
	runtime.KeepAlive(k)
}
