package tables

import (
	"slices"
	"strings"
)

// archived is a table that an archive has.
type archived struct {
	name    string
	columns []Column
	order   string // the columns of the primary key
	one     bool   // its only row is there from the start
	sums    bool   // it has the columns of sums, which are compared at the end
	request bool   // it has the ids of requests, which databases hold in different ways
	shared  bool   // only databases have it that replicas share
}

// columnsAs reads columns as they are written below: "id integer, rates text null".
func columnsAs(text string) (columns []Column) {
	kinds := map[string]Kind{
		"integer": Integer, "text": Text, "bytes": Bytes, "boolean": Boolean, "integer null": IntegerOrNull, "text null": TextOrNull, "bytes null": BytesOrNull,
	}
	for column := range strings.SplitSeq(text, ", ") {
		name, kind, _ := strings.Cut(column, " ")
		columns = append(columns, Column{name, kinds[kind]})
	}
	return columns
}

// archivedTables are all that an archive has, in their order. What they lack is made from them, or means nothing elsewhere: the history of the
// schema, the sizes of responses and of answers, the rates and places of a moment.
func archivedTables() []archived {
	all := []archived{
		{name: "names", columns: columnsAs(`id integer, kind integer, text text`), order: "id"},
		{name: "prices", columns: columnsAs(`id integer, hash integer, rates text null`), order: "id"},
		{name: "shipped", columns: columnsAs(`number integer, instance text, segment integer, "offset" integer, last integer`), order: "number"},
		{name: "zones", columns: columnsAs(`since integer, name text`), order: "since"},
		{name: "forgotten", columns: columnsAs(`upto integer`), order: "upto", one: true},
		{name: "keys_version", columns: columnsAs(`version integer`), order: "version", one: true},
		{name: "teams", columns: columnsAs(`id text, name text, models text, limits text null, spending text null, created_at integer, revoked_at integer null, version integer`), order: "id"},
		{name: "keys", columns: columnsAs(`id text, name text, digest bytes, previous_digest bytes null, previous_until integer null, models text, may_explain boolean, created_at integer, expires_at integer null, revoked_at integer null, cut boolean, team text null, limits text null, spending text null, idempotency integer null, version integer`), order: "id"},
		{name: "model_lists", columns: columnsAs(`provider text, list bytes, fetched_at integer`), order: "provider"},
		{name: rowsUpsert.Table, columns: rowsUpsert.Columns, order: "id", request: true},
	}
	sums := []Upsert{tagsUpsert, tagDaysUpsert, tagWeeksUpsert}
	for i := range sumsTables {
		sums = append(sums, sumsTables[i].upsert())
	}
	for _, u := range sums {
		all = append(all, archived{name: u.Table, columns: u.Columns, order: strings.Join(u.Keys, ", "), sums: true})
	}
	for _, u := range speedUpserts() {
		all = append(all, archived{name: u.Table, columns: u.Columns, order: strings.Join(u.Keys, ", ")})
	}
	return append(all,
		archived{name: "taglines", columns: columnsAs(`at integer, key integer, lines integer`), order: "at, key"},
		archived{name: "responses", columns: columnsAs(`id text, key_id text, size integer, created_at integer, expires_at integer, sealed bytes`), order: "id"},
		archived{name: "idempotent", columns: columnsAs(`name bytes, key_id text, request bytes, instance text, epoch text, size integer, created_at integer, until integer, answer bytes null`), order: "name"},
		archived{name: "escrow_replicas", columns: columnsAs(`id text, began integer, process integer, number integer, outcome integer, seen_at integer, replicas integer, forgotten boolean, name text, config text, left_at integer, program text, steps integer, there_since integer`), order: "id", shared: true},
		archived{name: "escrow_spans", columns: columnsAs(`budget text, period integer, most integer, version integer, earlier integer, granted integer, used integer, wanted_until integer, wanted_by text`), order: "budget, period", shared: true},
		archived{name: leasesTable, columns: columnsAs(`budget text, period integer, replica text, granted integer, used integer, doubt integer, shipped integer`), order: "budget, period, replica", shared: true},
	)
}

const leasesTable = "escrow_leases"

// names are the columns' names.
func (a *archived) names() []string {
	names := make([]string, len(a.columns))
	for i, c := range a.columns {
		names[i] = c.Name
	}
	return names
}

// in reports whether a table has the columns, in their order.
func (a *archived) in(columns []string) bool { return slices.Equal(a.names(), columns) }

// sumPlaces are the places of the columns of sums.
func (a *archived) sumPlaces() (from, to int) {
	if !a.sums {
		return 0, 0
	}
	return len(a.columns) - len(sumColumnsRaised), len(a.columns)
}

func (a *archived) selectAll() string {
	return `SELECT ` + strings.Join(a.names(), ", ") + ` FROM ` + a.name + ` ORDER BY ` + a.order
}

// totals is a statement that counts the rows, and adds up the sums.
func (a *archived) totals() string {
	query := `SELECT count(*)`
	from, to := a.sumPlaces()
	for _, c := range a.columns[from:to] {
		query += `, CAST(coalesce(sum(` + c.Name + `), 0) AS BIGINT)`
	}
	return query + ` FROM ` + a.name
}
