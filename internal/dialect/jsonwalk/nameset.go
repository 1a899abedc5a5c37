package jsonwalk

import "hash/maphash"

// nameSet remembers which names a large object has used. It is an open-addressed table of places in the list of
// names, each with 32 bits of the name's hash. The hash is seeded, so that no caller can choose names that
// collide.
type nameSet struct {
	seed  maphash.Seed
	slots []uint64 // hash in the upper half, place + 1 in the lower; 0 is free. The length is a power of two
	used  int
}

const (
	firstSlots = 256
	// bytesPerSlot is the memory for one slot while the set grows. It covers the slot and half of the one before. For
	// the half of a name in it, it covers the place in the list, the list before, and the text of an escaped name.
	bytesPerSlot = 40
)

// newNameSet returns the set of names.
func newNameSet(names []string) *nameSet {
	s := &nameSet{seed: maphash.MakeSeed(), slots: make([]uint64, firstSlots)}
	for i := range names {
		s.add(names, i)
	}
	return s
}

// add adds names[i] and reports whether it is new. names[:i] are the names added before.
func (s *nameSet) add(names []string, i int) bool {
	if s.full() {
		s.grow()
	}
	hash := maphash.String(s.seed, names[i])
	tag := hash &^ (1<<32 - 1)
	mask := uint64(len(s.slots) - 1)
	at := (hash >> 32) & mask
	for ; s.slots[at] != 0; at = (at + 1) & mask {
		slot := s.slots[at]
		if slot&^(1<<32-1) == tag && names[uint32(slot)-1] == names[i] {
			return false
		}
	}
	s.slots[at] = tag | uint64(i+1)
	s.used++
	return true
}

// full reports whether the next name makes the table grow.
func (s *nameSet) full() bool { return 2*(s.used+1) > len(s.slots) }

// grow doubles the table. The part of the hash that a slot holds gives its place.
func (s *nameSet) grow() {
	old := s.slots
	s.slots = make([]uint64, 2*len(old))
	mask := uint64(len(s.slots) - 1)
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		at := (slot >> 32) & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = slot
	}
}
