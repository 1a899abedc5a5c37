package archive_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/store/archive"
)

var head = archive.Head{Program: "1.2.3", Made: time.Date(2026, 11, 26, 1, 0, 0, 0, time.UTC)}

func write(t interface{ Fatal(...any) }, rows ...[]any) []byte {
	var file bytes.Buffer
	w, err := archive.NewWriter(&file, head)
	if err != nil {
		t.Fatal(err)
	}
	columns := []string{"a", "b"}
	if err := w.Begin(archive.Table{Name: "one", Columns: columns}); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := w.Row(row); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{w.End([]int64{7}), w.Begin(archive.Table{Name: "two", Columns: columns}), w.End(nil), w.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return file.Bytes()
}

// read reads a file to its end.
func read(file []byte) (rows [][]any, err error) {
	r, err := archive.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	for {
		table, err := r.Next()
		if table == nil || err != nil {
			return rows, err
		}
		for {
			values, end, err := r.Row()
			if err != nil {
				return rows, err
			}
			if end != nil {
				break
			}
			rows = append(rows, append([]any{}, values...))
		}
	}
}

// What is written is read again, whatever the values are.
func TestValuesComeBack(t *testing.T) {
	t.Parallel()
	value := rapid.OneOf(
		rapid.Just[any](nil), rapid.Map(rapid.Int64(), func(v int64) any { return v }), rapid.Map(rapid.String(), func(v string) any { return v }),
		rapid.Map(rapid.Bool(), func(v bool) any { return v }), rapid.SampledFrom([]any{int64(math.MinInt64), int64(math.MaxInt64), "", `"`, `\`, "],", "a\nb", "\u2028", strings.Repeat("x", 100_000)}),
	)
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOf(rapid.SliceOfN(value, 2, 2)).Draw(t, "rows")
		got, err := read(write(t, rows...))
		if diff := cmp.Diff(rows, got); err != nil || diff != "" && len(rows) > 0 {
			t.Fatal(err, diff)
		}
	})
	got, err := read(write(t, []any{[]byte{0, 255}, []byte{}}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]byte{{0, 255}, {}} {
		if b, err := archive.Bytes(got[0][i].(string)); err != nil || !bytes.Equal(b, want) {
			t.Errorf("%v, %v", b, err)
		}
	}
}

// A file that was cut off anywhere, or in which any byte is another, is never taken for whole, unless the change is in what gzip does not count.
func TestDamagedFilesAreRefused(t *testing.T) {
	t.Parallel()
	rows := [][]any{{int64(1), "two"}, {nil, true}}
	file := write(t, rows...)
	for n := range file {
		if got, err := read(file[:n]); err == nil {
			t.Errorf("of %d bytes, %d are whole: %v", len(file), n, got)
		}
	}
	for n := range file {
		for bit := range 8 {
			bad := bytes.Clone(file)
			bad[n] ^= 1 << bit
			if got, err := read(bad); err == nil && cmp.Diff(rows, got) != "" {
				t.Errorf("byte %d: %v", n, got)
			}
		}
	}
	if _, err := read(append(bytes.Clone(file), file...)); !errors.Is(err, archive.ErrDamaged) {
		t.Errorf("two files in one: %v", err)
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	t.Parallel()
	zipped := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	const first, table = `{"weir_archive":1,"program":"1.2.3"}` + "\n", `{"table":"a","columns":["x"]}` + "\n"
	for text, want := range map[string]string{
		"": "ends too early",
		`{"weir_archive":9,"program":"7.3.1"}` + "\n": "it has format 9, of Weir \"7.3.1\", and this Weir reads format 1",
		"{}\n": "no file of weir export",
		"[]\n": "no file of weir export",
		`{"weir_archive":9,"program":"7\u001b[2J"}` + "\n": `of Weir "7\x1b[2J"`,
		first: "ends too early",
		first + table + "[1]\n" + `{"end":"a","rows":2}` + "\n":                                 "does not end where it should",
		first + table + "[1]\n" + `{"end":"b","rows":1}` + "\n":                                 "does not end where it should",
		first + table + "[1,2]\n":                                                               "row 1 of \"a\" cannot be read",
		first + table + "[1.5]\n":                                                               "row 1 of \"a\" cannot be read",
		first + table + "[9223372036854775808]\n":                                               "row 1 of \"a\" cannot be read",
		first + table + "[[1]]\n":                                                               "row 1 of \"a\" cannot be read",
		first + table + "[1\n":                                                                  "row 1 of \"a\" cannot be read",
		first + table + "[\"\\x\"]\n":                                                           "row 1 of \"a\" cannot be read",
		first + table + `{"end":"a","rows":0}` + "\n" + `{"whole":1}` + "\n":                    "0 rows of 1",
		first + table + `{"end":"a","rows":0}` + "\n" + `{"whole":0}` + "\n" + "more":           "follows its end",
		first + table + `{"end":"a","rows":0}` + "\n" + "[1]\n" + `{"end":"a","rows":1}` + "\n": "a table should begin",
	} {
		if _, err := read(zipped(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want it to say %q", text, err, want)
		}
	}
	if _, err := read([]byte("SQLite format 3\x00")); err == nil || !strings.Contains(err.Error(), "no file of weir export") {
		t.Errorf("a database: %v", err)
	}
}

// A small file may unpack to far more than memory holds. A row with more values than its table has columns is given up at the first of these.
func TestRowsWithTooManyValuesNeedLittleMemory(t *testing.T) { //nolint:paralleltest // it reads what the process has allocated
	const most = 64 << 20 // the line itself, as it grows, takes about half of it
	var file bytes.Buffer
	w, err := gzip.NewWriterLevel(&file, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, `{"weir_archive":1}`+"\n"+`{"table":"a","columns":["x"]}`+"\n["); err != nil {
		t.Fatal(err)
	}
	ones := strings.Repeat("1,", 1<<20)
	for range 4 { // 4 million values, which take more than 200 MB when they have been read
		if _, err := io.WriteString(w, ones); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(w, "1]\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := read(file.Bytes()); !errors.Is(err, archive.ErrDamaged) {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > most {
		t.Errorf("it took %d bytes", taken)
	}
}

// Rows are read while later ones are still to be written, so that a file of any size needs little memory.
func TestRowsStream(t *testing.T) {
	t.Parallel()
	const rows, early = 100_000, 10_000
	from, to := io.Pipe()
	seen := make(chan struct{})
	go func() {
		w, err := archive.NewWriter(to, head)
		if err == nil {
			err = w.Begin(archive.Table{Name: "one", Columns: []string{"a", "b"}})
		}
		for i := range int64(rows) {
			if err == nil {
				err = w.Row([]any{i, i * 7919 % 104729})
			}
		}
		<-seen // the end comes after the beginning was read
		if err == nil {
			err = errors.Join(w.End(nil), w.Close())
		}
		_ = to.CloseWithError(err) // which the reader reports
	}()
	r, err := archive.NewReader(from)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	for n := int64(0); ; n++ {
		values, end, err := r.Row()
		if err != nil {
			t.Fatal(err)
		}
		if n == early {
			close(seen)
		}
		if end != nil {
			if n != rows {
				t.Errorf("%d rows of %d", n, rows)
			}
			break
		}
		if values[0] != n {
			t.Fatalf("row %d is %v", n, values)
		}
	}
	if table, err := r.Next(); table != nil || err != nil {
		t.Error(table, err)
	}
}
