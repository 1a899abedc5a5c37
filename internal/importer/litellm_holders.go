package importer

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The tables of those for whom LiteLLM has budgets beside keys and teams.
const (
	usersTable    = "LiteLLM_UserTable"
	projectsTable = "LiteLLM_ProjectTable"
)

// litellmUser is a row of usersTable that limits something, and the team that stands for it.
type litellmUser struct {
	litellmBounds
	ID     string   `json:"user_id"`
	Alias  string   `json:"user_alias"`
	Email  string   `json:"user_email"`
	Models []string `json:"models"`

	team *Team // nil until a key needs it
}

func (a *litellmAccounts) user(text []byte) error {
	var row litellmUser
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	if row.limits() || len(row.Models) > 0 || !row.ModelBudget.empty() {
		a.users[row.ID] = &row
	}
	return nil
}

// limits reports whether there is a budget or a limit.
func (b *litellmBounds) limits() bool {
	return b.MaxBudget != "" || b.TPM != nil || b.RPM != nil || b.TPD != nil || b.Parallel != nil
}

// teamOf is the team that stands for a user: with LiteLLM a user's budget and models hold for his keys that are of no team. nil for one without any.
func (a *litellmAccounts) teamOf(id string) *Team {
	u := a.users[id]
	if u == nil || u.team != nil {
		return u.teamOrNil()
	}
	name := "user-" + u.name()
	u.team = &Team{Name: a.Draft.teamNames.take(name, "-")}
	at := "user " + u.name()
	models, none := a.models(u.Models, usersTable, at)
	held := a.bounds(&u.litellmBounds, usersTable, at)
	u.team.Models, u.team.Limits, u.team.Budget, u.team.Spent, u.team.Ended = models, held.limits, held.policy, held.spent, none || held.none
	a.find(Approximate, usersTable, at, fmt.Sprintf("the team %s has this user's budget, limits and models, and those of the user's keys that are of no team", u.team.Name))
	a.Draft.Accounts.Teams = append(a.Draft.Accounts.Teams, u.team)
	return u.team
}

func (u *litellmUser) teamOrNil() *Team {
	if u == nil {
		return nil
	}
	return u.team
}

// name is the user's as a word.
func (u *litellmUser) name() string {
	for _, name := range []string{u.Alias, u.Email, u.ID} {
		if name = word(name); name != "" {
			return name
		}
	}
	return "unnamed"
}

// idle reports users whose limits are in no team, because no key needs one.
func (a *litellmAccounts) idle() {
	h := holders{table: usersTable, plural: "users", why: "they have no keys without a team, so nothing is held now: give each a team before the first such key"}
	for _, u := range a.users {
		if u.team == nil {
			h.add(u.name(), &u.litellmBounds)
		}
	}
	h.report(a, Manual)
}

func (a *litellmAccounts) project(text []byte) error {
	var row struct {
		ID      string `json:"project_id"`
		Blocked bool   `json:"blocked"`
	}
	err := json.Unmarshal(text, &row)
	a.stopped[row.ID] = row.Blocked && row.ID != ""
	return err
}

// manages reports whether a key that may use these paths calls no models.
func manages(routes []string) bool {
	return len(routes) > 0 && !slices.ContainsFunc(routes, func(route string) bool {
		return route != "management_routes" && route != "info_routes" && route != "master_key_only_routes" && route != "self_managed_routes"
	})
}

// granted reports what else says which models a key or a team may use.
func (a *litellmAccounts) granted(table, at string, groups []string, object string) {
	if len(groups) > 0 {
		a.find(Manual, table, at, "it has access groups of LiteLLM's database, which are not followed: look which models it may use")
	}
	if object != "" {
		a.find(Manual, table, at, "it has an object permission, which is not followed: look which models it may use. The rest is of tools, agents and stores, which Weir does not have")
	}
}

// holders are the rows of one table that have a budget or a limit that Weir does not hold.
type holders struct {
	table, plural, why string

	names            []string
	dollars, blocked int
}

func (h *holders) add(name string, b *litellmBounds) {
	h.names = append(h.names, name)
	if b.MaxBudget != "" {
		h.dollars++
	}
}

// named is how many holders the report names.
const named = 5

// report adds a line to the import's report: the number of rows, some of their holders' names, and what is lost.
func (h *holders) report(a *litellmAccounts, c Class) {
	if len(h.names) == 0 {
		return
	}
	slices.Sort(h.names)
	who := strings.Join(h.names[:min(len(h.names), named)], ", ")
	if len(h.names) > named {
		who += ", …"
	}
	text := fmt.Sprintf("%d with a budget, limits, models of their own or a block (%d with a budget, %d blocked): %s", len(h.names), h.dollars, h.blocked, h.why)
	a.find(c, h.table, h.plural+" "+who, text)
}

// litellmHolder is a row of any table of those who may have a budget, by a row of budgetsTable or by itself.
type litellmHolder struct {
	litellmBounds
	BudgetID string     `json:"budget_id"`
	Blocked  bool       `json:"blocked"`
	Models   []string   `json:"models"`
	RPMs     jsonObject `json:"model_rpm_limit"`
	TPMs     jsonObject `json:"model_tpm_limit"`

	SessionRPM *int64 `json:"session_rpm_limit"`
	SessionTPM *int64 `json:"session_tpm_limit"`
}

// holds reports whether the row limits anything.
func (r *litellmHolder) holds() bool {
	return r.limits() || r.Blocked || len(r.Models) > 0 || !r.ModelBudget.empty() || !r.RPMs.empty() || !r.TPMs.empty() || r.SessionRPM != nil || r.SessionTPM != nil
}

// others reports those for whom Weir has no budgets. A table that cannot be read is reported, too.
func (a *litellmAccounts) others(ctx context.Context, tx *sql.Tx) error {
	for _, kind := range []struct {
		table, key, plural, why string
		class                   Class
	}{
		{"LiteLLM_OrganizationTable", "organization_id", "organizations", "Weir has none, so these are lost: share them out among the budgets and models of their teams", Manual},
		{projectsTable, "project_id", "projects", "Weir has none, so these are lost, but for blocks, which revoke the keys: give them to the keys or teams", Manual},
		{"LiteLLM_TeamMembership", "user_id", "members of teams", "Weir has no budgets of members, so these are lost: give them to the members' keys", Manual},
		{"LiteLLM_OrganizationMembership", "user_id", "members of organizations", "Weir has none, so these are lost: give them to the members' keys", Manual},
		{"LiteLLM_EndUserTable", "user_id", "customers", "Weir does not limit by the user that a request names, so these are lost: give who must be limited a key", Unsupported},
		{"LiteLLM_TagTable", "tag_name", "tags", "Weir counts by tags (weir-tags), and limits none by them, so these are lost", Unsupported},
		{"LiteLLM_ModelAccessGroupBudgetTable", "access_group_name", "groups of models", "Weir has no budgets of models, so these are lost", Unsupported},
		{"LiteLLM_AgentsTable", "agent_name", "agents", "Weir has none, so these are lost", Unsupported},
	} {
		h := holders{table: kind.table, plural: kind.plural, why: kind.why}
		err := a.rows(ctx, tx, kind.table, kind.key, ifReadable, func(text []byte) error { return a.holder(&h, kind.key, text) })
		if err != nil {
			return err
		}
		h.report(a, kind.class)
	}
	return nil
}

// holder adds a row that limits something.
func (a *litellmAccounts) holder(h *holders, key string, text []byte) error {
	var row litellmHolder
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	if shared, ok := a.budgets[row.BudgetID]; ok && row.BudgetID != "" {
		row.fill(&shared)
	}
	if !row.holds() {
		return nil
	}
	var columns map[string]json.RawMessage
	if err := json.Unmarshal(text, &columns); err != nil {
		return err
	}
	var name string
	for _, column := range []string{strings.TrimSuffix(key, "_id") + "_alias", "alias", key} {
		if json.Unmarshal(columns[column], &name) == nil && word(name) != "" {
			break
		}
	}
	if row.Blocked {
		h.blocked++
	}
	h.add(word(name), &row.litellmBounds)
	return nil
}
