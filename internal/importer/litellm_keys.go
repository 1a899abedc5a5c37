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
	"github.com/weirproxy/weir/internal/budget"
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
	keys    map[string]*Key  // by token
	names   map[string]bool  // of keys
}

// Accounts implements Database.
func (LiteLLM) Accounts(ctx context.Context, tx *sql.Tx, to *Draft) error {
	a := &litellmAccounts{Draft: to, groups: to.groups, budgets: map[string]litellmBounds{}, teams: map[string]*Team{}, keys: map[string]*Key{}, names: map[string]bool{}}
	if err := tx.QueryRowContext(ctx, `SELECT now()`).Scan(&a.now); err != nil {
		return err
	}
	if err := checkColumns(ctx, tx); err != nil {
		return err
	}
	for _, table := range []struct {
		name, key string
		needed    bool
		row       func(text []byte) error
	}{{budgetsTable, "budget_id", false, a.budget}, {teamsTable, "team_id", true, a.team}, {tokensTable, "token", true, a.token}, {rotatedTable, "id", false, a.rotated}, {modelsTable, "model_id", false, a.stored}} {
		if err := rows(ctx, tx, table.name, table.key, table.needed, table.row); err != nil {
			return err
		}
	}
	return nil
}

// checkColumns checks that the tables are LiteLLM's.
func checkColumns(ctx context.Context, tx *sql.Tx) error {
	for _, needed := range []struct{ table, column string }{{tokensTable, "token"}, {tokensTable, "models"}, {teamsTable, "team_id"}} {
		var there bool
		const query = `SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = $2 AND NOT attisdropped)`
		if err := tx.QueryRowContext(ctx, query, `"`+needed.table+`"`, needed.column).Scan(&there); err != nil {
			return err
		}
		if !there {
			return fmt.Errorf("it has no table %s with a column %s: it is no database of LiteLLM's, or of a version that is not known here, or the tables are in another schema (?schema=NAME)", needed.table, needed.column)
		}
	}
	return nil
}

// rows calls each with the rows of a table, the oldest first, as JSON: what columns it has depends on LiteLLM's version. A table that is not needed
// may be missing.
func rows(ctx context.Context, tx *sql.Tx, table, key string, needed bool, each func(text []byte) error) error {
	if !needed {
		var there bool
		if err := tx.QueryRowContext(ctx, `SELECT to_regclass($1) IS NOT NULL`, `"`+table+`"`).Scan(&there); err != nil || !there {
			return err
		}
	}
	found, err := tx.QueryContext(ctx, `SELECT to_jsonb(t) FROM "`+table+`" t ORDER BY to_jsonb(t)->>'created_at', to_jsonb(t)->>'`+key+`'`)
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		var text []byte
		if err := found.Scan(&text); err != nil {
			return err
		}
		if err := each(text); err != nil {
			var wrong *json.UnmarshalTypeError
			if errors.As(err, &wrong) {
				return fmt.Errorf("the table %s has a column %s of a type that is not known here: it is of another version of LiteLLM", table, wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:])
			}
			return fmt.Errorf("table %s: %w", table, err)
		}
	}
	return found.Err()
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
	name := word(row.Alias)
	if name == "" {
		name = word(row.ID)
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(a.Draft.Accounts.Teams, func(t *Team) bool { return t.Name == name })
	}
	t := &Team{Name: Unused(name, taken), Ended: row.Blocked}
	at := "team " + t.Name
	t.Models = a.models(row.Models, teamsTable, at)
	t.Limits, t.Budget, t.Spent = a.bounds(&row.litellmBounds, teamsTable, at)
	if row.Blocked {
		a.find(Approximate, teamsTable, at, "it is blocked: it is revoked here, which is for good")
	}
	if row.Org != "" {
		a.find(Manual, teamsTable, at, "it belongs to an organization, whose models and budget Weir does not have: give them to its teams")
	}
	if row.ModelsID != nil {
		a.find(Unsupported, teamsTable, at, "it has other names for models: add them to models, for all")
	}
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
	default:
		k := &Key{Name: Unused(name, func(name string) bool { return a.names[name] }), Team: team, Ended: row.Blocked}
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
	k.Models = a.models(row.Models, tokensTable, at)
	k.Limits, k.Budget, k.Spent = a.bounds(&row.litellmBounds, tokensTable, at)
	if row.Blocked {
		a.find(Approximate, tokensTable, at, "it is blocked: it is revoked here, which is for good")
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
		{len(row.Routes) > 0, "it may use some paths alone: Weir has no such limit"},
		{row.Project != "", "it belongs to a project, whose budget Weir does not have: give it a team"},
	} {
		if other.set {
			a.find(Unsupported, tokensTable, at, other.text)
		}
	}
	if row.Org != "" {
		a.find(Manual, tokensTable, at, "it belongs to an organization, whose models and budget Weir does not have: give it a team")
	}
	a.find(Exact, tokensTable, at, "a key with this digest: its callers go on with it")
	a.names[k.Name], a.keys[row.Token] = true, k
	a.Draft.Accounts.Keys = append(a.Draft.Accounts.Keys, k)
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

// models are the patterns that a key or a team has, given LiteLLM's list.
func (a *litellmAccounts) models(list []string, table, at string) (patterns []string) {
	for _, name := range list {
		switch {
		case name == "all-proxy-models" || name == "*":
			return nil
		case name == "all-team-models":
			continue
		case a.groups[name] != nil:
			patterns = append(patterns, a.groups[name]...)
			continue
		case name != "no-default-models" && !strings.Contains(name, "*") && a.Draft.Serves(name) == nil:
			a.find(Manual, table, at, fmt.Sprintf("it may use the model %q, which the result does not have", name))
		}
		patterns = append(patterns, name)
	}
	slices.Sort(patterns)
	return slices.Compact(patterns)
}

// bounds are the limits and the budget of a key or a team, and what it has spent of the budget.
func (a *litellmAccounts) bounds(b *litellmBounds, table, at string) (limits auth.Limits, policy *budget.Policy, spent int64) {
	for _, limit := range []struct {
		name string
		from *int64
		to   *int64
	}{{"rpm_limit", b.RPM, &limits.Requests}, {"tpm_limit", b.TPM, &limits.Tokens}, {"max_parallel_requests", b.Parallel, &limits.Concurrent}} {
		switch {
		case limit.from == nil:
		case *limit.from <= 0:
			*limit.to = 1
			a.find(Approximate, table, at, fmt.Sprintf("%s is %d, which lets nothing through: it is 1, the least that Weir has; revoke it if nothing is to pass", limit.name, *limit.from))
		case *limit.from <= auth.MaxLimit:
			*limit.to = *limit.from
		default:
			a.find(Approximate, table, at, limit.name+" is more than Weir counts: no limit")
		}
	}
	if !b.ModelBudget.empty() || !b.Limits.empty() {
		a.find(Unsupported, table, at, "it has budgets of single models, which Weir does not have")
	}
	var within struct { // limits that LiteLLM keeps in the metadata
		RPM      jsonObject `json:"model_rpm_limit"`
		TPM      jsonObject `json:"model_tpm_limit"`
		Parallel jsonObject `json:"model_max_parallel_requests"`
	}
	if json.Unmarshal(b.Metadata, &within) == nil && !(within.RPM.empty() && within.TPM.empty() && within.Parallel.empty()) {
		a.find(Unsupported, table, at, "it has limits of single models, which Weir does not have: set rpm and tpm at the targets")
	}
	spent = nano(b.Spend)
	if reset, err := moment(b.ResetAt); err == nil && !reset.IsZero() && !reset.After(a.now) {
		spent = 0 // it is about to be set back
	}
	if b.MaxBudget == "" {
		return limits, nil, spent
	}
	policy, spent, approximate := policyOf(b, spent)
	if approximate != "" {
		a.find(Approximate, table, at, approximate)
	}
	return limits, policy, spent
}

// word is a text as the name of a key or a team: printable and without spaces.
func word(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '\t' || r == '/':
			return '-'
		case nameProblem("a"+string(r)) != "" && r != '*':
			return -1
		}
		return r
	}, strings.TrimSpace(text))
	for len(text) > 200 {
		text = text[:len(text)-1]
	}
	return strings.ToValidUTF8(strings.Trim(text, "."), "")
}

// moment is a time of the database, which has no zone and is in UTC; zero for none.
func moment(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05.999999999", time.RFC3339Nano} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time", text)
}
