package app

import (
	"context"
	"sync/atomic"
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
		var fetches atomic.Int32
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			keepFresh(ctx, func() []*provider.Provider { fetches.Add(1); return nil }, new(lists).refresh, wake)
		}()
		fetched := func(when string, want int32) {
			t.Helper()
			if synctest.Wait(); fetches.Load() != want {
				t.Errorf("%s: %d fetches, want %d", when, fetches.Load(), want)
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

// A list that does not come is asked for every few seconds until it does; those that came wait for their hour.
func TestListsThatFailAreFetchedAgainSoon(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		well, late := &provider.Provider{Name: "well"}, &provider.Provider{Name: "late"}
		var up atomic.Bool
		var ofWell, ofLate atomic.Int32
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			keepFresh(ctx, func() []*provider.Provider { return []*provider.Provider{well, late} }, func(_ context.Context, of []*provider.Provider) (again []*provider.Provider) {
				for _, p := range of {
					if p == well {
						ofWell.Add(1)
					} else if ofLate.Add(1); !up.Load() {
						again = append(again, p)
					}
				}
				return again
			}, nil)
		}()
		want := func(when string, well, late int32) {
			t.Helper()
			if synctest.Wait(); ofWell.Load() != well || ofLate.Load() != late {
				t.Errorf("%s: %d and %d, want %d and %d", when, ofWell.Load(), ofLate.Load(), well, late)
			}
		}
		want("at the start", 1, 1)
		time.Sleep(2 * listRetry)
		want("a while later", 1, 3)
		up.Store(true)
		time.Sleep(listRetry)
		want("when it is there", 1, 4)
		time.Sleep(listEvery - 3*listRetry - time.Second)
		want("before the hour is over", 1, 4)
		time.Sleep(2 * time.Second)
		want("an hour after the start", 2, 5)
		stop()
		<-ended
	})
}
