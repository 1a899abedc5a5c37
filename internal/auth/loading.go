package auth

import (
	"slices"
	"unsafe"
)

// loading makes the records of all keys of a store. The garbage collector looks at each piece of memory in turn, and a request pays its
// part of that. So what a million keys take is in few pieces: records and their texts lie together, and keys with the same patterns share
// them. A key that changes later has pieces of its own.
type loading struct {
	teams   *teams
	records []*record
	places  []place             // for the records of the next keys
	texts   []byte              // where the texts of the next keys go, as far as there is room
	models  map[string][]string // lists of patterns, by the patterns with a zero byte after each
	name    []byte              // of the last list there
}

// place has room for the first record of a key.
type place struct {
	record record
	cut    cut
}

// How much is taken at once.
const (
	atOnce       = 64 << 10 // bytes
	placesAtOnce = atOnce / unsafe.Sizeof(place{})
	mostLists    = 10_000 // of patterns that are remembered
)

// add makes the record of a key.
func (l *loading) add(key Key) {
	if len(l.places) == 0 {
		l.places = make([]place, placesAtOnce)
	}
	at := &l.places[0]
	l.places = l.places[1:]
	key.ID, key.Name, key.Models = l.keep(key.ID), l.keep(key.Name), l.shared(key.Models)
	at.record.fill(&key, l.teams.of(key.TeamID))
	at.record.principal.cut = &at.cut
	at.record.principal.bounds = boundsOf(&key, nil)
	l.records = append(l.records, &at.record)
}

// keep is a copy of a text in the memory of many.
func (l *loading) keep(text string) string {
	if len(text) > cap(l.texts)-len(l.texts) {
		l.texts = make([]byte, 0, max(atOnce, len(text)))
	}
	from := len(l.texts)
	l.texts = append(l.texts, text...)
	return unsafe.String(unsafe.SliceData(l.texts[from:]), len(text)) // nothing is written there again
}

// shared is a list of patterns that keys with the same ones have in common.
func (l *loading) shared(models []string) []string {
	if len(models) == 0 {
		return nil
	}
	l.name = l.name[:0]
	for _, pattern := range models {
		l.name = append(append(l.name, pattern...), 0)
	}
	if known, ok := l.models[string(l.name)]; ok {
		return known
	}
	if len(l.models) < mostLists {
		l.models[string(l.name)] = slices.Clip(models)
	}
	return models
}
