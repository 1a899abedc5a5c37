package admin

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
)

// Key is an API key as the admin API shows it. Times that do not apply are nil.
type Key struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Models []string `json:"models"`  // patterns; nil allows all
	TeamID *string  `json:"team_id"` // nil for none
	Team   *string  `json:"team"`    // its team's name; nil for none, and for one that this Weir does not know
	Limits
	Budgets
	Explain       bool        `json:"explain"`     // its requests may ask what was tried for them
	Idempotency   *string     `json:"idempotency"` // how long answers to requests with an Idempotency-Key are kept, such as 24h; nil refuses the header
	CreatedAt     *time.Time  `json:"created_at"`
	ExpiresAt     *time.Time  `json:"expires_at"`
	RevokedAt     *time.Time  `json:"revoked_at"`
	PreviousUntil *time.Time  `json:"previous_until"` // until when the secret before the last rotation works
	Source        Source      `json:"source"`
	Status        auth.Status `json:"status"`
	Unsaved       *Unsaved    `json:"unsaved"`  // nil unless the store lacks the key's revocation
	Warnings      []string    `json:"warnings"` // about the change that this answers, such as a pattern that matches no model; never null
}

// Unsaved says that a key is revoked in one process, and that its store does not have that yet.
type Unsaved struct {
	Reason          string `json:"reason"`           // why it could not be written
	SurvivesRestart bool   `json:"survives_restart"` // it is in the journal; else the key works again after a restart
}

// fields are what the log has of the key that an answer is about.
func (k Key) fields() []any { return []any{"key_id", k.ID, "key", k.Name} }

// Source is where a key or a team lives.
type Source string

// The sources. What is in the config is changed there, not here.
const (
	FromStore  Source = "store"
	FromConfig Source = "config"
)

// minted is a key with the one copy of its secret.
type minted struct {
	Secret string `json:"key"`
	Key
}

// page is one part of a list.
type page[T any] struct {
	Data []T     `json:"data"`
	Next *string `json:"next"` // a cursor, null after the last
}

// pageOf shows a part of a list.
func pageOf[From, To any](list []From, show func(From) To, next string) page[To] {
	shown := page[To]{Data: make([]To, len(list))}
	for i := range list {
		shown.Data[i] = show(list[i])
	}
	if next != "" {
		shown.Next = &next
	}
	return shown
}

const defaultLimit = 100

func (h *Handler) show(key auth.Key) Key {
	shown := Key{
		ID: key.ID, Name: key.Name, Explain: key.Explain, Idempotency: formatOrNil(key.Idempotency), Limits: showLimits(key.Limits), Budgets: showBudgets(key.Spending), Source: FromStore, Status: key.Status(h.Now()),
		CreatedAt: orNil(key.CreatedAt), ExpiresAt: orNil(key.ExpiresAt), RevokedAt: orNil(key.RevokedAt), Warnings: []string{},
	}
	if len(key.Models) > 0 {
		shown.Models = key.Models
	}
	if key.PreviousUntil.After(h.Now()) {
		shown.PreviousUntil = orNil(key.PreviousUntil)
	}
	if key.TeamID != "" {
		shown.TeamID = &key.TeamID
	}
	if key.Team != nil {
		shown.Team = &key.Team.Name
	}
	if key.FromFile {
		shown.Source = FromConfig
	}
	if key.Unsaved != nil {
		shown.Unsaved = &Unsaved{key.Unsaved.Cause.Error(), key.Unsaved.Marked}
	}
	return shown
}

func orNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// readPage reads which part of a list is asked for.
func readPage(r *http.Request) (cursor string, limit int, err error) {
	if err := readQuery(r, "cursor", "limit"); err != nil {
		return "", 0, err
	}
	limit = defaultLimit
	if text := r.URL.Query().Get("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil {
			return "", 0, &llm.Error{Kind: llm.InvalidValue, Param: "limit", Message: "limit is a whole number."}
		}
	}
	return r.URL.Query().Get("cursor"), limit, nil
}

func (h *Handler) listKeys(r *http.Request) (any, error) {
	cursor, limit, err := readPage(r)
	if err != nil {
		return nil, err
	}
	list, err := h.Keys.List(cursor, limit)
	if err != nil {
		return nil, err
	}
	return pageOf(list.Keys, h.show, list.Next), nil
}

// keyValues are what a body says of a key, whether it is made or changed.
type keyValues struct {
	models  patterns
	team    teamRef
	expires instant
	limits  limitValues
	budgets budgetValues
	kept    keptFor
}

// read reads a request's body, into name and explain too, and whether the query is strict.
func (v *keyValues) read(r *http.Request, name, explain any) (strict bool, err error) {
	strict, err = readFlag(r, "strict")
	if err == nil {
		own := []member{{"name", name}, {"models", &v.models}, {"expires_at", &v.expires}, {"explain", explain}, {"team", &v.team}, {"idempotency", &v.kept}}
		err = readObject(r, slices.Concat(v.limits.members(), v.budgets.members(), own)...)
	}
	return strict, err
}

func (h *Handler) createKey(r *http.Request) (any, error) {
	var draft auth.Draft
	var values keyValues
	strict, err := values.read(r, &draft.Name, &draft.Explain)
	if err != nil {
		return nil, err
	}
	draft.Models, draft.ExpiresAt, draft.Team = values.models.list, values.expires.at, values.team.ref
	draft.Limits, draft.Spending, draft.Idempotency = values.limits.limits(), values.budgets.policy(), values.kept.keep
	if err := draft.Check(h.Now()); err != nil {
		return nil, err
	}
	warnings, err := h.warn(draft.Models, strict)
	if err != nil {
		return nil, err
	}
	key, text, err := h.Keys.Create(r.Context(), draft)
	if err != nil {
		return nil, err
	}
	made := minted{text.Reveal(), h.show(key)}
	made.Warnings = warnings
	return made, nil
}

// warn returns a warning for each pattern that matches no model today. They may wait for models that come later, so they are an
// error only if strict.
func (h *Handler) warn(patterns []string, strict bool) ([]string, error) {
	warnings := []string{}
	if len(patterns) > 0 {
		for _, one := range h.Unmatched(patterns) {
			warnings = append(warnings, "models: "+one)
		}
	}
	if strict && len(warnings) > 0 {
		return nil, &llm.Error{Kind: llm.InvalidValue, Param: "models", Message: strings.Join(warnings, "\n")}
	}
	return warnings, nil
}

func (h *Handler) showKey(r *http.Request) (any, error) {
	if err := readQuery(r); err != nil {
		return nil, err
	}
	return h.answer(h.Keys.Show(r.PathValue("key")))
}

func (h *Handler) updateKey(r *http.Request) (any, error) {
	var change auth.Change
	var values keyValues
	strict, err := values.read(r, &change.Name, &change.Explain)
	if err != nil {
		return nil, err
	}
	if values.models.given {
		change.Models = &values.models.list
	}
	if values.expires.given {
		change.ExpiresAt = &values.expires.at
	}
	if values.team.given {
		change.Team = &values.team.ref
	}
	change.Limits, change.Spending, change.Idempotency = values.limits.change(), values.budgets.change(), values.kept.change()
	if err := change.Check(h.Now()); err != nil {
		return nil, err
	}
	warnings, err := h.warn(values.models.list, strict)
	if err != nil {
		return nil, err
	}
	key, err := h.Keys.Update(r.Context(), r.PathValue("key"), change)
	if err != nil {
		return nil, err
	}
	changed := h.show(key)
	changed.Warnings = warnings
	return changed, nil
}

func (h *Handler) rotateKey(r *http.Request) (any, error) {
	var grace string
	err := readQuery(r)
	if err == nil {
		err = readObject(r, member{"grace", &grace})
	}
	if err != nil {
		return nil, err
	}
	var wait time.Duration
	if grace != "" {
		if wait, err = ParseDuration(grace); err != nil {
			return nil, &llm.Error{Kind: llm.InvalidValue, Param: "grace", Message: "grace: " + err.Error() + "."}
		}
	}
	key, text, err := h.Keys.Rotate(r.Context(), r.PathValue("key"), wait)
	if err != nil {
		return nil, err
	}
	return minted{text.Reveal(), h.show(key)}, nil
}

func (h *Handler) revokeKey(r *http.Request) (any, error) {
	now, err := readFlag(r, "now")
	if err != nil {
		return nil, err
	}
	return h.answer(h.Keys.Revoke(r.Context(), r.PathValue("key"), now))
}

func (h *Handler) answer(key auth.Key, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return h.show(key), nil
}
