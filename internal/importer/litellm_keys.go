package importer

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
)

// The tables of LiteLLM's database.
const (
	tokensTable  = "LiteLLM_VerificationToken"
	teamsTable   = "LiteLLM_TeamTable"
	budgetsTable = "LiteLLM_BudgetTable"
	rotatedTable = "LiteLLM_DeprecatedVerificationToken"
	modelsTable  = "LiteLLM_ProxyModelTable"
)

var _ Database = LiteLLM{}

// litellmBounds are the columns that limit a key or a team. A row of budgetsTable has some of them.
type litellmBounds struct {
	MaxBudget   json.Number `json:"max_budget"`
	SoftBudget  json.Number `json:"soft_budget"`
	Duration    string      `json:"budget_duration"`
	ResetAt     string      `json:"budget_reset_at"`
	TPM         *int64      `json:"tpm_limit"`
	RPM         *int64      `json:"rpm_limit"`
	TPD         *int64      `json:"tpd_limit"`
	Parallel    *int64      `json:"max_parallel_requests"`
	Spend       json.Number `json:"spend"`
	ModelBudget jsonObject  `json:"model_max_budget"`
	Limits      jsonObject  `json:"budget_limits"`
	Metadata    jsonObject  `json:"metadata"`
}

// litellmToken is a row of tokensTable.
type litellmToken struct {
	litellmBounds
	Token       string     `json:"token"`
	Name        string     `json:"key_name"`
	Alias       string     `json:"key_alias"`
	Team        string     `json:"team_id"`
	User        string     `json:"user_id"`
	Org         string     `json:"organization_id"`
	Project     string     `json:"project_id"`
	BudgetID    string     `json:"budget_id"`
	Models      []string   `json:"models"`
	Expires     string     `json:"expires"`
	Blocked     bool       `json:"blocked"`
	Aliases     jsonObject `json:"aliases"`
	Permissions jsonObject `json:"permissions"`
	Routes      []string   `json:"allowed_routes"`
	Groups      []string   `json:"access_group_ids"`
	Object      string     `json:"object_permission_id"`
	Elsewhere   jsonObject `json:"budget_fallbacks"`
}

// litellmTeam is a row of teamsTable.
type litellmTeam struct {
	litellmBounds
	ID       string   `json:"team_id"`
	Alias    string   `json:"team_alias"`
	Org      string   `json:"organization_id"`
	Models   []string `json:"models"`
	Blocked  bool     `json:"blocked"`
	ModelsID *int64   `json:"model_id"` // names other names of models
	Groups   []string `json:"access_group_ids"`
	Object   string   `json:"object_permission_id"`
}

// jsonObject is a column of any JSON.
type jsonObject json.RawMessage

// UnmarshalJSON implements json.Unmarshaler.
func (o *jsonObject) UnmarshalJSON(text []byte) error {
	*o = append((*o)[:0], text...)
	return nil
}

// empty reports whether the column says nothing.
func (o jsonObject) empty() bool {
	switch string(o) {
	case "", "null", "{}", "[]", `""`:
		return true
	}
	return false
}

// litellmAccounts is one reading of the database.
type litellmAccounts struct {
	*Draft
	now     time.Time
	groups  map[string][]string
	budgets map[string]litellmBounds
	teams   map[string]*Team // by id; nil for one that was left out
	users   map[string]*litellmUser
	stopped map[string]bool // projects that are blocked, by id
	keys    map[string]*Key // by token
}

// Accounts implements Database.
func (LiteLLM) Accounts(ctx context.Context, tx *sql.Tx, to *Draft) error {
	a := &litellmAccounts{
		Draft: to, groups: to.groups, budgets: map[string]litellmBounds{}, teams: map[string]*Team{}, users: map[string]*litellmUser{}, stopped: map[string]bool{},
		keys: map[string]*Key{},
	}
	if err := tx.QueryRowContext(ctx, `SELECT now()`).Scan(&a.now); err != nil {
		return err
	}
	if err := checkColumns(ctx, tx); err != nil {
		return err
	}
	for _, table := range []struct {
		name, key string
		need      need
		row       func(text []byte) error
	}{
		{budgetsTable, "budget_id", ifThere, a.budget},
		{usersTable, "user_id", ifReadable, a.user},
		{projectsTable, "project_id", ifReadable, a.project},
		{teamsTable, "team_id", always, a.team},
		{tokensTable, "token", always, a.token},
		{rotatedTable, "id", ifThere, a.rotated},
		{modelsTable, "model_id", ifThere, a.stored},
	} {
		if err := a.rows(ctx, tx, table.name, table.key, table.need, table.row); err != nil {
			return err
		}
	}
	a.idle()
	return a.others(ctx, tx)
}

func (a *litellmAccounts) budget(text []byte) error {
	var row struct {
		litellmBounds
		ID string `json:"budget_id"`
	}
	err := json.Unmarshal(text, &row)
	a.budgets[row.ID] = row.litellmBounds
	return err
}

// find adds a finding about a row.
func (a *litellmAccounts) find(c Class, table, row, text string) {
	a.Report.Add(Finding{File: table, Class: c, Path: row, Text: text})
}

func (a *litellmAccounts) team(text []byte) error {
	var row litellmTeam
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	name := cmp.Or(word(row.Alias), word(row.ID), "team")
	t := &Team{Name: a.Draft.teamNames.take(name, "-")}
	at := "team " + t.Name
	var none bool
	t.Models, none = a.models(row.Models, teamsTable, at)
	held := a.bounds(&row.litellmBounds, teamsTable, at)
	t.Limits, t.Budget, t.Spent, t.Ended = held.limits, held.policy, held.spent, row.Blocked || none || held.none
	if row.Blocked {
		a.find(Approximate, teamsTable, at, "it is blocked: it is revoked here, which is for good")
	}
	if row.Org != "" {
		a.find(Manual, teamsTable, at, "it belongs to an organization, whose models and budget Weir does not have: give them to its teams")
	}
	if row.ModelsID != nil {
		a.find(Unsupported, teamsTable, at, "it has other names for models: add them to models, for all")
	}
	a.granted(teamsTable, at, row.Groups, row.Object)
	if t.Name != row.Alias {
		a.find(Approximate, teamsTable, at, fmt.Sprintf("it is called %q: names are printable, without spaces, and unique", row.Alias))
	}
	a.find(Exact, teamsTable, at, "a team of that name")
	a.teams[row.ID] = t
	a.Draft.Accounts.Teams = append(a.Draft.Accounts.Teams, t)
	return nil
}

// dashboard is the team of the logins at LiteLLM's web pages.
const dashboard = "litellm-dashboard"

func (a *litellmAccounts) token(text []byte) error {
	var row litellmToken
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	name := word(row.Alias)
	if name == "" {
		name = "key-" + row.Token[:min(8, len(row.Token))]
		if strings.HasPrefix(row.Token, "sk-") { // a key in clear is no name
			name = word("key-of-" + row.User)
		}
	}
	at := "key " + name
	switch team, known := a.teams[row.Team]; {
	case row.Team == dashboard:
		a.find(Exact, tokensTable, at, "left out: it is a login at LiteLLM's web pages")
		return nil
	case row.Team != "" && !known:
		a.find(Manual, tokensTable, at, "left out: its team is missing in the database, so LiteLLM refuses it, too")
		return nil
	case manages(row.Routes):
		a.find(Manual, tokensTable, at, "left out: it may not call models, but manage LiteLLM. With Weir that takes the admin token")
		return nil
	default:
		if row.Team == "" {
			team = a.teamOf(row.User)
		}
		k := &Key{Name: a.Draft.keyNames.take(name, "-"), Team: team}
		return a.key(&row, k)
	}
}

// key converts a row. It says each thing that is not the same in Weir, and once that the key is there.
func (a *litellmAccounts) key(row *litellmToken, k *Key) error {
	at := "key " + k.Name
	digest, err := digestOf(row.Token)
	if err != nil {
		a.find(Unsupported, tokensTable, at, "left out: "+err.Error())
		return nil
	}
	k.Digest = digest
	if k.Expires, err = moment(row.Expires); err != nil {
		return err
	}
	if shared, ok := a.budgets[row.BudgetID]; ok && row.BudgetID != "" {
		row.fill(&shared)
	}
	var none bool
	k.Models, none = a.models(row.Models, tokensTable, at)
	held := a.bounds(&row.litellmBounds, tokensTable, at)
	k.Limits, k.Budget, k.Spent, k.Ended = held.limits, held.policy, held.spent, row.Blocked || a.stopped[row.Project] || none || held.none
	if row.Blocked {
		a.find(Approximate, tokensTable, at, "it is blocked: it is revoked here, which is for good")
	}
	if a.stopped[row.Project] {
		a.find(Approximate, tokensTable, at, "its project is blocked: it is revoked here, which is for good")
	}
	if row.Alias != "" && k.Name != row.Alias {
		a.find(Approximate, tokensTable, at, fmt.Sprintf("it is called %q: names are printable, without spaces, and unique", row.Alias))
	}
	for _, other := range []struct {
		set  bool
		text string
	}{
		{!row.Aliases.empty(), "it has other names for models: add them to models, for all"},
		{!row.Permissions.empty(), "it has permissions of LiteLLM's own, which Weir does not have"},
		{len(row.Routes) > 0 && !slices.Equal(row.Routes, []string{"llm_api_routes"}), "it may use some paths alone: Weir has no such limit"},
		{!row.Elsewhere.empty(), "it goes to other models when a budget is used up: Weir refuses it then"},
		{row.Project != "", "it belongs to a project, whose budget Weir does not have: give it a team"},
	} {
		if other.set {
			a.find(Unsupported, tokensTable, at, other.text)
		}
	}
	if row.Org != "" {
		a.find(Manual, tokensTable, at, "it belongs to an organization, whose models and budget Weir does not have: give it a team")
	}
	a.granted(tokensTable, at, row.Groups, row.Object)
	if other := a.Draft.addKey(k); other != nil {
		a.find(Manual, tokensTable, at, sameSecret(other))
		return nil
	}
	a.find(Exact, tokensTable, at, "a key with this digest: its callers go on with it")
	a.keys[row.Token] = k
	return nil
}

// fill takes what a key lacks from the budget that it shares.
func (b *litellmBounds) fill(shared *litellmBounds) {
	if b.MaxBudget == "" {
		b.MaxBudget, b.Duration = shared.MaxBudget, shared.Duration
	}
	if b.SoftBudget == "" {
		b.SoftBudget = shared.SoftBudget
	}
	b.TPD = cmp.Or(b.TPD, shared.TPD)
	if b.ModelBudget.empty() {
		b.ModelBudget = shared.ModelBudget
	}
	b.TPM, b.RPM, b.Parallel = cmp.Or(b.TPM, shared.TPM), cmp.Or(b.RPM, shared.RPM), cmp.Or(b.Parallel, shared.Parallel)
	if b.ResetAt == "" {
		b.ResetAt = shared.ResetAt
	}
}

// digestOf is the digest that LiteLLM keeps of a key. Old rows have the key itself.
func digestOf(token string) (auth.Digest, error) {
	if strings.HasPrefix(token, "sk-") {
		return auth.DigestOf(token), nil
	}
	var d auth.Digest
	if len(token) != hex.EncodedLen(len(d)) {
		return d, errors.New("its token is neither a digest nor a key")
	}
	if _, err := hex.Decode(d[:], []byte(token)); err != nil {
		return d, errors.New("its token is neither a digest nor a key")
	}
	return d, nil
}

// rotated lets the secret before the last go on as long as LiteLLM would.
func (a *litellmAccounts) rotated(text []byte) error {
	var row struct {
		Token  string `json:"token"`
		Now    string `json:"active_token_id"`
		Revoke string `json:"revoke_at"`
	}
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	until, err := moment(row.Revoke)
	if err != nil {
		return err
	}
	k := a.keys[row.Now]
	if k == nil || !until.After(a.now) || !until.After(k.PreviousUntil) {
		return nil
	}
	digest, err := digestOf(row.Token)
	if err != nil {
		return err
	}
	k.Previous, k.PreviousUntil = digest, until
	a.find(Exact, rotatedTable, "key "+k.Name, "its secret before the last works until then")
	return nil
}

// stored reports a model that is in the database alone.
func (a *litellmAccounts) stored(text []byte) error {
	var row struct {
		Name string `json:"model_name"`
	}
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	if a.Draft.Model(row.Name) == nil {
		a.find(Manual, modelsTable, "model "+row.Name, "it was added in LiteLLM's web pages, and its credentials are encrypted there: add it to models")
	}
	return nil
}

// models are the patterns that a key or a team has, given LiteLLM's list. none says that it may use no model, and has to be revoked: an empty list
// allows all.
func (a *litellmAccounts) models(list []string, table, at string) (kept []string, none bool) {
	var all []string
	for _, name := range list {
		switch {
		case name == "all-proxy-models" || name == "*":
			return nil, false
		case name == "all-team-models":
			list = nil // the team's list counts
		case a.groups[name] != nil:
			all = append(all, a.groups[name]...)
		case nameProblem(strings.ReplaceAll(name, "*", "x")) != "":
			a.find(Manual, table, at, fmt.Sprintf("it may use %q, which can be no name of a model here: it was left out", name))
		default:
			if name != "no-default-models" && !strings.Contains(name, "*") && a.Draft.Serves(name) == nil {
				a.find(Manual, table, at, fmt.Sprintf("it may use the model %q, which the result does not have", name))
			}
			all = append(all, name)
		}
	}
	kept, left := patterns(all)
	if left > 0 {
		a.find(Manual, table, at, tooMany(left))
	}
	if none = len(kept) == 0 && len(list) > 0; none {
		a.find(Manual, table, at, "it may use no model that has a name here, so it is revoked: create it again, with models")
	}
	return kept, none
}
