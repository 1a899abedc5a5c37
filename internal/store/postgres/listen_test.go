package postgres

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/escrow"
)

// Those who listen hear that a key has changed, and that a replica lacks some of a budget. Behind a pooler, and with few connections, no Weir listens.
func TestChangesAreHeard(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	db, other := open(t, url), open(t, url)
	keys, wanted := make(chan struct{}, 9), make(chan struct{}, 9)
	heard := Heard{Keys: func() { keys <- struct{}{} }, Wanted: func() { wanted <- struct{}{} }}
	ctx, cancel := context.WithCancel(t.Context())
	var listening sync.WaitGroup
	listening.Go(func() { Listen(ctx, db, heard, slog.New(slog.DiscardHandler)) })
	<-keys // as it begins
	<-wanted
	if _, err := other.InsertKey(t.Context(), auth.Key{ID: "000000000001", Name: "k", CreatedAt: time.Unix(1, 0)}); err != nil {
		t.Fatal(err)
	}
	<-keys
	s := sharer{t, NewEscrow(other, nothing), escrow.Statement{Replica: "r", Epoch: escrow.Epoch{Began: 1}, Whole: true}}
	s.say()
	name := escrow.Name{Budget: "a"}
	s.say(escrow.Line{Name: name, Limit: 100, Version: 1, Wants: true, Need: 60, Least: 60})
	if len(wanted) > 0 {
		t.Error("something is said to be lacking, though all was given")
	}
	s.say(escrow.Line{Name: name, Limit: 100, Version: 1, Used: 60, Keep: 60, Wants: true, Need: 60, Least: 60})
	<-wanted
	cancel()
	listening.Wait()

	few, pooled := Options{}, url
	few.Pool = 3
	db.listens = divide(few.Pool).listens
	Listen(t.Context(), db, heard, slog.New(slog.DiscardHandler)) // returns
	bounced := open(t, server.Bounced(t, pooled))
	Listen(t.Context(), bounced, heard, slog.New(slog.DiscardHandler)) // returns
	if len(keys) > 0 {
		t.Error("something was heard through a pooler")
	}
}

// All connections together are as many as there may be.
func TestConnectionsAreDivided(t *testing.T) {
	t.Parallel()
	for pool := 2; pool <= 1000; pool++ {
		d := divide(pool)
		n := d.others + d.reports + d.trips
		if d.listens {
			n++
		}
		if n != pool || d.others < 1 || d.reports < 1 {
			t.Errorf("%d connections: %+v", pool, d)
		}
	}
}
