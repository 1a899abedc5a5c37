package main

import (
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app"
)

// A replica that is not here says nothing about whose config is usual, and its own is no concern.
func TestWhoseConfigDiffers(t *testing.T) {
	t.Parallel()
	seen := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) // by the database's clock, whatever this machine's says
	lines := replicaLines([]app.Replica{
		{ID: "a", Config: "one", Seen: seen, Here: true},
		{ID: "b", Config: "two", Seen: seen, Here: true},
		{ID: "c", Config: "one", Seen: seen, Here: true},
		{ID: "d", Seen: seen, Here: true},
		{ID: "e", Config: "two", Seen: seen},
		{ID: "f", Config: "two", Seen: seen, Left: true},
		{ID: "g", Config: "two", Forgotten: true},
	})
	for i, want := range []string{"here", "here", "here", "here", "silent", "left", "forgotten"} {
		if l := lines[i]; l.State != want || l.OtherConfig != (l.ID == "b") {
			t.Errorf("%s is %s, its config differs: %v", l.ID, l.State, l.OtherConfig)
		}
	}
	lines = replicaLines([]app.Replica{{ID: "a", Config: "one", Seen: seen, Here: true}, {ID: "b", Config: "two", Seen: seen, Here: true}})
	if lines[0].OtherConfig || !lines[1].OtherConfig {
		t.Errorf("of two, the config of the one that was seen last counts: %+v", lines)
	}
}
