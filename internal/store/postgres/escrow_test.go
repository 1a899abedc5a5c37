package postgres

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/escrow"
	"github.com/weirproxy/weir/internal/escrow/escrowtest"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

// nothing was spent before.
func nothing(_ context.Context, names []escrow.Name) ([]int64, error) {
	return make([]int64, len(names)), nil
}

func TestTheLawOfReplicas(t *testing.T) {
	t.Parallel()
	escrowtest.Run(t, func(t *testing.T) escrowtest.Engine { return NewEscrow(open(t, server.Database(t)), nothing) })
}

// The same behind a pool that gives a connection away for one transaction.
func TestTheLawOfReplicasBehindPgBouncer(t *testing.T) {
	if testing.Short() {
		t.Skip("the same code runs without the pool")
	}
	t.Parallel()
	escrowtest.Run(t, func(t *testing.T) escrowtest.Engine {
		return NewEscrow(open(t, server.Bounced(t, server.Database(t))), nothing)
	})
}

// sharer is a replica whose statements are executed at once.
type sharer struct {
	*testing.T
	db *Escrow
	st escrow.Statement
}

func (s *sharer) say(lines ...escrow.Line) *escrow.Answer {
	s.Helper()
	s.st.Number++
	s.st.Lines = lines
	a, err := s.db.Exchange(s.Context(), &s.st)
	if err != nil || a.Outcome != escrow.Executed {
		s.Fatal(a, err)
	}
	s.st.Whole, s.st.Acked = false, s.st.Number
	return a
}

func (s *sharer) books(name escrow.Name, granted, used int64) {
	s.Helper()
	g, u, err := s.db.Books(s.Context(), name)
	if err != nil || g != granted || u != used {
		s.Errorf("%d is granted and %d used (%v), want %d and %d", g, u, err, granted, used)
	}
}

// What was spent of a budget before it had slices is asked once, whichever replica prepares it, and counts.
func TestEarlierSpendingCounts(t *testing.T) {
	t.Parallel()
	db := open(t, server.Database(t))
	var asked []escrow.Name
	earlier := func(_ context.Context, names []escrow.Name) ([]int64, error) {
		asked = append(asked, names...)
		sums := make([]int64, len(names))
		for i, n := range names {
			sums[i] = map[string]int64{"a": 30, "b": 90}[n.Budget]
		}
		return sums, nil
	}
	a, b := escrow.Name{Budget: "a"}, escrow.Name{Budget: "b"}
	for _, replica := range []string{"one", "two"} {
		s := sharer{t, NewEscrow(db, earlier), escrow.Statement{Replica: replica, Epoch: escrow.Epoch{Began: 1}, Whole: true}}
		if err := s.db.Prepare(t.Context(), []escrow.Name{b, a}); err != nil {
			t.Fatal(err)
		}
		s.say()
		for range 2 {
			got := s.say(escrow.Line{Name: a, Limit: 100, Version: 1}, escrow.Line{Name: b, Limit: 100, Version: 1, Wants: true, Need: 11, Least: 11})
			want := []escrow.Grant{{Name: a, Left: 70, Used: 30, Limit: 100, Version: 1}, {Name: b, Left: 10, Used: 90, Limit: 100, Version: 1}}
			if diff := cmp.Diff(want, got.Grants); diff != "" {
				t.Error(diff)
			}
		}
	}
	if diff := cmp.Diff([]escrow.Name{b, a}, asked); diff != "" {
		t.Error(diff)
	}
}

// Rows that come of a forgotten replica take the place of what it had in doubt. Those that it had stated already change nothing.
func TestLateRowsReplaceWhatIsInDoubt(t *testing.T) {
	t.Parallel()
	db := open(t, server.Database(t))
	began := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	begin, _ := budget.Day.Around(began, time.UTC)
	name := escrow.Name(budget.Owner{Kind: budget.Team, ID: "t"}.Share(budget.Tokens, budget.Day, begin))
	s := sharer{t, NewEscrow(db, nothing), escrow.Statement{Replica: "lost", Epoch: escrow.Epoch{Began: 1}, Whole: true}}
	s.say()
	s.say(escrow.Line{Name: name, Limit: 100, Version: 1, Used: 10, Keep: 40})
	seq := ledger.SeqAt(began)
	arrive := func(tokens int64) {
		t.Helper()
		seq++
		row := ledger.Row{Instance: "lost", Seq: seq, Intent: ledger.Intent{Request: "r", Started: began, Key: "k", Team: "t", Model: "m"}}
		row.Usage = llm.Usage{Fresh: tokens - 1, Text: 1}
		if err := db.Ship(t.Context(), &ledger.Shipment{Instance: "lost", Rows: []ledger.Row{row}}); err != nil {
			t.Fatal(err)
		}
	}
	arrive(5)
	s.books(name, 40, 10)
	if err := s.db.Forget(t.Context(), "lost", false); err != nil {
		t.Fatal(err)
	}
	s.books(name, 40, 40)
	arrive(5)
	s.books(name, 40, 40)
	arrive(20)
	s.books(name, 40, 40) // 30 are used, and 10 in doubt
	arrive(15)
	s.books(name, 45, 45)
	kept, err := s.db.Kept(t.Context(), "lost")
	if diff := cmp.Diff([]escrow.Kept{{Name: name, Used: 45}}, kept); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// Rows that a replica shipped, but did not come to state before it was lost, say what it used when it is forgotten.
func TestShippedRowsAreNotInDoubt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		unspent       bool
		granted, used int64
	}{{false, 40, 40}, {true, 30, 30}} {
		db := open(t, server.Database(t))
		began := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
		begin, _ := budget.Day.Around(began, time.UTC)
		name := escrow.Name(budget.Owner{Kind: budget.Team, ID: "t"}.Share(budget.Tokens, budget.Day, begin))
		s := sharer{t, NewEscrow(db, nothing), escrow.Statement{Replica: "lost", Epoch: escrow.Epoch{Began: 1}, Whole: true}}
		s.say()
		s.say(escrow.Line{Name: name, Limit: 100, Version: 1, Used: 10, Keep: 40})
		row := ledger.Row{Instance: "lost", Seq: ledger.SeqAt(began), Intent: ledger.Intent{Request: "r", Started: began, Key: "k", Team: "t", Model: "m"}}
		row.Usage = llm.Usage{Fresh: 29, Text: 1}
		if err := db.Ship(t.Context(), &ledger.Shipment{Instance: "lost", Rows: []ledger.Row{row}}); err != nil {
			t.Fatal(err)
		}
		s.books(name, 40, 10)
		for range 2 { // forgotten twice, it is forgotten once
			if err := s.db.Forget(t.Context(), "lost", c.unspent); err != nil {
				t.Fatal(err)
			}
			s.books(name, c.granted, c.used)
			var doubt int64
			err := db.pool.QueryRowContext(t.Context(), `SELECT doubt FROM escrow_leases`).Scan(&doubt)
			if want := c.granted - 30; err != nil || doubt != want {
				t.Errorf("%d tokens are in doubt (%v), want %d", doubt, err, want)
			}
		}
	}
}

// A statement that the database undoes for another's sake was not executed, and says so. Its connection goes on.
func TestUndoneStatementsSaySo(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	db := open(t, url+"&default_transaction_isolation=repeatable%20read") // in which one that waited for a change fails
	s := sharer{t, NewEscrow(db, nothing), escrow.Statement{Replica: "r", Epoch: escrow.Epoch{Began: 1}, Whole: true}}
	s.say()
	other := pool(t, url)
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`UPDATE escrow_replicas SET seen_at = 0`); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error)
	s.st.Number++
	go func() {
		_, err := s.db.Exchange(t.Context(), &s.st)
		failed <- err
	}()
	waitForLock(t, other)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; !errors.Is(err, escrow.ErrUndone) {
		t.Errorf("it fails with %v", err)
	}
	s.say()
	if n := count(t, other, `SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND datname = current_database()`); n != 0 {
		t.Errorf("%d transactions were left open", n)
	}
}

// waitForLock returns when a statement waits for what another transaction has locked.
func waitForLock(t *testing.T, pool *sql.DB) {
	t.Helper()
	for count(t, pool, `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`) == 0 {
		continue
	}
}

// What is granted while a statement waits for a budget's row is no longer there for it.
func TestGrantsSeeWhatTheyWaitedFor(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	db := open(t, url)
	name := escrow.Name{Budget: "a"}
	s := sharer{t, NewEscrow(db, nothing), escrow.Statement{Replica: "r", Epoch: escrow.Epoch{Began: 1}, Whole: true}}
	s.say()
	s.say(escrow.Line{Name: name, Limit: 100, Version: 1})
	other := pool(t, url)
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`SELECT 1 FROM escrow_spans FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	answers := make(chan *escrow.Answer)
	s.st.Number++
	s.st.Lines = []escrow.Line{{Name: name, Limit: 100, Version: 1, Wants: true, Need: 50, Least: 50}}
	go func() {
		a, err := s.db.Exchange(t.Context(), &s.st)
		if err != nil {
			t.Error(err)
		}
		answers <- a
	}()
	waitForLock(t, other)
	if _, err := tx.Exec(`
		INSERT INTO escrow_leases (budget, period, replica, granted, used, doubt, shipped) VALUES ('a', 0, 'other', 60, 0, 0, 0);
		UPDATE escrow_spans SET granted = granted + 60`); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if a := <-answers; a != nil && a.Grants[0].Granted != 0 {
		t.Errorf("%d more were granted of the 40 that were left", a.Grants[0].Granted)
	}
	s.books(name, 60, 0)
}

// Limits that were not used for long are deleted. Those in use are not, and one that was deleted is as good as new.
func TestOldLimitsArePruned(t *testing.T) {
	t.Parallel()
	db := open(t, server.Database(t))
	s := sharer{t, NewEscrow(db, nothing), escrow.Statement{Replica: "r", Epoch: escrow.Epoch{Began: 1}, Whole: true}}
	s.say()
	use := func(subject escrow.Subject) *escrow.Answer {
		s.st.Rates = []escrow.RateLine{{Subject: subject, Limit: 10, Need: 1, Least: 1}}
		s.st.Places = []escrow.PlaceLine{{Subject: subject, Limit: 10, Running: 1, Keep: 1}}
		return s.say()
	}
	use("old")
	s.st.Places = []escrow.PlaceLine{{Subject: "old", Limit: 10}}
	s.say()
	if _, err := db.pool.ExecContext(t.Context(), `UPDATE escrow_buckets SET full_at = 1`); err != nil {
		t.Fatal(err)
	}
	if _, err := db.pool.ExecContext(t.Context(), `UPDATE escrow_slots SET until = 1`); err != nil {
		t.Fatal(err)
	}
	use("new")
	if err := s.db.Prune(t.Context(), time.Unix(1500, 0)); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"escrow_buckets", "escrow_slots", "escrow_places"} {
		if n := count(t, db.pool, `SELECT count(*) FROM `+table+` WHERE subject = 'new'`); n != 1 {
			t.Errorf("%s has %d rows of a limit in use", table, n)
		}
		if n := count(t, db.pool, `SELECT count(*) FROM `+table+` WHERE subject = 'old'`); n != 0 {
			t.Errorf("%s has %d rows of a limit that is not", table, n)
		}
	}
	if a := use("old"); len(a.Rates) != 1 || a.Rates[0].Given != 1 || len(a.Places) != 1 || a.Places[0].Left != 9 {
		t.Errorf("%+v", a)
	}
}

// Places are others' once their replica was not seen for ten seconds, and once a later process of it begins.
func TestPlacesOfReplicasThatAreGone(t *testing.T) {
	t.Parallel()
	db := open(t, server.Database(t))
	e := NewEscrow(db, nothing)
	first := sharer{t, e, escrow.Statement{Replica: "a", Epoch: escrow.Epoch{Began: 1}, Whole: true}}
	other := sharer{t, e, escrow.Statement{Replica: "b", Epoch: escrow.Epoch{Began: 1}, Whole: true}}
	first.st.Places = []escrow.PlaceLine{{Subject: "slots", Limit: 5, Running: 5, Keep: 5}}
	first.say()
	has := func() int64 {
		t.Helper()
		other.st.Places = []escrow.PlaceLine{{Subject: "slots", Limit: 5, Need: 5}}
		a := other.say()
		other.st.Places = []escrow.PlaceLine{{Subject: "slots", Limit: 5}}
		other.say()
		return a.Places[0].Have
	}
	if n := has(); n != 0 {
		t.Errorf("%d places are given twice", n)
	}
	for _, test := range []struct {
		seconds int
		want    int64
	}{{0, 0}, {60, 5}} {
		if _, err := db.pool.ExecContext(t.Context(), `UPDATE escrow_replicas SET seen_at = `+sqlNow+` - $1 * 1000000 WHERE id = 'a'`, test.seconds); err != nil {
			t.Fatal(err)
		}
		if n := has(); n != test.want {
			t.Errorf("after %d seconds the other gets %d places", test.seconds, n)
		}
	}
	first.say()
	later := sharer{t, e, escrow.Statement{Replica: "a", Epoch: escrow.Epoch{Began: 2}, Whole: true}}
	later.say()
	if n := has(); n != 5 {
		t.Errorf("after the first has begun again, the other gets %d places", n)
	}
}

// Answers to questions and statements alike say since when a replica has been there: never gone for so long that others may have had its places.
func TestReplicasThatWereGoneHearOfIt(t *testing.T) {
	t.Parallel()
	db := open(t, server.Database(t))
	e := NewEscrow(db, nothing)
	s := sharer{t, e, escrow.Statement{Replica: "a", Epoch: escrow.Epoch{Began: 1}, Whole: true}}
	there := s.say().There
	if there <= 0 {
		t.Fatalf("there since %v", there)
	}
	for _, test := range []struct {
		seconds int
		gone    bool
	}{{0, false}, {9, false}, {11, true}, {0, false}, {11, true}} {
		for name, hear := range map[string]func() time.Duration{
			"statement": func() time.Duration { return s.say().There },
			"question": func() time.Duration {
				news, err := e.Poll(t.Context(), escrow.Question{Replica: "a", Epoch: escrow.Epoch{Began: 1}})
				if err != nil {
					t.Fatal(err)
				}
				return news.There
			},
		} {
			if _, err := db.pool.ExecContext(t.Context(), `UPDATE escrow_replicas SET seen_at = `+sqlNow+` - $1 * 1000000`, test.seconds); err != nil {
				t.Fatal(err)
			}
			before := there
			if there = hear(); (there != before) != test.gone || there < before {
				t.Errorf("after %d seconds a %s says: since %v, and before %v", test.seconds, name, there, before)
			}
		}
	}
}

// What is left of old periods is deleted, and a replica that has nothing and was not seen since. Totals have no end.
func TestOldPeriodsArePruned(t *testing.T) {
	t.Parallel()
	db := open(t, server.Database(t))
	s := sharer{t, NewEscrow(db, nothing), escrow.Statement{Replica: "r", Epoch: escrow.Epoch{Began: 1}, Whole: true}}
	s.say()
	var lines []escrow.Line
	for _, period := range []int64{0, 1000, 2000} {
		lines = append(lines, escrow.Line{Name: escrow.Name{Budget: "a", Period: period}, Limit: 100, Version: 1, Used: 7, Keep: 7})
	}
	s.say(lines...)
	gone := sharer{t, s.db, escrow.Statement{Replica: "gone", Epoch: escrow.Epoch{Began: 1}, Whole: true}}
	gone.say()
	if _, err := db.pool.ExecContext(t.Context(), `UPDATE escrow_replicas SET seen_at = 0`); err != nil {
		t.Fatal(err)
	}
	if err := s.db.Prune(t.Context(), time.Unix(1500, 0)); err != nil {
		t.Fatal(err)
	}
	if n := count(t, db.pool, `SELECT count(*) FROM escrow_replicas WHERE id = 'r'`); n != 1 {
		t.Error("a replica with leases is gone")
	}
	if n := count(t, db.pool, `SELECT count(*) FROM escrow_replicas`); n != 1 {
		t.Errorf("%d replicas are left", n)
	}
	for period, used := range map[int64]int64{0: 7, 1000: 0, 2000: 7} {
		s.books(escrow.Name{Budget: "a", Period: period}, used, used)
	}
}
