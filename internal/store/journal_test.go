package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func openJournal(t *testing.T, path string) *store.Journal {
	t.Helper()
	j := store.NewJournal(path)
	if err := j.Reserve(); err != nil {
		t.Fatal(err)
	}
	return j
}

func TestTheJournalKeepsWhatItWasGivenLast(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "revocations")
	at := time.Date(2026, 3, 1, 12, 0, 0, 123_000_000, time.UTC)
	long := make([]auth.Revocation, 1000) // more than is set aside
	for i := range long {
		long[i] = auth.Revocation{ID: "000000000" + strconv.Itoa(i), At: at.Add(time.Duration(i) * time.Millisecond)}
	}
	for _, list := range [][]auth.Revocation{nil, long[:1], long[:2], long, long[:3], nil, long[5:7]} {
		if err := openJournal(t, path).Save(list); err != nil {
			t.Fatal(err)
		}
		got, err := openJournal(t, path).Load()
		if diff := cmp.Diff(list, got); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 || info.Size() < 16<<10 {
			t.Errorf("%v %v", info, err)
		}
	}
}

// A machine that stopped in the middle of a write leaves the revocations that had been answered.
func TestATornJournalKeepsItsWholeLines(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "revocations")
	want := []auth.Revocation{{ID: "abcdefabcdef", At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}}
	j := openJournal(t, path)
	if err := j.Save(want); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	torn := strings.TrimRight(string(text), " \n") + "\n123456123456 2026-03-0"
	if err := os.WriteFile(path, []byte(torn), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := j.Load()
	if diff := cmp.Diff(want, got); diff != "" || !errors.Is(err, auth.ErrDamaged) || !strings.Contains(err.Error(), path) {
		t.Errorf("%v %s", err, diff)
	}
}

// Room is set aside in a file that is too short without losing what is in it, and not where nothing can be written.
func TestTheJournalSetsRoomAside(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "revocations")
	want := []auth.Revocation{{ID: "abcdefabcdef", At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}}
	if err := os.WriteFile(path, []byte("abcdefabcdef 2026-03-01T12:00:00Z\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := openJournal(t, path).Load()
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 16<<10 {
		t.Errorf("%v %v", info, err)
	}
	nowhere := store.NewJournal(filepath.Join(t.TempDir(), "missing", "revocations"))
	if err := nowhere.Reserve(); err == nil {
		t.Error("room was set aside in a folder that is not there")
	}
	if list, err := nowhere.Load(); err != nil || list != nil {
		t.Errorf("%v, %v", list, err)
	}
}
