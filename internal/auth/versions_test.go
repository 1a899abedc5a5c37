package auth_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/store/storetest"
)

// transactions is a store whose changes are transactions that take their time: a change has its version before others see it.
type transactions struct {
	*storetest.Memory
	keys     []auth.Key // as committed
	last     auth.Version
	version  auth.Version // as committed
	open     []auth.Key   // by transaction; a zero one is not open
	sequence bool         // versions come from a sequence, which nothing locks; else from a row
}

func (s *transactions) ChangesSince(_ context.Context, since auth.Version, _ func(auth.Team), each func(auth.Key)) (auth.Version, error) {
	for _, key := range s.keys {
		if key.Version > since {
			each(key)
		}
	}
	return s.version, nil
}

// begin revokes key i in transaction i. With versions from a row, it waits while another has the row, and false is returned.
func (s *transactions) begin(i int) bool {
	if !s.sequence && slices.ContainsFunc(s.open, func(k auth.Key) bool { return k.Version > 0 }) {
		return false
	}
	s.last++
	key := s.keys[i]
	key.Version, key.RevokedAt = s.last, key.CreatedAt
	s.open[i] = key
	return true
}

func (s *transactions) commit(i int) bool {
	if s.open[i].Version == 0 {
		return false
	}
	s.keys[i] = s.open[i]
	s.version = max(s.version, s.open[i].Version)
	s.open[i] = auth.Key{}
	return true
}

// missed goes through every order in which two transactions revoke a key each while a process follows the store, and says after which
// the process still lets a revoked key in. It returns how many orders there are.
func missed(t *testing.T, sequence bool) (wrong []string, orders int) {
	t.Helper()
	const transactionsOf, polls = 2, 2
	var explore func(order []string)
	explore = func(order []string) {
		s := &transactions{Memory: &storetest.Memory{}, open: make([]auth.Key, transactionsOf), sequence: sequence}
		for i := range transactionsOf {
			s.keys = append(s.keys, auth.Key{ID: fmt.Sprintf("id%d", i), Name: fmt.Sprintf("k%d", i), CreatedAt: time.Unix(1, 0), Version: 1})
		}
		s.last, s.version = 1, 1
		k, err := auth.NewKeys(t.Context(), s, time.Now, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		follow := func() {
			if err := k.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		moves := map[string]func() bool{"poll": func() bool { follow(); return true }}
		for i := range transactionsOf {
			moves[fmt.Sprint("begin ", i)] = func() bool { return s.begin(i) }
			moves[fmt.Sprint("commit ", i)] = func() bool { return s.commit(i) }
		}
		done := map[string]int{}
		for _, m := range order {
			if !moves[m]() {
				return // it waits: another order has it later
			}
			done[m]++
		}
		if done["commit 0"]+done["commit 1"] == transactionsOf {
			orders++
			follow()
			for i := range transactionsOf {
				if key, err := k.Show(fmt.Sprint("id", i)); err != nil || key.RevokedAt.IsZero() {
					wrong = append(wrong, fmt.Sprint(order))
				}
			}
			return
		}
		for m := range moves {
			if m == "poll" && done[m] < polls || m != "poll" && done[m] == 0 {
				explore(append(slices.Clone(order), m))
			}
		}
	}
	explore(nil)
	return wrong, orders
}

// TestVersionsFromARow: whatever the order in which changes are made and seen, a process that follows misses none.
func TestVersionsFromARow(t *testing.T) {
	t.Parallel()
	if wrong, orders := missed(t, false); len(wrong) > 0 || orders < 10 {
		t.Errorf("of %d orders, keys that were revoked are let in after %q", orders, wrong)
	}
}

// TestVersionsFromASequence: the same finds the mistake of taking versions from a sequence, whose numbers are given in another order than the
// one in which transactions commit.
func TestVersionsFromASequence(t *testing.T) {
	t.Parallel()
	if wrong, orders := missed(t, true); len(wrong) == 0 {
		t.Errorf("in %d orders no key was missed", orders)
	} else {
		t.Logf("of %d orders, for example %s", orders, wrong[0])
	}
}
