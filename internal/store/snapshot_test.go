package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/store"
)

// A snapshot has every key and team as it was, no key in clear, and when it was last known to be right. One of another store, or of which something is missing, is none.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "keys.snapshot")
	s := store.NewSnapshot(path, "postgres://db:5432/weir")
	load := func(s *store.Snapshot) (teams []auth.Team, keys []auth.Key, version auth.Version, known time.Time, err error) {
		version, known, err = s.Load(func(t auth.Team) { teams = append(teams, t) }, func(k auth.Key) { keys = append(keys, k) })
		return teams, keys, version, known, err
	}
	if _, _, _, _, err := load(s); !errors.Is(err, store.ErrNoSnapshot) {
		t.Error(err)
	}
	at := func(n int64) time.Time { return time.UnixMicro(n * 1_000_001).UTC() }
	spec, err := budget.Parse("5usd/month")
	if err != nil {
		t.Fatal(err)
	}
	policy := &budget.Policy{Budgets: []budget.Spec{spec}, Strict: true, Warn: []int{50}}
	teams := []auth.Team{{ID: "t1", Name: "team", Models: []string{"a*"}, Limits: auth.Limits{Requests: 3}, Spending: policy, CreatedAt: at(1), RevokedAt: at(9), Version: 2}}
	keys := []auth.Key{
		{ID: "k1", Name: "one", Digest: auth.DigestOf("sk-one"), Previous: auth.DigestOf("sk-before"), PreviousUntil: at(5), Models: []string{"m"}, TeamID: "t1", CreatedAt: at(2), Version: 3},
		{ID: "k2", Name: "two", Digest: auth.DigestOf("sk-two"), Explain: true, Limits: auth.Limits{Tokens: 7}, Spending: policy, Idempotency: time.Hour, CreatedAt: at(2), ExpiresAt: at(3), RevokedAt: at(4), Cut: true, Version: 4},
	}
	if err := s.Save(7, at(10), slices.Values(teams), slices.Values(keys)); err != nil {
		t.Fatal(err)
	}
	if err := s.Touch(8, at(11)); err != nil {
		t.Fatal(err)
	}
	gotTeams, gotKeys, version, known, err := load(s)
	if diff := cmp.Diff(teams, gotTeams) + cmp.Diff(keys, gotKeys); diff != "" || err != nil || version != 8 || !known.Equal(at(11)) {
		t.Error(version, known, err, diff)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "sk-") {
		t.Errorf("%v\n%s", err, text)
	}
	if _, _, _, _, err := load(store.NewSnapshot(path, "postgres://other:5432/weir")); !errors.Is(err, store.ErrNoSnapshot) {
		t.Errorf("that of another store: %v", err)
	}
	for _, cut := range []string{string(text[:len(text)-20]), strings.Replace(string(text), `{"form":1`, `{"form":9`, 1)} {
		if err := os.WriteFile(path, []byte(cut), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, _, _, err := load(s); err == nil {
			t.Errorf("%v", err)
		}
	}
}
