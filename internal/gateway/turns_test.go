package gateway

import (
	"context"
	"testing"
	"testing/synctest"
)

// A key that asks a hundred times at once has one turn at a time, so that another key gets the next free one.
func TestAKeyThatAsksOftenDoesNotKeepOthersWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(2)
		var had []string
		running, ends := map[string]int{}, make(chan struct{})
		ask := func(key string) {
			end, err := turns.take(t.Context(), key)
			if err != nil {
				t.Error(err)
				return
			}
			turns.mu.Lock()
			had = append(had, key)
			if running[key]++; running[key] > 1 || len(turns.places) > 2 {
				t.Errorf("%s has %d turns of %d", key, running[key], len(turns.places))
			}
			turns.mu.Unlock()
			<-ends
			turns.mu.Lock()
			running[key]--
			turns.mu.Unlock()
			end()
		}
		for range 100 {
			go ask("busy")
		}
		synctest.Wait()
		for _, key := range []string{"second", "third"} {
			go ask(key)
			synctest.Wait()
		}
		if len(had) != 2 || had[0] != "busy" || had[1] != "second" {
			t.Fatalf("%v have a turn", had)
		}
		for range 102 {
			ends <- struct{}{}
			synctest.Wait()
		}
		if had[2] != "third" && had[3] != "third" {
			t.Errorf("the third key waited for %v", had[:10])
		}
		if len(had) != 102 || len(turns.keys) != 0 || len(turns.places) != 0 {
			t.Errorf("%d turns, %d keys and %d places are left", len(had), len(turns.keys), len(turns.places))
		}
	})
}

// A caller that leaves while it waits, for its key's turn or for a place, gives both up.
func TestWhoLeavesGivesUpItsTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(1)
		first, err := turns.take(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		for _, key := range []string{"a", "b"} {
			go func() {
				_, err := turns.take(ctx, key)
				failed <- err
			}()
		}
		synctest.Wait()
		cancel()
		for range 2 {
			if err := <-failed; err == nil {
				t.Error("a turn without a place")
			}
		}
		first()
		if len(turns.keys) != 0 || len(turns.places) != 0 {
			t.Errorf("%d keys and %d places are left", len(turns.keys), len(turns.places))
		}
	})
}
