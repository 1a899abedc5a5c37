package importer

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// NewAPITables reads the tables of new-api's or one-api's database.
type NewAPITables struct{}

// newapiTables are the tables, with what is read of them. Without columns all are: what there are depends on the version.
var newapiTables = []struct {
	name, query string
	columns     []string
}{
	{"channels", `SELECT * FROM channels ORDER BY id`, nil},
	{"tokens", `SELECT * FROM tokens ORDER BY id`, []string{
		"id", "user_id", "key", "status", "name", "expired_time", "remain_quota", "unlimited_quota", "model_limits_enabled", "model_limits", "models", "allow_ips", "subnet",
		"used_quota", "group", "deleted_at",
	}},
	{"users", `SELECT * FROM users ORDER BY id`, []string{"id", "username", "status", "quota", "used_quota", "group", "deleted_at"}},
	{"options", `SELECT "key", value FROM options WHERE "key" IN ('QuotaPerUnit', 'RetryTimes', 'AutoGroups', 'UserUsableGroups', '` + strings.Join(newapiPrices, "', '") + `') ORDER BY "key"`, nil},
}

// Accounts writes the rows as the JSON that NewAPI reads. The transaction only reads.
func (NewAPITables) Accounts(ctx context.Context, tx *sql.Tx, to *bytes.Buffer) error {
	to.WriteString("{")
	for i, table := range newapiTables {
		if i > 0 {
			to.WriteString(",")
		}
		fmt.Fprintf(to, "%q:[", table.name)
		if err := tableRows(ctx, tx, table.query, table.columns, to); err != nil {
			return err
		}
		to.WriteString("]")
	}
	to.WriteString("}")
	return nil
}

// tableRows writes the rows that a query finds as objects. Without columns it writes all.
func tableRows(ctx context.Context, tx *sql.Tx, query string, columns []string, to *bytes.Buffer) error {
	found, err := tx.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer found.Close()
	names, err := found.Columns()
	if err != nil {
		return err
	}
	values, places := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		places[i] = &values[i]
	}
	for first := true; found.Next(); first = false {
		if err := found.Scan(places...); err != nil {
			return err
		}
		row := make([]string, 0, len(names))
		for i, name := range names {
			if columns != nil && !slices.Contains(columns, name) {
				continue
			}
			text, err := json.Marshal(column(values[i]))
			if err != nil {
				return err
			}
			row = append(row, quote(name)+":"+string(text))
		}
		if !first {
			to.WriteString(",")
		}
		to.WriteString("{" + strings.Join(row, ",") + "}")
		if to.Len() > maxSource {
			return errors.New(tooManyRows)
		}
	}
	return found.Err()
}

// tooManyRows says what to do about a database that is larger than any file may be.
const tooManyRows = "its tables have more rows than can be imported at once: remove keys and users that are not used any more from a copy of it, and import that"

// column is a value as JSON has it: databases give texts as bytes, too.
func column(value any) any {
	switch v := value.(type) {
	case []byte:
		return string(v)
	case time.Time:
		return v.UTC().Format(time.RFC3339)
	}
	return value
}

// withoutLines makes nodes of rows, which have no lines, and are named by their ids.
func withoutLines(n *Node, path string) {
	n.Line, n.Column, n.Path = 0, 0, path
	for _, f := range n.Fields {
		withoutLines(f.Value, below(path, f.Name))
	}
	for i, item := range n.Items {
		name := decimal(int64(i))
		if id := item.Get("id").Text(); id != "" {
			name = "id=" + id
		}
		withoutLines(item, path+"["+name+"]")
	}
}
