package importer

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

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

// need says what is to be done if a table is missing, or may not be read.
type need uint8

const (
	always     need = iota
	ifThere         // it may be missing: older versions have none
	ifReadable      // it may be missing, and where it may not be read the report says so
)

// rows calls each with the rows of a table, the oldest first, as JSON: what columns it has depends on LiteLLM's version.
func (a *litellmAccounts) rows(ctx context.Context, tx *sql.Tx, table, key string, n need, each func(text []byte) error) error {
	if n != always {
		var there, readable bool
		const query = `SELECT to_regclass($1) IS NOT NULL, coalesce(has_table_privilege(to_regclass($1), 'SELECT'), false)`
		if err := tx.QueryRowContext(ctx, query, `"`+table+`"`).Scan(&there, &readable); err != nil || !there {
			return err
		}
		if n == ifReadable && !readable {
			a.find(Manual, table, "all rows", "this user may not read the table, so budgets and limits in it are lost: grant it SELECT, and import again")
			return nil
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
			if strings.HasPrefix(err.Error(), "json: ") { // with the value
				return fmt.Errorf("the table %s has a value of a form that is not known here: it is of another version of LiteLLM", table)
			}
			return fmt.Errorf("table %s: %w", table, err)
		}
	}
	return found.Err()
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
