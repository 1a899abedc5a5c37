package idempotency_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/idempotency"
	"github.com/weirproxy/weir/internal/store/sqlite"
	"github.com/weirproxy/weir/internal/store/storetest"
)

const day = 24 * time.Hour

var here = idempotency.Owner{Instance: "here", Epoch: "1"}

func answer() *idempotency.Answer {
	return &idempotency.Answer{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"a":"the answer"}`)}
}

// begin wants a request to be the first with its Idempotency-Key, and claims it.
func begin(t *testing.T, b *idempotency.Book, key, request string) *idempotency.Run {
	t.Helper()
	run, before, err := b.Begin(t.Context(), "k", key, []byte(request))
	if err != nil || before != nil {
		t.Fatalf("%v, %v", before, err)
	}
	if err := run.Claim(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	return run
}

// refused wants a request to be refused.
func refused(t *testing.T, b *idempotency.Book, key, request string, want error) {
	t.Helper()
	if run, before, err := b.Begin(t.Context(), "k", key, []byte(request)); !errors.Is(err, want) || run != nil || before != nil {
		t.Errorf("%v, %v, %v; want %v", run, before, err, want)
	}
}

// replayed wants a request to be answered as the first one.
func replayed(t *testing.T, b *idempotency.Book, key, request string) {
	t.Helper()
	run, before, err := b.Begin(t.Context(), "k", key, []byte(request))
	if err != nil || run != nil {
		t.Fatalf("%v, %v", run, err)
	}
	if diff := cmp.Diff(answer(), before); diff != "" {
		t.Error(diff)
	}
}

func end(t *testing.T, run *idempotency.Run, answer *idempotency.Answer) {
	t.Helper()
	if err := run.End(answer, day); err != nil {
		t.Fatal(err)
	}
}

func TestARepeatGetsTheAnswerOfTheFirst(t *testing.T) {
	t.Parallel()
	store := new(storetest.Memory)
	b := idempotency.Open(store, here, time.Now)
	run := begin(t, b, "one", "a")
	refused(t, b, "one", "a", idempotency.ErrInProgress)
	refused(t, b, "one", "b", idempotency.ErrMismatch)
	end(t, run, answer())
	replayed(t, b, "one", "a")
	refused(t, b, "one", "b", idempotency.ErrMismatch)
	replayed(t, idempotency.Open(store, idempotency.Owner{Instance: "here", Epoch: "2"}, time.Now), "one", "a")
	end(t, begin(t, b, "two", "a"), nil)
	if run, _, err := b.Begin(t.Context(), "other", "one", []byte("b")); err != nil || run == nil {
		t.Errorf("another API key's: %v", err)
	}
}

// What distinguishes requests is not joined: two parts are other than the same bytes in one.
func TestPartsOfARequestCountOnTheirOwn(t *testing.T) {
	t.Parallel()
	b := idempotency.Open(new(storetest.Memory), here, time.Now)
	if _, _, err := b.Begin(t.Context(), "k", "one", []byte("ab"), []byte("c")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Begin(t.Context(), "k", "one", []byte("a"), []byte("bc")); !errors.Is(err, idempotency.ErrMismatch) {
		t.Error(err)
	}
	if _, _, err := b.Begin(t.Context(), "ko", "ne", []byte("ab"), []byte("c")); err != nil {
		t.Error("another API key's has the same bytes:", err)
	}
}

func TestARequestThatFailedRunsAgain(t *testing.T) {
	t.Parallel()
	b := idempotency.Open(new(storetest.Memory), here, time.Now)
	end(t, begin(t, b, "one", "a"), nil)
	end(t, begin(t, b, "one", "b"), answer())
	replayed(t, b, "one", "b")
	run, _, err := b.Begin(t.Context(), "k", "two", []byte("a")) // refused before it ran
	if err != nil {
		t.Fatal(err)
	}
	end(t, run, nil)
	end(t, begin(t, b, "two", "b"), nil)
}

func TestAnswersExpire(t *testing.T) {
	t.Parallel()
	now := time.Now()
	store := new(storetest.Memory)
	b := idempotency.Open(store, here, func() time.Time { return now })
	end(t, begin(t, b, "one", "a"), answer())
	now = now.Add(day - time.Second)
	replayed(t, b, "one", "a")
	now = now.Add(time.Second)
	end(t, begin(t, b, "one", "b"), answer())
	replayed(t, b, "one", "b")
}

// A process dies amid a request. After its restart the claim is free at once. For another process it is free once the request must have ended.
func TestTheClaimOfADeadProcessIsFree(t *testing.T) {
	t.Parallel()
	now := time.Now()
	clock := func() time.Time { return now }
	store := new(storetest.Memory)
	begin(t, idempotency.Open(store, here, clock), "one", "a")
	begin(t, idempotency.Open(store, here, clock), "two", "a")
	elsewhere := idempotency.Open(store, idempotency.Owner{Instance: "elsewhere", Epoch: "1"}, clock)
	refused(t, elsewhere, "one", "a", idempotency.ErrInProgress)
	refused(t, elsewhere, "one", "b", idempotency.ErrMismatch)
	restarted := idempotency.Open(store, idempotency.Owner{Instance: "here", Epoch: "2"}, clock)
	end(t, begin(t, restarted, "one", "a"), answer())
	replayed(t, elsewhere, "one", "a")
	now = now.Add(time.Hour)
	end(t, begin(t, elsewhere, "two", "a"), answer())
	replayed(t, restarted, "two", "a")
}

// Another process claims between the look and the claim.
func TestAClaimIsExactBetweenProcesses(t *testing.T) {
	t.Parallel()
	store := new(storetest.Memory)
	one := idempotency.Open(store, here, time.Now)
	two := idempotency.Open(store, idempotency.Owner{Instance: "elsewhere"}, time.Now)
	for request, want := range map[string]error{"same": idempotency.ErrInProgress, "other": idempotency.ErrMismatch} {
		late, _, err := one.Begin(t.Context(), "k", request, []byte(request))
		if err != nil {
			t.Fatal(err)
		}
		first := begin(t, two, request, "same")
		if err := late.Claim(t.Context(), time.Hour); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		end(t, late, nil) // leaves the other's claim alone
		end(t, first, answer())
		replayed(t, one, request, "same")
	}
}

func TestARepeatWaitsForAnAnswerThatIsBeingStored(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := idempotency.Open(new(storetest.Memory), here, time.Now)
		run := begin(t, b, "one", "a")
		run.Ending()
		done := make(chan struct{})
		go func() {
			defer close(done)
			replayed(t, b, "one", "a")
		}()
		synctest.Wait()
		select {
		case <-done:
			t.Error("it did not wait")
		default:
		}
		refused(t, b, "one", "b", idempotency.ErrMismatch)
		end(t, run, answer())
		<-done

		begin(t, b, "two", "a").Ending()
		refused(t, b, "two", "a", idempotency.ErrInProgress) // after a while
	})
}

// If the store fails, nothing runs. An answer that it does not take is not given out, and the request does not run again while the claim
// would have held.
func TestAFailingStore(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is full")
	now := time.Now()
	store := new(storetest.Memory)
	b := idempotency.Open(store, here, func() time.Time { return now })
	kept, lost, failed := begin(t, b, "kept", "a"), begin(t, b, "lost", "a"), begin(t, b, "failed", "a")
	end(t, kept, answer())
	late, _, err := b.Begin(t.Context(), "k", "late", []byte("a"))
	if err != nil {
		t.Fatal(err)
	}
	store.Fail(broken)
	refused(t, b, "kept", "a", broken)
	refused(t, b, "new", "a", broken)
	if err := late.Claim(t.Context(), time.Hour); !errors.Is(err, broken) {
		t.Error(err)
	}
	end(t, late, nil)
	if err := lost.End(answer(), day); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := failed.End(nil, day); !errors.Is(err, broken) {
		t.Error(err)
	}
	store.Fail(nil)
	replayed(t, b, "kept", "a")
	end(t, begin(t, b, "new", "a"), nil)
	end(t, begin(t, b, "late", "a"), nil)
	end(t, begin(t, b, "failed", "b"), nil)
	refused(t, b, "lost", "a", idempotency.ErrLost)
	refused(t, b, "lost", "b", idempotency.ErrMismatch)
	now = now.Add(time.Hour)
	end(t, begin(t, b, "lost", "a"), answer())
	replayed(t, b, "lost", "a")
}

// The store has neither the Idempotency-Key nor what was asked and answered, and a damaged answer is not given out.
func TestWhatIsStoredIsSealed(t *testing.T) {
	t.Parallel()
	spy := &spy{Memory: new(storetest.Memory)}
	b := idempotency.Open(spy, here, time.Now)
	end(t, begin(t, b, "the idempotency key", "the request"), answer())
	for _, text := range []string{"the idempotency key", "the request", "the answer", "application/json"} {
		if bytes.Contains(spy.kept, []byte(text)) {
			t.Errorf("%q is stored", text)
		}
	}
	spy.damage = true
	run, before, err := b.Begin(t.Context(), "k", "the idempotency key", []byte("the request"))
	if err == nil || run != nil || before != nil {
		t.Errorf("%v, %v", run, before)
	}
}

// spy sees what is stored, and damages what is read.
type spy struct {
	*storetest.Memory
	kept   []byte
	damage bool
}

func (s *spy) KeepIdempotent(ctx context.Context, r idempotency.Record, most idempotency.Bounds) (bool, error) {
	s.kept = append(append(append(s.kept, r.Hash[:]...), r.Request[:]...), r.Answer...)
	return s.Memory.KeepIdempotent(ctx, r, most)
}

func (s *spy) Idempotent(ctx context.Context, name idempotency.Name, now time.Time) (idempotency.Record, bool, error) {
	r, found, err := s.Memory.Idempotent(ctx, name, now)
	if s.damage && found {
		r.Answer = append(bytes.Clone(r.Answer[:len(r.Answer)-1]), ^r.Answer[len(r.Answer)-1])
	}
	return r, found, err
}

// Of many equal requests at once one runs, over two processes and a real store.
func TestOneOfManyRuns(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "weir.db")
	var books []*idempotency.Book
	for _, name := range []string{"one", "two"} {
		db, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		books = append(books, idempotency.Open(db, idempotency.Owner{Instance: name, Epoch: "1"}, time.Now))
	}
	var ran, replays atomic.Int64
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			run, before, err := books[i%2].Begin(t.Context(), "k", "one", []byte("a"))
			if run != nil {
				if err = run.Claim(t.Context(), time.Hour); err == nil {
					ran.Add(1)
					run.Ending()
					err = run.End(answer(), day)
				} else {
					_ = run.End(nil, day)
				}
			}
			if before != nil {
				replays.Add(1)
			}
			if err != nil && !errors.Is(err, idempotency.ErrInProgress) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if ran.Load() != 1 {
		t.Errorf("%d ran", ran.Load())
	}
	t.Logf("%d were answered as the first", replays.Load())
	replayed(t, books[0], "one", "a")
	replayed(t, books[1], "one", "a")
}

// What has expired is deleted, in steps of which none is large.
func TestExpiredRecordsAreDeleted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		counting := &counter{Memory: new(storetest.Memory)}
		b := idempotency.Open(counting, here, time.Now)
		for i := range 450 {
			end(t, begin(t, b, string(rune('a'+i)), "a"), answer())
		}
		time.Sleep(day)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			b.Expire(ctx, nil)
		}()
		synctest.Wait()
		cancel()
		<-done
		if diff := cmp.Diff([]int{200, 200, 50}, counting.steps); diff != "" {
			t.Error(diff)
		}
	})
}

// counter counts what is deleted.
type counter struct {
	*storetest.Memory
	steps []int
}

func (c *counter) ForgetIdempotent(ctx context.Context, now time.Time, most int) (int, error) {
	n, err := c.Memory.ForgetIdempotent(ctx, now, most)
	c.steps = append(c.steps, n)
	return n, err
}
