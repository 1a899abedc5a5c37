package auth

import (
	"cmp"
	"math/bits"
	"slices"
	"sync/atomic"
)

// shards is over how many lists a table spreads its records. Among a million keys a list has some 250, so a change of one key copies
// that many slots.
const shards = 1 << 12

// table finds records by 64 bits: of a digest, or a hash of an id or a name. Several records may have the same. Look-ups take no lock,
// and see a list as it was before a change or after it. Changes are made by one goroutine at a time.
type table struct {
	lists [shards]atomic.Pointer[[]slot]
}

type slot struct {
	hash uint64
	key  *record
}

// find returns the records with that hash. The caller must not change them, and picks the right one, since others may have the same hash.
func (t *table) find(hash uint64) []slot {
	list := t.lists[hash%shards].Load()
	if list == nil {
		return nil
	}
	from := lowest(*list, hash)
	to := from
	for to < len(*list) && (*list)[to].hash == hash {
		to++
	}
	return (*list)[from:to]
}

// lowest is the place of the first slot whose hash is not less. Hashes are spread evenly, so it is near the place that the hash has
// among all numbers. Looking there takes two reads from memory, where halving the list would take eight.
func lowest(slots []slot, hash uint64) int {
	guess, _ := bits.Mul64(hash, uint64(len(slots)))
	at := int(guess)
	for at < len(slots) && slots[at].hash < hash {
		at++
	}
	for at > 0 && slots[at-1].hash >= hash {
		at--
	}
	return at
}

// replace puts now in the place of old below the same hash. A nil old adds, a nil now removes.
func (t *table) replace(hash uint64, old, now *record) {
	var before []slot
	if list := t.lists[hash%shards].Load(); list != nil {
		before = *list
	}
	at := lowest(before, hash)
	rest := at
	for old != nil && rest < len(before) && before[rest].hash == hash && before[rest].key != old {
		rest++
	}
	found := old != nil && rest < len(before) && before[rest] == slot{hash, old}
	if !found {
		rest = at
	}
	after := make([]slot, 0, len(before)+1)
	after = append(after, before[:rest]...)
	if now != nil {
		after = append(after, slot{hash, now})
	}
	if found {
		rest++
	}
	after = append(after, before[rest:]...)
	t.lists[hash%shards].Store(&after)
}

// fill puts in the records of a table that is empty, each below the hashes that hashes adds to a list.
func (t *table) fill(records []*record, hashes func(r *record, to []uint64) []uint64) {
	var counts [shards]int
	var of []uint64
	for _, r := range records {
		of = hashes(r, of[:0])
		for _, hash := range of {
			counts[hash%shards]++
		}
	}
	lists := make([][]slot, shards)
	for i, n := range counts {
		lists[i] = make([]slot, 0, n)
	}
	for _, r := range records {
		of = hashes(r, of[:0])
		for _, hash := range of {
			lists[hash%shards] = append(lists[hash%shards], slot{hash, r})
		}
	}
	for i := range lists {
		if len(lists[i]) > 0 {
			slices.SortFunc(lists[i], func(a, b slot) int { return cmp.Compare(a.hash, b.hash) })
			t.lists[i].Store(&lists[i])
		}
	}
}
