package logging

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// An event reads as the line that slog writes of the same attributes, whatever is in them.
func TestEventsReadAsSlogWritesThem(t *testing.T) {
	t.Parallel()
	now := time.Date(2030, 1, 2, 3, 4, 5, 60_000, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		var attrs []slog.Attr
		for range rapid.IntRange(0, 8).Draw(t, "attributes") {
			name := rapid.String().Draw(t, "name")
			switch rapid.IntRange(0, 7).Draw(t, "kind") {
			case 0:
				attrs = append(attrs, slog.String(name, rapid.String().Draw(t, "text")))
			case 1:
				attrs = append(attrs, slog.Int64(name, rapid.Int64().Draw(t, "number")))
			case 2:
				attrs = append(attrs, slog.Float64(name, rapid.Float64().Draw(t, "fraction")))
			case 3:
				attrs = append(attrs, slog.Bool(name, rapid.Bool().Draw(t, "truth")))
			case 4:
				attrs = append(attrs, slog.Any(name, rapid.SliceOf(rapid.String()).Draw(t, "list")))
			case 5:
				attrs = append(attrs, slog.Any(name, errors.New(rapid.String().Draw(t, "error"))))
			case 6:
				attrs = append(attrs, slog.Duration(name, time.Duration(rapid.Int64().Draw(t, "duration"))))
			case 7:
				attrs = append(attrs, slog.Uint64(name, rapid.Uint64().Draw(t, "count")))
			}
		}
		var own, theirs bytes.Buffer
		log := slog.New(newJSONHandler(&own, slog.LevelInfo))
		Event(t.Context(), log, now, slog.LevelWarn, "it happened", attrs)
		r := slog.NewRecord(now, slog.LevelWarn, "it happened", 0)
		r.AddAttrs(attrs...)
		if err := slog.NewJSONHandler(&theirs, nil).Handle(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(read(t, theirs.Bytes()), read(t, own.Bytes())); diff != "" {
			t.Fatalf("%s%s%s", theirs.Bytes(), own.Bytes(), diff)
		}
	})
}

// read is what a line says, in its order, the numbers as they are spelled.
func read(t *rapid.T, line []byte) (all []any) {
	if bytes.Count(line, []byte{'\n'}) != 1 || line[len(line)-1] != '\n' {
		t.Fatalf("%q is not one line", line)
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return all
		}
		all = append(all, token)
	}
}

// Floats look as encoding/json has them, those included that it writes with an exponent.
func TestFractions(t *testing.T) {
	t.Parallel()
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -1, 0.001, 12.345, 1e-6, 9e-7, -1e-7, 1e20, 1e21, -1e21, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		want, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendValue(nil, slog.Float64Value(f)); string(got) != string(want) {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1)} {
		if got := appendValue(nil, slog.Float64Value(f)); !json.Valid(got) {
			t.Errorf("%v: %s", f, got)
		}
	}
}

// Below the log's level nothing is written, and a log of another form gets the same line its own way.
func TestEventsOfOtherLogs(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	log := slog.New(newJSONHandler(&b, slog.LevelInfo))
	Event(t.Context(), log, time.Time{}, slog.LevelDebug, "quiet", nil)
	if b.Len() > 0 {
		t.Errorf("%s", &b)
	}
	Event(t.Context(), log.With("who", "me"), time.Time{}, slog.LevelInfo, "loud", []slog.Attr{slog.Int("n", 1)})
	if got, want := b.String(), `{"level":"INFO","msg":"loud","who":"me","n":1}`+"\n"; got != want {
		t.Errorf("%s", got)
	}
}

func BenchmarkEvent(b *testing.B) {
	attrs := []slog.Attr{
		slog.String("request_id", "req_0123456789abcdef"), slog.String("method", "POST"), slog.String("path", "/v1/chat/completions"), slog.Int("status", 200),
		slog.Float64("duration_ms", 12.345), slog.Bool("stream", false), slog.Int64("bytes_in", 200), slog.Float64("overhead_ms", 0.123),
	}
	var line bytes.Buffer
	log := slog.New(newJSONHandler(&line, slog.LevelInfo))
	b.ReportAllocs()
	for b.Loop() {
		line.Reset()
		Event(b.Context(), log, time.Time{}, slog.LevelInfo, "request", attrs)
	}
}
