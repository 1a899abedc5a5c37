package postgres

import (
	"strings"
	"testing"

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
	name := escrow.Name{Budget: "a"}
	s.say(escrow.Line{Name: name, Limit: 100, Version: 1, Used: 10, Keep: 40})
	list := func(want Member) {
		t.Helper()
		all, err := Members(t.Context(), at)
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		if got := all[0]; got.ID != want.ID || got.Forgotten != want.Forgotten || got.Holds != want.Holds || got.InDoubt != want.InDoubt || got.Seen.IsZero() != want.Forgotten {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	list(Member{ID: "lost", Holds: 1})
	for id, want := range map[string]string{"lost": "seen within the last minute", "other": "no replica \"other\""} {
		if err := ForgetMember(t.Context(), at, id, false, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", id, err)
		}
	}
	s.books(name, 40, 10)
	if err := ForgetMember(t.Context(), at, "lost", false, true); err != nil {
		t.Fatal(err)
	}
	list(Member{ID: "lost", Forgotten: true, InDoubt: 1})
	s.books(name, 40, 40)
	s.st.Number++
	if a, err := s.db.Exchange(t.Context(), &s.st); err != nil || a.Outcome != escrow.Superseded {
		t.Errorf("the forgotten replica's statement: %+v, %v", a, err)
	}
	if err := ForgetMember(t.Context(), at, "lost", true, false); err != nil {
		t.Fatal(err)
	}
	list(Member{ID: "lost", Forgotten: true})
	s.books(name, 10, 10)
}
