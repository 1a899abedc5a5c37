package postgres

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/store/archive"
	"github.com/weirproxy/weir/internal/stored"
)

// No column of a table that moves is forgotten, but the number of an only row.
func TestEveryColumnMoves(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	moves := map[string][]string{}
	for line := range strings.Lines(unzipped(t, exported(t, open(t, url)))) {
		var table archive.Table
		if err := json.Unmarshal([]byte(line), &table); err == nil && table.Name != "" {
			for _, column := range table.Columns {
				moves[table.Name] = append(moves[table.Name], strings.Trim(column, `"`))
			}
		}
	}
	rows, err := pool(t, url).Query("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema() AND column_name <> 'only_row'")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			t.Fatal(err)
		}
		if columns, there := moves[table]; there && !slices.Contains(columns, column) {
			t.Errorf("%s.%s stays behind", table, column)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// Responses are added up once after an import. Their sums were raised with each row before: a row that is raised 100,000 times in one transaction
// leaves as many versions of it, through all of which the next raise has to look.
func TestImportedResponsesAreAddedUpOnce(t *testing.T) {
	t.Parallel()
	const responses, bytes = 1000, 10
	url := server.Database(t)
	from, to := openFile(t), open(t, url)
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	keys := []string{"a", "b"}
	bounds := stored.Bounds{Key: 1 << 20, Total: 1 << 20}
	save := func(id int, most stored.Bounds) bool {
		row := stored.Row{ID: fmt.Sprint("resp_", id), KeyID: keys[id%len(keys)], CreatedAt: now, ExpiresAt: now.Add(time.Hour), Sealed: make([]byte, bytes)}
		db := from.DB
		if id >= responses {
			db = to.DB
		}
		saved, err := db.SaveResponse(t.Context(), row, most)
		if err != nil {
			t.Fatal(err)
		}
		return saved
	}
	for id := range responses {
		save(id, bounds)
	}
	mustImport(t, to, exported(t, from))
	database := pool(t, url)
	for _, table := range []string{"responses_size", "responses_of_keys"} {
		if n := count(t, database, "SELECT coalesce(max((ctid::text::point)[0] * 1000 + (ctid::text::point)[1]), 0)::BIGINT FROM "+table); n > 10 {
			t.Errorf("the rows of %s were written %d times", table, n)
		}
	}
	if all, one := count(t, database, "SELECT bytes FROM responses_size"), count(t, database, "SELECT bytes FROM responses_of_keys WHERE key_id = 'b'"); all != responses*bytes || one != all/2 {
		t.Errorf("%d bytes in all, and %d of a key", all, one)
	}
	if save(responses, stored.Bounds{Key: 1 << 20, Total: responses * bytes}) {
		t.Error("a response was saved for which there is no room")
	}
	if !save(responses+1, bounds) || count(t, database, "SELECT bytes FROM responses_size") != (responses+1)*bytes {
		t.Error("what is saved later does not count")
	}
}

// Each journal has a number, of which there are 1023. That of one whose rows were all forgotten goes to another, and without one that is free the error says so.
func TestNumbersOfJournalsAreUsedAgain(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	db := open(t, url)
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	ship := func(instance string, rows int) error {
		s := shipmentOf(instance, at, rows)
		at = at.Add(time.Hour)
		return db.Ship(t.Context(), s)
	}
	for _, instance := range []string{"first", "second"} {
		if err := ship(instance, 3); err != nil {
			t.Fatal(err)
		}
	}
	edit(t, url, fmt.Sprintf(`INSERT INTO shipped (number, instance, segment, "offset", last) SELECT n, 'other' || n, 1, 1, %d FROM generate_series(3, 1023) AS n`, ledger.SeqAt(at)))
	if err := ship("new", 3); err == nil || !strings.Contains(err.Error(), "ledger.keep") {
		t.Errorf("without a number that is free: %v", err)
	}
	if n, err := db.Forget(t.Context(), time.Date(2026, 3, 1, 0, 30, 0, 0, time.UTC), 100); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	if err := ship("new", 3); err != nil {
		t.Fatal(err)
	}
	list, _, err := db.Rows(t.Context(), &ledger.RowsQuery{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]int{}
	for i := range list {
		of[list[i].Instance]++
	}
	if of["second"] != 3 || of["new"] != 3 || len(of) != 2 {
		t.Errorf("rows by journal: %v", of)
	}
	if err := ship("another", 1); err == nil {
		t.Error("a journal that has rows lost its number")
	}
	if upto, _, err := db.Shipped(t.Context(), "first"); upto != (ledger.Position{}) || err != nil {
		t.Errorf("the one whose number it was: %v, %v", upto, err)
	}
	if _, err := db.Verify(t.Context(), func(d ledger.Difference) { t.Errorf("%+v", d) }); err != nil {
		t.Error(err)
	}
}

// shipmentOf is an instance's rows from a time on.
func shipmentOf(instance string, at time.Time, rows int) *ledger.Shipment {
	s := &ledger.Shipment{Instance: instance, Upto: ledger.Position{Segment: 1, Offset: at.Unix()}}
	for i := range rows {
		r := ledger.Row{Instance: instance, Seq: ledger.SeqAt(at.Add(time.Duration(i) * time.Second))}
		r.Intent = ledger.Intent{Request: "an id", Try: 1, Started: at, Key: "k", Model: "m", Provider: "p", Upstream: "u"}
		r.Outcome = "ok"
		s.Rows = append(s.Rows, r)
	}
	return s
}
