package main

import (
	"strings"
	"testing"
)

func TestLimits(t *testing.T) {
	s := newAdminServer(t)
	s.ok("keys", "create", "--name", "app", "--rpm", "60", "--tpm", "100000", "--concurrent", "4")
	if key := s.show("app"); *key.RPM != 60 || *key.TPM != 100000 || *key.Concurrent != 4 {
		t.Errorf("%+v", key)
	}
	if table := s.ok("keys", "list"); !strings.Contains(table, "rpm 60,tpm 100000,concurrent 4") {
		t.Error(table)
	}
	s.ok("keys", "update", "app", "--rpm", "none", "--tpm", "5")
	if key := s.show("app"); key.RPM != nil || *key.TPM != 5 || *key.Concurrent != 4 {
		t.Errorf("%+v", key)
	}
	s.ok("teams", "create", "--name", "team", "--rpm", "7")
	s.ok("teams", "update", "team", "--concurrent", "2")
	if team := s.showTeam("team"); *team.RPM != 7 || team.TPM != nil || *team.Concurrent != 2 {
		t.Errorf("%+v", team)
	}
	did := runIn(t, t.TempDir(), nil, "", "keys", "create", "--offline", "--name", "ci", "--rpm", "60", "--concurrent", "4")
	if did.code != 0 || !strings.Contains(did.stderr, ", rpm: 60, concurrent: 4}") {
		t.Errorf("%+v", did)
	}
}

// The limits of a running Weir, as a table, as CSV and as JSON.
func TestLimitsOfAKey(t *testing.T) {
	s := newAdminServer(t)
	s.ok("keys", "create", "--name", "app", "--rpm", "60")
	s.ok("keys", "create", "--name", "free")
	if table := s.ok("limits", "app"); !strings.HasPrefix(table, "OF   NAME  LIMIT  MOST  USED  REMAINING  RESET\nkey  app   rpm    60    0     60         0s\n") {
		t.Error(table)
	}
	if rows := s.ok("limits", "app", "--format", "csv"); !strings.HasPrefix(rows, "of,id,name,limit,most,used,remaining,reset_ms,held,unit,reset,forecast\nkey,") {
		t.Error(rows)
	}
	if text := s.ok("limits", "app", "--format", "json"); !strings.Contains(text, `"remaining": 60`) {
		t.Error(text)
	}
	if text := s.ok("limits", "free"); text != "Nothing limits the key free.\n" {
		t.Error(text)
	}
	if did := s.weir("limits", "nobody"); did.code != 1 || !strings.Contains(did.stderr, "No key has the id or name") {
		t.Errorf("%+v", did)
	}
}

// Budgets are set, replaced and taken away, and listed with what is used and held.
func TestBudgets(t *testing.T) {
	s := newAdminServer(t)
	s.ok("keys", "create", "--name", "app", "--budget", "50usd/month", "--budget", "2Mtok/day", "--reserve", "strict", "--cut", "--warn", "50%,90%")
	key := s.show("app")
	if len(key.Budgets.Budgets) != 2 || *key.Reserve != "strict" || !key.Cut || len(key.Warn) != 2 || key.Warn[1] != 90 {
		t.Errorf("%+v", key)
	}
	if table := s.ok("keys", "list"); !strings.Contains(table, "50usd/month,2Mtok/day") {
		t.Error(table)
	}
	if rows := s.ok("keys", "show", "app", "--format", "csv"); !strings.Contains(rows, `,"50usd/month,2Mtok/day",strict,true,"50%,90%",`) {
		t.Error(rows)
	}
	if table := s.ok("limits", "app"); !strings.HasPrefix(table, "OF   NAME  BUDGET       USED      HELD     REMAINING  RESET  FORECAST\nkey  app   50usd/month  1usd      0.5usd   48.5usd    never  -\n") {
		t.Error(table)
	}
	if rows := s.ok("limits", "app", "--format", "csv"); !strings.Contains(rows, ",app,50usd/month,50000000000,1000000000,48500000000,,500000000,nanodollars,,\n") {
		t.Error(rows)
	}
	s.ok("keys", "update", "app", "--budget", "7usd/day", "--no-cut", "--warn", "none")
	if key := s.show("app"); len(key.Budgets.Budgets) != 1 || *key.Reserve != "strict" || key.Cut || key.Warn != nil {
		t.Errorf("%+v", key)
	}
	s.ok("keys", "update", "app", "--budget", "none")
	if key := s.show("app"); key.Budgets.Budgets != nil || key.Reserve != nil {
		t.Errorf("%+v", key)
	}
	s.ok("teams", "create", "--name", "team", "--budget", "1usd/total")
	s.ok("teams", "update", "team", "--reserve", "strict")
	if team := s.showTeam("team"); len(team.Budgets.Budgets) != 1 || *team.Reserve != "strict" {
		t.Errorf("%+v", team)
	}
	did := runIn(t, t.TempDir(), nil, "", "keys", "create", "--offline", "--name", "ci", "--budget", "50usd/month", "--cut", "--warn", "50%")
	if did.code != 0 || !strings.Contains(did.stderr, ", budgets: [50usd/month], cut: true, warn: [50%]}") {
		t.Errorf("%+v", did)
	}
}

// The limits of a team, a model or a target, of one at a time.
func TestLimitsOfOthers(t *testing.T) {
	s := newAdminServer(t)
	s.ok("keys", "create", "--name", "app")
	s.ok("teams", "create", "--name", "search", "--budget", "5usd/month")
	if table := s.ok("limits", "--team", "search"); table != "OF    NAME    BUDGET      USED  HELD  REMAINING  RESET  FORECAST\nteam  search  5usd/month  1usd  0usd  4usd       never  3usd\n" {
		t.Error(table)
	}
	if rows := s.ok("limits", "--team", "search", "--format", "csv"); !strings.HasSuffix(rows, ",search,5usd/month,5000000000,1000000000,4000000000,,0,nanodollars,,3000000000\n") {
		t.Error(rows)
	}
	for _, args := range [][]string{{"--model", "smart"}, {"--target", "openai/gpt-5"}} {
		if table := s.ok(append([]string{"limits"}, args...)...); !strings.Contains(table, args[1]+"  rpm    9     0     9          0s\n") {
			t.Error(table)
		}
	}
	for _, args := range [][]string{{}, {"app", "--team", "search"}, {"--team", "search", "--model", "smart"}} {
		if did := s.weir(append([]string{"limits"}, args...)...); did.code != 2 || !strings.Contains(did.stderr, "give one of a key, --team, --model and --target") {
			t.Errorf("%v: %+v", args, did)
		}
	}
	for args, word := range map[string]string{"--team=": "No team", "--model=": "names nothing", "--target=": "names nothing", "--team nobody": "No team has the id or name"} {
		if did := s.weir(append([]string{"limits"}, strings.Fields(args)...)...); did.code == 0 || !strings.Contains(did.stderr, word) || did.stdout != "" {
			t.Errorf("%s: %+v", args, did)
		}
	}
}
