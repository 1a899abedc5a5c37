package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/logging/logtest"
)

// Of Weirs that start at once on an empty store that they share, one makes the first key. The others start with it.
func TestFirstStartsOfSeveralMakeOneKey(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var said logtest.Buffer
	sys := &system{stdout: &said, env: func(string) (string, bool) { return "", false }}
	start := func(name string) (*app.App, func() error) {
		t.Helper()
		path, data := filepath.Join(folder, name+".yaml"), filepath.Join(folder, name)
		writeTest(t, path, "listen: 127.0.0.1:0\nadmin: {listen: \"127.0.0.1:0\"}\ndata: "+data+"\nstore: sqlite:"+filepath.Join(folder, "store.db")+
			"\nproviders:\n  up: {kind: sim}\nmodels:\n  m: {targets: [up/chat]}\n")
		cfg, err := loadConfig(configLoader(sys), path, sys)
		if err != nil {
			t.Fatal(err)
		}
		a, err := app.New(t.Context(), app.Options{Config: cfg, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Stop(canceled(t.Context())) })
		return a, func() error { return serveCmd{}.greet(t.Context(), sys, a, cfg, nil) }
	}
	one, greetOne := start("one")
	other, greetOther := start("other")
	for _, greet := range []func() error{greetOne, greetOther} {
		if err := greet(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "other", firstKey)); err == nil {
		t.Error("the second has a file for a key that it did not make")
	}
	for _, a := range []*app.App{one, other} {
		if page, err := a.Keys().List("", 10); err != nil || len(page.Keys) != 1 {
			t.Errorf("%d keys: %v", len(page.Keys), err)
		}
	}
}
