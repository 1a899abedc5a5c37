package importer

import (
	"fmt"
	"strings"
	"testing"
)

// holderTables are LiteLLM's for those who may have budgets beside keys and teams, with the columns that count here.
const holderTables = `
CREATE TABLE "LiteLLM_UserTable" (user_id text PRIMARY KEY, user_alias text, user_email text, max_budget float8, spend float8 NOT NULL DEFAULT 0, models text[] NOT NULL DEFAULT '{}', tpm_limit bigint, rpm_limit bigint,
	max_parallel_requests int, budget_duration text, budget_reset_at timestamp(3), metadata jsonb NOT NULL DEFAULT '{}', model_max_budget jsonb NOT NULL DEFAULT '{}');
CREATE TABLE "LiteLLM_OrganizationTable" (organization_id text PRIMARY KEY, organization_alias text NOT NULL, budget_id text, models text[] NOT NULL DEFAULT '{}', metadata jsonb NOT NULL DEFAULT '{}');
CREATE TABLE "LiteLLM_ProjectTable" (project_id text PRIMARY KEY, project_alias text, budget_id text, models text[] NOT NULL DEFAULT '{}', model_rpm_limit jsonb NOT NULL DEFAULT '{}', blocked boolean NOT NULL DEFAULT false);
CREATE TABLE "LiteLLM_TeamMembership" (user_id text, team_id text, budget_id text);
CREATE TABLE "LiteLLM_EndUserTable" (user_id text PRIMARY KEY, alias text, budget_id text, blocked boolean NOT NULL DEFAULT false);
CREATE TABLE "LiteLLM_TagTable" (tag_name text PRIMARY KEY, models text[], budget_id text);
CREATE TABLE "LiteLLM_AgentsTable" (agent_id text PRIMARY KEY, agent_name text, session_rpm_limit int);
ALTER TABLE "LiteLLM_VerificationToken" ADD project_id text, ADD tpd_limit bigint, ADD budget_limits jsonb, ADD budget_fallbacks jsonb, ADD access_group_ids text[], ADD object_permission_id text;
ALTER TABLE "LiteLLM_BudgetTable" ADD tpd_limit bigint;
INSERT INTO "LiteLLM_BudgetTable" (budget_id, max_budget, budget_duration, tpd_limit) VALUES ('b', 3, '1d', NULL), ('tokens', NULL, NULL, 500), ('nothing', NULL, NULL, NULL);
`

// holding reads a database with such tables.
func holding(t *testing.T, statements ...string) (*Draft, string) {
	t.Helper()
	draft, err := accounts(t, database(t, append([]string{tables, holderTables}, statements...)...))
	if err != nil {
		t.Fatal(err)
	}
	var report strings.Builder
	if err := draft.Report.Write(&report, Exact); err != nil {
		t.Fatal(err)
	}
	return draft, report.String()
}

const newToken = `INSERT INTO "LiteLLM_VerificationToken" `

// TestUsersAreTeams: a user's budget, limits and models hold for his keys without a team, as a team's do, and for no others.
func TestUsersAreTeams(t *testing.T) {
	draft, report := holding(t,
		`INSERT INTO "LiteLLM_UserTable" (user_id, user_email, max_budget, spend, budget_duration, rpm_limit, models, budget_reset_at) VALUES ('u', 'u@example.com', 20, 4, '30d', 6, '{smart}', now() + interval '3 days')`,
		`INSERT INTO "LiteLLM_UserTable" (user_id, user_alias, max_budget) VALUES ('idle', 'Idle One', 1), ('free', 'free', NULL)`,
		`INSERT INTO "LiteLLM_TeamTable" (team_id, team_alias) VALUES ('t', 'user-u@example.com')`,
		newToken+`(token, key_alias, user_id, team_id, spend) VALUES ('`+hash("sk-1")+`', 'first', 'u', NULL, 1), ('`+hash("sk-2")+`', 'second', 'u', NULL, 2), ('`+hash("sk-3")+`', 'third', 'u', 't', 0), ('`+hash("sk-4")+`', 'fourth', 'free', NULL, 0)`,
	)
	var team *Team
	for _, k := range draft.Accounts.Keys {
		switch {
		case k.Name == "third" && (k.Team == nil || k.Team.Name != "user-u@example.com"), k.Name == "fourth" && k.Team != nil:
			t.Errorf("%s is in %+v", k.Name, k.Team)
		case k.Name == "first" || k.Name == "second":
			if k.Team == nil || team != nil && k.Team != team {
				t.Errorf("%s is in %+v", k.Name, k.Team)
			}
			team = k.Team
		}
	}
	if team == nil || len(draft.Accounts.Teams) != 2 {
		t.Fatalf("%d teams", len(draft.Accounts.Teams))
	}
	if got, want := words(team.Name, team.Models, team.Limits, policy(team.Budget), team.Spent), "user-u@example.com-2 [smart] {6 0 0} [20usd/month] 4000000000"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, want := range []string{"LiteLLM_UserTable: approximate: user u@example.com: the team user-u@example.com-2 has this user's budget", "LiteLLM_UserTable: manual: users Idle-One: 1 with a budget"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report does not say %q:\n%s", want, report)
		}
	}
}

// TestNoLimitIsLostInSilence: of budgets and limits that Weir does not have the report says where they are, how many, and what is lost.
func TestNoLimitIsLostInSilence(t *testing.T) {
	var customers strings.Builder
	for i := range 7 {
		fmt.Fprintf(&customers, ", ('c%d', NULL, 'b', false)", i)
	}
	draft, report := holding(t,
		`INSERT INTO "LiteLLM_OrganizationTable" (organization_id, organization_alias, budget_id, models) VALUES ('o1', 'acme', 'b', '{}'), ('o2', 'free', 'nothing', '{}'), ('o3', 'narrow', 'nothing', '{smart}')`,
		`INSERT INTO "LiteLLM_ProjectTable" (project_id, project_alias, budget_id, blocked, model_rpm_limit) VALUES ('p1', 'one', 'b', false, '{}'), ('p2', 'stopped', NULL, true, '{}'), ('p3', 'slow', NULL, false, '{"smart": 1}')`,
		`INSERT INTO "LiteLLM_TeamMembership" VALUES ('u', 't', 'b'), ('v', 't', NULL)`,
		`INSERT INTO "LiteLLM_EndUserTable" VALUES ('free', NULL, NULL, false), ('bad', 'Bad One', NULL, true)`+customers.String(),
		`INSERT INTO "LiteLLM_TagTable" VALUES ('nightly', '{}', 'b')`,
		`INSERT INTO "LiteLLM_AgentsTable" VALUES ('1', 'helper', 5)`,
		newToken+`(token, key_alias, project_id) VALUES ('`+hash("sk-1")+`', 'of-stopped', 'p2')`,
		newToken+`(token, key_alias, tpd_limit, max_budget, spend) VALUES ('`+hash("sk-2")+`', 'daily', 1000, 5, 2)`,
		newToken+`(token, key_alias, budget_id) VALUES ('`+hash("sk-3")+`', 'shares', 'tokens')`,
		newToken+`(token, key_alias, budget_limits, metadata) VALUES ('`+hash("sk-4")+`', 'windows', '[{"budget_duration":"1d","max_budget":10},{"budget_duration":"30d","max_budget":100.5}]', '{"temp_budget_increase": 5}')`,
		newToken+`(token, key_alias, allowed_routes) VALUES ('`+hash("sk-5")+`', 'manager', '{management_routes}'), ('`+hash("sk-6")+`', 'caller', '{llm_api_routes}'), ('`+hash("sk-7")+`', 'narrow', '{/v1/embeddings}')`,
		newToken+`(token, key_alias, budget_fallbacks, access_group_ids, object_permission_id) VALUES ('`+hash("sk-8")+`', 'more', '{"smart": ["quick"]}', '{g}', 'op')`,
		`INSERT INTO "LiteLLM_TeamTable" (team_id, team_alias, metadata) VALUES ('t', 'team', '{"team_member_budget_id": "b"}')`,
	)
	for _, want := range []string{
		"LiteLLM_OrganizationTable: manual: organizations acme, narrow: 2 with a budget, limits, models of their own or a block (1 with a budget, 0 blocked)",
		"LiteLLM_ProjectTable: manual: projects one, slow, stopped: 3 with", "(1 with a budget, 1 blocked)",
		"LiteLLM_TeamMembership: manual: members of teams u: 1 with",
		"LiteLLM_EndUserTable: unsupported: customers Bad-One, c0, c1, c2, c3, …: 8 with a budget, limits, models of their own or a block (7 with a budget, 1 blocked)",
		"LiteLLM_TagTable: unsupported: tags nightly: 1 with", "LiteLLM_AgentsTable: unsupported: agents helper: 1 with",
		"key of-stopped: its project is blocked", "key daily: tpd_limit is a budget of tokens by day", "key shares: tpd_limit",
		"manual: key windows: it has a further budget of $10 in 1d", "weir keys update --budget 10usd/day", "further budget of $100.5 in 30d", "--budget 100.5usd/month", "key windows: its budget is raised for a time",
		"key manager: left out: it may not call models", "key narrow: it may use some paths alone", "key more: it goes to other models", "key more: it has access groups", "key more: it has an object permission",
		"team team: each of its members has a budget",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if strings.Contains(report, "caller: it may") || strings.Contains(report, "free") {
		t.Error("it reports what is no limit")
	}
	got := map[string]string{}
	for _, k := range draft.Accounts.Keys {
		got[k.Name] = words(policy(k.Budget), k.Spent, k.Ended)
	}
	for name, want := range map[string]string{"of-stopped": "[] 0 true", "daily": "[5usd/total 1ktok/day] 2000000000 false", "shares": "[500tok/day] 0 false", "manager": ""} {
		if got[name] != want {
			t.Errorf("%s: %s, want %s", name, got[name], want)
		}
	}
	if t.Failed() {
		t.Log(report)
	}
}

// TestTablesThatMayNotBeRead: tables of others need no rights, and the report says that they were not read.
func TestTablesThatMayNotBeRead(t *testing.T) {
	whole := server.Own(t)
	run(t, whole, tables, holderTables, `CREATE USER narrow PASSWORD 'pass-word'`)
	for _, table := range []string{tokensTable, teamsTable, budgetsTable, rotatedTable, modelsTable, usersTable} {
		run(t, whole, `GRANT SELECT ON "`+table+`" TO narrow`)
	}
	_, rest, _ := strings.Cut(whole, "@")
	draft, err := accounts(t, "postgres://narrow:pass-word@"+rest)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"LiteLLM_ProjectTable", "LiteLLM_EndUserTable"} {
		if !strings.Contains(fmt.Sprint(draft.Report.Findings), table+" 0 0 manual all rows this user may not read the table") {
			t.Errorf("nothing is said of %s: %v", table, draft.Report.Findings)
		}
	}
}
