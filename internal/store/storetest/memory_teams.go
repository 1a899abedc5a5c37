package storetest

import (
	"context"
	"errors"
	"slices"

	"github.com/weirproxy/weir/internal/auth"
)

// InsertTeam implements auth.Store.
func (m *Memory) InsertTeam(_ context.Context, team auth.Team) (auth.Team, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return auth.Team{}, m.fail
	}
	if slices.ContainsFunc(m.teams, func(t auth.Team) bool { return t.ID == team.ID }) {
		return auth.Team{}, errors.New("another team has this id")
	}
	if m.teamNameTaken(&team) {
		return auth.Team{}, auth.ErrNameTaken
	}
	m.version++
	team.Version = m.version
	m.teams = append(m.teams, team)
	return team, nil
}

// UpdateTeam implements auth.Store.
func (m *Memory) UpdateTeam(_ context.Context, id string, change func(*auth.Team) error) (auth.Team, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.teams, func(t auth.Team) bool { return t.ID == id })
	if m.fail != nil {
		return auth.Team{}, m.fail
	}
	if i < 0 {
		return auth.Team{}, auth.ErrNotFound
	}
	team := m.teams[i]
	team.Models = slices.Clone(team.Models)
	if err := change(&team); err != nil {
		return auth.Team{}, err
	}
	if m.teamNameTaken(&team) {
		return auth.Team{}, auth.ErrNameTaken
	}
	m.version++
	team.Version = m.version
	m.teams[i] = team
	return team, nil
}

// teamNameTaken reports whether another living team has the team's name, and it lives too. The lock is held.
func (m *Memory) teamNameTaken(team *auth.Team) bool {
	return team.RevokedAt.IsZero() && slices.ContainsFunc(m.teams, func(t auth.Team) bool {
		return t.ID != team.ID && t.Name == team.Name && t.RevokedAt.IsZero()
	})
}
