package gateway

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
)

// A panic while a prompt is counted takes none of the places to count at. With all of them taken, no provider is asked.
func TestPlacesToCountAt(t *testing.T) {
	t.Parallel()
	g := &Gateway{counting: make(chan struct{}, 1)}
	broken := &relay.Request{ // the provider of its target is missing
		Ingress: table.At("messages"),
		Route:   route.Route{Board: route.NewBoard(), Model: &route.Model{Name: "m"}, Targets: []route.Target{{Provider: "p", Model: "m"}}},
	}
	panics := func() (panicked bool) {
		defer func() { panicked = recover() != nil }()
		g.countThere(t.Context(), broken)
		return false
	}
	if !panics() || len(g.counting) != 0 {
		t.Fatalf("%d places are taken", len(g.counting))
	}
	g.counting <- struct{}{}
	if panics() || len(g.counting) != 1 {
		t.Errorf("%d places are taken", len(g.counting))
	}
}
