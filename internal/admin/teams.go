package admin

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
)

// Team is a team of keys as the admin API shows it. Times that do not apply are nil.
type Team struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Models []string `json:"models"` // patterns; nil allows all
	Limits
	Budgets
	CreatedAt *time.Time  `json:"created_at"`
	RevokedAt *time.Time  `json:"revoked_at"`
	Source    Source      `json:"source"`
	Status    auth.Status `json:"status"`
	Warnings  []string    `json:"warnings"` // as those of a key
}

// fields are what the log has of the team that an answer is about.
func (t Team) fields() []any { return []any{"team_id", t.ID, "team", t.Name} }

func (h *Handler) showTeam(team auth.Team) Team {
	shown := Team{
		ID: team.ID, Name: team.Name, Limits: showLimits(team.Limits), Budgets: showBudgets(team.Spending), Source: FromStore, Status: team.Status(),
		CreatedAt: orNil(team.CreatedAt), RevokedAt: orNil(team.RevokedAt), Warnings: []string{},
	}
	if len(team.Models) > 0 {
		shown.Models = team.Models
	}
	if team.FromFile {
		shown.Source = FromConfig
	}
	return shown
}

func (h *Handler) listTeams(r *http.Request) (any, error) {
	cursor, limit, err := readPage(r)
	if err != nil {
		return nil, err
	}
	list, err := h.Keys.ListTeams(cursor, limit)
	if err != nil {
		return nil, err
	}
	return pageOf(list.Teams, h.showTeam, list.Next), nil
}

func (h *Handler) createTeam(r *http.Request) (any, error) {
	var draft auth.TeamDraft
	var models patterns
	var limits limitValues
	var budgets budgetValues
	strict, err := readFlag(r, "strict")
	if err == nil {
		err = readObject(r, append(append(limits.members(), budgets.members()...), member{"name", &draft.Name}, member{"models", &models})...)
	}
	if err != nil {
		return nil, err
	}
	draft.Models, draft.Limits, draft.Spending = models.list, limits.limits(), budgets.policy()
	if err := draft.Check(); err != nil {
		return nil, err
	}
	warnings, err := h.warn(draft.Models, strict)
	if err != nil {
		return nil, err
	}
	team, err := h.Keys.CreateTeam(r.Context(), draft)
	return h.answerTeam(team, err, warnings)
}

func (h *Handler) oneTeam(r *http.Request) (any, error) {
	if err := readQuery(r); err != nil {
		return nil, err
	}
	team, err := h.Keys.ShowTeam(r.PathValue("team"))
	return h.answerTeam(team, err, nil)
}

func (h *Handler) updateTeam(r *http.Request) (any, error) {
	var change auth.TeamChange
	var models patterns
	var limits limitValues
	var budgets budgetValues
	strict, err := readFlag(r, "strict")
	if err == nil {
		err = readObject(r, append(append(limits.members(), budgets.members()...), member{"name", &change.Name}, member{"models", &models})...)
	}
	if err != nil {
		return nil, err
	}
	if models.given {
		change.Models = &models.list
	}
	change.Limits, change.Spending = limits.change(), budgets.change()
	if err := change.Check(); err != nil {
		return nil, err
	}
	warnings, err := h.warn(models.list, strict)
	if err != nil {
		return nil, err
	}
	team, err := h.Keys.UpdateTeam(r.Context(), r.PathValue("team"), change)
	return h.answerTeam(team, err, warnings)
}

func (h *Handler) revokeTeam(r *http.Request) (any, error) {
	if err := readQuery(r); err != nil {
		return nil, err
	}
	team, err := h.Keys.RevokeTeam(r.Context(), r.PathValue("team"))
	return h.answerTeam(team, err, nil)
}

func (h *Handler) answerTeam(team auth.Team, err error, warnings []string) (any, error) {
	if err != nil {
		return nil, err
	}
	shown := h.showTeam(team)
	if warnings != nil {
		shown.Warnings = warnings
	}
	return shown, nil
}

// teamRef reads a team's id or name, or null for none.
type teamRef struct {
	given bool
	ref   string
}

func (t *teamRef) UnmarshalJSON(text []byte) error {
	t.given = true
	if bytes.Equal(text, []byte("null")) {
		return nil
	}
	if err := json.Unmarshal(text, &t.ref); err != nil || t.ref == "" {
		return &llm.Error{Kind: llm.InvalidType, Message: "the id or name of a team, or null for none, is expected."}
	}
	return nil
}
