package postgres

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/escrow"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/archive"
	"github.com/weirproxy/weir/internal/store/sqlite"
	"github.com/weirproxy/weir/internal/store/storetest"
	"github.com/weirproxy/weir/internal/store/tables"
)

func openFile(t *testing.T) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "weir.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

type exports interface {
	Export(ctx context.Context, to *archive.Writer) ([]archive.End, error)
	Import(ctx context.Context, from *archive.Reader, lost func(tables.Outstanding) error) ([]archive.End, error)
}

func exported(t *testing.T, from exports) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := archive.NewWriter(&file, archive.Head{Program: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := from.Export(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func imported(ctx context.Context, to exports, file []byte) error {
	r, err := archive.NewReader(bytes.NewReader(file))
	if err != nil {
		return err
	}
	_, err = to.Import(ctx, r, func(tables.Outstanding) error { return errors.New("something is outstanding") })
	return err
}

func mustImport(t *testing.T, to exports, file []byte) {
	t.Helper()
	if err := imported(t.Context(), to, file); err != nil {
		t.Fatal(err)
	}
}

// sumsOf is what all reports say of a year.
func sumsOf(t *testing.T, s ledger.Reports) map[ledger.Grouping][]ledger.UsageLine {
	t.Helper()
	all := map[ledger.Grouping][]ledger.UsageLine{}
	for _, by := range ledger.Groupings {
		q := ledger.UsageQuery{By: by, Span: ledger.Span{Since: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}}
		lines, err := s.Usage(t.Context(), &q)
		if err != nil {
			t.Fatal(err)
		}
		all[by] = lines
	}
	if _, err := s.Verify(t.Context(), func(d ledger.Difference) { t.Errorf("%+v", d) }); err != nil {
		t.Fatal(err)
	}
	return all
}

// Whatever a store has comes back byte for byte from SQLite by way of Postgres, and the store goes on as before: it gives the next numbers, and sums
// what comes.
func TestAStoreMovesToPostgresAndBack(t *testing.T) {
	if testing.Short() {
		t.Skip("it moves one store after the other, on one goroutine")
	}
	t.Parallel()
	for seed := range uint64(6) {
		first, moved, back := openFile(t), open(t, server.Database(t)), openFile(t)
		random := rand.New(rand.NewPCG(seed, 16))
		storetest.Fill(t, first, random)
		file := exported(t, first)
		sums := sumsOf(t, first)
		mustImport(t, moved, file)
		if diff := cmp.Diff(sums, sumsOf(t, moved)); diff != "" || len(sums[ledger.ByModel]) == 0 {
			t.Fatalf("seed %d: Postgres has other sums: %s", seed, diff)
		}
		mustImport(t, back, exported(t, moved))
		if diff := cmp.Diff(sums, sumsOf(t, back)); diff != "" {
			t.Fatalf("seed %d: it came back with other sums: %s", seed, diff)
		}
		if again := exported(t, back); !bytes.Equal(file, again) {
			t.Errorf("seed %d: another file of %d bytes came back, and not that of %d", seed, len(again), len(file))
		}
		for _, s := range []storetest.Store{first, moved, back} {
			storetest.GoOn(t, s)
		}
		if diff := cmp.Diff(sumsOf(t, first), sumsOf(t, moved)); diff != "" {
			t.Errorf("seed %d: after more calls: %s", seed, diff)
		}
	}
}

// An import adds to nothing, and of a file that is wrong nothing is left.
func TestWhatCannotBeImportedLeavesNothing(t *testing.T) {
	t.Parallel()
	source := openFile(t)
	storetest.Fill(t, source, rand.New(rand.NewPCG(1, 16)))
	file := exported(t, source)
	for name, empty := range map[string]exports{"sqlite": openFile(t), "postgres": open(t, server.Database(t))} {
		before := exported(t, empty)
		for _, n := range []int{len(file) / 4, len(file) / 2, len(file) - 100, len(file) - 1} {
			if err := imported(t.Context(), empty, file[:n]); !errors.Is(err, archive.ErrDamaged) {
				t.Errorf("%s: %d bytes of %d: %v", name, n, len(file), err)
			}
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := imported(ended, empty, file); err == nil {
			t.Errorf("%s: an import that was interrupted ended well", name)
		}
		if !bytes.Equal(before, exported(t, empty)) {
			t.Errorf("%s: a failed import left something", name)
		}
		mustImport(t, empty, file)
		if err := imported(t.Context(), empty, file); !errors.Is(err, tables.ErrNotEmpty) || !strings.Contains(err.Error(), "the store has ") {
			t.Errorf("%s: a second import: %v", name, err)
		}
	}
}

// A file of another version, which has other tables or columns, is not called damaged: the error names the version that can import it.
func TestFilesOfOtherVersionsAreRefused(t *testing.T) {
	t.Parallel()
	source := openFile(t)
	storetest.Fill(t, source, rand.New(rand.NewPCG(1, 16)))
	lines := unzipped(t, exported(t, source))
	empty := openFile(t)
	before := exported(t, empty)
	for name, changed := range map[string]string{
		"a column": strings.Replace(lines, `"columns":["id","name",`, `"columns":["id","title",`, 1),
		"a table":  strings.Replace(lines, `{"table":"zones",`, `{"table":"places",`, 1),
		"an end":   lines[:strings.Index(lines, `{"table":"idempotent"`)] + fmt.Sprintf("{\"whole\":%d}\n", strings.Count(lines[:strings.Index(lines, `{"table":"idempotent"`)], "\n[")),
	} {
		if err := imported(t.Context(), empty, zipped(t, changed)); errors.Is(err, archive.ErrDamaged) || err == nil || !strings.Contains(err.Error(), `of Weir "1.2.3"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !bytes.Equal(before, exported(t, empty)) {
		t.Error("something is left")
	}
}

// Sums that are not what the file says undo the import.
func TestImportsCompareSums(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	w, err := archive.NewWriter(&file, archive.Head{})
	if err != nil {
		t.Fatal(err)
	}
	source := openFile(t)
	storetest.Fill(t, source, rand.New(rand.NewPCG(1, 16)))
	if _, err := source.Export(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	lines := unzipped(t, file.Bytes())
	totals := regexp.MustCompile(`\{"end":"days","rows":(\d+),"sums":\[(\d+)`)
	changed := totals.ReplaceAllString(lines, `{"end":"days","rows":$1,"sums":[1$2`)
	if changed == lines {
		t.Fatal("the file has no sums")
	}
	for name, empty := range map[string]exports{"sqlite": openFile(t), "postgres": open(t, server.Database(t))} {
		if err := imported(t.Context(), empty, zipped(t, changed)); err == nil || !strings.Contains(err.Error(), "nothing was imported") {
			t.Errorf("%s: %v", name, err)
		}
		mustImport(t, empty, zipped(t, lines))
	}
}

// What replicas have of budgets goes to another Postgres as it is. A store in a file takes it only if its user says so, with what was used without a row
// in the ledger.
func TestSlicesMove(t *testing.T) {
	t.Parallel()
	from, to, file := open(t, server.Database(t)), open(t, server.Database(t)), openFile(t)
	s := sharer{t, NewEscrow(from, nothing), escrow.Statement{Replica: "one", Epoch: escrow.Epoch{Began: 1}, Whole: true}}
	s.say()
	name := escrow.Name{Budget: "usd/month/key/a", Period: 7}
	s.say(escrow.Line{Name: name, Limit: 100, Version: 1, Used: 10, Keep: 40})
	moved := exported(t, from)
	mustImport(t, to, moved)
	if granted, used, err := NewEscrow(to, nothing).Books(t.Context(), name); granted != 40 || used != 10 || err != nil {
		t.Errorf("%d granted, %d used, %v", granted, used, err)
	}
	var lost []tables.Outstanding
	r, err := archive.NewReader(bytes.NewReader(moved))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Import(t.Context(), r, func(o tables.Outstanding) error { lost = append(lost, o); return nil }); err != nil {
		t.Fatal(err)
	}
	if want := []tables.Outstanding{{Name: budget.Shared(name), Amount: 40}}; !slices.Equal(lost, want) {
		t.Errorf("%v", lost)
	}
	if err := imported(t.Context(), openFile(t), moved); err == nil || err.Error() != "something is outstanding" {
		t.Errorf("%v", err)
	}
}

// No table is forgotten: each moves, or is made of others, or means nothing elsewhere.
func TestEveryTableMoves(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	lines := unzipped(t, exported(t, open(t, url)))
	rows, err := pool(t, url).Query("SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	stays := []string{
		"weir_migrations", "weir_migrating", "numbering", // of the schema
		"responses_size", "responses_of_keys", "idempotent_sizes", // made of others
		"escrow_buckets", "escrow_places", "escrow_slots", "chores", // of a moment
	}
	for rows.Next() {
		var table string
		if err := rows.Scan(&table); err != nil {
			t.Fatal(err)
		}
		if moves := strings.Contains(lines, `{"table":"`+table+`"`); moves == slices.Contains(stays, table) {
			t.Errorf("%s moves: %v", table, moves)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

func unzipped(t *testing.T, file []byte) string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var file bytes.Buffer
	w := gzip.NewWriter(&file)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// BenchmarkMove exports rows from a file and imports them into Postgres: a row is one operation. -benchtime=1000000x moves a million. It reports the
// largest heap that was seen, which does not grow with the rows.
func BenchmarkMove(b *testing.B) {
	from, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "weir.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = from.Close() }()
	const atOnce = 4000
	for n := 0; n < b.N; n += atOnce {
		if err := from.Ship(b.Context(), shipment(n, min(atOnce, b.N-n))); err != nil {
			b.Fatal(err)
		}
	}
	to, err := Open(b.Context(), Options{URL: secret.New(server.Database(b)), Pool: 2})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = to.Close() }()
	file := &watched{File: must(b, filepath.Join(b.TempDir(), "weir.export"))}
	defer func() { _ = file.Close() }()
	runtime.GC()
	b.ResetTimer()
	w, err := archive.NewWriter(file, archive.Head{})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := from.Export(b.Context(), w); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "exported/s")
	exported := b.Elapsed()
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		b.Fatal(err)
	}
	r, err := archive.NewReader(file)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := to.Import(b.Context(), r, nil); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/(b.Elapsed()-exported).Seconds(), "imported/s")
	b.ReportMetric(float64(file.most)/(1<<20), "heap-MiB")
	if info, err := file.Stat(); err == nil {
		b.ReportMetric(float64(info.Size())/float64(b.N), "B/row")
	}
}

func must(b *testing.B, path string) *os.File {
	b.Helper()
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	return file
}

// watched is a file that looks how large the heap is each time it is used.
type watched struct {
	*os.File
	most uint64
}

func (w *watched) look() {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	w.most = max(w.most, stats.HeapAlloc)
}

func (w *watched) Write(b []byte) (int, error) {
	w.look()
	return w.File.Write(b)
}

func (w *watched) Read(b []byte) (int, error) {
	w.look()
	return w.File.Read(b)
}
