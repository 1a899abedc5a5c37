package postgres

import "testing"

// An empty database is some megabytes large.
func TestSize(t *testing.T) {
	t.Parallel()
	if bytes, err := open(t, server.Database(t)).Size(t.Context()); err != nil || bytes < 1<<20 {
		t.Errorf("%d bytes: %v", bytes, err)
	}
}
