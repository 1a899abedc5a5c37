package route

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// What a look says is first is what a request tries first, whatever has happened, and what it says is skipped is not tried.
func TestLookTellsWhatIsTried(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := inOrder("a/x", "a/y", "b/x", "c/x")
		m.Policy = rapid.SampledFrom([]Policy{Ordered, Weighted, Fastest, LeastBusy}).Draw(t, "policy")
		for i := range m.Targets {
			m.Targets[i].Credentials = 2
		}
		table, now := NewTable([]*Model{m}, NewBoard(), nil), someday
		r, _ := table.Resolve("m")
		for range rapid.IntRange(0, 60).Draw(t, "attempts") {
			now = now.Add(rapid.SampledFrom(passes).Draw(t, "passes"))
			target := &m.Targets[rapid.IntRange(0, len(m.Targets)-1).Draw(t, "target")]
			a := Attempts{}
			a.Begin(Route{Model: m, Targets: []Target{*target}, Board: r.Board}, &Ask{Caller: rapid.Uint64Range(1, 3).Draw(t, "caller")}, now)
			if try, ok := a.Next(now); ok {
				outcome := rapid.SampledFrom([]Outcome{Answered, Failed, Failed, BadCredential, RateLimited, Overloaded}).Draw(t, "outcome")
				a.Ended(try, outcome, rapid.SampledFrom([]time.Duration{0, 20 * time.Second}).Draw(t, "wait"), now)
			}
		}
		now = now.Add(rapid.SampledFrom(passes).Draw(t, "then"))
		ask := Ask{Caller: rapid.Uint64Range(1, 3).Draw(t, "asker"), Seed: rapid.Uint64().Draw(t, "seed")}
		sights := r.Look(&ask, now)
		if again := r.Look(&ask, now); fmt.Sprint(plain(sights)) != fmt.Sprint(plain(again)) {
			t.Fatalf("the first look has changed what the second one tells:\n%v\n%v", plain(sights), plain(again))
		}
		var tried []string
		a := new(Attempts)
		a.Begin(r, &ask, now)
		if try, ok := a.Next(now); ok {
			tried = append(tried, try.Target.String())
			if try.pass.probe != sights[0].Probe {
				t.Fatalf("a probe: %v, %+v", try.pass.probe, plain(sights)[0])
			}
		}
		var first []string
		if sights[0].Skip == NotSkipped {
			first = append(first, sights[0].Target.String())
		}
		if !slices.Equal(first, tried) {
			t.Fatalf("tried %v, looked %v", tried, plain(sights))
		}
	})
}

// plain are sights without their pointers.
func plain(sights []Sight) []string {
	var all []string
	for _, s := range sights {
		all = append(all, fmt.Sprint(s.Target, s.Skip, s.Breaker, s.Probe, s.Rest, s.InFlight, s.Credentials))
	}
	return all
}

// A look changes nothing: it keeps no name that a caller made up, starts no rest, and starts no probe.
func TestLookChangesNothing(t *testing.T) {
	t.Parallel()
	m := inOrder("a/x")
	m.Targets[0].Credentials = 2
	r := Route{Model: m, Targets: m.Targets, Board: NewBoard()}
	if s := r.Look(&Ask{}, someday); s[0].Skip != NotSkipped || s[0].Credentials != (Standing{All: 2, Free: someday}) {
		t.Errorf("of nothing known: %v", plain(s))
	}
	if len(r.Board.targets.items) != 0 || len(r.Board.credentials) != 0 {
		t.Errorf("remembered: %v, %v", r.Board.targets.items, r.Board.credentials)
	}

	credentials := r.Board.Credentials("a", 2)
	credentials.limited(0, 1, time.Time{}) // it rests for a while from the first use on
	r.sick(0)
	now := someday.Add(10 * time.Second) // it may be probed
	for range 2 {
		s := r.Look(&Ask{}, now)
		if !s[0].Probe || s[0].Breaker.Phase != Trying || s[0].Credentials != (Standing{All: 2, Resting: 1, Free: now}) {
			t.Errorf("looked: %v", plain(s))
		}
	}
	if ok, pass := r.Board.Health("a", "x").Begin(now, 1, false); !ok || !pass.probe {
		t.Error("the probe was lost")
	}
	if s := r.Look(&Ask{}, now); s[0].Skip != TargetDown || s[0].InFlight != 1 {
		t.Errorf("while it is probed: %v", plain(s))
	}
	credentials.limited(1, 1, time.Time{})
	later := now.Add(time.Hour)
	if next := freeAt(credentials, later); !next.Equal(later.Add(usualRest)) {
		t.Errorf("the rest had begun: it ends at %v", next)
	}

	parked := inOrder("b/y")
	r = Route{Model: parked, Targets: parked.Targets, Board: NewBoard()}
	r.Board.Credentials("b", 1).Refused(0, 1, someday)
	s := r.Look(&Ask{Caller: 1}, someday)
	if want := (Standing{All: 1, Parked: 1, Free: someday.Add(firstParking)}); s[0].Credentials != want || s[0].Skip != NotSkipped {
		t.Errorf("a request a second may try it: %v", plain(s))
	}
	r.Board.Credentials("b", 1).Pick(someday, 1, 0)
	if s := r.Look(&Ask{Caller: 1}, someday); s[0].Skip != NoCredential {
		t.Errorf("it was tried just now: %v", plain(s))
	}
	if s := r.Look(&Ask{Caller: 2}, someday); s[0].Skip != NotSkipped || s[0].Credentials != (Standing{All: 1, Free: someday}) {
		t.Errorf("it is parked for another one: %v", plain(s))
	}
}

// The targets that would be skipped come last, else the order is that of the attempts.
func TestLookPutsTheSkippedLast(t *testing.T) {
	t.Parallel()
	m := inOrder("a/x", "b/y", "c/z", "d/v")
	m.Targets[0].Concurrent = 1
	b := NewBoard()
	end := hold(t, b, bounded(1, "a/x"), someday)
	defer end()
	b.Credentials("c", 1).Refused(0, 1, someday)
	b.Credentials("c", 1).Pick(someday, 1, 0)
	r := Route{Model: m, Targets: m.Targets, Board: b}
	var got []string
	for _, s := range r.Look(&Ask{Caller: 1}, someday) {
		got = append(got, s.Target.String()+" "+s.Skip.String())
	}
	if want := []string{"b/y ", "d/v ", "c/z no_credential", "a/x full"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
