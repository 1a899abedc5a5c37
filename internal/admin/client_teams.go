package admin

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// NewTeam is what a new team is to be.
type NewTeam struct {
	Name    string
	Models  []string // patterns; empty allows all
	Limits  LimitsChange
	Budgets BudgetsChange
	Strict  bool // no team is made if a pattern matches no model today
}

// TeamChange says what UpdateTeam replaces; nil leaves a thing as it is.
type TeamChange struct {
	Name    *string
	Models  *[]string // an empty list allows all models
	Limits  LimitsChange
	Budgets BudgetsChange
	Strict  bool // nothing is changed if a new pattern matches no model today
}

// CreateTeam makes a team.
func (c *Client) CreateTeam(ctx context.Context, team NewTeam) (Team, error) {
	body := struct {
		Name   string   `json:"name"`
		Models []string `json:"models,omitempty"`
		limitsBody
		budgetsBody
	}{team.Name, team.Models, team.Limits.body(), team.Budgets.body()}
	return c.team(ctx, http.MethodPost, "/admin/v1/teams"+strictly(team.Strict), body)
}

// ListTeams returns all teams, the revoked ones too, in the order of ListKeys.
func (c *Client) ListTeams(ctx context.Context) ([]Team, error) {
	return listAll[Team](ctx, c, "/admin/v1/teams")
}

// ShowTeam returns the team with that id or name.
func (c *Client) ShowTeam(ctx context.Context, ref string) (Team, error) {
	return c.team(ctx, http.MethodGet, teamPath(ref), nil)
}

// UpdateTeam replaces what change names.
func (c *Client) UpdateTeam(ctx context.Context, ref string, change TeamChange) (Team, error) {
	body := struct {
		Name   *string         `json:"name,omitempty"`
		Models json.RawMessage `json:"models,omitempty"`
		limitsBody
		budgetsBody
	}{Name: change.Name, limitsBody: change.Limits.body(), budgetsBody: change.Budgets.body()}
	if change.Models != nil {
		var err error
		if body.Models, err = marshalModels(*change.Models); err != nil {
			return Team{}, err
		}
	}
	return c.team(ctx, http.MethodPatch, teamPath(ref)+strictly(change.Strict), body)
}

// RevokeTeam ends a team for good: its keys are refused.
func (c *Client) RevokeTeam(ctx context.Context, ref string) (Team, error) {
	return c.team(ctx, http.MethodDelete, teamPath(ref), nil)
}

func teamPath(ref string) string { return "/admin/v1/teams/" + url.PathEscape(ref) }

func (c *Client) team(ctx context.Context, method, path string, body any) (Team, error) {
	var team Team
	err := c.call(ctx, method, path, body, &team)
	return team, err
}
