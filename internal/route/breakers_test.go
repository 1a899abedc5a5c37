package route

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Configured targets are reported by their names; those that callers have named are reported as a sum.
func TestBreakersOfTheTable(t *testing.T) {
	t.Parallel()
	wild, narrow := inOrder("a/*"), inOrder("a/gpt-*", "b/y")
	wild.Name, narrow.Name = "any/*", "gpt/*"
	plain := inOrder("a/gpt-x", "b/y", "b/y")
	for _, m := range []*Model{wild, narrow, plain} {
		for i := range m.Targets {
			m.Targets[i].Credentials = 2
		}
	}
	table := NewTable([]*Model{wild, plain, narrow}, NewBoard(), nil)
	want := []Breakers{
		{Provider: "a", Model: "*"},
		{Provider: "a", Model: "gpt-x", Closed: 1},
		{Provider: "b", Model: "y", Closed: 1},
		{Provider: "a", Model: "gpt-*"},
	}
	if diff := cmp.Diff(want, table.Breakers(someday)); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"any/gpt-x", "any/gpt-y", "any/o3"} {
		r, _ := table.Resolve(name)
		if got := r.Targets[0].Configured(); got != "*" {
			t.Errorf("%s: as configured %q", name, got)
		}
		r.sick(0)
	}
	table.board.Health("b", "y").Begin(someday, 1, false)
	table.board.Credentials("a", 2).Refused(1, 7, someday)
	later := someday.Add(firstPause) // the breakers may be probed
	want[0].Open, want[3].Open = 3, 2
	want[1].Closed, want[1].Open = 0, 1
	want[0].Ill, want[1].Ill, want[3].Ill = 3, 1, 2
	if diff := cmp.Diff(want, table.Breakers(someday)); diff != "" {
		t.Error(diff)
	}
	if b := table.Breakers(later); b[0].Trying != 3 || b[0].Open != 0 || b[0].Closed != 0 {
		t.Errorf("%+v", b[0])
	}
	all := table.Credentials(someday)
	if all["a"].Parked != 1 || all["b"] != (Standing{All: 2, Free: someday}) || len(all) != 2 {
		t.Errorf("%+v", all)
	}
	if !slices.Equal(table.Breakers(later), table.Breakers(later)) || len(table.board.credentials) != 2 { // credentials that the table names
		t.Error("looking has changed something")
	}
	if got := len(table.board.targets.items); got != 4 {
		t.Errorf("%d targets are remembered", got)
	}
}

// What lets the targets be tried again lets each be tried at once, for all keys and for each, and forgets what a key met.
func TestRelease(t *testing.T) {
	t.Parallel()
	h := new(Health)
	for key := range uint64(4) {
		for range 10 {
			if ok, pass := h.Begin(someday, key+1, false); ok {
				h.End(someday, Failed, pass)
			}
		}
	}
	if !h.breaker.all.open {
		t.Fatal("it is not open for all")
	}
	if ok, pass := h.Begin(someday, 9, false); ok {
		h.End(someday, Failed, pass)
		t.Fatal("an attempt passes")
	}
	h.breaker.keys.use(1, someday).wordless = true
	h.release()
	if s := h.breaker.keys.find(1); s.wordless || s.streak != 0 {
		t.Errorf("%+v", s)
	}
	if ok, _ := h.Begin(someday, 9, false); !ok {
		t.Error("no attempt passes for a key that was not seen")
	}
	if ok, _ := h.Begin(someday, 1, false); ok {
		t.Error("a second probe passes beside the first")
	}
}

// A credential that is parked for one key only is reported as parked, like one that is parked for all.
func TestParkedForSome(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		refuse func(c *Credentials)
		want   bool
	}{
		"nobody":  {func(*Credentials) {}, false},
		"one key": {func(c *Credentials) { c.Refused(0, 7, someday) }, true},
		"all": {func(c *Credentials) {
			for key := range uint64(5) {
				c.Refused(0, key, someday)
			}
		}, true},
	} {
		c := newCredentials(1)
		tt.refuse(c)
		if got := c.each[0].parkedForSome() != nil; got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
