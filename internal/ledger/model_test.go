package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// step is one thing that happens to a ledger.
type step struct {
	what  string
	which int // of the open calls, or how long
}

// TestModel compares a ledger with what it has to have done: every call that was settled has its row, and every other that was begun is
// an orphan, whatever happens in which order.
func TestModel(t *testing.T) {
	t.Parallel()
	steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		what := []string{"begin", "begin", "begin", "begin", "settle", "settle", "settle", "wait", "kill", "store fails", "store works"}
		return step{rapid.SampledFrom(what).Draw(t, "what"), rapid.IntRange(0, 400).Draw(t, "which")}
	}), 1, 120)
	rapid.Check(t, func(rt *rapid.T) {
		steps, diff := steps.Draw(rt, "steps"), ""
		synctest.Test(t, func(t *testing.T) { diff = play(t, steps) })
		if diff != "" {
			rt.Fatal(diff)
		}
	})
}

// play does the steps, and returns how the rows differ from what they should be.
func play(t *testing.T, steps []step) string {
	f := newFixture()
	l := f.open(t)
	open, want := map[string]*Entry{}, map[string]Flags{}
	for n, s := range steps {
		switch s.what {
		case "wait":
			time.Sleep(time.Duration(s.which) * time.Millisecond)
		case "kill":
			f.kill(l)
			clear(open)
			l = f.open(t)
		case "store fails":
			f.store.fail(errors.New("locked"))
		case "store works":
			f.store.fail(nil)
		case "settle":
			if len(open) == 0 {
				continue
			}
			id := slices.Sorted(maps.Keys(open))[s.which%len(open)]
			open[id].Settle(ended(id))
			open[id].Settle(&Settlement{Outcome: "again"})
			want[id] = 0
			delete(open, id)
		default:
			id := fmt.Sprint("call-", n)
			e, err := l.Begin(large(id), true)
			if err != nil {
				return err.Error()
			}
			open[id], want[id] = e, Orphaned
		}
	}
	f.store.fail(nil)
	f.kill(l)
	l = f.open(t)
	flush(t, l)
	got := map[string]Flags{}
	for id, row := range f.store.byRequest(t) {
		got[id] = row.Flags
	}
	closeLedger(t, l)
	return cmp.Diff(want, got)
}

// TestPayloads: records say what was written.
func TestPayloads(t *testing.T) {
	t.Parallel()
	usage := rapid.Custom(func(t *rapid.T) (u llm.Usage) {
		for _, n := range [...]*int64{&u.Fresh, &u.AudioIn, &u.ImageIn, &u.CacheRead, &u.CacheWrite, &u.CacheWrite1h, &u.Text, &u.Reasoning, &u.AudioOut, &u.ImageOut, &u.Searches} {
			*n = rapid.Int64().Draw(t, "class")
		}
		u.Tier = rapid.StringN(0, 10, 40).Draw(t, "tier")
		u.Cost = llm.Cost{Nanodollars: rapid.Int64().Draw(t, "cost"), Known: rapid.Bool().Draw(t, "known")}
		return u
	})
	text, n := rapid.StringN(0, 60, maxText), rapid.Int64()
	rapid.Check(t, func(t *rapid.T) {
		in := Intent{
			Request: text.Draw(t, "request"), ClientID: text.Draw(t, "client"), Try: int(n.Draw(t, "try")), Call: int(n.Draw(t, "call")), Started: time.Unix(0, n.Draw(t, "started")).UTC(),
			Key: text.Draw(t, "key"), Team: text.Draw(t, "team"), Model: text.Draw(t, "model"), Provider: text.Draw(t, "provider"), Upstream: text.Draw(t, "upstream"),
			Credential: int(n.Draw(t, "credential")), Price: money.ID(rapid.Uint64().Draw(t, "price")), Held: usage.Draw(t, "held"), Hold: n.Draw(t, "hold"),
			Chosen: rapid.Bool().Draw(t, "chosen"),
		}
		if rapid.Bool().Draw(t, "correction") {
			in.Adjusts, in.Reason = Seq(rapid.Int64Range(1, 1<<52).Draw(t, "adjusts")), text.Draw(t, "reason")
		}
		for range rapid.IntRange(0, 8).Draw(t, "tags") {
			in.Tags = append(in.Tags, Tag{text.Draw(t, "name"), text.Draw(t, "value")})
		}
		frame := setLength(appendIntent(nil, &in))
		putSeq(frame, 77)
		seq, read, err := decodeIntent(payload(frame))
		if diff := cmp.Diff(in, read); diff != "" || err != nil || seq != 77 || priceOf(frame) != in.Price {
			t.Fatal(seq, err, diff)
		}
		s := Settlement{
			Status: int(n.Draw(t, "status")), Outcome: text.Draw(t, "outcome"), Flags: Flags(rapid.Uint32().Draw(t, "flags")), Source: Source(rapid.Uint8().Draw(t, "source")),
			Usage: usage.Draw(t, "usage"), Cost: n.Draw(t, "cost"), CostSource: money.Source(rapid.Uint8().Draw(t, "cost source")), Listed: n.Draw(t, "listed"),
			UpstreamModel: text.Draw(t, "model"), UpstreamID: text.Draw(t, "id"), First: time.Duration(n.Draw(t, "first")), Took: time.Duration(n.Draw(t, "took")), Own: time.Duration(n.Draw(t, "own")),
		}
		seq, settled, err := decodeSettlement(payload(appendSettlementFrame(nil, 78, &s)))
		if diff := cmp.Diff(s, settled); diff != "" || err != nil || seq != 78 {
			t.Fatal(seq, err, diff)
		}
	})
}

// FuzzSegment reads anything as a segment. It must end, and believe nothing that has no valid checksum.
func FuzzSegment(f *testing.F) {
	frame := setLength(appendIntent(nil, began("a")))
	seal(frame, 3, headRoom)
	f.Add(frame, true)
	f.Add(append(appendSettlementFrame(frame[:len(frame):len(frame)], 0, ended("a")), 1, 2, 3), false)
	h := setLength(appendHead(nil, &head{instance: "i", begin: headRoom, seals: []sealed{{1, 9000}, {2, 4096}}}))
	seal(h, 3, 0)
	f.Add(h, true)
	f.Fuzz(func(t *testing.T, b []byte, salvage bool) {
		for _, data := range [][]byte{b, append(make([]byte, headRoom), b...)} {
			var j joiner
			j.begin(bytes.NewReader(data), 3, int64(len(data)), salvage)
			if len(data) == len(b) {
				j.at = 0
			}
			for settlement, intent := j.step(); settlement != nil; settlement, intent = j.step() {
				if !valid(settlement, 3, j.at-int64(len(settlement))) {
					t.Fatal("an invalid record was read")
				}
				_, _ = j.row("i", settlement, intent)
			}
			if j.err != nil || salvage && j.at != j.end {
				t.Fatal(j.at, j.end, j.err)
			}
		}
		_, _ = parseHead(b, 3)
		_, _, _ = decodeIntent(b)
		_, _, _ = decodeSettlement(b)
		_, _ = decodePrice(b)
	})
}

// TestDamaged damages bytes of a sealed segment, one at a time. A damaged record costs its own call alone: without its settlement it is an
// orphan, without its intent it has no row. The segment is put aside when the rest is shipped, and counted until the operator removes it.
func TestDamaged(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		f.store.fail(errors.New("locked"))
		l := f.open(t)
		ids := serve(t, l, "a", 150)
		time.Sleep(time.Second)
		begin(t, l, "open")
		ids = append(ids, serve(t, l, "b", 100)...) // more than a segment holds
		time.Sleep(time.Second)
		f.kill(l)
		if l.highest < 3 {
			t.Fatal("there is no sealed segment")
		}
		sealed := int(l.segments[0].end)
		for at := headRoom + 1; at < sealed; at += 1499 {
			f := &fixture{disk: f.disk.killed(), store: newStore(), bound: f.bound, now: f.now}
			f.disk.files[segmentName(1)].data[at] ^= 0x10
			l := f.open(t)
			flush(t, l)
			rows := f.store.byRequest(t)
			wrong := 0
			for _, id := range ids {
				if row, there := rows[id]; !there || row.Flags == Orphaned {
					wrong++
				}
			}
			if wrong > 1 || rows["open"].Flags != Orphaned {
				t.Errorf("byte %d: %d calls of %d are not right", at, wrong, len(ids))
			}
			closeLedger(t, l)
			if f.disk.files[segmentName(1)+damagedSuffix] == nil || f.disk.files[segmentName(1)] != nil {
				t.Errorf("byte %d: the segment was not put aside", at)
			}
			l = f.open(t)
			if s := l.Stats(); s.Damaged != 1 || s.Orphaned != 0 || s.Pending != 0 {
				t.Errorf("byte %d: the next start has %+v", at, s)
			}
			closeLedger(t, l)
		}
	})
}

// TestDamagedNewest: in the newest segment a damaged record looks like what a loss of power leaves. Reading ends there, and the log says how
// many records follow. What a kill leaves has none.
func TestDamagedNewest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		f.store.fail(errors.New("locked"))
		l := f.open(t)
		serve(t, l, "a", 20)
		time.Sleep(time.Second)
		serve(t, l, "b", 5)
		f.kill(l)
		name := segmentName(l.current.number)
		for _, damaged := range []bool{false, true} {
			f := &fixture{disk: f.disk.killed(), store: newStore(), bound: f.bound, now: f.now}
			var log bytes.Buffer
			if damaged {
				f.disk.files[name].data[l.current.at/2] ^= 0x10
			}
			again, err := Open(t.Context(), Options{Files: f.disk, Store: f.store, Now: f.now, Log: slog.New(slog.NewTextHandler(&log, nil)), Bound: f.bound})
			if err != nil {
				t.Fatal(err)
			}
			closeLedger(t, again)
			rows := len(f.store.byRequest(t))
			if said := strings.Contains(log.String(), "follow one that cannot be read, and are given up"); said != damaged || (rows == 25) == damaged {
				t.Errorf("damaged: %v, %d rows, and the log says %s", damaged, rows, log.String())
			}
		}
	})
}

// TestRead: the rows that are not shipped can be read while calls are served.
func TestRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		l := f.open(t)
		serve(t, l, "shipped", 10)
		flush(t, l)
		f.store.fail(errors.New("locked"))
		ids := serve(t, l, "journal", 300)
		time.Sleep(time.Second)
		serve(t, l, "unsynced", 5)
		var got []string
		last := f.store.upto
		err := l.Read(last, func(at Position, row *Row) error {
			if at.Segment < last.Segment || at.Segment == last.Segment && at.Offset <= last.Offset {
				t.Errorf("%v is after %v", at, last)
			}
			last = at
			got = append(got, row.Request)
			return nil
		})
		if diff := cmp.Diff(ids, got); diff != "" || err != nil {
			t.Error(err, diff)
		}
		stop := errors.New("stop")
		if err := l.Read(last, func(Position, *Row) error { return stop }); err != nil {
			t.Errorf("after the last row: %v", err)
		}
		if err := l.Read(Position{}, func(Position, *Row) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("%v", err)
		}
		f.store.fail(nil)
		flush(t, l)
		closeLedger(t, l)
	})
}

// TestPowerRefuses: if Begin waits for the disk and that fails, the call is not made, and gets no row.
func TestPowerRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		f.power = true
		l := f.open(t)
		e := begin(t, l, "before")
		f.disk.setFault(syncFails)
		if _, err := l.Begin(began("refused"), false); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "input/output error") {
			t.Errorf("%v", err)
		}
		e.Settle(ended("before"))
		f.disk.setFault(nil)
		time.Sleep(3 * time.Second)
		serve(t, l, "after", 3)
		closeLedger(t, l)
		rows := f.store.byRequest(t)
		if _, there := rows["refused"]; there || len(rows) != 4 {
			t.Errorf("%d rows", len(rows))
		}
		l = f.open(t)
		if l.Stats().Orphaned != 0 {
			t.Error("the refused call is an orphan")
		}
		closeLedger(t, l)
	})
}

// TestConcurrently has many callers at once, over many segments, while syncs fail now and then.
func TestConcurrently(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.bound = 64 << 20
	f.disk.setFault(func(call int, op string, size int) (int, error) {
		if op == "sync" && call%5 == 0 {
			return 0, syscall.EIO
		}
		return size, nil
	})
	l := f.open(t)
	var callers sync.WaitGroup
	const each = 400
	for c := range 16 {
		callers.Go(func() {
			for i := range each {
				id := fmt.Sprintf("%d-%d", c, i)
				e, err := l.Begin(began(id), false)
				if err != nil {
					t.Error(err)
					return
				}
				e.Settle(ended(id))
				if i%100 == 0 {
					l.Stats()
					_ = l.Flush(t.Context()) // it fails where syncs do
				}
			}
		})
	}
	callers.Wait()
	if err := l.Close(t.Context()); err != nil && !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
	f.disk.setFault(nil) // what could not be shipped is in the journal
	l = f.open(t)
	flush(t, l)
	if rows := f.store.byRequest(t); len(rows) != 16*each || l.Stats().Orphaned != 0 {
		t.Errorf("%d rows of %d, %d orphans", len(rows), 16*each, l.Stats().Orphaned)
	}
	closeLedger(t, l)
}
