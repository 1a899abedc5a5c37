package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/weirproxy/weir/internal/store/tables"
)

// bulk writes any number of rows with one statement, which gets a list of values for each column.
type bulk struct {
	text    string
	columns []tables.Column
}

// types are those of the kinds of columns.
var types = [...]string{
	tables.Integer: "BIGINT", tables.Text: "TEXT", tables.Bytes: "BYTEA", tables.Boolean: "BOOLEAN",
	tables.IntegerOrNull: "BIGINT", tables.TextOrNull: "TEXT", tables.BytesOrNull: "BYTEA",
}

func newBulk(_ context.Context, u tables.Upsert) (tables.Bulk, error) {
	lists := make([]string, len(u.Columns))
	for i, c := range u.Columns {
		lists[i] = fmt.Sprintf("$%d::%s[]", i+1, types[c.Kind])
	}
	return &bulk{u.Head() + "SELECT * FROM unnest(" + strings.Join(lists, ", ") + ")" + u.Tail("least"), u.Columns}, nil
}

// Run implements tables.Bulk.
func (b *bulk) Run(ctx context.Context, tx *sql.Tx, args []any) error {
	if len(args) == 0 {
		return nil
	}
	lists := make([]any, len(b.columns))
	for i, c := range b.columns {
		switch c.Kind {
		case tables.Integer:
			lists[i] = list[int64](args, i, len(b.columns))
		case tables.Text:
			lists[i] = list[string](args, i, len(b.columns))
		case tables.Bytes:
			lists[i] = list[[]byte](args, i, len(b.columns))
		case tables.Boolean:
			lists[i] = list[bool](args, i, len(b.columns))
		case tables.IntegerOrNull:
			lists[i] = listOrNull[int64](args, i, len(b.columns))
		case tables.TextOrNull:
			lists[i] = listOrNull[string](args, i, len(b.columns))
		case tables.BytesOrNull:
			lists[i] = listOrNull[[]byte](args, i, len(b.columns))
		}
	}
	_, err := tx.ExecContext(ctx, b.text, lists...)
	return err
}

// list is one column of rows that have so many.
func list[T any](args []any, column, columns int) []T {
	values := make([]T, 0, len(args)/columns)
	for i := column; i < len(args); i += columns {
		values = append(values, args[i].(T)) // of its column's kind
	}
	return values
}

// listOrNull is the same where a value may be nil.
func listOrNull[T any](args []any, column, columns int) []*T {
	values := make([]*T, 0, len(args)/columns)
	for i := column; i < len(args); i += columns {
		if value, there := args[i].(T); there {
			values = append(values, &value)
		} else {
			values = append(values, nil)
		}
	}
	return values
}
