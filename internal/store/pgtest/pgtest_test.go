package pgtest

import (
	"database/sql"
	"testing"
)

// What was committed to a durable database is there after a restart.
func TestRestart(t *testing.T) {
	var s Server
	t.Cleanup(s.Stop)
	db, err := sql.Open("pgx", s.Durable(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.Exec("CREATE TABLE kept (n BIGINT)"); err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		if _, err := db.Exec("INSERT INTO kept VALUES ($1)", n); err != nil {
			t.Fatal(err)
		}
		if n%10 == 9 {
			s.Restart(t)
			_ = db.Ping() // finds that its connection is closed
		}
	}
	var n int
	if err := db.QueryRow("SELECT count(*) FROM kept").Scan(&n); err != nil || n != 20 {
		t.Errorf("%d rows are kept of 20 (%v)", n, err)
	}
}
