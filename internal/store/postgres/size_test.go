package postgres

import "testing"

// The size of a database is known, and grows with what is in it.
func TestSize(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	db := open(t, url)
	before, err := db.Size(t.Context())
	if err != nil || before < 1<<20 {
		t.Fatalf("%d bytes, %v", before, err)
	}
	edit(t, url, `CREATE TABLE filler AS SELECT repeat('x', 100) AS x FROM generate_series(1, 20000)`)
	if after, err := db.Size(t.Context()); err != nil || after < before+1<<20 {
		t.Errorf("%d bytes, then %d, %v", before, after, err)
	}
}
