package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weirproxy/weir/internal/auth"
)

var teamTests = map[string]func(*testing.T, func() Store){
	"teams round trip":                      teamsRoundTrip,
	"names of teams":                        namesOfTeams,
	"others see changes of teams":           othersSeeChangesOfTeams,
	"a refused change of a team":            aRefusedChangeOfATeam,
	"a key may be in a team from elsewhere": aKeyInATeamFromElsewhere,
}

func team(id, name string) auth.Team { return auth.Team{ID: id, Name: name, CreatedAt: at(0)} }

// wantTeams fails unless the teams that changed since a version are these, and returns the version now.
func wantTeams(t *testing.T, s auth.Store, since auth.Version, want ...auth.Team) auth.Version {
	t.Helper()
	var got []auth.Team
	now, err := s.ChangesSince(t.Context(), since, func(team auth.Team) { got = append(got, team) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, team := range got {
		if team.Version <= since || team.Version > now {
			t.Errorf("a team that changed between %d and %d has the version %d", since, now, team.Version)
		}
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(auth.Team{}, "Version"),
		cmpopts.SortSlices(func(a, b auth.Team) bool { return a.ID < b.ID })); diff != "" {
		t.Fatalf("since %d other teams have changed (-want +got):\n%s", since, diff)
	}
	return now
}

func insertTeams(t *testing.T, s auth.Store, teams ...auth.Team) {
	t.Helper()
	for _, team := range teams {
		if made, err := s.InsertTeam(t.Context(), team); err != nil || made.ID != team.ID || made.Version == 0 {
			t.Fatalf("inserting %s: %+v, %v", team.ID, made, err)
		}
	}
}

func teamsRoundTrip(t *testing.T, open func() Store) {
	s := open()
	full := team("000000000001", `quo"te'; DROP TABLE teams; --`)
	full.Models, full.RevokedAt = []string{"fast", "embed-*", `"`, "ünï"}, at(3)
	full.Spending = spending("2Mtok/week")
	full.Limits = auth.Limits{Requests: 60, Tokens: 100_000, Concurrent: 4}
	plain := team("000000000002", "plain")
	insertTeams(t, s, full, plain)
	wantTeams(t, s, 0, full, plain)
	wantTeams(t, open(), 0, full, plain)
	if _, err := s.InsertTeam(t.Context(), team(plain.ID, "other")); err == nil || errors.Is(err, auth.ErrNameTaken) {
		t.Errorf("got %v, want an error that is not about the name", err)
	}
	for _, next := range []auth.Team{full, plain} { // there and back: what is set can be cleared
		next.ID = plain.ID
		got, err := s.UpdateTeam(t.Context(), plain.ID, func(team *auth.Team) error { *team = next; return nil })
		if err != nil || got.Version == 0 {
			t.Fatal(err)
		}
		wantTeams(t, s, 0, full, next)
	}
}

func namesOfTeams(t *testing.T, open func() Store) {
	here, there := open(), open()
	insertTeams(t, here, team("000000000001", "t"), team("000000000002", "T"))
	if _, err := there.InsertTeam(t.Context(), team("000000000003", "t")); !errors.Is(err, auth.ErrNameTaken) {
		t.Errorf("got %v, want ErrNameTaken", err)
	}
	rename := func(team *auth.Team) error { team.Name = "t"; return nil }
	if _, err := there.UpdateTeam(t.Context(), "000000000002", rename); !errors.Is(err, auth.ErrNameTaken) {
		t.Errorf("got %v, want ErrNameTaken", err)
	}
	insert(t, here, sample("000000000001", "t")) // keys and teams do not share names or ids
	revoke := func(team *auth.Team) error { team.RevokedAt = at(1); return nil }
	if _, err := here.UpdateTeam(t.Context(), "000000000001", revoke); err != nil {
		t.Fatal(err)
	}
	insertTeams(t, there, team("000000000003", "t"))
	revive := func(team *auth.Team) error { team.RevokedAt = time.Time{}; return nil }
	if _, err := here.UpdateTeam(t.Context(), "000000000001", revive); !errors.Is(err, auth.ErrNameTaken) {
		t.Errorf("got %v, want ErrNameTaken", err)
	}
}

func othersSeeChangesOfTeams(t *testing.T, open func() Store) {
	here, there := open(), open()
	insert(t, here, sample("000000000001", "k"))
	start := wantTeams(t, there, 0)
	one, two := team("000000000001", "one"), team("000000000002", "two")
	insertTeams(t, here, one, two)
	made := wantTeams(t, there, start, one, two)
	two.Models = []string{"m"}
	if _, err := here.UpdateTeam(t.Context(), two.ID, func(team *auth.Team) error { team.Models = append(team.Models, "m"); return nil }); err != nil {
		t.Fatal(err)
	}
	if now := wantTeams(t, there, made, two); now <= made {
		t.Errorf("the version went from %d to %d", made, now)
	}
	wantChanges(t, there, made) // no key has changed
}

func aRefusedChangeOfATeam(t *testing.T, open func() Store) {
	s := open()
	one := team("000000000001", "one")
	insertTeams(t, s, one)
	before := wantTeams(t, s, 0, one)
	refusal := errors.New("no")
	if _, err := s.UpdateTeam(t.Context(), one.ID, func(team *auth.Team) error { team.Name = "x"; return refusal }); !errors.Is(err, refusal) {
		t.Errorf("got %v, want the error of change", err)
	}
	if _, err := s.UpdateTeam(t.Context(), "nobody", func(*auth.Team) error { t.Error("called"); return nil }); !errors.Is(err, auth.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	if after := wantTeams(t, s, before); after != before {
		t.Errorf("the version went from %d to %d", before, after)
	}
}

func aKeyInATeamFromElsewhere(t *testing.T, open func() Store) {
	s := open()
	one := team("000000000001", "one")
	insertTeams(t, s, one)
	key, filed := sample("000000000001", "k"), sample("000000000002", "f")
	key.TeamID, filed.TeamID = one.ID, "cfg-research"
	insert(t, s, key, filed)
	wantKeys(t, open(), key, filed)
	key.TeamID = ""
	if _, err := s.UpdateKey(t.Context(), key.ID, func(k *auth.Key) error { k.TeamID = ""; return nil }); err != nil {
		t.Fatal(err)
	}
	wantKeys(t, open(), key, filed)
}
