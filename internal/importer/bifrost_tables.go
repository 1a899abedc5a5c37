package importer

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
)

// BifrostTables reads the database that Bifrost keeps its config in.
type BifrostTables struct {
	File bool // it is a file of SQLite, and no database in Postgres
}

// sqlBool is a boolean, which SQLite has as a number.
type sqlBool bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *sqlBool) UnmarshalJSON(text []byte) error {
	*f = string(text) == "true" || string(text) == "1"
	return nil
}

// bifrostRows are the rows of Bifrost's tables, with the columns that are read. What they lack depends on the version.
type bifrostRows struct {
	providers                        []bifrostProviderRow
	keys                             []bifrostKeyRow
	virtual                          []bifrostVirtualRow
	configs                          []bifrostConfigRow
	some                             []bifrostSomeRow
	budgets, rates, teams, customers []json.RawMessage
	rules, models, plugins, clients  []json.RawMessage
	deny                             bool // empty lists allow nothing
}

// Columns of tables whose rows are passed on as they are.
const (
	bifrostOwner   = "team_id virtual_key_id provider_config_id model_config_id customer_id"
	bifrostBudget  = "id max_limit reset_duration last_reset current_usage override_amount override_mode calendar_aligned " + bifrostOwner
	bifrostRate    = "id token_max_limit token_reset_duration request_max_limit request_reset_duration"
	bifrostHolders = "id name customer_id budget_id rate_limit_id calendar_aligned"
)

// Accounts writes what the tables have as the JSON that Bifrost reads: a config.json with all of it. The transaction only reads.
func (b BifrostTables) Accounts(ctx context.Context, tx *sql.Tx, to *bytes.Buffer) error {
	var all bifrostRows
	for _, table := range []struct {
		name    string
		needed  bool
		columns string
		into    any
	}{
		{"config_providers", true, "", &all.providers},
		{"config_keys", true, "", &all.keys},
		{"governance_virtual_keys", true, "", &all.virtual},
		{"governance_virtual_key_provider_configs", false, "", &all.configs},
		{"governance_virtual_key_provider_config_keys", false, "", &all.some},
		{"governance_budgets", false, bifrostBudget, &all.budgets},
		{"governance_rate_limits", false, bifrostRate, &all.rates},
		{"governance_teams", false, bifrostHolders, &all.teams},
		{"governance_customers", false, bifrostHolders, &all.customers},
		{"routing_rules", false, "id name", &all.rules},
		{"governance_model_configs", false, "id model_name provider", &all.models},
		{"config_plugins", false, "name", &all.plugins},
		{"config_mcp_clients", false, "name", &all.clients},
	} {
		if err := b.rows(ctx, tx, table.name, table.needed, strings.Fields(table.columns), table.into); err != nil {
			return err
		}
	}
	var err error
	if all.deny, err = b.has(ctx, tx, "governance_virtual_key_provider_configs", "allow_all_keys"); err != nil {
		return err
	}
	return json.NewEncoder(to).Encode(all.config())
}

// rows reads the rows of a table. One that is not needed may be missing.
func (b BifrostTables) rows(ctx context.Context, tx *sql.Tx, table string, needed bool, columns []string, into any) error {
	if !needed {
		if there, err := b.has(ctx, tx, table, ""); err != nil || !there {
			return err
		}
	}
	if len(columns) == 0 {
		columns = nil // all
	}
	var text bytes.Buffer
	text.WriteString("[")
	if err := tableRows(ctx, tx, `SELECT * FROM `+table+` ORDER BY 1`, columns, &text); err != nil {
		return err
	}
	text.WriteString("]")
	if json.Unmarshal(text.Bytes(), into) != nil {
		return fmt.Errorf("the table %s has a column of a type that is not known here: it is of another version of Bifrost", table)
	}
	return nil
}

// has reports whether there is a table, with a column of that name if one is named.
func (b BifrostTables) has(ctx context.Context, tx *sql.Tx, table, column string) (there bool, err error) {
	query := `SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass($1) AND ($2 = '' OR attname = $2) AND NOT attisdropped)`
	if b.File {
		query = `SELECT EXISTS (SELECT 1 FROM pragma_table_info($1) WHERE $2 = '' OR name = $2)`
	}
	err = tx.QueryRowContext(ctx, query, table, column).Scan(&there)
	return there, err
}
