package logging

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// reader is where a log goes. It takes nothing while its gate is closed.
type reader struct {
	gate chan struct{} // closed when it reads
	got  bytes.Buffer
}

func (r *reader) Write(p []byte) (int, error) {
	<-r.gate
	return r.got.Write(p)
}

// events are the lines of a log.
func events(t *testing.T, log string) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(log) {
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		all = append(all, event)
	}
	return all
}

func open(t *testing.T, to io.Writer) *Log {
	t.Helper()
	log, err := Open(Options{To: to, Format: "json"})
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// A log whose reader stalls goes on. It holds a bounded number of lines, drops the rest, and reports their number when it is read
// again. No line is lost without being counted, and the order stays.
func TestStalledReaderBlocksNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		to := &reader{gate: make(chan struct{})}
		log := open(t, to)
		const lines = 10_000
		for i := range lines {
			log.Info("request", "i", i, "path", strings.Repeat("x", 300))
			if i == 0 {
				synctest.Wait() // the reader has it
			}
		}
		dropped := log.Dropped()
		if held := int(lines - dropped); held*300 < mostWaiting/2 || held*300 > mostWaiting {
			t.Errorf("%d lines are held", held)
		}
		close(to.gate)
		synctest.Wait()
		log.Info("after")
		log.Close(t.Context())

		all := events(t, to.got.String())
		last, note := all[len(all)-1], all[len(all)-2]
		if last["msg"] != "after" || note["dropped"] != float64(dropped) || note["level"] != "WARN" {
			t.Errorf("%d were dropped; at the end stand %v and %v", dropped, note, last)
		}
		for i, event := range all[:len(all)-2] {
			if event["i"] != float64(i) {
				t.Fatalf("line %d is %v", i, event)
			}
		}
		if len(all)-2+int(dropped) != lines || log.Dropped() != dropped {
			t.Errorf("%d lines came, %d were dropped", len(all)-2, dropped)
		}
	})
}

// Closing writes what waits, and gives up with its context.
func TestCloseWaitsAsLongAsItIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		to := &reader{gate: make(chan struct{})}
		log := open(t, to)
		log.Info("stuck")
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		log.Close(ctx)
		if took := time.Since(began); took != time.Second {
			t.Errorf("it took %v", took)
		}
		log.Info("too late")
		close(to.gate)
		log.Close(t.Context())
		if got := to.got.String(); !strings.Contains(got, "stuck") || strings.Contains(got, "too late") || log.Dropped() != 1 {
			t.Errorf("%d were dropped of %s", log.Dropped(), got)
		}
	})
}

// full is a disk that has no room, but for a few bytes.
type full struct {
	room int
	got  bytes.Buffer
}

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.room)
	f.room -= n
	f.got.Write(p[:n])
	if n < len(p) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

// Lines that the writer refuses are counted as well, and the first line that it takes again says how many these were.
func TestLinesThatCannotBeWrittenAreCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		to := &full{room: 10}
		log := open(t, to)
		for range 3 {
			log.Info("lost")
			synctest.Wait()
		}
		to.room = 1 << 20
		log.Info("kept")
		log.Close(t.Context())
		half, rest, _ := strings.Cut(to.got.String(), "\n")
		all := events(t, rest)
		if len(half) != 10 || len(all) != 2 || all[0]["dropped"] != 3.0 || all[1]["msg"] != "kept" || log.Dropped() != 3 {
			t.Errorf("%d were dropped; %s", log.Dropped(), to.got.String())
		}
	})
}

// A buffer that a burst has filled is not kept.
func TestSinkKeepsNoLargeBuffer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		to := &reader{gate: make(chan struct{})}
		s := newSink(to, func(n uint64) []byte { return fmt.Appendln(nil, n) })
		for range 2000 {
			_, _ = s.Write(bytes.Repeat([]byte("x\n"), 200)) // it never fails
		}
		close(to.gate)
		synctest.Wait()
		for range 3 {
			_, _ = s.Write([]byte("x\n"))
			synctest.Wait()
		}
		if n := cap(s.waiting); n > keptBuffer {
			t.Errorf("%d bytes are kept", n)
		}
		s.close(t.Context())
	})
}

func TestUnknownFormat(t *testing.T) {
	t.Parallel()
	if _, err := Open(Options{To: io.Discard, Format: "xml", Level: slog.LevelInfo}); err == nil {
		t.Error("xml is taken")
	}
}
