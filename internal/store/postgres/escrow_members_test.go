package postgres

import (
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
	"github.com/weirproxy/weir/internal/secret"
)

// Who shares the database is listed, with what each holds. One is forgotten only if it is there, and only by force while it is alive.
func TestMembersAreListedAndForgotten(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	at := Options{URL: secret.New(url), Pool: 2}
	s := sharer{t, NewEscrow(open(t, url), nothing), escrow.Statement{Replica: "lost", Epoch: escrow.Epoch{Began: 1}, Whole: true}}
	s.say()
	name := escrow.Name{Budget: "usd/total/key/a"}
	s.say(escrow.Line{Name: name, Limit: 100, Version: 1, Used: 10, Keep: 40})
	list := func(want Member) {
		t.Helper()
		all, err := Members(t.Context(), at)
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		if got := all[0]; got.ID != want.ID || got.Forgotten != want.Forgotten || got.Here != want.Here || got.Holds != want.Holds || got.InDoubt != want.InDoubt || got.Seen.IsZero() != want.Forgotten {
			t.Errorf("%+v, want %+v", got, want)
		}
		if got := all[0]; got.Held != want.Held || got.Doubt != want.Doubt {
			t.Errorf("it holds %v, and %v are in doubt; want %v and %v", got.Held, got.Doubt, want.Held, want.Doubt)
		}
	}
	list(Member{ID: "lost", Here: true, Holds: 1, Held: Amounts{Money: 30}})
	if _, err := s.db.db.pool.ExecContext(t.Context(), "UPDATE escrow_replicas SET seen_at = seen_at - 11000000"); err != nil {
		t.Fatal(err)
	}
	list(Member{ID: "lost", Holds: 1, Held: Amounts{Money: 30}})
	for id, want := range map[string]string{"lost": "seen within the last minute", "other": "no replica \"other\""} {
		if _, err := ForgetMember(t.Context(), at, id, false, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", id, err)
		}
	}
	s.books(name, 40, 10)
	if _, err := ForgetMember(t.Context(), at, "lost", false, true); err != nil {
		t.Fatal(err)
	}
	list(Member{ID: "lost", Forgotten: true, InDoubt: 1, Doubt: Amounts{Money: 30}})
	s.books(name, 40, 40)
	s.st.Number++
	if a, err := s.db.Exchange(t.Context(), &s.st); err != nil || a.Outcome != escrow.Superseded {
		t.Errorf("the forgotten replica's statement: %+v, %v", a, err)
	}
	if _, err := ForgetMember(t.Context(), at, "lost", true, false); err != nil {
		t.Fatal(err)
	}
	list(Member{ID: "lost", Forgotten: true})
	s.books(name, 10, 10)
}

// A replica says who it is, by a name that no other that is there has, and may be forgotten by it. Once it has left, its name is free, and none has to wait
// for it.
func TestMembersHaveNames(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	at := Options{URL: secret.New(url), Pool: 2}
	db := open(t, url)
	begin := func(id string) *sharer {
		s := &sharer{t, NewEscrow(db, nothing), escrow.Statement{Replica: id, Epoch: escrow.Epoch{Began: 1}, Whole: true}}
		s.say()
		return s
	}
	describe := func(s *sharer, want string) {
		t.Helper()
		got, err := s.db.Describe(t.Context(), s.st.Replica, "host", "c0ffee", time.Now)
		if err != nil || got.Name != want {
			t.Errorf("%+v, %v, want the name %s", got, err, want)
		}
		if got.Ahead.Abs() > time.Minute {
			t.Errorf("the clock of a database on the same machine is ahead by %v", got.Ahead)
		}
	}
	one, two := begin("one"), begin("two")
	describe(one, "host")
	describe(two, "host-2")
	describe(one, "host")
	if ago, known, err := one.db.Seen(t.Context(), "one"); err != nil || !known || ago < 0 || ago > time.Minute {
		t.Errorf("seen %v ago, %v, %v", ago, known, err)
	}
	if err := one.db.Leave(t.Context(), "one", escrow.Epoch{Began: 9}); err != nil {
		t.Fatal(err)
	}
	describe(two, "host-2") // it was another process of that name that left
	if err := one.db.Leave(t.Context(), "one", escrow.Epoch{Began: 1}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"one", "unknown"} {
		if _, known, err := one.db.Seen(t.Context(), id); err != nil || known {
			t.Errorf("%s was seen: %v", id, err)
		}
	}
	describe(two, "host")
	all, err := Members(t.Context(), at)
	if err != nil || len(all) != 2 || all[0].Name != "host" || all[0].Config != "c0ffee" || all[0].Left == all[1].Left {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := ForgetMember(t.Context(), at, "host", false, false); err == nil || !strings.Contains(err.Error(), "several replicas had the name") {
		t.Error(err)
	}
	one.st.Epoch.Began, one.st.Whole = 2, true
	one.say()
	one.say(escrow.Line{Name: escrow.Name{Budget: "tok/day/key/k", Period: 1}, Limit: 100, Version: 1, Used: 10, Keep: 40})
	describe(one, "host-2")
	if id, err := ForgetMember(t.Context(), at, "host-2", false, true); err != nil || id != "one" {
		t.Error(id, err)
	}
	describe(two, "host")
	if got, err := two.db.Describe(t.Context(), "two", "host", "c0ffee", time.Now); err != nil || got.Doubt != (Amounts{Tokens: 30}) {
		t.Errorf("%v are in doubt, %v", got.Doubt, err)
	}
}

// A database without tables of Weir says what makes them.
func TestMembersOfAnEmptyDatabase(t *testing.T) {
	t.Parallel()
	if _, err := Members(t.Context(), Options{URL: secret.New(server.Database(t)), Pool: 2}); err == nil || !strings.Contains(err.Error(), "weir migrate") {
		t.Errorf("%v", err)
	}
}
