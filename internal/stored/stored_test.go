package stored_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/store/storetest"
	"github.com/weirproxy/weir/internal/stored"
)

const phrase = "0123456789012345678901234567890123456789"

func open(s stored.Store, text string) *stored.Book {
	return stored.Open(s, stored.Terms{
		Secret: secret.New(text), Keep: 24 * time.Hour, Max: 1000, Bounds: stored.Bounds{Key: 1 << 20, Total: 1 << 20},
	}, time.Now)
}

func save(t *testing.T, b *stored.Book, keyID string, r stored.Response) {
	t.Helper()
	if err := b.Save(t.Context(), keyID, &r); err != nil {
		t.Fatal(err)
	}
}

func wantErr(t *testing.T, b *stored.Book, keyID, id string, want error) {
	t.Helper()
	if _, err := b.Get(t.Context(), keyID, id); !errors.Is(err, want) {
		t.Errorf("%s of %s: %v", id, keyID, err)
	}
}

func TestAnAnswerIsItsKeysAndSealed(t *testing.T) {
	t.Parallel()
	db := new(storetest.Memory)
	b := open(db, phrase)
	r := stored.Response{ID: "resp_a", Previous: "resp_0", Input: []byte("a question"), Answer: []byte("an answer")}
	save(t, b, "k1", r)
	got, err := b.Get(t.Context(), "k1", "resp_a")
	if diff := cmp.Diff(&r, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	wantErr(t, b, "k2", "resp_a", stored.ErrNotFound)
	wantErr(t, b, "k1", "resp_b", stored.ErrNotFound)

	row, _, err := db.Response(t.Context(), "resp_a", "k1", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"question", "answer", "resp_0"} {
		if bytes.Contains(row.Sealed, []byte(text)) {
			t.Errorf("%q is in the store as it is", text)
		}
	}
}

// Who can write to the store cannot give an answer to another key, or under another id, nor change it.
func TestASealedAnswerOpensOnlyWhereItBelongs(t *testing.T) {
	t.Parallel()
	db := new(storetest.Memory)
	b := open(db, phrase)
	save(t, b, "k1", stored.Response{ID: "resp_a", Input: []byte("q"), Answer: []byte("a")})
	row, _, err := db.Response(t.Context(), "resp_a", "k1", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(row.Sealed)
	changed[len(changed)-1] ^= 1
	for _, to := range []stored.Row{
		{ID: "resp_b", KeyID: "k1", Sealed: row.Sealed},
		{ID: "resp_c", KeyID: "k2", Sealed: row.Sealed},
		{ID: "resp_d", KeyID: "k1", Sealed: changed},
		{ID: "resp_e", KeyID: "k1", Sealed: nil},
	} {
		to.CreatedAt, to.ExpiresAt = row.CreatedAt, row.ExpiresAt
		if _, err := db.SaveResponse(t.Context(), to, stored.Bounds{Key: 1 << 20, Total: 1 << 20}); err != nil {
			t.Fatal(err)
		}
		wantErr(t, b, to.KeyID, to.ID, stored.ErrNotFound)
	}
	wantErr(t, open(db, phrase+"x"), "k1", "resp_a", stored.ErrNotFound)
	wantErr(t, open(db, phrase), "k1", "resp_a", nil) // another process
}

func TestAnAnswerExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := new(storetest.Memory)
		b := open(db, phrase)
		made := time.Now()
		save(t, b, "k", stored.Response{ID: "resp_a"})
		time.Sleep(24*time.Hour - time.Second)
		wantErr(t, b, "k", "resp_a", nil)
		time.Sleep(time.Second)
		wantErr(t, b, "k", "resp_a", stored.ErrNotFound)
		if err := b.Delete(t.Context(), "k", "resp_a"); !errors.Is(err, stored.ErrNotFound) {
			t.Error(err)
		}
		there := func() bool {
			_, found, err := db.Response(t.Context(), "resp_a", "k", made)
			return found && err == nil
		}
		if !there() {
			t.Error("it was deleted by itself")
		}
		go stored.Expire(t.Context(), db, time.Now, slog.New(slog.DiscardHandler))
		synctest.Wait()
		if there() {
			t.Error("it was not deleted")
		}
	})
}

func TestOldAnswersAreDeletedAgainAndAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := new(storetest.Memory)
		var log bytes.Buffer
		db.Fail(errors.New("the disk is gone"))
		go stored.Expire(t.Context(), db, time.Now, slog.New(slog.NewTextHandler(&log, nil)))
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := bytes.Count(log.Bytes(), []byte("the disk is gone")); n != 1 {
			t.Errorf("the failure was logged %d times: %s", n, &log)
		}
		db.Fail(nil)
		made := time.Now()
		save(t, open(db, phrase), "k", stored.Response{ID: "resp_a"})
		time.Sleep(25 * time.Hour)
		synctest.Wait()
		if _, found, _ := db.Response(t.Context(), "resp_a", "k", made); found {
			t.Error("it is still there")
		}
	})
}

func TestAnAnswerThatIsTooLargeIsNotKept(t *testing.T) {
	t.Parallel()
	b := open(new(storetest.Memory), phrase)
	for size, want := range map[int]error{500: nil, 501: stored.ErrTooLarge} {
		id := strconv.Itoa(size)
		r := stored.Response{ID: id, Input: bytes.Repeat([]byte("i"), 500), Answer: bytes.Repeat([]byte("a"), size)}
		if err := b.Save(t.Context(), "k", &r); !errors.Is(err, want) {
			t.Errorf("%d: %v", size, err)
		}
		wantErr(t, b, "k", id, map[bool]error{true: nil, false: stored.ErrNotFound}[want == nil])
	}
	small := stored.Open(new(storetest.Memory), stored.Terms{Secret: secret.New(phrase), Keep: time.Hour, Max: 1000, Bounds: stored.Bounds{Key: 10, Total: 10}}, time.Now)
	if err := small.Save(t.Context(), "k", &stored.Response{ID: "resp_a", Input: []byte("too much")}); !errors.Is(err, stored.ErrTooLarge) {
		t.Error(err)
	}
}

func TestAConversationIsAChainOfAnswers(t *testing.T) {
	t.Parallel()
	db := new(storetest.Memory)
	b := open(db, phrase)
	const turns = 65
	for i := range turns {
		r := stored.Response{ID: "resp_" + strconv.Itoa(i), Input: []byte("question"), Answer: []byte("answer")}
		if i > 0 {
			r.Previous = "resp_" + strconv.Itoa(i-1)
		}
		save(t, b, "k", r)
	}
	room := func(int) bool { return true }
	chain := func(id string, most int64, hold func(int) bool) (ids []string, err error) {
		list, err := b.Chain(t.Context(), "k", id, most, hold)
		for _, r := range list {
			ids = append(ids, r.ID)
		}
		return ids, err
	}
	if ids, err := chain("resp_2", 42, room); err != nil || !cmp.Equal(ids, []string{"resp_0", "resp_1", "resp_2"}) {
		t.Errorf("%v, %v", ids, err)
	}
	for name, tt := range map[string]struct {
		id   string
		most int64
		hold func(int) bool
		want error
	}{
		"too many bytes": {"resp_2", 41, room, stored.ErrTooLong},
		"no memory":      {"resp_2", 1000, func(int) bool { return false }, stored.ErrNoRoom},
		"too many turns": {"resp_64", 1 << 20, room, stored.ErrTooLong},
	} {
		if ids, err := chain(tt.id, tt.most, tt.hold); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, %v", name, ids, err)
		}
	}
	if ids, err := chain("resp_63", 1<<20, room); err != nil || len(ids) != 64 {
		t.Errorf("%d, %v", len(ids), err)
	}
	if err := b.Delete(t.Context(), "k", "resp_1"); err != nil {
		t.Fatal(err)
	}
	for from, broken := range map[string]bool{"resp_1": false, "resp_2": true} {
		_, err := chain(from, 1000, room)
		var at *stored.BrokenError
		if !errors.Is(err, stored.ErrNotFound) || errors.As(err, &at) != broken || broken && at.ID != "resp_1" {
			t.Errorf("%s: %v", from, err)
		}
	}
	db.Fail(errors.New("the disk is gone"))
	if _, err := chain("resp_63", 1000, room); err == nil || errors.Is(err, stored.ErrNotFound) {
		t.Error(err)
	}
}
