package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/admin"
)

func (s *adminServer) showTeam(name string) admin.Team {
	s.t.Helper()
	var team admin.Team
	if err := json.Unmarshal([]byte(s.ok("teams", "show", "--format", "json", name)), &team); err != nil {
		s.t.Fatal(err)
	}
	return team
}

func TestTeams(t *testing.T) {
	s := newAdminServer(t)
	s.ok("teams", "create", "--name", "research", "--models", "fast,embed-*")
	if team := s.showTeam("research"); len(team.Models) != 2 || team.Status != "active" {
		t.Errorf("%+v", team)
	}
	text := oneKey(t, s.ok("keys", "create", "--name", "app", "--team", "research"))
	if key := s.show("app"); key.Team == nil || *key.Team != "research" {
		t.Errorf("%+v", key)
	}
	if table := s.ok("keys", "list"); !strings.Contains(table, "TEAM") || !strings.Contains(table, "research") {
		t.Error(table)
	}
	if rows := s.ok("keys", "list", "--format", "csv"); !strings.Contains(rows, ",models,team,") || !strings.Contains(rows, ",research,") {
		t.Error(rows)
	}
	s.ok("teams", "update", "research", "--name", "labs", "--models", "none")
	if team := s.showTeam("labs"); team.Models != nil {
		t.Errorf("%+v", team)
	}
	s.ok("teams", "revoke", "labs")
	if s.works(text) || s.show("app").Status != "team_revoked" {
		t.Error("the key of a revoked team works")
	}
	if table := s.ok("teams", "list"); !strings.Contains(table, "labs") || !strings.Contains(table, "revoked") {
		t.Error(table)
	}
	if rows := s.ok("teams", "list", "--format", "csv"); !strings.HasPrefix(rows, "id,name,status,models,rpm,tpm,concurrent,budgets,reserve,cut,warn,created_at,revoked_at,source\n") {
		t.Error(rows)
	}
	s.ok("keys", "update", "app", "--team", "none")
	if key := s.show("app"); !s.works(text) || key.Team != nil {
		t.Errorf("%+v", key)
	}
	const warning = "warning: models: \"smartt\" matches no model today; did you mean \"smart\"?\n"
	if did := s.weir("teams", "create", "--name", "typo", "--models", "smartt"); did.code != 0 || did.stderr != warning {
		t.Errorf("%+v", did)
	}
}

func TestTeamErrors(t *testing.T) {
	oneAfterAnother(t)
	s := newAdminServer(t)
	s.ok("teams", "create", "--name", "team")
	s.ok("keys", "create", "--name", "app")
	for _, c := range []struct {
		args string
		code int
		word string
	}{
		{"keys create --name x --team nobody", 2, "weir teams list"},
		{"keys create --name x --team none", 2, "omit --models, --expires, --team or --idempotency"},
		{"keys update app --team nobody", 2, "weir teams list"},
		{"keys update app", 2, "give --name, --models, --expires, --team, --rpm, --tpm, --concurrent, --budget, --reserve, --cut, --warn, --idempotency or --explain"},
		{"teams create", 2, "--name"},
		{"teams create --name team", 1, "take another name"},
		{"teams create --name x --models none", 2, "omit --models"},
		{"teams create --name x --models smartt --strict", 2, "did you mean"},
		{"teams show nobody", 1, "weir teams list"},
		{"teams update team", 2, "give --name, --models, --rpm, --tpm, --concurrent, --budget, --reserve, --cut or --warn"},
		{"teams update nobody --name x", 1, "weir teams list"},
		{"teams revoke nobody", 1, "weir teams list"},
		{"teams update team --rpm 0", 2, "whole number"},
		{"teams create --name x --tpm none", 2, "omit --rpm"},
		{"teams revoke team --now", 2, "unknown flag --now"},
	} {
		if did := s.weir(strings.Fields(c.args)...); did.code != c.code || !strings.Contains(did.stderr, c.word) {
			t.Errorf("%s: %+v", c.args, did)
		}
	}
}

func TestAnOfflineKeyNamesItsTeam(t *testing.T) {
	did := runIn(t, t.TempDir(), nil, "", "keys", "create", "--offline", "--name", "ci", "--team", "research")
	if oneKey(t, did.stdout); did.code != 0 || !strings.Contains(did.stderr, `team: "research"`) {
		t.Errorf("%+v", did)
	}
}
