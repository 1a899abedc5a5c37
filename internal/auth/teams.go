package auth

import (
	"maps"
	"slices"
	"sync/atomic"
)

// membership is what all keys of one team share: the team as it is now. A change of the team is one store here, however many keys it
// has, and requests read it without a lock.
type membership struct {
	id  string
	now atomic.Pointer[Team] // nil while the team is not known here
}

// lives reports whether keys of the team are let in. Those of no team are.
func (m *membership) lives() bool {
	if m == nil {
		return true
	}
	team := m.now.Load()
	return team != nil && team.RevokedAt.IsZero()
}

// team is the team as it is now, nil for none.
func (m *membership) team() *Team {
	if m == nil {
		return nil
	}
	return m.now.Load()
}

// teams is all teams, by what they are asked for, and those that only keys name.
type teams struct {
	byID   map[string]*membership
	byName map[string][]*membership // the revoked ones too
}

func newTeams() *teams {
	return &teams{byID: map[string]*membership{}, byName: map[string][]*membership{}}
}

// of is what the keys of the team with that id share, nil for "".
func (t *teams) of(id string) *membership {
	if id == "" {
		return nil
	}
	m := t.byID[id]
	if m == nil {
		m = &membership{id: id}
		t.byID[id] = m
	}
	return m
}

// set puts in a team, in the place of what it was before.
func (t *teams) set(team *Team) {
	m := t.of(team.ID)
	t.unname(m)
	m.now.Store(team) // in one step: requests are admitted meanwhile
	t.byName[team.Name] = append(t.byName[team.Name], m)
}

// forget makes a team one that is not known.
func (t *teams) forget(m *membership) {
	t.unname(m)
	m.now.Store(nil)
}

// unname has a team no longer be found by its name.
func (t *teams) unname(m *membership) {
	team := m.now.Load()
	if team == nil {
		return
	}
	rest := slices.DeleteFunc(t.byName[team.Name], func(other *membership) bool { return other == m })
	if t.byName[team.Name] = rest; len(rest) == 0 {
		delete(t.byName, team.Name)
	}
}

// setFile replaces the teams of the config file.
func (t *teams) setFile(list []Team) {
	kept := map[string]bool{}
	for i := range list {
		kept[list[i].ID] = true
		t.set(&list[i])
	}
	for _, m := range t.byID {
		if team := m.now.Load(); team != nil && team.FromFile && !kept[m.id] {
			t.forget(m)
		}
	}
}

// keepStored forgets the stored teams that are not among these.
func (t *teams) keepStored(ids map[string]bool) {
	for _, m := range t.byID {
		if team := m.now.Load(); team != nil && !team.FromFile && !ids[m.id] {
			t.forget(m)
		}
	}
}

// lacks reports whether a key was ever in, or the file had, a team of a config file that is not among these.
func (t *teams) lacks(ids map[string]bool) bool {
	for id := range t.byID {
		if isFileID(id) && !ids[id] {
			return true
		}
	}
	return false
}

// find returns the team that ref names, as index.find does.
func (t *teams) find(ref string) (found *Team) {
	if team := t.byID[ref].team(); team != nil {
		return team
	}
	for _, m := range t.byName[ref] {
		team := m.now.Load()
		if found == nil || team.RevokedAt.IsZero() || !found.RevokedAt.IsZero() && team.RevokedAt.After(found.RevokedAt) {
			found = team
		}
	}
	return found
}

// taken returns a team that has the name, as index.taken does.
func (t *teams) taken(name, self string, stored bool) *Team {
	for _, m := range append([]*membership{t.byID[name]}, t.byName[name]...) {
		team := m.team()
		if team == nil || team.ID == self || stored && team.FromFile {
			continue
		}
		if team.ID == name || team.RevokedAt.IsZero() {
			return team
		}
	}
	return nil
}

// all are the teams that are known, in any order.
func (t *teams) all() []*Team {
	list := make([]*Team, 0, len(t.byID))
	for m := range maps.Values(t.byID) {
		if team := m.now.Load(); team != nil {
			list = append(list, team)
		}
	}
	return list
}
