package app

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/provider"
)

// The first providers are announced like all others; their lists are fetched once nevertheless.
func TestListsAreFetchedOnceAtTheStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		wake := make(chan struct{}, 1)
		wake <- struct{}{}
		fetches := 0
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			new(lists).keepFresh(ctx, func() []*provider.Provider { fetches++; return nil }, wake)
		}()
		fetched := func(when string, want int) {
			t.Helper()
			if synctest.Wait(); fetches != want {
				t.Errorf("%s: %d fetches, want %d", when, fetches, want)
			}
		}
		fetched("at the start", 1)
		wake <- struct{}{}
		fetched("other providers", 2)
		time.Sleep(listEvery)
		fetched("an hour later", 3)
		stop()
		<-ended
	})
}
