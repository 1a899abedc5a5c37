package postgres

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/escrow"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/store"
)

// What two later versions change: the first adds a column and takes away the one that it replaces, the second adds another.
var (
	widen  = store.Step{Name: "0901_add.sql", Text: "ALTER TABLE keys ADD COLUMN title TEXT; UPDATE keys SET title = name;"}
	narrow = store.Step{Name: "0902_drop.contract.sql", Text: "ALTER TABLE model_lists DROP COLUMN fetched_at;"}
	after  = store.Step{Name: "0903_more.sql", Text: "CREATE TABLE later (x BIGINT);"}
)

func member(t *testing.T, db *DB, id string) {
	t.Helper()
	(&sharer{t, NewEscrow(db, nothing), escrow.Statement{Replica: id, Epoch: escrow.Epoch{Began: 1}, Whole: true}}).say()
}

// works fails unless a store of this version does its work.
func works(t *testing.T, db *DB, name string) {
	t.Helper()
	key := auth.Key{ID: name, Name: name, Digest: auth.DigestOf(name), CreatedAt: time.Unix(1, 0)}
	if _, err := db.InsertKey(t.Context(), key); err != nil {
		t.Error(err)
	}
	row := ledger.Row{Instance: "i", Seq: ledger.SeqAt(time.Unix(1_800_000_000, 0)) + ledger.Seq(len(name)), Intent: ledger.Intent{Key: name}}
	if err := db.Ship(t.Context(), &ledger.Shipment{Instance: "i", Rows: []ledger.Row{row}}); err != nil {
		t.Error(err)
	}
	if _, err := db.Verify(t.Context(), func(d ledger.Difference) { t.Errorf("%+v", d) }); err != nil {
		t.Error(err)
	}
	if err := db.SaveModelList(t.Context(), store.ModelList{Provider: name, JSON: []byte("[]"), FetchedAt: time.Unix(1, 0)}); err != nil {
		t.Error(err)
	}
}

// A later version adds while this one serves, and takes away only when this one has not been seen for an hour. Then this one is refused.
func TestContractingStepsWaitForOlderReplicas(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	db := open(t, url)
	member(t, db, "old")
	steps := append(slices.Clone(migrations()), widen, narrow)
	waiting, err := migrate(t.Context(), db.pool, steps, "2.0.0")
	if want := "(0902_drop.contract.sql) waits until these have not been seen for an hour: old (Weir dev)"; err != nil || !strings.Contains(waiting, want) {
		t.Fatalf("%q, %v, want %q", waiting, err, want)
	}
	if n := count(t, db.pool, "SELECT count(*) FROM weir_migrations"); n != len(steps)-1 {
		t.Errorf("%d steps of %d are taken", n, len(steps))
	}
	works(t, db, "beside")
	_, err = migrate(t.Context(), db.pool, append(slices.Clone(steps), after), "3.0.0")
	if err == nil || !strings.Contains(err.Error(), "This Weir (3.0.0) needs the steps after it") {
		t.Errorf("the version after the next: %v", err)
	}
	edit(t, url, "UPDATE escrow_replicas SET seen_at = seen_at - 3601000000")
	if waiting, err := migrate(t.Context(), db.pool, steps, "2.0.0"); err != nil || waiting != "" {
		t.Fatalf("%q, %v", waiting, err)
	}
	if n := count(t, db.pool, "SELECT count(*) FROM information_schema.columns WHERE table_name = 'model_lists' AND column_name = 'fetched_at'"); n != 0 {
		t.Error("the column is still there")
	}
	if _, err := migrate(t.Context(), db.pool, migrations(), "1.0.0"); err == nil || !strings.Contains(err.Error(), "a newer Weir (2.0.0) has changed its schema up to step ") || !strings.Contains(err.Error(), "this Weir (1.0.0)") {
		t.Errorf("the older version: %v", err)
	}
}

// Replicas of the same or a later version, and forgotten ones, keep no step waiting.
func TestContractingStepsWaitForNoOther(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	db := open(t, url)
	steps := append(slices.Clone(migrations()), narrow)
	later := NewEscrow(db, nothing)
	later.steps = int64(len(steps))
	(&sharer{t, later, escrow.Statement{Replica: "later", Epoch: escrow.Epoch{Began: 1}, Whole: true}}).say()
	member(t, db, "lost")
	if waiting, err := migrate(t.Context(), db.pool, steps, "2.0.0"); err != nil || !strings.HasSuffix(waiting, ": lost (Weir dev)") {
		t.Fatalf("%q, %v", waiting, err)
	}
	if err := later.Forget(t.Context(), "lost", false); err != nil {
		t.Fatal(err)
	}
	if waiting, err := migrate(t.Context(), db.pool, steps, "2.0.0"); err != nil || waiting != "" {
		t.Errorf("%q, %v", waiting, err)
	}
}

// A step that fails leaves the version before serving.
func TestAfterAFailedStepTheOldVersionServes(t *testing.T) {
	t.Parallel()
	db := open(t, server.Database(t))
	bad := store.Step{Name: "0904_bad.sql", Text: "ALTER TABLE keys DROP COLUMN name; DELETE FROM model_lists; SELECT nothing FROM nowhere;"}
	if _, err := migrate(t.Context(), db.pool, append(slices.Clone(migrations()), widen, bad), "2.0.0"); err == nil || !strings.Contains(err.Error(), "schema step 0904_bad.sql failed, and the schema is as it was before") {
		t.Fatal(err)
	}
	works(t, db, "after")
}

// One replica at a time has the turn; another gets it when the first takes it no more, or ends it.
func TestOneReplicaHasTheTurn(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	e := NewEscrow(open(t, url), nothing)
	take := func(replica string, want bool) {
		t.Helper()
		if mine, err := e.TakeTurn(t.Context(), replica); mine != want || err != nil {
			t.Errorf("%s: %v, %v", replica, mine, err)
		}
	}
	take("one", true)
	take("two", false)
	take("one", true)
	edit(t, url, "UPDATE chores SET until = until - 6000000")
	take("two", false)
	edit(t, url, "UPDATE chores SET until = until - 1000000")
	take("two", true)
	take("one", false)
	for _, replica := range []string{"one", "two"} { // the first does not have it
		if err := e.EndTurn(t.Context(), replica); err != nil {
			t.Fatal(err)
		}
		take("three", replica == "two")
	}
}

// Many replicas that ask at once: one gets it.
func TestTheTurnIsGivenOnce(t *testing.T) {
	t.Parallel()
	e := NewEscrow(open(t, server.Database(t)), nothing)
	got := make(chan bool)
	for i := range 8 {
		go func() {
			mine, err := e.TakeTurn(t.Context(), string(rune('a'+i)))
			if err != nil {
				t.Error(err)
			}
			got <- mine
		}()
	}
	n := 0
	for range 8 {
		if <-got {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d have the turn", n)
	}
}
