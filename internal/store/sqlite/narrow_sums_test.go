package sqlite

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
)

// The sums that an earlier schema lacks are made of those that it has, and nothing is counted twice by what comes after.
func TestNarrowSumsAreMadeOfThoseThatAreThere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "weir.db")
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	calls := newCalls(time.Date(2026, 3, 1, 22, 0, 0, 0, time.UTC), time.Minute)
	if err := db.Ship(t.Context(), calls.next(1000)); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"team_hours", "model_hours", "key_hours", "team_days", "model_days", "key_days", "tag_days", "team_model_days", "team_model_weeks", "tag_weeks"} {
		if _, err := db.writer.Exec("DROP TABLE " + table); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range migrations() {
		if strings.HasSuffix(step.Name, "_narrow_sums.sql") || strings.HasSuffix(step.Name, "_team_model_days.sql") || strings.HasSuffix(step.Name, "_weeks.sql") {
			if _, err := db.writer.Exec(step.Text); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = Open(t.Context(), path); err != nil { // what the statements of this one were made for is gone
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for range 2 {
		done, err := db.Verify(t.Context(), func(d ledger.Difference) { t.Errorf("%+v", d) })
		if err != nil || done.Rows == 0 {
			t.Fatal(done, err)
		}
		if err := db.Ship(t.Context(), calls.next(1000)); err != nil {
			t.Fatal(err)
		}
	}
}
