package auth_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
)

func (r *room) team(t testing.TB, draft auth.TeamDraft) auth.Team {
	t.Helper()
	team, err := r.CreateTeam(t.Context(), draft)
	if err != nil {
		t.Fatal(err)
	}
	return team
}

// allowed are those of some models that a key may use, nil if the key is refused.
func allowed(k *auth.Keys, text string) []string {
	p, refused := k.Authenticate(text)
	if refused != nil {
		return nil
	}
	list := []string{}
	for _, model := range []string{"fast", "smart", "embed-small"} {
		if p.Allows(model) {
			list = append(list, model)
		}
	}
	return list
}

func TestAKeyMayUseWhatBothItAndItsTeamAllow(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.team(t, auth.TeamDraft{Name: "team", Models: []string{"fast", "embed-*"}})
	_, all := r.create(t, auth.Draft{Name: "all", Team: "team"})
	_, some := r.create(t, auth.Draft{Name: "some", Team: "team", Models: []string{"smart", "fast"}})
	_, alone := r.create(t, auth.Draft{Name: "alone", Models: []string{"smart"}})
	want := func(all1, some1, alone1 string) {
		t.Helper()
		for text, want := range map[string]string{all: all1, some: some1, alone: alone1} {
			if got := fmt.Sprint(allowed(r.Keys, text)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	}
	want("[fast embed-small]", "[fast]", "[smart]")
	if _, err := r.UpdateTeam(t.Context(), "team", auth.TeamChange{Models: &[]string{"smart"}}); err != nil {
		t.Fatal(err)
	}
	want("[smart]", "[smart]", "[smart]")
	if _, err := r.UpdateTeam(t.Context(), "team", auth.TeamChange{Models: &[]string{}}); err != nil {
		t.Fatal(err)
	}
	want("[fast smart embed-small]", "[fast smart]", "[smart]")
}

func TestARevokedTeamsKeysAreRefusedUntilTheyAreMoved(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	team := r.team(t, auth.TeamDraft{Name: "team"})
	r.team(t, auth.TeamDraft{Name: "other"})
	key, text := r.create(t, auth.Draft{Name: "app", Team: "team"})
	if key.TeamID != team.ID || key.Team == nil || key.Team.Name != "team" {
		t.Errorf("%+v", key)
	}
	p, _ := r.Authenticate(text)
	if now := p.Team(); now == nil || now.ID != team.ID {
		t.Errorf("%+v", now)
	}
	revoked, err := r.RevokeTeam(t.Context(), "team")
	if err != nil || revoked.Status() != auth.Revoked {
		t.Fatal(revoked, err)
	}
	if again, err := r.RevokeTeam(t.Context(), team.ID); err != nil || !again.RevokedAt.Equal(revoked.RevokedAt) {
		t.Error(again, err)
	}
	_, refused := r.Authenticate(text)
	wantKind(t, refused, llm.InvalidKey)
	if shown, _ := r.Show("app"); shown.Status(r.clock.now()) != auth.TeamRevoked {
		t.Errorf("%+v", shown)
	}
	if k := r.reopen(t); allowed(k, text) != nil {
		t.Error("a restart lets it in")
	}
	_, _, err = r.Create(t.Context(), auth.Draft{Name: "late", Team: team.ID})
	wantKind(t, err, llm.InvalidValue, "is revoked")
	other := "other"
	moved, err := r.Update(t.Context(), "app", auth.Change{Team: &other})
	if err != nil || moved.Team.Name != "other" || allowed(r.Keys, text) == nil {
		t.Errorf("%+v %v", moved, err)
	}
	none := ""
	if moved, err = r.Update(t.Context(), "app", auth.Change{Team: &none}); err != nil || moved.TeamID != "" || moved.Team != nil || allowed(r.Keys, text) == nil {
		t.Errorf("%+v %v", moved, err)
	}
	r.team(t, auth.TeamDraft{Name: "team"}) // the name is free again
	if found, err := r.ShowTeam("team"); err != nil || found.ID == team.ID {
		t.Errorf("the revoked team is found before the living one: %+v %v", found, err)
	}
}

// A store that cannot be written leaves a team as it was.
func TestATeamThatCannotBeStoredIsNotChanged(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.team(t, auth.TeamDraft{Name: "team"})
	_, text := r.create(t, auth.Draft{Name: "app", Team: "team"})
	r.store.Fail(errors.New("the disk is full"))
	var failure *auth.StoreError
	if _, err := r.RevokeTeam(t.Context(), "team"); !errors.As(err, &failure) || allowed(r.Keys, text) == nil {
		t.Error(err)
	}
	if _, err := r.CreateTeam(t.Context(), auth.TeamDraft{Name: "new"}); !errors.As(err, &failure) {
		t.Error(err)
	}
}

func TestNamesOfTeamsAreUnique(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	if err := r.SetFile(auth.File{Teams: []auth.Team{{Name: "filed"}}}); err != nil {
		t.Fatal(err)
	}
	team := r.team(t, auth.TeamDraft{Name: "team"})
	for _, name := range []string{"team", team.ID, "filed", "cfg-filed"} {
		_, err := r.CreateTeam(t.Context(), auth.TeamDraft{Name: name})
		wantKind(t, err, llm.Conflict, name)
	}
	r.create(t, auth.Draft{Name: "team"}) // keys and teams do not share names
	rename := "filed"
	_, err := r.UpdateTeam(t.Context(), "team", auth.TeamChange{Name: &rename})
	wantKind(t, err, llm.Conflict, "filed")
	_, err = r.UpdateTeam(t.Context(), "filed", auth.TeamChange{Name: &rename})
	wantKind(t, err, llm.Conflict, "config file")
	for _, teams := range [][]auth.Team{{{Name: "a"}, {Name: "a"}}, {{Name: "a"}, {Name: "cfg-a"}}, {{Name: "team"}}, {{Name: team.ID}}} {
		if err := r.SetFile(auth.File{Teams: teams}); err == nil || !strings.Contains(err.Error(), "in use twice") {
			t.Errorf("%v: %v", teams, err)
		}
	}
	if err := r.SetFile(auth.File{Keys: []auth.Key{{Name: "k", Digest: auth.DigestOf("k"), TeamID: auth.FileID("b")}}}); err == nil {
		t.Error("a key of the file is in a team that is nowhere")
	}
}

// A team of the config file cannot go while living keys of the store are in it, neither by a reload nor by a restart.
func TestATeamThatKeysAreInStaysInTheFile(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	with := auth.File{Teams: []auth.Team{{Name: "kept"}, {Name: "free"}}}
	if err := r.SetFile(with); err != nil {
		t.Fatal(err)
	}
	_, text := r.create(t, auth.Draft{Name: "one", Team: "kept"})
	r.create(t, auth.Draft{Name: "two", Team: "kept"})
	without := auth.File{Teams: []auth.Team{{Name: "free"}}}
	restarted, err := auth.NewKeys(t.Context(), r.store, r.clock.now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []*auth.Keys{r.Keys, restarted} {
		var needed *auth.TeamNeededError
		if err := k.SetFile(without); !errors.As(err, &needed) || needed.Team != "kept" || needed.Keys != 2 || !strings.Contains(err.Error(), "2 keys") {
			t.Errorf("%v", err)
		}
	}
	if allowed(r.Keys, text) == nil {
		t.Error("a refused file changed something")
	}
	for _, name := range []string{"one", "two"} {
		if _, err := r.Revoke(t.Context(), name, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.SetFile(without); err != nil {
		t.Error(err)
	}
	if _, err := r.ShowTeam("kept"); err == nil {
		t.Error("it is still there")
	}
	_, err = r.Update(t.Context(), "two", auth.Change{Models: &[]string{"x"}})
	wantKind(t, err, llm.Conflict, "revoked")
}

func TestOtherProcessesSeeTeams(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	other := r.reopen(t)
	r.team(t, auth.TeamDraft{Name: "team", Models: []string{"fast"}})
	_, text := r.create(t, auth.Draft{Name: "app", Team: "team"})
	follow := func(want string) {
		t.Helper()
		if err := other.CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(allowed(other, text)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	follow("[fast]")
	if _, err := r.UpdateTeam(t.Context(), "team", auth.TeamChange{Models: &[]string{"smart"}}); err != nil {
		t.Fatal(err)
	}
	follow("[smart]")
	backup := r.store.Copy()
	if _, err := r.RevokeTeam(t.Context(), "team"); err != nil {
		t.Fatal(err)
	}
	follow("[]") // refused, which allowed shows as no list
	r.store.Restore(backup)
	follow("[smart]") // an earlier store is taken as it is
}

// Keys of a team that the store lost with a backup are refused: nothing says what they may use.
func TestAKeyInATeamThatIsNotKnownIsRefused(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	backup := r.store.Copy()
	other := r.reopen(t)
	team := r.team(t, auth.TeamDraft{Name: "team"})
	_, text := r.create(t, auth.Draft{Name: "app", Team: "team"})
	if err := other.CatchUp(t.Context()); err != nil || allowed(other, text) == nil {
		t.Fatal(err)
	}
	r.store.Restore(backup)
	if err := other.CatchUp(t.Context()); err != nil || allowed(other, text) != nil {
		t.Errorf("%v", err)
	}
	if _, err := other.ShowTeam(team.ID); err == nil {
		t.Error("the team is still there")
	}
	page, err := other.ListTeams("", 10)
	if err != nil || len(page.Teams) != 0 {
		t.Error(page, err)
	}
}

// Requests are admitted while their team changes.
func TestATeamChangesInOneStep(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.team(t, auth.TeamDraft{Name: "team", Models: []string{"fast"}})
	_, text := r.create(t, auth.Draft{Name: "app", Team: "team"})
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		defer close(done)
		for i := range 300 {
			models := []string{"fast", fmt.Sprint(i)}
			if _, err := r.UpdateTeam(t.Context(), "team", auth.TeamChange{Models: &models}); err != nil {
				t.Error(err)
			}
		}
	})
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		if got := fmt.Sprint(allowed(r.Keys, text)); got != "[fast]" {
			t.Fatal(got)
		}
	}
	group.Wait()
}

func TestTeamsAreListedInOrder(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	if err := r.SetFile(auth.File{Teams: []auth.Team{{Name: "b"}, {Name: "a"}}}); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		r.team(t, auth.TeamDraft{Name: fmt.Sprint("t", i)})
		r.clock.advance(time.Second)
	}
	var names []string
	for cursor := ""; ; {
		page, err := r.ListTeams(cursor, 3)
		if err != nil {
			t.Fatal(err)
		}
		for i := range page.Teams {
			names = append(names, page.Teams[i].Name)
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if got := strings.Join(names, " "); got != "a b t0 t1 t2 t3 t4" {
		t.Error(got)
	}
	for _, limit := range []int{0, 1001} {
		_, err := r.ListTeams("", limit)
		wantKind(t, err, llm.InvalidValue, "limit")
	}
	_, err := r.ListTeams("x", 1)
	wantKind(t, err, llm.InvalidValue, "cursor")
}

func TestLookUpsInATeamTakeNoMemory(t *testing.T) { //nolint:paralleltest // it counts the process's allocations
	r := newRoom(t)
	r.team(t, auth.TeamDraft{Name: "team", Models: []string{"fast"}})
	_, text, err := r.Create(t.Context(), auth.Draft{Name: "app", Team: "team"})
	if err != nil {
		t.Fatal(err)
	}
	key := text.Reveal()
	if n := testing.AllocsPerRun(100, func() {
		p, _ := r.Authenticate(key)
		if !p.Allows("fast") || p.Team() == nil {
			t.Error("refused")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
