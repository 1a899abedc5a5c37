package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

// A million different tags of a hundred keys on one day are a thousand lines of each key and one for the rest. Reports that would be larger are refused,
// and all add up.
func TestLongMillionTags(t *testing.T) {
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("it takes a minute: set WEIR_LONG=1, as make long does")
	}
	t.Parallel()
	const keys, tags, atOnce = 100, 10_000, 8000
	db, day := open(t, file(t)), time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)
	for from := 0; from < keys*tags; from += atOnce {
		s := &ledger.Shipment{Instance: "one", Upto: ledger.Position{Segment: 1, Offset: int64(from + atOnce)}}
		for n := from; n < from+atOnce; n++ {
			at := day.Add(time.Duration(n) * 80 * time.Millisecond)
			r := ledger.Row{Instance: "one", Seq: ledger.SeqAt(at)}
			r.Intent = ledger.Intent{Request: "an id", Try: 1, Started: at, Key: fmt.Sprint("k", n%keys), Model: "m", Provider: "p", Upstream: "u", Tags: []ledger.Tag{{Name: "run", Value: fmt.Sprint(n)}}}
			r.Settlement = ledger.Settlement{Status: 200, Outcome: "ok", Usage: llm.Usage{Fresh: 1}, Cost: 3}
			s.Rows = append(s.Rows, r)
		}
		if err := db.Ship(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if n := db.Unnamed().Tags; n != keys*(tags-1000) {
		t.Errorf("%d tags are counted under other", n)
	}
	span := ledger.Span{Since: day, Until: day.AddDate(0, 0, 1)}
	lines, err := db.Usage(t.Context(), &ledger.UsageQuery{By: ledger.ByTag, Span: span, Top: 9, Most: ledger.MostLines})
	if err != nil || len(lines) != 9 || lines[0].Group != ledger.Other || lines[0].Cost != 3*keys*(tags-1000) {
		t.Errorf("%d lines, %v", len(lines), err)
	}
	if _, err := db.Usage(t.Context(), &ledger.UsageQuery{By: ledger.ByTag, Span: span, Most: ledger.MostLines}); !errors.Is(err, ledger.ErrTooManyLines) {
		t.Errorf("all tags at once: %v", err)
	}
	lines, err = db.Usage(t.Context(), &ledger.UsageQuery{By: ledger.ByTag, Span: span, Key: "k7", Most: ledger.MostLines})
	var all ledger.Sums
	for i := range lines {
		all.Add(&lines[i].Sums)
	}
	if err != nil || len(lines) != 1001 || all.Cost != 3*tags || all.Attempts != tags {
		t.Errorf("%d lines, %+v, %v", len(lines), all, err)
	}
	if done, err := db.Verify(t.Context(), func(d ledger.Difference) { t.Errorf("%+v", d) }); err != nil || done.Rows != keys*tags {
		t.Errorf("%+v, %v", done, err)
	}
}
