package app_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// A reload and the end of the program do not overlap: a running reload ends before anything is closed, and none begins after that. A
// config that brings the simulated provider in starts a listener, which must be closed as well.
func TestReloadsWhileItStops(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	for range 20 {
		path := filepath.Join(t.TempDir(), "weir.yaml")
		rewrite(t, path, fmt.Sprintf("drain: {delay: 0s, timeout: 1s}\nproviders:\n  up: {kind: openai, base_url: %q, api_key: upstream-credential}\nmodels:\n  m: {targets: [up/m]}\n", up.URL()))
		w := apptest.Start(t, path)
		rewrite(t, path, "drain: {delay: 0s, timeout: 1s}\nproviders:\n  sim: {kind: sim}\nmodels:\n  m: {targets: [sim/chat]}\n")
		var reloads sync.WaitGroup
		begun := make(chan struct{})
		reloads.Go(func() {
			close(begun)
			for range 50 {
				if _, err := w.Reload(context.Background()); err != nil {
					return
				}
			}
		})
		<-begun
		if err := w.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		reloads.Wait()
		if _, err := w.Reload(context.Background()); err == nil {
			t.Error("it was reloaded when it had stopped")
		}
	}
}
