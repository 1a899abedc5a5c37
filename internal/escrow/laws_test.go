package escrow

import (
	"strings"
	"testing"
	"time"
)

// How many statements each process may make.
var two, three = [3]int{2, 2, 2}, [3]int{3, 3, 3}

// TestEveryWorld: whatever happens to two replicas and what is under way, no law is broken.
func TestEveryWorld(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		search search
	}{
		{"late", search{limit: 1, statements: three, copies: 1}},
		{"late, of two", search{limit: 2, statements: three, copies: 1}},
		{"doubled", search{limit: 1, statements: three, copies: 2}},
		{"failover", search{limit: 1, statements: three, copies: 1, left: faults{Failovers: 1}}},
		{"restart", search{limit: 1, statements: three, copies: 1, left: faults{Restarts: 1}}},
		{"restart while calls run", search{limit: 1, statements: two, copies: 1, ends: true, left: faults{Restarts: 1}}},
		{"lost disk", search{limit: 1, statements: three, copies: 1, left: faults{Losses: 1}}},
		{"copied folder", search{limit: 1, statements: two, copies: 1, left: faults{Copies: 1}}},
		{"failover, doubled", search{limit: 1, statements: two, copies: 2, left: faults{Failovers: 1}}},
		{"failover and restart", search{limit: 1, statements: two, copies: 1, left: faults{Failovers: 1, Restarts: 1}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			began := time.Now()
			s := test.search
			res := s.run()
			if res.wrong != "" {
				s = test.search
				s.story = map[world]step{}
				res = s.run()
				t.Fatalf("%s, after %d states:\n%s", res.wrong, res.states, s.told(res.worst))
			}
			t.Logf("%d states, %v", res.states, time.Since(began).Round(time.Millisecond))
		})
	}
}

// TestPlantedBugs: the search finds each mistake that the protocol could be built with.
func TestPlantedBugs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		search search
		says   string
	}{
		{
			"slices returned by time",
			search{limit: 1, statements: two, copies: 1, left: faults{Expiries: 1}},
			"2 was spent of 1",
		},
		{
			"answers as differences",
			search{limit: 1, statements: two, copies: 2, bug: bug{learn: func(p *process, a *Answer) {
				for _, g := range a.Grants {
					p.own().granted += g.Granted - p.sent[0].keep
				}
			}}},
			"2 was spent of 1",
		},
		{
			"statements without a number",
			search{limit: 1, statements: [3]int{3, 1, 2}, copies: 1, bug: bug{execute: func(d *database, s *Statement) *Answer {
				d.members[s.Replica].number = s.Number - 1
				return d.Exchange(s, 0)
			}}},
			"2 was spent of 1",
		},
		{
			"no epoch",
			search{limit: 1, statements: [3]int{3, 1, 2}, copies: 1, left: faults{Restarts: 1}, bug: bug{execute: func(d *database, s *Statement) *Answer {
				row := d.members[s.Replica]
				row.epoch = s.Epoch
				if s.Whole {
					row.number = 0 // a process begins to count
				}
				return d.Exchange(s, 0)
			}}},
			"2 was spent of 1",
		},
		{
			"a copied number after a restart",
			search{limit: 1, statements: [3]int{3, 1, 2}, copies: 1, left: faults{Restarts: 1}, bug: bug{restart: func(old *process) *process {
				c := old.copy()
				c.inherited, c.stated = c.own().used+c.own().held, 0
				c.own().used, c.own().granted, c.own().held = c.inherited, c.inherited, 0
				c.number = c.acked // as it stood in the folder
				return c
			}}},
			"2 was spent of 1",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := test.search
			s.story, s.unfair = map[world]step{}, true
			res := s.run()
			if !strings.HasPrefix(res.wrong, test.says) {
				t.Fatalf("%d states, and found: %q", res.states, res.wrong)
			}
			t.Logf("%s, after %d states:\n%s", res.wrong, res.states, s.told(res.worst))
		})
	}
}
